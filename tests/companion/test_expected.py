"""What is said next was made into sound before, so that it is heard at once."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from companion.announcer import Announcer
from companion.expected import expected_sentences
from companion.game import Game
from companion.listeners import Speech
from companion.log.journal import Journal
from companion.phrases import Phrases
from companion.scripts.script import write_game
from companion.scripts.style import SHORT
from hardware.voice import SpokenVoice, VoiceSettings
from referee.events import Event, PassReason, ThrowPassed
from referee.match import Match, Phase
from tabletop import Colour, Seat
from tests.builders import TWO, game_started
from tests.companion.test_loop import AT
from tests.hardware.test_voice import programs

PATIENCE_S: Final = 30.0
RENDERING_S: Final = 0.3
"""As long as a slow computer takes to make the sound of a sentence."""
AT_ONCE_S: Final = 0.15
MEASURED: Final = 9
SCRIPT: Final = write_game(
    4, {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}, style=SHORT, with_mistakes=False
)

_DEEDS: Final = ("die_thrown", "opening_throw", "checker_moved", "checker_entered")
_APLAY: Final = '#!/bin/sh\nhead -c 1 >"{folder}/heard"\ntouch "{folder}/first"\ncat >/dev/null\n'


def verdicts(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Yield the events of a script as they are ruled: each deed with what follows from it."""
    group: list[Event] = []
    for event in events:
        chosen = isinstance(event, ThrowPassed) and event.reason is PassReason.CHOSEN
        if group and (event.kind in _DEEDS or chosen):
            yield tuple(group)
            group = []
        group.append(event)
    yield tuple(group)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_all_that_is_said_of_a_lawful_game_was_expected(language: str) -> None:
    """Of each throw and move of a whole game, every sentence."""
    phrases, match, said = Phrases(language), Match.start(game_started(TWO)), 0
    for events in verdicts(SCRIPT.truth):
        after = match
        for event in events:
            after = after.after(event)
        expected = {one.spoken for one in expected_sentences(phrases, match)}
        spoken = {one.spoken for one in phrases.rulings(events, match, after)}
        assert spoken <= expected
        said += len(spoken)
        match = after
    assert match.phase is Phase.OVER
    assert said > 60


def test_nothing_is_expected_of_a_game_that_rests() -> None:
    """Neither while it is paused nor once it is over."""
    phrases, match = Phrases("en"), Match.start(game_started(TWO))
    assert len(list(expected_sentences(phrases, match))) >= 6
    for rests in (replace(match, paused=True), replace(match, phase=Phase.OVER)):
        assert list(expected_sentences(phrases, rests)) == []


class SlowVoice(SpokenVoice):
    """A voice that takes its time to make a sound, and notes of which sentences it did."""

    def __init__(self, folder: Path) -> None:
        self.made: list[str] = []
        self.ready = threading.Semaphore(0)
        find = programs(folder)
        # A Python would take longer to begin than aplay does: a shell stands in for it.
        (folder / "aplay").write_text(_APLAY.replace("{folder}", str(folder)))
        super().__init__(VoiceSettings(cache=folder / "sounds"), find)

    def _rendered(self, text: str, language: str) -> bytes:
        if text not in self.made:
            threading.Event().wait(RENDERING_S)
            self.made.append(text)
        return super()._rendered(text, language)

    def prepare(self, text: str, language: str) -> None:
        """Make a sound, and tell of it."""
        super().prepare(text, language)
        self.ready.release()

    def wait_until_ready(self, sentences: int) -> None:
        """Return once so many more sentences were made ready."""
        for _ in range(sentences):
            assert self.ready.acquire(timeout=PATIENCE_S)


@pytest.mark.proof
def test_the_first_sample_of_a_ruling_is_heard_at_once(tmp_path: Path) -> None:
    """Within 150 ms of the ruling, though each sentence takes twice as long to be made."""
    phrases, voice, delays = Phrases("en"), SlowVoice(tmp_path), list[float]()
    with (
        Announcer(voice, "en") as announcer,
        Journal.create(tmp_path, game_started(TWO), AT) as journal,
    ):
        game = Game.start(journal, (Speech(phrases, announcer),), lambda: AT)
        for events in islice(verdicts(SCRIPT.truth), MEASURED):
            voice.wait_until_ready(len(list(expected_sentences(phrases, game.match))))
            made, before, began_s = len(voice.made), game.match, time.time()
            game.rule(events)
            assert announcer.idle(PATIENCE_S)
            delays.append((tmp_path / "first").stat().st_mtime - began_s)
            assert phrases.rulings(events, before, game.match)[0].spoken in voice.made[:made]
    print("from the ruling to the first sample, ms:", *(round(1000 * each) for each in delays))
    assert sorted(delays)[MEASURED // 2] < AT_ONCE_S
