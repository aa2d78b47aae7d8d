"""Lattices: saddle points joined to the rows and columns of a grid.

Two saddles can be neighbours along an edge where that edge leaves both of them in the direction
of the other, and where the light lies on opposite sides of it. Four that close a square are a seed;
a seed grows ring by ring: a grid is fitted to what it has, the next ring is predicted, and the
saddles found there join (Geiger, Moosmann, Car, Schuster 2012 grow boards so, by an energy).
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.grid import Grid, fit_grid, grid_through
from vision.lens import Points
from vision.saddles import Saddles

# How far the edges at a saddle may point past its neighbour, in radians, and how far a saddle may
# be from its predicted place, in squares.
_DIRECTION_TOLERANCE: Final = 0.26
_PLACE_TOLERANCE: Final = 0.2
# A board has 7 x 7 inner points; somewhat more are let in, so that larger boards show.
_WIDEST: Final = 11
_LENS_FROM_POINTS: Final = 16
# A lattice of so many points may be a part of a cloth or a floor: no others are begun on so many
# more rows of it, to all sides.
_LARGE: Final = 40
_FARTHEST: Final = 12
_FAR_OUT: Final = 1000
# Of all seeds only so many are grown, those first that hang together with the most others: patterns
# that are no board have hundreds.
_MOST_GROWN: Final = 8
# A lattice that has not become larger for so many rounds only swings, taking and losing points.
_PATIENCE: Final = 2
# Neighbours of a saddle are sought among so many that are nearest.
_MOST_NEAR: Final = 48
_ALONG_X: Final = np.array([1.0, 0.0])
_ALONG_Y: Final = np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Saddle points that lie on one grid.

    Attributes:
        grid: the grid, with a saddle point at whole numbers.
        places: the whole numbers of each point, shape (n, 2).
        members: which saddle each is, (n,).
        light_first: the square on the side of growing x and y of (0, 0) is light.
    """

    grid: Grid
    places: NDArray[np.int64]
    members: NDArray[np.intp]
    light_first: bool

    def __len__(self) -> int:
        return len(self.members)


def find_lattices(saddles: Saddles, size_wh: tuple[int, int]) -> list[Lattice]:
    """Return the lattices among *saddles*, the one of most points first.

    Args:
        saddles: of a picture, in its pixels.
        size_wh: the width and height of that picture.
    """
    found: list[Lattice] = []
    used = np.zeros(len(saddles), dtype=bool)
    grown = 0
    for seed in _seeds(saddles).tolist():
        if used[seed].any():
            continue
        if grown == _MOST_GROWN:
            break
        grown += 1
        lattice = _grow(saddles, seed, size_wh)
        if lattice is None:
            continue
        used[lattice.members] = True
        if len(lattice) >= _LARGE:
            places, members = _placed(saddles, lattice.grid, lattice.light_first)
            low, high = lattice.places.min(axis=0), lattice.places.max(axis=0)
            on = np.all((places > low - _FARTHEST) & (places < high + _FARTHEST), axis=1)
            used[members[on]] = True
        found.append(lattice)
    return sorted(found, key=len, reverse=True)


def _seeds(saddles: Saddles) -> NDArray[np.intp]:
    """Return the quadruples that close a square, (n, 4), those of the largest patches first.

    Each is a corner, its two neighbours and the one opposite, in turn.
    """
    ahead = _neighbours(saddles).tolist()
    quads = np.array(
        [
            (corner, right, opposite, up)
            for corner, (right, up, _, _) in enumerate(ahead)
            if right >= 0 and up >= 0
            for opposite in sorted(set(ahead[right]) & set(ahead[up]) - {-1, corner})
        ],
        dtype=np.intp,
    ).reshape(-1, 4)
    quads = quads[_are_convex(saddles.points_xy[quads])]
    if not len(quads):
        return quads
    patch = np.arange(len(saddles))
    while True:
        joined = patch.copy()
        np.minimum.at(joined, quads, patch[quads].min(axis=1, keepdims=True))
        if np.array_equal(joined, patch):
            break
        patch = joined
    of_quads = patch[quads[:, 0]]
    return quads[np.argsort(-np.bincount(of_quads)[of_quads], kind="stable")]


def _are_convex(quads: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which quadrangles, (n, 4, 2), turn one way all round, with no side far shorter."""
    sides = np.roll(quads, -1, axis=1) - quads
    after = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    even = np.all(lengths <= 1.7 * np.roll(lengths, 2, axis=1), axis=1)
    sines = np.abs(turns) / np.maximum(lengths * np.roll(lengths, -1, axis=1), 1e-12)
    one_way = np.all(turns > 0, axis=1) | np.all(turns < 0, axis=1)
    result: NDArray[np.bool_] = even & one_way & (sines.min(axis=1) > 0.25)
    return result


def _neighbours(saddles: Saddles) -> NDArray[np.intp]:
    """Return the nearest possible neighbour along each of four directions, -1 for none: (n, 4).

    The first two directions are the two edges, a quarter turn or so apart; the others are opposite.
    """
    count = len(saddles)
    result = np.full((count, 4), -1, dtype=np.intp)
    if count < 4:
        return result
    points = saddles.points_xy
    near = _nearest(points)
    step = points[near] - points[:, None, :]
    squared = step[..., 0] ** 2 + step[..., 1] ** 2
    heading = np.arctan2(step[..., 1], step[..., 0])
    # The angle of the heading from the light axis of either end, modulo half a turn, signed.
    from_here = _half_turn(heading - saddles.light_axis[:, None])
    from_there = _half_turn(heading - saddles.light_axis[near])
    along = np.abs(np.abs(from_here) - saddles.half_angle[:, None]) < _DIRECTION_TOLERANCE
    along &= np.abs(np.abs(from_there) - saddles.half_angle[near]) < _DIRECTION_TOLERANCE
    along &= np.sign(from_here) != np.sign(from_there)
    far = 0.9 * np.sqrt(squared)
    first_edge = saddles.light_axis + saddles.half_angle
    second_edge = saddles.light_axis - saddles.half_angle
    ahead_of = [
        step[..., 0] * np.cos(edge)[:, None] + step[..., 1] * np.sin(edge)[:, None]
        for edge in (first_edge, second_edge)
    ]
    for column, ahead in enumerate((*ahead_of, *(-one for one in ahead_of))):
        reach = np.where(along & (ahead > far), squared, np.inf)
        first = np.argmin(reach, axis=1)
        has = np.isfinite(reach[np.arange(count), first])
        result[has, column] = near[has, first[has]]
    return result


def _nearest(points: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return for each point the others nearest to it, in no order: (n, at most `_MOST_NEAR`)."""
    x, y = points.astype(np.float32).T
    squared = (x[None, :] - x[:, None]) ** 2 + (y[None, :] - y[:, None]) ** 2
    np.fill_diagonal(squared, np.inf)
    most = min(_MOST_NEAR, len(points) - 1)
    result: NDArray[np.intp] = np.argpartition(squared, most - 1, axis=1)[:, :most]
    return result


def _half_turn(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return *angle* modulo half a turn, between minus and plus a quarter turn."""
    return (angle + np.pi / 2) % np.pi - np.pi / 2


def _grow(saddles: Saddles, seed: list[int], size_wh: tuple[int, int]) -> Lattice | None:
    """Return the lattice that grows from a seed, None where it does not grow."""
    places = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    members = np.array(seed, dtype=np.intp)
    grid = grid_through(places, saddles.points_xy[members], size_wh)
    if grid is None:
        return None
    light_first = _light_ahead(saddles, grid, np.zeros((1, 2)), members[:1])[0] > 0
    largest, stalled = 4, 0
    for _ in range(2 * _WIDEST):
        around = (places.min(axis=0) - 1, places.max(axis=0) + 1)
        joined_places, joined = _placed(saddles, grid, light_first, around)
        beside = _beside(joined_places, places)
        joined_places, joined = joined_places[beside], joined[beside]
        fresh = ~np.isin(joined, members)
        if not fresh.any():
            break
        places = np.vstack((places, joined_places[fresh]))
        members = np.concatenate((members, joined[fresh]))
        grid = _fit(saddles, grid, places, members)
        kept = _residuals(saddles, grid, places, members) < _PLACE_TOLERANCE
        if kept.sum() < 4:
            return None
        places, members = places[kept], members[kept]
        stalled = 0 if len(members) > largest else stalled + 1
        if stalled == _PATIENCE:
            break
        largest = max(largest, len(members))
    if len(members) < 9:
        return None
    return Lattice(grid, places, members, bool(light_first))


def _placed(
    saddles: Saddles,
    grid: Grid,
    light_first: bool,
    around: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return which places of a grid have a saddle of the right kind, (n, 2), and which, (n,).

    Only places from the first to the last of *around* are looked at; all, if there is none.
    """
    at = np.clip(np.nan_to_num(grid.located(saddles.points_xy)), -_FAR_OUT, _FAR_OUT)
    nearest = np.rint(at)
    gaps = np.hypot(*(at - nearest).T)
    # The closest first: of two at one place it is taken.
    order = np.argsort(gaps, kind="stable")
    near = gaps < _PLACE_TOLERANCE
    if around is not None:
        (left, low), (right, high) = around
        x, y = nearest.T
        near &= (x >= left) & (x <= right) & (y >= low) & (y <= high)
    members = order[near[order]]
    places = nearest[members].astype(np.int64)
    light = _light_ahead(saddles, grid, places.astype(np.float64), members)
    even = places.sum(axis=1) % 2 == 0
    right = np.where(even == light_first, light, -light) > 0.4
    places, members = places[right], members[right]
    _, once = np.unique(places @ (4 * _FAR_OUT, 1), return_index=True)
    return places[once], members[once]


def _beside(wanted: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which places are next to *places*, diagonally too, within the widest lattice."""
    low, high = places.min(axis=0), places.max(axis=0)
    taken = np.zeros((high - low + 3).tolist(), dtype=np.uint8)
    taken[tuple((places - low + 1).T)] = 1
    near = np.asarray(cv2.dilate(taken, np.ones((3, 3), dtype=np.uint8)))
    first = np.maximum(low - 1, high - _WIDEST + 1)
    last = np.minimum(high + 1, low + _WIDEST - 1)
    x, y = wanted.T
    inside = (x >= first[0]) & (x <= last[0]) & (y >= first[1]) & (y <= last[1])
    beside = np.zeros(len(wanted), dtype=np.bool_)
    beside[inside] = near[tuple((wanted[inside] - low + 1).T)] > 0
    return beside


def _light_ahead(
    saddles: Saddles,
    grid: Grid,
    places: NDArray[np.float64],
    members: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return whether the square ahead of each saddle, towards growing x and y, is light.

    1 is surely light, -1 surely dark: the sine of twice the angle between the light axis and the
    grid's edges, in the frame of these edges.
    """
    along_x, along_y = _sides(grid, places, 0.25)
    axis = np.column_stack(
        (np.cos(saddles.light_axis[members]), np.sin(saddles.light_axis[members]))
    )
    area = along_x[:, 0] * along_y[:, 1] - along_x[:, 1] * along_y[:, 0]
    part_x = (axis[:, 0] * along_y[:, 1] - axis[:, 1] * along_y[:, 0]) / area
    part_y = (along_x[:, 0] * axis[:, 1] - along_x[:, 1] * axis[:, 0]) / area
    result: NDArray[np.float64] = 2 * part_x * part_y / (part_x**2 + part_y**2)
    return result


def _spacing(grid: Grid, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the shorter side of the squares at *places*, in pixels."""
    along_x, along_y = _sides(grid, places, 0.5)
    shorter = np.minimum(np.hypot(*along_x.T), np.hypot(*along_y.T))
    result: NDArray[np.float64] = np.maximum(2 * shorter, 1e-6)
    return result


def _sides(grid: Grid, places: ArrayLike, part: float) -> tuple[Points, Points]:
    """Return *part* of the sides of the squares at *places*, along x and along y, in pixels."""
    at = np.asarray(places, dtype=np.float64)
    # All in one go: these are few points, and it is asked for often.
    seen = grid.project(np.concatenate((at, at + _ALONG_X * part, at + _ALONG_Y * part)))
    origin, along_x, along_y = np.split(seen, 3)
    return along_x - origin, along_y - origin


def _fit(
    saddles: Saddles, grid: Grid, places: NDArray[np.int64], members: NDArray[np.intp]
) -> Grid:
    """Return the grid fitted to its points, far ones counting less."""
    points = saddles.points_xy[members]
    if len(members) < 8:
        through = grid_through(places, points, grid.size_wh)
        return through if through is not None else grid
    spacing = _spacing(grid, places)
    away = np.hypot(*(grid.project(places) - points).T) / (0.08 * spacing)
    weights = 1.0 / ((0.03 * spacing) ** 2 * (1.0 + away**2))
    bend = len(members) >= _LENS_FROM_POINTS
    return fit_grid(grid, places.astype(np.float64), points, weights, bend=bend)


def _residuals(
    saddles: Saddles, grid: Grid, places: NDArray[np.int64], members: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return how far each point is from its place, in squares."""
    away = np.hypot(*(grid.project(places) - saddles.points_xy[members]).T)
    result: NDArray[np.float64] = away / _spacing(grid, places)
    return result
