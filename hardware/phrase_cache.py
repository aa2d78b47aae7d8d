"""Sentences that were once made into sound, kept on the disk so that each is made once only."""

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_MB: Final = 64
"""Some five hundred sentences; of more those go that were not heard for longest."""


class PhraseCache:
    """A folder of sounds. What cannot be kept is made again: no trouble with it is an error."""

    def __init__(self, folder: Path | None, most_mb: float = MOST_MB) -> None:
        """Keep sounds in *folder*; None keeps nothing."""
        self._folder, self._most_bytes = folder, most_mb * 1e6

    def get(self, engine: str, text: str, language: str) -> bytes | None:
        """Return a sound; None where it is not kept."""
        path = self._path(engine, text, language)
        if path is None:
            return None
        try:
            sound = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return sound or None

    def put(self, engine: str, text: str, language: str, sound: bytes) -> None:
        """Keep a sound, unless it is kept already."""
        path = self._path(engine, text, language)
        if path is None:
            return
        with suppress(OSError):
            if path.exists() and path.stat().st_size == len(sound):
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(sound)
                Path(name).replace(path)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
            self._forget(path.parent)

    def _path(self, engine: str, text: str, language: str) -> Path | None:
        if self._folder is None:
            return None
        key = hashlib.sha256("\0".join((engine, language, text)).encode()).hexdigest()[:32]
        return self._folder / f"{key}.wav"

    def _forget(self, folder: Path) -> None:
        """Let the sounds go that were not heard for longest, where there are too many."""
        kept = [(each.stat(), each) for each in folder.glob("*.wav")]
        total = sum(state.st_size for state, _ in kept)
        for state, path in sorted(kept, key=lambda one: one[0].st_mtime):
            if total <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            total -= state.st_size
