"""Voices: sentences through the loudspeaker, or as text where that cannot be."""

import logging
import shutil
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from hardware.closing import Closing
from hardware.engines import INSTALL, Engine, Espeak, Piper, Which, found, last_line
from hardware.phrase_cache import PhraseCache
from hardware.ports import DeviceError, Voice
from hardware.sound import beginning, samples, seconds

LANGUAGES: Final = ("en", "ru")

Player = Literal["alsa", "pipewire"]

_MOST_READY: Final = 48  # sounds made ahead, of some 130 kB each; most of them are never played
_PLAY_SLACK_S: Final = 5.0  # what playing may take longer than the sound lasts
_TRIED_S: Final = 0.01  # of silence
_AT_ONCE_BYTES: Final = 32_768  # an empty pipe takes them, whether the player reads or not
_PLAYERS: Final[Mapping[Player, tuple[str, str, str, str]]] = {
    "alsa": ("aplay", INSTALL, "-D", "`aplay -L` lists them"),
    "pipewire": (
        "pw-play", "sudo apt install -y pipewire-bin", "--target", "`wpctl status` lists them",
    ),
}  # fmt: skip
"""The program of each player, how to install it, its option for the loudspeaker, and what lists
those."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How to speak.

    Attributes:
        words_a_minute: how fast, 80 to 450.
        volume: 0 to 200, 100 being usual.
        voices: espeak-ng's voice for each language.
        piper: Piper's model for each language; where there is one Piper speaks it.
        player: what plays the sound.
        device: the player's name of the loudspeaker; empty for the usual one.
        lead_s: so long it is silent first: HDMI and Bluetooth swallow the first word otherwise.
        cache: the folder in which sounds are kept; None keeps none.
    """

    words_a_minute: int = 140
    volume: int = 100
    voices: Mapping[str, str] = field(default_factory=lambda: {"en": "en-us+klatt", "ru": "ru"})
    piper: Mapping[str, str] = field(default_factory=dict)
    player: Player = "alsa"
    device: str = ""
    lead_s: float = 0.2
    cache: Path | None = None

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
        note: why it is not the one asked for, or is not heard, and what to do; empty where all is
            well.
        speaks: whether it speaks aloud, once its loudspeaker is there.
    """

    voice: Voice
    note: str = ""
    speaks: bool = True


class SpokenVoice(Closing):
    """Speaks with a program that makes sounds, and one that plays them."""

    def __init__(self, settings: VoiceSettings | None = None, which: Which = shutil.which) -> None:
        """Find the programs.

        Raises:
            DeviceError: a program or a model is missing.
        """
        self._settings = settings or VoiceSettings()
        self._playing: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._engines: dict[str, Engine] = {}
        for engine in self._made(which):
            self._engines |= dict.fromkeys(engine.languages(), engine)
        program, install, option, self._lists = _PLAYERS[self._settings.player]
        self._player = [found(program, install, which)]
        if self._settings.player == "alsa":
            self._player.append("-q")
        if self._settings.device:
            self._player += [option, self._settings.device]
        if self._settings.player == "pipewire":
            self._player.append("/dev/stdin")  # of "-" it takes the head for samples too
        self._cache = PhraseCache(self._settings.cache)
        self._ready: dict[tuple[str, str], bytes] = {}

    def try_out(self) -> None:
        """Try the loudspeaker with a moment of silence.

        Raises:
            DeviceError: it is missing, busy, or hangs.
        """
        self._play(lambda: b"", _TRIED_S)

    def say(self, text: str, language: str) -> None:
        """Speak one sentence in the language "en" or "ru".

        The silence before it is played while its sound is made, where that is not ready.

        Raises:
            DeviceError: a program or the loudspeaker failed, or took far too long.
            ValueError: there is no voice for the language.
        """
        _check_language(language, self._engines)
        self._play(lambda: self.samples(text, language), self._settings.lead_s)

    def prepare(self, text: str, language: str) -> None:
        """Make the sound of a sentence that will be said soon.

        Raises:
            DeviceError: the program failed.
            ValueError: there is no voice for the language.
        """
        if (text, language) not in self._ready:
            self._ready[text, language] = self._rendered(text, language)
        while len(self._ready) > _MOST_READY:
            self._ready.pop(next(iter(self._ready)))

    def samples(self, text: str, language: str) -> bytes:
        """Return the samples of a sentence as they are played, of 16 bits each.

        Raises:
            DeviceError: the program failed.
            ValueError: there is no voice for the language.
        """
        return samples(self._kept(text, language), self._settings.volume)

    def close(self) -> None:
        """Fall silent; harmless when repeated."""
        self._closed = True
        playing = self._playing
        if playing is not None and playing.poll() is None:
            playing.terminate()

    def _made(self, which: Which) -> list[Engine]:
        """Return the engines, the preferred one of a language last."""
        settings = self._settings
        engines: list[Engine] = []
        if settings.voices.keys() - settings.piper.keys():
            engines.append(Espeak(settings.voices, settings.words_a_minute, which))
        if settings.piper:
            engines.append(Piper(settings.piper, settings.words_a_minute, which))
        return engines

    def _kept(self, text: str, language: str) -> bytes:
        """Return a sound that is played now; only those are kept on the disk."""
        sound = self._ready.get((text, language)) or self._rendered(text, language)
        self._cache.put(self._engines[language].name, text, language, sound)
        return sound

    def _rendered(self, text: str, language: str) -> bytes:
        _check_language(language, self._engines)
        engine = self._engines[language]
        return self._cache.get(engine.name, text, language) or engine.render(text, language)

    def _play(self, made: Callable[[], bytes], lead_s: float) -> None:
        """Play what is *made* meanwhile, after a silence of *lead_s*."""
        if self._closed:
            return
        name = Path(self._player[0]).name
        try:
            player = subprocess.Popen(
                self._player,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise DeviceError(f"{name} failed: {error}") from error
        assert player.stdin is not None
        with player:
            self._playing = player
            try:
                lead = beginning(lead_s)
                with suppress(BrokenPipeError):  # it has ended, and says why
                    player.stdin.write(lead[:_AT_ONCE_BYTES])
                sound = lead[_AT_ONCE_BYTES:] + made()
                _, complaint = player.communicate(sound, lead_s + seconds(sound) + _PLAY_SLACK_S)
            except subprocess.TimeoutExpired as error:
                player.kill()
                raise DeviceError(
                    f"the loudspeaker hangs: {name} did not come to an end"
                ) from error
            except BaseException:
                player.kill()
                raise
            finally:
                self._playing = None
        if player.returncode != 0 and not self._closed:
            raise DeviceError(_silent(last_line(complaint), self._lists))


class TextVoice(Closing):
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
        _check_language(language, LANGUAGES)
        if not self._closed:
            self._write(text)

    def prepare(self, text: str, language: str) -> None:
        """Do nothing: text is ready."""

    def close(self) -> None:
        """Show nothing more; harmless when repeated."""
        self._closed = True


def open_voice(
    write: Callable[[str], object],
    settings: VoiceSettings | None = None,
    which: Which = shutil.which,
) -> OpenedVoice:
    """Return a voice that speaks where that can be, else one that hands the text to *write*.

    The note then says why. A loudspeaker that is not there may be yet: it is tried with each
    sentence. *which* finds programs.
    """
    try:
        voice = SpokenVoice(settings, which)
    except DeviceError as error:
        _log.info("no voice: %s", error)
        note = f"{error}; what would be said is shown as text"
        return OpenedVoice(TextVoice(write), note, speaks=False)
    try:
        voice.try_out()
    except DeviceError as error:
        return OpenedVoice(voice, f"{error}; until then all is shown as text")
    return OpenedVoice(voice)


def _check_language(language: str, known: Mapping[str, Engine] | tuple[str, ...]) -> None:
    if language not in known:
        choices = ", ".join(known)
        raise ValueError(f"there is no voice for the language {language!r}: choose from {choices}")


def _silent(complaint: str, lists: str) -> str:
    if "busy" in complaint.lower():
        return f"another program holds the loudspeaker ({complaint}): see `fuser -v /dev/snd/*`"
    return f"the loudspeaker gives no sound ({complaint}): plug one in, or choose another; {lists}"
