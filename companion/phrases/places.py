"""Squares by place, for boards without letters: counted from the corners of those who play."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from referee.paths import RING, corner, home
from referee.rules import Rules
from tabletop import Seat, Square


class Kind(StrEnum):
    """Where a square is."""

    RING = "ring"
    """On the ring, so many squares after a player's corner, counter-clockwise."""
    CORNER = "corner"
    HOME = "home"
    """In a player's home, the corner being the first of its squares."""


class Place(NamedTuple):
    """A square by its place: whose it is counted from, and its number from there."""

    kind: Kind
    seat: Seat
    number: int


def place_of(at: Square, seats: Iterable[Seat], rules: Rules) -> Place | None:
    """Return the place of a square; None where it is on nobody's way.

    >>> from tabletop import parse_square
    >>> place_of(parse_square("d1"), [Seat.D4, Seat.D2], Rules()).number
    3
    """
    playing = tuple(seats)
    for seat in playing:
        squares = home(seat, rules)
        if at in squares:
            number = squares.index(at) + 1
            return Place(Kind.CORNER if number == 1 else Kind.HOME, seat, number)
    if at not in RING:
        return None
    corners = {corner(seat, rules): seat for seat in playing}
    index = RING.index(at)
    back = next(n for n in range(len(RING)) if RING[index - n] in corners)
    return Place(Kind.RING, corners[RING[index - back]], back)
