"""What the painted top of a die tells of its shape: whether it leans, whether it is square.

The painting follows the pips, wherever the top lies in the die's outline. On a table whose pose is
known that is told beforehand: a die that lies flat shows a side face of its whole height below the
top, and none beside it. Put back into the plane of the top, the painted face is a square, and the
outer pips of four and five form one.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.die_nets import Told

_LEAST_CHANCES: Final = (0.25, 0.3)
"""Of a pip and of a face: from these on a cell of the painting counts."""
_LEAST_CELLS: Final = (0.5, 3.0)
"""So much of pips and of a face must be painted to tell where they are."""
# Deviations of dice that lie flat on drawn and on rendered tables, in widths of their boxes: of the
# middle of the pips and of the face across and along the normal, and of the height by the width.
_ACROSS: Final = 0.018
_ALONG: Final = 0.022
_TALL: Final = 0.035
_TALL_BIAS: Final = -0.02
# The same of how much longer than wide, as a logarithm, the face and the pips of four and five are,
# put back into the plane of the top: the face's seen from above, it grows obliquely.
_FACE_LONG: Final = 0.05
_PIPS_LONG: Final = 0.07
_SQUARE_PIPS: Final = (4, 5)
_CELL: Final = 1 / 12
"""The second moment of a cell of the painting about its own middle, in squares of its side."""
_FINE: Final = 4

Floats: TypeAlias = NDArray[np.float64]


def lean(told: Told, turns_deg: tuple[float, ...], oblique_deg: float, value: int) -> float:
    """Return how badly a die fits lying flat: a sum of squares, each about 1 where it does.

    Args:
        told: what the reader says of upright crops of one die.
        turns_deg: by how much each crop was turned counter-clockwise, beyond upright.
        oblique_deg: between the table's normal and the line of sight.
        value: what the die seems to show.

    A cube of side 1 that lies flat, its top 1 to sqrt(2) wide as it is turned, is as tall as its
    width times the cosine of the obliqueness, plus the sine; the middle of its top is half that
    sine above the middle of its outline. A square reaches as far in every direction, by its second
    moments. Without a painted top there is no misfit.
    """
    seen = [
        top
        for painting, box, turn in zip(told.paintings(), told.boxes, turns_deg, strict=True)
        if (top := _top_in_outline(painting, box, turn)) is not None
    ]
    if not seen:
        return 0.0
    pips, face, (tall,) = (np.mean(part, axis=0) for part in zip(*seen, strict=True))
    cos, sin = float(np.cos(np.radians(oblique_deg))), float(np.sin(np.radians(oblique_deg)))
    high, low = -sin / 2, -sin / np.sqrt(8)
    off = [
        pips[0] / _ACROSS,
        _beyond(pips[1], high, low) / _ALONG,
        face[0] / _ACROSS,
        _beyond(face[1], high, low) / _ALONG,
    ]
    shape = (_beyond(tall, cos + sin / np.sqrt(2), cos + sin) - _TALL_BIAS) / _TALL
    # A painting that lost part of the face is far off: the middle one of three counts.
    pips, face, _ = (np.median(part, axis=0) for part in zip(*seen, strict=True))
    long = np.hypot(face[2] + np.log(cos), face[3]) / (_FACE_LONG / cos)
    if value in _SQUARE_PIPS:
        long = np.hypot(long, np.hypot(pips[2] + np.log(cos), pips[3]) / _PIPS_LONG)
    return float(np.square(off).sum() / 2 + shape**2 + long**2)


def squareness(told: Told, oblique_deg: float) -> float:
    """Return which share of the smallest rectangle around it the painted top fills from above.

    It is 1 for a square, 0.79 for a disc; without a painted top it is 0.
    """
    return float(np.median([_fill(painting[1], oblique_deg) for painting in told.paintings()]))


def _top_in_outline(
    painting: NDArray[np.float32], box: NDArray[np.float64], turn_deg: float
) -> tuple[Floats, Floats, Floats] | None:
    """Return how the pips and the face lie in the box, and its proportion.

    Of both: where the middle is from the box's, to the right and down, in its widths; by how much
    they are wider than tall, as a logarithm, and how much that is so along a diagonal.
    """
    x, y, wide, high = box.tolist()
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    found = []
    for chances, least, cells in zip(painting, _LEAST_CHANCES, _LEAST_CELLS, strict=True):
        share = np.where(chances > least, chances, 0.0).astype(np.float64)
        if share.sum() < cells:
            return None
        share /= share.sum()
        rows, columns = (np.indices(share.shape) + 0.5) / len(share)
        right = (columns - x) * cos - (rows - y) * sin
        low = (columns - x) * sin + (rows - y) * cos
        mid_x, mid_y = float((share * right).sum()), float((share * low).sum())
        right, low = right - mid_x, low - mid_y
        xx, yy = (float((share * off**2).sum()) + _CELL / len(share) ** 2 for off in (right, low))
        skew = float((share * right * low).sum()) / np.sqrt(xx * yy)
        found.append(np.array([mid_x / wide, mid_y / wide, np.log(xx / yy) / 2, skew]))
    return found[0], found[1], np.array([high / wide])


def _beyond(value: float, least: float, most: float) -> float:
    """Return how far *value* is outside the range, 0 within."""
    return value - float(np.clip(value, least, most))


def _fill(face: NDArray[np.float32], oblique_deg: float) -> float:
    taller = _FINE / float(np.cos(np.radians(oblique_deg)))
    fine = cv2.resize(face, None, fx=_FINE, fy=taller)
    outlines, _ = cv2.findContours(
        (fine > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    if not outlines:
        return 0.0
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    _, (wide, high), _ = cv2.minAreaRect(hull)
    return float(cv2.contourArea(hull) / max(wide * high, 1.0))
