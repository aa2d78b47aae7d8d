"""Voices: their contract, on stand-ins for the programs and on the real ones where they are."""

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

from hardware import DeviceError, SpokenVoice, TextVoice, Voice, VoiceSettings, open_voice
from hardware.phrase_cache import PhraseCache
from hardware.voice import Player

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
    """Write stand-ins for the programs; return what finds them."""
    bodies = {"espeak-ng": espeak, "aplay": aplay, "piper": _ESPEAK, "pw-play": _APLAY}
    for name, body in bodies.items():
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
    return SpokenVoice(which=programs(folder))


def real_voice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Voice:
    """Speak through espeak-ng and ALSA."""
    _record_sound(folder, monkeypatch)
    return SpokenVoice()


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
    settings = VoiceSettings(words_a_minute=120, voices={"en": "en-gb"})
    with SpokenVoice(settings, programs(tmp_path)) as voice:
        voice.say("-h is no option here", "en")
    assert (tmp_path / "asked").read_text() == "-v en-gb -s 120 -g 2 -b 1 --stdin --stdout\n"


@pytest.mark.parametrize("lead_s", [0.2, 3.0])
def test_the_loudspeaker_gets_the_whole_sound_after_a_silence(
    tmp_path: Path, lead_s: float
) -> None:
    """As long as is wished it is silent; then come all samples, as loud as is usual."""
    with SpokenVoice(VoiceSettings(lead_s=lead_s), programs(tmp_path)) as voice:
        voice.say("Six", "en")
    with wave.open(str(tmp_path / "played.wav")) as played:
        assert (played.getnchannels(), played.getframerate()) == (1, 22_050)
        heard = np.frombuffer(played.readframes(100_000), np.int16)
    silent = round(lead_s * 22_050)
    assert len(heard) == silent + 3000
    assert not heard[:silent].any()
    assert set(heard[silent:]) == {22_937}


def test_a_sound_at_another_rate_lasts_as_long(tmp_path: Path) -> None:
    """Piper's small models make 16,000 samples a second; the loudspeaker gets what it plays."""
    slower = _ESPEAK.replace("22050, 44100", "16000, 32000")
    with SpokenVoice(which=programs(tmp_path, espeak=slower)) as voice:
        assert len(voice.samples("Sixteen.", "en")) == 2 * 11_025


def test_what_was_said_once_is_not_made_again(tmp_path: Path) -> None:
    """The sound is kept for the next game; another speed makes another sound."""
    find, cache = programs(tmp_path), tmp_path / "sounds"
    for words_a_minute in (120, 120, 200):
        settings = VoiceSettings(words_a_minute, cache=cache)
        with SpokenVoice(settings, find) as voice:
            voice.prepare("Six", "en")
            voice.say("Six", "en")
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.split("-s ")[1].split()[0] for line in asked] == ["120", "200"]


def test_only_what_was_said_is_kept_on_the_disk(tmp_path: Path) -> None:
    """Of what is made ready ahead most is never said: that would wear out a card."""
    find, cache = programs(tmp_path), tmp_path / "sounds"
    with SpokenVoice(VoiceSettings(cache=cache), find) as voice:
        for text in ("One", "Two", "Three"):
            voice.prepare(text, "en")
        assert not cache.exists()
        voice.say("Two", "en")
    assert len(list(cache.iterdir())) == 1
    assert len((tmp_path / "asked").read_text().splitlines()) == 3


def test_a_damaged_or_forbidden_cache_only_costs_time(tmp_path: Path) -> None:
    """An empty sound is made again, and where nothing can be kept nothing is."""
    find, cache = programs(tmp_path), tmp_path / "sounds"
    with SpokenVoice(VoiceSettings(cache=cache), find) as voice:
        voice.say("Six", "en")
        (kept,) = cache.iterdir()
        kept.write_bytes(b"")
        voice.say("Six", "en")
        assert kept.stat().st_size > 1000
    with SpokenVoice(VoiceSettings(cache=kept / "no folder"), find) as voice:
        voice.say("Six", "en")


def test_the_cache_lets_go_what_was_not_heard_for_longest(tmp_path: Path) -> None:
    """Of four sounds there is room for three."""
    cache = PhraseCache(tmp_path, most_mb=0.0035)
    for number in range(4):
        cache.put("espeak", str(number), "en", bytes(1000))
        os.utime(max(tmp_path.glob("*.wav"), key=lambda each: each.stat().st_mtime), (1, number))
        if number == 2:
            assert cache.get("espeak", "0", "en")  # heard just now
    there = [cache.get("espeak", str(number), "en") is not None for number in range(4)]
    assert there == [True, False, True, True]


def test_the_silence_is_played_while_the_sound_is_made(tmp_path: Path) -> None:
    """What nobody expected is heard at once: its sound is made once the player has begun."""
    os.mkfifo(tmp_path / "begun")
    waiting = 'open({folder!r} + "/begun").read()\n' + _ESPEAK
    playing = (
        "import sys\n"
        "first = sys.stdin.buffer.read(44 + 8820)\n"
        'open({folder!r} + "/begun", "w").close()\n'
        'open({folder!r} + "/played", "wb").write(first + sys.stdin.buffer.read())'
    )
    with SpokenVoice(which=programs(tmp_path, espeak=waiting, aplay=playing)) as voice:
        voice.say("Six", "en")
    assert (tmp_path / "played").stat().st_size == 44 + 8820 + 2 * 3000


def test_piper_speaks_where_there_is_a_model(tmp_path: Path) -> None:
    """English is Piper's, Russian stays espeak-ng's; a model that is not there is named."""
    model = tmp_path / "en.onnx"
    model.touch()
    with SpokenVoice(VoiceSettings(piper={"en": str(model)}), programs(tmp_path)) as voice:
        voice.say("Six", "en")
        voice.say("Шесть", "ru")
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == [
        f"--model {model} --length_scale 1.07 --output_file -",
        "-v ru -s 140 -g 2 -b 1 --stdin --stdout",
    ]
    model.unlink()
    opened = open_voice(lambda _: None, VoiceSettings(piper={"en": str(model)}), programs(tmp_path))
    assert "Piper's model for en" in opened.note


@pytest.mark.parametrize(
    ("player", "options"),
    [("alsa", "-q -D hdmi:0"), ("pipewire", "--target hdmi:0 /dev/stdin")],
)
def test_the_loudspeaker_is_chosen_by_its_players_name(
    tmp_path: Path, player: Player, options: str
) -> None:
    """ALSA and PipeWire name their devices each in their own way."""
    listing = 'import sys; open({folder!r} + "/options", "w").write(" ".join(sys.argv[1:]))'
    find = programs(tmp_path, aplay=listing)
    (tmp_path / "pw-play").write_text((tmp_path / "aplay").read_text())
    with SpokenVoice(VoiceSettings(player=player, device="hdmi:0"), find) as voice:
        voice.try_out()
        assert (tmp_path / "options").read_text() == options


def test_a_busy_loudspeaker_says_how_to_find_who_holds_it(tmp_path: Path) -> None:
    """ALSA's own complaint is passed on."""
    busy = 'import sys; sys.exit("aplay: main:831: audio open error: Device or resource busy")'
    opened = open_voice(lambda _: None, which=programs(tmp_path, aplay=busy))
    assert "another program holds the loudspeaker" in opened.note
    assert "fuser -v /dev/snd/*" in opened.note


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
    assert (shown, opened.speaks) == (["Red: throw."], False)
    assert opened.note == (
        "the program espeak-ng is not installed: type `sudo apt install -y espeak-ng alsa-utils`; "
        "what would be said is shown as text"
    )
    through = VoiceSettings(player="pipewire")
    opened = open_voice(shown.append, through, lambda name: None if name == "pw-play" else name)
    assert opened.note.startswith("the program pw-play is not installed: type `sudo apt install -y")
    assert "pipewire-bin" in opened.note


def test_a_missing_loudspeaker_is_noticed_when_opened_and_tried_again(tmp_path: Path) -> None:
    """Its own complaint is passed on; once it is plugged in it is heard."""
    broken = 'import sys; sys.exit("aplay: no soundcards found...")'
    opened = open_voice(lambda _: None, which=programs(tmp_path, aplay=broken))
    assert "the loudspeaker gives no sound (aplay: no soundcards found...)" in opened.note
    assert opened.speaks
    with pytest.raises(DeviceError, match="no soundcards found"):
        opened.voice.say("Six", "en")
    programs(tmp_path)
    opened.voice.say("Six", "en")
    assert (tmp_path / "played.wav").stat().st_size > 6000


def test_a_voice_that_works_needs_no_note(tmp_path: Path) -> None:
    """Where all is well nothing is said about it."""
    opened = open_voice(lambda _: None, which=programs(tmp_path))
    assert isinstance(opened.voice, SpokenVoice)
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
        SpokenVoice(which=programs(tmp_path, espeak=espeak)) as voice,
        pytest.raises(DeviceError, match=complaint),
    ):
        voice.say("Six", "en")


def test_a_loudspeaker_that_hangs_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player that never ends is killed after the sound's length and a little more."""
    hanging = "import sys, signal\nif len(sys.stdin.buffer.read()) > 1000: signal.pause()"
    voice = SpokenVoice(which=programs(tmp_path, aplay=hanging))
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
    voice = SpokenVoice(which=programs(tmp_path, aplay=playing))
    speaking = threading.Thread(target=voice.say, args=("A long sentence.", "en"))
    speaking.start()
    (tmp_path / "begun").read_text()  # waits until the player has begun
    voice.close()
    speaking.join(10)
    assert not speaking.is_alive()


def _samples(voice: SpokenVoice, text: str, language: str) -> NDArray[np.int16]:
    return np.frombuffer(voice.samples(text, language), np.int16)


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
    with SpokenVoice() as voice:
        samples = _samples(voice, text, language)
        voice.say(text, language)
    assert 2 < len(samples) / 22_050 < 8
    assert samples.max() > 8_000
    # ALSA's file plug-in writes a header of its own; the sound follows it.
    assert samples.tobytes()[:20_000] in recorded.read_bytes()


@pytest.mark.parametrize("real", [True] if REAL else [])
def test_speed_and_volume_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    """Twice the speed is much shorter, less volume much quieter."""
    assert real
    _record_sound(tmp_path, monkeypatch)
    text = "Blue came home, and throws again."
    with (
        SpokenVoice(VoiceSettings(words_a_minute=120)) as slow,
        SpokenVoice(VoiceSettings(words_a_minute=240, volume=40)) as fast,
    ):
        slow_samples = _samples(slow, text, "en")
        fast_samples = _samples(fast, text, "en")
    assert len(fast_samples) < 0.75 * len(slow_samples)
    assert fast_samples.max() < 0.6 * slow_samples.max()
