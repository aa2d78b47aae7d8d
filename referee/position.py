"""A position: where every checker is, whose turn it is, and how many throws are due."""

from collections.abc import Iterable
from typing import NamedTuple, Self, TypeAlias

from referee.paths import RESERVE, corner, home_index, path, path_indices
from referee.rules import Corner, Rules
from tabletop import (
    CHECKERS_EACH,
    SEATS,
    Seat,
    Square,
    parse_seat,
    parse_square,
    square_name,
)

Checkers: TypeAlias = tuple[tuple[int, ...], ...]
"""For each seat, D4 first, the path indices of its checkers in rising order; an empty tuple is a
seat where nobody plays."""

ALL_WAITING = (RESERVE,) * CHECKERS_EACH


class Position(NamedTuple):
    """One moment of a game, between two throws.

    A tuple, and not a dataclass, because millions of them are made in a measurement and a tuple
    is made several times as fast.

    Attributes:
        checkers: for each seat, D4 first, the sorted path indices of its four checkers.
        to_move: whose throw is due; after the end, who won.
        throws_due: how many throws that player still has, the next one counted; 0 after the end.
        sixes_in_row: sixes just thrown one after another; counted where the rules ask for it.
        tries: throws already made in this turn; counted where the rules ask for it.
        winner: who has won.
    """

    checkers: Checkers
    to_move: Seat
    throws_due: int = 1
    sixes_in_row: int = 0
    tries: int = 0
    winner: Seat | None = None

    @classmethod
    def start(cls, seats: Iterable[Seat], first: Seat | None = None) -> Self:
        """Return the position before the first throw; the first seat in play begins by default.

        Raises:
            ValueError: fewer than two play, or *first* does not.
        """
        playing = frozenset(seats)
        if len(playing) < 2:
            raise ValueError(f"two to four play, not {len(playing)}")
        begins = first or next(seat for seat in SEATS if seat in playing)
        if begins not in playing:
            raise ValueError(f"{begins} cannot begin: nobody plays at that seat")
        return cls(tuple(ALL_WAITING if seat in playing else () for seat in SEATS), begins)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in play, in the order of play."""
        return tuple(seat for seat, own in zip(SEATS, self.checkers, strict=True) if own)

    def of(self, seat: Seat) -> tuple[int, ...]:
        """Return the path indices of a seat's checkers, empty where nobody plays there."""
        return self.checkers[SEATS.index(seat)]


def without_seat(position: Position, seat: Seat) -> Position:
    """Return *position* after the player on *seat* left: his checkers are gone.

    Where it was his throw, the next player throws afresh.
    """
    number = SEATS.index(seat)
    checkers = (*position.checkers[:number], (), *position.checkers[number + 1 :])
    if position.to_move is not seat:
        return position._replace(checkers=checkers)
    turn = SEATS[number + 1 :] + SEATS[:number]
    return Position(checkers, next(other for other in turn if checkers[SEATS.index(other)]))


def reserve_count(position: Position, seat: Seat) -> int:
    """Return how many checkers of *seat* wait beside the board."""
    return position.of(seat).count(RESERVE)


def home_count(position: Position, seat: Seat, rules: Rules) -> int:
    """Return how many checkers of *seat* are at home."""
    return sum(index >= home_index(rules) for index in position.of(seat))


def standing(position: Position, rules: Rules) -> dict[Square, tuple[tuple[Seat, int], ...]]:
    """Return what stands where: for each occupied square the seats there, each with how many."""
    counts: dict[Square, dict[Seat, int]] = {}
    for seat in position.seats:
        way = path(seat, rules)
        for index in position.of(seat):
            if index != RESERVE:
                here = counts.setdefault(way[index], {})
                here[seat] = here.get(seat, 0) + 1
    return {at: tuple(here.items()) for at, here in counts.items()}


def position_text(position: Position, rules: Rules) -> str:
    """Write a position on one line: the checkers of D4/D3/D2/D1, the mover, the throws due.

    Sixes in a row and tries used are not written; a position read back begins with none.

    >>> position_text(Position.start([Seat.D4, Seat.D2]), Rules())
    'R*4/~/R*4/~ D4 1'
    """
    places = "/".join(_checkers_text(position, seat, rules) for seat in SEATS)
    return f"{places} {position.to_move} {position.throws_due}"


def parse_position(text: str, rules: Rules) -> Position:
    """Return the position that *text* writes; the twin of `position_text`.

    Raises:
        ValueError: the text is malformed, or no such position can stand on the table.
    """
    try:
        words = text.split()
        parts = words[0].split("/") if words else []
        if len(words) != 3 or len(parts) != len(SEATS) or not words[2].lstrip("-").isdecimal():
            raise ValueError("four seats' checkers, whose turn it is, and how many throws are due")
        checkers = tuple(
            _parse_checkers(part, seat, rules) for part, seat in zip(parts, SEATS, strict=True)
        )
        position = Position(checkers, parse_seat(words[1]), int(words[2]))
    except ValueError as error:
        shape = "R*2,b1,d4/R*4/R,g8*2,h8/~ D4 1"
        raise ValueError(f"{text!r} is no position like {shape}: {error}") from None
    winner = next((s for s in position.seats if home_count(position, s, rules) == 4), None)
    position = position._replace(winner=winner)
    trouble = _trouble(position, rules)
    if trouble:
        raise ValueError(f"{text!r} cannot be a position: {trouble}")
    return position


def _checkers_text(position: Position, seat: Seat, rules: Rules) -> str:
    own = position.of(seat)
    if not own:
        return "~"
    way = path(seat, rules)
    names = []
    for index in sorted(set(own)):
        name = "R" if index == RESERVE else square_name(way[index])
        count = own.count(index)
        names.append(name if count == 1 else f"{name}*{count}")
    return ",".join(names)


def _parse_checkers(text: str, seat: Seat, rules: Rules) -> tuple[int, ...]:
    if text == "~":
        return ()
    indices = path_indices(seat, rules)
    own: list[int] = []
    for part in text.split(","):
        name, several, count = part.partition("*")
        if several and count not in ("2", "3", "4"):
            raise ValueError(f"{part!r} is no number of checkers")
        at = None if name == "R" else parse_square(name)
        if at is not None and at not in indices:
            raise ValueError(f"no checker of {seat} can stand on {name}")
        own += [RESERVE if at is None else indices[at]] * int(count or 1)
    if len(own) != CHECKERS_EACH:
        raise ValueError(f"{seat} has {CHECKERS_EACH} checkers, not {len(own)}")
    return tuple(sorted(own))


def _trouble(position: Position, rules: Rules) -> str | None:
    """Return in words what is impossible about a position; None where nothing is."""
    if len(position.seats) < 2:
        return "fewer than two play"
    if position.to_move not in position.seats:
        return f"nobody plays at {position.to_move}, whose throw it is"
    if position.winner is not None:
        if (position.to_move, position.throws_due) != (position.winner, 0):
            return f"{position.winner} has won, it is nobody's throw"
    elif position.throws_due < 1:
        return "nobody has won, so at least one throw is due"
    for at, here in standing(position, rules).items():
        sharing = [seat for seat, _ in here]
        hosted = rules.corner is Corner.SHARE and at in (corner(s, rules) for s in sharing)
        if len(sharing) > (2 if hosted else 1):
            return f"checkers of {' and '.join(sharing)} stand together on {square_name(at)}"
    return None
