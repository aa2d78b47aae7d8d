"""The queue in front of the voice: what matters first, nothing stale, nothing twice."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from companion.phrases import Importance, Sentence
from hardware.ports import Voice

MOST_WAITING: Final = 12
"""More sentences than this are a quarter of a minute of talk that nobody listens to."""

STALE_AFTER_S: Final = 10.0
TWICE_WITHIN_S: Final = 2.0
"""The same sentence within this time is the same happening, told twice."""

FAREWELL_S: Final = 8.0
"""How long the end of a game may take to be told."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Waiting:
    sentence: Sentence
    since_s: float


class Announcer:
    """Says sentences one after another in a thread of its own; nobody ever waits for it.

    Chatter waits for rulings. A newer sentence takes the place of one that waits on the same topic,
    or on a topic that it drops. What waited too long is never said. A voice that fails is logged
    once and tried again with the next sentence. While nothing waits, the sound of what is expected
    to be said next is made.

    Args:
        voice: what speaks; it is not closed here.
        language: the language of the sentences; it may be changed between two of them.
        least: sentences of less importance are left out.
        stale_after_s: how long a sentence may wait.
        failing: the voice is known to fail, and that was told.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        voice: Voice,
        language: str,
        *,
        least: Importance = Importance.CHATTER,
        stale_after_s: float = STALE_AFTER_S,
        failing: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._voice = voice
        self.language = language
        self._least = least
        self._stale_after_s = stale_after_s
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._expected: Iterator[Sentence] = iter(())
        self._last: _Waiting | None = None
        self._speaking = False
        self._stopping = False
        self._failing = failing
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)
        self._thread.start()

    @property
    def failing(self) -> bool:
        """Whether the voice failed when it was last tried."""
        return self._failing

    def say(self, sentences: Iterable[Sentence]) -> None:
        """Queue *sentences* of one happening; return at once."""
        fresh = [one for one in sentences if one.importance >= self._least]
        with self._news:
            stale = {topic for one in fresh for topic in (one.topic, *one.drops)}
            self._waiting = [one for one in self._waiting if one.sentence.topic not in stale]
            now_s = self._clock()
            self._waiting += [_Waiting(one, now_s) for one in fresh if not self._was_said(one)]
            while len(self._waiting) > MOST_WAITING:
                self._waiting.remove(min(self._waiting, key=lambda one: one.sentence.importance))
            self._news.notify_all()

    def repeat(self, sentence: Sentence) -> None:
        """Say *sentence* next, though it was said before: somebody asked for it."""
        with self._news:
            self._waiting = [one for one in self._waiting if one.sentence != sentence]
            self._waiting.insert(0, _Waiting(sentence, self._clock()))
            self._news.notify_all()

    def expect(self, sentences: Iterable[Sentence]) -> None:
        """Have the sound of *sentences* made ahead, those expected before being forgotten.

        They are taken from the iterable one by one, in the thread that speaks.
        """
        with self._news:
            self._expected = iter(sentences)
            self._news.notify_all()

    def idle(self, timeout_s: float) -> bool:
        """Wait until all is said; return whether it was within *timeout_s*."""
        with self._news:
            return self._news.wait_for(lambda: not self._waiting and not self._speaking, timeout_s)

    def stop(self, timeout_s: float = 5.0) -> None:
        """Drop what waits, let the sentence being said end, and end the thread.

        Raises:
            RuntimeError: the voice is still busy after *timeout_s*.
        """
        with self._news:
            self._stopping = True
            self._waiting.clear()
            self._news.notify_all()
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            raise RuntimeError(f"the voice did not come to an end within {timeout_s:g} s")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            # The last sentences tell who has won.
            self.idle(FAREWELL_S)
        self.stop()

    def _was_said(self, sentence: Sentence) -> bool:
        """Tell whether *sentence* is being said, or was the last one and just now."""
        last = self._last
        if last is None or last.sentence != sentence:
            return False
        return self._speaking or self._clock() - last.since_s < TWICE_WITHIN_S

    def _run(self) -> None:
        while (due := self._next()) is not None:
            sentence, aloud = due
            if not aloud:
                self._prepare(sentence)
                continue
            self._speak(sentence)
            with self._news:
                self._speaking = False
                self._last = _Waiting(sentence, self._clock())
                self._news.notify_all()

    def _next(self) -> tuple[Sentence, bool] | None:
        """Wait for a sentence and return whether it is said or made ready; None: time to stop."""
        with self._news:
            while True:
                now_s = self._clock()
                self._waiting = [
                    one for one in self._waiting if now_s - one.since_s <= self._stale_after_s
                ]
                if self._stopping:
                    return None
                if self._waiting:
                    break
                self._news.notify_all()
                if (expected := self._next_expected()) is not None:
                    return expected, False
                self._news.wait()
            chosen = next(
                (one for one in self._waiting if one.sentence.importance > Importance.CHATTER),
                self._waiting[0],
            )
            self._waiting.remove(chosen)
            self._speaking = True
            self._last = chosen
            return chosen.sentence, True

    def _next_expected(self) -> Sentence | None:
        if self._failing:  # nothing would be heard of it
            return None
        try:
            return next((one for one in self._expected if one.importance >= self._least), None)
        except Exception as error:
            # What cannot be worded is told of when it is to be said.
            _log.debug("What is expected cannot be worded: %s", error)
            return None

    def _prepare(self, sentence: Sentence) -> None:
        try:
            self._voice.prepare(sentence.spoken, self.language)
        except Exception as error:
            # It is told of when it is to be said.
            _log.debug("No sound could be made ahead: %s", error)
            self._expected = iter(())

    def _speak(self, sentence: Sentence) -> None:
        try:
            self._voice.say(sentence.spoken, self.language)
        except Exception as error:
            # Whatever breaks in a voice, the game goes on without it.
            if not self._failing:
                _log.warning("The voice failed, the game goes on in silence: %s", error)
            self._failing = True
        else:
            if self._failing:
                _log.info("The voice is back")
            self._failing = False
