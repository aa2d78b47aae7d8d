"""Buttons on mock pins, pressed with the time in our hands."""

from collections.abc import Iterator

import gpiozero
import pytest

from hardware import DeviceError
from hardware.buttons import Buttons, Press

PINS = {"say_again": 23, "confirm": 24}


class Table:
    """Buttons, what they told, and a clock that goes on when told to."""

    def __init__(self) -> None:
        self.now_s = 10.0
        self.told: list[Press] = []
        self.buttons = Buttons(PINS, self.told.append, "mock", lambda: self.now_s)

    def press(self, button: str, for_s: float) -> None:
        """Hold a button down for so long."""
        pin = self.buttons.factory.pin(PINS[button])
        pin.drive_low()
        self.now_s += for_s
        pin.drive_high()
        self.now_s += 0.5


@pytest.fixture
def table() -> Iterator[Table]:
    """Put buttons on mock pins."""
    opened = Table()
    yield opened
    opened.buttons.close()
    opened.buttons.close()


def test_a_press_is_told_once_and_long_ones_as_long(table: Table) -> None:
    """A second makes the difference; a long press is no short one first."""
    table.press("say_again", 0.2)
    table.press("confirm", 0.9)
    table.press("confirm", 1.1)
    assert table.told == [
        Press("say_again"),
        Press("confirm"),
        Press("confirm", long=True),
    ]


def test_contacts_that_chatter_are_no_presses(table: Table) -> None:
    """Ten milliseconds are no finger."""
    table.press("confirm", 0.01)
    assert table.told == []


def test_two_buttons_at_once_are_two_presses(table: Table) -> None:
    """Each is timed by itself."""
    first, second = (table.buttons.factory.pin(pin) for pin in PINS.values())
    first.drive_low()
    table.now_s += 0.8
    second.drive_low()
    table.now_s += 0.3
    first.drive_high()
    second.drive_high()
    assert table.told == [Press("say_again", long=True), Press("confirm")]


def test_pins_that_cannot_be_used_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trouble is the buttons', and says so."""

    def none() -> None:
        raise gpiozero.exc.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", none)
    with pytest.raises(DeviceError, match="the buttons need pins that this computer does not have"):
        Buttons(PINS, lambda _: None)
