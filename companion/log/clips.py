"""The last seconds of frames, kept in memory, and put beside the log when there is a quarrel.

They are what a report of a bug needs: with the log up to their first frame they can be played again
on another machine. Written are they only then, for a memory card wears out by writing; but a frame
a second goes to the disk as well, a few at a time, for the power may go before there is a quarrel.

Too few frames are kept to see from them when the table came to rest. So what was looked at is kept
too, each look as the one picture that was read.
"""

import io
import json
import logging
import zipfile
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

from companion.errors import JournalError
from companion.game import News
from companion.log.album import Album
from companion.log.evidence import encoded
from companion.log.game_folder import CLIPS_NAME
from companion.seeing import Look
from hardware.archives import open_archive
from hardware.bundled import FRAMES_NAME
from hardware.closing import Closing
from referee.events import BoardDiffers, BoardLost, Corrected, IllegalMove, Question, Unclear
from referee.match import Match, Phase
from referee.verdict import Verdict
from vision.frame import Frame

log = logging.getLogger(__name__)

LEAST_STEP_S: Final = 0.19
"""Of a live camera's frames about five a second are kept: enough to see a table come to rest."""
JPEG_QUALITY: Final = 80
LOOK_QUALITY: Final = 95
"""Of the pictures that were read: a die that can hardly be read should be just as hard again."""

MOST_CLIPS: Final = 4
"""Of each game the newest clips are kept: one may take ten megabytes."""

AFTER_S: Final = 1.0
"""A clip goes on so long after the quarrel: whoever plays it may come to see it a little later."""

SPOOL_STEP_S: Final = 0.9
SPOOLED: Final = 5
"""So many frames, one a second, go to the disk at once."""
_PARTS: Final = ".*.part"
_UNREADABLE: Final = (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile)

_QUARRELS: Final = (BoardDiffers, BoardLost, Corrected, IllegalMove, Question, Unclear)


@dataclass(frozen=True, slots=True)
class _Remembered:
    """A frame on its way into a clip."""

    frame_json: dict[str, Any]
    at_s: float
    data: Future[bytes]


class RecentFrames(Closing):
    """Remembers the last seconds of the frames it is shown.

    It is also told of rulings: after one that people may quarrel over, and at the end, the frames
    are put into a clip beside the log. Frames are encoded in a thread of its own. What a game that
    broke off left on the disk becomes a clip when it goes on.
    """

    def __init__(self, album: Album, keep_s: float, *, live: bool) -> None:
        self._album: Final = album
        self._keep_s: Final = keep_s
        self._live: Final = live
        self._frames: deque[_Remembered] = deque()
        self._unspooled: list[_Remembered] = []
        self._thread: Final = ThreadPoolExecutor(1, "clips")
        self._sequence = 0
        self._free_s = -inf
        self._due_s: float | None = None
        self._over = self._failed = False
        self._thread.submit(self._gather)

    def see(self, frame: Frame) -> None:
        """Remember *frame*, unless it comes too soon after the last."""
        if not self._keep_s:
            return
        last = self._frames[-1].at_s if self._frames else None
        if last is not None and not last + LEAST_STEP_S <= frame.at_s:
            if frame.at_s >= last:
                return
            self.forget()  # a camera that came back began its clock anew
            self._due_s, self._free_s = None, -inf
            self._thread.submit(_delete_parts, self._album.clips)
        if self._due_s is not None and frame.at_s >= self._due_s:
            self._clip()
            self._due_s, self._free_s = None, frame.at_s + self._keep_s
        self._spool()
        self._remember(frame, self._sequence, {})
        while self._frames[0].at_s < frame.at_s - self._keep_s:
            self._frames.popleft().data.cancel()

    def looked(self, look: Look, _: Verdict, before: Match) -> None:
        """Remember what was looked at, the log being as it was *before* it was ruled on."""
        if self._keep_s and not look.frame.still:
            self._remember(look.frame, before.sequence, {"look": look_json(look)})

    def hear(self, news: News) -> None:
        """Take note of how far the game is, and whether what was ruled may be quarrelled over."""
        self._sequence = news.after.sequence
        self._over = news.after.phase is Phase.OVER
        quarrel = any(isinstance(event, _QUARRELS) for event in news.events)
        if quarrel and self._due_s is None and self._frames:
            self._due_s = max(self._frames[-1].at_s + AFTER_S, self._free_s)

    def forget(self) -> None:
        """Forget what was seen: it is in a clip, or has nothing to do with what comes."""
        self._frames.clear()
        self._unspooled.clear()

    def close(self) -> None:
        """Put the last seconds into a clip, unless all is said; harmless when repeated."""
        if self._due_s is not None or not self._over:
            self._clip()
        self._thread.shutdown()
        _delete_parts(self._album.clips)

    def _remember(self, frame: Frame, line: int, more: dict[str, Any]) -> None:
        told = {"at_s": frame.at_s, "number": frame.number, "still": frame.still, "line": line}
        quality = LOOK_QUALITY if more else JPEG_QUALITY
        data = self._thread.submit(encoded, frame.pixels, quality)
        self._frames.append(_Remembered(told | more, frame.at_s, data))

    def _spool(self) -> None:
        """Have the last frame put on the disk in its turn; what was ruled on it is known by now."""
        if not self._live or not self._frames:
            return
        last, parts = self._frames[-1], self._unspooled
        due = not parts or last.at_s - parts[-1].at_s >= SPOOL_STEP_S
        if due or "look" in last.frame_json:
            parts.append(last)
        if len(parts) > SPOOLED:
            self._unspooled = parts[-1:]
            self._thread.submit(self._write_part, tuple(parts[:-1]), self._sequence)

    def _clip(self) -> None:
        """Put what is remembered into a clip, in the thread, and forget it."""
        frames = tuple(self._frames)
        self.forget()
        if frames:
            self._thread.submit(self._write, frames, self._sequence)

    def _write(self, frames: tuple[_Remembered, ...], number: int) -> None:
        """Write a clip, named by the *number* of the log's last line and of its last frame."""
        self._keep(clip_name(number, frames[-1].frame_json), _clip_bytes(frames))
        _delete_parts(self._album.clips)

    def _write_part(self, frames: tuple[_Remembered, ...], number: int) -> None:
        """Write a part of what may become a clip, and delete the parts that are too old."""
        name = clip_name(number, frames[-1].frame_json)
        self._keep(f".{Path(name).stem}.part", _clip_bytes(frames))
        most = max(round(self._keep_s / SPOOLED), 1)
        for old in _parts(self._album.clips)[:-most]:
            with suppress(OSError):
                old.unlink()

    def _gather(self) -> None:
        """Make a clip of what a game left that broke off without an end."""
        if (left := left_over(self._album.clips)) is not None:
            self._keep(*left)
            _delete_parts(self._album.clips)

    def _keep(self, name: str, data: bytes) -> None:
        try:
            path = self._album.keep(CLIPS_NAME, name, data, synced=True)
            for old in sorted(path.parent.glob("[0-9]*.zip"))[:-MOST_CLIPS]:
                old.unlink()
        except (JournalError, OSError) as error:
            if not self._failed:
                log.warning("the last frames are not kept: %s", error)
            self._failed = True


def look_json(look: Look) -> dict[str, Any]:
    """Return as JSON values what is known of a look beside its picture."""
    still_s = look.still_s if isfinite(look.still_s) else None
    return {"frames": look.observation.frames, "still_s": still_s, "last": look.last}


def clip_name(number: int, frame_json: dict[str, Any]) -> str:
    """Return what a clip is called: by the log's last line, and the number of its last frame."""
    return f"{number:05}-{frame_json['number']:07}.zip"


def left_over(clips: Path) -> tuple[str, bytes] | None:
    """Return a clip of the parts that lie in the folder *clips*, and its name; None of none."""
    frames: list[tuple[dict[str, Any], bytes]] = []
    parts = _parts(clips)
    for path in parts:
        with suppress(*_UNREADABLE), open_archive(path) as part:
            listed = json.loads(part.read(FRAMES_NAME))
            frames += [(one, part.read(one["name"])) for one in listed]
    return (f"{parts[-1].stem[1:]}.zip", _archive(frames)) if frames else None


def _clip_bytes(frames: Sequence[_Remembered]) -> bytes:
    there = [one for one in frames if not one.data.cancelled()]
    return _archive([(one.frame_json, one.data.result()) for one in there])


def _archive(frames: Sequence[tuple[dict[str, Any], bytes]]) -> bytes:
    """Return an archive of *frames*, which are pictures that cannot be pressed any further."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        listed = []
        for number, (frame_json, data) in enumerate(frames):
            name = f"{number:04}.jpg"
            archive.writestr(name, data)
            listed.append({**frame_json, "name": name})
        archive.writestr(FRAMES_NAME, json.dumps(listed))
    return out.getvalue()


def _parts(clips: Path) -> list[Path]:
    return sorted(clips.glob(_PARTS))


def _delete_parts(clips: Path) -> None:
    for path in _parts(clips):
        with suppress(OSError):
            path.unlink()
