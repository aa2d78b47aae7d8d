"""The light of now against the light of the empty-board reference.

Exposure, white balance, lamps and daylight change what the camera sees of the same board. Between
two pictures of it that change is modelled, a channel at a time, as a gain that varies smoothly over
the board and an offset (stray light); both are fitted robustly, so that checkers, hands and sharp
shadows have no say. A lamp nearby, and what it takes to burn light squares out, leave more over
than so smooth a field tells: that is followed from square to square, light ones and dark ones each
by themselves. What remains after the light is taken out is on the board, not in the room.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

# Cells of a rectified board, the samples of the fit, are this part of a square wide.
_CELLS_A_SQUARE: Final = 4
# The robust fit narrows from a scale that no outlier starts outside of to the noise of a cell.
_SCALES: Final = (40.0, 22.0, 12.0, 7.0, 5.0, 4.0)
# How far, as a standard deviation of a gain's coefficient and of an offset in grey levels, they
# are expected to stray: a ridge that keeps few visible cells from inventing a wild field.
_GAIN_SPREAD: Final = (1.0, 0.5, 0.5, 0.3, 0.3, 0.3)
_OFFSET_SPREAD: Final = (2.0, 1.0, 1.0, 1.0, 1.0, 1.0)
BURNT: Final = 246
"""From this level on a channel may be burnt out."""
_NEARLY: Final = 0.8
_BURNT_SHARE: Final = 0.1
"""From this part of its pixels on a cell is burnt out."""
_GAIN_LIMITS: Final = (0.2, 5.0)
# What is left over is the mean of what the cells of one shade agree on, about so many squares wide,
# narrowing like the fit; that nothing is left over is believed as much as so many cells.
_LEFT_WINDOW: Final = 2 * _CELLS_A_SQUARE + 1
_LEFT_SCALES: Final = (15.0, 10.0, 7.0, 5.0)
_LEFT_DOUBT: Final = 6.0
# A checker stands about the middle of its square: corners tell more of the board. Cell by cell.
_BARE: Final = (
    (1.0, 0.5, 0.5, 1.0),
    (0.5, 0.15, 0.15, 0.5),
    (0.5, 0.15, 0.15, 0.5),
    (1.0, 0.5, 0.5, 1.0),
)

_Real = TypeVar("_Real", np.float32, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Evened:
    """A board as it would look under the light of its reference.

    Attributes:
        pixels: BGR, float32, shape (side, side, 3), 0 to 255.
        smooth: the same, only light that varies smoothly taken out: reflections are in it.
        burnt: which channels of which pixels are at least so bright, having been burnt out by the
            light; the same shape.
    """

    pixels: NDArray[np.float32]
    smooth: NDArray[np.float32]
    burnt: NDArray[np.bool_]

    def burnt_channels(self) -> NDArray[np.uint8]:
        """Return how many channels of each pixel are burnt out, shape (side, side)."""
        blue, green, red = cv2.split(self.burnt.view(np.uint8))
        return np.asarray(blue + green + red, dtype=np.uint8)


def take_out_light(board: Picture, reference: Picture, square_px: int) -> Evened:
    """Return *board* as it would look under the light of *reference*.

    Args:
        board: a rectified board, shape (side, side, 3), BGR, the field in its middle.
        reference: the empty board rectified alike.
        square_px: the side of a square in both.
    """
    burnt = board >= BURNT
    lost = _cells(burnt * np.uint8(255), square_px) > _BURNT_SHARE * 255.0
    gain, offset = _fit_light(board, reference, lost, square_px)
    smooth = np.asarray((board - offset) / gain, dtype=np.float32)
    evened = _without_the_rest(smooth, reference, lost, square_px)
    for pixels in (smooth, evened):
        if burnt.any():
            pixels[burnt] = at_least(pixels[burnt], reference[burnt])
        np.clip(pixels, 0.0, 255.0, out=pixels)
    return Evened(evened, smooth, burnt)


def at_least(burnt: NDArray[np.float32], known: NDArray[Any]) -> NDArray[np.float32]:
    """Return *burnt* levels as they would be if *known* were seen: that, where it is bright enough.

    A burnt-out pixel tells that it is at least about so bright; how bright, the light that burnt
    it out does not tell exactly.
    """
    return np.asarray(np.where(known > _NEARLY * burnt, known, burnt), dtype=np.float32)


def say(off: NDArray[_Real], scale: float) -> NDArray[_Real]:
    """Return what weight a robust fit gives to what is so far off (Geman-McClure), 1 at most."""
    weights = 1.0 / np.square(1.0 + np.square(off / np.float32(scale)))
    return np.asarray(weights, dtype=off.dtype)


@lru_cache(maxsize=8)
def quadratic(height: int, width: int) -> NDArray[np.float32]:
    """Return 1, x, y, x², xy, y² over a grid on [-1, 1], shape (height, width, 6); read-only."""
    x, y = np.meshgrid(
        *(((np.arange(n, dtype=np.float32) + 0.5) / n) * 2.0 - 1.0 for n in (width, height))
    )
    fields = np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1).astype(np.float32)
    fields.flags.writeable = False
    return fields


def _fit_light(
    board: Picture, reference: Picture, lost: NDArray[np.bool_], square_px: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the gain and the offset, both of shape (side, side, 3); *lost* cells burnt out."""
    now, then = _cells(board, square_px), _cells(reference, square_px)
    side, size_wh = now.shape[0], (board.shape[1], board.shape[0])
    basis = quadratic(side, side).reshape(side * side, -1)
    prior = np.diag(1.0 / np.square((*_GAIN_SPREAD, *_OFFSET_SPREAD)))
    gains, offsets = [], []
    for channel in range(3):
        seen, known = now[..., channel].ravel(), then[..., channel].ravel()
        design = np.hstack((basis * known[:, None], basis)).astype(np.float64)
        solution = _fit_robustly(design, seen, lost[..., channel].ravel(), prior)
        gains.append(solution[: basis.shape[1]])
        offsets.append(solution[basis.shape[1] :])
    # Between cells so smooth a field is as good as straight.
    gain, offset = (
        np.asarray(cv2.resize(field.reshape(now.shape), size_wh), dtype=np.float32)
        for field in (basis @ np.array(fields, np.float32).T for fields in (gains, offsets))
    )
    return np.clip(gain, *_GAIN_LIMITS), offset


def _without_the_rest(
    smooth: NDArray[np.float32], reference: Picture, lost: NDArray[np.bool_], square_px: int
) -> NDArray[np.float32]:
    """Return the board without what the light that was fitted leaves over on its field.

    Cells that are *lost* to burning out have no say.
    """
    start = (len(smooth) - 8 * square_px) // 2
    field = (slice(start, start + 8 * square_px),) * 2
    off = _cells(smooth[field] - reference[field], square_px).astype(np.float32)
    margin = (len(lost) - 8 * _CELLS_A_SQUARE) // 2
    inner = (slice(margin, margin + 8 * _CELLS_A_SQUARE),) * 2
    told = np.tile(np.array(_BARE, np.float32), (8, 8))[..., None] * ~lost[inner]
    of_dark, of_light = (
        _agreed(off, told * _shade(parity, _CELLS_A_SQUARE)[..., None]) for parity in (0, 1)
    )
    size_wh = (8 * square_px, 8 * square_px)
    rest = cv2.resize(of_light, size_wh, interpolation=cv2.INTER_LINEAR)
    cv2.copyTo(
        cv2.resize(of_dark, size_wh, interpolation=cv2.INTER_LINEAR),
        _shade(0, square_px).view(np.uint8),
        rest,
    )
    evened = smooth.copy()
    evened[field] -= rest
    return evened


def _agreed(off: NDArray[np.float32], told: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by how much the cells around each one are *off*, as most of those *told* of agree."""
    window = (_LEFT_WINDOW, _LEFT_WINDOW)
    agreed = np.zeros_like(off)
    for scale in _LEFT_SCALES:
        weights = told * say(off - agreed, scale)
        total = cv2.boxFilter(
            weights * off, -1, window, normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        heard = cv2.boxFilter(weights, -1, window, normalize=False, borderType=cv2.BORDER_CONSTANT)
        # That nothing is left over is likely as well, unless much is.
        doubt = np.float32(_LEFT_DOUBT) * say(agreed, scale)
        agreed = np.asarray(total / (heard + doubt + np.float32(1e-3)), dtype=np.float32)
    return agreed


@lru_cache(maxsize=8)
def _shade(parity: int, square_px: int) -> NDArray[np.bool_]:
    """Return where the squares of one shade are on a field, (8 squares, 8 squares); read-only."""
    along = np.arange(8 * square_px) // square_px
    own = np.asarray((along[:, None] + along) % 2 == parity, dtype=np.bool_)
    own.flags.writeable = False
    return own


def _cells(board: NDArray[Any], square_px: int) -> NDArray[np.float64]:
    """Return the means of small cells, those with burnt-out or black pixels being kept too."""
    side = board.shape[0] * _CELLS_A_SQUARE // square_px
    return np.asarray(cv2.resize(board, (side, side), interpolation=cv2.INTER_AREA)).astype(
        np.float64
    )


def _fit_robustly(
    design: NDArray[np.float64],
    seen: NDArray[np.float64],
    burnt: NDArray[np.bool_],
    prior: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the coefficients that most cells agree on, in a scale that narrows.

    Of what is burnt out any light agrees that is at least so bright.
    """
    centre = np.zeros(design.shape[1])
    centre[0] = _first_gain(design[:, 0], seen)
    solution: NDArray[np.float64] = centre
    for scale in _SCALES:
        lit = design @ solution
        due = np.where(burnt, np.maximum(seen, lit), seen)
        residual = due - lit
        weights = say(residual, scale) / scale**2
        weighted = design * weights[:, None]
        normal = weighted.T @ design + prior
        solution = np.asarray(np.linalg.solve(normal, weighted.T @ due + prior @ centre))
    return solution


def _first_gain(known: NDArray[np.float64], seen: NDArray[np.float64]) -> float:
    """Return the median ratio of now to then."""
    return float(np.median((seen + 1.0) / (known + 1.0)))
