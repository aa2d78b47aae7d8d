"""The ring, the homes and the paths."""

import pytest

from referee.paths import (
    RING,
    corner,
    home,
    home_index,
    path,
    path_indices,
    start_square,
    used_squares,
)
from referee.rules import Geometry, Rules
from tabletop import SEATS, SQUARES, Seat, is_dark, square_file, square_name, square_rank


def names(squares: tuple[int, ...]) -> str:
    """Write squares with spaces."""
    return " ".join(square_name(at) for at in squares)


def test_ring_goes_once_round_the_rim() -> None:
    """The ring is the 28 squares of the rim, each next to the one before."""
    assert len(RING) == len({*RING}) == 28
    for at, after in zip(RING, RING[1:] + RING[:1], strict=True):
        apart = abs(square_file(at) - square_file(after)) + abs(
            square_rank(at) - square_rank(after)
        )
        assert apart == 1
    assert names(RING[:8]) == "a1 b1 c1 d1 e1 f1 g1 h1"


@pytest.mark.parametrize(
    ("rotation", "corners", "starts"),
    [
        (0, "a1 h1 h8 a8", "b1 h2 g8 a7"),
        (1, "h1 h8 a8 a1", "h2 g8 a7 b1"),
        (2, "h8 a8 a1 h1", "g8 a7 b1 h2"),
        (3, "a8 a1 h1 h8", "a7 b1 h2 g8"),
    ],
)
def test_seats_may_be_turned(rotation: int, corners: str, starts: str) -> None:
    """A quarter turn moves every seat one corner on; their order stays counter-clockwise."""
    rules = Rules(rotation=rotation)
    assert names(tuple(corner(seat, rules) for seat in SEATS)) == corners
    assert names(tuple(start_square(seat, rules) for seat in SEATS)) == starts


def test_homes_lead_to_the_centre() -> None:
    """Each home is the half diagonal from its corner; those of a1 and h8 are dark."""
    rules = Rules()
    assert [names(home(seat, rules)) for seat in SEATS] == [
        "a1 b2 c3 d4",
        "h1 g2 f3 e4",
        "h8 g7 f6 e5",
        "a8 b7 c6 d5",
    ]
    assert all(is_dark(at) for at in home(Seat.D4, rules) + home(Seat.D2, rules))


def test_the_short_ring_skips_foreign_corners() -> None:
    """With geometry B a path has 24 squares and the home, and no foreign corner."""
    rules = Rules(geometry=Geometry.B)
    assert home_index(rules) == 24
    for seat in SEATS:
        way = path(seat, rules)
        assert len(way) == 28
        assert {corner(other, rules) for other in SEATS} & {*way} == {corner(seat, rules)}


@pytest.mark.parametrize("geometry", Geometry)
def test_indices_are_the_path_backwards(geometry: Geometry) -> None:
    """Looking up a square gives the index at which the path has it."""
    rules = Rules(geometry=geometry)
    for seat in SEATS:
        way = path(seat, rules)
        assert [path_indices(seat, rules)[at] for at in way] == [*range(len(way))]


def test_forty_squares_are_used() -> None:
    """24 squares are neither rim nor diagonal."""
    assert len({*SQUARES} - used_squares(Rules())) == 24
