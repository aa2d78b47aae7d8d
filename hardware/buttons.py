"""Buttons on a Raspberry Pi's pins: who is pressed, and whether for long.

A press is told when the button comes up again, so that a long one is no short one first. A button
closes its pin to ground; the Pi's own resistor pulls it up.
"""

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hardware.pins import Bank, pin_factory, pin_trouble
from hardware.ports import DeviceError

LONG_S: Final = 1.0
BOUNCE_S: Final = 0.03
"""Contacts chatter for some milliseconds; a shorter press than this is none."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed.

    Attributes:
        button: its name.
        long: for a second or more.
    """

    button: str
    long: bool = False


class Buttons:
    """Buttons that tell of each press; from a thread of the pin library's."""

    def __init__(
        self,
        pins_of: Mapping[str, int],
        tell: Callable[[Press], None],
        pins: Bank = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the pins.

        Args:
            pins_of: the pin of each button, by Broadcom's numbers.
            tell: hears of each press.
            pins: whose pins.
            clock: seconds that never go back.

        Raises:
            DeviceError: there are no such pins, or they may not be used.
        """
        self._tell, self._clock = tell, clock
        self._buttons: list[Any] = []
        self._down_s: dict[str, float] = {}
        self.factory: Any = None
        """Where gpiozero takes the pins from; None is its usual place."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.factory = pin_factory(pins)
                for name, pin in pins_of.items():
                    self._take(name, pin)
        except Exception as error:  # each pin library has errors of its own
            self.close()
            raise DeviceError(pin_trouble(error, "the buttons")) from error

    def close(self) -> None:
        """Release the pins; harmless when repeated."""
        buttons, self._buttons = self._buttons, []
        for button in buttons:
            button.close()

    def _take(self, name: str, pin: int) -> None:
        from gpiozero import Button

        button = Button(pin, pin_factory=self.factory)
        self._buttons.append(button)
        button.when_pressed = partial(self._down, name)
        button.when_released = partial(self._up, name)

    def _down(self, name: str) -> None:
        self._down_s.setdefault(name, self._clock())

    def _up(self, name: str) -> None:
        down_s = self._down_s.pop(name, None)
        if down_s is None:
            return
        held_s = self._clock() - down_s
        if held_s >= BOUNCE_S:
            self._tell(Press(name, held_s >= LONG_S))
