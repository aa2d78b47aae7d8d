"""Where two checkers lie that share a square: side by side, where there is room for them."""

from math import dist, sqrt
from typing import Final

from tabletop import Square, square_file, square_rank

SIDE_BY_SIDE: Final = 0.8
"""How far apart the middles of two checkers are that share a square: most boards' checkers do not
fit into it together, so they stick out over its edges."""
ROOM: Final = 0.84
"""How far from each other checkers of different squares must be so as not to touch."""

_HALF: Final = SIDE_BY_SIDE / 2
_DIRECTIONS: Final = (
    (_HALF * sqrt(0.5), _HALF * sqrt(0.5)),
    (_HALF * sqrt(0.5), -_HALF * sqrt(0.5)),
    (_HALF, 0.0),
    (0.0, _HALF),
)
"""From the middle between two checkers to one of them; where there is room, corner to corner."""
_SHIFTS: Final = (0.0, -0.05, 0.05, -0.12, 0.12)
_FURTHEST_OFF: Final = 0.34
"""A checker's middle must stay on its square, and be seen to."""
_ENOUGH_ROOM: Final = 0.95


def centre(of: Square) -> tuple[float, float]:
    """Return the middle of a square, in board coordinates."""
    return square_file(of) + 0.5, square_rank(of) + 0.5


def side_by_side(
    place: Square, others: list[tuple[float, float]]
) -> tuple[tuple[float, float], ...]:
    """Return how far off a square's centre two checkers lie so that they touch no *others*.

    Where there is no room for two, one place is returned: they must be stacked.
    """
    x, y = centre(place)
    spots = [
        tuple((shift_x + side * along_x, shift_y + side * along_y) for side in (-1, 1))
        for along_x, along_y in _DIRECTIONS
        for shift_x in _SHIFTS
        for shift_y in _SHIFTS
        if max(abs(shift_x) + along_x, abs(shift_y) + abs(along_y)) <= _FURTHEST_OFF
    ]

    def room(pair: tuple[tuple[float, float], ...]) -> float:
        return min(
            (dist((x + off_x, y + off_y), other) for off_x, off_y in pair for other in others),
            default=9.0,
        )

    best = max(spots, key=lambda pair: min(room(pair), _ENOUGH_ROOM))
    return best if room(best) >= ROOM else ((0.0, 0.0),)
