"""A game's folder: what lies in it, how it is made, and how it goes for good."""

import fcntl
import os
import secrets
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.errors import JournalError
from companion.log.disk import sync_folder, unwritable

JOURNAL_NAME: Final = "journal.jsonl"
"""The log, which is only ever appended to."""
RECORD_NAME: Final = "record.txt"
"""The record, which can be made from the log and is kept current."""
PICTURES_NAME: Final = "pictures"
"""Small pictures of every scene that was ruled on, named by the number of its last line."""
WHY_NAME: Final = "why"
"""What was weighed for each ruling, named likewise."""
TABLES_NAME: Final = "tables"
"""The table profiles in use, each named by the number of the line from which it was."""
CLIPS_NAME: Final = "clips"
"""The last frames before and after rulings that may be quarrelled over."""
TORN_NAME: Final = "torn.bin"
"""What a power cut left of the last line."""

_GOING: Final = ".deleted-"
"""How the names of folders begin that are on their way out."""
_ID_TRIES: Final = 20


def new_folder(games_dir: Path, at: datetime) -> Path:
    """Make the folder of a game that starts at *at*; names sort by time and never repeat.

    Raises:
        JournalError: it cannot be made.
    """
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


def game_folders(games_dir: Path) -> list[Path]:
    """Return the folders of the games in *games_dir* in the order of their names.

    Raises:
        OSError: *games_dir* cannot be read.
    """
    if not games_dir.exists():
        return []
    return sorted(
        path
        for path in games_dir.iterdir()
        if not path.name.startswith(_GOING) and (path / JOURNAL_NAME).is_file()
    )


def delete_folder(folder: Path) -> None:
    """Delete a game's folder with all that lies in it, for good.

    It is out of every list at once; a power cut in between leaves a hidden rest, which the next
    deletion takes along.

    Raises:
        JournalError: the game is being played, or the folder cannot be deleted.
    """
    folder = folder.resolve()  # else only a link to it might go
    path = folder / JOURNAL_NAME
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            lock(descriptor, path)
            gone = folder.rename(folder.with_name(f"{_GOING}{folder.name}"))
        finally:
            os.close(descriptor)
        sync_folder(gone.parent)
        shutil.rmtree(gone)
    except OSError as error:
        raise JournalError(f"{folder} cannot be deleted: {error.strerror or error}") from error
    for rest in gone.parent.glob(f"{_GOING}*"):
        with suppress(OSError):
            shutil.rmtree(rest)
    sync_folder(gone.parent)


def is_being_played(folder: Path) -> bool:
    """Tell whether another program is writing the game in *folder*."""
    path = folder / JOURNAL_NAME
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        lock(descriptor, path)
    except JournalError:
        return True
    finally:
        os.close(descriptor)
    return False


def lock(descriptor: int, path: Path) -> None:
    """Keep the log open as *descriptor* for this process alone, until it is closed.

    Raises:
        JournalError: another process has it.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalError(
            f"{path} is being written by another pachisi: end that one first"
        ) from None
