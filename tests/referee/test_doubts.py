"""Squares and dice that look touched: what is seen there is not taken for what is usual."""

from dataclasses import replace

import pytest

from referee.events import IllegalMove, Question, Unclear
from referee.judge import judge
from referee.reasons import Reason
from referee.verdict import Ruling
from tabletop import (
    EMPTY,
    Colour,
    Contents,
    DieObservation,
    DieSign,
    DieState,
    Observation,
    contents,
    parse_square,
)
from tests.builders import lying, match_at, of_match, ruled, seen, standing, thrown

RED, GREEN = Colour.RED, Colour.GREEN
ONE, TWO = contents(GREEN), contents(GREEN, GREEN)
TOWER = "R*2,b1,c1/R*2,h2*2/R*4/R*4 D4 1"
PLAYED = "b1=red f1=red"


def after_three(tower: tuple[tuple[Contents, float], ...], changed: float) -> Observation:
    """Return c1-f1 played in full view, and a green tower on h2 that was perhaps touched too."""
    looks = {"c1": 0.99, "f1": 0.99, "h2": changed}
    return seen(standing(PLAYED), lying(3), doubts={"h2": tower}, changed=looks)


def leaning(*, surely: bool) -> DieObservation:
    """Return a die that lies where it lay and leans now, perhaps."""
    shares = (0.002, 0.0 if surely else 0.33, 0.002, 0.002, 0.002, 0.002)
    reading = replace(lying(2).reading, probabilities=shares, state=DieState.COCKED)
    return DieObservation(DieSign.TURNED, replace(reading, cocked=0.99 if surely else 0.44))


def test_a_checker_taken_off_a_tower_beside_a_right_move_is_missed() -> None:
    """One wrong and a right move are one wrong, however high the tower is that was built."""
    match = match_at("R,b1,c1*2/R*2,h2*2/R*4/R*4 D4 1", 1)
    scene = seen(
        standing("c1=red,red,red"),
        lying(1),
        doubts={"h2": ((ONE, 0.83), (TWO, 0.05))},
        changed={"b1": 0.99, "c1": 0.99, "h2": 0.99},
    )

    verdict = judge(match, scene)
    likeliest = verdict.weighed[0].hypothesis.wrong
    assert likeliest is not None
    assert likeliest.reason is Reason.REMOVED_WITHOUT_KNOCK_OUT
    assert verdict.ruling in (Ruling.WRONG, Ruling.DOUBTFUL)

    surely = seen(
        standing("c1=red,red,red h2=green"),
        lying(1),
        changed={"b1": 0.99, "c1": 0.99, "h2": 0.99},
    )
    _, (event,), _ = ruled(match, surely)
    assert isinstance(event, IllegalMove)
    assert event.reason is Reason.REMOVED_WITHOUT_KNOCK_OUT


def test_a_tower_that_looks_touched_must_show_its_height() -> None:
    """A move is not ruled right while one may have been taken off elsewhere."""
    match = match_at(TOWER, 3)
    doubtful = ((TWO, 0.6), (ONE, 0.36))

    touched = judge(match, after_three(doubtful, 0.99), last_look=True)
    assert touched.ruling is Ruling.DOUBTFUL
    assert touched.events == (Unclear((parse_square("h2"),)),)
    assert judge(match, after_three(doubtful, 0.01)).ruling is Ruling.LAWFUL
    assert judge(match, after_three(((TWO, 0.9), (ONE, 0.08)), 0.99)).ruling is Ruling.LAWFUL


@pytest.mark.parametrize("changed", [0.3, 0.6, 0.99])
def test_a_tower_that_looks_lower_and_perhaps_touched_is_not_as_it_was(changed: float) -> None:
    """That people seldom take one off does not make up for a square that shows one."""
    lower = {"h2": ((ONE, 0.87), (TWO, 0.04))}
    scene = seen(of_match(match_at(TOWER)), doubts=lower, changed={"h2": changed})
    assert judge(match_at(TOWER), scene).ruling in (Ruling.DOUBTFUL, Ruling.WRONG)


def test_a_checker_that_surely_looks_touched_must_surely_be_there() -> None:
    """It may have been taken off: then its square is looked at again, and named at last."""
    match = match_at(TOWER)
    perhaps = {"b1": ((contents(RED), 0.85), (EMPTY, 0.14))}

    touched = seen(of_match(match), doubts=perhaps, changed={"b1": 0.99})
    assert judge(match, touched).ruling is Ruling.DOUBTFUL
    assert judge(match, touched, last_look=True).events == (Unclear((parse_square("b1"),)),)
    untouched = seen(of_match(match), doubts=perhaps, changed={"b1": 0.5})
    assert judge(match, untouched).ruling is Ruling.NOTHING


def test_an_empty_square_that_looks_touched_must_be_surely_empty() -> None:
    """What somebody put down in a shadow is looked at again, and named when it stays so."""
    match = match_at(TOWER)
    perhaps = {"g8": ((EMPTY, 0.64), (contents(Colour.YELLOW), 0.33))}
    board = of_match(match)

    touched = seen(board, doubts=perhaps, changed={"g8": 0.66})
    assert judge(match, touched).ruling is Ruling.DOUBTFUL
    assert judge(match, touched, last_look=True).events == (Unclear((parse_square("g8"),)),)
    untouched = seen(board, doubts=perhaps, changed={"g8": 0.01})
    assert judge(match, untouched).ruling is Ruling.NOTHING


def test_a_die_that_leans_where_it_lay_is_looked_at_again() -> None:
    """It is not as it was, and shows no other face: that it cannot be made out is said, once."""
    match = match_at(TOWER, 4)
    for surely in (True, False):
        scene = seen(of_match(match), leaning(surely=surely))
        assert judge(match, scene).ruling is Ruling.DOUBTFUL
        assert judge(match, scene, last_look=True).events == (Unclear(()),)
        said = match.after(Unclear(()))
        assert judge(said, scene, last_look=True).events == ()
    played = seen(standing("b1=red g1=red h2=green,green"), leaning(surely=True))
    assert judge(match, played).ruling is Ruling.LAWFUL


def test_what_is_put_back_elsewhere_makes_no_checker_of_a_doubtful_tower() -> None:
    """After a wrong, a square nobody touched is still one nobody touched."""
    match = match_at("R*3,b1/R*4/R*4/R*4 D4 1", 6)
    wrong = seen(standing("b1=red a7=red"), lying(6), changed={"a7": 0.99})
    match, (event,), _ = ruled(match, wrong)
    assert isinstance(event, IllegalMove)

    tower = {"b1": ((contents(RED, RED), 0.75), (contents(RED), 0.22))}
    back = seen({}, lying(6), doubts=tower, changed={"a7": 0.01})
    assert judge(match, back).ruling is not Ruling.LAWFUL


@pytest.mark.parametrize(
    ("at", "options"),
    [
        ("g8", ((EMPTY, 0.7), (ONE, 0.27))),
        ("h2", ((TWO, 0.58), (ONE, 0.37))),
        ("b1", (((RED,), 0.6), (EMPTY, 0.37))),
    ],
    ids=["one more", "off a tower", "one gone"],
)
def test_a_second_wrong_in_doubt_beside_one_that_was_told_is_looked_for(
    at: str, options: tuple[tuple[Contents, float], ...]
) -> None:
    """What was told already does not explain a square that looks touched and not as it was."""
    match = match_at(TOWER, 3)
    wrong = standing("b1=red e1=red h2=green,green")
    match, (told,), _ = ruled(match, seen(wrong, lying(3)))
    assert isinstance(told, IllegalMove)
    touched = {"c1": 0.99, "e1": 0.99}

    doubted = seen(wrong, lying(3), doubts={at: options}, changed={**touched, at: 0.99})
    verdict = judge(match, doubted)
    assert (verdict.ruling, verdict.events) == (Ruling.DOUBTFUL, ())
    (unclear,) = judge(match, doubted, last_look=True).events
    assert unclear == Unclear((parse_square(at),))

    calm = seen(wrong, lying(3), doubts={at: options}, changed=touched)
    verdict = judge(match, calm)
    assert (verdict.ruling, verdict.events) == (Ruling.WRONG, ())


def test_what_was_said_to_be_wrong_is_not_put_right_while_it_may_stand() -> None:
    """A tower may seem too low, and what was put where it must not be hard to see: then look on.

    Of two moves and another's, the other's alone is put back.
    """
    match = match_at("R*2,h7,g8/R,h2*3/R*2,h4,e5/R*4 D3 1", 1)
    two = standing("h7=red g8=red h2=green h3=green a7=green h4=blue e5=blue")
    also = standing("h7=red g8=red h2=green h3=green a7=green h4=blue a1=blue")
    match, events, _ = ruled(match, seen(two, lying(1)), seen(also, lying(1)))
    assert [event.kind for event in events] == ["illegal_move", "illegal_move"]

    doubts = {"a7": ((EMPTY, 0.66), (ONE, 0.31)), "h2": ((ONE, 0.94), (TWO, 0.05))}
    changed = {"h2": 0.99, "h3": 0.99, "a7": 0.99}
    scene = seen(two, lying(1), doubts=doubts, changed=changed)
    verdict = judge(match, scene)
    assert (verdict.ruling, verdict.events) == (Ruling.DOUBTFUL, ())
    (unclear,) = judge(match, scene, last_look=True).events
    assert isinstance(unclear, Unclear)
    assert parse_square("a7") in unclear.squares


@pytest.mark.parametrize("sure", [0.5, 0.97])
def test_a_wrong_put_right_is_cleared_though_what_was_played_stays_in_doubt(sure: float) -> None:
    """The squares of the wrong show it; which move was made may be asked on."""
    match = match_at("R*2,b1,c1/R*3,h2/R*3,c8/R*4 D4 1", 1)
    gone = (((RED,), 0.5), (EMPTY, 0.5))
    doubts = {"b1": gone, "c1": ((EMPTY, sure), ((RED, RED), 1 - sure)), "d1": gone}
    match, told, _ = ruled(match, seen(standing("h2=green a8=blue"), doubts=doubts))
    assert isinstance(told[-1], IllegalMove)

    after, events, verdict = ruled(match, seen(standing("h2=green c8=blue"), doubts=doubts))
    assert [event.kind for event in events][:1] == ["illegal_cleared"]
    assert after.wrong is None
    assert verdict.ruling in (Ruling.ASKED, Ruling.DOUBTFUL)
    half = {**doubts, "a8": ((EMPTY, 0.6), ((Colour.BLUE,), 0.35))}
    assert ruled(match, seen(standing("h2=green c8=blue"), doubts=half))[0].wrong is not None


def test_a_move_asked_about_and_cast_over_is_asked_about_again_and_what_is_wrong_is_told() -> None:
    """Nobody can rule on the cast before the move is known, and a wrong beside both is plain."""
    match = match_at("R*2,b1,c1/R*3,h2/R*3,c8/R*4 D4 1", 1)
    gone = (((RED,), 0.5), (EMPTY, 0.5))
    doubts = {"b1": gone, "c1": ((EMPTY, 0.5), ((RED, RED), 0.5)), "d1": gone}
    match, (asked,), _ = ruled(match, seen(standing("h2=green c8=blue"), doubts=doubts))
    assert isinstance(asked, Question)

    cast = seen(standing("h2=green c8=blue"), thrown(3), doubts=doubts)
    verdict = judge(match, cast)
    assert (verdict.ruling, verdict.events) == (Ruling.DOUBTFUL, ())
    verdict = judge(match, cast, last_look=True)
    (again,) = verdict.events
    assert isinstance(again, Question)
    assert again.choices == asked.choices
    assert not verdict.die_counted

    match = match.after(again)
    moved = seen(standing("h2=green a8=blue"), thrown(3), doubts=doubts)
    (wrong,) = judge(match, moved).events
    assert isinstance(wrong, IllegalMove)
    assert wrong.reason is Reason.NOT_YOUR_CHECKER
