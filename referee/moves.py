"""Moves: how they are written, which are legal, and what they do."""

from enum import StrEnum
from typing import NamedTuple

from referee.legal import legal_moves, may_pass, reason_against
from referee.paths import RESERVE
from referee.position import Checkers, Position
from referee.rules import Bonus, Rules, SixBonus, ThreeSixes
from referee.steps import Move, all_steps
from tabletop import SEATS, Seat, Square, parse_square, square_name

__all__ = [
    "AmbiguousMoveError",
    "ExtraThrow",
    "IllegalMoveError",
    "InvalidMoveError",
    "Move",
    "Played",
    "legal_moves",
    "may_pass",
    "move_text",
    "parse_move",
    "play",
    "reason_against",
]


class InvalidMoveError(ValueError):
    """The text is no move: whoever wrote it can mend it."""


class IllegalMoveError(ValueError):
    """The move is not legal here: whoever played it can mend it."""


class AmbiguousMoveError(ValueError):
    """The text fits several legal moves: more of it must be written."""


class ExtraThrow(StrEnum):
    """What an extra throw is for."""

    SIX = "six"
    KNOCK_OUT = "knock_out"


class Played(NamedTuple):
    """A throw that was played, with all its consequences.

    Attributes:
        before: the position before the throw.
        after: the position after it.
        die: the value thrown.
        move: what was moved; None is a pass.
        steps: how far the checker went along its path; 0 where it entered and for a pass.
        knocked: the seats whose checkers were knocked out, each with how many.
        knocked_square: where that happened.
        came_home: the checker came from the ring into its home.
        extra_throws: what was earned, one reason for each extra throw.
    """

    before: Position
    after: Position
    die: int
    move: Move | None
    steps: int
    knocked: tuple[tuple[Seat, int], ...]
    knocked_square: Square | None
    came_home: bool
    extra_throws: tuple[ExtraThrow, ...]

    @property
    def seat(self) -> Seat:
        """Who threw."""
        return self.before.to_move

    @property
    def extra_throw(self) -> ExtraThrow | None:
        """What the extra throw was earned for, if one was."""
        return self.extra_throws[0] if self.extra_throws else None

    @property
    def again(self) -> bool:
        """Whether another throw is due to the same player."""
        return self.after.winner is None and self.after.to_move is self.before.to_move

    @property
    def throws_due(self) -> int:
        """How many throws the player whose turn it is now has."""
        return self.after.throws_due

    @property
    def winner(self) -> Seat | None:
        """Who has won, if anybody."""
        return self.after.winner


def move_text(move: Move | None) -> str:
    """Write a move; None is a pass.

    >>> move_text(Move(None, 1)), move_text(Move(1, 5)), move_text(None)
    ('@b1', 'b1-f1', '--')
    """
    if move is None:
        return "--"
    if move.source is None:
        return f"@{square_name(move.target)}"
    return f"{square_name(move.source)}-{square_name(move.target)}"


def parse_move(text: str) -> Move | None:
    """Return the move that *text* writes, whatever the position; the twin of `move_text`.

    An entry may also be written ``R-b1``.

    Raises:
        InvalidMoveError: the text is no move.
    """
    plain = text.strip()
    if plain == "--":
        return None
    source, _, target = ("R", "-", plain[1:]) if plain[:1] == "@" else plain.partition("-")
    try:
        return Move(None if source == "R" else parse_square(source), parse_square(target))
    except ValueError:
        shapes = "moves look like b1-f1, @b1 (enter) or -- (pass)"
        raise InvalidMoveError(f"{plain!r} is no move: {shapes}") from None


def play(position: Position, die: int, move: Move | None, rules: Rules) -> Played:
    """Return what *move* does with the throw *die*; None passes.

    This trusts the caller: whether the move is legal is for `reason_against`.
    """
    steps = all_steps(rules)[position.to_move]
    checkers = position.checkers
    knocked: tuple[tuple[Seat, int], ...] = ()
    distance = 0
    came_home = won = False
    if move is not None:
        source, target = steps.indices[move.source], steps.indices[move.target]
        own = list(checkers[steps.number])
        own.remove(source)
        own.append(target)
        own.sort()
        moved = list(checkers)
        moved[steps.number] = tuple(own)
        for number, index in steps.victims[target]:
            if index in moved[number]:
                moved[number], count = _knocked_out(moved[number], index)
                knocked = (*knocked, (SEATS[number], count))
        checkers = tuple(moved)
        if source != RESERVE:
            distance = die
        if source < steps.home <= target:
            came_home = True
            won = own[0] >= steps.home
    extra = () if won else _extra_throws(position, die, move, knocked, rules)
    if won:
        after = Position(checkers, position.to_move, 0, 0, 0, position.to_move)
    else:
        after = _after_throw(position, die, move, checkers, len(extra), rules)
    where = move.target if move is not None and knocked else None
    return Played(position, after, die, move, distance, knocked, where, came_home, extra)


def _knocked_out(checkers: tuple[int, ...], index: int) -> tuple[tuple[int, ...], int]:
    """Return the checkers with all those on *index* in the reserve, and how many those were."""
    count = checkers.count(index)
    return (RESERVE,) * count + tuple(at for at in checkers if at != index), count


def _extra_throws(
    position: Position,
    die: int,
    move: Move | None,
    knocked: tuple[tuple[Seat, int], ...],
    rules: Rules,
) -> tuple[ExtraThrow, ...]:
    """Return what the throw earns."""
    if die == 6 and rules.three_sixes is ThreeSixes.END_TURN and position.sixes_in_row == 2:
        return ()
    earned = []
    if die == 6 and (move is not None or rules.six_bonus is SixBonus.ALWAYS):
        earned.append(ExtraThrow.SIX)
    if knocked and (not earned or rules.bonus is Bonus.CUMULATIVE):
        earned.append(ExtraThrow.KNOCK_OUT)
    return tuple(earned)


def _after_throw(
    position: Position,
    die: int,
    move: Move | None,
    checkers: Checkers,
    earned: int,
    rules: Rules,
) -> Position:
    """Return the position after a throw that did not win, with the next throw's player."""
    seat = position.to_move
    steps = all_steps(rules)[seat]
    due = position.throws_due - 1 + earned
    sixes = tries = 0
    if rules.three_sixes is ThreeSixes.END_TURN and die == 6:
        sixes = position.sixes_in_row + 1
    if rules.idle_tries > 1:
        tries = position.tries + 1
        idle = move is None and not any(0 <= at < steps.home for at in checkers[steps.number])
        if due == 0 and idle and tries < rules.idle_tries:
            due = 1
    if due and sixes < 3:
        return Position(checkers, seat, due, sixes, tries)
    return Position(checkers, next(other for other, number in steps.order if checkers[number]))
