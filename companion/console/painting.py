"""JPEGs of what the camera sees, made with as little of the processor as may be.

OpenCV gives other threads a share of all but small pictures. To wake them takes longer here than
they do, so everything is done in bands of few pixels, and into the same buffer each time.
"""

import math
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from companion.console.showing import Sight
from tabletop import BoardLocation
from vision.frame import Picture
from vision.rectify import rectifier

SQUARE_PX: Final = 48
MARGIN: Final = 0.75
"""How much is shown around the board, in squares."""
MOST_WIDE_PX: Final = 960
JPEG_QUALITY: Final = 75

_BAND_PX: Final = 1 << 16


class View(StrEnum):
    """What of the camera's picture is shown."""

    BOARD = "board"
    """The board, seen straight from above."""
    CAMERA = "camera"
    """All of it."""


class Straightener:
    """Shows the board at one place straight from above."""

    def __init__(self, board: BoardLocation, size_wh: tuple[int, int]) -> None:
        made = rectifier(board, size_wh, SQUARE_PX, MARGIN)
        side = len(made.map_x)
        # In whole numbers it goes half as fast again.
        self._maps: Final = cv2.convertMaps(made.map_x, made.map_y, cv2.CV_16SC2)
        self._flat: Final = np.empty((side, side, 3), dtype=np.uint8)
        self._bands: Final = _bands(side, side)

    def apply(self, pixels: Picture) -> Picture:
        """Return the board of *pixels*, until the next is asked for."""
        places, shares = self._maps
        for band in self._bands:
            cv2.remap(
                pixels,
                places[band],
                shares[band],
                cv2.INTER_LINEAR,
                dst=self._flat[band],
                borderMode=cv2.BORDER_REPLICATE,
            )
        return self._flat


class Shrinker:
    """Makes pictures of one size as small as they are sent."""

    def __init__(self, size_wh: tuple[int, int]) -> None:
        wide, high = size_wh
        shown_wh = (MOST_WIDE_PX, round(high * MOST_WIDE_PX / wide))
        # So many bands, each a whole number of rows before and after, give what one would.
        alike = math.gcd(high, shown_wh[1])
        self._rows: Final = (high // alike, shown_wh[1] // alike)
        self._bands: Final = _bands(alike, MOST_WIDE_PX * self._rows[1])
        self._small: Final = np.empty((shown_wh[1], MOST_WIDE_PX, 3), dtype=np.uint8)
        # Averaging costs five times as much, and little is left out by less than a half.
        self._how: Final = cv2.INTER_LINEAR if wide < 2 * MOST_WIDE_PX else cv2.INTER_AREA

    def apply(self, pixels: Picture) -> Picture:
        """Return *pixels* made small, until the next are asked for."""
        before, after = self._rows
        for band in self._bands:
            part = pixels[band.start * before : band.stop * before]
            small = self._small[band.start * after : band.stop * after]
            cv2.resize(part, small.shape[1::-1], dst=small, interpolation=self._how)
        return self._small


class Painter:
    """Makes JPEGs of one view."""

    def __init__(self, view: View) -> None:
        self._view: Final = view
        self._maker: Straightener | Shrinker | None = None
        self._made_for: object = None
        self._painted: tuple[Sight, bytes] | None = None

    def paint(self, sight: Sight) -> bytes:
        """Return a JPEG of what is in sight; all of it where no board is known."""
        if self._painted is None or self._painted[0] is not sight:
            shown = self._shown(sight)
            _, data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            self._painted = (sight, data.tobytes())
        return self._painted[1]

    def _shown(self, sight: Sight) -> Picture:
        size_wh = sight.frame.size_wh
        board = sight.board if self._view is View.BOARD else None
        if board is None and size_wh[0] <= MOST_WIDE_PX:
            return sight.frame.pixels
        if self._maker is None or self._made_for != (board, size_wh):
            self._maker = Shrinker(size_wh) if board is None else Straightener(board, size_wh)
            self._made_for = (board, size_wh)
        return self._maker.apply(sight.frame.pixels)


def _bands(rows: int, row_px: int) -> list[slice]:
    """Return *rows*, of so many pixels each, cut into bands of few pixels."""
    step = max(1, _BAND_PX // row_px)
    return [slice(top, min(top + step, rows)) for top in range(0, rows, step)]
