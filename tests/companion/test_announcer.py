import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.announcer import MOST_WAITING, Announcer
from companion.game import Game
from companion.listeners import Speech
from companion.log.journal import Journal
from companion.phrases import Importance, Phrases, Sentence, Topic
from hardware.ports import DeviceError
from referee.commands import SayAgain
from referee.events import By
from tests.builders import TWO, game_started
from tests.companion.test_loop import AT

PATIENCE_S = 10.0


class GatedVoice:
    """A voice that speaks each sentence only when it is let, and writes down what it said."""

    def __init__(self, open_gate: bool = False) -> None:
        self.said: list[str] = []
        self.ready: list[str] = []
        self.broken = False
        self._begun = threading.Semaphore(0)
        self._made = threading.Semaphore(0)
        self._gate = threading.Semaphore(0)
        self._open = open_gate

    def say(self, text: str, language: str) -> None:
        """Wait at the gate, then speak or fail."""
        self._begun.release()
        if not self._open:
            assert self._gate.acquire(timeout=PATIENCE_S)
        if self.broken:
            raise DeviceError("no sound device")
        self.said.append(f"{language}: {text}")

    def prepare(self, text: str, language: str) -> None:
        """Write down what was made ready, or fail."""
        if self.broken:
            raise DeviceError("no sound device")
        self.ready.append(f"{language}: {text}")
        self._made.release()

    def close(self) -> None:
        """Do nothing: there is no device."""

    def wait_until_speaking(self) -> None:
        """Return once a sentence has begun."""
        assert self._begun.acquire(timeout=PATIENCE_S)

    def wait_until_made(self) -> None:
        """Return once one more sentence has been made ready."""
        assert self._made.acquire(timeout=PATIENCE_S)

    def open(self) -> None:
        """Let everything be spoken from now on."""
        self._open = True
        self._gate.release(100)


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Return the time it was turned to."""
        return self.now_s


def sentence(
    text: str,
    topic: Topic = Topic.MOVE,
    importance: Importance = Importance.NORMAL,
    drops: tuple[Topic, ...] = (),
) -> Sentence:
    """Return a sentence that is shown and spoken differently."""
    return Sentence(text.upper(), text, importance, topic, drops)


@contextmanager
def talking(
    voice: GatedVoice, clock: Clock | None = None, least: Importance = Importance.CHATTER
) -> Iterator[Announcer]:
    """Announce through *voice*, and let it speak out at the end."""
    with Announcer(
        voice, "en", least=least, stale_after_s=5.0, clock=clock or Clock()
    ) as announcer:
        try:
            yield announcer
        finally:
            voice.open()
            assert announcer.idle(PATIENCE_S)


@contextmanager
def interrupted(
    voice: GatedVoice, clock: Clock | None = None, least: Importance = Importance.CHATTER
) -> Iterator[Announcer]:
    """Announce while the voice is busy with a first sentence, so that all else waits."""
    with talking(voice, clock, least) as announcer:
        announcer.say([sentence("first", Topic.GAME, Importance.RULING)])
        voice.wait_until_speaking()
        yield announcer


def test_sentences_are_spoken_in_order() -> None:
    """The words for the ear are spoken, in the language given, one after another."""
    voice = GatedVoice(open_gate=True)
    with talking(voice) as announcer:
        announcer.say([sentence("one", Topic.THROW), sentence("two", Topic.MOVE)])

    assert voice.said == ["en: one", "en: two"]


def test_rulings_come_before_chatter() -> None:
    """What was asked for later but matters more is said first."""
    voice = GatedVoice()
    with interrupted(voice) as announcer:
        announcer.say([sentence("your turn", Topic.TURN, Importance.CHATTER)])
        announcer.say([sentence("wrong", Topic.WRONG, Importance.RULING)])

    assert voice.said == ["en: first", "en: wrong", "en: your turn"]


def test_newer_sentence_replaces_the_stale_one() -> None:
    """Of two waiting sentences on one topic only the newer is said."""
    voice = GatedVoice()
    with interrupted(voice) as announcer:
        announcer.say([sentence("b1 to e1")])
        announcer.say([sentence("b1 to f1")])

    assert voice.said == ["en: first", "en: b1 to f1"]


def test_sentence_drops_other_topics() -> None:
    """A move that mends a wrong one silences the complaint that waits."""
    voice = GatedVoice()
    with interrupted(voice) as announcer:
        announcer.say([sentence("wrong", Topic.WRONG, Importance.RULING)])
        announcer.say([sentence("b1 to f1", drops=(Topic.WRONG,))])

    assert voice.said == ["en: first", "en: b1 to f1"]


def test_sentences_of_one_happening_do_not_replace_each_other() -> None:
    """Two sentences told together are both said, though the second drops the first's topic."""
    voice = GatedVoice()
    with interrupted(voice) as announcer:
        announcer.say([sentence("put back", Topic.WRONG), sentence("moved", drops=(Topic.WRONG,))])

    assert voice.said == ["en: first", "en: put back", "en: moved"]


def test_old_sentences_are_never_said() -> None:
    """What waited longer than it may is dropped."""
    voice, clock = GatedVoice(), Clock()
    with interrupted(voice, clock) as announcer:
        announcer.say([sentence("old", Topic.THROW)])
        clock.now_s = 5.5
        announcer.say([sentence("fresh", Topic.MOVE)])

    assert voice.said == ["en: first", "en: fresh"]


def test_nothing_is_said_twice() -> None:
    """A sentence being said, waiting or just said is not said again."""
    voice, clock = GatedVoice(), Clock()
    first = sentence("first", Topic.GAME, Importance.RULING)
    with interrupted(voice, clock) as announcer:
        announcer.say([first])
        announcer.say([sentence("moved")])
        announcer.say([sentence("moved")])
        voice.open()
        assert announcer.idle(PATIENCE_S)
        announcer.say([sentence("moved")])
        clock.now_s = 3.0
        announcer.say([sentence("moved")])

    assert voice.said == ["en: first", "en: moved", "en: moved"]


def test_asked_for_repetition() -> None:
    """What somebody wants to hear again is said again, and next."""
    voice = GatedVoice()
    with interrupted(voice) as announcer:
        announcer.say([sentence("moved")])
        announcer.repeat(sentence("first", Topic.GAME, Importance.RULING))

    assert voice.said == ["en: first", "en: first", "en: moved"]


def test_who_asks_is_told_again_however_little_he_wants_to_hear(tmp_path: Path) -> None:
    """A reminder is left out where rulings alone are said; what is asked for is said each time."""
    voice, phrases = GatedVoice(open_gate=True), Phrases("en")
    with (
        talking(voice, least=Importance.RULING) as announcer,
        Journal.create(tmp_path, game_started(TWO), AT) as journal,
    ):
        game = Game.start(journal, (Speech(phrases, announcer),), lambda: AT)
        assert announcer.idle(PATIENCE_S)
        told = len(voice.said)
        game.say_again()
        for _ in range(2):
            game.obey(SayAgain(), By.BUTTON)
            assert announcer.idle(PATIENCE_S)

    assert voice.said[told:] == [f"en: {phrases.prompt(game.match).spoken}"] * 2


def test_level_leaves_out_chatter() -> None:
    """Sentences below the chosen importance are not said."""
    voice = GatedVoice()
    with interrupted(voice, least=Importance.RULING) as announcer:
        announcer.say([sentence("moved"), sentence("wrong", Topic.WRONG, Importance.RULING)])

    assert voice.said == ["en: first", "en: wrong"]


def test_queue_is_bounded() -> None:
    """Behind a stuck voice the queue stays short, and keeps what matters."""
    voice = GatedVoice()
    with interrupted(voice) as announcer:
        announcer.say([sentence(f"chat {n}", Topic.TURN, Importance.CHATTER) for n in range(20)])
        announcer.say([sentence("wrong", Topic.WRONG, Importance.RULING)])

    assert len(voice.said) == 1 + MOST_WAITING
    assert voice.said[1] == "en: wrong"


def test_failing_voice_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """A voice that fails stops nothing, is logged once when lost and once when back."""
    voice = GatedVoice(open_gate=True)
    voice.broken = True
    caplog.set_level(logging.INFO, "companion.announcer")
    with talking(voice) as announcer:
        for text in ("one", "two"):
            announcer.say([sentence(text)])
            assert announcer.idle(PATIENCE_S)
        failed = announcer.failing
        voice.broken = False
        announcer.say([sentence("three")])
        assert announcer.idle(PATIENCE_S)
        recovered = not announcer.failing

    assert failed
    assert recovered
    assert voice.said == ["en: three"]
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "no sound device" in caplog.text


def test_stop_drops_what_waits() -> None:
    """Stopping lets the sentence being said end and says nothing more."""
    voice = GatedVoice()
    announcer = Announcer(voice, "en")
    announcer.say([sentence("first", Topic.GAME), sentence("second")])
    voice.wait_until_speaking()
    with pytest.raises(RuntimeError, match=r"did not come to an end within 0\.01 s"):
        announcer.stop(timeout_s=0.01)
    voice.open()
    announcer.stop()

    assert voice.said == ["en: first"]


def test_end_of_a_game_is_told() -> None:
    """Leaving in peace lets the last sentences be said."""
    voice = GatedVoice(open_gate=True)
    with Announcer(voice, "en") as announcer:
        announcer.say([sentence("red wins"), sentence("the bank pays", Topic.BANK)])

    assert voice.said == ["en: red wins", "en: the bank pays"]


def test_what_is_expected_is_made_ready_while_nothing_waits() -> None:
    """The sentences expected last are made into sound, those before them are forgotten."""
    voice = GatedVoice()
    with interrupted(voice, least=Importance.NORMAL) as announcer:
        announcer.expect([sentence("three"), sentence("four")])
        chatter = sentence("your turn", Topic.TURN, Importance.CHATTER)
        announcer.expect([sentence("five"), chatter, sentence("six")])
        assert voice.ready == []
        voice.open()
        voice.wait_until_made()
        voice.wait_until_made()

    assert (voice.said, voice.ready) == (["en: first"], ["en: five", "en: six"])


def test_a_voice_that_cannot_make_sounds_ahead_still_speaks() -> None:
    """What is wrong is told when something is said; until it speaks again nothing is made ahead."""
    voice = GatedVoice(open_gate=True)
    voice.broken = True
    with talking(voice) as announcer:
        announcer.expect([sentence("five")])
        announcer.say([sentence("one")])
        assert announcer.idle(PATIENCE_S)
        assert announcer.failing
        voice.broken = False
        announcer.expect([sentence("six")])
        announcer.say([sentence("two")])
        voice.wait_until_made()

    assert (voice.said, voice.ready) == (["en: two"], ["en: six"])
