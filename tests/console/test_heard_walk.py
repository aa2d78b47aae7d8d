"""What is heard and lit while a table is set up: the code for phones, the voice, the lamps.

The voice is espeak-ng's, played through ALSA into files; the lamps hang on gpiozero's mock pins.
"""

import re
import shutil
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.console.assets import words as words_of_page
from companion.console.guide import TRIED_SIGNALS
from companion.phrases import Phrases
from hardware.ports import Signal
from tests.companion.test_heard import at_16_khz, recognised, words
from tests.console.conftest import TIMEOUT_MS, OpenPage
from tests.console.test_set_up_walk import Running, free_port, program

pytestmark = pytest.mark.proof

REAL = all(shutil.which(name) for name in ("espeak-ng", "aplay"))
HEARD_S: Final = 60.0
RATE: Final = 22_050
"""Samples a second of espeak-ng's voices."""
LEAST_LOUD: Final = 1000
"""Of 32,767: a voice at its loudest is louder."""
DIGITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip
RED, GREEN, BLUE, D4, D2 = 17, 27, 22, 5, 6
LEAST_BLINKS: Final = 2
LAMPS: Final = f"""
[lamps]
verdict = [{RED}, {GREEN}, {BLUE}]
seats = {{ D4 = [{D4}], D2 = [{D2}] }}
"""
WITH_MOCK_PINS: Final = """
import sys
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from companion.cli import main

class ToldPin(MockPWMPin):
    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed:
            with open("pins", "a") as told:
                print(self.info.name.removeprefix("GPIO"), float(value), file=told)
        return changed

Device.pin_factory = MockFactory(pin_class=ToldPin)
main()
"""

expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture
def sounds(tmp_path: Path) -> Path:
    """Let ALSA play each sound into a file of its own; return their folder."""
    folder = tmp_path / "played"
    folder.mkdir()
    (tmp_path / ".asoundrc").write_text(
        "pcm.!default { type plug slave.pcm caught }\n"
        "pcm.caught { type file slave.pcm null format raw "
        f'file "|cat > {folder}/part.$$ && mv {folder}/part.$$ {folder}/$(date +%%s%%N).raw" }}\n'
    )
    return folder


def heard(sounds: Path, enough: Callable[[list[bytes]], bool]) -> list[bytes]:
    """Return what was said so far, sentence by sentence, as soon as that is *enough*."""
    until_s = time.monotonic() + HEARD_S
    while time.monotonic() < until_s:
        # A voice that is opened plays a moment of silence first.
        played = [path.read_bytes() for path in sorted(sounds.glob("*.raw"))]
        said = [sound for sound in played if loudness(sound) > LEAST_LOUD]
        if enough(said):
            return said
        time.sleep(0.2)
    pytest.fail(f"only {len(said)} sentences are heard")


def loudness(sound: bytes) -> int:
    """Return the greatest sample of a sound."""
    return int(np.abs(np.frombuffer(sound, np.int16).astype(int)).max(initial=0))


def understood(sound: bytes, right: list[str], others: list[list[str]], folder: Path) -> list[str]:
    """Return what is recognised of *sound*, of what was *right* to say and what was not."""
    path = folder / "heard.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(sound)
    return recognised(at_16_khz(path), right, others).split()


def spelt(code: str) -> list[str]:
    """Return the words by which a code is said."""
    sentence = Phrases("en").page_code("").spoken
    return words(sentence) + [DIGITS[int(digit)] for digit in code]


def codes_of(running: Running) -> tuple[str, str]:
    """Return the codes that are shown on the terminal: to change, and to look only."""
    change, look = re.findall(r"\b\d{6}\b", running.said)
    return change, look


def let_in(page: Page, code: str) -> None:
    """Type a code."""
    page.get_by_role("textbox").fill(code)
    page.get_by_role("button", name="Let me in").click()
    expect(page.get_by_role("heading", name="Aim")).to_be_visible()


@pytest.mark.parametrize("real", [True] if REAL else [])
def test_the_code_is_heard_and_outlasts_a_restart(
    open_page: OpenPage, tmp_path: Path, sounds: Path, real: bool
) -> None:
    """Who types what is said is let in, also by the next program, until the file is deleted."""
    assert real
    port, phone = free_port(), {"viewport": {"width": 390, "height": 844}}
    with program(tmp_path, "--lan", port=port) as running:
        change, look = codes_of(running)
        code, *_ = heard(sounds, bool)
        near = [
            spelt(change[:at] + str(digit) + change[at + 1 :])
            for at in range(len(change))
            for digit in range(10)
        ]
        assert understood(code, spelt(change), [*near, spelt(look)], tmp_path) == spelt(change)
        changes, looks = open_page(running.url, **phone), open_page(running.url, **phone)
        let_in(changes, change)
        let_in(looks, look)
    expect(changes.get_by_text("Connection lost")).to_be_visible()
    with program(tmp_path, "--lan", port=port) as running:
        assert change not in codes_of(running)
        for page in (changes, looks):
            expect(page.get_by_text("Connection lost")).not_to_be_visible()
        expect(changes.get_by_role("button", name="Next")).to_be_visible()
        expect(looks.get_by_role("button", name="Next")).not_to_be_visible()
        (tmp_path / "pachisi" / "devices.json").unlink()
        changes.get_by_role("button", name="Next").click()
        expect(changes.get_by_role("button", name="Let me in")).to_be_visible()
        looks.reload(wait_until="domcontentloaded")
        expect(looks.get_by_role("button", name="Let me in")).to_be_visible()


@pytest.mark.parametrize("real", [True] if REAL else [])
def test_voice_and_lamps_are_tried(
    open_page: OpenPage, tmp_path: Path, sounds: Path, real: bool
) -> None:
    """The button of the voice lets it be heard; that of the lamps has each lit and put out."""
    assert real
    assert TRIED_SIGNALS[:2] == (Signal.LEGAL, Signal.ILLEGAL)
    (tmp_path / "pachisi").mkdir()
    (tmp_path / "pachisi" / "settings.toml").write_text(LAMPS)
    with program(tmp_path, start=("-c", WITH_MOCK_PINS)) as running:
        page = open_page(running.url)
        step_by_step(page)
        before = len(heard(sounds, lambda said: len(said) >= 5))
        page.get_by_role("button", name="Try the voice").click()
        expect(page.locator(".toast").last).to_contain_text("It was tried")
        said = heard(sounds, lambda said: len(said) > before)
        trial, aim, die = (
            words(words_of_page("en")[f"say-{what}"]) for what in ("trial", "aim", "die")
        )
        assert understood(said[-1], trial, [aim, die], tmp_path) == trial
        page.locator(".toast .close").last.click()
        page.get_by_role("button", name="Try the lamps").click()
        expect(page.locator(".toast").last).to_contain_text("It was tried")
    states: dict[int, list[float]] = {}
    for line in (tmp_path / "pins").read_text().splitlines():
        pin, level = line.split()
        states.setdefault(int(pin), []).append(float(level))
    # What is legal is green, what is not red; then each player's lamp.
    assert list(states) == [GREEN, RED, D4, D2]
    assert states[D4] == states[D2] == [1.0, 0.0]
    assert states[GREEN][:2] == [1.0, 0.0]
    assert states[RED].count(1.0) > LEAST_BLINKS
    assert all(levels[-1] == 0.0 for levels in states.values())


def step_by_step(page: Page) -> None:
    """Go through the set-up to its last step."""
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Checkers at home")).to_be_visible()
    expect(page.get_by_label("Seat D4")).to_have_value("red")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("heading", name="Names and rules")).to_be_visible()
