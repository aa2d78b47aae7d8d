"""A flat square grid seen through a lens, and its fit to what was measured in the picture.

Eight numbers of a homography and one of the lens (`vision.lens`) carry grid coordinates, in
squares, to pixels. Boards that fold have a gap at the hinge, between the fourth and the fifth row:
its width along either axis makes two numbers more. Inside, pictures have their centre as origin and
half their diagonal as unit.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.lens import Points, bent, to_ideal
from vision.rectify import apply_homography

# What lenses do: most of them keep the division model's parameter within this of 0.
_DISTORTION_SPREAD: Final = 0.1
# Gaps at hinges are mostly narrower than this, in squares.
_GAP_SPREAD: Final = 0.2
_MIDDLE: Final = (4.0, 4.0)
_NO_GAPS: Final = (0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Where a square grid is in a picture.

    Attributes:
        matrix: from grid coordinates to the ideal picture, which is in half diagonals from its
            centre, (3, 3).
        size_wh: the picture's width and height.
        distortion: the lens parameter of `vision.lens`.
        gaps: how far the squares stand apart at the hinge, along x and along y, in squares. Half of
            a gap is added on either side.
        hinge: where that is in grid coordinates, the middle of the board.
    """

    matrix: NDArray[np.float64]
    size_wh: tuple[int, int]
    distortion: float = 0.0
    gaps: tuple[float, float] = _NO_GAPS
    hinge: tuple[float, float] = _MIDDLE

    def project(self, places: ArrayLike) -> Points:
        """Return the pixels of *places* in grid coordinates, shape (n, 2)."""
        ideal = apply_homography(self.matrix, self.opened(places))
        width, height = self.size_wh
        middle = ((width - 1.0) / 2.0, (height - 1.0) / 2.0)
        # As `to_picture` does, without going to pixels and back: it is asked for often.
        pixels: Points = bent(ideal, self.distortion) * (math.hypot(width, height) / 2.0) + middle
        return pixels

    def located(self, points_xy: ArrayLike) -> Points:
        """Return where pixels lie on the flat plane, in squares: of `project` the twin, no gaps."""
        ideal = _from_centre(to_ideal(points_xy, self.size_wh, self.distortion), self.size_wh)
        return apply_homography(np.linalg.inv(self.matrix).astype(np.float64), ideal)

    def opened(self, places: ArrayLike) -> Points:
        """Return where *places* are on the flat plane, the gaps counted in, in squares."""
        flat = np.asarray(places, dtype=np.float64).reshape(-1, 2)
        if self.gaps == _NO_GAPS:
            return flat
        apart: Points = flat + np.sign(flat - self.hinge) * np.array(self.gaps) / 2.0
        return apart

    def moved(self, by: ArrayLike) -> "Grid":
        """Return the same grid with *by* as the new origin of its coordinates."""
        shift = np.asarray(by, dtype=np.float64)
        step = np.eye(3)
        step[:2, 2] = shift
        x, y = (np.array(self.hinge) - shift).tolist()
        return replace(self, matrix=self.matrix @ step, hinge=(x, y))

    def closed(self) -> "Grid":
        """Return the same grid without gaps, its outermost lines kept if it is a board's."""
        stretch = np.diag([*(1.0 + np.array(self.gaps) / 8.0), 1.0])
        stretch[:2, 2] = -np.array(self.gaps) / 2.0
        return replace(self, matrix=self.matrix @ stretch, gaps=_NO_GAPS, hinge=_MIDDLE)


def grid_through(places: ArrayLike, points_xy: ArrayLike, size_wh: tuple[int, int]) -> Grid | None:
    """Return the grid without distortion through four or more points, None where there is none."""
    source = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    target = _from_centre(points_xy, size_wh)
    matrix, _ = cv2.findHomography(source, target, 0)
    if matrix is None or not np.all(np.isfinite(matrix)):
        return None
    return Grid(np.asarray(matrix, dtype=np.float64), size_wh)


def fit_grid(
    start: Grid,
    places: NDArray[np.float64],
    points_xy: Points,
    weights: NDArray[np.float64],
    normals: NDArray[np.float64] | None = None,
    bend: bool = True,
    hinged: bool = False,
) -> Grid:
    """Return *start* moved by one Gauss-Newton step towards the measured points.

    Args:
        start: a grid near by.
        places: grid coordinates, shape (n, 2).
        points_xy: where they were seen, pixels, shape (n, 2).
        weights: of the residuals, inverse variances in pixels, (n,).
        normals: where only the distance from an edge was measured, its direction in the picture,
            unit vectors of shape (n, 2); None where the points themselves were.
        bend: fit the lens parameter too.
        hinged: fit the gaps too.
    """
    radius_px = float(np.hypot(*start.size_wh)) / 2.0
    seen = _from_centre(points_xy, start.size_wh)
    squared = np.sum(seen**2, axis=1, keepdims=True)
    shrink = 1.0 + start.distortion * squared
    matrix = start.matrix / start.matrix[2, 2]
    ones = np.ones((len(places), 1))
    flat = start.opened(places)
    homogeneous = np.hstack((flat, ones)) @ matrix.T
    depth = homogeneous[:, 2:]
    ideal = homogeneous[:, :2] / depth
    away = ideal - seen / shrink
    # Derivatives of (ideal - seen) by the eight numbers of the matrix, by the lens, by the gaps.
    place = np.hstack((flat, ones)) / depth
    zero = np.zeros_like(place)
    bent = seen * squared / shrink**2
    by_x = np.hstack((place, zero, -ideal[:, :1] * place[:, :2], bent[:, :1]))
    by_y = np.hstack((zero, place, -ideal[:, 1:] * place[:, :2], bent[:, 1:]))
    if hinged:
        side = np.sign(places - start.hinge) / 2.0 / depth
        by_x = np.hstack((by_x, side * (matrix[0, :2] - ideal[:, :1] * matrix[2, :2])))
        by_y = np.hstack((by_y, side * (matrix[1, :2] - ideal[:, 1:] * matrix[2, :2])))
    if normals is None:
        rows = np.vstack((by_x, by_y))
        residuals = np.concatenate((away[:, 0], away[:, 1]))
        scale = np.concatenate((weights, weights))
    else:
        rows = normals[:, :1] * by_x + normals[:, 1:] * by_y
        residuals = np.sum(normals * away, axis=1)
        scale = weights
    scaled = rows * (scale * radius_px**2)[:, None]
    normal_matrix = rows.T @ scaled
    gradient = scaled.T @ residuals
    guesses = np.array((start.distortion, *start.gaps))
    stiffness = 1.0 / np.array((_DISTORTION_SPREAD, _GAP_SPREAD, _GAP_SPREAD)) ** 2
    known = len(gradient) - 8
    normal_matrix[8:, 8:] += np.diag(stiffness[:known])
    gradient[8:] += (guesses * stiffness)[:known]
    used = 11 if hinged else 9 if bend else 8
    step = np.zeros(11)
    damping = 1e-9 * np.diag(np.diag(normal_matrix)[:used])
    step[:used] = np.linalg.solve(normal_matrix[:used, :used] + damping, -gradient[:used])
    moved = matrix + np.append(step[:8], 0.0).reshape(3, 3)
    distortion, gap_x, gap_y = (guesses + step[8:]).tolist()
    gaps = (max(gap_x, 0.0), max(gap_y, 0.0))
    return Grid(moved, start.size_wh, distortion, gaps, start.hinge)


def _from_centre(points_xy: ArrayLike, size_wh: tuple[int, int]) -> Points:
    centre_xy = (np.array(size_wh, dtype=np.float64) - 1.0) / 2.0
    points = np.asarray(points_xy, dtype=np.float64).reshape(-1, 2)
    scaled: Points = (points - centre_xy) / (float(np.hypot(*size_wh)) / 2.0)
    return scaled
