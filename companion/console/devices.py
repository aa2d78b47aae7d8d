"""The devices that were let in: known for an evening, also by a program that was started anew.

What is kept of a device is a hash of its token, in a file that nobody else may read. Several
programs may keep theirs in the same file; who deletes it sends all devices away at once.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final, TypeAlias

from companion.errors import JournalError
from companion.log.disk import replace_file

TOKEN_S: Final = 12 * 3600
"""So long a device is known, which is an evening and some of the night."""
MOST_TOKENS: Final = 64
"""Devices that are known at once; of more the one that was paired first is forgotten."""
CLOCK_SLACK_S: Final = 300.0
"""A clock that is put right goes back by less; by more it was set wrong, and prolongs nothing."""


class Right(IntEnum):
    """What a visitor may do; each includes those below it."""

    NOTHING = 0
    LOOK = 1
    CHANGE = 2


@dataclass(frozen=True, slots=True)
class _Known:
    """What a device may, and until when by the clock on the wall, in seconds of the epoch."""

    right: Right
    until_s: float


_Kept: TypeAlias = dict[str, _Known]
"""The devices by the hash of their token, those paired first at the front."""


class Devices:
    """Knows the devices that were let in, in a file where one is named and can be written.

    Args:
        path: the file; None keeps them in memory alone.
        now: seconds of the epoch.
    """

    def __init__(self, path: Path | None, now: Callable[[], float]) -> None:
        self._path: Final = path
        self._now: Final = now
        self._unwritten: _Kept = {}
        self._written: Mapping[str, _Known] = {}
        self._state: tuple[int, ...] | None = None

    def let_in(self, token: str, right: Right) -> None:
        """Know the bearer of *token* from now on."""
        name, known = _hashed(token), _Known(right, self._now() + TOKEN_S)
        if self._path is not None:
            with suppress(OSError, JournalError):
                self._write(self._path, name, known)
                return
        # In a folder that takes nothing: the code is typed again after a restart.
        self._unwritten = _newest(self._unwritten | {name: known})

    def right(self, token: str) -> Right:
        """Return what the bearer of *token* may do."""
        name = _hashed(token)
        known = self._unwritten.get(name) or self._kept().get(name)
        return known.right if known is not None and self._is_known(known) else Right.NOTHING

    def _write(self, path: Path, name: str, known: _Known) -> None:
        """Add a device to those in the file, whatever other programs wrote there meanwhile."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(path.parent):
            kept = {name: one for name, one in _load(path).items() if self._is_known(one)}
            _save(path, _newest(kept | {name: known}))

    def _kept(self) -> Mapping[str, _Known]:
        """Return the devices in the file as it is now; it is read only when it was changed."""
        if self._path is None:
            return {}
        try:
            found = self._path.stat()
            state = (found.st_ino, found.st_mtime_ns, found.st_size)
        except OSError:
            self._state, self._written = None, {}
            return {}
        if state != self._state:
            self._state, self._written = state, _load(self._path)
        return self._written

    def _is_known(self, known: _Known) -> bool:
        now_s = self._now()
        return now_s < known.until_s <= now_s + TOKEN_S + CLOCK_SLACK_S


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _newest(kept: _Kept) -> _Kept:
    return dict(list(kept.items())[-MOST_TOKENS:])


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other programs from writing in *folder* meanwhile."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _load(path: Path) -> _Kept:
    """Return the devices in the file at *path*; none of a broken file, or where there is none."""
    try:
        kept = json.loads(path.read_bytes())
        return {
            str(name): _Known(Right(right), float(until_s))
            for name, (right, until_s) in kept.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _save(path: Path, kept: _Kept) -> None:
    """Write the devices to *path*, for the eyes of this user alone, whole or not at all."""
    told = {name: (int(one.right), one.until_s) for name, one in kept.items()}
    replace_file(path, json.dumps(told).encode(), mode=0o600)
