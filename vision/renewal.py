"""The empty board as it looks where it lies now.

Lamps stay where they are while a board is turned: their reflections in it, and the light that falls
off over it, are elsewhere on its squares then. Once all on the board is accounted for, what nothing
hides is the empty board as it looks now; what something hides looked like it before, and has become
lighter or darker as its square has.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, DieReading, Square
from vision.frame import Picture
from vision.light import BURNT
from vision.moved_board import carried_along, filled, part_of_board, turn_between, whole_board
from vision.newcomers import relit, see_changes
from vision.rectify import board_to_picture, picture_to_board
from vision.scene import TableScene
from vision.table import TableModel

_AROUND: Final = 0.22
"""How far around a checker its shadow is its own, in squares."""
_CIRCLE: Final = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
_EDGE_PX: Final = 9
_OWN_RIM: Final = 0.3
"""So far around its squares a board hid the table, in squares."""
_DIE_AND_SHADOW: Final = 1.5
"""How much of a picture a die changes, in sizes of its box."""
_LINE: Final = 0.12
"""So near to its edges a square is not compared: they may lie a pixel off, in squares."""
_ENOUGH: Final = 0.08
"""This part of a square tells how its light has changed."""
_LIKE_IT: Final = ((0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""A square and the nearest of its own shade."""


def renewed(
    table: TableModel,
    now: BoardLocation,
    pixels: Picture,
    scene: TableScene,
    unknown: Iterable[Square] = (),
    dice: Sequence[DieReading] = (),
) -> TableModel:
    """Return the table whose reference is the board as it lies now.

    Args:
        table: as it was known before.
        now: where the board lies.
        pixels: a picture of the table at rest.
        scene: what *pixels* show.
        unknown: squares on which something stands that is not seen.
        dice: what was read of dice in *pixels*.
    """
    size_wh = table.size_wh
    field, old = _moved(table, now, pixels)
    old.flags.writeable = False
    known = replace(table, reference=old, location=replace(now, confidence=1.0))
    uncovered = part_of_board(table.location, size_wh, (-_OWN_RIM, -_OWN_RIM), 8.0 + 2.0 * _OWN_RIM)
    hidden = _beside_board(pixels, known) & ~field & ~uncovered
    for outline in _checkers(scene):
        hidden |= filled(outline, size_wh)
    for at in unknown:
        hidden |= part_of_board(now, size_wh, (at % 8, at // 8), 1.0)
    for outline in (*map(_around_die, dice), *_unexplained(scene, now, size_wh)):
        hidden |= filled(outline, size_wh)
    # The checkers' colours are known in the light of the reference, so it keeps that light.
    fresh = relit(pixels, old)
    fresh = np.where(hidden[..., None], _become(old, fresh, hidden, now), fresh).astype(np.uint8)
    fresh.flags.writeable = False
    unsure = np.asarray(hidden & field)
    unsure.flags.writeable = False
    return replace(known, reference=fresh, unsure=unsure)


def _moved(
    table: TableModel, now: BoardLocation, pixels: Picture
) -> tuple[NDArray[np.bool_], Picture]:
    """Return where the board is in *pixels*, and the reference with its board there.

    Whether what is close to its squares is its rim or the table beside it, *pixels* tell.
    """
    stayed = table.reference
    carried = carried_along(stayed, turn_between(table.location, now))
    around, squares = whole_board(now, table.size_wh), part_of_board(now, table.size_wh, (0, 0), 8)
    lit = relit(pixels, np.where(around[..., None], carried, stayed).astype(np.uint8))
    table_fits = _differing(lit, stayed) < _differing(lit, carried)
    board = around & (squares | ~table_fits)
    return board, np.where(board[..., None], carried, stayed).astype(np.uint8)


def _differing(one: Picture, other: Picture) -> NDArray[np.float32]:
    """Return how far two pictures differ around each pixel, in grey levels."""
    most = cv2.absdiff(one, other).max(axis=2)
    return np.asarray(cv2.blur(most.astype(np.float32), (_EDGE_PX, _EDGE_PX)), np.float32)


def _become(
    old: Picture, fresh: Picture, hidden: NDArray[np.bool_], now: BoardLocation
) -> NDArray[np.float64]:
    """Return *old* with its squares as much lighter as what is seen of them is in *fresh*.

    Where little is seen of a square the nearest of its own shade tell it.
    """
    size_wh = (hidden.shape[1], hidden.shape[0])
    rows, columns = np.nonzero(part_of_board(now, size_wh, (0.0, 0.0), 8.0))
    xy = picture_to_board(now, size_wh, np.column_stack((columns, rows)))
    on = np.clip(np.floor(xy).astype(np.int64), 0, 7)
    within = np.all(np.abs(xy - on - 0.5) < 0.5 - _LINE, axis=1)
    covered = hidden[rows, columns]
    was, became = old[rows, columns].astype(np.float64), fresh[rows, columns]
    due = was.copy()
    for at in np.unique(on[covered], axis=0):
        own = (on == at).all(axis=1)
        told = within & ~covered & own
        like = within & own & covered
        if told.sum() < _ENOUGH * own.sum():
            near = (on[:, None] == at + np.array(_LIKE_IT)).all(axis=2).any(axis=1)
            told = within & ~covered & near
            # A reflection that burnt it out then tells nothing of it.
            like = like if np.median(was[like], axis=0).max(initial=0.0) >= BURNT else told
        if told.any() and like.any():
            due[own] += np.median(became[told], axis=0) - np.median(was[like], axis=0)
    result = old.astype(np.float64)
    result[rows, columns] = due
    return np.clip(result, 0.0, 255.0)


def _unexplained(
    scene: TableScene, now: BoardLocation, size_wh: tuple[int, int]
) -> Iterable[NDArray[np.float64]]:
    """Yield the outlines of what is on the board and no checker and no gleam."""
    strange = (scene.unexplained & ~scene.dazzled).astype(np.uint8)
    grown = cv2.dilate(strange, np.ones((_EDGE_PX, _EDGE_PX), np.uint8))
    contours, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        places = [scene.view.from_px(*at) for at in contour.reshape(-1, 2).tolist()]
        yield board_to_picture(now, size_wh, places)


def _around_die(die: DieReading) -> NDArray[np.float64]:
    """Return the corners of what a die and its shadow hide."""
    x, y, wide, high = die.box
    middle = np.array([x + wide / 2, y + high / 2])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.asarray(middle + corners * _DIE_AND_SHADOW * max(wide, high) / 2)


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
