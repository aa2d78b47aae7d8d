"""Which eight by eight squares of a lattice are the board.

Neighbouring squares of a chessboard differ, and always in the same sense: across every line the
light square is where the pattern says. Outside the board that stops. So each piece of line between
two squares gives evidence, measured locally (light and shadow touch both its sides alike), and the
window that gathers the most is the board. Checkers, hands and glare take evidence away, never more
than the piece of line that they cover.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.grid import Grid
from vision.lattice import Lattice

# Where each piece of line is sampled: this far to both sides, at these places along it, in squares;
# near its ends, for there a checker in the middle of a square hides nothing.
_ASIDE: Final = 0.1
_ALONG: Final = (0.08, 0.16, 0.24, 0.76, 0.84, 0.92)
# Added to the lightness of both sides, so that noise in the dark is no contrast; grey levels.
_DARKNESS: Final = 12.0
_FEWEST: Final = 24
_BURNT: Final = 250.0
_LEAST_CONTRAST: Final = 0.04
# Contrast in units of the lattice's own, where a board is and where none is. On a board it is
# spread by light and sheen (the spread is of its logarithm), and some of it is hidden; elsewhere
# most is flat, the rest anything, now and then far more than a pale board's squares.
_PATTERN_SPREAD: Final = 0.7
_HIDDEN_SHARE: Final = 0.2
_ELSEWHERE: Final = ((0.6, 0.08), (0.32, 1.0), (0.08, 5.0))
# How much more than between squares a contrast may be before it says no more.
_MOST_CONTRAST: Final = 2.5
# A frame's lightness between dark squares (0) and light ones (1), how far from it a piece of border
# may be, more where the frame stands out more, and the logarithm of how many frames could be told
# apart, the price of choosing one.
_FRAMES: Final = np.concatenate((np.linspace(-0.75, 1.75, 11), (-2.5, -1.5, 2.5, 3.5)))
_FRAME_SPREAD: Final = 0.2
_FRAME_PRICE: Final = 2.0
# A piece of line with more evidence than this shows the pattern, and the share of them that shows
# that an outermost row is there at all.
_SHOWS: Final = 0.3
_ROW_SHOWS: Final = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Eight by eight squares of a lattice.

    Attributes:
        grid: its grid, with (0, 0) at one outer corner and (8, 8) at the one opposite.
        light_first: the square at (0, 0) is light.
        evidence: how much more probable what is seen is with a board here, natural logarithm.
        margin: by how much the next best window of the lattice falls behind.
        seen: the share of the pieces of line inside that show the pattern.
        beyond: the most evidence for a ninth row of squares on one of the sides.
        loose: on one of the sides neither the outermost row shows nor where it ends: the board may
            as well lie further to the other side, and that part of it be covered.
        channel: weights of blue, green and red that tell light squares from dark, sum 1.
        contrast: the lattice's typical contrast, a logarithm.
        agreeing: the share of the edges of its squares that the grid, once fitted, agrees with.
    """

    grid: Grid
    light_first: bool
    evidence: float
    margin: float
    seen: float
    beyond: float
    loose: bool
    channel: NDArray[np.float64]
    contrast: float
    agreeing: float = 0.0


def choose_window(pixels: Picture, lattice: Lattice, grid: Grid) -> Window | None:
    """Return the best window of a lattice, None where its squares do not differ at all.

    Args:
        pixels: the picture.
        lattice: what was found.
        grid: the lattice's grid for the picture's size.
    """
    low, high = lattice.places.min(axis=0), lattice.places.max(axis=0)
    # The windows' first inner points: every one that holds all points, and one more to each side.
    first = np.minimum(low, high - 6) - 1
    last = np.maximum(low, high - 6) + 1
    # Squares from two before the first window's first inner point to one past the last window.
    origin = first - 2
    count_x, count_y = (last - first + 10).tolist()
    local = grid.moved(origin)
    light_first = bool(lattice.light_first == (int(origin.sum()) % 2 == 0))
    lines = _measure(pixels, local, (count_x, count_y), light_first)
    inside_x = _between(lattice, origin, (count_x + 1, count_y), 1)
    inside_y = _between(lattice, origin, (count_x, count_y + 1), 0)
    light = np.concatenate((lines[0][0][inside_x], lines[1][0][inside_y]))
    dark = np.concatenate((lines[0][1][inside_x], lines[1][1][inside_y]))
    differences = (light - dark).reshape(-1, 3)
    differences = differences[np.isfinite(differences).all(axis=1)]
    if len(differences) < _FEWEST:
        return None
    difference = np.median(differences, axis=0)
    if difference.max() <= 0:
        return None
    channel = np.maximum(difference, 0.0)
    channel /= channel.sum()
    across_x, across_y = (_contrast(*line, channel) for line in lines)
    across = np.concatenate((across_x[inside_x], across_y[inside_y]))
    across = across[np.isfinite(across)]
    typical = float(np.median(across)) if len(across) else 0.0
    if typical < _LEAST_CONTRAST:
        return None
    limits = (-_MOST_CONTRAST, _MOST_CONTRAST)
    across_xy = (np.clip(across_x / typical, *limits), np.clip(across_y / typical, *limits))
    return _best(local, light_first, across_xy, channel, typical)


def _measure(
    pixels: Picture, grid: Grid, count_xy: tuple[int, int], light_first: bool
) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]:
    """Return the colours on the light and the dark side of all pieces of line.

    First of the lines that run along y, shape (count_x + 1, count_y, samples, 3), then of those
    that run along x, (count_x, count_y + 1, samples, 3).
    """
    result = []
    along = np.array(_ALONG)
    for axis in (0, 1):
        shape = [count_xy[0], count_xy[1]]
        shape[axis] += 1
        x, y = np.meshgrid(np.arange(shape[0]), np.arange(shape[1]), indexing="ij")
        corner = np.stack((x, y), axis=-1).astype(np.float64)
        places = np.repeat(corner[:, :, None, :], len(along), axis=2)
        places[..., 1 - axis] += along
        ahead, behind = places.copy(), places.copy()
        ahead[..., axis] += _ASIDE
        behind[..., axis] -= _ASIDE
        colours = [_sample(pixels, grid, side) for side in (ahead, behind)]
        light_ahead = ((x + y) % 2 == 0) == light_first
        mask = light_ahead[:, :, None, None]
        result.append((np.where(mask, *colours), np.where(mask, *colours[::-1])))
    return tuple(result)


def _sample(pixels: Picture, grid: Grid, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours at *places*, shape (..., 2); not a number outside the picture."""
    points = grid.project(places.reshape(-1, 2))
    width, height = grid.size_wh
    inside = np.all((points >= 0) & (points <= (width - 1, height - 1)), axis=1)
    maps = (
        np.where(inside[:, None], points, 0.0).astype(np.float32).reshape(-1, places.shape[-2], 2)
    )
    seen = cv2.remap(pixels, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    colours = np.asarray(seen, dtype=np.float64).reshape(-1, 3)
    colours[~inside] = np.nan
    return colours.reshape(*places.shape[:-1], 3)


def _between(
    lattice: Lattice, origin: NDArray[np.int64], shape: tuple[int, int], axis: int
) -> NDArray[np.bool_]:
    """Return which pieces of line along *axis* have points of the lattice at both ends."""
    taken = np.zeros((shape[0] + 1, shape[1] + 1), dtype=bool)
    x, y = (lattice.places - origin).T
    taken[x, y] = True
    result: NDArray[np.bool_] = (
        taken[: shape[0], 1 : shape[1] + 1] if axis else taken[1 : shape[0] + 1, : shape[1]]
    ) & taken[: shape[0], : shape[1]]
    return result


def _contrast(
    light: NDArray[np.float64], dark: NDArray[np.float64], channel: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the contrast across pieces of line, a logarithm; not a number where unknown."""
    burnt = (light.min(axis=-1) >= _BURNT) & (dark.min(axis=-1) >= _BURNT)
    upper, lower = light @ channel, dark @ channel
    each = np.log((upper + _DARKNESS) / (lower + _DARKNESS))
    each[burnt] = np.nan
    # The median of what is known: what is not a number is sorted to the end.
    known = np.isfinite(each).sum(axis=-1, keepdims=True)
    ordered = np.sort(np.where(np.isfinite(each), each, np.nan), axis=-1)
    middle = np.concatenate((np.maximum(known - 1, 0) // 2, known // 2), axis=-1)
    medians = np.take_along_axis(ordered, np.minimum(middle, each.shape[-1] - 1), axis=-1)
    return np.asarray(np.where(known[..., 0] >= 3, medians.mean(axis=-1), np.nan))


def _evidence(contrast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of how much likelier each contrast is on a board; 0 where unknown."""
    elsewhere = _elsewhere(contrast)
    # Log-normal: as likely half as twice the usual contrast.
    positive = np.maximum(contrast, 1e-3)
    board = np.where(contrast > 0, _normal(np.log(positive), _PATTERN_SPREAD) / positive, 0.0)
    board = (1 - _HIDDEN_SHARE) * board + _HIDDEN_SHARE * elsewhere
    return np.nan_to_num(np.log(board / elsewhere))


def _by_inside(
    contrast: NDArray[np.float64], light_first: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the evidence for borders with the board ahead of the line, and with it behind."""
    dark, light = _border_evidence(contrast)
    x, y = np.indices(contrast.shape)
    light_ahead = (((x + y) % 2 == 0) == light_first)[..., None]
    return np.where(light_ahead, light, dark), np.where(light_ahead, dark, light)


def _border_evidence(contrast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much likelier each contrast is between a square and a frame, for each frame.

    Shape (2, *contrast.shape, frames): with a dark square first, then with a light one.
    """
    elsewhere = _elsewhere(contrast)[..., None]
    # Across the border a light square stands out by what the frame lacks, a dark one by what it
    # has; the two make up the contrast between squares.
    standing_out = np.stack((_FRAMES, 1.0 - _FRAMES))[:, None, None, :]
    expected = np.clip(standing_out, -_MOST_CONTRAST, _MOST_CONTRAST)
    spread = _FRAME_SPREAD * np.maximum(1.0, np.abs(_FRAMES - 0.5))
    border = _normal(contrast[..., None] - expected, spread)
    border = (1 - _HIDDEN_SHARE) * border + _HIDDEN_SHARE * elsewhere
    return np.nan_to_num(np.log(border / elsewhere))


def _elsewhere(contrast: NDArray[np.float64]) -> NDArray[np.float64]:
    density = np.zeros_like(contrast)
    for share, spread in _ELSEWHERE:
        density += share * _normal(contrast, spread)
    return density


def _normal(value: NDArray[np.float64], spread: float | NDArray[np.float64]) -> NDArray[np.float64]:
    # Far out the tails would vanish; a floor keeps the ratio finite.
    density: NDArray[np.float64] = np.exp(-0.5 * (value / spread) ** 2) / (
        spread * np.sqrt(2 * np.pi)
    )
    return density + 1e-6


def _best(
    local: Grid,
    light_first: bool,
    across: tuple[NDArray[np.float64], NDArray[np.float64]],
    channel: NDArray[np.float64],
    contrast: float,
) -> Window:
    """Return the window with the most evidence. Windows begin at (1, 1): a ring lies around."""
    weigh_x, weigh_y = (_evidence(part) for part in across)
    weights = _weigh((weigh_x, weigh_y), [_by_inside(part, light_first) for part in across])
    best, second = np.argsort(-weights.total, axis=None, kind="stable")[:2]
    at = np.unravel_index(best, weights.total.shape)
    x, y = int(at[0]) + 1, int(at[1]) + 1
    inside = np.concatenate(
        (weigh_x[x + 1 : x + 8, y : y + 8].ravel(), weigh_y[x : x + 8, y + 1 : y + 8].ravel())
    )
    return Window(
        grid=local.moved((x, y)),
        light_first=light_first == ((x + y) % 2 == 0),
        evidence=float(weights.total[at]),
        margin=float(weights.total[at] - weights.total.flat[second]),
        seen=float((inside > _SHOWS).mean()),
        beyond=float(weights.beyond[at]),
        loose=bool(weights.loose[at]),
        channel=channel,
        contrast=contrast,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Weights:
    """Of all windows: the evidence, the most for a ninth row, and whether a side hangs loose.

    Each of shape (windows along x, windows along y), the first of which begins at (1, 1).
    """

    total: NDArray[np.float64]
    beyond: NDArray[np.float64]
    loose: NDArray[np.bool_]


def _weigh(
    inside: tuple[NDArray[np.float64], NDArray[np.float64]],
    borders: list[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> _Weights:
    """Return the weights of all windows.

    Args:
        inside: the evidence of each piece of line, were it inside a board; of lines along y first.
        borders: the same for each frame, were it a border, with the board ahead and behind.
    """
    columns, rows = inside[1].shape[0], inside[0].shape[1]
    total = np.zeros((columns - 9, rows - 9))
    beyond = np.full_like(total, -np.inf)
    loose = np.zeros(total.shape, dtype=np.bool_)
    for axis in (0, 1):
        # The same for both axes: lines across the first axis of the arrays.
        along, across = inside[axis], inside[1 - axis]
        ahead, behind = borders[axis]
        if axis:
            along, across = along.T, across.T
            ahead, behind = ahead.swapaxes(0, 1), behind.swapaxes(0, 1)
        count, pieces = len(across), along.shape[1]
        # Of each line the pieces on a window's eight squares, of each row those between them.
        side = slice(1, pieces - 8)
        on_line = _sums(along, 8)[:, side]
        between = slice(2, pieces - 7)
        on_row = _sums(across, 7)[:, between]
        shows = _sums(across > _SHOWS, 7)[:, between] / 7.0
        last = slice(9, count)
        each = _sums(on_line.T, 7).T[2 : count - 7]
        for border, line, row, outermost in (
            (ahead, slice(1, count - 8), slice(0, count - 9), slice(1, count - 8)),
            (behind, last, last, slice(8, count - 1)),
        ):
            edge = (_sums(border, 8).max(axis=-1) - _FRAME_PRICE)[line, side]
            ninth = on_line[line] + on_row[row] - edge
            hangs = (shows[outermost] < _ROW_SHOWS) & (edge < 0)
            each = each + edge
            beyond = np.maximum(beyond, ninth.T if axis else ninth)
            loose |= hangs.T if axis else hangs
        total += each.T if axis else each
    return _Weights(total, beyond, loose)


def _sums(values: NDArray[Any], count: int) -> NDArray[np.float64]:
    """Return the sums of so many successive values along the second axis."""
    added = np.cumsum(values, axis=1, dtype=np.float64)
    added = np.concatenate((np.zeros_like(added[:, :1]), added), axis=1)
    sums: NDArray[np.float64] = added[:, count:] - added[:, :-count]
    return sums
