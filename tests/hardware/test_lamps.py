"""Lamps as states over time, on gpiozero's mock pins and on no pins at all."""

import logging
import time
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

import gpiozero
import pytest

from hardware import DeviceError, Lamps, LampSettings, NullLamps, Pattern, Signal, open_lamps
from hardware.lamp_board import LampBoard, LampState
from hardware.lamps import TICK_S, DrivenLamps
from hardware.patterns import BLACK, MARK_DARK_S, MARK_LIT_S, PATTERNS
from hardware.pins import PinLamps

SEATS = {"D4": (5,), "D2": (6,)}
PLAIN = LampSettings(verdict=(17,), seats=SEATS)
COLOURED = LampSettings(verdict=(17, 27, 22), seats=SEATS)


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


class Bench:
    """Lamps on mock pins, with the time in our hands."""

    def __init__(self, settings: LampSettings) -> None:
        self.clock = Clock()
        self.pins = PinLamps(settings, "mock")
        self.lamps = DrivenLamps([self.pins], settings.patterns, clock=self.clock, threaded=False)

    def states(self, pin: int, for_s: float) -> list[float]:
        """Return what a pin does, one state a change, while time goes on."""
        return [state for state, _ in self.rhythm(pin, for_s)]

    def rhythm(self, pin: int, for_s: float) -> list[tuple[float, float]]:
        """Return the states of a pin and how long each lasts, in seconds."""
        seen = []
        for _ in range(round(for_s / TICK_S)):
            self.lamps.step()
            seen.append(float(self.pin(pin).state))
            self.clock.now_s += TICK_S
        return [(state, round(len(list(run)) * TICK_S, 2)) for state, run in groupby(seen)]

    def pin(self, number: int) -> Any:
        """Return a mock pin."""
        return self.pins.factory.pin(number)


def same(found: list[tuple[float, float]], rhythm: list[tuple[float, float]]) -> bool:
    """Tell whether two rhythms are the same, to a step and a half of the clock."""
    return [state for state, _ in found] == [state for state, _ in rhythm] and all(
        abs(one - other) < 1.5 * TICK_S for (_, one), (_, other) in zip(found, rhythm, strict=True)
    )


@pytest.fixture(
    params=[
        lambda: NullLamps(),
        lambda: open_lamps(PLAIN, "mock").lamps,
        lambda: open_lamps(COLOURED, "mock").lamps,
        lambda: open_lamps(LampSettings(seats={"D1": (2, 3, 4)}, buzzer=9), "mock").lamps,
    ],
    ids=["none", "plain", "coloured", "seat and buzzer"],
)
def lamps(request: pytest.FixtureRequest) -> Iterator[Lamps]:
    """Open each kind of lamps in turn."""
    opened: Lamps = request.param()
    yield opened
    opened.close()


def test_every_signal_and_seat_can_be_shown(lamps: Lamps) -> None:
    """Whatever lamps there are, all signals, seats and squares are taken."""
    for signal in Signal:
        lamps.show(signal, Signal.WAITING_FOR_THROW)
    for seat in ("D4", "D3", "D2", "D1", None):
        lamps.turn(seat)
    lamps.mark(("b1",), ("c1",))


def test_closing_twice_is_harmless_and_later_signals_too(lamps: Lamps) -> None:
    """A closed lamp takes no notice."""
    lamps.close()
    lamps.close()
    lamps.show(Signal.WON)
    lamps.turn("D4")


def test_a_thread_paints_what_is_asked_for() -> None:
    """Without anybody's help the lamp is lit in time, and out after closing."""
    settings = LampSettings(verdict=(17,))
    pins = PinLamps(settings, "mock")
    lamps = DrivenLamps([pins])
    lamps.show(Signal.WAITING_FOR_THROW)
    until_s = time.monotonic() + 10
    pin = pins.factory.pin(17)
    while not pin.state and time.monotonic() < until_s:
        pass
    assert pin.state
    lamps.close()
    assert not pin.state


def test_every_signal_has_a_pattern_of_its_own() -> None:
    """No two signals look the same on a coloured lamp, and no two blink alike on a plain one."""
    assert set(PATTERNS) == set(Signal)
    shown = [pattern for pattern in PATTERNS.values() if pattern is not None]
    assert len(set(shown)) == len(shown)
    assert len({(p.on_s, p.off_s, p.times) for p in shown}) == len(shown)


@pytest.mark.parametrize(
    ("signal", "rhythm"),
    [
        (Signal.OFF, [(0, 4)]),
        (Signal.WAITING_FOR_THROW, [(1, 4)]),
        (Signal.WAITING_FOR_MOVE, [(1, 1), (0, 1), (1, 1), (0, 1)]),
        (Signal.LEGAL, [(1, 1.5), (0, 2.5)]),
        (Signal.ILLEGAL, [(1, 0.2), (0, 0.2)] * 10),
        (Signal.KNOCK_OUT, [(1, 0.15), (0, 0.15)] * 4 + [(1, 0.15), (0, 2.65)]),
        (Signal.EXTRA_THROW, [(1, 0.4), (0, 0.2), (1, 0.4), (0, 3.0)]),
        (Signal.QUESTION, [(1, 0.6), (0, 0.6)] * 3 + [(1, 0.4)]),
        (Signal.CAMERA_LOST, [(1, 0.1), (0, 1.9)] * 2),
    ],
)
def test_a_plain_lamp_tells_each_signal_by_its_rhythm(
    signal: Signal, rhythm: list[tuple[float, float]]
) -> None:
    """Four seconds of each signal, for those who do not see its colour."""
    bench = Bench(PLAIN)
    bench.lamps.show(signal)
    assert same(bench.rhythm(17, 4), rhythm)


def test_a_coloured_lamp_blinks_in_its_colour() -> None:
    """A knock-out is orange: all red, two fifths green, no blue."""
    bench = Bench(COLOURED)
    bench.lamps.show(Signal.KNOCK_OUT)
    bench.lamps.step()
    assert [round(float(bench.pin(pin).state), 2) for pin in (17, 27, 22)] == [1, 0.4, 0]


def test_what_is_awaited_follows_what_was_ruled() -> None:
    """After the green of a legal move the lamp waits for the throw."""
    bench = Bench(COLOURED)
    bench.lamps.show(Signal.LEGAL, Signal.WAITING_FOR_THROW)
    assert bench.states(27, 3) == [1, 0]
    assert bench.pin(22).state == 1


def test_a_new_signal_ends_the_one_before() -> None:
    """What blinks for ever stops when the next signal comes, and begins from its beginning."""
    bench = Bench(PLAIN)
    bench.lamps.show(Signal.ILLEGAL)
    bench.rhythm(17, 0.3)
    bench.lamps.show(Signal.OFF)
    assert bench.states(17, 1) == [0]
    bench.lamps.show(Signal.WAITING_FOR_MOVE)
    assert same(bench.rhythm(17, 1.5), [(1, 1.0), (0, 0.5)])


def test_the_same_again_goes_on_in_step() -> None:
    """Being told twice that a move is illegal makes no lamp stumble; a counted one begins anew."""
    bench = Bench(PLAIN)
    bench.lamps.show(Signal.ILLEGAL)
    bench.rhythm(17, 0.1)
    bench.lamps.show(Signal.ILLEGAL)
    assert same(bench.rhythm(17, 0.3), [(1, 0.1), (0, 0.2)])
    bench.lamps.show(Signal.LEGAL)
    bench.rhythm(17, 1)
    bench.lamps.show(Signal.LEGAL)
    assert same(bench.rhythm(17, 2), [(1, 1.5), (0, 0.5)])


def test_one_seat_at_a_time_is_lit() -> None:
    """The turn goes round, and none is lit in the end; a seat without a lamp lights none."""
    bench = Bench(PLAIN)
    lit = []
    for seat in ("D4", "D2", "D3", "D4", None):
        bench.lamps.turn(seat)
        bench.lamps.step()
        lit.append((bench.pin(5).state, bench.pin(6).state))
    assert lit == [(1, 0), (0, 1), (0, 0), (1, 0), (0, 0)]


def test_a_buzzer_tells_the_verdict_where_there_is_no_voice() -> None:
    """Legal is one short beep, illegal one long, and it does not go on for ever."""
    bench = Bench(LampSettings(buzzer=9))
    bench.lamps.show(Signal.LEGAL)
    assert same(bench.rhythm(9, 3), [(1, 0.08), (0, 2.92)])
    bench.lamps.show(Signal.ILLEGAL)
    assert same(bench.rhythm(9, 3), [(1, 0.7), (0, 2.3)])


def test_marked_squares_flash_and_then_leave_the_camera_in_the_dark() -> None:
    """The wrong square flashes red, the right one is steadily green, then neither is lit."""
    board = LampBoard()
    board.mark(("b1",), ("c1", "d1"), 0.0)
    period_s = MARK_LIT_S + MARK_DARK_S
    times = [tick * 0.05 for tick in range(round(2 * period_s / 0.05))]
    for at_s in times:
        marks = dict(board.state(at_s).marks)
        lit = at_s % period_s < MARK_LIT_S - 1e-9
        assert marks["c1"] == marks["d1"] == ((0, 1, 0) if lit else BLACK)
    red = [dict(board.state(at_s).marks)["b1"] != BLACK for at_s in times]
    assert sum(a < b for a, b in pairwise(red)) == 7
    board.mark((), (), 9.0)
    assert board.state(9.0).marks == ()


def test_pictures_taken_in_the_light_of_lamps_are_known() -> None:
    """While squares are marked only the dark between is dark, with a margin around it."""
    bench = Bench(LampSettings())
    bench.lamps.mark(("b1",), ())
    moments = [100.0 + tick * TICK_S for tick in range(round(2.8 / TICK_S))]
    for at_s in moments:
        bench.clock.now_s = at_s
        bench.lamps.step()
    dark = [round(at_s - 100.0, 2) for at_s in moments if bench.lamps.dark_at(at_s, 0.1)]
    first = [at_s for at_s in dark if at_s < MARK_LIT_S + MARK_DARK_S]
    assert 0.85 < min(first) < max(first) < 1.31
    assert len(first) * TICK_S > 0.35
    assert min(at_s for at_s in dark if at_s > max(first)) > 2.25
    assert bench.lamps.dark_at(99.0, 0.1)


def test_the_whole_strip_shows_what_is_rare_and_not_for_long() -> None:
    """Victory lights all of it for three seconds; waiting lights none of it."""
    board = LampBoard()
    board.show(Signal.WAITING_FOR_THROW, Signal.OFF, 0.0)
    assert not board.state(0.5).glows
    board.show(Signal.WON, Signal.OFF, 1.0)
    assert board.state(1.1).around == (1, 0, 1)
    assert not board.state(4.5).glows
    assert board.state(4.1).verdict == (1, 0, 1)


def test_all_lamps_are_out_after_closing() -> None:
    """Closing leaves every pin dark."""
    bench = Bench(PLAIN)
    bench.lamps.show(Signal.WON)
    bench.lamps.turn("D2")
    bench.lamps.step()
    pins = [bench.pin(pin) for pin in (17, 5, 6)]
    assert [pin.state for pin in pins] == [1, 0, 1]
    bench.lamps.close()
    bench.lamps.step()
    assert [pin.state for pin in pins] == [0, 0, 0]


def test_a_person_may_choose_other_patterns() -> None:
    """A pattern in the settings takes the usual one's place; None makes a signal dark."""
    patterns = {Signal.LEGAL: Pattern((1, 1, 1), 0.1, 0.1, times=3), Signal.WON: None}
    bench = Bench(LampSettings((17,), patterns=patterns))
    bench.lamps.show(Signal.LEGAL)
    assert bench.states(17, 1) == [1, 0] * 3
    bench.lamps.show(Signal.WON)
    assert bench.states(17, 1) == [0]


def test_lamps_that_fail_are_told_of_once_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A library that breaks in the middle of a game takes nothing with it."""

    class Broken:
        painted = closed = 0

        def paint(self, _: LampState) -> bool:
            self.painted += 1
            raise RuntimeError("lgpio.error: 'bad handle'")

        def close(self) -> None:
            self.closed += 1

    caplog.set_level(logging.WARNING)
    broken, well = Broken(), PinLamps(PLAIN, "mock")
    lamps = DrivenLamps([broken, well], clock=Clock(), threaded=False)
    for signal in (Signal.WON, Signal.WAITING_FOR_THROW):
        lamps.show(signal)
        lamps.step()
    assert (broken.painted, broken.closed) == (1, 1)
    assert well.factory.pin(17).state == 1
    assert [record.message for record in caplog.records] == [
        "lamps failed, the game goes on without them: lgpio.error: 'bad handle'"
    ]


def test_lamps_that_cannot_be_closed_leave_the_others_to_go_out() -> None:
    """Whatever the first one's library raises, the second is dark."""

    class Stuck:
        def paint(self, _: LampState) -> bool:
            return True

        def close(self) -> None:
            raise RuntimeError("lgpio.error: 'bad handle'")

    well = PinLamps(PLAIN, "mock")
    lamps = DrivenLamps([Stuck(), well], clock=Clock(), threaded=False)
    lamps.show(Signal.WON)
    lamps.step()
    pin = well.factory.pin(17)
    assert pin.state == 1
    lamps.close()
    assert pin.state == 0


def test_a_seat_that_is_none_is_refused() -> None:
    """Both in the settings and at play."""
    with pytest.raises(ValueError, match="'D5' is no seat"):
        LampSettings(seats={"D5": (1,)})
    with NullLamps() as lamps, pytest.raises(ValueError, match="'a1' is no seat"):
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
    opened = open_lamps(LampSettings())
    assert isinstance(opened.lamps, NullLamps)
    assert opened.notes == ()


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            gpiozero.exc.BadPinFactory("Unable to load any default pin factory!"),
            "the lamps need pins that this computer does not have",
        ),
        (RuntimeError("can not open gpiochip\nTraceback"), "(can not open gpiochip): are you in"),
        (PermissionError(13, "Permission denied"), "are you in the group gpio"),
        (ModuleNotFoundError("No module named 'lgpio'"), "apt install -y python3-gpiozero"),
    ],
    ids=["no pins", "lgpio broken by a kernel", "no rights", "no library"],
)
def test_pins_that_cannot_be_used_are_one_line_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, error: Exception, line: str
) -> None:
    """There are no lamps then, one clear line, and never mock pins in secret."""

    def fail() -> None:
        raise error

    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", fail)
    opened = open_lamps(PLAIN)
    assert isinstance(opened.lamps, NullLamps)
    (note,) = opened.notes
    assert line in note
    assert note.endswith("; the game goes on without")
    assert "\n" not in note


def test_a_pin_in_use_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second program's pin is told apart from other troubles, and the first lamps are let go."""
    first = PinLamps(PLAIN, "mock")
    monkeypatch.setattr("hardware.pins.pin_factory", lambda _: first.factory)
    with pytest.raises(DeviceError, match=r"used already.*pin GPIO17"):
        PinLamps(LampSettings(seats={"D1": (9,), "D4": (17,)}), "mock")
    PinLamps(LampSettings(seats={"D1": (9,)}), "mock").close()
    first.close()


def test_a_pin_that_there_is_not_is_told_in_one_line() -> None:
    """A number that is on no header is named, and the game goes on without lamps."""
    opened = open_lamps(LampSettings(verdict=(99,)), "mock")
    assert isinstance(opened.lamps, NullLamps)
    assert opened.notes == (
        "the lamps cannot be used (99 is not a valid pin name): are you in the group gpio, and are "
        "the pins right?; the game goes on without",
    )
