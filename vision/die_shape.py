"""What the painted top of a die tells of its shape: whether it leans, whether it is square.

The painting follows the pips, wherever the top lies in the die's outline. On a table whose pose is
known that is told beforehand: a die that lies flat shows a side face of its whole height below the
top, and none beside it.
"""

from typing import Final

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
_FINE: Final = 4


def lean(told: Told, turns_deg: tuple[float, ...], oblique_deg: float) -> float:
    """Return how badly a die fits lying flat: a sum of three squares, each about 1 where it does.

    Args:
        told: what the reader says of upright crops of one die.
        turns_deg: by how much each crop was turned counter-clockwise, beyond upright.
        oblique_deg: between the table's normal and the line of sight.

    A cube of side 1 that lies flat, its top 1 to sqrt(2) wide as it is turned, is as tall as its
    width times the cosine of the obliqueness, plus the sine; the middle of its top is half that
    sine above the middle of its outline. Without a painted top there is no misfit.
    """
    places = [
        place
        for painting, box, turn in zip(told.paintings(), told.boxes, turns_deg, strict=True)
        if (place := _top_in_outline(painting, box, turn)) is not None
    ]
    if not places:
        return 0.0
    pip_x, pip_y, face_x, face_y, tall = np.mean(places, axis=0).tolist()
    cos, sin = np.cos(np.radians(oblique_deg)), np.sin(np.radians(oblique_deg))
    high, low = -sin / 2, -sin / np.sqrt(8)
    off = [
        pip_x / _ACROSS,
        _beyond(pip_y, high, low) / _ALONG,
        face_x / _ACROSS,
        _beyond(face_y, high, low) / _ALONG,
    ]
    shape = (_beyond(tall, cos + sin / np.sqrt(2), cos + sin) - _TALL_BIAS) / _TALL
    return float(np.square(off).sum() / 2 + shape**2)


def squareness(told: Told, oblique_deg: float) -> float:
    """Return which share of the smallest rectangle around it the painted top fills from above.

    It is 1 for a square, 0.79 for a disc; without a painted top it is 0.
    """
    return float(np.median([_fill(painting[1], oblique_deg) for painting in told.paintings()]))


def _top_in_outline(
    painting: NDArray[np.float32], box: NDArray[np.float64], turn_deg: float
) -> tuple[float, ...] | None:
    """Return where pips and face lie from the box's middle, in its widths, and its proportion."""
    found: list[float] = []
    x, y, wide, high = box.tolist()
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    for chances, least, cells in zip(painting, _LEAST_CHANCES, _LEAST_CELLS, strict=True):
        share = np.where(chances > least, chances, 0.0)
        if share.sum() < cells:
            return None
        rows, columns = (np.indices(share.shape) + 0.5) / len(share)
        right = float((share * columns).sum() / share.sum()) - x
        low = float((share * rows).sum() / share.sum()) - y
        found += [(right * cos - low * sin) / wide, (right * sin + low * cos) / wide]
    return (*found, high / wide)


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
