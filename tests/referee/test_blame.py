"""What stands wrongly while people play on: whose it is, what is named, and when it is told."""

from dataclasses import replace

import pytest

from referee.commands import Choose, Leave, LeaveThrow, obey
from referee.events import About, By, Event, IllegalCleared, IllegalMove, Question
from referee.judge import judge
from referee.match import Match
from referee.reasons import Reason
from referee.second_thoughts import SecondThoughts
from referee.verdict import Ruling
from tabletop import (
    EMPTY,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Observation,
    Seat,
    contents,
    parse_square,
    square_name,
)
from tests.builders import (
    FOUR,
    cocked,
    game_started,
    lying,
    match_at,
    of_match,
    ruled,
    seen,
    standing,
    thrown,
)

MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"
EMPTY_BOARD = "R*4/R*4/R*4/R*4 D4 1"
WON = "a1=red b2=red c3=red d4=red"
RED = Colour.RED
SEVERAL = DieObservation(
    DieSign.THROWN, DieReading((0.0, 0.0, 20.0, 20.0), (0.0,) * 6, DieState.SEVERAL)
)
UNREADABLE = replace(SEVERAL, reading=replace(SEVERAL.reading, state=DieState.UNREADABLE))
VOID = (cocked(), SEVERAL, UNREADABLE)


def told(events: list[Event]) -> list[tuple[Seat, Reason, str | None]]:
    """Return who was told of which wrong, and from where, or else where to, a checker went."""
    found = []
    for event in events:
        if isinstance(event, IllegalMove):
            ends = (event.found.source, event.found.target) if event.found is not None else ()
            names = [square_name(at) for at in ends if at is not None]
            found.append((event.seat, event.reason, names[0] if names else None))
    return found


def kinds(events: list[Event]) -> list[str]:
    """Return the kinds of events."""
    return [event.kind for event in events]


@pytest.mark.parametrize(
    ("position", "first", "board", "blamed"),
    [
        # Before a throw: whose checker it is; beside it red throws, and then owes a move.
        (MIDDLE, None, "b1=red c1=red h2=green f8=green a8=blue",
         (Seat.D2, Reason.MOVED_BEFORE_THROW, "c8")),
        # After a throw without a move: his who threw it.
        (EMPTY_BOARD, 5, "b1=red", (Seat.D4, Reason.ENTRY_NEEDS_SIX, "b1")),
        # The mover's own wrong move, by the throw he owes.
        (MIDDLE, 3, "b1=red g1=red h2=green f8=green c8=blue",
         (Seat.D4, Reason.WRONG_DISTANCE, "c1")),
    ],
)  # fmt: skip
def test_who_did_it_is_told_whoever_casts_on(
    position: str, first: int | None, board: str, blamed: tuple[Seat, Reason, str]
) -> None:
    """As long as it stands it is told with each cast, of the same player, for the same reason."""
    match = match_at(position)
    if first is not None:
        match, _, _ = ruled(match, seen(of_match(match), thrown(first)))
    stands = standing(board)
    match, events, _ = ruled(match, seen(stands, lying(first or 1)))
    assert told(events) == [blamed]
    for value in (3, 4, 2):
        match, events, verdict = ruled(match, seen(stands, thrown(value)))
        assert told(events) == [blamed]
        assert verdict.die_counted
        match, events, _ = ruled(match, seen(stands, lying(value)))
        assert events == []
    _, events, _ = ruled(match, seen(of_match(match), lying(2)))
    assert events == [IllegalCleared(blamed[0])]


def test_what_stands_wrongly_is_still_his_when_the_throw_is_left_unused() -> None:
    """A pass by word puts nothing right."""
    match = match_at("R*3,b2/R*3,h2/R*3,c8/R*4 D4 1", 1)
    stands = standing("b2=red h2=green a8=blue")
    match, before, _ = ruled(match, seen(stands, lying(1)))
    match = match.after_all(obey(match, LeaveThrow(), By.COMMAND))
    match, events, _ = ruled(match, seen(stands, lying(1)))
    assert events == []
    _, events, _ = ruled(match, seen(stands, thrown(2)))
    assert told(events) == told(before) == [(Seat.D4, Reason.NOT_YOUR_CHECKER, "c8")]


def test_a_right_move_beside_what_stands_wrongly_is_no_wrong_of_its_own() -> None:
    """The move counts once the other is put right."""
    match = match_at(MIDDLE)
    scenes = (
        seen(standing("b1=red c1=red h2=green f8=green a8=blue")),
        seen(standing("b1=red c1=red h2=green f8=green a8=blue"), thrown(3)),
        seen(standing("b1=red f1=red h2=green f8=green a8=blue"), lying(3)),
    )
    match, events, _ = ruled(match, *scenes)
    assert told(events) == [(Seat.D2, Reason.MOVED_BEFORE_THROW, "c8")] * 3
    _, events, _ = ruled(match, seen(standing("b1=red f1=red h2=green f8=green c8=blue"), lying(3)))
    assert kinds(events) == ["illegal_cleared", "checker_moved"]


BLUE_OFF = (Seat.D4, Reason.NOT_YOUR_CHECKER, "c8")
RED_FAR = (Seat.D4, Reason.WRONG_DISTANCE, "c1")


@pytest.mark.parametrize(("first", "second"), [("c8", "c1"), ("c1", "c8")])
@pytest.mark.parametrize("mended_first", [True, False])
def test_of_two_wrongs_each_is_named_when_it_comes_and_when_it_is_left(
    first: str, second: str, mended_first: bool
) -> None:
    """The second does not hide behind the first; and what is left over is told."""
    match = match_at(MIDDLE, 3)
    acts = {"c8": ("a8", BLUE_OFF), "c1": ("g1", RED_FAR)}

    def board(*done: str) -> Observation:
        there = dict(of_match(match))
        for at in done:
            there[acts[at][0]] = there.pop(at)
        return seen(there)

    left = second if mended_first else first
    now, events, _ = ruled(match, board(first), board(first, second), board(left))
    assert told(events) == [acts[first][1], acts[second][1], acts[left][1]]
    _, events, _ = ruled(now, board())
    assert kinds(events) == ["illegal_cleared"]


def test_of_two_wrongs_seen_at_once_the_other_is_named_when_one_is_put_right() -> None:
    """By the throw that was due when both were done, though the die was cast since."""
    match = match_at(MIDDLE)
    both = standing("b1=red c1=red h3=green f8=green a8=blue")
    match, events, _ = ruled(match, seen(both), seen(both, thrown(3)))
    assert told(events) == [(Seat.D3, Reason.MOVED_BEFORE_THROW, "h2")] * 2
    left = standing("b1=red c1=red h2=green f8=green a8=blue")
    _, events, _ = ruled(match, seen(left, lying(3)))
    assert told(events) == [(Seat.D2, Reason.MOVED_BEFORE_THROW, "c8")]


def test_two_checkers_of_the_mover_are_two_moves_whichever_was_first() -> None:
    """That is one wrong of both."""
    match = match_at(MIDDLE, 3)
    for first in ("d1=red c1=red", "b1=red g1=red"):
        others = " h2=green f8=green c8=blue"
        scenes = (seen(standing(first + others)), seen(standing("d1=red g1=red" + others)))
        _, events, _ = ruled(match, *scenes)
        assert [reason for _, reason, _ in told(events)] == [
            Reason.WRONG_DISTANCE,
            Reason.TWO_MOVES,
        ]


def test_each_cast_after_the_end_is_told_and_does_not_stand_for_ever() -> None:
    """The game is over, and nothing is wrong any more once the die lies still."""
    match, _, _ = ruled(match_at("a2,b2,c3,d4/R*4/R*4/R*4 D4 1", 1), seen(standing(WON), lying(1)))
    for die in (thrown(3), thrown(4), cocked(), SEVERAL):
        match, events, verdict = ruled(match, seen(standing(WON), die))
        assert told(events) == [(Seat.D4, Reason.GAME_OVER, None)]
        assert verdict.die_counted
    match, events, _ = ruled(match, seen(standing(WON), lying(4)), seen(standing(WON)))
    assert kinds(events) == ["illegal_cleared"]
    assert match.wrong is None

    more = seen(standing(f"{WON} e5=blue"), thrown(2))
    match, events, verdict = ruled(match, more, replace(more, die=lying(2)))
    assert told(events) == [(Seat.D2, Reason.GAME_OVER, "e5")]
    assert verdict.ruling is Ruling.WRONG
    match, events, _ = ruled(match, seen(standing(WON), lying(2)))
    assert kinds(events) == ["illegal_cleared"]


@pytest.mark.parametrize("die", VOID)
def test_a_void_cast_beside_a_wrong_is_told_and_so_is_the_wrong(die: DieObservation) -> None:
    """Once a cast; the die that lies there is nobody's throw when the wrong is put right."""
    match = match_at(MIDDLE)
    stands = standing("b1=red c1=red h2=green f8=green a8=blue")
    match, _, _ = ruled(match, seen(stands))
    for _ in range(2):
        match, events, verdict = ruled(match, seen(stands, die))
        assert kinds(events) == ["die_unreadable", "illegal_move"]
        assert verdict.die_counted
    same = replace(die, sign=DieSign.SAME)
    match, events, _ = ruled(match, seen(of_match(match), same))
    assert kinds(events) == ["illegal_cleared"]


@pytest.mark.parametrize("die", VOID)
@pytest.mark.parametrize(
    ("position", "board", "value"),
    [
        (EMPTY_BOARD, "b1=red", 4),
        (MIDDLE, "b1=red f1=red h2=green f8=green c8=blue", 4),
    ],
)
def test_what_is_moved_with_a_void_cast_was_moved_before_the_throw(
    die: DieObservation, position: str, board: str, value: int
) -> None:
    """It is named at once, and again when the throw that counts does not allow it."""
    match = match_at(position)
    match, events, verdict = ruled(match, seen(standing(board), die))
    assert kinds(events) == ["die_unreadable", "illegal_move"]
    ((seat, reason, _),) = told(events)
    assert (seat, reason) == (Seat.D4, Reason.MOVED_BEFORE_THROW)
    assert verdict.die_counted

    match, events, _ = ruled(match, seen(standing(board), thrown(value)))
    assert kinds(events)[0] == "die_thrown"
    assert told(events) == [(seat, reason, "b1" if position == EMPTY_BOARD else "c1")]


def test_a_wrong_is_told_while_people_are_asked_which_move_it_was() -> None:
    """The question stays open, and when the wrong is put right that is told too."""
    match = match_at("R,b1*2,e1/R*3,h2/R*4/R*4 D4 1", 3)
    either = ((contents(RED), 0.5), (contents(RED, RED), 0.5))
    doubts: dict[str, tuple[tuple[Contents, float], ...]] = {"b1": either, "e1": either}

    def scene(green: str) -> Observation:
        return seen(standing(f"b1=red,red e1=red {green}=green"), doubts=doubts)

    (asked,) = judge(match, scene("h2"), last_look=True).events
    match = match.after(asked)
    match, events, _ = ruled(match, scene("h5"))
    assert told(events) == [(Seat.D4, Reason.NOT_YOUR_CHECKER, "h2")]
    match, events, _ = ruled(match, scene("h2"), scene("h2"))
    assert kinds(events) == ["illegal_cleared"]
    assert match.question == asked


def test_a_wrong_put_right_beside_a_question_what_the_die_showed_is_cleared() -> None:
    """What is asked about is not told as wrong meanwhile."""
    match, thoughts = match_at(MIDDLE), SecondThoughts()
    reading = DieReading((0, 0, 20, 20), (0.0, 0.0, 0.8, 0.0, 0.19, 0.0))
    five = "b1=red h1=red f8=green c8=blue"
    scenes = (
        seen(of_match(match), DieObservation(DieSign.THROWN, reading)),
        seen(standing(f"{five} h2=green")),
        seen(standing(f"{five} h4=green")),
        *[seen(standing(f"{five} h2=green"))] * 3,
    )
    events: list[Event] = []
    for scene in scenes:
        verdict, thoughts = thoughts.judge(match, scene, last_look=True)
        events += verdict.events
        match = match.after_all(verdict.events)
    assert kinds(events) == ["die_thrown", "question", "illegal_move", "illegal_cleared"]
    assert match.question is not None


def test_what_is_asked_is_not_asked_again_for_being_told_in_another_order() -> None:
    """Nor for one choice less: a still scene is read a little otherwise at each look."""
    match = match_at(MIDDLE)
    asked = 0
    for chances in ((0.5, 0.3, 0.2), (0.3, 0.5, 0.2), (0.52, 0.47, 0.0), (0.2, 0.3, 0.5)):
        one, two, three = chances
        reading = DieReading((0, 0, 20, 20), (one, two, three, 0.0, 0.0, 0.0))
        verdict = judge(match, seen(of_match(match), DieObservation(DieSign.THROWN, reading)))
        asked += sum(isinstance(event, Question) for event in verdict.events)
        match = match.after_all(verdict.events)
    assert asked == 1
    assert match.question is not None
    assert match.question.about is About.DIE


def test_a_missing_checker_is_not_offered_to_be_entered_where_it_stood() -> None:
    """That would be the same as putting it back."""
    match = match_at("R*2,b1,c1/R*4/R*4/R*4 D4 1", 6)
    (event,) = judge(match, seen(standing("c1=red"), lying(6))).events
    assert isinstance(event, IllegalMove)
    assert (event.reason, event.allowed) == (Reason.REMOVED_WITHOUT_KNOCK_OUT, ("b1-h1", "c1-h2"))
    (event,) = judge(match, seen(standing("b1=red"), lying(6))).events
    assert isinstance(event, IllegalMove)
    assert event.allowed == ("@b1", "b1-h1", "c1-h2")


def test_who_leaves_in_the_opening_has_the_others_throw_again() -> None:
    """That those throw again who threw is known, so that it can be said."""
    match = Match.start(game_started(FOUR))
    match, _, _ = ruled(match, seen({}, thrown(3)), seen({}, thrown(5)))
    left = match.after_all(obey(match, Leave(Seat.D2), By.COMMAND))
    assert (left.to_move, left.opening.values) == (Seat.D4, ())
    assert left.opening.tied == (Seat.D4, Seat.D3, Seat.D1)
    fresh = Match.start(game_started(FOUR))
    fresh = fresh.after_all(obey(fresh, Leave(Seat.D2), By.COMMAND))
    assert fresh.opening.tied == ()


def test_nothing_is_wrong_for_a_square_that_is_doubtful_alone() -> None:
    """What no tale has in common with the others is no wrong that is told beside a doubt."""
    match = match_at(MIDDLE, 1)
    across = {"d1": (((RED,), 0.5), (EMPTY, 0.5)), "d2": (((RED,), 0.5), (EMPTY, 0.5))}
    scene = seen(standing("b1=red h2=green f8=green c8=blue"), lying(1), doubts=across)
    verdict = judge(match, scene, last_look=True)
    assert verdict.ruling is Ruling.DOUBTFUL
    assert kinds(list(verdict.events)) == ["unclear"]
    assert parse_square("d1") in verdict.events[0].squares  # type: ignore[union-attr]


def _chances(**values: float) -> DieObservation:
    """Return a die just thrown that may show several values, as ``five=0.55``."""
    names = ("one", "two", "three", "four", "five", "six")
    shares = tuple(values.get(name, 0.0) for name in names)
    reading = DieReading((0, 0, 20, 20), shares)  # type: ignore[arg-type]
    return DieObservation(DieSign.THROWN, reading)


CASTS_IN_DOUBT = (
    # A throw of no use, or an entry; either way one more than the other.
    ("R*3,d4/R*3,h4/R*3,e8/R*4 D4 1", _chances(five=0.55, six=0.45)),
    ("R*3,d4/R*3,h4/R*3,e8/R*4 D4 1", _chances(five=0.505, six=0.495)),
    ("R*3,d4/R*3,h4/R*3,e8/R*4 D4 1", _chances(six=0.55, five=0.45)),
    # Two throws of use, and two of none.
    ("R*2,b1,c1/R*3,h4/R*3,e8/R*4 D4 1", _chances(three=0.55, four=0.45)),
    ("R*4/R*3,h4/R*3,e8/R*4 D4 1", _chances(two=0.4, three=0.3, six=0.3)),
)
STRAYS = ("e8=blue", "h4=green d8=blue", "h4=green", "h4=green e8=blue c6=yellow")


@pytest.mark.parametrize(("position", "die"), CASTS_IN_DOUBT)
@pytest.mark.parametrize("others", STRAYS)
def test_no_wrong_decides_what_a_doubtful_die_shows(
    position: str, die: DieObservation, others: str
) -> None:
    """The wrong is told; the question stays open, and is settled by what is played."""
    match = match_at(position)
    stands = of_match(match)
    own = {at: there for at, there in stands.items() if RED in there}
    match, (asked,), _ = ruled(match, seen(stands, die))
    assert isinstance(asked, Question)
    assert asked.about is About.DIE
    wrong = seen(own | standing(others), die)
    match, (told_wrong,), verdict = ruled(match, wrong, wrong)
    assert isinstance(told_wrong, IllegalMove)
    assert not verdict.die_counted
    assert match.question == asked
    match, events, _ = ruled(match, seen(stands, die))
    assert kinds(events) == ["illegal_cleared"]
    assert match.question == asked


@pytest.mark.parametrize(("position", "die"), CASTS_IN_DOUBT)
@pytest.mark.parametrize("others", STRAYS)
def test_a_doubtful_cast_seen_with_a_wrong_is_asked_about_after_it(
    position: str, die: DieObservation, others: str
) -> None:
    """Nothing is ruled of the throw, whichever came first."""
    for early in (False, True):
        match = match_at(position)
        stands = of_match(match)
        own = {at: there for at, there in stands.items() if RED in there}
        board = own | standing(others)
        if early:
            match, _, _ = ruled(match, seen(board))
        match, events, _ = ruled(match, *[seen(board, die)] * 3)
        assert kinds(events) == ["illegal_move"] * (not early) + ["question"]
        match, events, _ = ruled(match, seen(stands, die))
        assert kinds(events) == ["illegal_cleared"]
        assert match.question is not None


def test_the_movers_own_wrong_does_not_decide_what_the_die_shows_either() -> None:
    """By neither cast it is right, and what is played after it tells which it was."""
    match = match_at("R*2,b1,c1/R*3,h4/R*3,e8/R*4 D4 1")
    die = _chances(three=0.55, four=0.45)
    others = "h4=green e8=blue"
    scenes = (
        seen(of_match(match), die),
        seen(standing(f"c1=red g1=red {others}"), die),
        seen(standing(f"c1=red f1=red {others}"), die),
    )
    match, events, _ = ruled(match, *scenes)
    assert kinds(events)[:2] == ["question", "illegal_move"]
    assert kinds(events)[-2:] == ["die_thrown", "checker_moved"]
    assert match.throws[-1].played.die == 4


def test_a_checker_left_where_one_of_two_casts_knocks_it_out_is_asked_about() -> None:
    """By the other the move itself is wrong: what is to be done is not known yet."""
    match = match_at("R*2,b1,c1/R*3,h4/R*3,e1/R*4 D4 1")
    die = _chances(three=0.55, four=0.45)
    scene = seen(standing("c1=red e1=red,blue h4=green"), die)
    match, events, _ = ruled(match, scene, scene)
    assert kinds(events) == ["question"]
    match = match.after_all(obey(match, Choose("3"), By.COMMAND))
    _, events, _ = ruled(match, seen(standing("c1=red e1=red,blue h4=green"), lying(3)))
    assert told(events) == [(Seat.D4, Reason.KNOCKED_OUT_LEFT_ON_BOARD, "b1")]


def test_a_wrong_beside_a_move_does_not_decide_what_the_next_cast_shows() -> None:
    """The move is ruled on when the wrong is put right, and of the cast nothing but by a word."""
    match = match_at("R*2,b1,c1/R*3,h4/R*3,e8/R*4 D4 1", 3)
    die = _chances(three=0.55, four=0.45)
    scene = seen(standing("c1=red e1=red h4=green d8=blue"), die)
    match, events, _ = ruled(match, scene)
    assert told(events) == [(Seat.D4, Reason.NOT_YOUR_CHECKER, "e8")]
    right = seen(standing("c1=red e1=red h4=green e8=blue"), die)
    match, events, _ = ruled(match, scene, right)
    assert "checker_moved" in kinds(events)
    assert "die_thrown" not in kinds(events)


PLAIN = "R*2,b1,c1/R*3,h4/R*3,e8/R*4 D4 1"


@pytest.mark.parametrize("die", [3, 6])
@pytest.mark.parametrize(
    ("strays", "blamed", "more"),
    [
        ("h5=green e8=blue", (Seat.D4, Reason.NOT_YOUR_CHECKER, "h4"), ""),
        ("h4=green d8=blue", (Seat.D4, Reason.NOT_YOUR_CHECKER, "e8"), ""),
        ("e8=blue", (Seat.D4, Reason.REMOVED_WITHOUT_KNOCK_OUT, "h4"), ""),
        ("h4=green e8=blue", (Seat.D4, Reason.UNKNOWN_CHECKER, "f5"), "f5=white"),
    ],
)
@pytest.mark.parametrize("way", ["at once", "wrong first", "stray first", "by way of its source"])
def test_a_right_move_from_where_it_was_wrong_is_none_though_another_wrong_stands(
    die: int, strays: str, blamed: tuple[Seat, Reason, str], more: str, way: str
) -> None:
    """The square that the checker left was told with the wrong; what is left is told alone."""
    match = match_at(PLAIN)
    calm, stray = "h4=green e8=blue", f"{strays} {more}"
    wrong, right = "c1=red g1=red", "c1=red e1=red" if die == 3 else "c1=red h1=red"
    scenes = {
        "at once": (f"{wrong} {stray}",),
        "wrong first": (f"{wrong} {calm}", f"{wrong} {stray}"),
        "stray first": (f"b1=red c1=red {stray}", f"{wrong} {stray}"),
        "by way of its source": (f"{wrong} {stray}", f"b1=red c1=red {stray}"),
    }[way]
    match, _, _ = ruled(match, seen(of_match(match), thrown(die)))
    match, _, _ = ruled(match, *[seen(standing(board), lying(die)) for board in scenes])
    match, events, _ = ruled(match, seen(standing(f"{right} {stray}"), lying(die)))
    assert match.wrong is not None
    assert told([match.wrong]) == [blamed]
    assert all(found == blamed for found in told(events))
    match, events, _ = ruled(match, seen(standing(f"{right} {calm}"), lying(die)))
    assert "checker_moved" in kinds(events)


def test_a_wrong_move_from_where_it_was_wrong_is_called_by_where_the_checker_began() -> None:
    """It did not come from the reserve."""
    match = match_at(PLAIN, 3)
    scenes = [seen(standing(f"c1=red {at}=red h5=green e8=blue"), lying(3)) for at in ("g1", "f1")]
    match, events, _ = ruled(match, *scenes)
    assert told(events)[-1] == (Seat.D4, Reason.WRONG_DISTANCE, "b1")


def test_in_the_opening_a_wrong_leaves_a_doubtful_cast_to_be_cast_over() -> None:
    """Put right, it is as if it had not been: the match waits to hear what the first showed."""
    match, thoughts = Match.start(game_started(FOUR)), SecondThoughts()
    first = _chances(five=0.55, six=0.45)
    last = replace(thrown(1), earlier=first.reading)
    scenes = (seen({}, first), seen(standing("h2=green"), first), seen({}, first), seen({}, last))
    events: list[Event] = []
    for scene in scenes:
        verdict, thoughts = thoughts.judge(match, scene)
        events += verdict.events
        match = match.after_all(verdict.events)
    assert kinds(events) == ["question", "illegal_move", "illegal_cleared", "question"]
    assert match.question is not None
    assert match.question.throw is not None
    assert thoughts.waiting


def test_in_the_opening_a_doubtful_cast_that_is_cast_over_beside_a_wrong_is_somebodys() -> None:
    """The likelier value is taken, the later cast is void, and the next player throws."""
    match = Match.start(game_started(FOUR))
    first = _chances(five=0.55, six=0.45)
    stray = standing("h2=green")
    over = replace(thrown(1), earlier=first.reading)
    match, _, _ = ruled(match, seen({}, first), seen(stray, first))
    match, events, verdict = ruled(match, seen(stray, over))
    assert kinds(events) == ["answer", "opening_throw", "illegal_move"]
    assert verdict.die_counted
    assert (match.opening.values, match.to_move) == ((5,), Seat.D3)
    match, events, _ = ruled(match, seen({}, lying(1)))
    assert kinds(events) == ["illegal_cleared"]
