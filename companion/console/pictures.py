"""The live picture: encoded once for all who look, and only while somebody does."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.console.latest import Latest, SeriesEndError
from companion.console.painting import Painter, View
from companion.console.showing import Sight
from vision.frame import Picture

LEAST_BETWEEN_S: Final = 0.2
"""Five pictures a second show every move; more would only take from the referee's time."""
GLANCE_S: Final = 0.1
"""So often it is looked whether there is anything new: to wake up costs more than to look."""
AT_REST_S: Final = 1.0
"""A table on which nothing moves is shown once in so long."""
MOST_VIEWERS: Final = 12

_SAMPLE_WIDE: Final = 80
_SMOOTHED: Final = (3, 3)
_MOVED_LEVELS: Final = 12
"""Noise of six levels makes a smoothed sample differ by less, nearly everywhere."""
_MOVED_VALUES: Final = 10
"""A die that comes to lie changes three times as many values of a sample."""

Sample: TypeAlias = NDArray[np.uint8]
"""A few pixels of a picture, smoothed."""


class PictureFeed:
    """The pictures of one view for all who look at it; lives in the server's event loop.

    They are painted there too, between two glances at what the camera gives: it takes a few
    milliseconds, and to wake another thread for it, or be woken by each frame, took as long again.
    """

    def __init__(self, sights: Latest[Sight | None], view: View) -> None:
        self._sights: Final = sights
        self._painter: Final = Painter(view)
        self._pictures: Final = Latest[bytes](b"")
        self._next: asyncio.TimerHandle | None = None
        self._seen = 0
        self._shown: Sample | None = None
        self._shown_s = 0.0
        self.viewers = 0

    def newest(self) -> bytes | None:
        """Return the newest picture; None where the camera has given none yet."""
        sight = self._sights.held[1]
        return None if sight is None else self._painter.paint(sight)

    async def pictures(self) -> AsyncIterator[bytes]:
        """Yield pictures as they come; who is slow misses some."""
        self.viewers += 1
        if self._next is None:
            self._glance()
        number = self._pictures.held[0]
        try:
            if (first := self.newest()) is not None:
                yield first
            while True:
                number, picture = await self._pictures.after(number)
                yield picture
        except SeriesEndError:
            return
        finally:
            self.viewers -= 1

    def end(self) -> None:
        """Send all viewers home."""
        self._pictures.end()
        self.viewers = 0

    def _glance(self) -> None:
        """Paint what is new, if it is worth it, and glance again while anybody looks."""
        if not self.viewers:
            self._next = None
            return
        number, sight = self._sights.held
        after_s = GLANCE_S
        if sight is not None and number != self._seen:
            self._seen = number
            now, now_s = sampled(sight.frame.pixels), time.monotonic()
            if now_s - self._shown_s >= AT_REST_S or not rests(self._shown, now):
                self._pictures.put(self._painter.paint(sight))
                self._shown, self._shown_s = now, now_s
                after_s = max(0.0, LEAST_BETWEEN_S - (time.monotonic() - now_s))
        self._next = asyncio.get_running_loop().call_later(after_s, self._glance)


def sampled(pixels: Picture) -> Sample:
    """Return what is compared of a picture to tell whether anything moved."""
    rows, columns = pixels.shape[:2]
    size_wh = (_SAMPLE_WIDE, max(1, round(rows * _SAMPLE_WIDE / columns)))
    few = cv2.resize(pixels, size_wh, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.blur(few, _SMOOTHED), dtype=np.uint8)


def rests(before: Sample | None, now: Sample) -> bool:
    """Tell whether nothing moved between two pictures, be it as small as a die."""
    if before is None or before.shape != now.shape:
        return False
    moved = np.count_nonzero(np.asarray(cv2.absdiff(before, now)) > _MOVED_LEVELS)
    return int(moved) < _MOVED_VALUES
