"""The voice and the lamps of the set-up: spoken in the language chosen, and tried when asked to."""

from collections.abc import Iterator

import pytest

from companion.announcer import Announcer
from companion.console.assets import words
from companion.console.guide import TRIED_SIGNALS, Guide
from hardware.lamps import NullLamps, OpenedLamps
from hardware.ports import DeviceError, Signal


class Ear:
    """A voice that notes what it says, or cannot speak at all."""

    def __init__(self, *, dumb: bool = False) -> None:
        self.heard: list[tuple[str, str]] = []
        self.dumb = dumb

    def say(self, text: str, language: str) -> None:
        """Note what is said."""
        if self.dumb:
            raise DeviceError("no loudspeaker")
        self.heard.append((text, language))

    def prepare(self, text: str, language: str) -> None:
        """Make nothing ahead: nothing is heard of it."""

    def close(self) -> None:
        """Hold nothing that would have to be released."""


class Shown:
    """Lamps that note what they show."""

    def __init__(self) -> None:
        self.seen: list[Signal | str | None] = []
        self.closed = False

    def show(self, signal: Signal, then: Signal = Signal.OFF) -> None:  # noqa: ARG002
        """Note the signal."""
        self.seen.append(signal)

    def turn(self, seat: str | None) -> None:
        """Note the seat."""
        self.seen.append(seat)

    def mark(self, wrong: tuple[str, ...], right: tuple[str, ...]) -> None:
        """Mark nothing."""

    def close(self) -> None:
        """Note that they were put out."""
        self.closed = True


def none_there() -> OpenedLamps:
    """Return that there are no lamps."""
    return OpenedLamps(NullLamps())


@pytest.fixture
def ear() -> Ear:
    """Give a voice that notes what it says."""
    return Ear()


@pytest.fixture
def guide(ear: Ear) -> Iterator[Guide]:
    """Give a guide who speaks English, without lamps."""
    with Announcer(ear, "en") as announcer:
        yield Guide(announcer, "", "en", none_there)


def test_steps_are_told_in_the_language_that_was_chosen(guide: Guide, ear: Ear) -> None:
    """What a step asks for is said in English, and after a change in Russian."""
    guide.tell("aim")
    assert guide.trials["voice"]() is None
    guide.speak("ru")
    guide.tell("die")
    assert guide.trials["voice"]() is None
    english, russian = words("en"), words("ru")
    assert set(ear.heard[:2]) == {(english["say-trial"], "en"), (english["say-aim"], "en")}
    assert set(ear.heard[2:]) == {(russian["say-trial"], "ru"), (russian["say-die"], "ru")}


def test_a_voice_that_cannot_be_had_says_why() -> None:
    """A mute program gives its reason, and a loudspeaker that fails is not told as tried."""
    assert Guide(None, "it is mute", "en", none_there).trials["voice"]() == "it is mute"
    with Announcer(Ear(dumb=True), "en") as announcer:
        refused = Guide(announcer, "", "en", none_there).trials["voice"]()
    assert refused is not None
    assert "pachisi doctor" in refused


def test_lamps_show_what_they_can_and_go_out() -> None:
    """Each signal and each seat's lamp is shown once; the pins are free for the game after it."""
    lamps, waited = Shown(), list[float]()
    guide = Guide(None, "", "en", lambda: OpenedLamps(lamps), waited.append)
    assert guide.trials["lamps"]() is None
    assert lamps.seen == [*TRIED_SIGNALS, "D4", "D3", "D2", "D1"]
    assert len(waited) == len(lamps.seen)
    assert lamps.closed


def test_lamps_that_are_not_there_say_why(guide: Guide) -> None:
    """Without lamps in the settings it is said where to name them; else what failed."""
    refused = guide.trials["lamps"]()
    assert refused is not None
    assert "[lamps]" in refused
    broken = OpenedLamps(NullLamps(), ("the pins are taken",))
    assert Guide(None, "", "en", lambda: broken).trials["lamps"]() == "the pins are taken"
