"""Every die in a picture: where it is, and how probable each value is.

One small network finds places that may be dice, at several scales; another reads a crop of each.
Only the top face counts. Where the camera's pose is known, the crop is turned so that the table's
normal points up in it, and the reader is told how obliquely it sees the die. Each die is read in
several crops, turned and scaled a little, and what it says of them is joined.
"""

from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, DieReading, DieState
from vision.die_nets import (
    COCKED,
    CROP_BOXES,
    CROP_PX,
    Candidate,
    Crop,
    find_candidates,
    read_crops,
)
from vision.frame import Picture
from vision.pose import Pose, estimate_pose
from vision.rectify import picture_to_board
from vision.table import TableModel

_LONG_SIDE_PX: Final = 768
"""At this scale a die 14 pixels wide in 1280 still is 8 wide."""
_LEVELS: Final = 5
_LEAST_CHANCE: Final = 0.15
_MOST_CANDIDATES: Final = 16
_LEAST_DIE: Final = 0.5
_LEAST_VALUE: Final = 0.6
_LEAST_COCKED: Final = 0.3
_EDGE_SHARE: Final = 0.12
"""Of a die's box; one that reaches so far over the picture's edge is not read."""
_LOOKS: Final = ((0.0, 1.0), (-7.0, 0.92), (7.0, 1.1))
"""Turn in degrees and scale of the crops each die is read in."""


@dataclass(frozen=True, slots=True)
class _Upright:
    """How the table lies at a place of the picture.

    Attributes:
        turn_deg: by how much a picture must be turned counter-clockwise for the normal to point up.
        oblique_deg: between the normal and the line of sight; None: not known.
    """

    turn_deg: float = 0.0
    oblique_deg: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Die:
    centre_xy: tuple[float, float]
    size_wh: tuple[float, float]
    chances: NDArray[np.float64]


def read_dice(
    pixels: Picture, location: BoardLocation | None = None, table: TableModel | None = None
) -> tuple[DieReading, ...]:
    """Return a reading of every die in the picture, the surest first.

    Args:
        pixels: the picture.
        location: where the board is, by which the camera's pose is known.
        table: what is known of the table; its throwing zone leaves out all that lies elsewhere.
    """
    height, width = pixels.shape[:2]
    where = location or (table.location if table else None)
    pose = estimate_pose(where, (width, height)) if where else None
    candidates = [c for c in _candidates(pixels) if table is None or _in_zone(c, table)]
    if not candidates:
        return ()
    dice = _read_candidates(pixels, candidates, where, pose)
    return tuple(_reading(die, (width, height)) for die in _apart(dice))


def _candidates(pixels: Picture) -> list[Candidate]:
    """Return the most probable places of dice over all scales, in pixels of the whole picture."""
    scale = min(1.0, _LONG_SIDE_PX / max(pixels.shape[:2]))
    found: list[Candidate] = []
    for _ in range(_LEVELS):
        size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
        if min(size) < 32:
            break
        shrunk = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
        for near in find_candidates(np.asarray(shrunk, np.uint8), _LEAST_CHANCE):
            x, y = ((v + 0.5) / scale - 0.5 for v in near.centre_xy)
            found.append(Candidate((x, y), near.size_px / scale, near.chance))
        scale /= 2
    found.sort(key=lambda candidate: -candidate.chance)
    kept: list[Candidate] = []
    for candidate in found:
        if not any(_same_place(candidate, other) for other in kept):
            kept.append(candidate)
    return kept[:_MOST_CANDIDATES]


def _same_place(one: Candidate, other: Candidate) -> bool:
    gap = np.hypot(one.centre_xy[0] - other.centre_xy[0], one.centre_xy[1] - other.centre_xy[1])
    ratio = max(one.size_px, other.size_px) / min(one.size_px, other.size_px)
    return bool(gap < 0.4 * min(one.size_px, other.size_px) and ratio < 1.6)


def _in_zone(candidate: Candidate, table: TableModel) -> bool:
    if table.throwing_zone is None:
        return True
    outline = np.array(table.throwing_zone, np.float32).reshape(-1, 1, 2)
    reach = cv2.pointPolygonTest(outline, candidate.centre_xy, measureDist=True)
    return bool(reach > -0.5 * candidate.size_px)


def _read_candidates(
    pixels: Picture,
    candidates: list[Candidate],
    location: BoardLocation | None,
    pose: Pose | None,
) -> list[_Die]:
    """Read each candidate once, and those that are dice again, centred and from several crops."""
    uprights = [_upright(c.centre_xy, location, pose) for c in candidates]
    crops = [
        _crop(pixels, c.centre_xy, c.size_px, u) for c, u in zip(candidates, uprights, strict=True)
    ]
    told = read_crops(crops)
    dice = []
    for index, (candidate, upright) in enumerate(zip(candidates, uprights, strict=True)):
        if told.chances[index, 0] > 1 - _LEAST_DIE / 2:
            continue
        centre, size = _placed(candidate.centre_xy, candidate.size_px, upright, told.boxes[index])
        looks = [_crop(pixels, centre, max(size) * scale, upright, turn) for turn, scale in _LOOKS]
        again = read_crops(looks)
        chances = np.exp(np.mean(np.log(np.maximum(again.chances, 1e-6)), axis=0))
        chances /= chances.sum()
        if chances[0] > 1 - _LEAST_DIE:
            continue
        centre, size = _placed(centre, max(size), upright, again.boxes[0])
        dice.append(_Die(centre, size, chances))
    return dice


def _upright(
    centre_xy: tuple[float, float], location: BoardLocation | None, pose: Pose | None
) -> _Upright:
    if pose is None or location is None:
        return _Upright()
    foot = picture_to_board(location, pose.size_wh, [centre_xy]).reshape(2)
    low, high = pose.project([(foot[0], foot[1], 0.0), (foot[0], foot[1], 0.3)])
    towards = pose.camera_xyz - np.array([foot[0], foot[1], 0.0])
    oblique = degrees(np.arccos(np.clip(towards[2] / np.linalg.norm(towards), -1, 1)))
    up_deg = degrees(atan2(high[0] - low[0], low[1] - high[1]))
    return _Upright(up_deg, float(oblique))


def _crop(
    pixels: Picture,
    centre_xy: tuple[float, float],
    size_px: float,
    upright: _Upright,
    turn_deg: float = 0.0,
) -> Crop:
    """Cut a crop around a die *size_px* wide, area-averaged where it shrinks."""
    reach = size_px * CROP_BOXES
    source, (left, top) = _around(pixels, centre_xy, reach)
    part: cv2.typing.MatLike = source
    scale = CROP_PX / reach
    x, y = centre_xy[0] - left, centre_xy[1] - top
    while scale < 0.6:
        part = cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        scale, x, y = scale * 2, (x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5
    angle = radians(upright.turn_deg + turn_deg)
    a, b = scale * cos(angle), scale * sin(angle)
    middle = (CROP_PX - 1) / 2
    matrix = np.array([[a, b, middle - a * x - b * y], [-b, a, middle + b * x - a * y]])
    cut = cv2.warpAffine(part, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    return Crop(np.asarray(cut, np.uint8), upright.oblique_deg)


def _around(
    pixels: Picture, centre_xy: tuple[float, float], reach: float
) -> tuple[Picture, tuple[int, int]]:
    """Return the part of the picture that a crop may need, and its first pixel."""
    half = reach * 0.75 + 2
    height, width = pixels.shape[:2]
    left = int(np.clip(centre_xy[0] - half, 0, width - 2))
    top = int(np.clip(centre_xy[1] - half, 0, height - 2))
    right = int(np.clip(centre_xy[0] + half + 1, left + 2, width))
    bottom = int(np.clip(centre_xy[1] + half + 1, top + 2, height))
    return pixels[top:bottom, left:right], (left, top)


def _placed(
    centre_xy: tuple[float, float],
    size_px: float,
    upright: _Upright,
    box: NDArray[np.float64],
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the centre and size, in the picture, of a box told in a crop."""
    reach = size_px * CROP_BOXES
    x, y = np.clip(box[:2] - 0.5, -0.25, 0.25) * reach
    angle = radians(upright.turn_deg)
    back = (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))
    wide, high = np.clip(box[2:], 0.3, 0.9) * reach
    return (centre_xy[0] + float(back[0]), centre_xy[1] + float(back[1])), (
        float(wide),
        float(high),
    )


def _apart(dice: list[_Die]) -> list[_Die]:
    """Return the dice without those that lie where a surer one lies."""
    kept: list[_Die] = []
    for die in sorted(dice, key=lambda d: -float(d.chances[1:].max())):
        near = (
            np.hypot(die.centre_xy[0] - k.centre_xy[0], die.centre_xy[1] - k.centre_xy[1])
            < 0.5 * max(*die.size_wh, *k.size_wh)
            for k in kept
        )
        if not any(near):
            kept.append(die)
    return kept


def _reading(die: _Die, picture_wh: tuple[int, int]) -> DieReading:
    x, y = die.centre_xy[0] - die.size_wh[0] / 2, die.centre_xy[1] - die.size_wh[1] / 2
    box = (x, y, *die.size_wh)
    values = die.chances[1:COCKED]
    best = float(values.max())
    state = DieState.SETTLED
    if die.chances[COCKED] > max(_LEAST_COCKED, 0.5 * best):
        state = DieState.COCKED
    elif best < _LEAST_VALUE or _over_edge(box, picture_wh):
        state = DieState.UNREADABLE
    one, two, three, four, five, six = (float(v) for v in values)
    return DieReading(box, (one, two, three, four, five, six), state)


def _over_edge(box: tuple[float, float, float, float], picture_wh: tuple[int, int]) -> bool:
    x, y, wide, high = box
    return (
        x < -_EDGE_SHARE * wide
        or y < -_EDGE_SHARE * high
        or x + wide > picture_wh[0] + _EDGE_SHARE * wide
        or y + high > picture_wh[1] + _EDGE_SHARE * high
    )
