"""What makes sound of sentences: espeak-ng, or Piper where the person has it. Both are programs."""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from hardware.ports import DeviceError
from hardware.sound import with_sizes

Which: TypeAlias = Callable[[str], str | None]
"""Finds a program, or None."""

_LIMIT_S: Final = 10.0
_PIPER_LIMIT_S: Final = 60.0  # a Pi 3 takes several times as long as the sentence lasts
INSTALL: Final = "sudo apt install -y espeak-ng alsa-utils"
_GAP: Final = 2  # hundredths of a second between words: squares are understood better


class Engine(Protocol):
    """Makes sounds."""

    @property
    def name(self) -> str:
        """What tells its sounds from those of others: program, voice and speed."""
        ...

    def languages(self) -> tuple[str, ...]:
        """Return the languages it speaks."""
        ...

    def render(self, text: str, language: str) -> bytes:
        """Return a sentence as the bytes of a WAV; raise `DeviceError` where that failed."""
        ...


class Espeak:
    """espeak-ng."""

    def __init__(
        self, voices: Mapping[str, str], words_a_minute: int, which: Which = shutil.which
    ) -> None:
        """Find the program.

        Raises:
            DeviceError: it is not installed.
        """
        self._voices, self._words_a_minute = dict(voices), words_a_minute
        self._program = found("espeak-ng", INSTALL, which)

    @property
    def name(self) -> str:
        """What tells its sounds from those of others."""
        return f"espeak {sorted(self._voices.items())} {self._words_a_minute} {_GAP}"

    def languages(self) -> tuple[str, ...]:
        """Return the languages it speaks."""
        return tuple(self._voices)

    def render(self, text: str, language: str) -> bytes:
        """Return a sentence as the bytes of a WAV.

        Raises:
            DeviceError: espeak-ng failed.
        """
        options = ("-v", self._voices[language], "-s", str(self._words_a_minute), "-g", str(_GAP))
        command = [self._program, *options, "-b", "1", "--stdin", "--stdout"]
        return _rendered("espeak-ng", command, text, _LIMIT_S)


class Piper:
    """Piper, a neural voice; a program of its own, with a model for each language."""

    def __init__(
        self, models: Mapping[str, str], words_a_minute: int, which: Which = shutil.which
    ) -> None:
        """Find the program and the models.

        Raises:
            DeviceError: one is missing.
        """
        self._program = found("piper", "pipx install piper-tts", which)
        for language, model in models.items():
            if not Path(model).is_file():
                raise DeviceError(f"Piper's model for {language}, {model}, is not there")
        self._models = dict(models)
        # Its models speak some 150 words a minute by themselves.
        self._length = round(150 / words_a_minute, 2)

    @property
    def name(self) -> str:
        """What tells its sounds from those of others."""
        return f"piper {sorted(self._models.items())} {self._length}"

    def languages(self) -> tuple[str, ...]:
        """Return the languages it has models for."""
        return tuple(self._models)

    def render(self, text: str, language: str) -> bytes:
        """Return a sentence as the bytes of a WAV.

        Raises:
            DeviceError: Piper failed.
        """
        options = ("--model", self._models[language], "--length_scale", str(self._length))
        command = [self._program, *options, "--output_file", "-"]
        return _rendered("piper", command, text, _PIPER_LIMIT_S)


def found(program: str, install: str, which: Which) -> str:
    """Return where *program* is.

    Raises:
        DeviceError: it is not installed.
    """
    path = which(program)
    if path is None:
        raise DeviceError(f"the program {program} is not installed: type `{install}`")
    return path


def last_line(complaint: bytes) -> str:
    """Return what a program complained of last."""
    lines = complaint.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it gave no reason"


def _rendered(name: str, command: list[str], text: str, limit_s: float) -> bytes:
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=limit_s)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeviceError(f"{name} failed: {error}") from error
    if done.returncode != 0:
        raise DeviceError(f"{name} failed: {last_line(done.stderr)}")
    try:
        return with_sizes(done.stdout)
    except ValueError as error:
        raise DeviceError(f"{name} gave no sound") from error
