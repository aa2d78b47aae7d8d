"""Playing the frames of a bundle again, and telling what is ruled otherwise than it was.

Each clip is played from the state in which the log was when its first frame was seen.
"""

import json
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from calibration.profile import ProfileError, TableProfile, load_profile, parse_profile
from companion.errors import ExitStatus, InputError
from companion.game import Game, Listener
from companion.log.bundle import GAME_FOLDER
from companion.log.game_folder import JOURNAL_NAME, TABLES_NAME
from companion.log.journal import Journal
from companion.log.lines import Line, line_text
from companion.log.reader import scan_journal
from companion.log.verify import as_if_sure
from companion.loop import Inbox, referee_game
from companion.seeing import Look, TableWatch
from hardware.archives import open_archive
from hardware.bundled import BundledClip, clip_names
from referee.event_json import event_json
from referee.events import Event
from referee.judge import Ruling, Verdict
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle, open for playing.

    Attributes:
        path: its file.
        lines: of the game's log.
        tables: the profiles that were in use, each with the number of its first line.
    """

    path: Path
    lines: tuple[Line, ...]
    tables: tuple[tuple[int, TableProfile], ...]

    def table(self, line: int) -> TableProfile:
        """Return the profile in use after *line*."""
        return [profile for number, profile in self.tables if number <= max(line, 1)][-1]


def open_bundle(path: Path) -> Bundle:
    """Return the bundle in the file at *path*.

    Raises:
        InputError: it is none, or lacks what is needed to play it.
    """
    try:
        with open_archive(path) as archive:
            names = archive.namelist()
            found = scan_journal(archive.read(GAME_FOLDER + JOURNAL_NAME))
            prefix = f"{GAME_FOLDER}{TABLES_NAME}/"
            tables = tuple(
                (int(Path(name).stem), parse_profile(archive.read(name).decode()))
                for name in sorted(names)
                if name.startswith(prefix) and name.endswith(".toml")
            )
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise InputError(f"{path} is no bundle of a game that can be read: {error}") from error
    except (ProfileError, ValueError) as error:
        raise InputError(f"{path}: its table profile cannot be read: {error}") from error
    if found.fault or not found.lines:
        where = f"{path}, {JOURNAL_NAME}, line {len(found.lines) + 1}"
        raise InputError(f"{where}: {found.fault or 'there is no whole line'}")
    if not tables or tables[0][0] > 1:
        raise InputError(f"{path} holds no table profile: its frames cannot be read")
    return Bundle(path, found.lines, tables)


def play_again(
    path: Path,
    table: Path | None,
    listeners: Sequence[Listener],
    tell: Callable[[str], None],
    still_s: float,
) -> int:
    """Play every clip of the bundle at *path*, and tell what is ruled otherwise than it was.

    Args:
        path: the bundle.
        table: a table profile to take instead of the bundle's own.
        listeners: who hear of what is ruled.
        tell: tells people how it went.
        still_s: for how long a live table must lie still.

    Returns:
        The exit status: 0 where all is ruled as it was.
    """
    bundle = open_bundle(path)
    own = None if table is None else load_profile(table)
    names = clip_names(path)
    if not names:
        raise InputError(f"{path} holds no frames: `pachisi games import` takes its game, and "
                         "`pachisi games verify` reads its pictures again")  # fmt: skip
    status = ExitStatus.DONE
    for name in names:
        played = _play(bundle, name, own, listeners, still_s)
        clip = f"clip {Path(name).stem}"
        if played is None:
            tell(f"{clip}: too few frames to compare anything by")
        elif difference := _difference(*played):
            tell(f"{clip}: {difference}")
            status = ExitStatus.UNREADABLE
        else:
            tell(f"{clip}: all {len(played[0])} events are ruled as they were")
    return status


def _play(
    bundle: Bundle,
    name: str,
    table: TableProfile | None,
    listeners: Sequence[Listener],
    still_s: float,
) -> tuple[tuple[Event, ...], tuple[Event, ...]] | None:
    """Return the events of a clip as they were ruled and as they are ruled now; None of too few."""
    last = int(Path(name).stem.partition("-")[0])
    with BundledClip(bundle.path, name) as clip, TemporaryDirectory() as folder:
        profile = table or bundle.table(clip.lines[0])
        watch = TableWatch(profile.model(), time.perf_counter, still_s)
        there = _get_into(watch, clip.frames(), clip.lines)
        if there is None:
            return None
        known, frames = there
        text = "".join(line_text(line) + "\n" for line in bundle.lines[:known])
        (Path(folder) / JOURNAL_NAME).write_text(text, encoding="utf-8")
        with Journal.open(Path(folder)) as journal:
            game = Game.resume(journal, listeners, lambda: datetime.now(UTC))
            referee_game(_Rest(clip.name, frames), watch, game, Inbox(), complain=_nobody_commands)
            now = journal.lines[known:]
    then = bundle.lines[known:last]
    return tuple(line.event for line in then), tuple(line.event for line in now)


def _get_into(
    watch: TableWatch, frames: Iterator[Frame], lines: tuple[int, ...]
) -> tuple[int, Iterator[Frame]] | None:
    """Let *watch* look on until a scene it looked at was ruled on, so that it knows table and die.

    *lines* tells for each frame how long the log was before it. Return how long it was then, and
    the frames that are left; None where there are none.
    """
    looked = False
    for at, frame in enumerate(frames):
        if looked and lines[at] > lines[at - 1]:
            return lines[at], chain([frame], frames)
        look = watch.step(frame)
        if isinstance(look, Look):
            watch.ruled(look, Verdict(Ruling.NOTHING, die_counted=True, accepted=True))
            looked = True
    return None


@dataclass(frozen=True, slots=True)
class _Rest:
    """The frames of a clip that are still to be played."""

    name: str
    rest: Iterator[Frame]
    live: bool = False

    def frames(self) -> Iterator[Frame]:
        """Yield them."""
        yield from self.rest

    def close(self) -> None:
        """Leave the clip to whom it belongs."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _difference(then: tuple[Event, ...], now: tuple[Event, ...]) -> str | None:
    """Say what is first ruled otherwise; None where all is ruled alike."""
    for was, is_now in zip_longest(then, now):
        if was is None:
            return f"{_shown(is_now)} is ruled now, and was not"
        if is_now is None:
            return f"{_shown(was)} was ruled, and is not now"
        if as_if_sure(was) != as_if_sure(is_now):
            return f"{_shown(is_now)} is ruled now, and was {_shown(was)}"
    return None


def _shown(event: Event) -> str:
    return f"{event.kind} {json.dumps(event_json(event), ensure_ascii=False)}"


def _nobody_commands(_: str) -> None:
    """Say nothing: nobody commands in a bundle."""
