"""Checkers as solids: what a checker, or a tower of them, hides of the board behind it.

A checker is a flat cylinder. On a rectified board its outline is the hull of two circles, its foot
and its top, which leans away from the camera (`vision.checkers`).
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Colour, Point
from vision.checkers import Disc, disc_seen
from vision.pose import Pose


@dataclass(frozen=True, slots=True)
class Tower:
    """One checker or several stacked up, all of one colour.

    Attributes:
        colour: of all of them.
        count: how many are stacked.
        foot_xy: the middle of the lowest one's foot, in board coordinates.
    """

    colour: Colour
    count: int
    foot_xy: Point


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How checkers appear on a rectified board.

    Attributes:
        pose: the camera's pose over the board.
        radius: of a checker, in squares.
        height: of a checker, in squares.
        square_px: the side of a square of the rectified board.
        margin: what it shows around the field, in squares.
    """

    pose: Pose
    radius: float
    height: float
    square_px: int
    margin: float

    @property
    def side_px(self) -> int:
        """The side of the rectified board, margins included."""
        return round((8.0 + 2.0 * self.margin) * self.square_px)

    def to_px(self, place_xy: Point) -> Point:
        """Return the column and row of board coordinates on the rectified board."""
        (x, y), scale = place_xy, self.square_px
        return (x + self.margin) * scale - 0.5, (8.0 - y + self.margin) * scale - 0.5

    def shares(self, mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return what part of each square *mask* covers, (8, 8), the eighth rank first."""
        start = round(self.margin * self.square_px)
        field = slice(start, start + 8 * self.square_px)
        return np.asarray(
            cv2.resize(mask[field, field].astype(np.float32), (8, 8), interpolation=cv2.INTER_AREA),
            dtype=np.float32,
        )

    def from_px(self, column: float, row: float) -> Point:
        """Return the board coordinates of a pixel; the twin of `to_px`."""
        scale = self.square_px
        return (column + 0.5) / scale - self.margin, 8.0 + self.margin - (row + 0.5) / scale


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The part of a rectified board that a tower hides.

    Attributes:
        rows: which rows *cover* spans.
        columns: which columns it spans.
        cover: how much of each pixel is hidden, 0 to 1, float32.
    """

    rows: slice
    columns: slice
    cover: NDArray[np.float32]


def outline(view: View, foot_xy: Point, count: int, grow: float = 0.0) -> Outline:
    """Return what a tower of *count* on *foot_xy* hides of the rectified board.

    Args:
        view: how checkers appear.
        foot_xy: the middle of its foot in board coordinates.
        count: how many checkers are stacked.
        grow: how much wider than the checkers the outline shall be, in squares.
    """
    radius, scale = view.radius + grow, view.square_px
    foot = Disc(foot_xy, radius)
    top = disc_seen(view.pose, foot_xy, radius, count * view.height)
    (foot_x, foot_y), (top_x, top_y) = view.to_px(foot.centre_xy), view.to_px(top.centre_xy)
    reach = top.radius * scale + 1.0
    columns = _span(min(foot_x, top_x) - reach, max(foot_x, top_x) + reach, view.side_px)
    rows = _span(min(foot_y, top_y) - reach, max(foot_y, top_y) + reach, view.side_px)
    x = np.arange(columns.start, columns.stop, dtype=np.float32)[None, :] - np.float32(foot_x)
    y = np.arange(rows.start, rows.stop, dtype=np.float32)[:, None] - np.float32(foot_y)
    lean_x, lean_y = top_x - foot_x, top_y - foot_y
    length = max(lean_x**2 + lean_y**2, 1e-9)
    # Twice as fast as np.clip on so small arrays, of which hundreds are made.
    along = x * (lean_x / length) + y * (lean_y / length)
    along = np.minimum(np.maximum(along, 0.0), 1.0)
    distance = np.hypot(x - along * lean_x, y - along * lean_y)
    inside = (radius * scale + 0.5) + along * ((top.radius - radius) * scale) - distance
    cover = np.minimum(np.maximum(inside, 0.0), 1.0)
    return Outline(rows, columns, np.asarray(cover, dtype=np.float32))


def wall(view: View, tower: Tower, hidden: Outline) -> NDArray[np.float32]:
    """Return how much of each pixel that *tower* hides its wall does, and not its top.

    Args:
        view: how checkers appear.
        tower: the tower.
        hidden: what it hides.
    """
    top = disc_seen(view.pose, tower.foot_xy, view.radius, tower.count * view.height)
    top_x, top_y = view.to_px(top.centre_xy)
    x = np.arange(hidden.columns.start, hidden.columns.stop, dtype=np.float32) - np.float32(top_x)
    y = np.arange(hidden.rows.start, hidden.rows.stop, dtype=np.float32) - np.float32(top_y)
    outside = np.hypot(x[None, :], y[:, None]) - np.float32(top.radius * view.square_px - 0.5)
    return np.asarray(np.minimum(np.maximum(outside, 0.0), hidden.cover), dtype=np.float32)


def _span(low: float, high: float, side_px: int) -> slice:
    """Return the pixels from *low* to *high*, as far as there are such."""
    start = min(max(math.floor(low), 0), side_px)
    return slice(start, min(max(math.ceil(high) + 1, start), side_px))
