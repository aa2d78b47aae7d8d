"""Tell whether a hand, a sleeve, a cup covers part of the board.

Of a known table everything is known that may be seen over it, so whatever is neither the board nor
a checker standing free is such a thing if it is large enough. Of an unknown one only the pattern is
known: checkers hide the middles of squares, hands hide where several squares meet as well.
"""

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.frame import Picture
from vision.newcomers import SHRINK, Changes
from vision.rectify import rectify
from vision.scene import TableScene, see_table
from vision.table import TableModel

# How large the thing must be, in squares: over the field alone, or reaching in from outside.
_OVER_FIELD: Final = 0.3
_REACHES_IN: Final = 0.04
_REACHING: Final = 0.5
# The same of an arm, which is known by reaching in from the picture's edge.
_ARM: Final = 0.3
_AROUND_A_CHECKER: Final = 1.25
# A checker in the shadow of an arm that is not known as one is hardly longer than so many radii.
_OF_A_CHECKER: Final = 2.8
# Of a board in a deep shadow the details correlate so well with the empty board's, and better.
_ALIKE: Final = 0.65
_DETAIL: Final = 0.33
_RING: Final = np.array([(np.cos(turn), np.sin(turn)) for turn in np.arange(16) * np.pi / 8])
# Without a profile: squares are looked at near their corners, this far from their edges.
_INSET: Final = 0.12
_SQUARE_PX: Final = 24
# Neighbours must differ by this part of the usual contrast to show that nothing lies over them.
_LEAST_CONTRAST: Final = 0.35
# A glare takes the contrast too, but it is as bright as the light squares.
_GLARE: Final = 0.9
# So many meeting points of squares, side by side and reaching the edge, no checkers hide.
_LEAST_POINTS: Final = 4
_LEAST_CORNERS: Final = 2


def find_obscured(
    pixels: Picture, location: BoardLocation, table: TableModel | None = None
) -> bool:
    """Tell whether something that is no checker covers part of the board.

    Args:
        pixels: the picture.
        location: where the board is in it.
        table: what is known of the table, if it is calibrated.
    """
    if table is not None:
        return is_obscured(see_table(pixels, table, location))
    return bool(reaching_in(covered_corners(pixels, location)).any())


def is_obscured(scene: TableScene) -> bool:
    """Tell whether something that is no checker covers part of a known table's board."""
    mask = (scene.unexplained & ~scene.dazzled).astype(np.uint8)
    if not mask.any():
        return False
    joined = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    labels = np.asarray(labels) * mask
    side, start = scene.view.square_px, round(scene.view.margin * scene.view.square_px)
    field = labels[start : start + 8 * side, start : start + 8 * side]
    over_field = np.bincount(field.ravel(), minlength=count)[1:] / side**2
    overall = np.bincount(labels.ravel(), minlength=count)[1:] / side**2
    reaches_in = (over_field > _REACHES_IN) & (overall > _REACHING)
    return bool(np.any((over_field > _OVER_FIELD) | reaches_in))


def is_reached_over(changes: Changes, scene: TableScene, location: BoardLocation) -> bool:
    """Tell whether a hand or an arm lies over the board, whatever it looks like there.

    A hand as brown as the squares under it may pass for them in another light; that it reaches in
    from the picture's edge tells it from them. Checkers in the shadow of an arm are no arm, nor is
    the board in it, which keeps its lines.
    """
    arms = changes.arms()
    if not arms.any():
        return False
    field = np.zeros(arms.shape, np.uint8)
    _fill(field, np.array(location.corners), 1)
    square_px = math.sqrt(field.sum() / 64.0)
    over = _larger(_beside_checkers(arms, scene), _OF_A_CHECKER * scene.view.radius * square_px)
    over &= field > 0
    if over.sum() <= _ARM * square_px**2:
        return False
    now, then = (_details(one, _DETAIL * square_px)[over] for one in _grey(changes))
    return float(np.corrcoef(now, then)[0, 1]) < _ALIKE


def _beside_checkers(arms: NDArray[np.bool_], scene: TableScene) -> NDArray[np.uint8]:
    """Return *arms*, shrunk, where no checkers of the *scene* are seen, as 0 and 1."""
    mask = arms.astype(np.uint8)
    view = scene.view
    ring = view.radius * _AROUND_A_CHECKER * _RING
    for tower in scene.towers:
        x, y = tower.foot_xy
        seen = [(x + dx, y + dy, z) for dx, dy in ring for z in (0.0, tower.count * view.height)]
        _fill(mask, np.asarray(view.pose.project(seen)), 0)
    return mask


def _larger(mask: NDArray[np.uint8], size_px: float) -> NDArray[np.bool_]:
    """Return the parts of a mask that are longer than *size_px*."""
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    longer = np.asarray(boxes)[:, 2:4].max(axis=1) > size_px
    longer[0] = False
    return np.asarray(longer[np.asarray(labels)])


def _grey(changes: Changes) -> Iterator[NDArray[np.float32]]:
    for picture in (changes.now, changes.then):
        yield np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def _details(grey: NDArray[np.float32], size_px: float) -> NDArray[np.float32]:
    """Return what varies within *size_px*."""
    window = max(3, round(size_px) | 1)
    return np.asarray(grey - cv2.blur(grey, (window, window)), np.float32)


def _fill(mask: NDArray[np.uint8], points_xy: NDArray[np.float64], value: int) -> None:
    """Fill the hull of points of the picture in a shrunk mask."""
    shrunk = np.rint((points_xy + 0.5) / SHRINK - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(shrunk), value)


def covered_corners(pixels: Picture, location: BoardLocation) -> NDArray[np.bool_]:
    """Return at which of the 9 x 9 corners of squares the board's pattern does not show.

    Args:
        pixels: the picture.
        location: where the board is in it.

    Returns:
        Shape (9, 9), the top row, beyond the eighth rank, first.
    """
    smooth = cv2.GaussianBlur(rectify(pixels, location, _SQUARE_PX, margin=0.0).pixels, (3, 3), 0)
    return _hidden_points(_corner_samples(np.asarray(smooth, dtype=np.float32)))


def reaching_in(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return those of the covered corners, (9, 9), that a thing hides which reaches over the edge.

    Checkers hide one corner or two, a hand many side by side.
    """
    count, labels = cv2.connectedComponents(covered.astype(np.uint8), connectivity=8)
    points = np.asarray(labels)
    edge = np.concatenate((points[0], points[-1], points[:, 0], points[:, -1]))
    large = np.bincount(points.ravel(), minlength=count) >= _LEAST_POINTS
    reaching = np.intersect1d(edge, np.flatnonzero(large))
    return np.asarray(covered & np.isin(points, reaching))


def squares_under(reaching: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which squares have two or more of their corners, (9, 9), covered: (64,), a1 first."""
    corners = reaching.astype(int)
    counts = corners[:-1, :-1] + corners[:-1, 1:] + corners[1:, :-1] + corners[1:, 1:]
    return np.asarray((counts >= _LEAST_CORNERS)[::-1].ravel())


def _corner_samples(board: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the colours near the four corners of every square, shape (16, 16, 3)."""
    inset = round(_INSET * _SQUARE_PX)
    starts = np.arange(8) * _SQUARE_PX
    at = np.column_stack((starts + inset, starts + _SQUARE_PX - 1 - inset)).ravel()
    return board[np.ix_(at, at)]


def _hidden_points(samples: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return at which of the 9 x 9 corners of squares the pattern does not show."""
    squares = np.arange(16) // 2
    # The first square of the picture, a8, is light.
    sign = np.where((squares[:, None] + squares) % 2 == 0, 1.0, -1.0)[..., None]
    across = _contrasts(samples, sign)
    along = _contrasts(samples.transpose(1, 0, 2), sign).transpose(1, 0, 2)
    usual = np.median(np.concatenate((across.reshape(-1, 3), along.reshape(-1, 3))), axis=0)
    channel = int(np.argmax(usual))
    least = _LEAST_CONTRAST * usual[channel]
    points = (np.arange(16) + 1) // 2
    shown, asked = np.zeros((9, 9)), np.zeros((9, 9))
    inner = np.arange(1, 8)
    np.add.at(shown, (points[:, None], inner), across[..., channel] > least)
    np.add.at(shown, (inner[:, None], points), along[..., channel] > least)
    np.add.at(asked, (points[:, None], inner), 1)
    np.add.at(asked, (inner[:, None], points), 1)
    light = np.percentile(samples.mean(axis=2)[sign[..., 0] > 0], 75)
    dimmest = _dimmest_around(samples.mean(axis=2))
    return np.asarray((asked > 0) & (shown <= (asked > 2)) & (dimmest < _GLARE * light))


def _contrasts(samples: NDArray[np.float32], sign: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much the light square exceeds the dark one across the 7 inner lines."""
    left, right = samples[:, 1:15:2], samples[:, 2:16:2]
    return np.asarray((left - right) * sign[:, 1:15:2] / ((left + right) / 2.0 + 20.0))


def _dimmest_around(brightness: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the least of the up to four samples around each of the 9 x 9 corners."""
    padded = np.pad(brightness, 1, constant_values=np.inf)
    blocks = padded.reshape(9, 2, 9, 2)
    return np.asarray(blocks.min(axis=(1, 3)), dtype=np.float32)
