"""The log of a game: one event a line, on the disk before anyone hears of it.

A game's folder holds `journal.jsonl`, which is only ever appended to; `record.txt`, which can be
made from it and is kept current; `pictures`; and `why`, what was weighed for each ruling. A power
cut may leave the last line torn: it was then never announced, so a reader leaves it out, and a
writer moves it aside.
"""

import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn, Self

from companion.disk import replace_file, sync_folder, unwritable, write_all
from companion.errors import JournalError
from referee.event_json import event_json, parse_event
from referee.events import Event, GameStarted
from referee.match import Match
from referee.record import record_text

JOURNAL_NAME: Final = "journal.jsonl"
RECORD_NAME: Final = "record.txt"
PICTURES_NAME: Final = "pictures"
WHY_NAME: Final = "why"
TORN_NAME: Final = "torn.bin"

_ID_TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: an event, its number from 1, and when it was ruled."""

    sequence: int
    at: datetime
    event: Event


def line_json(line: Line) -> dict[str, Any]:
    """Return *line* as JSON values; the twin of `parse_line`."""
    at = line.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {
        "sequence": line.sequence,
        "at": at,
        "kind": line.event.kind,
        "event": event_json(line.event),
    }


def line_text(line: Line) -> str:
    """Return *line* as it stands in the log, without the line feed."""
    return json.dumps(line_json(line), ensure_ascii=False)


def parse_line(text: str) -> Line:
    """Return the line written as *text*; keys that are not known are passed over.

    Raises:
        ValueError: it is no JSON, lacks something, or holds what cannot be.
    """
    data = _json(text)
    if not isinstance(data, Mapping):
        raise ValueError("a line of the log is a JSON object")
    for key, needed in (("sequence", int), ("at", str), ("kind", str), ("event", Mapping)):
        if not isinstance(data.get(key), needed):
            raise ValueError(f"{key!r} is missing or cannot be {data.get(key)!r}")
    at = datetime.fromisoformat(data["at"])
    if at.tzinfo is None:
        raise ValueError(f"'at' names no time zone: {data['at']!r}")
    if not MINYEAR < at.year < MAXYEAR:  # its day elsewhere may be in a year that there is not
        raise ValueError(f"'at' cannot be {data['at']!r}")
    return Line(data["sequence"], at, parse_event(data["kind"], data["event"]))


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a log file holds.

    Attributes:
        lines: the events that are there whole, numbered without a gap.
        torn: what was left out at the end and why, in words; None where nothing was.
        sound_bytes: how many bytes from the start those lines take up.
        fault: what is wrong with the first line that is neither sound nor torn, the one after
            *lines*. None where all is well.
    """

    lines: tuple[Line, ...]
    torn: str | None
    sound_bytes: int
    fault: str | None


def scan_journal(data: bytes) -> JournalContents:
    """Return what the bytes of a log hold, however they end.

    A tail is torn where its first line is no JSON and nothing after it is either; anything else
    that is wrong was not done by a power cut, and is a fault.
    """
    lines: list[Line] = []
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end + 1
        number = len(lines) + 1
        decoded = _decode(data[start:end])
        if decoded is None:
            if any(_decode(rest) is not None for rest in data[end:].splitlines()):
                return JournalContents(tuple(lines), None, start, "it is no JSON")
            torn = f"line {number} is torn: its {len(data) - start} bytes are left out"
            return JournalContents(tuple(lines), torn, start, None)
        try:
            line = parse_line(decoded)
            if line.sequence != number:
                raise ValueError(f"its sequence is {line.sequence} and should be {number}")
        except ValueError as error:
            return JournalContents(tuple(lines), None, start, str(error))
        lines.append(line)
        start = end
    return JournalContents(tuple(lines), None, start, None)


def read_journal(path: Path) -> tuple[tuple[Line, ...], str | None]:
    """Return the lines of the log at *path*, and what was torn off its end, if anything.

    Raises:
        JournalError: it cannot be read, or a line that is not the torn last one is wrong.
    """
    found = scan_journal(_read(path))
    if found.fault:
        raise JournalError(f"{path}, line {len(found.lines) + 1}: {found.fault}")
    return found.lines, found.torn


class Journal:
    """A log open for writing; one process at a time may have it.

    An event that `append` returned from is on the disk. After a failure nothing more is taken:
    what was logged before stays, whole.
    """

    def __init__(self, folder: Path, descriptor: int, found: JournalContents) -> None:
        self.folder: Final = folder
        self.torn: Final = found.torn
        self._lines = list(found.lines)
        self._descriptor: int | None = descriptor
        self._length = found.sound_bytes

    @classmethod
    def create(cls, games_dir: Path, started: GameStarted, at: datetime) -> Self:
        """Make a new game's folder under *games_dir*, with *started* as the first line.

        Raises:
            JournalError: the folder cannot be written to, or the disk is full.
        """
        folder = _new_folder(games_dir, at)
        path = folder / JOURNAL_NAME
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except OSError as error:
            raise unwritable(path, error) from error
        journal = cls(folder, descriptor, JournalContents((), None, 0, None))
        try:
            _lock(descriptor, path)
            journal.append(started, at)
            for made in (folder, games_dir, games_dir.parent):
                sync_folder(made)
        except JournalError:
            journal.close()
            shutil.rmtree(folder, ignore_errors=True)  # a game that never began
            raise
        return journal

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the log in *folder* to go on with it; a torn tail is moved to a file beside it.

        Raises:
            JournalError: there is none, another process has it, or a line is wrong.
        """
        path = folder / JOURNAL_NAME
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            _lock(descriptor, path)
            data = _read(path)
            found = scan_journal(data)
            if found.fault:
                raise JournalError(f"{path}, line {len(found.lines) + 1}: {found.fault}")
            if not found.lines:
                raise JournalError(f"{path}: there is no whole line in it")
            journal = cls(folder, descriptor, found)
            journal._mend(data)
        except JournalError:
            os.close(descriptor)
            raise
        return journal

    @property
    def id(self) -> str:
        """What the game is called: its folder's name."""
        return self.folder.name

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, oldest first."""
        return tuple(self._lines)

    @property
    def pictures(self) -> Path:
        """The folder of the pictures that belong to the lines."""
        return self.folder / PICTURES_NAME

    def append(self, event: Event, at: datetime) -> Line:
        """Log *event* and return its line once it is on the disk.

        Raises:
            JournalError: it could not be written; the log is as it was before.
        """
        if self._descriptor is None:
            raise JournalError(f"the log in {self.folder} is closed")
        line = Line(len(self._lines) + 1, at, event)
        data = (line_text(line) + "\n").encode()
        try:
            write_all(self._descriptor, data)
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._give_up()
            raise unwritable(self.folder / JOURNAL_NAME, error) from error
        self._length += len(data)
        self._lines.append(line)
        return line

    def write_record(self, match: Match) -> None:
        """Write the record of *match*; a reader sees the old one or the new one.

        Raises:
            JournalError: it could not be written; the old one is still there.
        """
        date = f"{self._lines[0].at.astimezone():%Y.%m.%d}"
        text = record_text(match.record(date=date))
        replace_file(self.folder / RECORD_NAME, text.encode())

    def keep_picture(self, name: str, data: bytes) -> Path:
        """Put an encoded picture beside the log and return its path.

        Raises:
            JournalError: it could not be written.
        """
        path = self.pictures / name
        try:
            path.write_bytes(data)
        except OSError as error:
            with suppress(OSError):  # half a picture is none
                path.unlink()
            raise unwritable(path, error) from error
        return path

    def keep_why(self, number: int, why: Mapping[str, Any]) -> Path:
        """Put what was weighed for the ruling that ends with line *number* beside the log.

        Raises:
            JournalError: it could not be written.
        """
        path = self.folder / WHY_NAME / f"{number:05}.json"
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(why, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise unwritable(path, error) from error
        return path

    def close(self) -> None:
        """Let another process have the log; harmless when repeated."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _mend(self, data: bytes) -> None:
        """Move a torn tail of *data* aside, and end the last line if only its end was lost."""
        assert self._descriptor is not None
        try:
            if self.torn:
                replace_file(self.folder / TORN_NAME, data[self._length :])
                os.ftruncate(self._descriptor, self._length)
            if not data[: self._length].endswith(b"\n"):
                write_all(self._descriptor, b"\n")
                self._length += 1
            os.fsync(self._descriptor)
        except OSError as error:
            raise unwritable(self.folder / JOURNAL_NAME, error) from error

    def _give_up(self) -> None:
        """Take back a line written in part, and take no more."""
        assert self._descriptor is not None
        with suppress(
            OSError
        ):  # a torn tail is then left for the next reader, who knows what to do
            os.ftruncate(self._descriptor, self._length)
        self.close()


def _decode(line: bytes) -> str | None:
    """Return a line's text if it is JSON, else None."""
    try:
        text = line.decode()
        _json(text)
    except ValueError:
        return None
    return text


def _json(text: str) -> Any:
    """Return the value that *text* means.

    Raises:
        ValueError: it is no JSON, or nested deeper than anything that was ever written.
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from error


def _new_folder(games_dir: Path, at: datetime) -> Path:
    """Make the folder of a game that starts at *at*; names sort by time and never repeat."""
    stamp = at.astimezone(UTC).strftime("%Y-%m-%d-%H%M%S")
    for _ in range(_ID_TRIES):
        folder = games_dir / f"{stamp}-{secrets.token_hex(2)}"
        try:
            games_dir.mkdir(parents=True, exist_ok=True)
            folder.mkdir()
            (folder / PICTURES_NAME).mkdir()
        except FileExistsError:
            if games_dir.is_dir():
                continue
            raise JournalError(
                f"{games_dir} is no folder: name another with --games, or move it away"
            ) from None
        except OSError as error:
            raise unwritable(folder, error) from error
        return folder
    raise JournalError(f"{games_dir}: no free name for a game that starts at {stamp}")


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalError(
            f"{path} is being written by another pachisi: end that one first"
        ) from None
