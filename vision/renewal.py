"""The empty board as it looks where it lies now.

Lamps stay where they are while a board is turned: their reflections in it, and the light that falls
off over it, are elsewhere on its squares then. Once all on the board is accounted for, what no
checker hides is the empty board as it looks now; behind checkers it is taken from before.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Square
from vision.frame import Picture
from vision.newcomers import relit, see_changes
from vision.rectify import board_to_picture
from vision.scene import TableScene
from vision.table import TableModel

_AROUND: Final = 0.22
"""How far around a checker its shadow is its own, in squares."""
_RIM: Final = 0.8
"""How far the board's rim reaches at most, in squares."""
_CIRCLE: Final = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
_EDGE_PX: Final = 9


def renewed(
    table: TableModel,
    now: BoardLocation,
    pixels: Picture,
    scene: TableScene,
    unknown: Iterable[Square] = (),
) -> TableModel:
    """Return the table whose reference is the board as it lies now.

    Args:
        table: as it was known before.
        now: where the board lies.
        pixels: a picture of the table at rest.
        scene: what *pixels* show.
        unknown: squares on which something stands that is not seen.
    """
    before = _carried_along(table, now)
    size_wh = table.size_wh
    field = _filled(_around_board(now, size_wh), size_wh)
    old = np.where(field[..., None], before, table.reference).astype(np.uint8)
    old.flags.writeable = False
    known = replace(table, reference=old, location=replace(now, confidence=1.0))
    hidden = _beside_board(pixels, known) & ~field
    for outline in _checkers(scene):
        hidden |= _filled(outline, size_wh)
    for at in unknown:
        hidden |= _filled(_square(at, now, size_wh), size_wh)
    # The checkers' colours are known in the light of the reference, so it keeps that light.
    fresh = np.where(hidden[..., None], old, relit(pixels, old)).astype(np.uint8)
    fresh.flags.writeable = False
    unsure = np.asarray(hidden & field)
    unsure.flags.writeable = False
    return replace(known, reference=fresh, unsure=unsure)


def _carried_along(table: TableModel, now: BoardLocation) -> Picture:
    """Return the reference with its board where it lies now."""
    corners, moved = (np.array(each.corners, np.float32) for each in (table.location, now))
    turn = cv2.getPerspectiveTransform(corners, moved)
    return np.asarray(cv2.warpPerspective(table.reference, turn, table.size_wh), np.uint8)


def _around_board(now: BoardLocation, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    low, high = -_RIM, 8.0 + _RIM
    corners = [(low, low), (high, low), (high, high), (low, high)]
    return np.asarray(board_to_picture(now, size_wh, corners))


def _square(at: Square, now: BoardLocation, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    x, y = at % 8, at // 8
    corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    return np.asarray(board_to_picture(now, size_wh, corners))


def _checkers(scene: TableScene) -> Iterable[NDArray[np.float64]]:
    """Yield what each tower hides of the picture, with the shadow at its foot."""
    view = scene.view
    reach = view.radius + _AROUND
    ring = np.column_stack((np.cos(_CIRCLE), np.sin(_CIRCLE))) * reach
    for tower in scene.towers:
        foot = np.array(tower.foot_xy) + ring
        levels = (0.0, tower.count * view.height)
        points = [(float(x), float(y), level) for level in levels for x, y in foot]
        yield np.asarray(view.pose.project(points), np.float64)


def _beside_board(pixels: Picture, known: TableModel) -> NDArray[np.bool_]:
    """Return where the table shows what it did not when it was empty."""
    labels = (see_changes(pixels, known).labels > 0).astype(np.uint8)
    whole = cv2.resize(labels, known.size_wh, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.dilate(whole, np.ones((_EDGE_PX, _EDGE_PX), np.uint8)), np.bool_)


def _filled(outline: NDArray[np.float64], size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    hull = cv2.convexHull(np.rint(outline).astype(np.int32)).reshape(-1, 2)
    cv2.fillConvexPoly(mask, hull, 1)
    return mask > 0
