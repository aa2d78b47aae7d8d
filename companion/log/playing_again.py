"""Playing the frames of a bundle again, and telling what is ruled otherwise than it was.

Each clip is played from the state in which the log was when its first frame was seen. What people
commanded meanwhile is commanded again.
"""

import json
import time
import zipfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise, zip_longest
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from calibration.profile import ProfileError, TableProfile, load_profile, parse_profile
from companion.errors import ExitStatus, InputError
from companion.game import Game, Listener
from companion.log.bundle import GAME_FOLDER
from companion.log.game_folder import JOURNAL_NAME, TABLES_NAME, WHY_NAME
from companion.log.journal import Journal
from companion.log.lines import Line, line_text, parse_json
from companion.log.looking_again import LooksAgain, clip_looks, die_sizes
from companion.log.reader import scan_journal
from companion.log.verify import as_if_sure
from companion.loop import Inbox, Told, referee_game
from companion.seeing import Look, TableWatch
from hardware.archives import open_archive
from hardware.bundled import BundledClip, clip_names
from referee.event_json import event_json
from referee.events import Event
from referee.verdict import Ruling, Verdict
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle, open for playing.

    Attributes:
        path: its file.
        lines: of the game's log.
        tables: the profiles that were in use, each with the number of its first line.
        whys: what was weighed for the rulings, each with the number of its last line.
    """

    path: Path
    lines: tuple[Line, ...]
    tables: tuple[tuple[int, TableProfile], ...]
    whys: tuple[tuple[int, Any], ...] = ()

    def table(self, line: int) -> TableProfile:
        """Return the profile in use after *line*."""
        return [profile for number, profile in self.tables if number <= max(line, 1)][-1]

    def whys_before(self, line: int) -> list[Any]:
        """Return what was weighed up to *line* by the program that then ran."""
        began = max(number for number, _ in self.tables if number <= max(line, 1))
        return [why for last, why in self.whys if began <= last <= line]


def open_bundle(path: Path) -> Bundle:
    """Return the bundle in the file at *path*.

    Raises:
        InputError: it is none, or lacks what is needed to play it.
    """
    try:
        with open_archive(path) as archive:
            names = sorted(archive.namelist())
            found = scan_journal(archive.read(GAME_FOLDER + JOURNAL_NAME))
            prefix = f"{GAME_FOLDER}{TABLES_NAME}/"
            tables = tuple(
                (int(Path(name).stem), parse_profile(archive.read(name).decode()))
                for name in names
                if name.startswith(prefix) and name.endswith(".toml")
            )
            whys = tuple(_whys(archive, names))
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise InputError(f"{path} is no bundle of a game that can be read: {error}") from error
    except (ProfileError, ValueError) as error:
        raise InputError(f"{path}: what is beside its log cannot be read: {error}") from error
    if found.fault or not found.lines:
        where = f"{path}, {JOURNAL_NAME}, line {len(found.lines) + 1}"
        raise InputError(f"{where}: {found.fault or 'there is no whole line'}")
    if not tables or tables[0][0] > 1:
        raise InputError(f"{path} holds no table profile: its frames cannot be read")
    return Bundle(path, found.lines, tables, whys)


def _whys(archive: zipfile.ZipFile, names: Sequence[str]) -> Iterator[tuple[int, Any]]:
    """Yield what was weighed, with the numbers of its rulings; not what a power cut left torn."""
    for name in names:
        if name.startswith(f"{GAME_FOLDER}{WHY_NAME}/") and name.endswith(".json"):
            with suppress(ValueError):
                yield int(Path(name).stem), parse_json(archive.read(name).decode())


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
    number = Path(name).stem.partition("-")[0]
    if not (number.isascii() and number.isdecimal()):
        raise InputError(f"{bundle.path}: {name} is no clip: it has no number of a line")
    last = int(number)
    with BundledClip(bundle.path, name) as clip, TemporaryDirectory() as folder:
        if not clip.lines:
            return None
        profile = table or bundle.table(clip.lines[0])
        looks = clip_looks(clip)
        settle_s = inf if looks else still_s
        model = profile.model()
        sizes = die_sizes(bundle.whys_before(clip.lines[0]), model.size_wh)
        model = replace(model, die_side=sizes.known)
        watch = LooksAgain(TableWatch(model, time.perf_counter, settle_s, sizes), looks)
        there = _get_into(watch, clip.frames(), clip.lines)
        if there is None:
            return None
        first, frames = there
        known = clip.lines[first]
        text = "".join(line_text(line) + "\n" for line in bundle.lines[:known])
        (Path(folder) / JOURNAL_NAME).write_text(text, encoding="utf-8")
        with Journal.open(Path(folder)) as journal:
            game = Game.resume(journal, listeners, lambda: datetime.now(UTC))
            people = _People(bundle.lines[known:last], game)
            rest = _Rest(clip.name, people.beside(frames, (*clip.lines[first:], last)))
            referee_game(rest, watch, game, people, complain=_nobody_hears)
            now = journal.lines[known:]
    then = bundle.lines[known:last]
    if len(now) < len(then):  # what came of the last frame may have come of one that was not kept
        then = then[: max(len(now), clip.lines[-1] - known)]
    return tuple(line.event for line in then), tuple(line.event for line in now)


def _get_into(
    watch: LooksAgain, frames: Iterator[Frame], lines: tuple[int, ...]
) -> tuple[int, Iterator[Frame]] | None:
    """Let *watch* look on until a scene it looked at was ruled on, so that it knows table and die.

    *lines* tells for each frame how long the log was before it. Return the number of the next frame
    and those that are left; None where there are none.
    """
    for at, frame in enumerate(frames):
        look = watch.step(frame)
        if not isinstance(look, Look):
            continue
        watch.ruled(look, Verdict(Ruling.NOTHING, die_counted=True, accepted=True))
        if at + 1 < len(lines) and lines[at + 1] > lines[at]:
            return at + 1, frames
    return None


class _People(Inbox):
    """Those who command again what they commanded when the lines of a log were written."""

    def __init__(self, lines: tuple[Line, ...], game: Game) -> None:
        super().__init__()
        self._lines = deque(line for line in lines if line.commanded is not None)
        self._game = game
        self._lengths = (0, 0)

    def beside(self, frames: Iterator[Frame], lengths: tuple[int, ...]) -> Iterator[Frame]:
        """Yield *frames*, before each of which may be commanded what then was.

        *lengths* tells how long the log was before each frame, and in the end.
        """
        for frame, self._lengths in zip(frames, pairwise(lengths), strict=False):
            yield frame

    def drain(self) -> Iterator[Told]:
        """Yield what was commanded between this frame and the next, where the game is so far."""
        before, after = self._lengths
        while self._lines:
            there = max(self._game.match.sequence + 1, before)
            if self._lines[0].sequence > min(there, after):
                return
            commanded = self._lines.popleft().commanded
            assert commanded is not None
            yield Told(commanded.command, commanded.by)


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


def _nobody_hears(_: str) -> None:
    """Say nothing: who commanded is not here, and what came of it is compared."""
