"""Saddle points: where two light and two dark corners of squares meet.

Between four squares of a chessboard lightness is a saddle, and the determinant of the Hessian of
the smoothed picture has a sharp minimum there, whatever the turn and the contrast. Checkers hide
squares, seldom the corners between them. The Hessian tells more than the place: the two directions
in which it has no curvature are the edges of the squares, and its axis of positive curvature points
into the light squares, so a point knows which neighbours it could have.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Points

# The spread of the smoothing in pixels of the level looked at; squares from about 8 pixels on
# survive it.
_SMOOTHING_PX: Final = 1.6
# Differences of the logarithm of lightness: noise is mostly below, the palest boards above.
_LEAST_STRENGTH: Final = 0.0006
# How far the saddle itself may lie from the largest response, in pixels.
_FARTHEST_SADDLE_PX: Final = 1.5
_MOST_POINTS: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class Saddles:
    """Saddle points of one picture, the strongest first.

    Attributes:
        points_xy: where they are, shape (n, 2).
        light_axis: the direction into the light squares in radians, modulo half a turn, (n,).
        half_angle: how far the edges of the squares lie to both sides of the light axis, in
            radians, (n,); a quarter of pi where the squares' corners are square.
        strength: the root of the Hessian's negated determinant, (n,).
    """

    points_xy: Points
    light_axis: NDArray[np.float64]
    half_angle: NDArray[np.float64]
    strength: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.points_xy)


def find_saddles(lightness: NDArray[np.float32]) -> Saddles:
    """Return the saddle points of one channel, shape (h, w), logarithmic lightness."""
    smooth = np.asarray(cv2.GaussianBlur(lightness, (0, 0), _SMOOTHING_PX), dtype=np.float32)
    xx = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3, scale=0.25), dtype=np.float32)
    yy = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3, scale=0.25), dtype=np.float32)
    xy = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3, scale=0.25), dtype=np.float32)
    response = xy * xy - xx * yy
    peaks = response >= cv2.dilate(response, np.ones((5, 5), dtype=np.uint8))
    peaks &= response > _LEAST_STRENGTH**2
    peaks[:3], peaks[-3:], peaks[:, :3], peaks[:, -3:] = False, False, False, False
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-response[rows, columns], kind="stable")[: 2 * _MOST_POINTS]
    rows, columns = rows[order], columns[order]
    hessian = _Hessian(*(part[rows, columns].astype(np.float64) for part in (xx, xy, yy)))
    slope_x = (smooth[rows, columns + 1] - smooth[rows, columns - 1]).astype(np.float64) / 2
    slope_y = (smooth[rows + 1, columns] - smooth[rows - 1, columns]).astype(np.float64) / 2
    # The step from each pixel to where the fitted quadric is level.
    shift_x = (hessian.xy * slope_y - hessian.yy * slope_x) / hessian.determinant
    shift_y = (hessian.xy * slope_x - hessian.xx * slope_y) / hessian.determinant
    near = np.hypot(shift_x, shift_y) <= _FARTHEST_SADDLE_PX
    near &= np.cumsum(near) <= _MOST_POINTS
    points = np.column_stack((columns + shift_x, rows + shift_y))
    axis, half_angle = _directions(hessian)
    strength = np.sqrt(-hessian.determinant)
    return Saddles(points[near], axis[near], half_angle[near], strength[near])


@dataclass(frozen=True, slots=True, eq=False)
class _Hessian:
    """Second derivatives at n points, each of shape (n,)."""

    xx: NDArray[np.float64]
    xy: NDArray[np.float64]
    yy: NDArray[np.float64]

    @property
    def determinant(self) -> NDArray[np.float64]:
        return self.xx * self.yy - self.xy * self.xy


def _directions(hessian: _Hessian) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the axis of positive curvature and how far from it the flat directions lie."""
    middle, half_gap = (hessian.xx + hessian.yy) / 2, (hessian.xx - hessian.yy) / 2
    spread = np.hypot(half_gap, hessian.xy)
    axis = np.arctan2(hessian.xy, half_gap) / 2
    # Rounding may leave the smaller of two nearly equal numbers below zero.
    rising, falling = np.maximum(spread + middle, 0.0), np.maximum(spread - middle, 0.0)
    return axis, np.arctan2(np.sqrt(rising), np.sqrt(falling))
