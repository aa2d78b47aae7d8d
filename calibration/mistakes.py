"""What people do wrong with the two pictures of a calibration, told from the pictures themselves.

Each of these would else be refused for something that follows from it, and people look for checkers
that stand where they should.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.orientation import HOMES
from calibration.places import (
    MARGIN,
    SQUARE_PX,
    fits_elsewhere,
    from_above,
    misfit,
    shoved_places,
    the_other_way,
)
from tabletop import BoardLocation
from vision.evidence import to_lab
from vision.frame import Picture
from vision.rectify import rectify

MOVED: Final = "the board or the camera was moved between the two pictures: take both again"
WRONG_ORDER: Final = (
    "the two pictures are in the wrong order: the first shows the checkers, the second the empty "
    "board; take the empty board first"
)
OTHER_LIGHT: Final = (
    "the light on the board is not the same in the two pictures, as if a lamp was lit or somebody "
    "stood in it: take both again in the same light"
)
STOOD_BEFORE: Final = (
    "when the board was to be empty: take everything off it, and take both pictures again"
)
"""How the sentence ends that tells of things in the first picture."""

# The light differs where one square in five has changed by more than this beside the others, as
# natural logarithm: noise makes 0.04, a lamp 0.11 and more.
_UNEVEN: Final = 0.08
_MOST_EVEN: Final = 80
_OFFSET: Final = 4.0
# Turned by half the board must fit better by this, in nats a pixel, and fit at all; the other way
# round it is worse by 0.2 where the board has grain, a rim, or coordinates.
_TURNED: Final = 0.06
_FITS: Final = 0.6
_UNLIKE: Final = 0.6
# The middles of squares differ from the others of their shade where checkers stand, by so much more
# in one picture than in the other; in units of L*a*b*.
_STANDS_OUT: Final = 8.0
_MORE: Final = 2.0
_LEAST_CHANGED: Final = 4
# One of four checkers alike is odd if it is less sure than all others by this, in nats, and than
# this.
_ODD: Final = 2.5
_DOUBTFUL: Final = 0.95
_COARSE_PX: Final = 8
_MIDDLE: Final = slice(2, 6)

_HOME: Final = np.zeros((8, 8), dtype=np.bool_)
"""The squares of all homes, the eighth rank first."""
for _home in HOMES:
    for _file, _rank in _home:
        _HOME[7 - _rank, _file] = True


def mistakes(
    empty: Picture, homes: Picture, before: BoardLocation, after: BoardLocation
) -> tuple[str, ...]:
    """Return what was done wrong, in plain words: the order, or the board was moved by squares.

    Args:
        empty: the picture that should show the empty board.
        homes: the picture that should show the checkers on their homes.
        before: where the board is in the first.
        after: where it is in the second.
    """
    if _swapped(_middles(empty, before), _middles(homes, after)):
        return (WRONG_ORDER,)
    seen, asked = from_above(empty, before), _beside_homes()
    here = misfit(seen, homes, after, asked)
    turned = misfit(seen, homes, the_other_way(after), asked)
    if turned < min(here - _TURNED, _FITS):
        return (MOVED,)
    shoved = here > _UNLIKE and fits_elsewhere(
        here, seen, homes, shoved_places(homes, after), asked
    )
    return (MOVED,) if shoved else ()


def in_other_light(
    empty: Picture, homes: Picture, before: BoardLocation, after: BoardLocation
) -> bool:
    """Tell whether light falls otherwise on the squares beside the homes than in the first picture.

    Light that is stronger or weaker all over is none: a camera may set its exposure anew.
    """
    ratios = []
    for pixels, location in ((empty, before), (homes, after)):
        field = rectify(pixels, location, _COARSE_PX, margin=0.0).pixels
        blocks = np.log(field.astype(np.float64) + _OFFSET).reshape(8, _COARSE_PX, 8, _COARSE_PX, 3)
        ratios.append(np.median(blocks, axis=(1, 3))[~_HOME])
    change = ratios[1] - ratios[0]
    apart = np.abs(change - np.median(change, axis=0)).max(axis=1)
    return bool(np.percentile(apart, _MOST_EVEN) > _UNEVEN)


def odd_one(probabilities: Sequence[float]) -> int | None:
    """Return which square of a home does not show one checker as the others do, None if all do.

    Two on one another seen from nearly above make the square only less sure than the others.

    Args:
        probabilities: for each square, that one checker of the home's colour stands there.
    """
    odds = np.log(
        np.clip(probabilities, 0.001, 0.999) / (1.0 - np.clip(probabilities, 0.001, 0.999))
    )
    order = np.argsort(odds)
    clear = odds[order[1]] - odds[order[0]] > _ODD
    return int(order[0]) if clear and probabilities[order[0]] < _DOUBTFUL else None


def _middles(pixels: Picture, location: BoardLocation) -> NDArray[np.float64]:
    """Return the colours in the middles of the squares, L*a*b*, shape (8, 8, 3)."""
    lab = to_lab(rectify(pixels, location, _COARSE_PX, margin=0.0).pixels)
    blocks = np.asarray(lab, np.float64).reshape(8, _COARSE_PX, 8, _COARSE_PX, 3)
    return np.asarray(blocks[:, _MIDDLE, :, _MIDDLE].mean(axis=(1, 3)))


def _swapped(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Tell whether the homes stand out in the first picture rather than in the second."""
    changed = _HOME & (np.linalg.norm(first - second, axis=2) > _STANDS_OUT)
    if np.count_nonzero(changed) < _LEAST_CHANGED:
        return False
    by_first, by_second = (float(_standing_out(one)[changed].mean()) for one in (first, second))
    return by_first > _STANDS_OUT and by_first > _MORE * by_second


def _standing_out(middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much each square differs from those of its shade beside the homes, (8, 8)."""
    shade = np.indices((8, 8)).sum(axis=0) % 2
    usual = np.stack([np.median(middles[(shade == one) & ~_HOME], axis=0) for one in (0, 1)])
    return np.asarray(np.linalg.norm(middles - usual[shade], axis=2))


@lru_cache(maxsize=1)
def _beside_homes() -> NDArray[np.bool_]:
    """Return which pixels of a board from above are not near a home."""
    side = round((8.0 + 2.0 * MARGIN) * SQUARE_PX)
    start = round(MARGIN * SQUARE_PX)
    near = np.zeros((side, side), dtype=np.uint8)
    near[start : start + 8 * SQUARE_PX, start : start + 8 * SQUARE_PX] = np.kron(
        _HOME, np.ones((SQUARE_PX, SQUARE_PX))
    )
    reach = 2 * (SQUARE_PX // 5) + 1
    beside = np.asarray(cv2.dilate(near, np.ones((reach, reach), np.uint8)) == 0)
    beside.flags.writeable = False
    return beside
