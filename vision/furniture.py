"""What is no die that was cast: one that lies as it lay, and the players' checkers.

A checker beside the board may look like a die that leans; it is known by its size and its paint.
"""

import math
from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Box, DieReading, DieState, Point
from vision.die_view import TableView
from vision.frame import Picture
from vision.pose import Pose
from vision.table import TableModel
from vision.towers import Tower

UNTOUCHED: Final = 0.9
"""Of dice that lay still it was 0.98 and more, of dice cast again to nearly the same place 0.76."""
SAME_FACE: Final = 0.95
"""The same of the middle of the top face alone: 0.98 and more, and 0.92 at most with another one,
of a small die turned from four to five. The edge of one on a dark cloth outweighs its pips."""
FACE_MARGIN: Final = -0.2
"""Of the box of a die: so much is left out at each side where its face alone is compared."""
NUDGE_PX: Final = 3
"""The camera or the board may have moved so far without anybody's noticing."""
MARGIN: Final = 0.2
"""How much of its surroundings is compared with a thing, in sizes of its box."""
CHECKER_SIZED: Final = 0.75
"""From this share of a checker's size on a thing without a likely value is taken for a checker."""
SURE_VALUE: Final = 0.7
MIDDLE: Final = 0.25
"""Of a thing's size: so far from its middle its paint is looked at."""
LARGE_PIP: Final = 0.22
"""Of a die's size: no single pip reaches so far from its middle."""
FAINT_PIP: Final = 0.35
"""Of the brightness of its face: a die's pip differs by two thirds of it, a knob by a quarter."""
SPOT: Final = 0.28
"""Of a thing's size: a die's pip is narrower."""
LEAST_SPOT: Final = 0.004
"""Of a thing's size, squared: smaller ones are noise."""
SPOT_LIGHT: Final = 14.0
"""By so much L* a pip differs from its face."""
LEAST_SPOTS: Final = 2
"""Of 3,804 drawn checkers five show as many, gleams and edges; of 17 leaning dice of a checker's
colour all."""
UNLIKE_PAINT: Final = 0.1
"""So much of a die has a paint that no checker has: of those dice 0.16 and more, of all but one
checker in a hundred 0.12 and less."""
FAR_FROM_A_TINT: Final = 4.0
"""Standard deviations."""
INNER: Final = 0.36
"""Of a thing's size: what is nearer to its middle is itself."""
LIKE_PAINT: Final = 18.0
LIKE_LIGHT: Final = 25.0
"""So far apart in a*, b* and in L* the paint of the same checkers may look."""


def may_be_checker(die: DieReading, table: TableModel, view: TableView) -> bool:
    """Tell whether *die* may be a checker: without a likely value, and of a checker's size."""
    if die.state is not DieState.COCKED and die.confidence >= SURE_VALUE:
        return False
    return _checker_sized(die, table, view)


def is_faint_one(pixels: Picture, die: DieReading) -> bool:
    """Tell whether *die* has one pip, so faint that it may be a gleam or a knob on a checker."""
    if die.value != 1:
        return False
    x, y, wide, high = (round(value) for value in die.box)
    part = pixels[max(0, y) : y + high, max(0, x) : x + wide].max(axis=2).astype(np.float64)
    rows, columns = np.indices(part.shape)
    middle_row, middle_column = ((side - 1) / 2 for side in part.shape)
    off = np.hypot(rows - middle_row, columns - middle_column) / max(wide, high)
    pip, face = part[off < LARGE_PIP / 2], part[(off > LARGE_PIP) & (off < 1.5 * LARGE_PIP)]
    if not pip.size or not face.size:
        return False
    usual = float(np.median(face))
    return bool(np.abs(pip - usual).max() < FAINT_PIP * usual)


def like_checker(pixels: Picture, die: DieReading, table: TableModel, view: TableView) -> bool:
    """Tell whether *die*, whatever its value, has the size and the paint of a checker."""
    x, y, wide, high = die.box
    middle = (x + wide / 2, y + high / 2)
    return _checker_sized(die, table, view) and painted_as_checker(
        pixels, middle, max(wide, high), table
    )


def _checker_sized(die: DieReading, table: TableModel, view: TableView) -> bool:
    x, y, wide, high = die.box
    square_px = view.upright((x + wide / 2, y + high / 2)).square_px or 0.0
    return max(wide, high) >= CHECKER_SIZED * table.checker_diameter * square_px


def painted_as_checker(
    pixels: Picture, centre_xy: Point, size_px: float, table: TableModel
) -> bool:
    """Tell whether the middle of a thing *size_px* wide has the paint of one of the checkers."""
    lab, _ = _lab_around(pixels, centre_xy, max(1, int(MIDDLE * size_px)))
    if not lab.size:
        return False
    middle = np.median(lab.reshape(-1, 3), axis=0)
    return any(
        float(np.hypot(*(middle[1:] - look.lab[1:]))) < LIKE_PAINT
        and abs(float(middle[0]) - look.lab[0]) < LIKE_LIGHT
        for look in table.looks
    )


def is_spotted(pixels: Picture, box: Box, table: TableModel) -> bool:
    """Tell whether what *box* frames has pips, in a paint that the players' checkers have not."""
    size, (x, y) = max(box[2:]), (box[0] + box[2] / 2, box[1] + box[3] / 2)
    lab, (left, top) = _lab_around(pixels, (x, y), int(np.ceil(size / 2)))
    if not lab.size:
        return False
    rows, columns = np.indices(lab.shape[:2])
    inside = np.hypot(rows - (y - top), columns - (x - left)) < INNER * size
    return _most_spots(lab[..., 0], inside, size) >= LEAST_SPOTS and (
        _unlike_checkers(lab[inside], table) >= UNLIKE_PAINT
    )


def _lab_around(
    pixels: Picture, centre_xy: Point, reach: int
) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """Return the L*a*b* of what is up to *reach* pixels off, and its first column and row."""
    x, y = (round(at) for at in centre_xy)
    left, top = max(0, x - reach), max(0, y - reach)
    part = pixels[top : y + reach + 1, left : x + reach + 1].astype(np.float32) / 255
    lab = cv2.cvtColor(part, cv2.COLOR_BGR2Lab) if part.size else part
    return np.asarray(lab, np.float32), (left, top)


def _most_spots(lightness: NDArray[np.float32], inside: NDArray[np.bool_], size: float) -> int:
    """Return how many compact spots there are, light or dark ones, whichever are more."""
    wide = max(3, int(SPOT * size) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    most = 0
    for way in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
        stands_out = cv2.morphologyEx(lightness, way, kernel) > SPOT_LIGHT
        spots = (stands_out & inside).astype(np.uint8)
        _, _, boxes, _ = cv2.connectedComponentsWithStats(spots, connectivity=8)
        wides, highs, areas = np.asarray(boxes[1:, 2:5], np.float64).T
        longest, shortest = np.maximum(wides, highs), np.minimum(wides, highs)
        compact = (areas > 0.5 * wides * highs) & (longest < 2.2 * shortest)
        large = (areas >= max(3.0, LEAST_SPOT * size**2)) & (longest < SPOT * size)
        most = max(most, int((compact & large).sum()))
    return most


def _unlike_checkers(lab: NDArray[np.float32], table: TableModel) -> float:
    """Return what share of pixels, (n, 3), is like no paint of the checkers it is most like."""
    least = 1.0
    for look in table.looks:
        tints = np.array([tint.lab for tint in look.tints])
        spreads = np.array([tint.spread for tint in look.tints])
        off = np.square((lab[:, None] - tints) / spreads).sum(axis=2).min(axis=1)
        least = min(least, float((off > FAR_FROM_A_TINT**2).mean()))
    return least


def lies_untouched(pixels: Picture, then: Picture, box: Box) -> bool:
    """Tell whether a die that lay in *box* in the picture *then* lies there still, as it lay.

    A die that was cast again looks otherwise, even where it came to rest in the same place with
    the same face: it is turned. One turned by a finger shows another face.
    """
    if _likeness(pixels, then, box) < UNTOUCHED:
        return False
    return _likeness(pixels, then, box, FACE_MARGIN) >= SAME_FACE


def _likeness(pixels: Picture, reference: Picture, box: Box, margin: float = MARGIN) -> float:
    """Return the correlation of what *box* frames with what is there in *reference*, up to 1.

    What lies around it counts as far as *margin*, in sizes of the box, says.
    """
    height, width = pixels.shape[:2]
    x, y, wide, high = box
    left, top = int(x - margin * wide), int(y - margin * high)
    right, bottom = int(x + (1 + margin) * wide) + 1, int(y + (1 + margin) * high) + 1
    left, top = max(left, NUDGE_PX), max(top, NUDGE_PX)
    right, bottom = min(right, width - NUDGE_PX), min(bottom, height - NUDGE_PX)
    if right - left < 4 or bottom - top < 4:
        return 0.0
    now = pixels[top:bottom, left:right]
    then = reference[top - NUDGE_PX : bottom + NUDGE_PX, left - NUDGE_PX : right + NUDGE_PX]
    alike = cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED)
    return float(np.nanmax(alike))


def is_tower_top(die: DieReading, towers: Iterable[Tower], table: TableModel, pose: Pose) -> bool:
    """Tell whether *die* is the top of one of the *towers* seen on the board, and as large."""
    x, y, wide, high = die.box
    for tower in towers:
        height = tower.count * table.checker_height
        tops = [(*tower.foot_xy, height), (tower.foot_xy[0] + 1.0, tower.foot_xy[1], height)]
        (top_x, top_y), beside = pose.project(tops)
        radius_px = table.checker_diameter / 2 * math.hypot(*(beside - (top_x, top_y)))
        near = math.dist((x + wide / 2, y + high / 2), (top_x, top_y)) < radius_px / 2
        if near and max(wide, high) >= CHECKER_SIZED * 2 * radius_px:
            return True
    return False
