"""The pictures beside the logs: how much of them is kept, for how long, and which go first.

Two kinds lie there: small pictures of every scene that was ruled on, and clips of the last frames.
Those of scenes over which people may quarrel (wrong moves, questions, corrections, knock-outs) and
those of the game that is being played stay longest.
"""

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from companion.errors import JournalError
from companion.log.disk import replace_file, unwritable
from companion.log.game_folder import CLIPS_NAME, JOURNAL_NAME, PICTURES_NAME, game_folders

MEGABYTE: Final = 1_000_000
DAY_S: Final = 86_400.0
LEAST_FREE: Final = 50 * MEGABYTE
"""With less room on the disk no pictures are kept, so that the log itself can go on."""
_LARGEST: Final = 0.5
"""No file may take more of the limit than this, or all others would go for it."""
_SPARE: Final = 0.9
"""Once the limit is reached, room is made down to this part of it, so as not to do so often."""
_OURS: Final = re.compile(r"\.?\d{5}[\w-]*\.(?:jpg|zip|part)", re.ASCII)
"""What is kept here is named so; anything else somebody else put here."""
_CLOCK_SET_S: Final = 1_577_836_800.0
"""Before 2020 there was no game: a computer without a battery had not been told the time yet."""
_TIME_KEEPER: Final = Path("/run/systemd/timesync")
"""Where systemd notes that it has been told the time, if it looks after the clock."""
_DISPUTED: Final = tuple(
    f'"kind": "{kind}"'.encode()
    for kind in (
        "illegal_move",
        "question",
        "corrected",
        "checker_knocked_out",
        "position_set",
        "board_differs",
    )
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept.

    Attributes:
        most_mb: of pictures and clips of all games together, in megabytes.
        days: how long after a game's last event they are kept; 0 is for ever.
    """

    most_mb: int = 500
    days: int = 365


@dataclass(frozen=True, slots=True, order=True)
class _Kept:
    """A file that may have to go; those that sort first go first."""

    playing: bool
    disputed: bool
    game: str
    number: str
    path: Path
    size: int


class Album:
    """Where the pictures of one game go, within the limits of all."""

    def __init__(self, game: Path, limits: Limits) -> None:
        self._game: Final = game
        self._limits: Final = limits
        self._total = make_room(game.parent, limits, game)

    @property
    def clips(self) -> Path:
        """The folder of the game's clips."""
        return self._game / CLIPS_NAME

    def keep(self, folder: str, name: str, data: bytes, *, synced: bool = False) -> Path:
        """Put *data* as *name* into a *folder* of the game and return its path.

        *synced* is it on the disk by then, whole.

        Raises:
            JournalError: it could not be written, little room is left on the disk, or all other
                pictures would have to go for it.
        """
        path = self._game / folder / name
        if len(data) > _LARGEST * self._limits.most_mb * MEGABYTE:
            raise JournalError(
                f"{path} would take more than half of the {self._limits.most_mb} MB that all "
                "pictures may take: allow more, [log] pictures_mb in the settings"
            )
        try:
            if shutil.disk_usage(self._game).free < LEAST_FREE + len(data):
                raise JournalError(
                    f"less than {LEAST_FREE // MEGABYTE} MB are free at {self._game.parent}, and "
                    "they are left to the log"
                )
            path.parent.mkdir(exist_ok=True)
            if synced:
                replace_file(path, data)
            else:
                path.write_bytes(data)
        except OSError as error:
            with suppress(OSError):  # half a picture is none
                path.unlink()
            raise unwritable(path, error) from error
        self._total += len(data)
        if self._total > self._limits.most_mb * MEGABYTE:
            self._total = make_room(self._game.parent, self._limits, self._game)
        return path


def make_room(
    games_dir: Path, limits: Limits, playing: Path | None = None, now_s: float | None = None
) -> int:
    """Delete pictures that are too old, or too many, and return how many bytes are left of them.

    Args:
        games_dir: the folder of the games.
        limits: how much may stay.
        playing: the game that is being played.
        now_s: the time, in seconds as files have it; now by default. A clock that nobody has told
            the time since the start may be years ahead: by it no picture is too old.
    """
    since_s = (_told_time_s() if now_s is None else now_s) - limits.days * DAY_S
    kept: list[_Kept] = []
    with suppress(OSError):
        for game in game_folders(games_dir):
            old = _CLOCK_SET_S < _last_written_s(game) < since_s
            if limits.days and game != playing and old:
                for path, _ in _files(game):
                    _delete(path)
            else:
                kept += _kept(game, game == playing)
    total, most = sum(one.size for one in kept), limits.most_mb * MEGABYTE
    if total > most:
        for one in sorted(kept):
            if total <= most * _SPARE:
                break
            total -= one.size if _delete(one.path) else 0
    return total


def _told_time_s() -> float:
    """Return the time; the beginning of all times where the clock was not told it yet."""
    told = not _TIME_KEEPER.is_dir() or (_TIME_KEEPER / "synchronized").exists()
    return time.time() if told else 0.0


def _kept(game: Path, playing: bool) -> Iterator[_Kept]:
    files = list(_files(game))
    if not files:
        return
    disputed = _disputed(game, sorted({_number(path) for path, _ in files}))
    for path, size in files:
        number = _number(path)
        quarrel = number in disputed or path.parent.name == CLIPS_NAME
        yield _Kept(playing, quarrel, game.name, f"{number:05}{path.name}", path, size)


def _files(game: Path) -> Iterator[tuple[Path, int]]:
    for name in (PICTURES_NAME, CLIPS_NAME):
        folder = game / name
        if folder.is_dir():
            for path in folder.iterdir():
                with suppress(OSError):  # deleted by another
                    if _OURS.fullmatch(path.name) and not path.is_symlink():
                        yield path, path.stat().st_size


def _disputed(game: Path, numbers: list[int]) -> set[int]:
    """Return those of the *numbers* of rulings whose lines tell of something to quarrel over."""
    lines = (game / JOURNAL_NAME).read_bytes().split(b"\n")
    about = {n for n, line in enumerate(lines, 1) if any(kind in line for kind in _DISPUTED)}
    spans = pairwise([0, *numbers])
    return {last for before, last in spans if about.intersection(range(before + 1, last + 1))}


def _number(path: Path) -> int:
    """Return the number of the ruling that a file is named by."""
    return int(path.name.lstrip(".")[:5])


def _last_written_s(game: Path) -> float:
    return (game / JOURNAL_NAME).stat().st_mtime


def _delete(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
