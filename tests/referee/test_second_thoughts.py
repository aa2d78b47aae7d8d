"""Second thoughts: a cast read wrongly is found out by the moves that follow."""

from dataclasses import replace

from referee.commands import Choose, obey
from referee.events import (
    By,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    IllegalMove,
    Question,
)
from referee.judge import Ruling, Verdict, judge
from referee.match import Match, Phase
from referee.second_thoughts import SecondThoughts
from tabletop import Colour, DieObservation, DieReading, DieSign, DieState, Observation, Seat
from tests.builders import match_at, of_match, seen, standing, thrown

MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"
EMPTY_BOARD = "R*4/R*4/R*4/R*4 D4 1"
GREEN = Colour.GREEN


def leaning(value: int, chance: float) -> DieObservation:
    """Return a die just cast that shows *value* and leans with a *chance*."""
    shares = [0.0] * 6
    shares[value - 1] = 1.0 - chance
    one, two, three, four, five, six = shares
    state = DieState.COCKED if chance > 0.5 else DieState.SETTLED
    reading = DieReading((0, 0, 20, 20), (one, two, three, four, five, six), state, chance)
    return DieObservation(DieSign.THROWN, reading)


def judged(match: Match, *scenes: Observation) -> tuple[Match, list[Event], Verdict]:
    """Judge scenes one after another with second thoughts."""
    thoughts, events = SecondThoughts(), list[Event]()
    for scene in scenes:
        verdict, thoughts = thoughts.judge(match, scene, last_look=True)
        for event in verdict.events:
            match = match.after(event)
            events.append(event)
    return match, events, verdict


def test_a_throw_taken_for_a_leaning_die_is_found_out_by_the_next_players_move() -> None:
    """A four of no use was called void; when green enters by the next six, it was a four."""
    match = match_at(EMPTY_BOARD)
    scenes = (
        seen({}, leaning(4, 0.93)),
        seen({}, thrown(6)),
        seen(standing("h2=green")),
    )

    after, events, _ = judged(match, *scenes)
    assert [event.kind for event in events] == [
        "die_unreadable",
        "die_thrown",
        "corrected",
        "die_thrown",
        "throw_passed",
        "die_thrown",
        "checker_entered",
        "extra_throw",
    ]
    corrected = events[2]
    assert isinstance(corrected, Corrected)
    assert corrected.undo_to == match.sequence
    assert after.to_move is Seat.D3
    assert after.contents() == {15: (GREEN,)}


def test_a_leaning_die_taken_for_a_throw_is_found_out_by_the_next_cast() -> None:
    """A three is read and a move is owed; the next cast without one shows that it leaned."""
    match = match_at(MIDDLE)
    board = of_match(match)

    after, events, _ = judged(match, seen(board, leaning(3, 0.2)), seen(board, thrown(5)))
    assert [event.kind for event in events] == [
        "die_thrown",
        "corrected",
        "die_unreadable",
        "die_thrown",
    ]
    assert isinstance(events[2], DieUnreadable)
    assert isinstance(events[3], DieThrown)
    assert (after.phase, after.die, after.to_move) == (Phase.MOVE, 5, Seat.D4)


def test_nothing_is_thought_better_of_without_a_doubtful_cast() -> None:
    """A wrong move by a die that was read surely is a wrong move."""
    match = match_at(MIDDLE)
    sure = replace(thrown(3), reading=replace(thrown(3).reading, cocked=0.001))
    wrong = seen(standing("b1=red c1=red h5=green f8=green c8=blue"))

    _, events, _ = judged(match, seen(of_match(match), sure), wrong, wrong)
    assert [event.kind for event in events] == ["die_thrown", "illegal_move"]
    assert isinstance(events[1], IllegalMove)


def five_or_three() -> Observation:
    """Return the scene in which red throws what is a three, and perhaps a five."""
    reading = DieReading((0, 0, 20, 20), (0.0, 0.0, 0.8, 0.0, 0.19, 0.0))
    return seen(of_match(match_at(MIDDLE)), DieObservation(DieSign.THROWN, reading))


def test_a_move_that_is_wrong_by_the_value_ruled_and_right_by_another_is_asked_about() -> None:
    """What the die showed is asked, once, and either answer settles it."""
    moved = seen(standing("b1=red h2=green f8=green c8=blue h1=red"))

    match, events, verdict = judged(match_at(MIDDLE), five_or_three(), moved, moved)
    assert [event.kind for event in events] == ["die_thrown", "question"]
    question = events[1]
    assert isinstance(question, Question)
    assert (question.choices, question.throw) == (("3", "5"), 11)
    assert verdict.ruling is Ruling.ASKED

    kinds = {}
    for choice in question.choices:
        after = match
        for event in obey(match, Choose(choice), By.BUTTON):
            after = after.after(event)
        kinds[choice] = [event.kind for event in judge(after, moved).events]
    assert kinds == {"3": ["illegal_move"], "5": ["checker_moved"]}


def test_a_question_nobody_answers_is_settled_by_the_next_cast() -> None:
    """When the next player throws and moves rightly, the move before counts as well."""
    board = standing("b1=red h2=green f8=green c8=blue h1=red")
    match, events, _ = judged(
        match_at(MIDDLE), five_or_three(), seen(board), seen(board, thrown(2))
    )
    assert [event.kind for event in events] == [
        "die_thrown",
        "question",
        "corrected",
        "die_thrown",
        "checker_moved",
        "die_thrown",
    ]
    assert (match.to_move, match.die) == (Seat.D3, 2)


def test_a_doubtful_cast_before_another_is_the_likelier_one() -> None:
    """Nobody ruled on the first cast; with the second it is what it most probably was."""
    match = match_at(EMPTY_BOARD)
    doubtful = leaning(4, 0.4)
    next_cast = replace(thrown(2), earlier=doubtful.reading)

    after, events, _ = judged(match, seen({}, doubtful), seen({}, next_cast))
    assert [event.kind for event in events if event.kind != "answer"] == [
        "question",
        "die_thrown",
        "throw_passed",
        "die_thrown",
        "throw_passed",
    ]
    assert after.to_move is Seat.D2
