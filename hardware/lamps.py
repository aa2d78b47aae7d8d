"""Lamps on a Raspberry Pi's pins, through gpiozero.

Each signal has its colour and its rhythm, so that plain lamps and the colour-blind can tell them
apart. gpiozero is imported only where lamps are asked for.
"""

import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeAlias

from hardware.ports import DeviceError, Lamps, Signal

Pins: TypeAlias = tuple[int, ...]
"""The pins of one lamp by Broadcom's numbers: one for a plain LED, three for red, green, blue."""

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""

Bank: TypeAlias = Literal["mock"] | None
"""Whose pins: None for the computer's own, "mock" for gpiozero's pretended ones."""

_SEATS: Final = ("D4", "D3", "D2", "D1")
_WHITE: Final = (1.0, 1.0, 1.0)

_log = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class LampSettings:
    """Which lamps there are.

    Attributes:
        verdict: the pins of the verdict's lamp; empty where there is none.
        seats: the pins of each seat's lamp, for the seats that have one.
        patterns: what differs from `PATTERNS`.
    """

    verdict: Pins = ()
    seats: Mapping[str, Pins] = field(default_factory=dict)
    patterns: Mapping[Signal, Pattern | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        pins = [*self.verdict]
        for seat, of_seat in self.seats.items():
            if seat not in _SEATS:
                raise ValueError(f"{seat!r} is no seat: seats are {', '.join(_SEATS)}")
            pins += of_seat
        for lamp in (self.verdict, *self.seats.values()):
            if len(lamp) not in (0, 1, 3):
                raise ValueError(f"a lamp has one pin, or three for red, green, blue, not {lamp}")
        for pin in pins:
            if pins.count(pin) > 1:
                raise ValueError(f"pin {pin} has two lamps")


class NullLamps:
    """No lamps."""

    def show(self, signal: Signal) -> None:
        """Show nothing."""

    def turn(self, seat: str | None) -> None:
        """Light nothing."""

    def close(self) -> None:
        """Release nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class GpioLamps:
    """Lamps on pins."""

    def __init__(self, settings: LampSettings, pins: Bank = None, tempo: float = 1.0) -> None:
        """Take the pins; *tempo* is how many times slower than usual lamps blink.

        Raises:
            DeviceError: there are no such pins, or they may not be used.
        """
        self._patterns = {**PATTERNS, **settings.patterns}
        self._tempo = tempo
        self.factory: Any = None
        """Where gpiozero takes the pins from; None is its usual place."""
        self._lamps: list[Any] = []
        try:
            # gpiozero warns of each pin library it tries; the last error says it all.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                factory = self.factory = _factory(pins)
                self._verdict = self._lamp(settings.verdict, factory)
                self._seats = {
                    seat: self._lamp(of_seat, factory) for seat, of_seat in settings.seats.items()
                }
        except Exception as error:  # each pin library has errors of its own
            self.close()
            raise DeviceError(_complaint(error)) from error

    def show(self, signal: Signal) -> None:
        """Let the verdict's lamp show *signal*."""
        if self._lamps and self._verdict is not None:
            self._light(self._verdict, self._patterns[signal])

    def turn(self, seat: str | None) -> None:
        """Light the lamp of the seat "D4" to "D1" whose turn it is; None lights none.

        Raises:
            ValueError: there is no such seat.
        """
        if seat is not None and seat not in _SEATS:
            raise ValueError(f"{seat!r} is no seat: seats are {', '.join(_SEATS)}")
        if not self._lamps:
            return
        for each, lamp in self._seats.items():
            if lamp is not None:
                self._light(lamp, Pattern(_WHITE) if each == seat else None)

    def close(self) -> None:
        """Put all lamps out and release the pins; harmless when repeated."""
        lamps, self._lamps = self._lamps, []
        for lamp in lamps:
            lamp.off()
            lamp.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _lamp(self, pins: Pins, factory: Any) -> Any:
        """Take the pins of one lamp; None where it has none."""
        from gpiozero import LED, RGBLED

        if not pins:
            return None
        kind: Any = RGBLED if len(pins) == 3 else LED
        lamp = kind(*pins, pin_factory=factory)
        self._lamps.append(lamp)
        return lamp

    def _light(self, lamp: Any, pattern: Pattern | None) -> None:
        coloured = hasattr(lamp, "color")
        if pattern is None:
            lamp.off()
        elif not pattern.off_s:
            if coloured:
                lamp.color = pattern.colour
            else:
                lamp.on()
        else:
            colour = {"on_color": pattern.colour} if coloured else {}
            lamp.blink(
                on_time=self._tempo * pattern.on_s,
                off_time=self._tempo * pattern.off_s,
                n=pattern.times or None,
                **colour,
            )


def open_lamps(settings: LampSettings, pins: Bank = None) -> Lamps:
    """Return the lamps that are configured, none where none are.

    Raises:
        DeviceError: lamps are configured, and their pins cannot be used.
    """
    if not settings.verdict and not any(settings.seats.values()):
        return NullLamps()
    return GpioLamps(settings, pins)


def _factory(pins: Bank) -> Any:
    """Return whose pins to use: None lets gpiozero find the computer's own."""
    if pins is None:
        from gpiozero import Device

        Device.ensure_pin_factory()
        return None
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)


def _complaint(error: Exception) -> str:
    if type(error).__name__ == "BadPinFactory":
        return (
            "the lamps need pins that this computer does not have, or their library: on a Pi type "
            "`sudo apt install -y python3-gpiozero python3-lgpio`; without a Pi leave the lamps out"
        )
    if type(error).__name__ == "GPIOPinInUse" or "busy" in str(error).lower():
        return f"a lamp's pin is used already ({error}): end the other program, or name another pin"
    return f"the lamps cannot be used ({error}): are you in the group gpio, and are the pins right?"
