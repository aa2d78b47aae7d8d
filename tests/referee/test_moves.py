"""Moves: their texts, what they do, and the reasons against wrong ones."""

import pytest

from referee.moves import (
    ExtraThrow,
    InvalidMoveError,
    Move,
    legal_moves,
    may_pass,
    move_text,
    parse_move,
    play,
    reason_against,
)
from referee.position import Position, parse_position, position_text
from referee.reasons import Reason
from referee.rules import Rules, parse_options
from tabletop import SEATS, SQUARES, Seat, parse_square
from tests.referee.tables import choices, texts

EMPTY = "R*4/R*4/R*4/R*4 D4 1"


def test_every_move_survives_its_text() -> None:
    """Moves between any two squares, entries and the pass are written and read back."""
    moves = [Move(source, target) for source in (None, *SQUARES) for target in SQUARES]
    for move in (None, *moves):
        assert parse_move(move_text(move)) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("--", None), ("@b1", Move(None, 1)), ("R-b1", Move(None, 1)), (" b1-f1 ", Move(1, 5))],
)
def test_move_is_read(text: str, move: Move | None) -> None:
    """A move is read with spaces round it; an entry has two forms."""
    assert parse_move(text) == move


@pytest.mark.parametrize(
    "text", ["", "-", "b1", "b1f1", "b1-", "-b1", "@", "@b9", "b1-f1-g1", "B1-F1"]
)
def test_no_move_is_refused(text: str) -> None:
    """The message quotes the text and shows how moves look."""
    with pytest.raises(InvalidMoveError, match="is no move: moves look like b1-f1, @b1") as caught:
        parse_move(text)
    assert str(caught.value).startswith(repr(text))


@pytest.mark.parametrize("die", [0, 7, -1])
def test_a_die_has_six_faces(die: int) -> None:
    """Another number is refused with the number."""
    with pytest.raises(ValueError, match=f"a die shows 1 to 6, not {die}"):
        legal_moves(Position.start(SEATS), die, Rules())


# From a position with some options, a throw and one act: the first reason that fits.
REASONS = [
    # a legal act has no reason against it
    ("", EMPTY, 6, "@b1", None),
    ("", EMPTY, 5, "--", None),
    # nobody's checker
    ("", EMPTY, 3, "e1-h1", "unknown_checker"),
    ("", "b1,c1,d1,e1/R*4/~/~ D4 1", 6, "@b1", "unknown_checker"),
    # foreign checkers, even by a lawful distance, and even onto an unused square
    ("", "R*4/R*3,h4/~/~ D4 1", 2, "h4-h6", "not_your_checker"),
    ("", "R*4/R*3,h4/~/~ D4 1", 2, "h4-e2", "not_your_checker"),
    # off the path goes before everything about distance and entering
    ("", EMPTY, 5, "@c4", "off_path"),
    ("", "R*3,b1/R*4/~/~ D4 1", 2, "b1-d2", "off_path"),
    ("", "R*3,d4/R*4/~/~ D4 1", 1, "d4-d5", "foreign_home"),
    # entering
    ("", EMPTY, 5, "@b1", "entry_needs_six"),
    ("", EMPTY, 5, "@b2", "entry_needs_six"),
    ("", EMPTY, 6, "@a1", "wrong_start_square"),
    ("", EMPTY, 6, "@g2", "wrong_start_square"),
    # leaving the home
    ("", "R*3,b2/R*4/~/~ D4 1", 2, "b2-b1", "left_home"),
    ("", "R*3,b2/R*4/~/~ D4 1", 2, "b2-h1", "left_home"),
    ("", "R*3,b2/R*4/~/~ D4 1", 2, "b2-g2", "foreign_home"),
    # inside the home
    ("", "R*3,b2/R*4/~/~ D4 1", 1, "b2-a1", "home_backwards"),
    ("home_dir=both", "R*3,b2/R*4/~/~ D4 1", 1, "b2-a1", None),
    ("home_dir=both", "R*3,d4/R*4/~/~ D4 1", 1, "d4-b2", "wrong_distance"),
    ("home_jump=false", "R*2,a2,b2/R*4/~/~ D4 1", 2, "a2-c3", "home_jump"),
    ("home_jump=false", "R*2,a2,b2/R*4/~/~ D4 1", 3, "a2-c3", "home_jump"),
    ("home_jump=false", "R*2,a2,b2/R*4/~/~ D4 1", 3, "a2-b2", "wrong_distance"),
    ("home_jump=false; overshoot=bounce", "R*2,a2,d4/R*4/~/~ D4 1", 5, "a2-c3", "home_jump"),
    ("home_jump=false; overshoot=bounce", "R*2,a2,c3/R*4/~/~ D4 1", 5, "a2-c3", "home_jump"),
    ("home_jump=false; overshoot=bounce", "R*3,a2/R*4/~/~ D4 1", 5, "a2-c3", None),
    ("home_jump=false; home_dir=both", "R*2,b2,c3/R*4/~/~ D4 1", 2, "c3-a1", "home_jump"),
    ("", "R*3,b2/R*4/~/~ D4 1", 1, "b2-d4", "wrong_distance"),
    # backwards on the ring, however far
    ("", "R*3,d1/R*4/~/~ D4 1", 2, "d1-b1", "wrong_direction"),
    ("", "R*3,h8/R*4/~/~ D4 1", 1, "h8-b1", "wrong_direction"),
    ("", "R*3,a2/R*4/~/~ D4 1", 5, "a2-b1", "wrong_direction"),
    # other homes
    ("", "R*3,g1/R*4/~/~ D4 1", 2, "g1-g2", "foreign_home"),
    # past one's own corner by the very number thrown
    ("", "R*3,a3/R*4/~/~ D4 1", 6, "a3-e1", "second_lap"),
    ("geometry=B", "R*3,a2/R*4/~/~ D4 1", 2, "a2-b1", "second_lap"),
    # beyond the innermost square
    ("", "R*3,a2/R*4/~/~ D4 1", 6, "a2-c3", "overshoot"),
    ("", "R*3,a3/R*4/~/~ D4 1", 6, "a3-a1", "overshoot"),
    ("", "R*3,c3/R*4/~/~ D4 1", 3, "c3-d4", "overshoot"),
    ("", "R*3,d4/R*4/~/~ D4 1", 1, "d4-d4", "wrong_distance"),
    ("overshoot=bounce", "R*3,a2/R*4/~/~ D4 1", 6, "a2-b2", None),
    ("overshoot=bounce", "R*3,a2/R*4/~/~ D4 1", 6, "a2-d4", "wrong_distance"),
    ("overshoot=bounce", "R*3,c3/R*4/~/~ D4 1", 3, "c3-d4", "overshoot"),
    ("overshoot=bounce", "R*3,a1/R*4/~/~ D4 1", 6, "a1-d4", "overshoot"),
    ("", "R*3,a3/R*4/~/~ D4 1", 6, "a3-a2", "wrong_distance"),
    # forward by another number, or nowhere
    ("", "R*3,a2/R*4/~/~ D4 1", 4, "a2-c3", "wrong_distance"),
    ("", "R*3,b2/R*4/~/~ D4 1", 1, "b2-b2", "wrong_distance"),
    ("", "R*3,b1/R*4/~/~ D4 1", 3, "b1-f1", "wrong_distance"),
    ("", "R*3,b1/R*4/~/~ D4 1", 3, "b1-b1", "wrong_distance"),
    # closed by the options or by a corner's owner
    ("stack=block", "R*3,b1/R*2,d1*2/~/~ D4 1", 2, "b1-d1", "blocked"),
    ("stack=block", "R*3,b1/R*2,d1*2/~/~ D4 1", 4, "b1-f1", "blocked"),
    ("stack=block", "R*4/R*2,b1*2/~/~ D4 1", 6, "@b1", "blocked"),
    ("stack=block", "R*3,a2/R*2,a1*2/~/~ D4 1", 3, "a2-c3", "blocked"),
    ("stack=block", "R*3,g1/R*2,h1*2/~/~ D4 1", 2, "g1-h2", None),
    ("stack=block", "R*3,g1/R*2,h1*2/~/~ D4 1", 1, "g1-h1", "corner_occupied_by_owner"),
    ("home_internal=forbidden", "R*3,b2/R*4/~/~ D4 1", 1, "b2-c3", "blocked"),
    ("track_stack=false", "R*2,b1,d1/R*4/~/~ D4 1", 2, "b1-d1", "own_occupied"),
    ("track_stack=false", "R*3,b1/R*4/~/~ D4 1", 6, "@b1", "own_occupied"),
    ("track_stack=false", "R*2,a2,a1/R*4/~/~ D4 1", 1, "a2-a1", None),
    ("", "R*3,g1/R*3,h1/~/~ D4 1", 1, "g1-h1", "corner_occupied_by_owner"),
    ("corner=pass", "R*3,g1/R*4/~/~ D4 1", 1, "g1-h1", "corner_reserved"),
    ("geometry=B", "R*3,g1/R*4/~/~ D4 1", 1, "g1-h1", "corner_reserved"),
    ("home_capacity=1", "R*2,a2,a1/R*4/~/~ D4 1", 1, "a2-a1", "home_square_full"),
    # right, but the options demand another
    ("entry=compulsory", "R*3,b1/R*4/~/~ D4 1", 6, "b1-h1", "must_enter"),
    ("entry=compulsory; stack=block", "R*3,d1/R*2,b1*2/~/~ D4 1", 6, "d1-h3", None),
    ("must_hit=true", "R*2,b1,c1/R*3,d1/~/~ D4 1", 2, "c1-e1", "must_hit"),
    ("must_hit=true", "R*2,b1,c1/R*3,d1/~/~ D4 1", 2, "b1-d1", None),
    ("must_hit=true", "R*2,b1,c1/R*4/~/~ D4 1", 2, "c1-e1", None),
    ("must_hit=true", "R*3,c1/R*3,b1/~/~ D4 1", 6, "c1-h2", "must_hit"),
    (
        "must_hit=true; entry=compulsory; stack=block",
        "R*2,c1,d1/R,b1*2,h2/~/~ D4 1",
        6,
        "d1-h3",
        "must_hit",
    ),
    ("must_hit=true; entry=compulsory", "R*3,b1/R*3,h1/~/~ D4 1", 6, "@b1", None),
    # passing
    ("", EMPTY, 6, "--", "must_move"),
    ("", "R*3,b1/R*4/~/~ D4 1", 1, "--", "must_move"),
    ("must_move=false", "R*3,b1/R*4/~/~ D4 1", 1, "--", None),
    ("", "R*3,b2/R*4/~/~ D4 1", 1, "--", None),
    ("home_internal=compulsory", "R*3,b2/R*4/~/~ D4 1", 1, "--", "must_move"),
    ("", "a1,b2,c3,d4/R*4/~/~ D4 0", 1, "--", "game_over"),
    ("", "a1,b2,c3,d4/R*4/~/~ D4 0", 1, "a1-b2", "game_over"),
]


@pytest.mark.parametrize(("options", "before", "die", "text", "reason"), REASONS)
def test_reason(options: str, before: str, die: int, text: str, reason: str | None) -> None:
    """The first reason in the documented order is given, or none for a legal act."""
    rules = parse_options(options)
    position = parse_position(before, rules)
    assert reason_against(position, die, parse_move(text), rules) == reason


def test_a_move_without_a_throw() -> None:
    """Without a throw to be played any moved checker moved too early; passing is no act."""
    position = parse_position("R*3,b1/R*4/~/~ D4 1", Rules())
    assert reason_against(position, None, parse_move("b1-c1"), Rules()) is Reason.MOVED_BEFORE_THROW
    assert reason_against(position, None, None, Rules()) is None


def test_whose_checker_came_from_the_reserve() -> None:
    """Squares do not tell whose checker was put down, so the caller may say it."""
    position = parse_position(EMPTY, Rules())
    move = parse_move("@h2")
    assert reason_against(position, 6, move, Rules()) is Reason.WRONG_START_SQUARE
    assert reason_against(position, 6, move, Rules(), Seat.D3) is Reason.NOT_YOUR_CHECKER


def test_whose_checker_left_a_shared_corner() -> None:
    """On a shared corner the mover's own checker is meant unless the caller says otherwise."""
    rules = parse_options("corner=share")
    position = parse_position("R*3,a1/R*3,a1/~/~ D3 1", rules)
    move = parse_move("a1-b1")
    assert reason_against(position, 1, move, rules) is None
    assert reason_against(position, 1, move, rules, Seat.D4) is Reason.NOT_YOUR_CHECKER


# Options, position, throw and act: what is earned and the position after.
CONSEQUENCES = [
    ("", "R*3,b1/R*4/~/~ D4 1", 6, "b1-h1", ["six"], "R*3,h1/R*4/~/~ D4 1"),
    ("", "R*3,b1/R*3,h1/~/~ D4 1", 6, "@b1", ["six"], "R*2,b1*2/R*3,h1/~/~ D4 1"),
    ("", "R*3,b1/R*2,f1*2/~/~ D4 1", 4, "b1-f1", ["knock_out"], "R*3,f1/R*4/~/~ D4 1"),
    ("", "R*3,c1/R*3,h2/~/~ D4 1", 6, "c1-h2", ["six"], "R*3,h2/R*4/~/~ D4 1"),
    (
        "bonus=cumulative",
        "R*3,c1/R*3,h2/~/~ D4 1",
        6,
        "c1-h2",
        ["six", "knock_out"],
        "R*3,h2/R*4/~/~ D4 2",
    ),
    ("bonus=cumulative", "R*3,c1/R*4/~/~ D4 2", 1, "c1-d1", [], "R*3,d1/R*4/~/~ D4 1"),
    ("six_bonus=if_used", "a2,b2,c3,d4/R*4/~/~ D4 1", 6, "--", [], "a2,b2,c3,d4/R*4/~/~ D3 1"),
    ("", "a2,b2,c3,d4/R*4/~/~ D4 1", 6, "--", ["six"], "a2,b2,c3,d4/R*4/~/~ D4 1"),
    # winning ends everything, and its knock-out counts all the same
    ("", "a2,b2,c3,d4/R*3,a1/~/~ D4 2", 1, "a2-a1", [], "a1,b2,c3,d4/R*4/~/~ D4 0"),
    # the owner coming back to his corner enters it, and what stands there is knocked out
    ("home_dir=both", "R*3,b2/R*3,a1/~/~ D4 1", 1, "b2-a1", ["knock_out"], "R*3,a1/R*4/~/~ D4 1"),
    # on a shared corner only the guest is knocked out
    (
        "corner=share",
        "R*3,a1/R*3,a3/R*3,a1/~ D3 1",
        2,
        "a3-a1",
        ["knock_out"],
        "R*3,a1/R*3,a1/R*4/~ D3 1",
    ),
    ("corner=hit", "R*3,a1/R*3,a3/~/~ D3 1", 2, "a3-a1", ["knock_out"], "R*4/R*3,a1/~/~ D3 1"),
]


@pytest.mark.parametrize(("options", "before", "die", "text", "earned", "after"), CONSEQUENCES)
def test_consequences(
    options: str, before: str, die: int, text: str, earned: list[str], after: str
) -> None:
    """A throw earns what the rules say and leaves the position they say."""
    rules = parse_options(options)
    played = play(parse_position(before, rules), die, parse_move(text), rules)
    assert [*played.extra_throws] == earned
    assert played.extra_throw == (earned[0] if earned else None)
    assert position_text(played.after, rules) == after


def test_a_move_tells_its_story() -> None:
    """Everything an announcer needs stands in the played throw."""
    position = parse_position("R*3,a4/R*3,a1/~/~ D4 1", Rules())
    played = play(position, 4, parse_move("a4-a1"), Rules())
    assert (played.seat, played.steps, played.die) == (Seat.D4, 4, 4)
    assert played.knocked == ((Seat.D3, 1),)
    assert played.knocked_square == parse_square("a1")
    assert played.came_home
    assert played.extra_throw is ExtraThrow.KNOCK_OUT
    assert (played.again, played.throws_due, played.winner) == (True, 1, None)
    assert played.before == position


def test_entering_and_passing_go_no_steps() -> None:
    """Only a checker on its path makes steps."""
    start = Position.start(SEATS)
    assert play(start, 6, parse_move("@b1"), Rules()).steps == 0
    assert play(start, 5, None, Rules()).steps == 0


def test_moving_inside_the_home_is_not_coming_home() -> None:
    """A checker comes home once."""
    position = parse_position("R*3,b2/R*4/~/~ D4 1", Rules())
    assert not play(position, 1, parse_move("b2-c3"), Rules()).came_home


def test_the_third_six_ends_the_turn() -> None:
    """With three_sixes=end_turn it is played, its knock-out counts, and all else is lost."""
    rules = parse_options("three_sixes=end_turn; bonus=cumulative")
    position = parse_position("R*4/R*3,b1/~/~ D4 2", rules)._replace(sixes_in_row=2)
    played = play(position, 6, parse_move("@b1"), rules)
    assert (played.knocked, played.extra_throws) == (((Seat.D3, 1),), ())
    assert position_text(played.after, rules) == "R*3,b1/R*4/~/~ D3 1"


def test_sixes_count_in_a_row_only() -> None:
    """Another number between two sixes begins the count anew, within one turn too."""
    rules = parse_options("three_sixes=end_turn")
    position = parse_position("R*4/R*3,c1/~/~ D4 1", rules)
    counts = []
    for die, text in ((6, "@b1"), (1, "b1-c1"), (6, "@b1"), (6, "@b1")):
        position = play(position, die, parse_move(text), rules).after
        counts.append(position.sixes_in_row)
    assert counts == [1, 0, 1, 2]


def test_tries_without_a_checker_on_the_ring() -> None:
    """With idle_tries=3 a turn that uses nothing has three throws, and then passes."""
    rules = parse_options("idle_tries=3")
    position = Position.start(SEATS)
    movers = []
    for _ in range(7):
        movers.append(position.to_move)
        played = play(position, 1, None, rules)
        assert played.extra_throw is None
        position = played.after
    assert movers == [Seat.D4] * 3 + [Seat.D3] * 3 + [Seat.D2]


def test_no_second_try_with_a_checker_on_the_ring() -> None:
    """With a checker on the ring an unused throw ends the turn."""
    rules = parse_options("idle_tries=3")
    position = parse_position("a2,R,c3,d4/R*4/~/~ D4 1", rules)
    assert play(position, 5, None, rules).after.to_move is Seat.D3


def test_two_ways_from_one_square() -> None:
    """With home_dir=both a checker may have two moves by one throw."""
    rules = parse_options("home_dir=both")
    position = parse_position("R*3,b2/R*4/~/~ D4 1", rules)
    assert texts(choices(position, 1, rules)) == ["--", "b2-a1", "b2-c3"]
    assert may_pass(position, 1, rules)
