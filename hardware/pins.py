"""Lamps, a buzzer and buttons on a Raspberry Pi's pins, through gpiozero.

gpiozero is imported only where something hangs on a pin. It puts all out when the program ends.
"""

import warnings
from typing import Any, Final, Literal, TypeAlias

from hardware.lamp_board import LampSettings, LampState, Pins
from hardware.patterns import BLACK, WHITE, Rgb
from hardware.ports import DeviceError

Bank: TypeAlias = Literal["mock"] | None
"""Whose pins: None for the computer's own, "mock" for gpiozero's pretended ones."""

_INSTALL: Final = "sudo apt install -y python3-gpiozero python3-lgpio"


class PinLamps:
    """LEDs, coloured LEDs and a buzzer on pins."""

    def __init__(self, settings: LampSettings, pins: Bank = None) -> None:
        """Take the pins.

        Raises:
            DeviceError: there are no such pins, or they may not be used.
        """
        self.factory: Any = None
        """Where gpiozero takes the pins from; None is its usual place."""
        self._lamps: list[Any] = []
        self._buzzer: Any = None
        try:
            # gpiozero warns of each pin library it tries; the last error says it all.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.factory = pin_factory(pins)
                self._verdict = self._lamp(settings.verdict)
                self._seats = {seat: self._lamp(lamp) for seat, lamp in settings.seats.items()}
                if settings.buzzer is not None:
                    self._buzzer = self._lamp((settings.buzzer,))
        except Exception as error:  # each pin library has errors of its own
            self.close()
            raise DeviceError(pin_trouble(error, "the lamps")) from error

    def paint(self, state: LampState) -> bool:
        """Show *state*."""
        _light(self._verdict, state.verdict)
        for seat, lamp in self._seats.items():
            _light(lamp, WHITE if seat == state.turn else BLACK)
        _light(self._buzzer, WHITE if state.buzzing else BLACK)
        return True

    def close(self) -> None:
        """Put all lamps out and release the pins; harmless when repeated."""
        lamps, self._lamps = self._lamps, []
        for lamp in lamps:
            lamp.off()
            lamp.close()

    def _lamp(self, pins: Pins) -> Any:
        """Take the pins of one lamp; None where it has none."""
        from gpiozero import LED, RGBLED

        if not pins:
            return None
        kind: Any = RGBLED if len(pins) == 3 else LED
        lamp = kind(*pins, pin_factory=self.factory)
        self._lamps.append(lamp)
        return lamp


def pin_factory(pins: Bank) -> Any:
    """Return whose pins to use: None lets gpiozero find the computer's own."""
    if pins is None:
        from gpiozero import Device

        Device.ensure_pin_factory()
        return None
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)


def pin_trouble(error: Exception, what: str) -> str:
    """Return in one line why *what* cannot use its pins, and what to do."""
    if type(error).__name__ == "BadPinFactory" or isinstance(error, ImportError):
        return (
            f"{what} need pins that this computer does not have, or their library: on a Pi type "
            f"`{_INSTALL}`; without a Pi take them out of the settings"
        )
    if type(error).__name__ == "GPIOPinInUse" or "busy" in str(error).lower():
        return (
            f"a pin of {what} is used already ({error}): end the other program, or name another pin"
        )
    first = (str(error).splitlines() or [type(error).__name__])[0]
    return f"{what} cannot be used ({first}): are you in the group gpio, and are the pins right?"


def _light(lamp: Any, colour: Rgb) -> None:
    if lamp is None:
        return
    if hasattr(lamp, "color"):
        if tuple(lamp.color) != colour:
            lamp.color = colour
    elif bool(lamp.value) != (colour != BLACK):
        lamp.value = int(colour != BLACK)
