"""Which way the board lies: told by whose checkers stand at which corner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from calibration.naming import distance_to_name
from tabletop import SEATS, BoardLocation, Colour, Point, Seat
from vision.palette import Lab

# The corners in the order of `BoardLocation`; from each a home leads to the centre.
HOMES: Final = tuple(
    tuple((x + step * along_x, y + step * along_y) for step in range(4))
    for x, y, along_x, along_y in ((0, 0, 1, 1), (7, 0, -1, 1), (7, 7, -1, -1), (0, 7, 1, -1))
)
"""(file, rank) of the four squares of the home at a1, h1, h8 and a8."""

# What a missing checker, or one too many, weighs beside the distances of colours.
_PENALTY: Final = 100.0
# The best way must beat the second best by this much to be believed.
_LEAST_MARGIN: Final = 6.0


@dataclass(frozen=True, slots=True)
class CornerHome:
    """What is seen on the home at one corner.

    Attributes:
        standing: for each of its four squares, from the corner on, whether a checker is there.
        lab: the mean colour of those checkers; None where there is none.
    """

    standing: tuple[bool, bool, bool, bool]
    lab: Lab | None


@dataclass(frozen=True, slots=True)
class Way:
    """One way the players may sit round the board as it was found.

    Attributes:
        corner: of D4's home, an index of `HOMES`.
        cost: how badly it fits what is seen.
    """

    corner: int
    cost: float

    def corner_of(self, seat: Seat) -> int:
        """Return the corner of a seat's home, an index of `HOMES`."""
        return (self.corner + SEATS.index(seat)) % 4


def likely_ways(homes: tuple[CornerHome, ...], seats: Mapping[Seat, Colour]) -> tuple[Way, ...]:
    """Return the four ways the players may sit, the one that fits best first."""
    return tuple(sorted((_way(corner, homes, seats) for corner in range(4)), key=_cost))


def is_decided(ways: tuple[Way, ...]) -> bool:
    """Tell whether the best way fits clearly better than the second."""
    return ways[1].cost - ways[0].cost >= _LEAST_MARGIN


def name_corners(location: BoardLocation, way: Way) -> tuple[BoardLocation, int]:
    """Return the location with the names that this *way* gives, and the rotation of the seats.

    D4's home lies at a1 if its corner is dark. Else the seats are rotated by one quarter turn
    counter-clockwise: D4's home is at h1.
    """
    rotation = way.corner % 2
    start = (way.corner - rotation) % 4
    a1, h1, h8, a8 = (location.corners[(start + step) % 4] for step in range(4))
    named = BoardLocation((a1, h1, h8, a8), location.confidence, location.distortion)
    return named, rotation


def turned(place: Point, way: Way) -> Point:
    """Return board coordinates under the found names as coordinates under this way's names."""
    x, y = place
    return (x, y) if way.corner in (0, 1) else (8.0 - x, 8.0 - y)


def _way(corner: int, homes: tuple[CornerHome, ...], seats: Mapping[Seat, Colour]) -> Way:
    cost = 0.0
    owners = {(corner + SEATS.index(seat)) % 4: colour for seat, colour in seats.items()}
    for index, home in enumerate(homes):
        if index not in owners:
            cost += _PENALTY * sum(home.standing)
            continue
        cost += _PENALTY * (4 - sum(home.standing))
        if home.lab is not None:
            cost += distance_to_name(home.lab, owners[index])
    return Way(corner, cost)


def _cost(way: Way) -> float:
    return way.cost
