"""What each signal looks like: a colour, and a rhythm that tells it without its colour.

All here is a function of time that is handed in, so that what lamps do can be tested as states
over time.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from hardware.ports import Signal

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""

BLACK: Final[Rgb] = (0.0, 0.0, 0.0)
WHITE: Final[Rgb] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a lamp shows a signal.

    Attributes:
        colour: of a coloured lamp.
        on_s: how long it is lit at a time.
        off_s: how long it is dark between; 0 is a steady light.
        times: how often; 0 goes on until the next signal.
    """

    colour: Rgb
    on_s: float = 1.0
    off_s: float = 0.0
    times: int = 0

    def __post_init__(self) -> None:
        if self.on_s <= 0 or self.off_s < 0 or self.times < 0:
            raise ValueError(f"a lamp cannot be lit {self.on_s} s and dark {self.off_s} s")

    @property
    def lasts_s(self) -> float:
        """How long it takes; for ever where it is not counted."""
        return self.times * (self.on_s + self.off_s) if self.times else math.inf

    def lit(self, since_s: float) -> bool:
        """Tell whether the lamp is lit so long after the pattern began."""
        if since_s >= self.lasts_s:
            return False
        return self.off_s == 0 or since_s % (self.on_s + self.off_s) < self.on_s


PATTERNS: Final[Mapping[Signal, Pattern | None]] = {
    Signal.OFF: None,
    Signal.WAITING_FOR_THROW: Pattern((0.0, 0.0, 1.0)),
    Signal.WAITING_FOR_MOVE: Pattern((0.0, 0.0, 1.0), on_s=1.0, off_s=1.0),
    Signal.LEGAL: Pattern((0.0, 1.0, 0.0), on_s=1.5, off_s=0.1, times=1),
    Signal.ILLEGAL: Pattern((1.0, 0.0, 0.0), on_s=0.2, off_s=0.2),
    Signal.KNOCK_OUT: Pattern((1.0, 0.4, 0.0), on_s=0.15, off_s=0.15, times=5),
    Signal.EXTRA_THROW: Pattern((0.0, 1.0, 1.0), on_s=0.4, off_s=0.2, times=2),
    Signal.QUESTION: Pattern((1.0, 1.0, 0.0), on_s=0.6, off_s=0.6),
    Signal.WON: Pattern((1.0, 0.0, 1.0), on_s=0.5, off_s=0.1),
    Signal.CAMERA_LOST: Pattern((1.0, 0.0, 0.0), on_s=0.1, off_s=1.9),
}
"""What each signal looks like unless a person says otherwise; None is dark."""

BEEPS: Final[Mapping[Signal, Pattern]] = {
    Signal.LEGAL: Pattern(WHITE, on_s=0.08, off_s=0.1, times=1),
    Signal.EXTRA_THROW: Pattern(WHITE, on_s=0.08, off_s=0.1, times=2),
    Signal.KNOCK_OUT: Pattern(WHITE, on_s=0.08, off_s=0.1, times=3),
    Signal.QUESTION: Pattern(WHITE, on_s=0.25, off_s=0.25, times=2),
    Signal.ILLEGAL: Pattern(WHITE, on_s=0.7, off_s=0.2, times=1),
    Signal.WON: Pattern(WHITE, on_s=0.15, off_s=0.1, times=6),
    Signal.CAMERA_LOST: Pattern(WHITE, on_s=0.7, off_s=0.4, times=2),
}
"""What a buzzer sounds for a signal, where there is no voice."""

# Squares are marked in periods: lit while people look, then dark for the camera's pictures.
MARK_LIT_S: Final = 0.8
MARK_DARK_S: Final = 0.6
_FLASH: Final = Pattern((1.0, 0.0, 0.0), on_s=0.12, off_s=0.12)
_STEADY: Final = Pattern((0.0, 1.0, 0.0))


def mark_colours(since_s: float) -> tuple[Rgb, Rgb]:
    """Return the colours of squares that stand wrongly, and of those where things belong.

    The wrong ones flash red, the right ones are lit steadily in green; then both are dark.
    """
    phase_s = since_s % (MARK_LIT_S + MARK_DARK_S)
    if phase_s >= MARK_LIT_S:
        return BLACK, BLACK
    return (_FLASH.colour if _FLASH.lit(phase_s) else BLACK), _STEADY.colour
