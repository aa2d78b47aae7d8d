"""Between board coordinates and the picture, and the board seen straight from above.

Board coordinates are in squares: x runs along the files from a's outer edge (0) to h's (8), y along
the ranks from the first's outer edge to the eighth's. a1's outer corner is (0, 0), the middle of a1
is (0.5, 0.5).
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabletop import BoardLocation
from vision.frame import Picture
from vision.lens import Points, to_ideal, to_picture

BOARD_CORNERS: Final = ((0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0))
"""The outer corners in board coordinates, in the order of `BoardLocation.corners`."""

_BLOCK_PX: Final = 4
"""The sampling map is worked out for the middles of blocks so large, and straight between them."""


@dataclass(frozen=True, slots=True, eq=False)
class RectifiedBoard:
    """A board seen straight from above.

    Attributes:
        pixels: a1 at the bottom left, the eighth rank at the top; read-only.
        square_px: the side of a square in its pixels.
        margin: how much is shown around the field, in squares.
    """

    pixels: Picture
    square_px: int
    margin: float


@dataclass(frozen=True, slots=True, eq=False)
class Rectifier:
    """The sampling map of one location: made once, applied to every frame.

    Attributes:
        map_x: for each pixel of the rectified board, x in the picture, float32; read-only.
        map_y: the same for y.
        square_px: the side of a square in the rectified board.
        margin: how much is shown around the field, in squares.
    """

    map_x: NDArray[np.float32]
    map_y: NDArray[np.float32]
    square_px: int
    margin: float

    def apply(self, pixels: Picture) -> RectifiedBoard:
        """Return the board of *pixels*, which have the size that the map was made for."""
        flat = cv2.remap(
            pixels, self.map_x, self.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        board = np.asarray(flat, dtype=np.uint8)
        board.flags.writeable = False
        return RectifiedBoard(board, self.square_px, self.margin)


def board_to_picture(
    location: BoardLocation, size_wh: tuple[int, int], points: ArrayLike
) -> Points:
    """Return the pixels of *points* given in board coordinates, shape (n, 2)."""
    ideal = apply_homography(board_homography(location, size_wh), points)
    return to_picture(ideal, size_wh, location.distortion)


def picture_to_board(
    location: BoardLocation, size_wh: tuple[int, int], points: ArrayLike
) -> Points:
    """Return the board coordinates of *points* given in pixels; the twin of `board_to_picture`."""
    inverse = np.linalg.inv(board_homography(location, size_wh)).astype(np.float64)
    return apply_homography(inverse, to_ideal(points, size_wh, location.distortion))


def rectify(
    pixels: Picture, location: BoardLocation, square_px: int = 48, margin: float = 1.0
) -> RectifiedBoard:
    """Return the board of one picture seen straight from above.

    For many pictures of one location make a `rectifier` and keep it.
    """
    size_wh = (pixels.shape[1], pixels.shape[0])
    return rectifier(location, size_wh, square_px, margin).apply(pixels)


def rectifier(
    location: BoardLocation, size_wh: tuple[int, int], square_px: int = 48, margin: float = 1.0
) -> Rectifier:
    """Return the sampling map that shows the board at *location* straight from above.

    Args:
        location: where the board is.
        size_wh: width and height of the pictures it will be applied to.
        square_px: the side of a square in the rectified board.
        margin: how much to show around the field, in squares.
    """
    side_px = round((8.0 + 2.0 * margin) * square_px)
    # The middles of blocks of pixels, one block more than needed at either end. Between them the
    # map is straight enough, and the first pixel's centre lies half a pixel inside the margin.
    blocks = -(-side_px // _BLOCK_PX) + 2
    along = (np.arange(blocks) - 0.5) * _BLOCK_PX / square_px - margin
    x, y = np.meshgrid(along, 8.0 - along)
    places = board_to_picture(location, size_wh, np.column_stack((x.ravel(), y.ravel())))
    coarse = places.astype(np.float32).reshape(blocks, blocks, 2)
    fine = cv2.resize(coarse, None, fx=_BLOCK_PX, fy=_BLOCK_PX, interpolation=cv2.INTER_LINEAR)
    maps = np.asarray(fine, dtype=np.float32)[_BLOCK_PX:, _BLOCK_PX:][:side_px, :side_px]
    map_x, map_y = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
    map_x.flags.writeable = map_y.flags.writeable = False
    return Rectifier(map_x, map_y, square_px, margin)


def square_side_px(location: BoardLocation) -> float:
    """Return the side of a square in the picture, on the average over the board."""
    corners = np.array(location.corners, dtype=np.float32)
    return float(np.sqrt(cv2.contourArea(corners))) / 8.0


def board_homography(location: BoardLocation, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """Return the map from board coordinates to the ideal picture, shape (3, 3)."""
    corners = to_ideal(location.corners, size_wh, location.distortion)
    matrix = cv2.getPerspectiveTransform(
        np.array(BOARD_CORNERS, dtype=np.float32), corners.astype(np.float32)
    )
    return np.asarray(matrix, dtype=np.float64)


def apply_homography(matrix: NDArray[np.float64], points: ArrayLike) -> Points:
    """Return *points*, shape (n, 2), mapped by a (3, 3) homography."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not len(flat):
        return flat
    # A hundred times faster than numpy's product of a long and a small matrix.
    mapped = cv2.perspectiveTransform(flat[:, None], matrix.astype(np.float64))
    return np.asarray(mapped, dtype=np.float64).reshape(-1, 2)
