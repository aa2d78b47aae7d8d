"""A logged game moment by moment: what was done, what followed, who was told, what shows it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.errors import InputError
from companion.log.game_folder import JOURNAL_NAME
from companion.log.lines import Line
from companion.phrases import Phrases
from referee.events import (
    CheckerCameHome,
    CheckerKnockedOut,
    ExtraThrow,
    FinePaid,
    FirstPlayer,
    GameStarted,
    GameWon,
    IllegalMove,
    PassReason,
    ThrowPassed,
)
from referee.match import Match

_FOLLOWS: Final = (CheckerKnockedOut, FinePaid, CheckerCameHome, ExtraThrow, FirstPlayer, GameWon)
"""Events that belong to the throw or the move they follow from."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A deed and all that followed from it at once.

    Attributes:
        lines: of the log, at least one.
        before: the state before it; None at the game's start.
        after: the state it led to.
    """

    lines: tuple[Line, ...]
    before: Match | None
    after: Match

    @property
    def first(self) -> int:
        """The number of its first line."""
        return self.lines[0].sequence

    @property
    def number(self) -> int:
        """The number of its last line."""
        return self.lines[-1].sequence

    @property
    def die(self) -> int | None:
        """The throw that is owed a move, or was played last; None before the first."""
        if self.after.die is not None or not self.after.throws:
            return self.after.die
        return self.after.throws[-1].played.die

    @property
    def knock_out(self) -> bool:
        """Whether a checker was knocked out."""
        return any(isinstance(line.event, CheckerKnockedOut) for line in self.lines)

    @property
    def refused(self) -> bool:
        """Whether a move was refused."""
        return any(isinstance(line.event, IllegalMove) for line in self.lines)


def moments(folder: Path, lines: Iterable[Line]) -> tuple[Moment, ...]:
    """Return the moments of the game in *folder*.

    Raises:
        InputError: a line cannot follow those before it.
    """
    found: list[Moment] = []
    match: Match | None = None
    for group in _groups(lines):
        before = match
        for line in group:
            try:
                match = _after(match, line)
            except ValueError as error:
                where = f"{folder / JOURNAL_NAME}, line {line.sequence}"
                raise InputError(f"{where}: {error}") from error
        assert match is not None
        found.append(Moment(group, before, match))
    return tuple(found)


def moment_at(there: tuple[Moment, ...], number: int) -> int:
    """Return which of the moments holds the line *number*; the last where it is beyond them."""
    return next((at for at, one in enumerate(there) if one.number >= number), len(there) - 1)


def told(moment: Moment, phrases: Phrases) -> tuple[str, ...]:
    """Return the sentences in which people were told of *moment*."""
    events = tuple(line.event for line in moment.lines)
    return tuple(one.text for one in phrases.rulings(events, moment.before, moment.after))


def _groups(lines: Iterable[Line]) -> Iterator[tuple[Line, ...]]:
    group: list[Line] = []
    for line in lines:
        if group and not _follows(line):
            yield tuple(group)
            group = []
        group.append(line)
    if group:
        yield tuple(group)


def _follows(line: Line) -> bool:
    unused = isinstance(line.event, ThrowPassed) and line.event.reason is PassReason.NO_MOVE
    return unused or isinstance(line.event, _FOLLOWS)


def _after(match: Match | None, line: Line) -> Match:
    if match is not None:
        return match.after(line.event)
    if not isinstance(line.event, GameStarted):
        raise ValueError(f"a game begins with game_started, not {line.event.kind}")
    return Match.start(line.event)
