"""The empty table as it would look with its board, or the camera, elsewhere."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.frame import Picture
from vision.rectify import board_to_picture

RIM: Final = 0.8
"""How far the board's rim reaches at most, in squares."""


def turn_between(before: BoardLocation, now: BoardLocation) -> NDArray[np.float64]:
    """Return the homography of the picture, shape (3, 3), that brings the board from there here."""
    corners, moved = (np.array(each.corners, np.float32) for each in (before, now))
    return np.asarray(cv2.getPerspectiveTransform(corners, moved), np.float64)


def carried_along(picture: Picture, turn: NDArray[np.float64]) -> Picture:
    """Return *picture* with all that is in it where its board comes to by *turn*."""
    size_wh = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpPerspective(picture, turn, size_wh), np.uint8)


def part_of_board(
    location: BoardLocation, size_wh: tuple[int, int], low_xy: tuple[float, float], side: float
) -> NDArray[np.bool_]:
    """Return where in the picture a square part of the board is, *side* squares wide from *low_xy*.

    The result has the shape (height, width).
    """
    x, y = low_xy
    corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    return filled(board_to_picture(location, size_wh, corners), size_wh)


def whole_board(location: BoardLocation, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return where in the picture the board is, its rim included."""
    return part_of_board(location, size_wh, (-RIM, -RIM), 8.0 + 2.0 * RIM)


def filled(outline: NDArray[np.float64], size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the convex hull of *outline*, points in the picture, as a mask over it."""
    mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    hull = cv2.convexHull(np.rint(outline).astype(np.int32)).reshape(-1, 2)
    cv2.fillConvexPoly(mask, hull, 1)
    return mask > 0
