"""How a die would be seen at a place of the picture, and the crop to read it from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Point
from vision.die_nets import CROP_BOXES, CROP_PX, Crop
from vision.frame import Picture
from vision.lens import Points, to_ideal
from vision.pose import Pose, estimate_pose
from vision.rectify import apply_homography, board_homography

_SHARPEST: Final = 0.6
"""The smallest scale by which a picture is sampled without averaging pixels first."""

FILES: Final = 8
# Where a board's coordinates are, in squares: off the middle of a file or rank, outside the field.
_OFF_FILE: Final = 0.13
_BESIDE: Final = (0.1, 0.9)
# A place on the table, a die's height above it, and the ends of a square's sides around it.
_AROUND_XYZ: Final = np.array(
    [(0, 0, 0), (0, 0, 0.3), (-0.5, 0, 0), (0.5, 0, 0), (0, -0.5, 0), (0, 0.5, 0)]
)


@dataclass(frozen=True, slots=True)
class Upright:
    """How the table lies at a place of the picture.

    Attributes:
        turn_deg: where the table's normal points, clockwise from straight up.
        oblique_deg: between the normal and the line of sight; None: not known.
        square_px: the longer side that a square of the board would have there; None: not known.
    """

    turn_deg: float = 0.0
    oblique_deg: float | None = None
    square_px: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """A table seen by a camera, known by where its board is.

    Attributes:
        location: where the board is.
        pose: how the camera sees it.
        to_board: the homography from the ideal picture to board coordinates, (3, 3); read-only.
    """

    location: BoardLocation
    pose: Pose
    to_board: NDArray[np.float64]

    def upright(self, at_xy: Point) -> Upright:
        """Return how the table lies at the pixel *at_xy*."""
        return self.uprights([at_xy])[0]

    def uprights(self, at_xy: Sequence[Point]) -> list[Upright]:
        """Return how the table lies at each of some pixels."""
        board = self._board_xy(at_xy)
        around = np.zeros((len(board), len(_AROUND_XYZ), 3))
        around[..., :2] = board[:, None]
        seen = self.pose.project(around + _AROUND_XYZ).reshape(*around.shape[:2], 2)
        up = seen[:, 1] - seen[:, 0]
        turns = np.degrees(np.arctan2(up[:, 0], -up[:, 1]))
        across, away = (np.hypot(*(seen[:, k] - seen[:, k + 1]).T) for k in (2, 4))
        away_xyz = np.array(self.pose.camera_xyz) - around[:, 0]
        slant = away_xyz[:, 2] / np.sqrt(np.square(away_xyz).sum(axis=1))
        oblique = np.degrees(np.arccos(np.clip(slant, -1.0, 1.0)))
        rows = zip(turns.tolist(), oblique.tolist(), np.maximum(across, away).tolist(), strict=True)
        return [Upright(*row) for row in rows]

    def on_board(self, at_xy: Sequence[Point]) -> list[bool]:
        """Tell of each of some pixels whether it shows the field of the board."""
        board = self._board_xy(at_xy)
        return [0 < x < FILES and 0 < y < FILES for x, y in board.tolist()]

    def bears_coordinates(self, at_xy: Point) -> bool:
        """Tell whether boards have a letter or digit printed at the pixel *at_xy*.

        They stand beside the squares, in the middle of a file or rank.
        """
        x, y = self._board_xy([at_xy])[0].tolist()
        return any(
            0 < along < FILES
            and abs(along % 1 - 0.5) < _OFF_FILE
            and _BESIDE[0] < max(-across, across - FILES) < _BESIDE[1]
            for along, across in ((x, y), (y, x))
        )

    def _board_xy(self, at_xy: Sequence[Point]) -> Points:
        """Return the board coordinates of pixels, shape (n, 2)."""
        ideal = to_ideal(at_xy, self.pose.size_wh, self.location.distortion)
        return apply_homography(self.to_board, ideal)


@lru_cache(maxsize=4)
def view_table(location: BoardLocation, size_wh: tuple[int, int]) -> TableView:
    """Return the view of the table whose board is at *location*."""
    to_board = np.linalg.inv(board_homography(location, size_wh)).astype(np.float64)
    to_board.flags.writeable = False
    return TableView(location, estimate_pose(location, size_wh), to_board)


def cut_crop(
    pixels: Picture,
    centre_xy: Point,
    size_px: float,
    upright: Upright,
    turn_deg: float = 0.0,
    *,
    from_above: bool = False,
) -> Crop:
    """Return the crop around a die whose box is *size_px* wide, the table's normal up in it.

    Args:
        pixels: the picture.
        centre_xy: the middle of the die's box.
        size_px: the larger side of the die's box.
        upright: how the table lies there.
        turn_deg: by how much to turn the crop counter-clockwise, beyond upright.
        from_above: stretch it along the normal so that what is level looks as from straight above.
    """
    reach = size_px * CROP_BOXES
    source, (left, top) = _around(pixels, centre_xy, reach)
    part: cv2.typing.MatLike = source
    scale = CROP_PX / reach
    x, y = centre_xy[0] - left, centre_xy[1] - top
    while scale < _SHARPEST:
        part = cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        scale, x, y = scale * 2, (x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5
    oblique = upright.oblique_deg or 0.0
    stretch = np.diag([1.0, 1.0 / cos(radians(oblique)) if from_above else 1.0])
    turned = scale * _turn(turn_deg) @ stretch @ _turn(upright.turn_deg)
    matrix = np.column_stack((turned, (CROP_PX - 1) / 2 - turned @ (x, y)))
    cut = cv2.warpAffine(part, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    return Crop(np.asarray(cut, np.uint8), 0.0 if from_above else upright.oblique_deg)


def place_box(
    centre_xy: Point, size_px: float, upright: Upright, box: NDArray[np.float64]
) -> tuple[Point, tuple[float, float]]:
    """Return the middle and the size, in the picture, of a *box* told in an upright crop."""
    reach = size_px * CROP_BOXES
    x, y = np.clip(box[:2] - 0.5, -0.25, 0.25) * reach
    angle = radians(upright.turn_deg)
    moved = (
        centre_xy[0] + float(x * cos(angle) - y * sin(angle)),
        centre_xy[1] + float(x * sin(angle) + y * cos(angle)),
    )
    wide, high = np.clip(box[2:], 0.3, 0.95) * reach
    return moved, (float(wide), float(high))


def _turn(deg: float) -> NDArray[np.float64]:
    """Return the matrix that turns what a picture shows counter-clockwise."""
    a, b = cos(radians(deg)), sin(radians(deg))
    return np.array([[a, b], [-b, a]])


def _around(pixels: Picture, centre_xy: Point, reach: float) -> tuple[Picture, tuple[int, int]]:
    """Return the part of the picture that a crop may need, and its first pixel."""
    half = reach * 0.75 + 2  # a square's half diagonal, and a pixel to interpolate from
    height, width = pixels.shape[:2]
    left = int(np.clip(centre_xy[0] - half, 0, width - 2))
    top = int(np.clip(centre_xy[1] - half, 0, height - 2))
    right = int(np.clip(centre_xy[0] + half + 1, left + 2, width))
    bottom = int(np.clip(centre_xy[1] + half + 1, top + 2, height))
    return pixels[top:bottom, left:right], (left, top)
