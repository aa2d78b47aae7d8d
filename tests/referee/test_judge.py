"""The judge, scene by scene: what people do, what it is called, and what is asked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.commands import BoardIsRight, Choose, LeaveThrow, obey
from referee.event_json import event_json
from referee.events import (
    About,
    Answer,
    By,
    CheckerEntered,
    CheckerMoved,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    GameWon,
    IllegalCleared,
    IllegalMove,
    PassReason,
    Question,
    ThrowPassed,
)
from referee.hypotheses import Moved
from referee.judge import judge
from referee.match import Match, Phase
from referee.moves import Move
from referee.reasons import Reason
from referee.verdict import Ruling
from tabletop import (
    EMPTY,
    Colour,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Seat,
    contents,
    parse_square,
)
from tests.builders import (
    TWO,
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

RED, GREEN, BLUE = Colour.RED, Colour.GREEN, Colour.BLUE
EMPTY_BOARD = "R*4/R*4/R*4/R*4 D4 1"
MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"


def wrong(match: Match, board: str, **more: object) -> IllegalMove:
    """Return the one wrong that is ruled on a scene."""
    verdict = judge(match, seen(standing(board), **more))  # type: ignore[arg-type]
    (event,) = verdict.events
    assert isinstance(event, IllegalMove)
    assert verdict.ruling is Ruling.WRONG
    return event


def kinds(events: Sequence[Event]) -> list[str]:
    """Return the kinds of events."""
    return [event.kind for event in events]


CODES = [
    # position, die, options, what is seen, reason, where found from, to
    ("R*2,b1,c1/R*4/R*4/R*4 D4 1", 3, {}, "b1=red c1=red d5=purple", "unknown_checker", None, "d5"),
    ("b1,c1,e1,f1/R*4/R*4/R*4 D4 1", 3, {}, "b1=red c1=red e1=red f1=red g1=red",
     "unknown_checker", None, "g1"),
    (MIDDLE, None, {}, "b1=red f1=red h2=green f8=green c8=blue", "moved_before_throw", "c1", "f1"),
    (MIDDLE, 3, {}, "e1=red f1=red h2=green f8=green c8=blue", "two_moves", "b1", "e1"),
    (MIDDLE, 6, {}, "b1=red c1=red,red h2=green f8=green c8=blue",
     "wrong_start_square", None, "c1"),
    (MIDDLE, 3, {}, "b1=red c1=red h2=green c8=blue", "removed_without_knock_out", "f8", None),
    (MIDDLE, 3, {}, "b1=red h2=green f8=green c8=blue", "removed_without_knock_out", "c1", None),
    (MIDDLE, 3, {}, "b1=red c1=red h5=green f8=green c8=blue", "not_your_checker", "h2", "h5"),
    (MIDDLE, 3, {}, "b1=red c3=red h2=green f8=green c8=blue", "wrong_distance", "c1", "c3"),
    (MIDDLE, 3, {}, "b1=red d5=red h2=green f8=green c8=blue", "foreign_home", "c1", "d5"),
    (MIDDLE, 3, {}, "b1=red d3=red h2=green f8=green c8=blue", "off_path", "c1", "d3"),
    (MIDDLE, 3, {}, "b1=red,red c1=red h2=green f8=green c8=blue", "entry_needs_six", None, "b1"),
    ("R*3,c3/R*4/R*4/R*4 D4 1", 1, {}, "f1=red", "left_home", "c3", "f1"),
    ("R*3,c3/R*4/R*4/R*4 D4 1", 1, {}, "b2=red", "home_backwards", "c3", "b2"),
    ("R*2,a2,b2/R*4/R*4/R*4 D4 1", 3, {"home_jump": False}, "b2=red c3=red",
     "home_jump", "a2", "c3"),
    (MIDDLE, 3, {}, "a5=red b1=red h2=green f8=green c8=blue", "wrong_distance", "c1", "a5"),
    ("R*2,d8,c1/R*4/R*4/R*4 D4 1", 3, {}, "g8=red c1=red", "wrong_direction", "d8", "g8"),
    ("R*2,a2,c1/R*4/R*4/R*4 D4 1", 2, {}, "b1=red c1=red", "second_lap", "a2", "b1"),
    ("R*2,a2,c1/R*4/R*4/R*4 D4 1", 5, {}, "d4=red c1=red", "overshoot", "a2", "d4"),
    (MIDDLE, 4, {}, "b1=red h1=red h2=green f8=green c8=blue", "wrong_distance", "c1", "h1"),
    ("R*3,b1/R*2,d1*2/R*4/R*4 D4 1", 5, {"stack": "block"}, "g1=red d1=green,green",
     "blocked", "b1", "g1"),
    ("R*2,b1,d1/R*4/R*4/R*4 D4 1", 2, {"track_stack": False}, "d1=red,red",
     "own_occupied", "b1", "d1"),
    ("R*3,f1/R*3,h1/R*4/R*4 D4 1", 2, {}, "h1=green,red", "corner_occupied_by_owner", "f1", "h1"),
    ("R*3,f1/R*4/R*4/R*4 D4 1", 2, {"corner": "pass"}, "h1=red", "corner_reserved", "f1", "h1"),
    ("R*2,a2,d4/R*4/R*4/R*4 D4 1", 4, {"home_capacity": 1}, "d4=red,red",
     "home_square_full", "a2", "d4"),
    ("R*3,b1/R*3,f1/R*4/R*4 D4 1", 4, {}, "f1=green,red", "knocked_out_left_on_board", "b1", "f1"),
    ("R*3,b1/R*4/R*4/R*4 D4 1", 6, {"entry": "compulsory"}, "h1=red", "must_enter", "b1", "h1"),
    ("R*2,b1,c1/R*3,f1/R*4/R*4 D4 1", 4, {"must_hit": True}, "b1=red g1=red f1=green",
     "must_hit", "c1", "g1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("position", "die", "options", "board", "reason", "source", "target"),
    CODES,
    ids=[f"{case[4]}-{number}" for number, case in enumerate(CODES)],
)
def test_each_wrong_is_called_by_the_first_reason_that_fits(
    position: str,
    die: int | None,
    options: dict[str, Any],
    board: str,
    reason: str,
    source: str | None,
    target: str | None,
) -> None:
    """Every reason that squares can show is reached, with the checker that shows it."""
    event = wrong(match_at(position, die, **options), board)

    assert event.reason.value == reason
    assert event.found is not None
    assert event.found.source == (None if source is None else parse_square(source))
    assert event.found.target == (None if target is None else parse_square(target))


def test_a_wrong_names_all_that_would_be_right() -> None:
    """The allowed moves, the throw and the squares that differ belong to the event."""
    event = wrong(match_at(MIDDLE, 3), "b1=red g1=red h2=green f8=green c8=blue")

    assert event_json(event) == {
        "seat": "D4",
        "colour": "red",
        "reason": "wrong_distance",
        "found": {"colour": "red", "from": "c1", "to": "g1"},
        "allowed": ["b1-e1", "c1-f1"],
        "die": 3,
        "differs": [
            {"square": "c1", "seen": [], "due": ["red"]},
            {"square": "g1", "seen": ["red"], "due": []},
        ],
    }


def test_the_same_wrong_is_said_once_and_cleared_once() -> None:
    """A wrong scene seen again says nothing new; put back, it is cleared, once."""
    match = match_at(MIDDLE, 3)
    bad = seen(standing("b1=red g1=red h2=green f8=green c8=blue"))
    good = seen(of_match(match))

    _, events, _ = ruled(match, bad, bad, good, good)
    assert kinds(events) == ["illegal_move", "illegal_cleared"]


def test_another_wrong_is_said_too() -> None:
    """A second wrong that takes the first one's place is a ruling of its own."""
    match = match_at(MIDDLE, 3)
    first = seen(standing("b1=red g1=red h2=green f8=green c8=blue"))
    second = seen(standing("b1=red c1=red h5=green f8=green c8=blue"))

    _, events, _ = ruled(match, first, second)
    assert [event.reason for event in events if isinstance(event, IllegalMove)] == [
        Reason.WRONG_DISTANCE,
        Reason.NOT_YOUR_CHECKER,
    ]


def test_a_wrong_that_grows_is_told_again() -> None:
    """Who goes on moving hears of it, and the board that is declared right is the one that is."""
    match = match_at(MIDDLE, 3)
    boards = (
        "b1=red c1=red h2=green f8=green a8=blue",
        "b1=red c1=red h5=green f8=green a8=blue",
    )
    match, events, _ = ruled(match, *(seen(standing(board)) for board in boards))

    assert kinds(events) == ["illegal_move", "illegal_move"]
    for event in obey(match, BoardIsRight(), By.COMMAND):
        match = match.after(event)
    assert of_match(match) == standing(boards[-1])


def test_played_rightly_at_once_after_a_wrong() -> None:
    """The right move clears the wrong and is then written."""
    match = match_at(MIDDLE, 3)
    bad = seen(standing("b1=red g1=red h2=green f8=green c8=blue"))
    good = seen(standing("b1=red f1=red h2=green f8=green c8=blue"))

    after, events, _ = ruled(match, bad, good)
    assert kinds(events) == ["illegal_move", "illegal_cleared", "checker_moved"]
    assert after.to_move is Seat.D3


def test_a_knock_out_with_everything_that_follows() -> None:
    """The move, the knock-outs with their fines and the extra throw come in this order."""
    match = match_at("R*3,b1/R*2,f1*2/R*4/R*4 D4 1", 4)

    after, events, _ = ruled(match, seen(standing("f1=red")))
    assert kinds(events) == [
        "checker_moved",
        "checker_knocked_out",
        "fine_paid",
        "checker_knocked_out",
        "fine_paid",
        "extra_throw",
    ]
    assert [event_json(event).get("bank") for event in events if event.kind == "fine_paid"] == [
        41,
        42,
    ]
    assert after.to_move is Seat.D4
    assert after.bank.total == 42


def test_the_victim_may_be_taken_off_before_the_landing() -> None:
    """A knocked-out checker that is gone already is an unfinished move, and no fault."""
    match = match_at("R*3,b1/R*3,f1/R*4/R*4 D4 1", 4)

    verdict = judge(match, seen(standing("b1=red")))
    assert verdict.ruling is Ruling.UNFINISHED
    assert verdict.events == ()
    _, events, _ = ruled(match, seen(standing("b1=red")), seen(standing("f1=red")))
    assert kinds(events)[0] == "checker_moved"


def test_the_victim_may_be_taken_off_after_the_landing() -> None:
    """While it still stands there only that is said; the move's events follow when it is gone."""
    match = match_at("R*3,b1/R*3,f1/R*4/R*4 D4 1", 4)

    _, events, _ = ruled(match, seen(standing("f1=red,green")), seen(standing("f1=red")))
    assert kinds(events) == [
        "illegal_move",
        "illegal_cleared",
        "checker_moved",
        "checker_knocked_out",
        "fine_paid",
        "extra_throw",
    ]


def test_a_throw_without_a_move_passes_at_once() -> None:
    """Where no move is legal the pass is written with the throw."""
    match = match_at(EMPTY_BOARD)

    after, events, _ = ruled(match, seen({}, thrown(4)))
    assert kinds(events) == ["die_thrown", "throw_passed"]
    assert after.to_move is Seat.D3


def test_an_unusable_six_keeps_its_extra_throw() -> None:
    """A six that cannot be used passes and is thrown again."""
    match = match_at("a1,b2,c3,d4*1/R*4/R*4/R*4 D4 1".replace("d4*1", "a2"))

    after, events, _ = ruled(match, seen(of_match(match), thrown(6)))
    assert kinds(events) == ["die_thrown", "throw_passed", "extra_throw"]
    assert after.to_move is Seat.D4


def test_a_wrong_after_a_pass_is_still_his_who_threw() -> None:
    """Until the next cast a wrong move is judged by the throw that could not be used."""
    match, _, _ = ruled(match_at(EMPTY_BOARD), seen({}, thrown(5)))

    event = wrong(match, "b1=red")
    assert (event.seat, event.reason) == (Seat.D4, Reason.ENTRY_NEEDS_SIX)


def test_a_move_and_the_next_throw_in_one_look() -> None:
    """A six, the move, and the next cast before anybody looked are all written."""
    match = match_at(MIDDLE, 6)
    board = standing("c1=red h1=red h2=green f8=green c8=blue")

    after, events, _ = ruled(match, seen(board, thrown(2)))
    assert kinds(events) == ["checker_moved", "extra_throw", "die_thrown"]
    assert (after.die, after.to_move) == (2, Seat.D4)


def test_a_throw_and_its_move_in_one_look() -> None:
    """A cast and the move by it seen together are both written."""
    match = match_at(MIDDLE)

    _, events, _ = ruled(
        match, seen(standing("b1=red f1=red h2=green f8=green c8=blue"), thrown(3))
    )
    assert kinds(events) == ["die_thrown", "checker_moved"]


def test_the_next_cast_while_a_move_is_owed_is_void() -> None:
    """The owed move is named, and the same throw is still to be played."""
    match = match_at(MIDDLE, 3)
    board = of_match(match)

    after, events, verdict = ruled(match, seen(board, thrown(5)))
    assert isinstance(events[0], IllegalMove)
    assert events[0].reason is Reason.MUST_MOVE
    assert verdict.die_counted
    assert (after.phase, after.die) == (Phase.MOVE, 3)
    after, events, _ = ruled(after, seen(board, lying(5)), seen(board, lying(5)))
    assert events == []


@pytest.mark.parametrize(
    ("position", "die", "board", "cast", "reason"),
    [
        (MIDDLE, 3, "b1=red h1=red h2=green f8=green c8=blue", 5, Reason.WRONG_DISTANCE),
        (MIDDLE, 3, "b1=red c1=red h7=green f8=green c8=blue", 5, Reason.NOT_YOUR_CHECKER),
        (MIDDLE, 3, "b1=red c1=red f8=green c8=blue", 2, Reason.REMOVED_WITHOUT_KNOCK_OUT),
        # The very moves of a six and of the cast that follows.
        (MIDDLE, 6, "b1=red,red e1=red h2=green f8=green c8=blue", 2, Reason.TWO_MOVES),
        # A throw that may be left unused.
        ("R*3,b2/R*3,h2/R*4/R*4 D4 1", 1, "c4=red h2=green", 4, Reason.OFF_PATH),
    ],
)
def test_a_cast_beside_a_wrong_that_stands_is_void(
    position: str, die: int, board: str, cast: int, reason: Reason
) -> None:
    """No move is made up for those who play on: the wrong is told again, the throw still owed."""
    match = match_at(position, die)
    stands = standing(board)
    after, events, _ = ruled(match, seen(stands))
    assert kinds(events) == ["illegal_move"]

    after, events, verdict = ruled(after, seen(stands, thrown(cast)))
    (told,) = events
    assert isinstance(told, IllegalMove)
    assert told.reason is reason
    assert verdict.die_counted
    assert (after.position, after.die) == (match.position, die)
    after, events, _ = ruled(after, seen(stands, lying(cast)))
    assert events == []


@pytest.mark.parametrize(
    ("position", "die", "board", "reason"),
    [
        (MIDDLE, 3, "b1=red h1=red h2=green f8=green c8=blue", Reason.WRONG_DISTANCE),
        # Where the checker stands, one might have entered.
        ("R*3,a7/R*3,c1/R*3,b8/R*3,c6 D3 1", 6, "a7=red h2=green b8=blue c6=yellow",
         Reason.SECOND_LAP),
    ],
)  # fmt: skip
def test_a_wrong_move_and_the_next_cast_in_one_look(
    position: str, die: int, board: str, reason: Reason
) -> None:
    """The move that would have been right is not taken for made, nor the cast for a throw."""
    match = match_at(position, die)

    after, events, verdict = ruled(match, seen(standing(board), thrown(5)))
    (told,) = events
    assert isinstance(told, IllegalMove)
    assert told.reason is reason
    assert verdict.die_counted
    assert (after.position, after.die) == (match.position, die)


def test_a_cast_counts_once_the_knocked_out_checker_is_off() -> None:
    """Who throws again in a hurry has not yet finished his move, and need not throw anew."""
    match = match_at("R*3,b1/R*3,f1/R*4/R*4 D4 1", 4)
    board = standing("f1=green,red")

    match, events, verdict = ruled(match, seen(board, thrown(5)))
    assert [event.reason for event in events if isinstance(event, IllegalMove)] == [
        Reason.KNOCKED_OUT_LEFT_ON_BOARD
    ]
    assert not verdict.die_counted
    _, events, verdict = ruled(match, seen(standing("f1=red"), thrown(5)))
    assert [event.kind for event in events if event.kind in ("checker_moved", "die_thrown")] == [
        "checker_moved",
        "die_thrown",
    ]
    assert verdict.die_counted


def test_a_chosen_pass_is_written_with_the_next_throw() -> None:
    """Where every move is inside the home, the next cast tells that the player passed."""
    match = match_at("R*3,b2/R*3,h2/R*4/R*4 D4 1", 1)

    after, events, _ = ruled(match, seen(of_match(match), thrown(4)))
    assert kinds(events) == ["throw_passed", "die_thrown"]
    assert isinstance(events[0], ThrowPassed)
    assert events[0].reason is PassReason.CHOSEN
    assert after.to_move is Seat.D3


def test_who_passed_by_choice_moves_before_his_next_throw() -> None:
    """Only a throw that had no legal move judges what is moved after it."""
    match = match_at("R*3,b2/R*3,h2/R*4/R*4 D4 1", 1)
    for event in obey(match, LeaveThrow(), By.COMMAND):
        match = match.after(event)

    _, events, _ = ruled(match, seen(standing("d4=red h2=green")))
    (told,) = events
    assert isinstance(told, IllegalMove)
    assert (told.reason, told.allowed) == (Reason.MOVED_BEFORE_THROW, ())


def test_each_of_several_knocked_out_checkers_is_asked_for() -> None:
    """Who takes off one of two hears that there is another."""
    match = match_at("R*3,b1/R*2,f1*2/R*4/R*4 D4 1", 4)
    boards = ("f1=green,green,red", "f1=green,green,red", "f1=green,red", "f1=red")
    _, events, _ = ruled(match, *(seen(standing(board)) for board in boards))
    assert kinds(events)[:4] == ["illegal_move", "illegal_move", "illegal_cleared", "checker_moved"]


def test_a_mind_changed_before_the_next_throw() -> None:
    """Another legal move shown instead takes the first one's place."""
    match = match_at(MIDDLE, 3)
    first = seen(standing("b1=red f1=red h2=green f8=green c8=blue"))
    second = seen(standing("e1=red c1=red h2=green f8=green c8=blue"))
    # The throw's own event is among those a correction can go back to.
    before = match_at(MIDDLE)
    match = before.after(DieThrown(Seat.D4, RED, 3))

    after, events, _ = ruled(match, first, second)
    assert kinds(events) == ["checker_moved", "corrected", "checker_moved"]
    assert isinstance(events[1], Corrected)
    assert events[1].undo_to == match.sequence
    assert after.contents() == {
        parse_square(at): there
        for at, there in standing("e1=red c1=red h2=green f8=green c8=blue").items()
    }


def test_a_move_taken_back_on_the_board() -> None:
    """A move put back before the next throw is undone; its throw is owed again."""
    match = match_at(MIDDLE).after(DieThrown(Seat.D4, RED, 3))
    first = seen(standing("b1=red f1=red h2=green f8=green c8=blue"))

    after, events, _ = ruled(match, first, seen(of_match(match)))
    assert kinds(events) == ["checker_moved", "corrected"]
    assert (after.phase, after.die, after.to_move) == (Phase.MOVE, 3, Seat.D4)


def test_a_cocked_die_is_thrown_again_by_the_same_player() -> None:
    """A leaning die is said once, and the next cast is the same player's."""
    match = match_at(MIDDLE)
    board = of_match(match)

    after, events, verdict = ruled(match, seen(board, cocked()))
    assert events == [DieUnreadable(Seat.D4, "cocked")]
    assert verdict.die_counted
    after, events, _ = ruled(after, seen(board, thrown(3)))
    assert events == [DieThrown(Seat.D4, RED, 3, 0.99)]


def test_several_dice_are_no_throw() -> None:
    """That more than one was cast is said after a while, and the same player throws one."""
    match = match_at(MIDDLE)
    board = of_match(match)
    several = DieReading((0.0, 0.0, 20.0, 20.0), (0.0,) * 6, DieState.SEVERAL)

    after, events, verdict = ruled(match, seen(board, DieObservation(DieSign.THROWN, several)))
    assert events == [DieUnreadable(Seat.D4, "several")]
    assert verdict.die_counted
    assert verdict.patience_s > 0
    after, events, _ = ruled(after, seen(board, thrown(3)))
    assert events == [DieThrown(Seat.D4, RED, 3, 0.99)]


def test_a_turned_die_is_noticed_and_may_be_turned_back() -> None:
    """Another face where the die lay is a fault; the throw that was read still counts."""
    match = match_at(MIDDLE, 3)
    board = of_match(match)

    after, events, _ = ruled(match, seen(board, lying(5, DieSign.TURNED)))
    assert [event.reason for event in events if isinstance(event, IllegalMove)] == [
        Reason.DIE_CHANGED
    ]
    assert after.die == 3
    moved = standing("b1=red f1=red h2=green f8=green c8=blue")
    _, events, _ = ruled(after, seen(moved, lying(5)))
    assert kinds(events) == ["illegal_cleared", "checker_moved"]


def test_a_doubtful_die_is_asked_and_the_board_may_answer() -> None:
    """Five or six is a question; the move that follows shows which it was."""
    match = match_at(MIDDLE)
    doubtful = thrown(5, 0.55, other=6)

    asked, events, verdict = ruled(match, seen(of_match(match), doubtful))
    assert verdict.ruling is Ruling.ASKED
    assert events == [Question(11, About.DIE, ("5", "6"))]
    _, events, _ = ruled(asked, seen(of_match(match), doubtful))
    assert events == []
    board = standing("c1=red g1=red h2=green f8=green c8=blue")
    _, events, _ = ruled(asked, seen(board, doubtful))
    assert kinds(events) == ["answer", "die_thrown", "checker_moved"]
    assert isinstance(events[0], Answer)
    assert events[0].choice == "5"


@pytest.mark.parametrize(("answer", "phase"), [("5", Phase.MOVE), ("none", Phase.THROW)])
def test_a_doubtful_throw_that_owes_a_move_and_is_cast_over(answer: str, phase: Phase) -> None:
    """The later cast is void; it is asked again, and may be answered so that it is thrown anew."""
    match = match_at(MIDDLE)
    board = of_match(match)
    match, _, _ = ruled(match, seen(board, thrown(5, 0.5, 6)))
    over = replace(thrown(2), earlier=thrown(5, 0.5, 6).reading)

    match, (asked,), verdict = ruled(match, seen(board, over))
    assert isinstance(asked, Question)
    assert asked.choices == ("5", "6", "again")
    assert verdict.die_counted
    for event in obey(match, Choose(answer), By.COMMAND):
        match = match.after(event)
    assert (match.phase, match.question) == (phase, None)


def test_a_move_is_ruled_on_though_the_cast_after_it_is_in_doubt() -> None:
    """What the die shows is asked for the next player's throw; the throw before it stands."""
    match = match_at("R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1").after(DieThrown(Seat.D4, RED, 2))
    scene = seen(
        standing("b1=red e1=red h2=green f8=green c8=blue"), thrown(4, 0.52, 5), changed={"c1": 1.0}
    )

    after, events, verdict = ruled(match, scene)
    assert kinds(events) == ["checker_moved", "question"]
    assert verdict.accepted
    assert not verdict.die_counted
    assert judge(after, scene).events == ()
    for event in obey(after, Choose("5"), By.CONSOLE):
        after = after.after(event)
    assert (after.to_move, after.die) == (Seat.D3, 5)


def test_a_move_to_a_square_that_stays_in_doubt_is_final_when_the_next_player_casts() -> None:
    """A checker near the border may be hard to see for ever: its throw must not be lost for it."""
    match = match_at("R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1")
    moved = standing("b1=red h2=green f8=green c8=blue")
    doubts = {"h1": ((EMPTY, 0.54), (contents(RED), 0.42), (contents(Colour.GREEN), 0.02))}
    changed = {"c1": 1.0, "h1": 1.0}
    waiting = judge(match, seen(moved, thrown(5), doubts=doubts, changed=changed))
    assert (waiting.ruling, waiting.events) == (Ruling.DOUBTFUL, ())

    over = replace(thrown(3), earlier=thrown(5).reading)
    match, events, verdict = ruled(match, seen(moved, over, doubts=doubts, changed=changed))
    assert kinds(events) == ["die_thrown", "checker_moved"]
    assert not verdict.die_counted
    _, events, _ = ruled(match, seen(moved, thrown(3), doubts=doubts, changed={}))
    assert kinds(events) == ["die_thrown"]


def test_a_doubtful_die_that_changes_nothing_is_not_asked() -> None:
    """Two or three with nothing on the board pass alike: the likelier is written."""
    match = match_at(EMPTY_BOARD)

    _, events, _ = ruled(match, seen({}, thrown(2, 0.7, other=3)))
    assert kinds(events) == ["die_thrown", "throw_passed"]
    assert isinstance(events[0], DieThrown)
    assert events[0].value == 2


def test_two_moves_that_look_alike_are_asked() -> None:
    """A checker from one own stack to another may have come from either of two squares."""
    match = match_at("R,b1*2,e1/R*4/R*4/R*4 D4 1", 3)
    either = ((contents(RED), 0.5), (contents(RED, RED), 0.5))

    # Three red checkers are in sight for sure; whether one moved cannot be told from the counts.
    scene = seen(standing("b1=red,red e1=red"), doubts={"b1": either, "e1": either})
    verdict = judge(match, scene)
    assert verdict.events == ()
    assert verdict.ruling is Ruling.DOUBTFUL

    # The next look does not tell more: whoever knows is asked, and not again when he said no.
    (asked,) = judge(match, scene, last_look=True).events
    assert isinstance(asked, Question)
    assert (asked.about, asked.choices) == (About.MOVE, ("b1-e1", "none"))
    match = match.after(asked)
    assert judge(match, scene, last_look=True).events == ()
    (denied,) = obey(match, Choose("none"), By.BUTTON)
    assert judge(match.after(denied), scene, last_look=True).events == ()
    played = obey(match, Choose("b1-e1"), By.BUTTON)
    assert kinds(played) == ["answer", "checker_moved"]


def test_a_tower_doubted_for_its_rarity_is_the_move_onto_the_own() -> None:
    """People seldom take one of theirs off the table; that it stands upon another is likelier."""
    match = match_at("R*2,b1,c1/R*4/R*4/R*4 D4 1", 1)
    one = ((contents(RED), 0.84), (contents(RED, RED), 0.1))

    scene = seen(standing("c1=red"), doubts={"c1": one}, changed={"b1": 0.99, "c1": 0.99})
    _, events, _ = ruled(match, scene)
    assert events == [CheckerMoved(Seat.D4, RED, parse_square("b1"), parse_square("c1"), 1)]


def test_no_move_is_made_up_that_the_squares_do_not_show() -> None:
    """A doubtful tower of the own is no reason to tell of another move and of its undoing."""
    match = match_at("R,b1,c1,h7/R*4/R*4/R*4 D4 1", 1)
    one = ((contents(RED), 0.93), (contents(RED, RED), 0.06))
    scene = seen(standing("c1=red h7=red"), doubts={"c1": one}, changed={"c1": 0.5}, die=thrown(6))

    tales = [one.hypothesis for one in judge(match, scene).weighed]
    assert Moved(Move(parse_square("b1"), parse_square("c1"))) in tales[0].steps
    unseen = Moved(Move(parse_square("h7"), parse_square("h8")))
    assert all(unseen not in tale.steps for tale in tales if tale.wrong is not None)


def test_a_square_that_looks_changed_tells_where_a_checker_went() -> None:
    """Counts in doubt, but both squares look other than before: the move was made."""
    match = match_at("R,b1*2,e1/R*4/R*4/R*4 D4 1", 3)
    either = ((contents(RED), 0.5), (contents(RED, RED), 0.5))

    _, events, _ = ruled(
        match,
        seen(
            standing("b1=red,red e1=red"),
            doubts={"b1": either, "e1": either},
            changed={"b1": 0.99, "e1": 0.99},
        ),
    )
    assert events == [CheckerMoved(Seat.D4, RED, parse_square("b1"), parse_square("e1"), 3)]


def test_rival_legal_moves_are_asked() -> None:
    """Two own checkers could both have come: that is a question with the two moves."""
    match = match_at("R*2,b1,c1/R*4/R*4/R*4 D4 1", 1)
    gone = ((contents(RED), 0.5), (EMPTY, 0.5))
    doubts = {"b1": gone, "c1": ((EMPTY, 0.5), (contents(RED, RED), 0.5)), "d1": gone}

    asked, events, verdict = ruled(match, seen({}, doubts=doubts))
    assert verdict.ruling is Ruling.ASKED
    assert events == [Question(11, About.MOVE, ("b1-c1", "c1-d1"))]
    _, events, _ = ruled(asked, seen(standing("b1=red d1=red")))
    assert kinds(events) == ["answer", "checker_moved"]
    assert isinstance(events[0], Answer)
    assert events[0].choice == "c1-d1"


def test_one_surely_contradicting_square_is_not_hidden_in_the_sum() -> None:
    """A right move and a stray checker elsewhere is not the right move."""
    match = match_at(MIDDLE, 3)
    board = standing("b1=red f1=red h2=green f8=green c8=blue d5=blue")

    event = wrong(match, " ".join(f"{at}={','.join(there)}" for at, there in board.items()))
    assert event.reason is Reason.NOT_YOUR_CHECKER


def test_a_weak_doubt_does_not_stop_a_right_move() -> None:
    """A square read with doubt elsewhere, or on the way, does not hide what was played."""
    match = match_at(MIDDLE, 3)
    board = standing("b1=red f1=red h2=green f8=green c8=blue")
    doubts = {"f8": ((contents(GREEN), 0.7), (contents(BLUE), 0.3))}

    _, events, _ = ruled(match, seen(board, doubts=doubts))
    assert kinds(events) == ["checker_moved"]


def test_nothing_is_judged_under_a_hand() -> None:
    """An obscured board gives no ruling, whatever is seen of it."""
    verdict = judge(match_at(MIDDLE, 3), seen({}, obscured=True))
    assert (verdict.ruling, verdict.events) == (Ruling.OBSCURED, ())


def test_the_opening_settles_who_begins() -> None:
    """The highest opening throw begins, the tied throw again, and then a fresh throw counts."""
    match = Match.start(game_started(TWO))

    after, events, _ = ruled(match, *(seen({}, thrown(value)) for value in (4, 4, 2, 5, 6)))
    assert kinds(events) == [
        "opening_throw",
        "opening_throw",
        "opening_throw",
        "opening_throw",
        "first_player",
        "die_thrown",
    ]
    assert (after.to_move, after.die) == (Seat.D2, 6)


@pytest.mark.parametrize("stands", ["b1=red", "c4=purple"])
@pytest.mark.parametrize("first", [None, thrown(3), cocked()])
def test_an_opening_throw_beside_a_checker_that_stands_there_is_void(
    stands: str, first: DieObservation | None
) -> None:
    """What is wrong is told with each cast, and once it is off the same player throws."""
    match = Match.start(game_started(TWO))
    board = standing(stands)
    match, events, verdict = ruled(match, seen(board, first))
    assert kinds(events) == ["illegal_move"] * (1 if first is None else 2)
    assert verdict.die_counted is (first is not None)
    for die in (thrown(3), cocked(), thrown(5)):
        match, events, verdict = ruled(match, seen(board, die))
        assert kinds(events) == ["illegal_move"]
        assert verdict.die_counted
    match, events, _ = ruled(match, seen(board, lying(5)), seen({}, lying(5)), seen({}, thrown(2)))
    assert kinds(events) == ["illegal_cleared", "opening_throw"]
    assert match.opening.values == (2,)


def test_a_checker_on_the_board_before_anybody_threw() -> None:
    """In the opening the board is empty; a checker on it came before the throw."""
    event = wrong(Match.start(game_started(TWO)), "b1=red")
    assert event.reason is Reason.MOVED_BEFORE_THROW


def test_the_fourth_checker_home_wins_and_then_the_game_is_over() -> None:
    """The winner takes the bank at once; a throw after that is called what it is."""
    match = match_at("a2,b2,c3,d4/R*4/R*4/R*4 D4 1", 1)

    after, events, _ = ruled(match, seen(standing("a1=red b2=red c3=red d4=red")))
    assert kinds(events) == ["checker_moved", "checker_came_home", "game_won"]
    assert isinstance(events[-1], GameWon)
    assert (events[-1].bank, dict(events[-1].net)[Seat.D4]) == (40, 30)
    _, events, _ = ruled(after, seen(of_match(after), thrown(3)))
    assert [event.reason for event in events if isinstance(event, IllegalMove)] == [
        Reason.GAME_OVER
    ]


def test_entering_on_a_foreign_checker() -> None:
    """A six enters on the start square and knocks out who stands there."""
    match = match_at("R*4/R*3,b1/R*4/R*4 D4 1", 6)

    _, events, _ = ruled(match, seen(standing("b1=red")))
    assert events[0] == CheckerEntered(Seat.D4, RED, parse_square("b1"))
    assert kinds(events) == ["checker_entered", "checker_knocked_out", "fine_paid", "extra_throw"]


def test_cleared_is_not_said_of_what_the_squares_do_not_show() -> None:
    """A void cast is not cleared by a rightly standing board, but by the move that was owed."""
    match, _, _ = ruled(match_at(MIDDLE, 3), seen(of_match(match_at(MIDDLE, 3)), thrown(5)))

    _, events, _ = ruled(match, seen(of_match(match), lying(5)))
    assert not any(isinstance(event, IllegalCleared) for event in events)


def test_two_sixes_seen_played_at_once_are_no_question() -> None:
    """In which order they were played changes nothing, and is not asked."""
    match = match_at("R*2,b1,d1/R*4/R*4/R*4 D4 1", 6)

    after, events, _ = ruled(match, seen(standing("h1=red h3=red"), thrown(6)))
    assert kinds(events)[0] == "checker_moved"
    assert [event.kind for event in events].count("checker_moved") == 2
    assert (after.phase, after.to_move) == (Phase.THROW, Seat.D4)


def test_what_was_said_to_be_wrong_is_not_right_because_the_die_is_cast_on() -> None:
    """A right move, and one of two taken off beside it, which a later look sees less surely."""
    match = match_at("R*3,b1/R*2,h2*2/R*4/R*4 D4 1", die=3)
    stands = standing("e1=red h2=green")
    told, events, _ = ruled(match, seen(stands))
    assert [event.kind for event in events] == ["illegal_move"]

    one, two = (Colour.GREEN,), (Colour.GREEN, Colour.GREEN)
    dim = seen(stands, thrown(5), doubts={"h2": ((one, 0.84), (two, 0.05))})
    after, _, _ = ruled(told, dim)
    assert after.contents() == match.contents()
    sure = seen(stands, thrown(5))
    after, events, _ = ruled(told, sure)
    assert [event.kind for event in events] == ["illegal_move"]
    assert after.contents() == match.contents()


def test_a_cast_too_early_makes_no_move_onto_a_tower_that_looks_as_high_as_before() -> None:
    """It looks touched, and that is all: people are told what is unclear, nothing is played."""
    match = match_at("R*2,b1*2/R*4/R*4/R*4 D4 1", die=6, entry="compulsory")
    one, two, three = ((Colour.RED,) * count for count in (1, 2, 3))
    seen_so = {"b1": ((two, 0.85), (three, 0.1), (one, 0.02))}
    scene = seen(of_match(match), thrown(2), doubts=seen_so, changed={"b1": 0.95})
    assert [event.kind for event in judge(match, scene, last_look=True).events] == ["unclear"]


def test_a_cast_before_the_landing_is_void_though_the_victim_is_off_already() -> None:
    """It is told, each time, and becomes neither the extra throw nor the next player's."""
    match = match_at("R*2,b1*2/R*3,e1/R*3,c8/R*4 D4 1", die=3)
    lifted = standing("b1=red,red c8=blue")
    after, events, verdict = ruled(match, seen(lifted, thrown(5)))
    assert [told.reason for told in events if isinstance(told, IllegalMove)] == [Reason.MUST_MOVE]
    assert verdict.die_counted

    after, events, _ = ruled(after, seen(standing("b1=red e1=red c8=blue"), lying(5)))
    assert [event.kind for event in events] == [
        "illegal_cleared",
        "checker_moved",
        "checker_knocked_out",
        "fine_paid",
        "extra_throw",
    ]
    assert (after.phase, after.die) == (Phase.THROW, None)
