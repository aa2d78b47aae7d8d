"""Second thoughts: a cast read wrongly is found out by the moves that follow."""

from dataclasses import replace

from referee.branches import Branch
from referee.commands import Choose, obey
from referee.events import (
    About,
    BoardAgrees,
    By,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    IllegalMove,
    Question,
    Source,
)
from referee.hypotheses import Threw
from referee.judge import judge
from referee.match import Match, Phase
from referee.outcomes import thrown_events
from referee.reasons import Reason
from referee.second_thoughts import WHY, SecondThoughts
from referee.verdict import Ruling, Verdict
from tabletop import EMPTY, Colour, DieObservation, DieReading, DieSign, DieState, Observation, Seat
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


def five_or_again(*casts: int) -> tuple[Observation, ...]:
    """Return the scenes of a die that shows a five and perhaps leans, and of *casts* after it."""
    doubtful = leaning(5, 0.4)
    first, *others = (thrown(value) for value in casts)
    return (
        seen({}, doubtful),
        seen({}, replace(first, earlier=doubtful.reading)),
        *(seen({}, other) for other in others),
    )


def test_a_cast_asked_about_and_cast_over_waits_for_a_move_to_tell() -> None:
    """Whose turn it is nobody knows, until a colour enters; then all that was cast is written."""
    for colour, first, seat in (("red", "die_unreadable", "D4"), ("green", "die_thrown", "D3")):
        square = {"red": "b1", "green": "h2"}[colour]
        entered = seen(standing(f"{square}={colour}"))
        after, events, _ = judged(match_at(EMPTY_BOARD), *five_or_again(6), entered)
        questions = [event for event in events if isinstance(event, Question)]
        assert [(one.choices, one.throw) for one in questions] == [
            (("5", "again"), None),
            (("5", "again"), questions[0].id),
        ]
        told = [event.kind for event in events[2:] if event.kind != "throw_passed"]
        entry = ["die_thrown", "checker_entered", "extra_throw"]
        assert told == ["answer", first, *entry]
        assert after.to_move is Seat(seat)


def test_a_cast_asked_about_and_cast_over_is_settled_by_a_word() -> None:
    """What was cast since is written with the answer; another order lets the likeliest stand."""
    for choice, to_move in (("again", Seat.D2), ("5", Seat.D1)):
        thoughts, match = SecondThoughts(), match_at(EMPTY_BOARD)
        for scene in five_or_again(2, 3):
            verdict, thoughts = thoughts.judge(match, scene, last_look=True)
            for event in verdict.events:
                match = match.after(event)
        assert thoughts.waiting

        said = obey(match, Choose(choice), By.CONSOLE)
        since = thoughts.since(said)
        assert [event.kind for event in since] == ["die_thrown", "throw_passed"] * 2
        after = match
        for event in (*said, *since):
            after = after.after(event)
        assert after.to_move is to_move

        likeliest = [event.kind for event in thoughts.likeliest(match)]
        assert likeliest == ["answer", *["die_thrown", "throw_passed"] * 3]
    assert SecondThoughts().likeliest(match) == SecondThoughts().since(said) == ()


def test_a_cast_that_is_nearly_sure_is_not_waited_for() -> None:
    """What is as good as known when the die is cast again is written."""
    doubtful = leaning(5, 0.92)
    scene = seen({}, replace(thrown(2), earlier=doubtful.reading))
    match = match_at(EMPTY_BOARD).after(Question(11, About.DIE, ("again", "5")))

    _, events, _ = judged(match, scene)
    assert [event.kind for event in events] == [
        "answer",
        "die_unreadable",
        "die_thrown",
        "throw_passed",
    ]


def test_a_wrong_act_ends_the_waiting() -> None:
    """It is named at once, by what was likeliest until then."""
    off = seen(standing("d5=blue"))
    _, events, verdict = judged(match_at(EMPTY_BOARD), *five_or_again(2), off)
    assert verdict.ruling is Ruling.WRONG
    assert [event.kind for event in events[-2:]] == ["throw_passed", "illegal_move"]


def test_what_a_branch_saw_taken_back_is_left_out_of_the_log_that_follows_it() -> None:
    """Another move before the next throw, in a branch: the log gets the one that holds.

    The log counts its events otherwise than the branch did, which saw an unclear scene between.
    """
    match = match_at(MIDDLE)
    branch = Branch.of(match, (Threw(3, 0.3),), -1.0)
    shown = (
        seen(of_match(match), doubts={"a5": (((GREEN,), 0.5), (EMPTY, 0.5))}),
        seen(standing("c1=red e1=red h2=green f8=green c8=blue")),
        seen(standing("b1=red f1=red h2=green f8=green c8=blue")),
    )
    kinds = list[str]()
    for scene in shown:
        verdict = judge(branch.match, scene)
        kinds += [event.kind for event in verdict.events]
        branch = branch.weighed(verdict, verdict)

    assert "corrected" in kinds
    assert [event.kind for event in branch.events] == ["die_thrown", "checker_moved"]
    ruled = match.after_all((*thrown_events(match, 5, 0.7, Source.CAMERA), BoardAgrees()))
    after = ruled.after_all((Corrected(By.BOARD, branch.since, WHY), *branch.events))
    assert after.contents() == branch.match.contents()
    assert after.record() == branch.match.record()


def test_what_was_taken_off_beside_another_wrong_is_not_taken_back_by_an_earlier_reading() -> None:
    """Had the last cast leaned, the entry before it could be taken back; but that tells nothing."""
    entered = standing("b1=red c1=red h2=green,green c8=blue")
    owed, _, _ = judged(
        match_at("R*2,b1,c1/R*3,h2/R*3,c8/R*4 D3 1"),
        seen(standing("b1=red c1=red h2=green c8=blue")),
        seen(entered, thrown(6)),
    )

    unclear = DieReading((0, 0, 20, 20), (0, 0, 0, 0.69, 0.04, 0), DieState.UNREADABLE, 0.12)
    moved = {"c8": 0.99, "a8": 0.99}
    put_back = seen(standing("b1=red c1=red h2=green c8=blue"), changed={"h2": 0.99})
    _, events, _ = judged(
        owed,
        seen(entered, DieObservation(DieSign.THROWN, unclear)),
        seen(standing("b1=red c1=red h2=green,green a8=blue"), changed=moved),
        seen(standing("b1=red c1=red h2=green a8=blue"), changed={**moved, "h2": 0.99}),
        put_back,
        put_back,
    )
    assert [event.kind for event in events] == ["die_thrown", *3 * ["illegal_move"]]
    left = events[-1]
    assert isinstance(left, IllegalMove)
    assert left.reason is Reason.REMOVED_WITHOUT_KNOCK_OUT
