"""Where the lines between squares really are: a grid's fit to the edges in the full picture.

Saddle points come from a small picture. The lines between the squares are long, and the step from
light to dark across them is sharp to a tenth of a pixel: measuring it at several places of each
piece of line gives a few hundred distances, to which the grid is fitted robustly.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import Grid, fit_grid
from vision.lens import Points
from vision.rectify import BOARD_CORNERS

# A step is sought in samples this far apart, its two sides averaged over that much, in squares.
_STEP: Final = 0.01
_SIDE: Final = 0.09
# Steps weaker than this share of the strong ones are something else.
_LEAST_SHARE: Final = 0.3
_FEWEST: Final = 40
# What one distance tells, in squares: measured to a tenth of this, but boards are not that flat
# and even, and neighbouring distances err together.
_SPREAD: Final = 0.05
# Light squares that look larger by more than this, in squares, have broad lines around them: the
# next round looks for the steps there.
_BROAD: Final = 0.03
# Below this share of edges that agree a gap at the hinge is thought of; it must make so many more
# of them agree.
_EVEN_SHARE: Final = 0.9
_GAIN: Final = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """All places on the inner lines of an 8 x 8 grid where they are measured.

    Attributes:
        places: grid coordinates, (n, 2).
        across: the unit vector across the line, in grid coordinates, (n, 2).
        rising: 1 where it gets lighter along *across* if the first square is dark, else -1, (n,).
    """

    places: NDArray[np.float64]
    across: NDArray[np.float64]
    rising: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Round:
    """One round of measuring and fitting.

    Attributes:
        lines: where it is measured.
        reach: how far to both sides steps are sought, in squares.
        scale: distances beyond this count little, in squares.
    """

    lines: _Lines
    reach: float
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """The steps found across lines.

    Attributes:
        places: where they were sought, grid coordinates, (n, 2).
        across: the directions across the lines, (n, 2).
        offsets: how far along these they are, in squares, (n,).
        seen: where that is, pixels, (n, 2).
        spread: by how much light squares look larger than they are, in squares.
        measured: at how many places they were sought inside the picture.
    """

    places: NDArray[np.float64]
    across: NDArray[np.float64]
    offsets: NDArray[np.float64]
    seen: Points
    spread: float
    measured: int


def _inner_lines(along: tuple[float, ...], hinges: bool = True) -> _Lines:
    """Return places on every piece of the 14 inner lines, *along* it in squares.

    Without *hinges* the two lines in the middle are left out: in a gap there is no single edge.
    """
    places, across, rising = [], [], []
    for axis in (0, 1):
        for line in (1, 2, 3, 4, 5, 6, 7) if hinges else (1, 2, 3, 5, 6, 7):
            for piece in range(8):
                for part in along:
                    place, normal = [0.0, 0.0], [0.0, 0.0]
                    place[axis], place[1 - axis] = line, piece + part
                    normal[axis] = 1.0
                    places.append(place)
                    across.append(normal)
                    rising.append(1.0 if (line + piece) % 2 else -1.0)
    return _Lines(np.array(places), np.array(across), np.array(rising))


_DENSE: Final = _inner_lines((0.12, 0.25, 0.5, 0.75, 0.88))
_HALVES: Final = _inner_lines((0.12, 0.25, 0.5, 0.75, 0.88), hinges=False)
_FULL: Final = (_Round(_DENSE, 0.2, 0.04), _Round(_DENSE, 0.1, 0.02), _Round(_DENSE, 0.07, 0.012))
# With a gap that the start knows nothing of lines are off by more.
_HINGED: Final = (
    _Round(_HALVES, 0.3, 0.1),
    _Round(_HALVES, 0.12, 0.03),
    _Round(_HALVES, 0.07, 0.012),
)
_AT_REST: Final = _Round(_inner_lines((0.15, 0.85), hinges=False), 0.14, 0.012)


def refine(
    pixels: Picture,
    grid: Grid,
    light_first: bool,
    channel: NDArray[np.float64],
) -> tuple[Grid, float]:
    """Return the grid fitted to the edges of its squares, and the share of edges that agree.

    Args:
        pixels: the full picture.
        grid: a fit good to a tenth of a square, (0, 0) and (8, 8) at outer corners.
        light_first: the square at (0, 0) is light.
        channel: weights of blue, green, red that tell light squares from dark.
    """
    grid = grid.closed()
    fitted, share = _fitted(pixels, grid, _FULL, light_first, channel)
    if share < _EVEN_SHARE:
        opened, more = _fitted(pixels, grid, _HINGED, light_first, channel, hinged=True)
        if more > share + _GAIN:
            return opened, more
    return fitted, share


def displacement(
    pixels: Picture, grid: Grid, light_first: bool, channel: NDArray[np.float64]
) -> tuple[float, float]:
    """Return how far a board has moved from a grid at most, and the share of edges that agree.

    A board, or the camera over it, moves as a whole: the edges are asked for a shift, a turn and a
    change of size, and for the gaps of hinges, which are no movement. That is a matter of two
    milliseconds; a shift of more than a seventh of a square is not seen so, and few edges agree.

    Args:
        pixels: the full picture.
        grid: where the board was, (0, 0) and (8, 8) at outer corners, without gaps.
        light_first: the square at (0, 0) is light.
        channel: weights of blue, green, red that tell light squares from dark.

    Returns:
        the distance of the corner that moved farthest, in squares, and the share, from 0 to 1.
    """
    steps = _measure(pixels, grid, _AT_REST, light_first, channel)
    if steps is None:
        return 0.0, 0.0
    x, y = (steps.places - 4.0).T
    on_x = steps.across[:, 0]
    on_y = 1.0 - on_x
    hinge_x, hinge_y = (np.sign(part) / 2.0 - part / 8.0 for part in (x, y))
    columns = (on_x, on_y, on_y * x - on_x * y, on_x * x + on_y * y, on_x * hinge_x, on_y * hinge_y)
    design = np.column_stack(columns)
    motion, away = np.zeros(6), steps.offsets
    for scale in (0.1, 0.05, 0.025, _AT_REST.scale, _AT_REST.scale):
        weighted = design / ((1.0 + (away / scale) ** 2) ** 2)[:, None]
        normal_matrix = weighted.T @ design + np.eye(6)
        motion = np.linalg.solve(normal_matrix, weighted.T @ steps.offsets)
        away = steps.offsets - design @ motion
    share = float((np.abs(away) < 2 * _AT_REST.scale).sum() / steps.measured)
    shift, turn, growth = motion[:2], motion[2], motion[3]
    corners = np.array(BOARD_CORNERS) - 4.0
    moved = shift + growth * corners + turn * np.column_stack((-corners[:, 1], corners[:, 0]))
    return float(np.linalg.norm(moved, axis=1).max()), share


def _fitted(
    pixels: Picture,
    grid: Grid,
    rounds: tuple[_Round, ...],
    light_first: bool,
    channel: NDArray[np.float64],
    hinged: bool = False,
) -> tuple[Grid, float]:
    """Return the grid after some rounds, and the share of edges that agree with it."""
    share, spread = 0.0, 0.0
    for each in rounds:
        steps = _measure(pixels, grid, each, light_first, channel, spread)
        if steps is None:
            return grid, 0.0
        spread = steps.spread if abs(steps.spread) > _BROAD else 0.0
        grid, away = _fit(grid, steps, each.scale, hinged)
        share = float((np.abs(away) < 2 * each.scale).sum() / steps.measured)
    return grid, share


def _measure(
    pixels: Picture,
    grid: Grid,
    each: _Round,
    light_first: bool,
    channel: NDArray[np.float64],
    spread: float = 0.0,
) -> _Steps | None:
    """Return the steps across the lines of *grid*, None where there are too few.

    They are sought around where a *spread* of the light squares puts them.
    """
    rising = -each.lines.rising if light_first else each.lines.rising
    into_dark = -rising
    aside = spread * into_dark
    sought = each.lines.places + aside[:, None] * each.lines.across
    lines = _Lines(sought, each.lines.across, rising)
    offsets, heights = _offsets(pixels, grid, lines, each.reach, channel)
    offsets += aside
    measured = ~np.isnan(heights)
    if measured.sum() < _FEWEST:
        return None
    strong = max(float(np.percentile(heights[measured], 70)), 0.0)
    good = measured & (heights > _LEAST_SHARE * strong)
    if good.sum() < _FEWEST:
        return None
    places, across = each.lines.places[good], each.lines.across[good]
    # Light squares look larger than they are where the picture is burnt or blurred, or where a
    # light line is drawn between all squares: the steps then lie to the side of the dark ones, and
    # as light and dark alternate, their median tells by how much.
    spread = float(np.median(into_dark[good] * offsets[good]))
    found = offsets[good] - spread * into_dark[good]
    seen = grid.project(places + across * found[:, None])
    return _Steps(places, across, found, seen, spread, int(measured.sum()))


def _fit(grid: Grid, steps: _Steps, scale: float, hinged: bool) -> tuple[Grid, NDArray[np.float64]]:
    """Return the grid fitted robustly to the steps, and what remains, in squares."""
    places, seen = steps.places, steps.seen
    normals, square_px = _normals(grid, places, steps.across)
    away = np.sum((grid.project(places) - seen) * normals, axis=1) / square_px
    for _ in range(3):
        weights = 1.0 / ((_SPREAD * square_px) ** 2 * (1.0 + (away / scale) ** 2) ** 2)
        grid = fit_grid(grid, places, seen, weights, normals, hinged=hinged)
        away = np.sum((grid.project(places) - seen) * normals, axis=1) / square_px
    return grid, away


def _offsets(
    pixels: Picture,
    grid: Grid,
    lines: _Lines,
    reach: float,
    channel: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far across each line its step is, up to *reach*, in squares, and how high it is.

    The height is not a number outside the picture, and 0 where no step is within
    reach.
    """
    side = round(_SIDE / _STEP)
    count = round(reach / _STEP) + side
    distances = _STEP * np.arange(-count, count + 1, dtype=np.float64)
    x, y = _across(grid, lines, distances)
    colours = cv2.remap(pixels, x, y, cv2.INTER_LINEAR)
    value = np.asarray(colours, np.float32) @ channel.astype(np.float32) * lines.rising[:, None]
    total = np.cumsum(np.hstack((np.zeros((len(value), 1)), value)), axis=1)
    # For each sample: the mean of those ahead of it less the mean of those behind.
    middle = np.arange(side, value.shape[1] - side)
    ahead = total[:, middle + side + 1] - total[:, middle + 1]
    behind = total[:, middle] - total[:, middle - side]
    height = (ahead - behind) / side
    best = np.argmax(height, axis=1)
    rows = np.arange(len(height))
    inner = (best > 0) & (best < height.shape[1] - 1)
    best = np.clip(best, 1, height.shape[1] - 2)
    before, top, after = height[rows, best - 1], height[rows, best], height[rows, best + 1]
    bend = np.minimum(before - 2 * top + after, -1e-9)
    offset = distances[middle[best]] + np.clip((before - after) / (2 * bend), -1, 1) * _STEP
    # Outside the picture there is nothing to measure.
    width, height_px = grid.size_wh
    outside = ((x < 0) | (x > width - 1) | (y < 0) | (y > height_px - 1)).any(axis=1)
    return offset, np.where(outside, np.nan, np.where(inner, top, 0.0))


def _across(
    grid: Grid, lines: _Lines, distances: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the pixels, x and y, at all *distances* across all lines, each (n, distances).

    Over half a square a parabola through three points is as good as perspective and lens.
    """
    reach = distances[-1]
    step = reach * lines.across
    seen = grid.project(np.concatenate((lines.places - step, lines.places, lines.places + step)))
    behind, middle, ahead = np.split(seen.astype(np.float32), 3)
    part = (distances / reach).astype(np.float32)
    powers = np.stack((np.ones_like(part), part, part**2))
    parabola = np.stack((middle, (ahead - behind) / 2, (ahead + behind) / 2 - middle), axis=-1)
    return parabola[:, 0] @ powers, parabola[:, 1] @ powers


def _normals(
    grid: Grid, places: Points, across: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lines' unit normals in the picture and the squares' sizes along them."""
    along = across[:, ::-1]
    tangent = grid.project(places + 0.05 * along) - grid.project(places - 0.05 * along)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    normals = np.column_stack((-tangent[:, 1], tangent[:, 0]))
    step = grid.project(places + 0.05 * across) - grid.project(places - 0.05 * across)
    square_px = np.abs(np.sum(step * normals, axis=1)) / 0.1
    return normals, np.maximum(square_px, 1e-6)
