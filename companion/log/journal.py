"""The log of a game: one event a line, on the disk before anyone hears of it.

It is only ever appended to. A power cut may leave the last line torn: it was then never announced,
so a reader leaves it out, and a writer moves it aside.
"""

import os
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from companion.errors import JournalError
from companion.log.commanded import Commanded
from companion.log.disk import replace_file, sync_folder, unwritable, write_all
from companion.log.game_folder import JOURNAL_NAME, RECORD_NAME, TORN_NAME, lock, new_folder
from companion.log.lines import Line, Writer, line_text, parse_line, sealed
from companion.log.reader import JournalContents, read_bytes, read_journal, scan_journal
from referee.events import Event, GameStarted
from referee.match import Match
from referee.record import record_text

__all__ = [
    "JOURNAL_NAME",
    "RECORD_NAME",
    "TORN_NAME",
    "Journal",
    "Line",
    "Writer",
    "line_text",
    "parse_line",
    "read_journal",
    "scan_journal",
]


class Journal:
    """A log open for writing; one process at a time may have it.

    An event that `append` returned from is on the disk. After a failure nothing more is taken:
    what was logged before stays, whole.

    Attributes:
        folder: the game's folder.
        torn: what was moved aside on opening, in words; None where nothing was.
        altered: the number of the first line that was not as it was written; None where all are.
    """

    def __init__(
        self, folder: Path, descriptor: int, found: JournalContents, writer: Writer
    ) -> None:
        self.folder: Final = folder
        self.torn: Final = found.torn
        self.altered: Final = found.altered
        self._lines = list(found.lines)
        self._descriptor: int | None = descriptor
        self._length = found.sound_bytes
        self._seal = found.seal
        self._writer: Writer | None = writer

    @classmethod
    def create(
        cls, games_dir: Path, started: GameStarted, at: datetime, writer: Writer | None = None
    ) -> Self:
        """Make a new game's folder under *games_dir*, with *started* as the first line.

        Raises:
            JournalError: the folder cannot be written to, or the disk is full.
        """
        folder = new_folder(games_dir, at)
        path = folder / JOURNAL_NAME
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except OSError as error:
            raise unwritable(path, error) from error
        nothing = JournalContents((), None, 0, None)
        journal = cls(folder, descriptor, nothing, writer or Writer(program=started.program))
        try:
            lock(descriptor, path)
            journal.append(started, at)
            for made in (folder, games_dir, games_dir.parent):
                sync_folder(made)
        except JournalError:
            journal.discard()  # a game that never began
            raise
        return journal

    @classmethod
    def open(cls, folder: Path, writer: Writer | None = None) -> Self:
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
            lock(descriptor, path)
            data = read_bytes(path)
            found = scan_journal(data)
            if found.fault:
                raise JournalError(f"{path}, line {len(found.lines) + 1}: {found.fault}")
            if not found.lines:
                raise JournalError(f"{path}: there is no whole line in it")
            journal = cls(folder, descriptor, found, writer or Writer())
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

    def append(self, event: Event, at: datetime, commanded: Commanded | None = None) -> Line:
        """Log *event*, which may come of what was *commanded*; return its line once it is synced.

        Raises:
            JournalError: it could not be written; the log is as it was before.
        """
        if self._descriptor is None:
            raise JournalError(f"the log in {self.folder} is closed")
        number = len(self._lines) + 1
        line = sealed(Line(number, at, event, self._writer, commanded=commanded), self._seal)
        data = (line_text(line) + "\n").encode()
        try:
            write_all(self._descriptor, data)
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._give_up()
            raise unwritable(self.folder / JOURNAL_NAME, error) from error
        self._length += len(data)
        self._lines.append(line)
        self._seal, self._writer = line.hash, None
        return line

    def write_record(self, match: Match) -> None:
        """Write the record of *match*; a reader sees the old one or the new one.

        Raises:
            JournalError: it could not be written; the old one is still there.
        """
        text = record_text(match.record(date=record_date(self._lines[0])))
        replace_file(self.folder / RECORD_NAME, text.encode())

    def close(self) -> None:
        """Let another process have the log; harmless when repeated."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def discard(self) -> None:
        """Close the log and delete the game: nothing happened in it."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

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


def record_date(first: Line) -> str:
    """Return the day of a game's *first* line, here, as a record has it."""
    return f"{first.at.astimezone():%Y.%m.%d}"
