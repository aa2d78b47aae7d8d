"""Whether a board lies where it lay: how it fits what was seen, there and at other places."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.board import board_fit
from vision.evidence import backdrop, board_log_likelihood, to_lab
from vision.frame import Picture
from vision.light import take_out_light
from vision.rectify import BOARD_CORNERS, board_to_picture, rectify

SQUARE_PX: Final = 16
"""The side of a square on a board seen from above."""
MARGIN: Final = 0.4
"""Only the board's own rim is asked, in squares: the table around it does not turn with it."""
MOST_MISFIT: Final = 2.5
"""Nothing is said to fit worse than this, in nats a pixel."""

_MOST_NATS: Final = 10.0
_BURNT: Final = 250
# Shoved by so many squares along files and ranks, light squares come upon light ones; the pattern
# shows there by so much more than where the board was, for a row of it is gone.
_WHOLE_SQUARES: Final = ((1, 1), (1, -1), (2, 0), (0, 2), (2, 2), (2, -2))
_MORE_FIT: Final = 0.1
# It lies there if it fits better by so much, in nats a pixel, and by this share.
_LEAST_BETTER: Final = 0.3
_FITS_ELSEWHERE: Final = 0.6


def from_above(pixels: Picture, location: BoardLocation) -> Picture:
    """Return the board with its rim from straight above, small."""
    return rectify(pixels, location, SQUARE_PX, MARGIN).pixels


def misfit(
    before: Picture,
    pixels: Picture,
    location: BoardLocation,
    asked: NDArray[np.bool_] | None = None,
) -> float:
    """Return how badly a board at *location* fits the one seen before, in nats a pixel.

    Args:
        before: that one from straight above, by `from_above`.
        pixels: the picture of now.
        location: where the board may lie in it.
        asked: the pixels of *before* that are compared; None for all.
    """
    now = from_above(pixels, location)
    behind = backdrop(before, SQUARE_PX)
    evened = take_out_light(now, before, SQUARE_PX).pixels
    deficit = behind.itself - board_log_likelihood(to_lab(evened), behind)
    # The lamp's own reflection stays where it was when the board is turned.
    clear = (now.max(axis=2) < _BURNT) & (before.max(axis=2) < _BURNT)
    if asked is not None:
        clear &= asked
    if not clear.any():
        return MOST_MISFIT
    return min(float(np.mean(np.clip(deficit[clear], 0.0, _MOST_NATS))), MOST_MISFIT)


def fits_elsewhere(
    here: float,
    before: Picture,
    pixels: Picture,
    places: Iterator[BoardLocation],
    asked: NDArray[np.bool_] | None = None,
) -> bool:
    """Tell whether a board that fits badly where it was, by *here*, lies at one of *places*."""
    most = min(here - _LEAST_BETTER, _FITS_ELSEWHERE * here)
    return any(misfit(before, pixels, there, asked) < most for there in places)


def the_other_way(location: BoardLocation) -> BoardLocation:
    """Return the location with a1 at the corner opposite."""
    a1, h1, h8, a8 = location.corners
    return replace(location, corners=(h8, a8, a1, h1))


def shoved_places(pixels: Picture, location: BoardLocation) -> Iterator[BoardLocation]:
    """Yield where the board may lie, whole squares off, though its pattern shows where it was."""
    size_wh = (pixels.shape[1], pixels.shape[0])
    fit = board_fit(pixels, location)
    for by_xy in (*_WHOLE_SQUARES, *((-x, -y) for x, y in _WHOLE_SQUARES)):
        moved = board_to_picture(location, size_wh, np.add(BOARD_CORNERS, by_xy))
        a1, h1, h8, a8 = ((float(x), float(y)) for x, y in moved)
        there = replace(location, corners=(a1, h1, h8, a8))
        if board_fit(pixels, there) > fit + _MORE_FIT:
            yield there
