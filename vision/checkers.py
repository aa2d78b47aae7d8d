"""How round checkers and towers of them appear to a camera over the board.

Seen from the pinhole, a horizontal circle above the board covers a circle on it: parallel planes
are mapped onto each other by a stretching about the point under the camera. So on the rectified
board every checker is simple: its foot is a circle, its top is the same circle pushed away from the
camera and a little larger, its wall fills the hull of both; a tower's tops follow each other along
the same line. All lengths are in squares, all places in board coordinates (`vision.rectify`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabletop import Point
from vision.lens import Points
from vision.pose import Pose


@dataclass(frozen=True, slots=True)
class Disc:
    """A horizontal circle as it covers the board: where, and how large it seems."""

    centre_xy: Point
    radius: float


def disc_seen(pose: Pose, foot_xy: Point, radius: float, height: float = 0.0) -> Disc:
    """Return what a circle *height* above the board's *foot_xy* covers on the board.

    The top of the n-th checker of a tower is at n times the thickness of a checker.

    Args:
        pose: the camera's pose over the board.
        foot_xy: the place on the board under the circle's centre.
        radius: of the circle.
        height: over the board, lower than the camera.
    """
    camera_x, camera_y, camera_z = pose.camera_xyz
    stretch = camera_z / (camera_z - height)
    x = camera_x + (foot_xy[0] - camera_x) * stretch
    y = camera_y + (foot_xy[1] - camera_y) * stretch
    return Disc((x, y), radius * stretch)


def foot_below(pose: Pose, seen_xy: Point, height: float) -> Point:
    """Return the place on the board under a point seen at *seen_xy*; the twin of `disc_seen`.

    Args:
        pose: the camera's pose over the board.
        seen_xy: where the point seems to be on the board.
        height: how far above the board it is.
    """
    camera_x, camera_y, camera_z = pose.camera_xyz
    shrink = (camera_z - height) / camera_z
    return camera_x + (seen_xy[0] - camera_x) * shrink, camera_y + (seen_xy[1] - camera_y) * shrink


def lean(pose: Pose, at_xy: ArrayLike) -> NDArray[np.float64]:
    """Return how far a point seems to move on the board for each square it is lifted.

    Args:
        pose: the camera's pose over the board.
        at_xy: places on the board, shape (n, 2).

    Returns:
        Shape (n, 2), away from the camera. Exact for small heights.
    """
    places = np.asarray(at_xy, dtype=np.float64).reshape(-1, 2)
    camera = pose.camera_xyz
    moved: NDArray[np.float64] = (places - camera[:2]) / camera[2]
    return moved


def disc_outline(
    pose: Pose, foot_xy: Point, radius: float, height: float = 0.0, points: int = 48
) -> Points:
    """Return the picture pixels of a horizontal circle's outline, shape (points, 2).

    Args:
        pose: the camera's pose over the board.
        foot_xy: the place on the board under the circle's centre.
        radius: of the circle.
        height: over the board.
        points: how many, evenly spread, the first in the direction of the files.
    """
    turn = np.arange(points) * (2.0 * np.pi / points)
    x, y = foot_xy[0] + radius * np.cos(turn), foot_xy[1] + radius * np.sin(turn)
    return pose.project(np.column_stack((x, y, np.full(points, height))))
