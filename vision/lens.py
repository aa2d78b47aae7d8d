"""The lens: between the bent picture a camera takes and the one an ideal lens would give.

One-parameter division model (Fitzgibbon 2001, "Simultaneous linear estimation of multiple view
geometry and lens distortion"), with the picture's centre as the centre of distortion and half its
diagonal as the unit of length. It has a closed inverse and, with one number, fits what the lenses
of small cameras do: 0 is no distortion, negative is barrel, positive is pincushion.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points: TypeAlias = NDArray[np.float64]
"""Points, shape (n, 2), x before y; in pixels, or in squares where a function says so."""


def to_ideal(points_xy: ArrayLike, size_wh: tuple[int, int], distortion: float) -> Points:
    """Return where an ideal lens would have put the *points_xy* of a picture.

    Args:
        points_xy: shape (n, 2), pixels of the picture.
        size_wh: width and height of the picture.
        distortion: the division model's parameter.
    """
    offsets, centre_xy, radius_px = _from_centre(points_xy, size_wh)
    x, y = offsets.T
    ideal: Points = (
        centre_xy + offsets * (radius_px / (1.0 + distortion * (x * x + y * y)))[:, None]
    )
    return ideal


def to_picture(points_xy: ArrayLike, size_wh: tuple[int, int], distortion: float) -> Points:
    """Return where the lens puts *points_xy* of the ideal picture; the twin of `to_ideal`.

    A pincushion lens (positive parameter) cannot show points far outside at all: they come out on
    the largest circle that it can show.
    """
    offsets, centre_xy, radius_px = _from_centre(points_xy, size_wh)
    seen: Points = centre_xy + radius_px * bent(offsets, distortion)
    return seen


def bent(ideal: Points, distortion: float) -> Points:
    """Return where the lens puts points of the ideal picture, in half diagonals from its centre.

    That is what `to_picture` does, in units that need no picture.
    """
    if distortion == 0.0:
        return ideal
    x, y = ideal.T
    root = np.sqrt(np.maximum(1.0 - 4.0 * distortion * (x * x + y * y), 0.0))
    seen: Points = ideal * (2.0 / (1.0 + root))[:, None]
    return seen


def _from_centre(
    points_xy: ArrayLike, size_wh: tuple[int, int]
) -> tuple[Points, NDArray[np.float64], float]:
    """Return the points relative to the centre in half diagonals, the centre, the half diagonal."""
    centre_xy = (np.array(size_wh, dtype=np.float64) - 1.0) / 2.0
    radius_px = float(np.hypot(*size_wh)) / 2.0
    points = np.asarray(points_xy, dtype=np.float64).reshape(-1, 2)
    return (points - centre_xy) / radius_px, centre_xy, radius_px
