"""What lamps are to show at any moment: a plain function of what was asked of them, and of time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from hardware.patterns import BEEPS, BLACK, PATTERNS, Pattern, Rgb, mark_colours
from hardware.ports import Signal

Pins: TypeAlias = tuple[int, ...]
"""The pins of one lamp by Broadcom's numbers: one for a plain LED, three for red, green, blue."""

SEATS: Final = ("D4", "D3", "D2", "D1")

STRIP_SIGNALS: Final = frozenset({Signal.KNOCK_OUT, Signal.EXTRA_THROW, Signal.WON})
"""What all lights along the board show; for the rest the verdict's lamp will do."""

_STRIP_SHOW_S: Final = 3.0  # then the lights along the board are dark again for the camera


@dataclass(frozen=True, slots=True)
class LampSettings:
    """Which lamps there are on pins, and what they show.

    Attributes:
        verdict: the pins of the verdict's lamp; empty where there is none.
        seats: the pins of each seat's lamp, for the seats that have one.
        patterns: what differs from `PATTERNS`.
        buzzer: the pin of a buzzer; None where there is none.
    """

    verdict: Pins = ()
    seats: Mapping[str, Pins] = field(default_factory=dict)
    patterns: Mapping[Signal, Pattern | None] = field(default_factory=dict)
    buzzer: int | None = None

    def __post_init__(self) -> None:
        pins = [*self.verdict, *(() if self.buzzer is None else (self.buzzer,))]
        for seat, of_seat in self.seats.items():
            if seat not in SEATS:
                raise ValueError(f"{seat!r} is no seat: seats are {', '.join(SEATS)}")
            pins += of_seat
        for lamp in (self.verdict, *self.seats.values()):
            if len(lamp) not in (0, 1, 3):
                raise ValueError(f"a lamp has one pin, or three for red, green, blue, not {lamp}")
        for pin in pins:
            if pins.count(pin) > 1:
                raise ValueError(f"pin {pin} has two lamps")

    @property
    def any(self) -> bool:
        """Whether there is anything on a pin."""
        return bool(self.verdict or any(self.seats.values()) or self.buzzer is not None)


@dataclass(frozen=True, slots=True)
class LampState:
    """What is to be seen and heard at one moment.

    Attributes:
        verdict: the colour of the verdict's lamp.
        turn: the seat that is lit; None where none is.
        buzzing: whether the buzzer sounds.
        around: the colour of all lights along the board.
        marks: squares and their colours, over that.
    """

    verdict: Rgb = BLACK
    turn: str | None = None
    buzzing: bool = False
    around: Rgb = BLACK
    marks: tuple[tuple[str, Rgb], ...] = ()

    @property
    def glows(self) -> bool:
        """Whether light falls on the board."""
        return self.around != BLACK or any(colour != BLACK for _, colour in self.marks)


class LampOutput(Protocol):
    """Something that lamps are made of."""

    def paint(self, state: LampState) -> bool:
        """Show *state*; return whether it is shown, or is to be painted once more.

        Raises:
            DeviceError: nothing can be shown any more.
        """
        ...

    def close(self) -> None:
        """Put all out; harmless when repeated."""
        ...


class LampBoard:
    """What was asked of the lamps, and what that is at any moment."""

    def __init__(self, patterns: Mapping[Signal, Pattern | None] | None = None) -> None:
        self._patterns: Final = {**PATTERNS, **(patterns or {})}
        self._signal, self._then, self._since_s = Signal.OFF, Signal.OFF, 0.0
        self._turn: str | None = None
        self._wrong: tuple[str, ...] = ()
        self._right: tuple[str, ...] = ()
        self._marked_s = 0.0

    def show(self, signal: Signal, then: Signal, at_s: float) -> None:
        """Show *signal* from now on, and *then* once it has come to its end."""
        if signal != self._signal or (pattern := self._patterns[signal]) is None or pattern.times:
            self._signal, self._since_s = signal, at_s
        self._then = then

    def turn(self, seat: str | None) -> None:
        """Light the lamp of *seat*.

        Raises:
            ValueError: there is no such seat.
        """
        if seat is not None and seat not in SEATS:
            raise ValueError(f"{seat!r} is no seat: seats are {', '.join(SEATS)}")
        self._turn = seat

    def mark(self, wrong: tuple[str, ...], right: tuple[str, ...], at_s: float) -> None:
        """Mark squares from now on."""
        if (wrong, right) != (self._wrong, self._right):
            self._wrong, self._right, self._marked_s = wrong, right, at_s

    def state(self, at_s: float) -> LampState:
        """Return what is to be seen at a moment."""
        since_s = at_s - self._since_s
        signal, pattern = self._signal, self._patterns[self._signal]
        beeps = BEEPS.get(signal)
        if pattern is not None and since_s >= pattern.lasts_s:
            since_s -= pattern.lasts_s
            signal, pattern = self._then, self._patterns[self._then]
        colour = pattern.colour if pattern is not None and pattern.lit(since_s) else BLACK
        shown_around = signal in STRIP_SIGNALS and at_s - self._since_s < _STRIP_SHOW_S
        wrong, right = mark_colours(at_s - self._marked_s)
        return LampState(
            verdict=colour,
            turn=self._turn,
            buzzing=beeps is not None and beeps.lit(at_s - self._since_s),
            around=colour if shown_around else BLACK,
            marks=(
                *((square, right) for square in self._right),
                *((square, wrong) for square in self._wrong),
            ),
        )
