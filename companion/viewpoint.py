"""A camera that was knocked: what is known of the table, as it is seen from where it looks now.

Where the board has come to another place in the picture, either the board was moved or the camera.
The rest of the picture tells: it stayed, or went along.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.frame import Picture
from vision.moved_board import carried_along, turn_between, whole_board
from vision.newcomers import relit
from vision.table import TableModel

_SMALL: Final = 4
"""The pictures are compared at this part of their size: there is less noise in them then, which to
carry a picture along takes out of it as well."""
_TELLING: Final = 8.0
"""Where a table looks alike from both places, to so many grey levels, it does not tell them."""


def seen_from_now(
    table: TableModel, before: BoardLocation, now: BoardLocation, pixels: Picture
) -> TableModel:
    """Return the table as the camera sees it now.

    Args:
        table: as it was seen before.
        before: where the board was in the picture then.
        now: where it is in *pixels*.
        pixels: a picture of the table at rest.

    Returns:
        *table* itself if the rest of the picture is where it was.
    """
    turn = turn_between(before, now)
    seen = carried_along(table.reference, turn)
    known = carried_along(np.full_like(pixels, 255), turn)[..., 0] == 255
    around = known & ~whole_board(before, table.size_wh) & ~whole_board(now, table.size_wh)
    beside = _small(around.astype(np.uint8) * np.uint8(255)) == 255
    here, stayed, gone = (_small(one) for one in (pixels, table.reference, seen))
    telling = beside & (cv2.absdiff(stayed, gone).max(axis=2) > _TELLING)
    if _misfit(here, stayed, telling) <= _misfit(here, gone, telling):
        return table
    reference = np.where(known[..., None], seen, pixels).astype(np.uint8)
    reference.flags.writeable = False
    empty = np.array(table.location.corners, np.float32).reshape(-1, 1, 2)
    a1, h1, h8, a8 = (
        (float(x), float(y)) for x, y in cv2.perspectiveTransform(empty, turn).reshape(-1, 2)
    )
    location = replace(table.location, corners=(a1, h1, h8, a8))
    return replace(table, reference=reference, location=location)


def _misfit(pixels: Picture, reference: Picture, where: NDArray[np.bool_]) -> float:
    """Return how far a picture is from another, the light aside, in grey levels."""
    if not where.any():
        return 0.0
    return float(np.mean(cv2.absdiff(relit(pixels, reference), reference)[where]))


def _small(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return *picture*, or a mask over it, shrunk."""
    size_wh = (picture.shape[1] // _SMALL, picture.shape[0] // _SMALL)
    return np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
