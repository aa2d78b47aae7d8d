"""The voice of the set-up, and what people try there: whether voice and lamps can be had."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, TypeAlias

from companion.announcer import Announcer
from companion.appliance.devices import opened_lamps, voice_settings
from companion.console.assets import words
from companion.options import Outputs
from companion.phrases import Importance, Phrases, Sentence, Topic
from hardware.lamps import NullLamps, OpenedLamps
from hardware.ports import Signal
from hardware.voice import open_voice
from tabletop import SEATS

SAID_WITHIN_S: Final = 15.0
"""A sentence that is still not said by then will not be."""
SHOWN_S: Final = 1.2
"""So long each signal is shown to who tries the lamps."""
TRIED_SIGNALS: Final = (Signal.LEGAL, Signal.ILLEGAL, Signal.KNOCK_OUT)

_MUTE: Final = "nothing is said aloud: the program was started so, or the settings say mute"
_NO_LAMPS: Final = "no lamps are set up: name them in the settings file, under [lamps] or [strip]"
_FAILED: Final = "the voice failed: `pachisi doctor` says why"

Trial: TypeAlias = Callable[[], str | None]
"""Tries something; returns why it could not be done, None where it was."""


class Guide:
    """Says aloud what the set-up asks for, and lets people hear and see what there is.

    Args:
        announcer: who speaks; None where nothing is said aloud.
        why_silent: why nothing is.
        language: of what is said.
        open_lamps: opens the lamps of this table for a trial.
        wait: waits so many seconds.
    """

    def __init__(
        self,
        announcer: Announcer | None,
        why_silent: str,
        language: str,
        open_lamps: Callable[[], OpenedLamps],
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._announcer: Final = announcer
        self._why_silent: Final = why_silent
        self._open_lamps: Final = open_lamps
        self._wait: Final = wait
        self._language = language
        self.trials: Final[Mapping[str, Trial]] = MappingProxyType(
            {"voice": self._try_voice, "lamps": self._try_lamps}
        )

    def tell(self, name: str) -> None:
        """Say what the step of that name asks for, or *name* itself where there is no such step.

        The latter is what the die shows: it is said though it is the same as before, and though
        the next step begins at once.
        """
        text = words(self._language).get(f"say-{name}")
        if text is not None:
            self.say(Sentence(text, text, Importance.RULING, Topic.GAME))
        elif self._announcer is not None:
            self._announcer.repeat(Sentence(name, name, Importance.RULING, Topic.TABLE))

    def say(self, sentence: Sentence) -> None:
        """Say *sentence*, if anything is said aloud."""
        if self._announcer is not None:
            self._announcer.say((sentence,))

    def speak(self, language: str) -> None:
        """Speak *language* from now on."""
        self._language = language
        if self._announcer is not None:
            self._announcer.language = language

    def _try_voice(self) -> str | None:
        if self._announcer is None:
            return self._why_silent
        text = words(self._language)["say-trial"]
        self._announcer.repeat(Sentence(text, text, Importance.RULING, Topic.TABLE))
        said = self._announcer.idle(SAID_WITHIN_S)
        return None if said and not self._announcer.failing else _FAILED

    def _try_lamps(self) -> str | None:
        opened = self._open_lamps()
        try:
            if isinstance(opened.lamps, NullLamps):
                return "; ".join(opened.notes) or _NO_LAMPS
            for signal in TRIED_SIGNALS:
                opened.lamps.show(signal)
                self._wait(SHOWN_S)
            for seat in SEATS:
                opened.lamps.turn(seat.value)
                self._wait(SHOWN_S / 2)
            return "; ".join(opened.notes) or None
        finally:
            opened.lamps.close()


@contextmanager
def open_guide(outputs: Outputs, code: str | None = None) -> Iterator[Guide]:
    """Give a guide with the voice and the lamps that *outputs* name.

    The *code* that lets phones in, if there is one, is said first: a box may have no screen.
    """
    settings, language = outputs.settings, outputs.language

    def open_lamps() -> OpenedLamps:
        return opened_lamps(settings, spoken=True)

    if outputs.mute:
        yield Guide(None, _MUTE, language, open_lamps)
        return
    opened = open_voice(_in_vain, voice_settings(settings))
    try:
        if opened.note:
            yield Guide(None, opened.note, language, open_lamps)
            return
        with Announcer(opened.voice, language) as announcer:
            guide = Guide(announcer, "", language, open_lamps)
            if code is not None:
                guide.say(Phrases(language).page_code(code))
            yield guide
    finally:
        opened.voice.close()


def _in_vain(_: str) -> None:
    """Take what a voice would say that there is not."""
