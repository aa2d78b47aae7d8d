"""What one frame shows of a known table: light taken out, towers found, the rest unexplained."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Colour
from vision.evidence import (
    Backdrop,
    Plane,
    backdrop,
    board_log_likelihood,
    look_log_likelihoods,
    to_lab,
)
from vision.frame import Picture
from vision.light import take_out_light
from vision.pose import estimate_pose
from vision.rectify import Rectifier, rectifier
from vision.standing import CAP, Found, find_towers
from vision.table import TableModel
from vision.towers import Tower, View, outline

SQUARE_PX: Final = 24
MARGIN: Final = 1.0
# From this score on a tower takes what it hides out of the unexplained.
_CONVINCING: Final = 3.0
# Nats by which the board must explain a pixel worse than itself to leave it unexplained.
_DEFICIT: Final = 6.0
# A tower's edge, its contact shadow and its gleam on the board are its own up to here, in squares.
_HALO: Final = 0.08
# A checker stands free: of what is around it, up to here, no more than this share is foreign.
_AROUND: Final = 0.2
_CROWDED: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class TableScene:
    """What one frame shows of a known table.

    Attributes:
        lab: the rectified board in L*a*b* under the light of the reference, shape
            (side, side, 3); read-only.
        found: the towers that may stand there, the surest first.
        unexplained: where neither the empty board, lit or shadowed, nor a tower is seen; shape
            (side, side), read-only.
        view: how checkers appear on the rectified board.
        colours: the colours that were looked for.
    """

    lab: NDArray[np.float32]
    found: tuple[Found, ...]
    unexplained: NDArray[np.bool_]
    view: View
    colours: tuple[Colour, ...]


def see_table(
    pixels: Picture, table: TableModel, location: BoardLocation | None = None
) -> TableScene:
    """Return what *pixels* show of *table*.

    Args:
        pixels: a picture of the table's camera.
        table: what is known of it.
        location: where the board lies now, if not where it lay at calibration.
    """
    now = location or table.location
    behind = _backdrop(table)
    size_wh = (pixels.shape[1], pixels.shape[0])
    board = _rectifier(now, size_wh).apply(pixels).pixels
    lab = to_lab(take_out_light(board, _reference(table), SQUARE_PX))
    board_fit = board_log_likelihood(lab, behind)
    looks_fit = look_log_likelihoods(lab, table.looks)
    excess = {colour: _capped(fit - board_fit) for colour, fit in looks_fit.items()}
    view = _view(table, now, size_wh)
    found = find_towers(excess, view)
    unexplained = _unexplained(behind, board_fit, found, view)
    lab.flags.writeable = unexplained.flags.writeable = False
    return TableScene(lab, found, unexplained, view, table.colours)


def _capped(plane: Plane) -> Plane:
    return np.asarray(np.clip(plane, -CAP, CAP), dtype=np.float32)


def _unexplained(
    behind: Backdrop, board_fit: Plane, found: tuple[Found, ...], view: View
) -> NDArray[np.bool_]:
    """Return where neither the board nor a tower that stands free explains the pixels."""
    foreign = (behind.itself - board_fit > _DEFICIT).astype(np.uint8)
    foreign = np.asarray(cv2.morphologyEx(foreign, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    standing = [item.tower for item in found if item.score >= _CONVINCING]
    while standing:
        left = _without(foreign, standing, view)
        crowded = [_crowding(left, tower, view) for tower in standing]
        worst = int(np.argmax(crowded))
        if crowded[worst] <= _CROWDED:
            break
        # A hand or a sleeve of a checker's colour is full of checkers, seemingly.
        del standing[worst]
    return _without(foreign, standing, view).astype(np.bool_)


def _without(
    foreign: NDArray[np.uint8], standing: Sequence[Tower], view: View
) -> NDArray[np.uint8]:
    left = foreign.copy()
    for tower in standing:
        part = outline(view, tower.foot_xy, tower.count, grow=_HALO)
        left[part.rows, part.columns][part.cover >= 0.5] = 0
    return left


def _crowding(left: NDArray[np.uint8], tower: Tower, view: View) -> float:
    """Return what share of the surroundings of a tower is unexplained."""
    around = outline(view, tower.foot_xy, tower.count, grow=_AROUND)
    ring = around.cover >= 0.5
    inside = outline(view, tower.foot_xy, tower.count, grow=_HALO)
    rows, columns = around.rows.start, around.columns.start
    ring[
        inside.rows.start - rows : inside.rows.stop - rows,
        inside.columns.start - columns : inside.columns.stop - columns,
    ] &= inside.cover < 0.5
    part = left[around.rows, around.columns]
    return float(np.mean(part[ring])) if np.any(ring) else 0.0


@lru_cache(maxsize=4)
def _rectifier(location: BoardLocation, size_wh: tuple[int, int]) -> Rectifier:
    return rectifier(location, size_wh, SQUARE_PX, MARGIN)


@lru_cache(maxsize=2)
def _reference(table: TableModel) -> Picture:
    return _rectifier(table.location, table.size_wh).apply(table.reference).pixels


@lru_cache(maxsize=2)
def _backdrop(table: TableModel) -> Backdrop:
    return backdrop(_reference(table), SQUARE_PX)


@lru_cache(maxsize=4)
def _view(table: TableModel, location: BoardLocation, size_wh: tuple[int, int]) -> View:
    pose = estimate_pose(location, size_wh)
    return View(pose, table.checker_diameter / 2.0, table.checker_height, SQUARE_PX, MARGIN)
