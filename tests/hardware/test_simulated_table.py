"""The simulated table as a source: time, motion, script."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hardware import Hand, PlacedChecker, PlacedDie, Scene, SimulatedTable, TableLook, TimedScene
from hardware.simulated.motion import between
from tabletop import Colour

LOOK = TableLook.from_seed(2, (320, 240))
BEFORE = Scene((PlacedChecker(Colour.RED, 1.5, 0.5), PlacedChecker(Colour.BLUE, 7.5, 1.5)))
AFTER = replace(BEFORE, checkers=(PlacedChecker(Colour.RED, 5.5, 0.5), BEFORE.checkers[1]))


class Clock:
    """A clock that goes on only when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 50.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        assert seconds > 0
        self.slept.append(seconds)
        self.now_s += seconds


def test_frames_follow_the_tables_own_clock() -> None:
    """Ten frames a second from 0 on, however fast they are fetched, till the script ends."""
    script = [TimedScene(BEFORE, 1.0, "before"), TimedScene(AFTER, 0.5, "after")]
    with SimulatedTable(script, LOOK, 1, fps=10) as table:
        notes, times = [], []
        for frame in table.frames():
            assert table.scene is not None
            notes.append(table.scene.note)
            times.append(frame.at_s)
    assert times == pytest.approx(np.arange(15) / 10)
    assert notes == ["before"] * 10 + ["after"] * 5
    assert not table.live


def test_the_script_is_asked_only_for_what_is_shown() -> None:
    """Whoever writes the script may wait and see what came of the scene before."""
    asked: list[str] = []

    def script() -> Iterator[TimedScene]:
        for note in ("one", "two", "three"):
            asked.append(note)
            yield TimedScene(BEFORE, 0.2, note)

    frames = SimulatedTable(script(), LOOK, 1).frames()
    next(frames)
    next(frames)
    assert asked == ["one"]
    next(frames)
    assert asked == ["one", "two"]


def test_a_scene_begins_in_motion_and_ends_at_rest() -> None:
    """The checker is under way at first; the last frames of the scene are alike but for noise."""
    look = replace(LOOK, camera=replace(LOOK.camera, noise=0.0))
    script = [TimedScene(BEFORE, 1.0), TimedScene(AFTER, 1.0)]
    frames = [frame.pixels for frame in SimulatedTable(script, look, 1).frames()]
    still = [(a == b).all() for a, b in pairwise(frames)]
    assert all(still[:9])
    assert not any(still[9:14])
    assert all(still[15:])


def test_a_short_scene_ends_at_rest_too() -> None:
    """Half of its time is left for standing still."""
    look = replace(LOOK, camera=replace(LOOK.camera, noise=0.0))
    script = [TimedScene(BEFORE, 0.4), TimedScene(AFTER, 0.4)]
    frames = [frame.pixels for frame in SimulatedTable(script, look, 1, fps=20).frames()]
    assert (frames[-1] == frames[-2]).all()


def test_a_speed_paces_the_frames() -> None:
    """At speed 2 a second of the table's clock takes half a second of ours."""
    clock = Clock()
    table = SimulatedTable(
        [TimedScene(BEFORE, 2.0)], LOOK, 1, speed=2, fps=10, clock=clock, sleep=clock.sleep
    )
    assert table.live
    assert len(list(table.frames())) == 20
    assert clock.now_s == pytest.approx(51, abs=0.06)
    assert clock.slept == pytest.approx([0.05] * len(clock.slept))


def test_frames_nobody_fetched_in_time_are_left_out() -> None:
    """A consumer that took half a second finds the table half a second on."""
    clock = Clock()
    table = SimulatedTable(
        [TimedScene(BEFORE, 9.0)], LOOK, 1, speed=1, fps=10, clock=clock, sleep=clock.sleep
    )
    frames = table.frames()
    assert next(frames).at_s == 0
    clock.now_s += 0.52
    assert next(frames).at_s == pytest.approx(0.5)
    assert next(frames).at_s == pytest.approx(0.6)


def test_the_same_seed_gives_the_same_frames() -> None:
    """Noise and motion follow from the seed."""
    script = [TimedScene(BEFORE, 0.3), TimedScene(AFTER, 0.5)]
    first, second = (
        [frame.pixels for frame in SimulatedTable(script, LOOK, 4).frames()] for _ in range(2)
    )
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("settings", [{"speed": -1.0}, {"fps": 0.0}, {"speed": float("nan")}])
def test_an_impossible_pace_is_refused(settings: dict[str, float]) -> None:
    """The text says what was given."""
    with pytest.raises(ValueError, match="not"):
        SimulatedTable([], LOOK, 1, **settings)  # type: ignore[arg-type]


def test_a_scene_lasts() -> None:
    """A scene without duration would never be seen."""
    with pytest.raises(ValueError, match="longer than 0 s"):
        TimedScene(BEFORE, 0)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_checkers_are_conserved_under_way(share: float) -> None:
    """What is carried keeps its colour, is lifted, and is between its two places."""
    moment = between(BEFORE, AFTER, share)
    assert Counter(c.colour for c in moment.checkers) == {Colour.RED: 1, Colour.BLUE: 1}
    (red,) = (c for c in moment.checkers if c.colour is Colour.RED)
    assert 1.5 < red.x < 5.5
    assert red.layer == 1
    assert BEFORE.checkers[1] in moment.checkers


def test_a_hand_comes_and_goes_along_its_arm() -> None:
    """It starts far off on its side, and is gone at the end."""
    reached = replace(BEFORE, hand=Hand(4, 4, 0))
    coming = between(BEFORE, reached, 0.2).hand
    assert coming is not None
    assert coming.tips_xy[0] > 9
    assert coming.tips_xy[1] == pytest.approx(4)
    assert between(BEFORE, reached, 1).hand == reached.hand
    assert between(reached, BEFORE, 0.96).hand is None


def test_a_hand_turns_the_short_way() -> None:
    """From 350 to 10 degrees it passes 0, not 180."""
    first, second = (replace(BEFORE, hand=Hand(4, 4, turn)) for turn in (350, 10))
    turned = between(first, second, 0.5).hand
    assert turned is not None
    assert turned.from_deg == pytest.approx(360)


def test_a_die_that_lies_elsewhere_rolls_there() -> None:
    """On its way it is cocked, and comes nearer; a die turned where it lies does not roll."""
    first, second = (replace(BEFORE, die=PlacedDie(2, x, 4)) for x in (9.5, 10.5))
    distances = []
    for share in (0.2, 0.5, 0.8):
        die = between(first, second, share).die
        assert die is not None
        assert die.cocked
        distances.append(np.hypot(die.x - 10.5, die.y - 4))
    assert distances == sorted(distances, reverse=True)
    turned = replace(first, die=PlacedDie(3, 9.5, 4))
    assert between(first, turned, 0.4).die == first.die
    assert between(first, turned, 0.6).die == turned.die
