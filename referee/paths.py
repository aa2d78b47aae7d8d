"""The ring, the homes, and each seat's path from its start square to the centre.

A path is counted from 0, the start square; its last four squares are the home, whose first is the
corner. `RESERVE` stands for the place beside the board.
"""

from functools import cache
from typing import Final

from referee.rules import Geometry, Rules
from tabletop import SEATS, Seat, Square, square

RESERVE: Final = -1
"""The path index of a checker beside the board."""

HOME_SQUARES: Final = 4

RING: Final[tuple[Square, ...]] = (
    *(square(file, 0) for file in range(8)),
    *(square(7, rank) for rank in range(1, 8)),
    *(square(file, 7) for file in range(6, -1, -1)),
    *(square(0, rank) for rank in range(6, 0, -1)),
)
"""The 28 squares of the rim, counter-clockwise from a1."""

_SIDE: Final = 7  # from one corner to the next along the ring
_CORNERS: Final = RING[::_SIDE]


@cache
def corner(seat: Seat, rules: Rules) -> Square:
    """Return the corner of a seat's home."""
    return _CORNERS[_quarter(seat, rules)]


@cache
def home(seat: Seat, rules: Rules) -> tuple[Square, ...]:
    """Return the four squares of a seat's home, from the corner to the centre."""
    turns = _quarter(seat, rules)
    # The diagonal from a1, turned as often by a quarter: (file, rank) becomes (7 - rank, file).
    squares = [(step, step) for step in range(HOME_SQUARES)]
    for _ in range(turns):
        squares = [(_SIDE - rank, file) for file, rank in squares]
    return tuple(square(file, rank) for file, rank in squares)


@cache
def path(seat: Seat, rules: Rules) -> tuple[Square, ...]:
    """Return the squares a checker of *seat* passes, from its start square to the centre.

    >>> from tabletop import square_name
    >>> " ".join(square_name(at) for at in path(Seat.D4, Rules())[-6:])
    'a3 a2 a1 b2 c3 d4'
    """
    begin = _SIDE * _quarter(seat, rules) + 1
    ring = (RING[begin:] + RING[:begin])[:-1]
    if rules.geometry is Geometry.B:
        ring = tuple(at for at in ring if at not in _CORNERS)
    return ring + home(seat, rules)


@cache
def start_square(seat: Seat, rules: Rules) -> Square:
    """Return the square on which a checker of *seat* enters."""
    return path(seat, rules)[0]


@cache
def home_index(rules: Rules) -> int:
    """Return the path index of the corner, the first square of every home."""
    return len(path(Seat.D4, rules)) - HOME_SQUARES


@cache
def path_indices(seat: Seat, rules: Rules) -> dict[Square, int]:
    """Return the path index of every square a checker of *seat* may stand on; not to be changed."""
    return {at: index for index, at in enumerate(path(seat, rules))}


@cache
def used_squares(rules: Rules) -> frozenset[Square]:
    """Return the 40 squares of the ring and the homes; a checker elsewhere is always an error."""
    return frozenset(RING).union(*(home(seat, rules) for seat in SEATS))


def _quarter(seat: Seat, rules: Rules) -> int:
    """Return at which corner a seat's home is: 0 for a1, then counter-clockwise."""
    return (SEATS.index(seat) + rules.rotation) % len(SEATS)
