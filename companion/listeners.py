"""Those who hear of rulings: JSON lines, voice, lamps; none of them may delay another."""

import threading
from collections import deque
from types import TracebackType
from typing import Final, Self, TextIO

from companion.announcer import Announcer
from companion.appliance.signals import (
    USUAL_SIGNALS,
    Signals,
    lit_seat,
    marked_squares,
    resting_signal,
    signal_of,
)
from companion.errors import InputError
from companion.expected import expected_sentences
from companion.game import Listener, News, log_failure
from companion.log.journal import line_text
from companion.phrases import Phrases
from hardware.ports import Lamps

MOST_WAITING: Final = 64
"""News that wait for a slow listener; of more the oldest are dropped."""


class JsonLines:
    """Writes each line of the log to a stream, as it stands in the log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: Final = stream
        self._error: OSError | None = None

    def hear(self, news: News) -> None:
        """Write the lines of *news*."""
        try:
            for line in news.lines:
                self._stream.write(line_text(line) + "\n")
            self._stream.flush()
        except OSError as error:
            self._error = error
            raise

    def check(self) -> None:
        """See that everything could be written; a reader who left has heard enough.

        Raises:
            InputError: something could not; the log has it.
        """
        if self._error is not None and not isinstance(self._error, BrokenPipeError):
            why = self._error.strerror
            raise InputError(f"standard output cannot be written: {why}; all of it is in the log")


class Speech:
    """Has rulings said aloud."""

    def __init__(self, phrases: Phrases, announcer: Announcer) -> None:
        self._phrases: Final = phrases
        self._announcer: Final = announcer

    @property
    def silent(self) -> bool:
        """Whether the voice failed when it was last tried."""
        return self._announcer.failing

    def hear(self, news: News) -> None:
        """Queue the sentences of *news*."""
        if news.asked:
            # Also where people want to hear rulings only, and though it was said just now.
            self._announcer.repeat(self._phrases.prompt(news.after, no_die=news.no_die))
        elif news.again:
            self._announcer.say((self._phrases.prompt(news.after, no_die=news.no_die),))
        else:
            self._announcer.say(self._phrases.rulings(news.events, news.before, news.after))
        self._announcer.expect(expected_sentences(self._phrases, news.after))


class LampShow:
    """Shows rulings with lamps."""

    def __init__(self, lamps: Lamps, signals: Signals = USUAL_SIGNALS) -> None:
        self._lamps: Final = lamps
        self._signals: Final = signals

    def hear(self, news: News) -> None:
        """Show the strongest signal of *news*, then what is awaited; mark what stands wrongly."""
        signal = signal_of(news.events, news.after, self._signals)
        self._lamps.show(signal, resting_signal(news.after))
        self._lamps.turn(lit_seat(news.after))
        self._lamps.mark(*marked_squares(news.after))


class Background:
    """Lets a listener hear in a thread of its own, so that it never delays a ruling.

    What it cannot keep up with is dropped, the oldest first. If it fails, that is logged once.
    """

    def __init__(self, listener: Listener, most_waiting: int | None = MOST_WAITING) -> None:
        self._listener: Final = listener
        self._waiting: Final[deque[News]] = deque(maxlen=most_waiting)
        self._change: Final = threading.Condition()
        self._stopping = self._failed = False
        name = type(listener).__name__
        self._thread: Final = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def hear(self, news: News) -> None:
        """Queue *news* and return at once."""
        with self._change:
            self._waiting.append(news)
            self._change.notify_all()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Let the listener hear what waits, and end the thread; harmless when repeated.

        Raises:
            RuntimeError: the listener is still busy after *timeout_s*.
        """
        with self._change:
            self._stopping = True
            self._change.notify_all()
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            raise RuntimeError(f"{self._thread.name} did not come to an end in {timeout_s:g} s")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self) -> None:
        while (news := self._next()) is not None:
            try:
                self._listener.hear(news)
            except Exception as error:
                if not self._failed:
                    log_failure(self._thread.name, error)
                self._failed = True

    def _next(self) -> News | None:
        with self._change:
            self._change.wait_for(lambda: self._waiting or self._stopping)
            return self._waiting.popleft() if self._waiting else None
