"""Lamps on gpiozero's mock pins, as sequences of states."""

import threading
from collections.abc import Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.threads import GPIOThread

from hardware import (
    DeviceError,
    GpioLamps,
    Lamps,
    LampSettings,
    NullLamps,
    Pattern,
    Signal,
    open_lamps,
)
from hardware.lamps import PATTERNS

SEATS = {"D4": (5,), "D2": (6,)}
PLAIN = LampSettings(verdict=(17,), seats=SEATS)
COLOURED = LampSettings(verdict=(17, 27, 22), seats=SEATS)
TEMPO = 0.001
"""Blink a thousand times as fast as for people."""


def _states(lamps: GpioLamps, pin: int) -> list[float]:
    """Return what a pin did, once every lamp that blinks a number of times has come to its end."""
    for thread in threading.enumerate():
        if isinstance(thread, GPIOThread):
            thread.join(10)
    return [float(state.state) for state in _pin(lamps, pin).states]


def _pin(lamps: GpioLamps, pin: int) -> Any:
    return lamps.factory.pin(pin)


@pytest.fixture(
    params=[
        lambda: NullLamps(),
        lambda: GpioLamps(PLAIN, "mock"),
        lambda: GpioLamps(COLOURED, "mock"),
        lambda: GpioLamps(LampSettings(seats={"D1": (2, 3, 4)}), "mock"),
    ],
    ids=["none", "plain", "coloured", "seat-only"],
)
def lamps(request: pytest.FixtureRequest) -> Iterator[Lamps]:
    """Open each kind of lamps in turn."""
    opened: Lamps = request.param()
    yield opened
    opened.close()


def test_every_signal_and_seat_can_be_shown(lamps: Lamps) -> None:
    """Whatever lamps there are, all signals and seats are taken."""
    for signal in Signal:
        lamps.show(signal)
    for seat in ("D4", "D3", "D2", "D1", None):
        lamps.turn(seat)


def test_closing_twice_is_harmless_and_later_signals_too(lamps: Lamps) -> None:
    """A closed lamp takes no notice."""
    lamps.close()
    lamps.close()
    lamps.show(Signal.WON)
    lamps.turn("D4")


def test_every_signal_has_a_pattern_of_its_own() -> None:
    """No two signals look the same on a coloured lamp, and no two blink alike on a plain one."""
    assert set(PATTERNS) == set(Signal)
    shown = [pattern for pattern in PATTERNS.values() if pattern is not None]
    assert len(set(shown)) == len(shown)
    assert len({(p.on_s, p.off_s, p.times) for p in shown}) == len(shown)


def test_a_steady_signal_is_lit_once() -> None:
    """Waiting for a throw is a steady light, blue on a coloured lamp."""
    with GpioLamps(PLAIN, "mock") as lamps:
        lamps.show(Signal.WAITING_FOR_THROW)
        assert _states(lamps, 17) == [0, 1]
    with GpioLamps(COLOURED, "mock") as lamps:
        lamps.show(Signal.WAITING_FOR_THROW)
        assert [_states(lamps, pin)[-1] for pin in (17, 27, 22)] == [0, 0, 1]


def test_a_counted_signal_blinks_as_often_as_it_says() -> None:
    """A knock-out is five short flashes, then dark."""
    with GpioLamps(PLAIN, "mock", TEMPO) as lamps:
        lamps.show(Signal.KNOCK_OUT)
        assert _states(lamps, 17) == [0] + [1, 0] * 5


def test_a_coloured_lamp_blinks_in_its_colour() -> None:
    """An extra throw is cyan twice: no red, green and blue together."""
    with GpioLamps(COLOURED, "mock", TEMPO) as lamps:
        lamps.show(Signal.EXTRA_THROW)
        assert _states(lamps, 27) == [0, 1, 0, 1, 0]
        assert _states(lamps, 22) == [0, 1, 0, 1, 0]
        assert _states(lamps, 17) == [0]


def test_a_new_signal_ends_the_one_before() -> None:
    """What blinks for ever stops when the next signal comes."""
    with GpioLamps(PLAIN, "mock", TEMPO) as lamps:
        lamps.show(Signal.ILLEGAL)
        lamps.show(Signal.OFF)
        states = _states(lamps, 17)
        assert states[-1] == 0
        lamps.show(Signal.WAITING_FOR_THROW)
        assert _states(lamps, 17) == [*states, 1]


def test_one_seat_at_a_time_is_lit() -> None:
    """The turn goes round, and none is lit in the end; a seat without a lamp lights none."""
    with GpioLamps(PLAIN, "mock") as lamps:
        for seat in ("D4", "D2", "D3", "D4", None):
            lamps.turn(seat)
        assert _states(lamps, 5) == [0, 1, 0, 1, 0]
        assert _states(lamps, 6) == [0, 1, 0]


def test_all_lamps_are_out_after_closing() -> None:
    """Closing ends the blinking and leaves every pin dark."""
    lamps = GpioLamps(PLAIN, "mock", TEMPO)
    lamps.show(Signal.WON)
    lamps.turn("D2")
    pins = [_pin(lamps, pin) for pin in (17, 5, 6)]
    lamps.close()
    assert [pin.state for pin in pins] == [0, 0, 0]


def test_a_person_may_choose_other_patterns() -> None:
    """A pattern in the settings takes the usual one's place; None makes a signal dark."""
    patterns = {Signal.LEGAL: Pattern((1, 1, 1), 0.1, 0.1, times=3), Signal.WON: None}
    with GpioLamps(LampSettings((17,), patterns=patterns), "mock", TEMPO) as lamps:
        lamps.show(Signal.LEGAL)
        assert _states(lamps, 17) == [0] + [1, 0] * 3
        lamps.show(Signal.WON)
        assert _states(lamps, 17)[-1] == 0


def test_a_seat_that_is_none_is_refused() -> None:
    """Both in the settings and at play."""
    with pytest.raises(ValueError, match="'D5' is no seat"):
        LampSettings(seats={"D5": (1,)})
    with GpioLamps(PLAIN, "mock") as lamps, pytest.raises(ValueError, match="'a1' is no seat"):
        lamps.turn("a1")


@pytest.mark.parametrize(
    ("verdict", "seats", "complaint"),
    [
        ((17, 27), {}, "one pin, or three"),
        ((17,), {"D4": (17,)}, "pin 17 has two lamps"),
    ],
)
def test_wrong_pins_are_refused(
    verdict: tuple[int, ...], seats: dict[str, tuple[int, ...]], complaint: str
) -> None:
    """The text says what is wrong."""
    with pytest.raises(ValueError, match=complaint):
        LampSettings(verdict, seats)


def test_no_lamps_are_configured_means_no_pins_are_touched() -> None:
    """Without a configured lamp nothing of gpiozero is needed."""
    assert isinstance(open_lamps(LampSettings()), NullLamps)


def test_a_computer_without_pins_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """One clear line, and never mock pins in secret."""

    def none() -> None:
        raise gpiozero.exc.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", none)
    with pytest.raises(DeviceError, match="pins that this computer does not have") as error:
        open_lamps(PLAIN)
    assert "\n" not in str(error.value)


def test_a_broken_pin_library_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lgpio raises is passed on, with what to look at."""

    def broken() -> None:
        raise RuntimeError("can not open gpiochip")

    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", broken)
    with pytest.raises(DeviceError, match=r"\(can not open gpiochip\): are you in the group gpio"):
        open_lamps(PLAIN)


def test_a_pin_in_use_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second program's pin is told apart from other troubles, and the first lamps are let go."""
    with GpioLamps(PLAIN, "mock") as first:
        monkeypatch.setattr("hardware.lamps._factory", lambda _: first.factory)
        with pytest.raises(DeviceError, match=r"used already.*pin GPIO17"):
            GpioLamps(LampSettings(seats={"D1": (9,), "D4": (17,)}), "mock")
        GpioLamps(LampSettings(seats={"D1": (9,)}), "mock").close()
