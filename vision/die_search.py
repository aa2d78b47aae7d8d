"""Where in a picture dice may be: the finder at several scales, and what a table tells."""

from math import cos, dist, radians, sin
from typing import Final, TypeAlias

import cv2
import numpy as np

from tabletop import Point
from vision.die_nets import FOUND_PX, Candidate, find_candidates
from vision.die_view import TableView, Upright
from vision.frame import Picture

Part: TypeAlias = tuple[int, int, int, int]
"""A part of a picture: left, top, width, height."""

_LONG_SIDE_PX: Final = 768
"""At this scale a die 14 pixels wide in 1280 still is 8 wide."""
_LEVELS: Final = 5
_LEAST_SIDE_PX: Final = 32
_MOST_A_LEVEL: Final = 9
_MOST: Final = 24
# In sides of a square: dice are 12 to 20 mm wide, squares 35 to 60.
SMALLEST_BOX: Final = 0.24
_LARGEST_SIDE: Final = 0.56
_SEEN_LARGER: Final = 1.15
"""Of their size: for so much larger the finder takes some dice."""
_LARGEST_PRINT: Final = 0.45
"""The largest letter or digit of a board's coordinates, in sides of a square."""
_LARGEST_BOX: Final = _LARGEST_SIDE * 3**0.5


def search_dice(
    pixels: Picture,
    least: float,
    view: TableView | None,
    zone: tuple[Point, ...] | None,
    within: Part | None = None,
) -> list[tuple[Candidate, Upright]]:
    """Return the places where dice may be, the most probable first, and how the table lies there.

    Where boards bear their coordinates what is as small as those comes last.

    Args:
        pixels: the picture.
        least: the least chance that a candidate must have.
        view: the table, if known; it tells how large dice can be.
        zone: the outline of the part of the picture where dice count; None: all of it.
        within: the part of the picture to search; None: all of it.
    """
    (left, top), part = _part(pixels, zone, within)
    scale = min(1.0, _LONG_SIDE_PX / max(pixels.shape[:2]))
    found: list[tuple[Candidate, Upright]] = []

    def rank(place: tuple[Candidate, Upright]) -> tuple[bool, float]:
        near, _ = place
        return may_be_print(near.centre_xy, near.size_px, view), -near.chance

    for _ in range(_LEVELS):
        size_wh = (round(part.shape[1] * scale), round(part.shape[0] * scale))
        if min(size_wh) < _LEAST_SIDE_PX:
            break
        if view is None or _may_hold_dice(scale, view, pixels):
            level = []
            for near in find_candidates(_shrunk(part, size_wh), least):
                x, y = ((v + 0.5) / scale - 0.5 for v in near.centre_xy)
                whole = Candidate((x + left, y + top), near.size_px / scale, near.chance)
                upright = view.upright(whole.centre_xy) if view else Upright()
                sides = (SMALLEST_BOX, _SEEN_LARGER * _LARGEST_SIDE * _tallest(upright))
                if may_be_die(whole.size_px, upright, sides) and is_inside(whole, zone):
                    level.append((whole, upright))
            found += sorted(level, key=rank)[:_MOST_A_LEVEL]
        scale /= 2
    found.sort(key=rank)
    kept: list[tuple[Candidate, Upright]] = []
    for candidate, upright in found:
        if not any(_same_place(candidate, other) for other, _ in kept):
            kept.append((candidate, upright))
    return kept[:_MOST]


def may_be_die(size_px: float, upright: Upright, sides: tuple[float, float] | None = None) -> bool:
    """Return whether a die's box can be *size_px* wide where the table lies like that.

    Args:
        size_px: the larger side of the box.
        upright: how the table lies there.
        sides: how large the box may be, in squares; None: as large as that of any die.
    """
    if upright.square_px is None:
        return True
    least, most = sides or (SMALLEST_BOX, _LARGEST_SIDE * _tallest(upright))
    return least < size_px / upright.square_px < most


def may_be_print(centre_xy: Point, size_px: float, view: TableView | None) -> bool:
    """Tell whether what is so small, and where boards bear their coordinates, may be one of them.

    A letter or digit that encloses a spot looks like a one, blurred as it is.
    """
    if view is None:
        return False
    square_px = view.upright(centre_xy).square_px or 0.0
    return size_px < _LARGEST_PRINT * square_px and view.bears_coordinates(centre_xy)


def _tallest(upright: Upright) -> float:
    """Return how large a die's box can be where the table lies like that, in sides of the die."""
    oblique = radians(upright.oblique_deg or 0.0)
    return 2**0.5 * cos(oblique) + sin(oblique)


def _part(
    pixels: Picture, zone: tuple[Point, ...] | None, within: Part | None
) -> tuple[tuple[int, int], Picture]:
    """Return the first pixel and the part of the picture to search, with a rim round it."""
    height, width = pixels.shape[:2]
    left, top, right, bottom = 0, 0, width, height
    boxes = [within] if within else []
    if zone is not None:
        x, y, wide, high = cv2.boundingRect(np.array(zone, np.float32).reshape(-1, 1, 2))
        boxes.append((int(x), int(y), int(wide), int(high)))
    for x, y, wide, high in boxes:
        rim = max(_LEAST_SIDE_PX, max(wide, high) // 8)
        left, top = max(left, x - rim), max(top, y - rim)
        right, bottom = min(right, x + wide + rim), min(bottom, y + high + rim)
    left, top = min(left, width - 1), min(top, height - 1)
    return (left, top), pixels[top : max(top + 1, bottom), left : max(left + 1, right)]


def _shrunk(part: Picture, size_wh: tuple[int, int]) -> Picture:
    if size_wh == (part.shape[1], part.shape[0]):
        return part
    return np.asarray(cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def _may_hold_dice(scale: float, view: TableView, pixels: Picture) -> bool:
    """Return whether dice as large as this table's can be are found at *scale*."""
    height, width = pixels.shape[:2]
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    sides = [view.upright(corner).square_px or 0.0 for corner in corners]
    sides.append(view.upright((width / 2, height / 2)).square_px or 0.0)
    least, most = min(sides) * SMALLEST_BOX * scale, max(sides) * _LARGEST_BOX * scale
    return most > FOUND_PX[0] and least < FOUND_PX[1]


def is_inside(candidate: Candidate, zone: tuple[Point, ...] | None) -> bool:
    """Return whether a candidate lies in the throwing zone; without one, everything does."""
    if zone is None:
        return True
    outline = np.array(zone, np.float32).reshape(-1, 1, 2)
    reach = cv2.pointPolygonTest(outline, candidate.centre_xy, measureDist=True)
    return bool(reach > -0.5 * candidate.size_px)


def _same_place(one: Candidate, other: Candidate) -> bool:
    smaller, larger = sorted((one.size_px, other.size_px))
    near = dist(one.centre_xy, other.centre_xy) < 0.4 * smaller
    return near and larger < 1.6 * smaller
