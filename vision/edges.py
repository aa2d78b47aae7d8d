"""Where the lines between squares really are: a grid's fit to the edges in the full picture.

Saddle points come from a small picture. The lines between the squares are long, and the step from
light to dark across them is sharp to a tenth of a pixel: measuring it at several places of each
piece of line gives a few hundred distances, to which the grid is fitted robustly.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import Grid, fit_grid
from vision.lens import Points

# A step is sought in samples this far apart, its two sides averaged over that much, in squares.
_STEP: Final = 0.01
_SIDE: Final = 0.09
# Steps weaker than this share of the strong ones are something else.
_LEAST_SHARE: Final = 0.3
_FEWEST: Final = 40
# What one distance tells, in squares: measured to a tenth of this, but boards are not that flat
# and even, and neighbouring distances err together.
_SPREAD: Final = 0.05
# Below this share of edges that agree a gap at the hinge is thought of: its widths in squares, and
# how much more of the edges must agree then.
_EVEN_SHARE: Final = 0.9
_GAPS: Final = (0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.32)
_GAIN: Final = 0.05


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
        seen: where they are, pixels, (n, 2).
        measured: at how many places they were sought inside the picture.
    """

    places: NDArray[np.float64]
    across: NDArray[np.float64]
    seen: Points
    measured: int


def _inner_lines(along: tuple[float, ...]) -> _Lines:
    """Return places on every piece of the 14 inner lines, *along* it in squares."""
    places, across, rising = [], [], []
    for axis in (0, 1):
        for line in range(1, 8):
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
_FULL: Final = (_Round(_DENSE, 0.2, 0.04), _Round(_DENSE, 0.1, 0.02), _Round(_DENSE, 0.07, 0.012))
_WIDE: Final = _Round(_DENSE, 0.3, 0.03)
_QUICK: Final = (_Round(_inner_lines((0.15, 0.85)), 0.05, 0.012),)


def refine(
    pixels: Picture,
    grid: Grid,
    light_first: bool,
    channel: NDArray[np.float64],
    quick: bool = False,
) -> tuple[Grid, float]:
    """Return the grid fitted to the edges of its squares, and the share of edges that agree.

    Args:
        pixels: the full picture.
        grid: a fit good to a tenth of a square, (0, 0) and (8, 8) at outer corners.
        light_first: the square at (0, 0) is light.
        channel: weights of blue, green, red that tell light squares from dark.
        quick: one round over fewer places, for a grid good to a thirtieth of a square.
    """
    share = 0.0
    for each in _QUICK if quick else _FULL:
        steps = _measure(pixels, grid, each, light_first, channel)
        if steps is None:
            return grid, 0.0
        grid, away = _fit(grid, steps.places, steps, each.scale)
        share = float((np.abs(away) < 2 * each.scale).sum() / steps.measured)
    if not quick and share < _EVEN_SHARE:
        steps = _measure(pixels, grid, _WIDE, light_first, channel)
        if steps is not None:
            return _opened(grid, steps, share)
    return grid, share


def _opened(grid: Grid, steps: _Steps, share: float) -> tuple[Grid, float]:
    """Return the grid of a board that folds, if a gap at its hinge explains more of the edges.

    Half of the gap is added on either side; the squares are stretched to meet the outer corners.
    """
    best, best_share = grid, share + _GAIN
    for axis in (0, 1):
        side, fitted = np.sign(steps.places[:, axis] - 4.0), grid
        # Each gap begins at the fit of the one before: in small steps none is lost on the way.
        for gap in _GAPS:
            places = steps.places.copy()
            places[:, axis] += side * gap / 2
            fitted, away = _fit(fitted, places, steps, _WIDE.scale)
            agreeing = float((np.abs(away) < 2 * _FULL[-1].scale).sum() / steps.measured)
            if agreeing > best_share:
                stretch = np.eye(3)
                stretch[axis, axis], stretch[axis, 2] = 1.0 + gap / 8, -gap / 2
                best, best_share = replace(fitted, matrix=fitted.matrix @ stretch), agreeing
    return best, max(share, best_share if best is not grid else share)


def _measure(
    pixels: Picture,
    grid: Grid,
    each: _Round,
    light_first: bool,
    channel: NDArray[np.float64],
) -> _Steps | None:
    """Return the steps across the lines of *grid*, None where there are too few."""
    rising = -each.lines.rising if light_first else each.lines.rising
    offsets, heights = _offsets(pixels, grid, each, rising, channel)
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
    into_dark = -rising[good]
    spread = float(np.median(into_dark * offsets[good]))
    found = offsets[good] - spread * into_dark
    seen = grid.project(places + across * found[:, None])
    return _Steps(places, across, seen, int(measured.sum()))


def _fit(
    grid: Grid, places: NDArray[np.float64], steps: _Steps, scale: float
) -> tuple[Grid, NDArray[np.float64]]:
    """Return the grid fitted robustly so that *places* meet the steps; what remains, in squares."""
    seen = steps.seen
    normals, square_px = _normals(grid, places, steps.across)
    away = np.sum((grid.project(places) - seen) * normals, axis=1) / square_px
    for _ in range(3):
        weights = 1.0 / ((_SPREAD * square_px) ** 2 * (1.0 + (away / scale) ** 2) ** 2)
        grid = fit_grid(grid, places, seen, weights, normals)
        away = np.sum((grid.project(places) - seen) * normals, axis=1) / square_px
    return grid, away


def _offsets(
    pixels: Picture,
    grid: Grid,
    each: _Round,
    rising: NDArray[np.float64],
    channel: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far across each line its step is, in squares, and how high it is.

    The height is not a number outside the picture, and 0 where no step is within
    reach.
    """
    side = round(_SIDE / _STEP)
    count = round(each.reach / _STEP) + side
    distances = np.arange(-count, count + 1) * _STEP
    lines = each.lines
    places = lines.places[:, None, :] + distances[None, :, None] * lines.across[:, None, :]
    points = grid.project(places.reshape(-1, 2)).reshape(*places.shape[:2], 2)
    maps = points.astype(np.float32)
    colours = cv2.remap(pixels, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    value = (np.asarray(colours, dtype=np.float64) @ channel) * rising[:, None]
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
    outside = ((points < 0) | (points > (width - 1, height_px - 1))).any(axis=(1, 2))
    return offset, np.where(outside, np.nan, np.where(inner, top, 0.0))


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
