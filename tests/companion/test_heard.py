"""What the loudspeaker plays is recognised back, word for word, and not taken for anything else.

The sound of each English sentence goes through ALSA into a file, with the voice and settings that
people hear by default, and is recognised by a grammar that holds it beside the same sentence with
other colours, numbers and squares, and beside all other sentences. Russian has no recogniser here:
its phonemes and its length are looked at.
"""

import re
import shutil
import subprocess
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.appliance.devices import voice_settings
from companion.phrases import Phrases
from companion.settings import Settings
from hardware.voice import SpokenVoice
from tests.companion.phrase_tables import BLUE_ON_C1, HAPPENINGS, PROMPTS, WRONGS, match

COLOURS: Final = ("red", "green", "blue", "black")
NUMBERS: Final = ("one", "two", "three", "four", "five", "six")
LETTERS: Final = "abcdefgh"
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty")
_ONES: Final = (
    "nought", *NUMBERS, "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_HERTZ: Final = 16_000
_HISS: Final = 20.0  # of 32,768: some 60 dB below the voice

REAL = all(shutil.which(program) for program in ("espeak-ng", "aplay"))


def sentences(language: str) -> list[str]:
    """Return every sentence of the tables as it is spoken, each once."""
    phrases = Phrases(language)
    found = [
        one.spoken for events, *_ in HAPPENINGS for one in phrases.rulings(events, None, match())
    ]
    found += [phrases.prompt(state).spoken for state, *_ in PROMPTS]
    found += [phrases.prompt(state, no_die=True).spoken for state, *_ in PROMPTS]
    state = match(BLUE_ON_C1, 3)
    found += [one.spoken for event, *_ in WRONGS for one in phrases.rulings([event], state, state)]
    return list(dict.fromkeys(found))


def words(text: str) -> list[str]:
    """Return the words of a sentence as a recogniser knows them: b1 is "b one", 41 "forty one"."""
    text = re.sub(r"\b([a-h])([1-8])\b", r"\1 \2", text.lower())
    found = []
    for word in re.findall(r"[a-z']+|\d+", text):
        if not word.isdigit():
            found.append(word)
        elif int(word) < len(_ONES):
            found.append(_ONES[int(word)])
        else:
            tens, ones = divmod(int(word), 10)
            found += [_TENS[tens], *([_ONES[ones]] if ones else [])]
    return found


def controls(right: list[str]) -> Iterator[list[str]]:
    """Yield a sentence with each colour, number and square in it told wrongly."""
    for place, word in enumerate(right):
        for kind in (COLOURS, NUMBERS):
            if word in kind:
                for other in kind:
                    if other != word:
                        yield [*right[:place], other, *right[place + 1 :]]


def at_16_khz(path: Path) -> bytes:
    """Return the sound of a WAV as a recogniser wants it."""
    with wave.open(str(path)) as file:
        rate = file.getframerate()
        raw = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        sound: NDArray[np.float64] = raw.reshape(-1, file.getnchannels())[:, 0].astype(float)
    spectrum = np.fft.rfft(sound)
    length = round(len(sound) * _HERTZ / rate)
    # The upper frequencies are cut off, and the rest is put together at the new rate.
    cut = np.fft.irfft(spectrum[: length // 2 + 1], length) * length / len(sound)
    # A room is never wholly silent, and a recogniser lost in silence hears nothing.
    heard = cut + np.random.default_rng(0).normal(0.0, _HISS, length)
    samples: NDArray[np.int16] = np.clip(np.rint(heard), -32_768, 32_767).astype("<i2")
    return samples.tobytes()


def recognised(sound: bytes, right: list[str], all_sentences: list[list[str]]) -> str:
    """Return what is recognised of *sound*, by a grammar of all that might have been said."""
    from pocketsphinx import Config, Decoder  # type: ignore[import-untyped]

    choices = {" ".join(one) for one in (right, *controls(right), *all_sentences)}
    decoder: Any = Decoder(Config(samprate=float(_HERTZ), lm=None, loglevel="FATAL"))
    for word in {word for choice in choices for word in choice.split()}:
        assert decoder.lookup_word(word), f"the recogniser does not know {word!r}"
    grammar = "#JSGF V1.0;\ngrammar said;\npublic <said> = " + " | ".join(sorted(choices)) + ";"
    decoder.add_jsgf_string("said", grammar)
    decoder.activate_search("said")
    decoder.start_utt()
    decoder.process_raw(sound, full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    return "" if best is None else str(best.hypstr)


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let ALSA play into a file."""
    path = tmp_path / "played.wav"
    (tmp_path / ".asoundrc").write_text(
        "pcm.!default { type plug slave.pcm caught }\n"
        f'pcm.caught {{ type file slave.pcm null file "{path}" format "wav" }}\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return path


@pytest.mark.proof
@pytest.mark.parametrize("real", [True] if REAL else [])
def test_every_english_sentence_is_understood_word_for_word(real: bool, recorded: Path) -> None:
    """No colour, number or square is taken for another."""
    assert real
    spoken = sentences("en")
    assert len(spoken) > 60
    all_words = [words(one) for one in spoken]
    misheard = []
    with SpokenVoice(voice_settings(Settings())) as voice:
        for sentence, right in zip(spoken, all_words, strict=True):
            voice.say(sentence, "en")
            heard = recognised(at_16_khz(recorded), right, all_words)
            if heard.split() != right:
                misheard.append((" ".join(right), heard))
    assert misheard == []


@pytest.mark.proof
@pytest.mark.parametrize("real", [True] if REAL else [])
def test_russian_is_said_with_its_sounds_and_in_its_time(real: bool, recorded: Path) -> None:
    """Each sentence has phonemes for all its words, and lasts as long as so many sounds take."""
    assert real
    with SpokenVoice(voice_settings(Settings())) as voice:
        for sentence in sentences("ru"):
            command = ["espeak-ng", "-v", "ru", "-x", "-q", sentence]
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
            sounds = [part for part in done.stdout.split() if part.strip("_:,")]
            assert len(sounds) >= 0.6 * len(sentence.split()), sentence
            assert not re.search(r"\((en|da)\)", done.stdout), sentence
            voice.say(sentence, "ru")
            with wave.open(str(recorded)) as file:
                lasts_s = file.getnframes() / file.getframerate()
            letters = sum(each.isalnum() for each in sentence)
            assert 0.04 * letters < lasts_s < 0.2 * letters + 1.5, sentence
