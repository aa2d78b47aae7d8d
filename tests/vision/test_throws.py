"""What a die did: a fold over settled scenes, told by tables of scenes and signs."""

from collections.abc import Sequence

import pytest

from tabletop import DieReading, DieSign, DieState
from vision.throws import DieWatcher, join_dice

Scene = Sequence[DieReading]


def die(value: int, x: float = 100.0, sure: float = 0.98) -> DieReading:
    """Return a settled die 50 pixels wide at *x*, read as *value*."""
    rest = (1 - sure) / 5
    one, two, three, four, five, six = (sure if k + 1 == value else rest for k in range(6))
    return DieReading((x, 200.0, 50.0, 50.0), (one, two, three, four, five, six))


def cocked(x: float = 100.0) -> DieReading:
    """Return a leaning die at *x*."""
    return DieReading((x, 200.0, 50.0, 50.0), (0.1,) * 6, DieState.COCKED)


def signs(scenes: Sequence[Scene], live: bool = False) -> list[tuple[DieSign | None, int | None]]:
    """Fold *scenes*, every throw and turn counting, into signs and values."""
    watcher = DieWatcher(live=live)
    told: list[tuple[DieSign | None, int | None]] = []
    for scene in scenes:
        watch, watcher = watcher.observe(scene)
        if watch.observation is None:
            told.append((None, None))
            continue
        sign, value = watch.observation.sign, watch.observation.reading.value
        if sign is not DieSign.SAME:
            watcher = watcher.counted(watch.observation)
        told.append((sign, value))
    return told


@pytest.mark.parametrize(
    ("scenes", "expected"),
    [
        pytest.param([[die(3)]], [(DieSign.THROWN, 3)], id="lies in the first picture"),
        pytest.param(
            [[die(3)], [die(3)]],
            [(DieSign.THROWN, 3), (DieSign.SAME, 3)],
            id="lies as it lay",
        ),
        pytest.param(
            [[die(3)], [die(3, x=104.0)]],
            [(DieSign.THROWN, 3), (DieSign.SAME, 3)],
            id="box wavers",
        ),
        pytest.param(
            [[die(3)], [die(3, x=120.0)]],
            [(DieSign.THROWN, 3), (DieSign.THROWN, 3)],
            id="same value in another place",
        ),
        pytest.param(
            [[die(3)], [], [die(3)]],
            [(DieSign.THROWN, 3), (None, None), (DieSign.SAME, 3)],
            id="missed once",
        ),
        pytest.param(
            [[die(3)], [die(5)]],
            [(DieSign.THROWN, 3), (DieSign.TURNED, 5)],
            id="turned in place",
        ),
        pytest.param(
            [[die(3)], [cocked(x=400.0)], [die(2, x=700.0)]],
            [(DieSign.THROWN, 3), (DieSign.THROWN, None), (DieSign.THROWN, 2)],
            id="cocked, then thrown again",
        ),
        pytest.param(
            [[cocked()], [cocked()]],
            [(DieSign.THROWN, None), (DieSign.SAME, None)],
            id="stays cocked",
        ),
        pytest.param([[]], [(None, None)], id="no die"),
    ],
)
def test_signs_in_pictures(
    scenes: list[Scene], expected: list[tuple[DieSign | None, int | None]]
) -> None:
    """A folder of pictures: place tells throws, faces tell turns, a miss tells nothing."""
    assert signs(scenes) == expected


def test_doubtful_other_face_is_no_turn() -> None:
    """One doubtful reading of another face, in the same place, leaves the throw as it was."""
    assert signs([[die(3)], [die(5, sure=0.6)]])[1][0] is DieSign.SAME


def test_live_die_there_from_the_start_is_no_throw() -> None:
    """Before a live camera a die counts only once it has moved."""
    told = signs([[die(3)], [die(3)], [die(6, x=500.0)]], live=True)
    assert told == [(None, None), (None, None), (DieSign.THROWN, 6)]


def test_die_beside_the_tray_is_furniture() -> None:
    """A die that never moves is told by nobody, and the one that moved counts."""
    lying = die(2, x=900.0)
    told = signs([[lying], [lying, die(4)], [lying, die(4)], [die(1, x=300.0), lying]], live=True)
    assert told == [(None, None), (DieSign.THROWN, 4), (DieSign.SAME, 4), (DieSign.THROWN, 1)]


def test_two_players_with_a_die_each() -> None:
    """With two dice on the table the one that moved is the one thrown."""
    told = signs(
        [
            [die(4)],
            [die(4), die(6, x=500.0)],
            [die(4), die(6, x=500.0)],
            [die(2, x=200.0), die(6, x=500.0)],
        ]
    )
    assert told == [
        (DieSign.THROWN, 4),
        (DieSign.THROWN, 6),
        (DieSign.SAME, 6),
        (DieSign.THROWN, 2),
    ]


def test_two_dice_thrown_are_told_until_one_is_thrown_again() -> None:
    """Two dice in new places are a cast without a value; one of them thrown again is one."""
    told = signs(
        [
            [],
            [die(4), die(6, x=500.0)],
            [die(4), die(6, x=500.0)],
            [die(4)],
            [die(4), die(1, x=300.0)],
        ]
    )
    assert told[1:] == [
        (DieSign.THROWN, None),
        (DieSign.SAME, None),
        (DieSign.SAME, None),
        (DieSign.THROWN, 1),
    ]


def test_two_dice_that_touch_are_no_throw_of_one() -> None:
    """Lying close together they are the cast that was told, and so is the one that is left."""
    pair = [die(4), die(6, x=155.0)]
    told = signs([[], pair, pair, [die(4)], [die(2, x=400.0)]])
    assert told[1:] == [
        (DieSign.THROWN, None),
        (DieSign.SAME, None),
        (DieSign.SAME, None),
        (DieSign.THROWN, 2),
    ]


def test_two_dice_lying_there_from_the_first_were_thrown_by_nobody() -> None:
    """In the first picture of a folder they only lie there; the one that moves is thrown."""
    told = signs([[die(4), die(6, x=500.0)], [die(4), die(1, x=300.0)]])
    assert told == [(None, None), (DieSign.THROWN, 1)]


def test_a_doubted_cast_of_two_is_forgotten_when_one_is_thrown() -> None:
    """Nobody ruled on the two: what is thrown then is told alone."""
    watch, watcher = DieWatcher(begun=True).observe([die(4), die(6, x=500.0)])
    assert watch.observation is not None
    assert (watch.observation.reading.state, watch.count) == (DieState.SEVERAL, 2)
    watch, _ = watcher.unruled(watch.observation).observe([die(1, x=300.0)])
    assert watch.observation is not None
    assert (watch.observation.reading.value, watch.observation.earlier) == (1, None)


def test_doubtful_second_die_is_passed_over() -> None:
    """While the die in play lies where it lay, something like a die elsewhere is no throw."""
    assert signs([[die(4)], [die(4), die(2, x=500.0, sure=0.65)]])[1] == (DieSign.SAME, 4)


def test_a_die_that_looks_untouched_is_the_same_whatever_is_read() -> None:
    """A reading that errs, or finds no die, makes no throw and no turn of a die left alone."""
    watch, watcher = DieWatcher().observe([die(3)])
    assert watch.observation is not None
    watcher = watcher.counted(watch.observation)
    for dice in ([die(5)], [], [cocked()], [die(3, x=108.0)]):
        watch, _ = watcher.observe(dice, untouched=True)
        assert watch.observation is not None
        assert (watch.observation.sign, watch.observation.reading.value) == (DieSign.SAME, 3)


def test_a_die_that_looks_touched_was_cast_again_even_nearby() -> None:
    """A small way off with another look is a throw; in the very place it is a turned die."""
    watch, watcher = DieWatcher().observe([die(3)])
    assert watch.observation is not None
    watcher = watcher.counted(watch.observation)
    near, _ = watcher.observe([die(3, x=105.0)], untouched=False)
    turned, _ = watcher.observe([die(5)], untouched=False)
    assert near.observation is not None
    assert near.observation.sign is DieSign.THROWN
    assert turned.observation is not None
    assert turned.observation.sign is DieSign.TURNED


@pytest.mark.parametrize("value", [3, 5])
def test_a_die_taken_away_and_cast_to_where_it_lay_is_thrown(value: int) -> None:
    """Where the empty table was seen in between, neither the same value nor another is a turn."""
    watch, watcher = DieWatcher().observe([die(3)])
    assert watch.observation is not None
    watcher = watcher.counted(watch.observation)
    watch, watcher = watcher.observe([], untouched=False, bare=True)
    assert watch.observation is None
    watch, watcher = watcher.observe([die(value, x=102.0)], untouched=False)
    assert watch.observation is not None
    assert watch.observation.sign is DieSign.THROWN
    watcher = watcher.counted(watch.observation)
    watch, _ = watcher.observe([die(value, x=102.0)], untouched=True)
    assert watch.observation is not None
    assert watch.observation.sign is DieSign.SAME


def test_a_die_that_lies_as_it_lay_was_not_taken_away() -> None:
    """Where the table seemed bare in between a hand of its colour was over the die."""
    watch, watcher = DieWatcher().observe([die(3)])
    assert watch.observation is not None
    watcher = watcher.counted(watch.observation)
    _, watcher = watcher.observe([], untouched=False, bare=True)
    for dice in ([die(3)], [die(5)]):
        watch, watcher = watcher.observe(dice, untouched=True)
        assert watch.observation is not None
        assert (watch.observation.sign, watch.observation.reading.value) == (DieSign.SAME, 3)


def test_a_cast_seen_in_passing_counts_where_it_lies_untouched() -> None:
    """Though no look at rest reads it; not while a hand is at it, which may hold it."""
    watcher = DieWatcher(begun=True).glimpsed([die(4)])
    watch, watcher = watcher.observe([], untouched=None)
    assert watch.observation is None
    for dice in ([], [die(4)]):
        watch, _ = watcher.observe(dice, untouched=True)
        assert watch.observation is not None
        assert watch.observation.sign is DieSign.THROWN
        assert watch.observation.reading.value == 4


def test_a_cast_nobody_ruled_on_is_told_with_the_next() -> None:
    """A doubtful die stays a throw while it lies there, and comes along when it is cast again."""
    watch, watcher = DieWatcher().observe([die(3, sure=0.5)])
    assert watch.observation is not None
    watcher = watcher.unruled(watch.observation)
    again, _ = watcher.observe([die(3, sure=0.5)])
    assert again.observation is not None
    assert (again.observation.sign, again.observation.earlier) == (DieSign.THROWN, None)
    later, _ = watcher.observe([die(6, x=300.0)])
    assert later.observation is not None
    assert later.observation.earlier == watch.observation.reading


def test_join_frames() -> None:
    """Frames that agree keep their value, and one that does not lowers the confidence."""
    joined = join_dice([die(3), die(3), die(5, sure=0.6)])
    assert joined.value == 3
    assert joined.confidence < die(3).confidence
    assert sum(joined.probabilities) == pytest.approx(1.0)


def test_join_takes_the_most_frequent_state() -> None:
    """A die that leans in most frames leans."""
    assert join_dice([cocked(), die(3), cocked()]).state is DieState.COCKED


def test_join_nothing_is_refused() -> None:
    """Joining no readings is a mistake of the caller."""
    with pytest.raises(ValueError, match="no readings"):
        join_dice([])


def test_what_is_passed_over_is_no_cast() -> None:
    """Expect a thing that came with a bump to lie there for good, and the die in play to stay."""
    played, thing = die(3), cocked(300.0)
    watcher = DieWatcher(live=False)
    seen, watcher = watcher.observe([played])
    assert seen.observation is not None
    watcher = watcher.counted(seen.observation).passing_over([thing])
    seen, _ = watcher.observe([played, thing])
    assert seen.observation is not None
    assert (seen.count, seen.observation.sign) == (1, DieSign.SAME)


def test_an_unread_die_whose_value_came_to_be_known_is_no_throw_when_it_is_read() -> None:
    """A move told what it showed, or a person did; unknown, it is the throw that was cast there."""
    for known, sign in ((True, DieSign.SAME), (False, DieSign.THROWN)):
        watcher = DieWatcher(live=True, begun=True)
        unread = DieReading((100.0, 100.0, 30.0, 30.0), (0.1,) * 6, DieState.UNREADABLE)
        watch, watcher = watcher.observe([unread])
        assert watch.observation is not None
        watcher = watcher.counted(watch.observation, known=known)
        read = DieReading(unread.box, (0.99, 0.002, 0.002, 0.002, 0.002, 0.002))
        watch, _ = watcher.observe([read])
        assert watch.observation is not None
        assert watch.observation.sign is sign
