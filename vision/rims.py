"""Where round things of one size lie on the rectified board: evidence from edges alone.

The edges of a checker's top, its rim, rings and crown, run around its middle. So at each place one
asks whether the gradients on a circle point along its radii rather than across them. The question
is put to the gradients' structure tensor, divided by its own size plus what the board's grain
makes by itself: a weak edge that runs round counts nearly as much as a strong one, which is how a
dark checker on a dark square is found, and the sign of an edge does not matter, which is how one
that lies over several squares is. For each radius it takes a few convolutions, which are done by
Fourier transforms, since rings are wide.

The board itself is taken away first (`vision.emptyboard`), and the lines between squares, where
that never works well, have little say.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.emptyboard import Floats

RADII: Final = tuple(round(0.24 + 0.02 * step, 2) for step in range(12))
"""The radii of checkers that are looked for, in squares: half to nine tenths of a square wide."""

_LINE_WEIGHT: Final = 0.1
_LEAST_LINE, _WIDEST_LINE = 0.05, 0.1
"""Half the width of the lines between squares: at least this, and at most this where they show."""
_LINE_SHOWS: Final = 3.0
_LEAST_ENERGY: Final = 0.01
_SURE: Final = 0.45
"""Rim scores above this are seldom anything but round things."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Which edges count.

    Attributes:
        blur: standard deviation in squares; finer ones are lost.
        grain: edges with less energy than this many times the median of their shade count less.
        rim: how wide the rim of a checker is, a standard deviation in squares.
    """

    blur: float
    grain: float
    rim: float


COARSE: Final = Scale(blur=0.025, grain=1.0, rim=0.035)
"""The rims of checkers, hardly any grain."""
FINE: Final = Scale(blur=0.0125, grain=0.2, rim=0.02)
"""Rings pressed into a top, faint rims; grain too, which does not run round."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Normalised gradients of a rectified board.

    Attributes:
        difference: of the structure tensor's two diagonal elements, (side, side), float32.
        mixed: its other element.
        weight: how much a pixel may say.
        square_px: the side of a square.
        scale: which edges they are.
    """

    difference: Floats
    mixed: Floats
    weight: Floats
    square_px: int
    scale: Scale


def find_edges(residual: Floats, shade: NDArray[np.uint8], square_px: int, scale: Scale) -> Edges:
    """Return the edges of what is on the board.

    Args:
        residual: the rectified board minus its guessed empty look, (side, side, 3), with a margin
            around the field, in which nothing was taken away.
        shade: 1 for pixels of dark squares, else 0, going on into the margin.
        square_px: the side of a square.
        scale: which edges count.
    """
    blurred = cv2.GaussianBlur(residual, (0, 0), scale.blur * square_px)
    along_x = np.asarray(cv2.Scharr(blurred, cv2.CV_32F, 1, 0) / 32.0, dtype=np.float32)
    along_y = np.asarray(cv2.Scharr(blurred, cv2.CV_32F, 0, 1) / 32.0, dtype=np.float32)
    xx, yy, xy = (
        _over_channels(one, other)
        for one, other in ((along_x, along_x), (along_y, along_y), (along_x, along_y))
    )
    energy: Floats = xx + yy
    weight = _line_weights(energy, square_px)
    field = np.zeros(energy.shape, dtype=bool)
    margin = (len(energy) - 8 * square_px) // 2
    field[margin:-margin, margin:-margin] = True
    floor: Floats = np.zeros_like(energy)
    for value in (0, 1):
        here = shade == value
        # Every other row tells the median well enough.
        grain = np.median(energy[::2][(here & field & (weight == 1.0))[::2]])
        floor[here] = max(_LEAST_ENERGY, scale.grain * grain)
    energy = energy + floor
    difference: Floats = (xx - yy) / energy
    mixed: Floats = xy / energy
    return Edges(difference, mixed, weight, square_px, scale)


def _over_channels(one: Floats, other: Floats) -> Floats:
    """Return the products of two fields (side, side, 3) summed over their channels."""
    return np.asarray(np.einsum("yxc,yxc->yx", one, other), dtype=np.float32)


def rim_scores(edges: Edges, radius: float, inner: float | None = None) -> Floats:
    """Return for each pixel how much the edges around it run round it, from -1 to 1.

    Args:
        edges: from `find_edges`.
        radius: of the circle, in squares.
        inner: None to ask along the circle only, or the part of the radius from which on the
            whole disc is asked, so that rings and crowns count as much as the rim.
    """
    weights, cos2, sin2 = _kernel(
        radius * edges.square_px, edges.scale.rim * edges.square_px, inner
    )
    side, reach = len(edges.weight), len(weights) // 2
    size = cv2.getOptimalDFTSize(side + reach)
    along, across, say = _spectra(edges, size)
    total = _product(along, weights * cos2) + _product(across, 2.0 * weights * sin2)
    first = size - side - reach
    here = slice(first, first + side)
    scores, shares = (
        cv2.idft(spectrum, flags=cv2.DFT_SCALE)[here, here]
        for spectrum in (total, _product(say, weights))
    )
    return np.asarray(scores / np.maximum(shares, 0.3), dtype=np.float32)


def common_radius(edges: Edges) -> tuple[float, Floats]:
    """Return the radius that the most round things on the board share, and its rim scores.

    All checkers of a board are of one size, so the surest of them tell how large the others are.
    Every second radius is asked first, then those beside the best.
    """
    scores = {radius: rim_scores(edges, radius) for radius in RADII[::2]}
    gains = {radius: _gain(field, edges.square_px) for radius, field in scores.items()}
    at = RADII.index(max(gains, key=lambda radius: gains[radius]))
    for radius in RADII[abs(at - 1) : at + 2 : 2]:
        scores[radius] = rim_scores(edges, radius)
        gains[radius] = _gain(scores[radius], edges.square_px)
    best = max(gains, key=lambda radius: gains[radius])
    return best, scores[best]


def _gain(scores: Floats, square_px: int) -> float:
    """Return how many round things of one radius there are on the field, and how sure they are."""
    margin = (len(scores) - 8 * square_px) // 2
    field = scores[margin:-margin, margin:-margin]
    peaks = field[is_peak(field, round(0.3 * square_px)) & (field > _SURE)]
    return float(np.sum(peaks - _SURE))


def is_peak(scores: Floats, reach_px: int) -> NDArray[np.bool_]:
    """Tell for each pixel whether it is the highest within *reach_px* in x and y."""
    window = np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8)
    peak: NDArray[np.bool_] = scores >= cv2.dilate(scores, window)
    return peak


def _line_weights(energy: Floats, square_px: int) -> Floats:
    """Return the say of each pixel: little on the lines between squares, else 1.

    Boards with painted lines, and those that lie a little off, have wide ones: a line ends where
    the median energy of its edges comes down to that of the squares.
    """
    along = (np.arange(len(energy)) - len(energy) / 2.0 + 0.5) / square_px + 4.0
    offset = np.abs(along - np.round(along))
    inside = (along > 0.0) & (along < 8.0)
    # Every third pixel along a line tells its median well enough.
    some = np.flatnonzero(inside)[::3]
    rows = np.median(energy[:, some], axis=1)
    columns = np.median(energy[some], axis=0)
    quiet = np.median(np.concatenate((rows[offset > 0.2], columns[offset > 0.2])))
    width = _LEAST_LINE
    for step in range(1, 6):
        reach = step * _WIDEST_LINE / 5.0
        here = inside & (np.abs(offset - reach) < 0.6 / square_px)
        if np.any(here) and np.median((rows + columns)[here]) > 2.0 * _LINE_SHOWS * quiet:
            width = max(width, reach + 0.5 / square_px)
    line = (offset < width) & (along > -width) & (along < 8.0 + width)
    weights = np.ones(energy.shape, np.float32)
    weights[line, :] = _LINE_WEIGHT
    weights[:, line] = _LINE_WEIGHT
    return weights


def _kernel(
    radius_px: float, width_px: float, inner: float | None
) -> tuple[Floats, Floats, Floats]:
    """Return a ring's weights, and cosine and sine of twice the direction from its middle."""
    width_px = max(0.8, width_px)
    reach = int(np.ceil(radius_px + 3.0 * width_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    distance = np.hypot(x, y)
    if inner is None:
        ring = np.exp(-0.5 * ((distance - radius_px) / width_px) ** 2)
    else:
        ring = (distance > inner * radius_px) & (distance < 1.08 * radius_px)
    turn = 2.0 * np.arctan2(y, x)
    weights: Floats = (ring / ring.sum()).astype(np.float32)
    return weights, np.cos(turn).astype(np.float32), np.sin(turn).astype(np.float32)


@lru_cache(maxsize=2)
def _spectra(edges: Edges, size: int) -> tuple[Floats, Floats, Floats]:
    """Return the transforms of the edges along and across, and of their weight, (size, size)."""
    weight = edges.weight
    before = size - len(weight)
    along, across, say = (
        cv2.dft(cv2.copyMakeBorder(field, before, 0, before, 0, cv2.BORDER_CONSTANT, value=0.0))
        for field in (edges.difference * weight, edges.mixed * weight, weight)
    )
    return np.asarray(along), np.asarray(across), np.asarray(say)


def _product(spectrum: Floats, kernel: Floats) -> Floats:
    """Return the transform of a field, of which *spectrum* is one, correlated with *kernel*."""
    padded = np.zeros_like(spectrum)
    padded[: len(kernel), : len(kernel)] = kernel
    other = cv2.dft(padded, nonzeroRows=len(kernel))
    return np.asarray(cv2.mulSpectrums(spectrum, other, 0, conjB=True), dtype=np.float32)
