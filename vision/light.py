"""The light of now against the light of the empty-board reference.

Exposure, white balance, lamps and daylight change what the camera sees of the same board. Between
two pictures of it that change is modelled, a channel at a time, as a gain that varies smoothly over
the board and an offset (stray light); both are fitted robustly, so that checkers, hands and sharp
shadows have no say. What remains after the light is taken out is on the board, not in the room.
"""

from typing import Final

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
_OFFSET_SPREAD: Final = 6.0
_BURNT: Final = 252
_GAIN_LIMITS: Final = (0.2, 5.0)


def take_out_light(board: Picture, reference: Picture, square_px: int) -> NDArray[np.float32]:
    """Return *board* as it would look under the light of *reference*.

    Args:
        board: a rectified board, shape (side, side, 3), BGR.
        reference: the empty board rectified alike.
        square_px: the side of a square in both.

    Returns:
        BGR, float32 of the same shape, 0 to 255.
    """
    gain, offset = _fit_light(board, reference, square_px)
    evened = (board.astype(np.float32) - offset) / gain
    # A burnt-out pixel tells that it is at least so bright.
    evened = np.where(board >= _BURNT, np.maximum(evened, reference), evened)
    return np.asarray(np.clip(evened, 0.0, 255.0), dtype=np.float32)


def _fit_light(
    board: Picture, reference: Picture, square_px: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the gain, shape (side, side, 3), and the offset, shape (3,)."""
    now, then = _cells(board, square_px), _cells(reference, square_px)
    side = now.shape[0]
    basis = _quadratic(side).reshape(side * side, -1)
    prior = np.diag(1.0 / np.square((*_GAIN_SPREAD, _OFFSET_SPREAD)))
    gains, offsets = [], []
    for channel in range(3):
        seen, known = now[..., channel].ravel(), then[..., channel].ravel()
        design = np.column_stack((basis * known[:, None], np.ones(side * side)))
        solution = _fit_robustly(design, seen, prior)
        gains.append(solution[:-1])
        offsets.append(solution[-1])
    fine = _quadratic(board.shape[0]) @ np.array(gains, dtype=np.float32).T
    return np.clip(fine, *_GAIN_LIMITS), np.array(offsets, dtype=np.float32)


def _cells(board: Picture, square_px: int) -> NDArray[np.float64]:
    """Return the means of small cells, those with burnt-out or black pixels being kept too."""
    side = board.shape[0] * _CELLS_A_SQUARE // square_px
    return np.asarray(cv2.resize(board, (side, side), interpolation=cv2.INTER_AREA)).astype(
        np.float64
    )


def _quadratic(side: int) -> NDArray[np.float32]:
    """Return 1, x, y, x², xy, y² over a square grid on [-1, 1], shape (side, side, 6)."""
    along = ((np.arange(side, dtype=np.float32) + 0.5) / side) * 2.0 - 1.0
    x, y = np.meshgrid(along, along)
    return np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1).astype(np.float32)


def _fit_robustly(
    design: NDArray[np.float64], seen: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the coefficients that most cells agree on (Geman-McClure weights, narrowing)."""
    centre = np.zeros(design.shape[1])
    centre[0] = _first_gain(design[:, 0], seen)
    solution: NDArray[np.float64] = centre
    for scale in _SCALES:
        residual = seen - design @ solution
        weights = 1.0 / np.square(1.0 + np.square(residual / scale)) / scale**2
        weighted = design * weights[:, None]
        normal = weighted.T @ design + prior
        solution = np.asarray(np.linalg.solve(normal, weighted.T @ seen + prior @ centre))
    return solution


def _first_gain(known: NDArray[np.float64], seen: NDArray[np.float64]) -> float:
    """Return the median ratio of now to then."""
    return float(np.median((seen + 1.0) / (known + 1.0)))
