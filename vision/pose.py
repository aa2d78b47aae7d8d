"""The camera's pose over the board, from the board's own outline.

A picture of a square tells the camera's focal length and pose (Zhang 2000, "A flexible new
technique for camera calibration"), but the focal length only as far as perspective shows in it:
from straight above it does not. So a prior of the fields of view of small cameras has its say, and
the more so the less the outline tells.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabletop import BoardLocation
from vision.lens import Points, to_picture
from vision.rectify import BOARD_CORNERS, apply_homography, board_homography

# Horizontal fields of view: 54 to 66 degrees for the usual Pi cameras, 102 for the wide one, 55 to
# 80 for webcams and telephones. The focal length in widths of the picture at 63 degrees, and the
# spread of its logarithm that covers the others.
_USUAL_FOCAL_WIDTHS: Final = 0.82
_FOCAL_LOG_SPREAD: Final = 0.35
# How far from square and of equal sides the files and ranks of a rightly guessed focal length
# appear, given corners that are right to a few hundredths of a square.
_SHAPE_SPREAD: Final = 0.01
_FOCAL_LOG_STEPS: Final = np.linspace(-1.1, 1.4, 126)


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where the camera is, and how it projects.

    The world is the board: x along the files, y along the ranks, z up from the table towards the
    camera, in squares, with a1's outer corner at the origin.

    Attributes:
        focal_px: the focal length.
        rotation: from the board's axes to the camera's (x right, y down, z forward), (3, 3).
        translation: the board's origin in the camera's axes, in squares, (3,).
        size_wh: the picture's width and height.
        distortion: the lens parameter of `vision.lens`.
    """

    focal_px: float
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]
    size_wh: tuple[int, int]
    distortion: float = 0.0

    @property
    def camera_xyz(self) -> tuple[float, float, float]:
        """Where the camera's pinhole is on the board's axes, in squares."""
        return _pinhole(self)

    def project(self, points_xyz: ArrayLike) -> Points:
        """Return the pixels of points in space, (n, 3) in squares; shape (n, 2)."""
        points = np.asarray(points_xyz, dtype=np.float64).reshape(-1, 3)
        seen = points @ self.rotation.T + self.translation
        centre_xy = (np.array(self.size_wh, dtype=np.float64) - 1.0) / 2.0
        ideal = centre_xy + self.focal_px * seen[:, :2] / seen[:, 2:]
        return to_picture(ideal, self.size_wh, self.distortion)


@lru_cache(maxsize=8)
def _pinhole(pose: Pose) -> tuple[float, float, float]:
    x, y, z = (-pose.rotation.T @ pose.translation).tolist()
    return x, y, z


def estimate_pose(location: BoardLocation, size_wh: tuple[int, int]) -> Pose:
    """Return the camera's pose over the board at *location*.

    Args:
        location: where the board is; its outline must have the turn of a real one, files to the
            right when ranks go up, as every location that was found has.
        size_wh: width and height of the picture.
    """
    centre_x, centre_y = (size_wh[0] - 1.0) / 2.0, (size_wh[1] - 1.0) / 2.0
    to_centre = np.array([[1.0, 0.0, -centre_x], [0.0, 1.0, -centre_y], [0.0, 0.0, 1.0]])
    matrix = to_centre @ board_homography(location, size_wh)
    focal_px = _focal_length(matrix, size_wh[0])
    rotation, translation = _decompose(matrix, focal_px)
    rotation, translation = _refine(matrix, focal_px, rotation, translation)
    for array in (rotation, translation):
        array.flags.writeable = False
    return Pose(focal_px, rotation, translation, size_wh, location.distortion)


def _focal_length(matrix: NDArray[np.float64], width_px: int) -> float:
    """Return the focal length that makes the board square, weighed with the prior."""
    focals = _USUAL_FOCAL_WIDTHS * width_px * np.exp(_FOCAL_LOG_STEPS)
    # Columns of K⁻¹H for every focal length at once: shape (focals, 3).
    scale = np.column_stack((1.0 / focals, 1.0 / focals, np.ones_like(focals)))
    files, ranks = scale * matrix[:, 0], scale * matrix[:, 1]
    length_x, length_y = np.linalg.norm(files, axis=1), np.linalg.norm(ranks, axis=1)
    stretch = np.log(length_x / length_y)
    skew = np.sum(files * ranks, axis=1) / (length_x * length_y)
    cost = (stretch**2 + skew**2) / _SHAPE_SPREAD**2 + (_FOCAL_LOG_STEPS / _FOCAL_LOG_SPREAD) ** 2
    return float(focals[int(np.argmin(cost))])


def _decompose(
    matrix: NDArray[np.float64], focal_px: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the nearest rotation and the translation that a homography with centre 0 holds."""
    columns = matrix * np.array([[1.0 / focal_px], [1.0 / focal_px], [1.0]])
    columns = columns / np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    # The board is in front of the camera: the depth of its middle is positive.
    if columns[2] @ (4.0, 4.0, 1.0) < 0.0:
        columns = -columns
    files, ranks, translation = columns.T
    left, _, right = np.linalg.svd(np.column_stack((files, ranks, np.cross(files, ranks))))
    turn = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    return left @ turn @ right, translation


def _refine(
    matrix: NDArray[np.float64],
    focal_px: float,
    rotation: NDArray[np.float64],
    translation: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pose that meets the four corners best."""
    corners = apply_homography(matrix, BOARD_CORNERS)
    camera = np.diag([focal_px, focal_px, 1.0])
    world = np.column_stack((np.array(BOARD_CORNERS), np.zeros(4)))
    start = cv2.Rodrigues(rotation)[0]
    vector, moved = cv2.solvePnPRefineLM(
        world, corners, camera, np.zeros(4), start, translation.reshape(3, 1)
    )
    refined = np.asarray(cv2.Rodrigues(vector)[0], dtype=np.float64)
    return refined, np.asarray(moved, dtype=np.float64).reshape(3)
