"""Positions and their one-line text."""

import random

import pytest

from referee.paths import RESERVE
from referee.position import (
    Position,
    home_count,
    parse_position,
    position_text,
    reserve_count,
    standing,
)
from referee.rules import Rules, options_text, rules_from
from tabletop import SEATS, Seat, parse_square
from tests.referee.random_positions import VARIANTS, random_position

EXAMPLE = "R*2,b1,d4/R*4/R,g8*2,h8/~ D4 1"


def test_the_board_is_empty_at_the_start() -> None:
    """All checkers wait, nothing stands on the board, the first seat in play has one throw."""
    position = Position.start([Seat.D1, Seat.D3])
    assert position.seats == (Seat.D3, Seat.D1)
    assert (position.to_move, position.throws_due, position.winner) == (Seat.D3, 1, None)
    assert standing(position, Rules()) == {}
    assert reserve_count(position, Seat.D3) == 4
    assert reserve_count(position, Seat.D4) == 0


def test_another_seat_may_begin() -> None:
    """Who won the opening throws has the first throw."""
    assert Position.start(SEATS, Seat.D2).to_move is Seat.D2


@pytest.mark.parametrize(
    ("seats", "first", "said"),
    [
        ([], None, "two to four play, not 0"),
        ([Seat.D4], None, "two to four play, not 1"),
        ([Seat.D4, Seat.D2], Seat.D1, "D1 cannot begin: nobody plays at that seat"),
    ],
)
def test_impossible_starts(seats: list[Seat], first: Seat | None, said: str) -> None:
    """One player is no game, and nobody begins who does not play."""
    with pytest.raises(ValueError, match=said):
        Position.start(seats, first)


def test_what_stands_where() -> None:
    """Every occupied square tells whose checkers stand there and how many."""
    rules = rules_from({"corner": "share"})
    position = parse_position("a1,R*3/R,f1*2,a1/R*4/~ D3 2", rules)
    a1, f1 = parse_square("a1"), parse_square("f1")
    assert standing(position, rules) == {
        a1: ((Seat.D4, 1), (Seat.D3, 1)),
        f1: ((Seat.D3, 2),),
    }
    assert home_count(position, Seat.D4, rules) == 1
    assert home_count(position, Seat.D3, rules) == 0


def test_the_text_of_the_example() -> None:
    """The documented line means what it says."""
    position = parse_position(EXAMPLE, Rules())
    assert position.checkers == ((-1, -1, 0, 30), (-1,) * 4, (-1, 0, 0, 27), ())
    assert position_text(position, Rules()) == EXAMPLE


def test_a_finished_game_is_read_with_its_winner() -> None:
    """Four checkers at home and no throw due: that seat has won."""
    text = "a1,b2,c3,d4/R*4/~/~ D4 0"
    position = parse_position(text, Rules())
    assert position.winner is Seat.D4
    assert position_text(position, Rules()) == text


@pytest.mark.parametrize("rules", VARIANTS, ids=options_text)
def test_random_positions_survive_their_text(rules: Rules) -> None:
    """Any position is read back as it was, but for sixes in a row and tries."""
    rng = random.Random(3)
    for _ in range(100):
        position = random_position(rng, rules)._replace(sixes_in_row=0, tries=0)
        assert parse_position(position_text(position, rules), rules) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no position like R"),
        ("R*4/R*4/R*4 D4 1", "is no position like R"),
        ("R*4/R*4/R*4/R*4 D4", "is no position like R"),
        ("R*4/R*4/R*4/R*4 D5 1", "'D5' is no seat"),
        ("R*4/R*4/R*4/R*4 D4 x", "is no position like R"),
        ("R*4/R*3/~/~ D4 1", "D3 has 4 checkers, not 3"),
        ("R*3,d5/R*4/~/~ D4 1", "no checker of D4 can stand on d5"),
        ("R*4,b1*0/R*4/~/~ D4 1", "'b1[*]0' is no number of checkers"),
        ("R*3,b1*/R*4/~/~ D4 1", "'b1[*]' is no number of checkers"),
        ("R*3,k1/R*4/~/~ D4 1", "'k1' is no square"),
        ("R*4/~/~/~ D4 1", "fewer than two play"),
        ("R*4/R*4/~/~ D1 1", "nobody plays at D1, whose throw it is"),
        ("R*4/R*4/~/~ D4 0", "nobody has won, so at least one throw is due"),
        ("R*4/R*4/~/~ D4 -1", "nobody has won, so at least one throw is due"),
        ("a1,b2,c3,d4/R*4/~/~ D4 1", "D4 has won, it is nobody's throw"),
        ("a1,b2,c3,d4/R*4/~/~ D3 1", "D4 has won, it is nobody's throw"),
        ("R*3,f1/R*3,f1/~/~ D4 1", "checkers of D4 and D3 stand together on f1"),
        ("R*3,a1/R*3,a1/~/~ D4 1", "checkers of D4 and D3 stand together on a1"),
    ],
)
def test_impossible_texts(text: str, said: str) -> None:
    """The message quotes the text and says what cannot be."""
    with pytest.raises(ValueError, match=said) as caught:
        parse_position(text, Rules())
    assert repr(text) in str(caught.value)


def test_three_colours_share_no_corner() -> None:
    """Where a corner is shared, its owner's checker has one guest colour at most."""
    rules = rules_from({"corner": "share"})
    with pytest.raises(ValueError, match="D4 and D3 and D2 stand together on a1"):
        parse_position("R*3,a1/R*3,a1/R*3,a1/~ D4 1", rules)
    with pytest.raises(ValueError, match="D3 and D2 stand together on a1"):
        parse_position("R*4/R*3,a1/R*3,a1/~ D4 1", rules)


def test_positions_are_keys() -> None:
    """Equal positions are one key of a dictionary."""
    start = Position.start(SEATS)
    assert {start: 1}[Position(((RESERVE,) * 4,) * 4, Seat.D4)] == 1
