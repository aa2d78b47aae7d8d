"""The live picture: encoded once for all who look, and only while somebody does."""

import asyncio
import time
from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from companion.console.latest import Latest, SeriesEndError
from companion.console.showing import Sight
from tabletop import BoardLocation
from vision.frame import Picture
from vision.rectify import Rectifier, rectifier

SQUARE_PX: Final = 56
MARGIN: Final = 0.75
"""How much is shown around the board, in squares."""
MOST_WIDE_PX: Final = 960
JPEG_QUALITY: Final = 75
LEAST_BETWEEN_S: Final = 0.2
"""Five pictures a second show every move; more would only take from the referee's time."""
AT_REST_S: Final = 1.0
"""A table on which nothing moves is shown once in so long."""
MOST_VIEWERS: Final = 12

_REST_LEVELS: Final = 3.0
"""Mean difference of grey levels below which nothing moved; noise alone makes one or two."""
_SAMPLED: Final = 16


class View(StrEnum):
    """What of the camera's picture is shown."""

    BOARD = "board"
    """The board, seen straight from above."""
    CAMERA = "camera"
    """All of it."""


class Painter:
    """Makes JPEGs of one view; used by one thread at a time."""

    def __init__(self, view: View) -> None:
        self._view: Final = view
        self._rectifier: tuple[BoardLocation, tuple[int, int], Rectifier] | None = None

    def paint(self, sight: Sight) -> bytes:
        """Return a JPEG of what is in sight; all of it where no board is known."""
        pixels = sight.frame.pixels
        if self._view is View.BOARD and sight.board is not None:
            pixels = self._straightened(pixels, sight.board)
        else:
            wide = min(MOST_WIDE_PX, pixels.shape[1])
            high = round(pixels.shape[0] * wide / pixels.shape[1])
            if wide < pixels.shape[1]:
                # Averaging costs five times as much, and little is left out by less than a half.
                little = 2 * wide > pixels.shape[1]
                how = cv2.INTER_LINEAR if little else cv2.INTER_AREA
                shrunk = cv2.resize(pixels, (wide, high), interpolation=how)
                pixels = np.asarray(shrunk, dtype=np.uint8)
        _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return data.tobytes()

    def _straightened(self, pixels: Picture, board: BoardLocation) -> Picture:
        size_wh = (pixels.shape[1], pixels.shape[0])
        if self._rectifier is None or self._rectifier[:2] != (board, size_wh):
            made = rectifier(board, size_wh, SQUARE_PX, MARGIN)
            self._rectifier = (board, size_wh, made)
        return self._rectifier[2].apply(pixels).pixels


class PictureFeed:
    """The pictures of one view for all who look at it; lives in the server's event loop."""

    def __init__(self, sights: Latest[Sight | None], view: View) -> None:
        self._sights: Final = sights
        self._painter: Final = Painter(view)
        self._pictures: Final = Latest[bytes](b"")
        self._painting: asyncio.Task[None] | None = None
        self._lock: Final = asyncio.Lock()
        self.viewers = 0

    async def newest(self) -> bytes | None:
        """Return the newest picture; None where the camera has given none yet."""
        sight = self._sights.held[1]
        return None if sight is None else await self._painted(sight)

    async def pictures(self) -> AsyncIterator[bytes]:
        """Yield pictures as they come; who is slow misses some."""
        self.viewers += 1
        if self._painting is None:
            self._painting = asyncio.create_task(self._paint())
        number = 0
        try:
            if (first := await self.newest()) is not None:
                yield first
            while True:
                number, picture = await self._pictures.after(number)
                yield picture
        except SeriesEndError:
            return
        finally:
            self.viewers -= 1
            if not self.viewers and self._painting is not None:
                self._painting.cancel()
                self._painting = None

    def end(self) -> None:
        """Send all viewers home."""
        self._pictures.end()

    async def _paint(self) -> None:
        """Paint what is in sight, not more often than is worth it."""
        number, before, painted_s = 0, None, 0.0
        while True:
            try:
                number, sight = await self._sights.after(number)
            except SeriesEndError:
                return
            if sight is None:
                continue
            pixels = sight.frame.pixels
            now_s = time.monotonic()
            if now_s - painted_s < AT_REST_S and before is not None and _rests(before, pixels):
                await asyncio.sleep(LEAST_BETWEEN_S / 4)
                continue
            self._pictures.put(await self._painted(sight))
            before, painted_s = pixels, now_s
            await asyncio.sleep(max(0.0, LEAST_BETWEEN_S - (time.monotonic() - now_s)))

    async def _painted(self, sight: Sight) -> bytes:
        async with self._lock:
            return await asyncio.to_thread(self._painter.paint, sight)


def _rests(before: Picture, now: Picture) -> bool:
    """Tell whether nothing moved between two pictures, by every sixteenth pixel each way."""
    if before.shape != now.shape:
        return False
    one, other = (picture[::_SAMPLED, ::_SAMPLED].copy() for picture in (before, now))
    # A hand covers a tenth of the picture and a die far less: the worst part of it counts.
    difference = cv2.absdiff(one, other).mean(axis=2).ravel()
    worst = len(difference) * 99 // 100
    return bool(
        np.partition(difference, worst)[worst] < 4 * _REST_LEVELS
        and difference.mean() < _REST_LEVELS
    )
