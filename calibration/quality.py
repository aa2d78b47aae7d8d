"""Judge whether pictures are good enough to calibrate by; say in plain words what is wrong."""

from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.board import LEAST_FIT, board_fit
from vision.frame import Picture
from vision.rectify import board_to_picture, picture_to_board, rectify

# Grey levels, of 255: the light squares must be brighter than this, and no more than a part of
# the board may be burnt out.
_DARK: Final = 40.0
_BURNT: Final = 252
_MOST_BURNT: Final = 0.35
# An edge between two squares may be this wide, in squares, and still be called sharp.
_BLURRED: Final = 0.2
_SMALLEST_SQUARE_PX: Final = 14.0
# Between two pictures of one calibration the board may move by this much, in squares.
_MOVED: Final = 0.1
_SQUARE_PX: Final = 48
# A picture without any slope as steep as this, in grey levels a pixel, shows no edge at all.
_FLAT: Final = 6.0
# The light is judged on few pixels, and of a whole picture on every so many.
_COARSE_PX: Final = 6
_SAMPLED: Final = 8
# So near to the brightest of the board, in grey levels, much of it is only where it is burnt out,
# and that is brighter than the second number. By this share it is nearer still there, for no noise
# goes beyond; the brightest of an evenly lit sheet of paper is its noise.
_AT_TOP: Final = 2
_LEAST_TOP: Final = 150
_FLAT_TOP: Final = 0.5


class BadLight(StrEnum):
    """In what light a board is hardly seen."""

    DARK = "dark"
    BRIGHT = "bright"


def picture_faults(pixels: Picture, location: BoardLocation, which: str) -> tuple[str, ...]:
    """Return what is wrong with a picture of the board at *location*; nothing where all is well.

    Args:
        pixels: the picture.
        location: where the board is in it.
        which: what to call the picture, as in "the picture of the empty board".
    """
    faults = []
    size_wh = (pixels.shape[1], pixels.shape[0])
    if not _inside(location, size_wh):
        faults.append(f"part of the board is outside {which}: move the camera back or turn it")
    if _square_px(location) < _SMALLEST_SQUARE_PX:
        faults.append(
            f"the board is too small in {which}: its squares are {_square_px(location):.0f} pixels "
            f"wide and {_SMALLEST_SQUARE_PX:.0f} are needed; bring the camera nearer"
        )
    field = rectify(pixels, location, _SQUARE_PX, margin=0.0).pixels
    grey = np.asarray(cv2.cvtColor(field, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if _is_dark(grey):
        faults.append(f"{which} is too dark: light a lamp or expose longer")
    elif np.mean(grey >= _BURNT) > _MOST_BURNT:
        faults.append(f"{which} is overexposed: the light squares are burnt out; expose shorter")
    elif _edge_width(grey) > _BLURRED:
        faults.append(f"{which} is blurred: focus the lens and keep the camera still")
    return tuple(faults)


def bad_light(pixels: Picture, location: BoardLocation) -> BadLight | None:
    """Return whether a picture is too dark or too bright where the board is, in half a millisecond.

    A board may be read even so, as long as its squares can be told apart.
    """
    field = rectify(pixels, location, _COARSE_PX, margin=0.0).pixels
    if _clipped(field) > _MOST_BURNT:
        return BadLight.BRIGHT
    grey = np.asarray(cv2.cvtColor(field, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    # What is dark there may be a thing on the board, or the table where the board has been.
    dark = _is_dark(grey) and (board_fit(pixels, location) > LEAST_FIT or _shows_nothing(pixels))
    return BadLight.DARK if dark else None


def why_no_board(pixels: Picture, which: str, reason: str) -> str:
    """Return why no board was found in a picture: for its faults, or for the finder's *reason*."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    if _shows_nothing(pixels):
        return f"{which} is too dark: light a lamp or expose longer"
    if np.mean(grey >= _BURNT) > 0.5:
        return f"{which} is overexposed: expose shorter"
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0).astype(np.float32)
    slopes = np.abs(np.diff(smooth, axis=1))
    if np.percentile(slopes, 99.5) < _FLAT:
        return f"{which} is blurred, or shows no board: focus the lens and keep the camera still"
    return f"no board was found in {which}: {reason}"


def board_moved(before: BoardLocation, after: BoardLocation, size_wh: tuple[int, int]) -> bool:
    """Tell whether the board lies elsewhere than *before*, seen by a camera of *size_wh*."""
    return shift_squares(before, after, size_wh) > _MOVED


def shift_squares(before: BoardLocation, after: BoardLocation, size_wh: tuple[int, int]) -> float:
    """Return how far the farthest corner of the board moved, in squares."""
    corners = picture_to_board(before, size_wh, after.corners)
    still = picture_to_board(before, size_wh, before.corners)
    return float(np.max(np.linalg.norm(corners - still, axis=1)))


def _is_dark(field: NDArray[np.uint8]) -> bool:
    return bool(np.percentile(field, 90) < _DARK)


def _clipped(field: Picture) -> float:
    """Return the share of the board at the top of what the camera gives, in two colours or more.

    What it gives ends below 255 where it changes the balance of colours afterwards.
    """
    top = field.reshape(-1, 3).max(axis=0)
    within, nearer = (
        float(np.mean(np.count_nonzero((field >= top - off) & (top > _LEAST_TOP), axis=2) >= 2))
        for off in (_AT_TOP, _AT_TOP - 1)
    )
    return within if nearer > _FLAT_TOP * within else 0.0


def _shows_nothing(pixels: Picture) -> bool:
    """Tell whether a picture is dark all over."""
    few = np.ascontiguousarray(pixels[::_SAMPLED, ::_SAMPLED])
    return bool(np.percentile(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), 99) < 1.5 * _DARK)


def _inside(location: BoardLocation, size_wh: tuple[int, int]) -> bool:
    along = np.linspace(0.0, 8.0, 9)
    edge = np.concatenate(
        [
            np.column_stack(pair)
            for level in (0.0 * along, 0.0 * along + 8.0)
            for pair in ((along, level), (level, along))
        ]
    )
    seen = board_to_picture(location, size_wh, edge)
    return bool(np.all(seen >= -0.5) and np.all(seen <= np.array(size_wh) - 0.5))


def _square_px(location: BoardLocation) -> float:
    """Return the side of the smallest of the squares at the corners, roughly."""
    corners = np.array(location.corners)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(sides.min() / 8.0)


def _edge_width(grey: NDArray[np.uint8]) -> float:
    """Return how wide the edges between squares are, in squares: contrast over steepest slope."""
    smooth = grey.astype(np.float32)
    widths = []
    for picture in (smooth, smooth.T):
        # Profiles across each inner line, averaged along the middle of every square.
        rows = picture.reshape(8, _SQUARE_PX, 8 * _SQUARE_PX)
        profiles = rows[:, _SQUARE_PX // 4 : -_SQUARE_PX // 4].mean(axis=1)
        for line in range(1, 8):
            middle, reach = line * _SQUARE_PX, _SQUARE_PX // 3
            part = profiles[:, middle - reach : middle + reach]
            contrast = np.abs(part[:, 0] - part[:, -1])
            slope = np.abs(np.diff(part, axis=1)).max(axis=1)
            widths.append(contrast / np.maximum(slope, 1e-3))
    return float(np.median(np.concatenate(widths)) / _SQUARE_PX)
