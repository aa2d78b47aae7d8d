"""Voices: their contract, on stand-ins for the programs and on the real ones where they are."""

import io
import os
import shutil
import stat
import sys
import threading
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware import DeviceError, EspeakVoice, TextVoice, Voice, VoiceSettings, open_voice

_ESPEAK = """
import struct, sys
text = sys.stdin.buffer.read()
open({folder!r} + "/asked", "a").write(" ".join(sys.argv[1:]) + "\\n")
samples = struct.pack("<h", 5000) * 1000 * len(text)
head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 0x7FFFF024, b"WAVE", b"fmt ", 16, 1, 1,
                   22050, 44100, 2, 16, b"data", 0x7FFFF000)
sys.stdout.buffer.write(head + samples)
"""
_APLAY = """
import sys
sound = sys.stdin.buffer.read()
if len(sound) > 1000:
    open({folder!r} + "/played.wav", "wb").write(sound)
"""

REAL = all(shutil.which(program) for program in ("espeak-ng", "aplay"))


def programs(folder: Path, espeak: str = _ESPEAK, aplay: str = _APLAY) -> Callable[[str], str]:
    """Write stand-ins for espeak-ng and aplay; return what finds them."""
    for name, body in (("espeak-ng", espeak), ("aplay", aplay)):
        path = folder / name
        path.write_text(f"#!{sys.executable}\n" + body.replace("{folder!r}", repr(str(folder))))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return lambda program: str(folder / program)


def _record_sound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let ALSA play into a file, as its file plug-in does; return that."""
    played = folder / "alsa.wav"
    (folder / ".asoundrc").write_text(
        "pcm.!default { type plug slave.pcm caught }\n"
        f'pcm.caught {{ type file slave.pcm null file "{played}" format "wav" }}\n'
    )
    monkeypatch.setenv("HOME", str(folder))
    return played


def text_voice(_: Path, __: pytest.MonkeyPatch) -> Voice:
    """Show text."""
    return TextVoice(lambda _: None)


def stand_in_voice(folder: Path, _: pytest.MonkeyPatch) -> Voice:
    """Speak through stand-ins."""
    return EspeakVoice(which=programs(folder))


def real_voice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Voice:
    """Speak through espeak-ng and ALSA."""
    _record_sound(folder, monkeypatch)
    return EspeakVoice()


@pytest.fixture(params=[text_voice, stand_in_voice, *([real_voice] if REAL else [])])
def voice(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Voice]:
    """Open each voice in turn."""
    opened: Voice = request.param(tmp_path, monkeypatch)
    yield opened
    opened.close()


def test_both_languages_are_spoken(voice: Voice) -> None:
    """A sentence in either language is said without complaint."""
    voice.say("Red threw a six.", "en")
    voice.say("У красных шесть.", "ru")


def test_another_language_is_refused(voice: Voice) -> None:
    """The languages there are stand in the text."""
    with pytest.raises(ValueError, match="no voice for the language 'fr': choose from en, ru"):
        voice.say("Bonjour", "fr")


def test_closing_twice_is_harmless_and_silences(voice: Voice) -> None:
    """A closed voice says nothing and does not complain."""
    voice.close()
    voice.close()
    voice.say("Nobody hears this.", "en")


def test_text_is_shown_as_it_would_be_said() -> None:
    """Each sentence is handed on whole, until the voice is closed."""
    shown: list[str] = []
    with TextVoice(shown.append) as voice:
        voice.say("Blue: throw.", "en")
    voice.say("too late", "en")
    assert shown == ["Blue: throw."]


def test_settings_reach_the_programs(tmp_path: Path) -> None:
    """Speed, volume and voice are espeak-ng's options; the text is not on the command line."""
    settings = VoiceSettings(words_a_minute=120, volume=50, voices={"en": "en-gb"})
    with EspeakVoice(settings, programs(tmp_path)) as voice:
        voice.say("-h is no option here", "en")
    assert (tmp_path / "asked").read_text() == "-v en-gb -s 120 -a 50 -b 1 --stdin --stdout\n"


def test_the_loudspeaker_gets_the_whole_sound_with_its_true_length(tmp_path: Path) -> None:
    """The sizes that a pipe leaves open are filled in."""
    with EspeakVoice(which=programs(tmp_path)) as voice:
        voice.say("Six", "en")
    with wave.open(str(tmp_path / "played.wav")) as played:
        assert played.getnframes() == 3000


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [({"words_a_minute": 20}, "80 to 450"), ({"volume": 201}, "0 to 200")],
)
def test_settings_out_of_range_are_refused(settings: dict[str, int], complaint: str) -> None:
    """The range stands in the text."""
    with pytest.raises(ValueError, match=complaint):
        VoiceSettings(**settings)  # type: ignore[arg-type]


def test_a_missing_program_is_named_with_what_to_type() -> None:
    """Text is shown instead, and the note says why: never in silence."""
    shown: list[str] = []
    opened = open_voice(shown.append, which=lambda _: None)
    opened.voice.say("Red: throw.", "en")
    assert shown == ["Red: throw."]
    assert opened.note == (
        "the program espeak-ng is not installed: type `sudo apt install -y espeak-ng alsa-utils`; "
        "what would be said is shown as text"
    )


def test_a_missing_loudspeaker_is_noticed_when_opened(tmp_path: Path) -> None:
    """The device is tried with a moment of silence; its own complaint is passed on."""
    broken = 'import sys; sys.exit("aplay: no soundcards found...")'
    opened = open_voice(lambda _: None, which=programs(tmp_path, aplay=broken))
    assert isinstance(opened.voice, TextVoice)
    assert "the loudspeaker gives no sound (aplay: no soundcards found...)" in opened.note


def test_a_voice_that_works_needs_no_note(tmp_path: Path) -> None:
    """Where all is well nothing is said about it."""
    opened = open_voice(lambda _: None, which=programs(tmp_path))
    assert isinstance(opened.voice, EspeakVoice)
    assert opened.note == ""


@pytest.mark.parametrize(
    ("espeak", "complaint"),
    [
        ('import sys; sys.exit("no such voice")', "espeak-ng failed: no such voice"),
        ("print('not a sound')", "espeak-ng gave no sound"),
    ],
)
def test_a_failing_espeak_is_a_device_error(tmp_path: Path, espeak: str, complaint: str) -> None:
    """What the program wrote last is passed on."""
    with (
        EspeakVoice(which=programs(tmp_path, espeak=espeak)) as voice,
        pytest.raises(DeviceError, match=complaint),
    ):
        voice.say("Six", "en")


def test_a_loudspeaker_that_hangs_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player that never ends is killed after the sound's length and a little more."""
    hanging = "import sys, signal\nif len(sys.stdin.buffer.read()) > 1000: signal.pause()"
    voice = EspeakVoice(which=programs(tmp_path, aplay=hanging))
    monkeypatch.setattr("hardware.voice._PLAY_SLACK_S", 0.2)
    with pytest.raises(DeviceError, match="the loudspeaker hangs"):
        voice.say("Six", "en")


def test_closing_interrupts_a_sentence(tmp_path: Path) -> None:
    """Falling silent does not wait for the end of what is being said."""
    os.mkfifo(tmp_path / "begun")
    playing = (
        "import sys, signal\n"
        "if len(sys.stdin.buffer.read()) > 1000:\n"
        '    open({folder!r} + "/begun", "w").close()\n'
        "    signal.pause()"
    )
    voice = EspeakVoice(which=programs(tmp_path, aplay=playing))
    speaking = threading.Thread(target=voice.say, args=("A long sentence.", "en"))
    speaking.start()
    (tmp_path / "begun").read_text()  # waits until the player has begun
    voice.close()
    speaking.join(10)
    assert not speaking.is_alive()


def _samples(sound: bytes) -> tuple[NDArray[np.int16], int]:
    with wave.open(io.BytesIO(sound)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16), file.getframerate()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Illegal move: red went from b one to g one.", "en"),
        ("Неверный ход: красная шашка пошла с бэ один на же один.", "ru"),
    ],
    ids=["en", "ru"],
)
@pytest.mark.parametrize("real", [True] if REAL else [])
def test_the_real_voice_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real: bool, text: str, language: str
) -> None:
    """A sentence lasts 2 to 8 seconds, is loud, and reaches the loudspeaker sample for sample."""
    assert real
    recorded = _record_sound(tmp_path, monkeypatch)
    with EspeakVoice() as voice:
        samples, rate = _samples(voice.sound(text, language))
        voice.say(text, language)
    assert 2 < len(samples) / rate < 8
    assert samples.max() > 8_000
    # ALSA's file plug-in writes a header of its own; the sound follows it.
    assert samples.tobytes()[:20_000] in recorded.read_bytes()


@pytest.mark.parametrize("real", [True] if REAL else [])
def test_speed_and_volume_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    """Twice the speed is much shorter, half the volume much quieter."""
    assert real
    _record_sound(tmp_path, monkeypatch)
    text = "Blue came home, and throws again."
    with (
        EspeakVoice(VoiceSettings(words_a_minute=120)) as slow,
        EspeakVoice(VoiceSettings(words_a_minute=240, volume=40)) as fast,
    ):
        slow_samples, _ = _samples(slow.sound(text, "en"))
        fast_samples, _ = _samples(fast.sound(text, "en"))
    assert len(fast_samples) < 0.75 * len(slow_samples)
    assert fast_samples.max() < 0.6 * slow_samples.max()
