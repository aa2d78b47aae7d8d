"""The last seconds of frames, kept in memory, and put beside the log when there is a quarrel.

They are what a report of a bug needs: with the log up to their first frame they can be played again
on another machine. Written are they only then, for a memory card wears out by writing.
"""

import io
import json
import logging
import zipfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import JournalError
from companion.game import News
from companion.log.album import Album
from companion.log.evidence import encoded
from companion.log.game_folder import CLIPS_NAME
from hardware.bundled import FRAMES_NAME
from hardware.closing import Closing
from hardware.ports import FrameSource
from referee.events import BoardDiffers, BoardLost, Corrected, IllegalMove, Question, Unclear
from referee.match import Phase
from vision.frame import Frame

log = logging.getLogger(__name__)

LEAST_STEP_S: Final = 0.19
"""Of a live camera's frames about five a second are kept: enough to see a table come to rest."""
JPEG_QUALITY: Final = 80

MOST_CLIPS: Final = 4
"""Of each game the newest clips are kept: one may take ten megabytes."""

_QUARRELS: Final = (BoardDiffers, BoardLost, Corrected, IllegalMove, Question, Unclear)


@dataclass(frozen=True, slots=True)
class _Remembered:
    """A frame on its way into a clip."""

    frame_json: dict[str, Any]
    at_s: float
    data: Future[bytes]


class RecentFrames(Closing):
    """A source of frames that remembers the last seconds of what it yielded.

    It is also told of rulings: after one that people may quarrel over, and at the end, the frames
    are put into a clip beside the log. Frames are encoded in a thread of its own.
    """

    def __init__(self, source: FrameSource, album: Album, keep_s: float) -> None:
        self._source: Final = source
        self._album: Final = album
        self._keep_s: Final = keep_s
        self._frames: deque[_Remembered] = deque()
        self._thread: Final = ThreadPoolExecutor(1, "clips")
        self._sequence = 0
        self._clipped_s: float | None = None
        self._due = self._over = False

    @property
    def name(self) -> str:
        """What the source is called."""
        return self._source.name

    @property
    def live(self) -> bool:
        """Whether the frames show a table that goes on without us."""
        return self._source.live

    def frames(self) -> Iterator[Frame]:
        """Yield the source's frames."""
        for frame in self._source.frames():
            self._remember(frame)
            yield frame

    def hear(self, news: News) -> None:
        """Take note of how far the game is, and whether what was ruled may be quarrelled over."""
        self._sequence = news.after.sequence
        self._over = news.after.phase is Phase.OVER
        self._due = self._due or any(isinstance(event, _QUARRELS) for event in news.events)

    def forget(self) -> None:
        """Forget what was seen: there is no log to put it beside."""
        self._frames.clear()

    def close(self) -> None:
        """Put the last seconds into a clip, unless all is said; the source is left open.

        Harmless when repeated.
        """
        if self._due or not self._over:
            self._clip()
        self._thread.shutdown()

    def _remember(self, frame: Frame) -> None:
        if not self._keep_s:
            return
        last = self._frames[-1].at_s if self._frames else None
        if last is not None and not last + LEAST_STEP_S <= frame.at_s:
            if frame.at_s >= last:
                return
            self._frames.clear()  # a camera that came back began its clock anew
        if self._due and (self._clipped_s is None or frame.at_s - self._clipped_s >= self._keep_s):
            self._clip()
            self._clipped_s, self._due = frame.at_s, False
        told = {"at_s": frame.at_s, "number": frame.number, "still": frame.still}
        told["line"] = self._sequence
        data = self._thread.submit(encoded, frame.pixels, JPEG_QUALITY)
        self._frames.append(_Remembered(told, frame.at_s, data))
        while self._frames[0].at_s < frame.at_s - self._keep_s:
            self._frames.popleft().data.cancel()

    def _clip(self) -> None:
        """Put what is remembered into a clip, in the thread, and forget it."""
        frames, self._frames = tuple(self._frames), deque()
        if frames:
            self._thread.submit(self._write, frames, self._sequence)

    def _write(self, frames: tuple[_Remembered, ...], number: int) -> None:
        """Write a clip, named by the *number* of the log's last line and of its last frame."""
        try:
            name = f"{number:05}-{frames[-1].frame_json['number']:07}.zip"
            path = self._album.keep(CLIPS_NAME, name, clip_bytes(frames))
            for old in sorted(path.parent.glob("*.zip"))[:-MOST_CLIPS]:
                old.unlink()
        except (JournalError, OSError) as error:
            log.warning("the last frames are not kept: %s", error)


def clip_bytes(frames: tuple[_Remembered, ...]) -> bytes:
    """Return an archive of *frames*, which are pictures that cannot be pressed any further."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        listed = []
        for number, frame in enumerate(frames):
            name = f"{number:04}.jpg"
            archive.writestr(name, frame.data.result())
            listed.append({"name": name, **frame.frame_json})
        archive.writestr(FRAMES_NAME, json.dumps(listed))
    return out.getvalue()
