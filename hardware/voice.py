"""Voices: espeak-ng through the loudspeaker, or the text where that cannot be."""

import io
import logging
import shutil
import struct
import subprocess
import wave
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from hardware.ports import DeviceError, Voice

LANGUAGES: Final = ("en", "ru")

_RENDER_LIMIT_S: Final = 10.0
_PLAY_SLACK_S: Final = 5.0  # what playing may take longer than the sound lasts
_INSTALL: Final = "sudo apt install -y espeak-ng alsa-utils"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How to speak.

    Attributes:
        words_a_minute: how fast, 80 to 450.
        volume: 0 to 200, 100 being usual.
        voices: espeak-ng's voice for each language.
        device: ALSA's name of the loudspeaker; empty for the usual one.
    """

    words_a_minute: int = 150
    volume: int = 100
    voices: Mapping[str, str] = field(default_factory=lambda: {"en": "en-us", "ru": "ru"})
    device: str = ""

    def __post_init__(self) -> None:
        if not 80 <= self.words_a_minute <= 450:
            raise ValueError(f"a voice says 80 to 450 words a minute, not {self.words_a_minute}")
        if not 0 <= self.volume <= 200:
            raise ValueError(f"a voice's volume is 0 to 200, not {self.volume}")


@dataclass(frozen=True, slots=True)
class OpenedVoice:
    """The voice there is.

    Attributes:
        voice: to speak with.
        note: why it is not the one asked for, and what to do; empty where it is.
    """

    voice: Voice
    note: str = ""


class EspeakVoice:
    """Speaks with espeak-ng and plays through ALSA's aplay, both as programs."""

    def __init__(
        self,
        settings: VoiceSettings | None = None,
        which: Callable[[str], str | None] = shutil.which,
    ) -> None:
        """Find the programs, and try the loudspeaker with a moment of silence.

        Raises:
            DeviceError: a program or the loudspeaker is missing.
        """
        self._settings = settings or VoiceSettings()
        self._playing: subprocess.Popen[bytes] | None = None
        self._closed = False
        programs = [which(program) for program in ("espeak-ng", "aplay")]
        for program, found in zip(("espeak-ng", "aplay"), programs, strict=True):
            if found is None:
                raise DeviceError(f"the program {program} is not installed: type `{_INSTALL}`")
        self._espeak, self._aplay = (str(program) for program in programs)
        self._play(_silence())

    def say(self, text: str, language: str) -> None:
        """Speak one sentence in the language "en" or "ru".

        Raises:
            DeviceError: espeak-ng or the loudspeaker failed, or took far too long.
            ValueError: there is no voice for the language.
        """
        self._play(self.sound(text, language))

    def sound(self, text: str, language: str) -> bytes:
        """Return a sentence as the bytes of a WAV file, without playing it.

        Raises:
            DeviceError: espeak-ng failed.
            ValueError: there is no voice for the language.
        """
        if language not in self._settings.voices:
            known = ", ".join(self._settings.voices)
            raise ValueError(
                f"there is no voice for the language {language!r}: choose from {known}"
            )
        command = [
            self._espeak,
            *("-v", self._settings.voices[language]),
            *("-s", str(self._settings.words_a_minute)),
            *("-a", str(self._settings.volume)),
            *("-b", "1", "--stdin", "--stdout"),
        ]
        try:
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, timeout=_RENDER_LIMIT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeviceError(f"espeak-ng failed: {error}") from error
        if done.returncode != 0:
            raise DeviceError(f"espeak-ng failed: {_last_line(done.stderr)}")
        return _with_sizes(done.stdout)

    def close(self) -> None:
        """Fall silent; harmless when repeated."""
        self._closed = True
        playing = self._playing
        if playing is not None and playing.poll() is None:
            playing.terminate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _play(self, sound: bytes) -> None:
        if self._closed:
            return
        device = ("-D", self._settings.device) if self._settings.device else ()
        try:
            player = subprocess.Popen(
                [self._aplay, "-q", *device],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise DeviceError(f"aplay failed: {error}") from error
        with player:
            self._playing = player
            try:
                _, complaint = player.communicate(sound, _seconds(sound) + _PLAY_SLACK_S)
            except subprocess.TimeoutExpired as error:
                player.kill()
                raise DeviceError("the loudspeaker hangs: aplay did not come to an end") from error
            finally:
                self._playing = None
        if player.returncode != 0 and not self._closed:
            raise DeviceError(
                f"the loudspeaker gives no sound ({_last_line(complaint)}): plug one in, or choose "
                "another; `aplay -L` lists them"
            )


class TextVoice:
    """Shows what would be said."""

    def __init__(self, write: Callable[[str], object]) -> None:
        """Hand each sentence to *write*."""
        self._write = write
        self._closed = False

    def say(self, text: str, language: str) -> None:
        """Show one sentence in the language "en" or "ru".

        Raises:
            ValueError: it is another language.
        """
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ValueError(
                f"there is no voice for the language {language!r}: choose from {known}"
            )
        if not self._closed:
            self._write(text)

    def close(self) -> None:
        """Show nothing more; harmless when repeated."""
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_voice(
    write: Callable[[str], object],
    settings: VoiceSettings | None = None,
    which: Callable[[str], str | None] = shutil.which,
) -> OpenedVoice:
    """Return a voice that speaks where that can be, else one that hands the text to *write*.

    The note then says why. *which* finds programs.
    """
    try:
        return OpenedVoice(EspeakVoice(settings, which))
    except DeviceError as error:
        _log.info("no voice: %s", error)
        return OpenedVoice(TextVoice(write), f"{error}; what would be said is shown as text")


def _silence() -> bytes:
    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22_050)
        file.writeframes(bytes(2 * 220))
    return sound.getvalue()


def _with_sizes(sound: bytes) -> bytes:
    """Write the true sizes into a WAV's header: espeak-ng cannot know them while it pipes."""
    start = sound.find(b"data", 12)
    if not sound.startswith(b"RIFF") or start < 0:
        raise DeviceError("espeak-ng gave no sound")
    body = sound[start + 8 :]
    return b"".join(
        (
            b"RIFF" + struct.pack("<I", len(sound) - 8),
            sound[8 : start + 4] + struct.pack("<I", len(body)),
            body,
        )
    )


def _seconds(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound)) as file:
        return float(file.getnframes() / file.getframerate())


def _last_line(complaint: bytes) -> str:
    lines = complaint.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it gave no reason"
