"""Tell a lamp's reflection from a thing that lies over the board."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.light import BURNT, Evened

# Reflected light adds alike to the three channels of linear light: what it adds may differ among
# them by this share of its mean, and by this much of full light besides.
_TINT_SHARE: Final = 0.7
_TINT: Final = 0.04
_LEAST_ADDED: Final = 0.01
# Squares are light from this part of the lightest on, and keep this part of it where washed out.
_LIGHT: Final = 0.8
_AS_BRIGHT: Final = 0.88
# This part of a region must be so for the whole of it to be a reflection.
_MOST_OF_IT: Final = 0.8


def find_glare(
    unexplained: NDArray[np.bool_], evened: Evened, reference: Picture, *, moved: bool = False
) -> NDArray[np.bool_]:
    """Return the regions of *unexplained* that are reflections of a lamp.

    A reflection brightens whatever is there, and stays on the board; a hand
    darkens the light squares, and its arm leaves the picture. Of a board that was *moved* since
    the reference was taken a reflection may have gone.

    Args:
        unexplained: where neither the board nor a checker is seen, shape (side, side).
        evened: the rectified board under the light of the reference.
        reference: the empty board rectified alike.
        moved: the board lies elsewhere under the lamps than in the reference.
    """
    if not unexplained.any():
        return np.zeros_like(unexplained)
    count, labels = cv2.connectedComponents(unexplained.astype(np.uint8), connectivity=8)
    regions = np.asarray(labels)
    now, burnt = evened.smooth[unexplained], evened.burnt[unexplained]
    then = reference[unexplained].astype(np.float32)
    brightened = _brightened(now, then, burnt) | _washed_out(now, then, reference)
    if moved:
        brightened |= _brightened(then, now, then >= BURNT)
    brighter = np.bincount(regions[unexplained], weights=brightened, minlength=count)
    sizes = np.bincount(regions.ravel(), minlength=count)
    is_glare = brighter > _MOST_OF_IT * sizes
    for edge in (regions[[0, -1]], regions[:, [0, -1]]):
        is_glare[edge] = False
    return np.asarray(is_glare[regions] & unexplained)


def veiled(lab: NDArray[np.float32], bare: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which of the colours *bare* may look like *lab* under a lamp's reflection, (n,).

    Args:
        lab: what is seen, CIE L*a*b*, shape (n, 3), or (3,) if it is one colour.
        bare: what it may be without the reflection, L*a*b*, alike.
    """
    seen, without = (
        np.asarray(cv2.cvtColor(one.astype(np.float32)[:, None], cv2.COLOR_Lab2BGR), np.float32)
        for one in np.broadcast_arrays(*np.atleast_2d(lab, bare))
    )
    seen, without = np.float32(255.0) * seen[:, 0], np.float32(255.0) * without[:, 0]
    return _brightened(seen, without, seen >= BURNT)


def _washed_out(
    now: NDArray[np.float32], then: NDArray[np.float32], reference: Picture
) -> NDArray[np.bool_]:
    """Return which pixels, shape (n, 3), of light squares are about as bright as then, and paler.

    Near its brightest a camera tells no more of a colour than that it is light.
    """
    light = then.mean(axis=1) > _LIGHT * np.percentile(reference[::3, ::3].mean(axis=2), 90)
    bright = np.all(now > _AS_BRIGHT * then, axis=1)
    return np.asarray(light & bright & (np.ptp(now, axis=1) < np.ptp(then, axis=1)))


def _brightened(
    board: NDArray[np.float32], reference: NDArray[Any], burnt: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which pixels, shape (n, 3), gained light without a colour, or a warm lamp's.

    What the channels gained that are *burnt* out nobody can tell.
    """
    # A gamma of two is near enough to the screen's, and a square costs nothing.
    added = np.square(board / 255.0) - np.square(reference.astype(np.float32) / 255.0)
    told = ~burnt
    least = np.min(added, axis=1, where=told, initial=np.inf)
    most = np.max(added, axis=1, where=told, initial=-np.inf)
    mean = np.sum(added, axis=1, where=told) / np.maximum(told.sum(axis=1), 1)
    gained = least > _LEAST_ADDED
    neutral = gained & (most - least < _TINT_SHARE * mean + _TINT)
    blue, green, red = added.T
    warm = gained & (red >= green) & (green >= blue)
    return np.asarray(neutral | warm | burnt.all(axis=1))
