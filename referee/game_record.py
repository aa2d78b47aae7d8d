"""A recorded game: what was agreed, and what was done with every throw.

What a player did is kept, and nothing that follows from it: turns, their numbers and all marks
come from replaying the game, so that a record cannot contradict itself.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from referee.moves import IllegalMoveError, Move, Played, move_text, play, reason_against
from referee.position import Position, position_text
from referee.rules import Rules
from tabletop import Colour, Seat

GAME: Final = "Pachisi"
FORMAT: Final = "pachisi/1"
"""The game and the form of its record, as the first tags name them."""


class Ending(StrEnum):
    """How a record ends when nobody won."""

    ABANDONED = "abandoned"
    UNFINISHED = "*"


Result: TypeAlias = Seat | Ending


@dataclass(frozen=True, slots=True)
class Header:
    """What was agreed before the first throw.

    Attributes:
        seats: who plays, in the order of play.
        first: who begins; the first of the seats by default.
        names: the players' names, one a seat; "Player D4" and so on by default.
        colours: the players' colours, one a seat, or none where they are not known.
        rules: what the table plays by.
        stake: what each player paid in.
        fine: what each knocked-out checker costs.
        unit: what stake and fine are counted in.
        event: the occasion.
        date: as 2026.11.30, with question marks for what is not known.
        setup: the position with which the record begins, where that is in the middle of a game.
        left: who left the game so that one alone was left to win.
        others: further tags with their texts.

    Raises:
        ValueError: fewer than two play, or names, colours and seats do not match.
    """

    seats: tuple[Seat, ...]
    first: Seat | None = None
    names: tuple[str, ...] = ()
    colours: tuple[Colour, ...] = ()
    rules: Rules = field(default_factory=Rules)
    stake: int = 10
    fine: int = 1
    unit: str = "points"
    event: str = "?"
    date: str = "????.??.??"
    setup: Position | None = None
    left: tuple[Seat, ...] = ()
    others: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", self.start.to_move)
        if self.setup is not None and self.setup.seats != self.seats:
            raise ValueError(f"the seats of the position set are not {self.seats}")
        if self.seats != tuple(seat for seat in Seat if seat in self.seats):
            raise ValueError(f"seats stand in the order of play, each once: not {self.seats}")
        if not self.names:
            object.__setattr__(self, "names", tuple(f"Player {seat}" for seat in self.seats))
        if len(self.names) != len(self.seats):
            raise ValueError(f"{len(self.seats)} players cannot have {len(self.names)} names")
        if len(self.colours) not in (0, len(self.seats)):
            raise ValueError(f"{len(self.seats)} players cannot have {len(self.colours)} colours")

    @property
    def start(self) -> Position:
        """The position before the first throw."""
        return self.setup or Position.start(self.seats, self.first)

    @property
    def last_seat(self) -> Seat | None:
        """Who won because all others left; None where several stayed."""
        stayed = [seat for seat in self.seats if seat not in self.left]
        return stayed[0] if len(stayed) == 1 else None


class Action(NamedTuple):
    """One throw and what was done with it; a move of None is a pass."""

    die: int
    move: Move | None
    comment: str = ""


class Turn(NamedTuple):
    """The throws one player made in a row."""

    number: int
    seat: Seat
    played: tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A whole game, or as much of it as was played.

    Attributes:
        header: what was agreed before the first throw.
        actions: every throw in order.
        result: who won, or how it ended without a winner.
        comment: what is said before the first turn.
    """

    header: Header
    actions: tuple[Action, ...] = ()
    result: Result = Ending.UNFINISHED
    comment: str = ""


def replay(record: GameRecord) -> tuple[Played, ...]:
    """Play a record from its start and return every throw with its consequences.

    Raises:
        IllegalMoveError: a move is not legal; the text names the throw and the position.
    """
    return tuple(_replayed(record))


def final_position(record: GameRecord) -> Position:
    """Return the position in which a record ends; raises as `replay` does."""
    position = record.header.start
    for played in _replayed(record):
        position = played.after
    return position


def turns(played: Iterable[Played]) -> tuple[Turn, ...]:
    """Return the throws of a game grouped into turns, numbered from 1."""
    grouped = groupby(played, key=lambda throw: throw.seat)
    return tuple(
        Turn(number, seat, tuple(throws)) for number, (seat, throws) in enumerate(grouped, 1)
    )


def action_text(played: Played) -> str:
    """Write one throw with all its marks, as in ``5 f1-h4xD4+``."""
    knocks = "".join(
        f"x{seat}" + (f"*{count}" if count > 1 else "") for seat, count in played.knocked
    )
    home = "^" if played.came_home else ""
    end = "#" if played.winner else "+" if played.again else ""
    return f"{played.die} {move_text(played.move)}{knocks}{home}{end}"


def one_line(text: str) -> str:
    """Return a name or a comment as a record can hold it: every stretch of spaces is one space."""
    return " ".join(text.split())


def check_result(result: Result, final: Position, header: Header) -> None:
    """Compare a result with the position a game ends in, and with who left.

    Raises:
        ValueError: they contradict each other.
    """
    if final.winner is None and header.last_seat is not None:
        if result != header.last_seat:
            raise ValueError(f"the result is {result}, but all others left {header.last_seat}")
        return
    if final.winner is None and isinstance(result, Seat):
        raise ValueError(f"the result is {result}, but nobody has won")
    if final.winner is not None and result != final.winner:
        raise ValueError(f"the result is {result}, but {final.winner} has won")


def _replayed(record: GameRecord) -> Iterator[Played]:
    position, rules = record.header.start, record.header.rules
    for number, (die, move, _) in enumerate(record.actions, 1):
        reason = reason_against(position, die, move, rules)
        if reason is not None:
            where = f"throw {number}, a {die} in {position_text(position, rules)}"
            raise IllegalMoveError(f"{move_text(move)} is illegal at {where}: {reason}")
        played = play(position, die, move, rules)
        yield played
        position = played.after
