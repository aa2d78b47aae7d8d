"""A game in progress: its match, its log, and all who hear of it.

An event is on the disk before anyone hears of it. Whoever listens may fail: that is noted once, and
the game goes on. The log may not: without it the match stops.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, Self

from companion.errors import JournalError
from companion.log.commanded import Commanded
from companion.log.journal import Journal, Line
from referee.commands import Command, SayAgain, obey
from referee.events import By, Event
from referee.match import Match, Phase, replay
from referee.outcomes import unsaid
from referee.verdict import Verdict

log = logging.getLogger(__name__)

Now = Callable[[], datetime]
"""The time of day, with its zone."""
Since = Callable[[tuple[Event, ...]], tuple[Event, ...]]
"""Tells what was done since what events tell of."""


@dataclass(frozen=True, slots=True)
class News:
    """What was ruled at once, and the match before and after it.

    Attributes:
        again: nothing is new, and what is awaited is to be told again.
        asked: somebody asked for that.
        no_die: no die is in sight that could have been thrown.
    """

    lines: tuple[Line, ...]
    before: Match | None
    after: Match
    verdict: Verdict | None = None
    again: bool = False
    asked: bool = False
    no_die: bool = False

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(line.event for line in self.lines)


class Listener(Protocol):
    """Somebody who hears of rulings once they are logged; must not block for long."""

    def hear(self, news: News) -> None:
        """Take notice of *news*."""
        ...


class Game:
    """A match, its log and its listeners, owned by one thread."""

    def __init__(
        self, match: Match, journal: Journal, listeners: Iterable[Listener], now: Now
    ) -> None:
        self.match = match
        self.journal: Final = journal
        self._listeners: Final = tuple(listeners)
        self._failed: Final[set[Listener]] = set()
        self._record_failed = False
        self._now: Final = now

    @classmethod
    def start(cls, journal: Journal, listeners: Iterable[Listener], now: Now) -> Self:
        """Return a new game, of which *journal* holds just the first line."""
        game = cls(replay(line.event for line in journal.lines), journal, listeners, now)
        game._tell(News(journal.lines, None, game.match))
        game._write_record()
        return game

    @classmethod
    def resume(cls, journal: Journal, listeners: Iterable[Listener], now: Now) -> Self:
        """Return the game that *journal* holds, as it stood after its last line.

        Where the power went between a move and what follows from it, that is written now.

        Raises:
            EventError: a line cannot follow on those before it.
        """
        events = [line.event for line in journal.lines]
        game = cls(replay(events), journal, listeners, now)
        game._tell(News((), None, game.match))
        game.rule(unsaid(events))
        return game

    @property
    def over(self) -> bool:
        """Whether the game is won or abandoned."""
        return self.match.phase is Phase.OVER

    def rule(
        self,
        events: Iterable[Event],
        verdict: Verdict | None = None,
        commanded: Commanded | None = None,
    ) -> None:
        """Log *events*, carry the match on, and let everybody hear.

        They come of a *verdict* on what was seen, or of what a person *commanded*.

        Raises:
            JournalError: they could not be logged; nobody has heard of those that were not.
        """
        before = self.match
        lines: list[Line] = []
        try:
            for event in events:
                after = self.match.after(event)
                told = None if lines else commanded
                lines.append(self.journal.append(event, self._now(), told))
                self.match = after
        finally:
            if lines:
                self._tell(News(tuple(lines), before, self.match, verdict))
        if lines:
            self._write_record()

    def obey(self, command: Command, by: By, since: Since = lambda _: ()) -> None:
        """Rule as a person commands, and what was done *since* what the command is about.

        Raises:
            CommandError: the command cannot be obeyed as the game stands.
        """
        events = obey(self.match, command, by)
        self.rule((*events, *since(events)), commanded=Commanded(command, by))
        if isinstance(command, SayAgain):
            self.say_again(asked=True)

    def say_again(self, *, asked: bool = False, no_die: bool = False) -> None:
        """Have everybody told once more what is awaited, or wrong.

        Args:
            asked: somebody asked for it.
            no_die: no die is in sight that could have been thrown.
        """
        self._tell(News((), self.match, self.match, again=True, asked=asked, no_die=no_die))

    def _write_record(self) -> None:
        """Keep the record current; it can be made from the log, so a failure stops nothing."""
        try:
            self.journal.write_record(self.match)
        except JournalError as error:
            if not self._record_failed:
                log.warning("the record is not kept current: %s", error)
            self._record_failed = True

    def _tell(self, news: News) -> None:
        for listener in self._listeners:
            try:
                listener.hear(news)
            except Exception as error:
                if listener not in self._failed:
                    self._failed.add(listener)
                    log_failure(type(listener).__name__, error)


def log_failure(name: str, error: Exception) -> None:
    """Note that the listener called *name* failed; where in the code is told only if asked for."""
    trace = error if log.isEnabledFor(logging.DEBUG) else None
    log.error("%s failed (%s); the game goes on", name, error, exc_info=trace)
