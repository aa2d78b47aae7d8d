"""What people may tell the referee, and the events that follow.

A command comes by the console, the command line or a button; what it does is an ordinary event,
logged as said by a person, and can be taken back like any other.
"""

from dataclasses import dataclass
from typing import TypeAlias

from referee.events import (
    About,
    Answer,
    By,
    Corrected,
    Event,
    GameAbandoned,
    Paused,
    Resumed,
    Source,
)
from referee.hypotheses import Moved, Passed
from referee.match import Match, Phase
from referee.moves import may_pass, parse_move, reason_against
from referee.outcomes import lawful_events, thrown_events


@dataclass(frozen=True, slots=True)
class SayThrow:
    """The die shows *value*; corrects the last throw where its move is still owed."""

    value: int


@dataclass(frozen=True, slots=True)
class Choose:
    """The answer to the open question, one of its choices."""

    choice: str


@dataclass(frozen=True, slots=True)
class LeaveThrow:
    """The player leaves his throw unused."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last throws are undone, with all that was played with them."""

    throws: int = 1


@dataclass(frozen=True, slots=True)
class Pause:
    """The game is interrupted."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The game goes on."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """The game ends without a winner."""


Command: TypeAlias = SayThrow | Choose | LeaveThrow | TakeBack | Pause | Resume | Abandon


class CommandError(ValueError):
    """A command cannot be obeyed as the game stands; the text says why and what could be said."""


def obey(match: Match, command: Command, by: By) -> tuple[Event, ...]:
    """Return the events by which *command* is obeyed.

    Raises:
        CommandError: it cannot be obeyed as the game stands.
    """
    if match.phase is Phase.OVER and not isinstance(command, TakeBack):
        raise CommandError("the game is over: only taking back is possible")
    match command:
        case SayThrow(value=value):
            return _say_throw(match, value, by)
        case Choose(choice=choice):
            return _choose(match, choice, by)
        case LeaveThrow():
            return _leave_throw(match)
        case TakeBack(throws=throws):
            return (_take_back(match, throws, by),)
        case Pause():
            return () if match.paused else (Paused(),)
        case Resume():
            return (Resumed(),) if match.paused else ()
        case Abandon():
            return (GameAbandoned(tuple(match.bank.refund().items())),)


def _say_throw(match: Match, value: int, by: By) -> tuple[Event, ...]:
    if not 1 <= value <= 6:
        raise CommandError(f"a die shows 1 to 6, not {value}")
    events: list[Event] = []
    if match.phase is Phase.MOVE:
        why = f"the die shows {value}, not {match.die}"
        events.append(Corrected(by, match.thrown_at - 1, why))
    elif match.question is not None and match.question.about is About.DIE:
        events.append(Answer(match.question.id, str(value), by))
    for event in events:
        match = match.after(event)
    thrown = thrown_events(match, value, 1.0, Source.PERSON)
    return (*events, *thrown, *_forced_pass(match, thrown))


def _forced_pass(match: Match, thrown: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the pass that follows at once on a throw no move can use."""
    for event in thrown:
        match = match.after(event)
    if match.phase is not Phase.MOVE or match.legal:
        return ()
    return lawful_events(match, (Passed(chosen=False),))


def _choose(match: Match, choice: str, by: By) -> tuple[Event, ...]:
    question = match.question
    if question is None:
        raise CommandError("no question is open")
    if choice not in question.choices:
        raise CommandError(f"{choice!r} is none of the choices: {', '.join(question.choices)}")
    if question.about is About.DIE:
        return _say_throw(match, int(choice), by)
    answer = Answer(question.id, choice, by)
    move = parse_move(choice)
    if match.phase is not Phase.MOVE or move is None:
        raise CommandError("the question is out of date: look at the board again")
    if reason := reason_against(match.position, match.die, move, match.rules):
        raise CommandError(f"{choice} is not legal: {reason.value}")
    return (answer, *lawful_events(match.after(answer), (Moved(move),)))


def _leave_throw(match: Match) -> tuple[Event, ...]:
    if match.phase is not Phase.MOVE or match.die is None:
        raise CommandError("no throw is owed a move")
    if not may_pass(match.position, match.die, match.rules):
        raise CommandError(f"a move is owed for the {match.die}")
    return lawful_events(match, (Passed(chosen=True),))


def _take_back(match: Match, throws: int, by: By) -> Corrected:
    """Go back to before the throw that began the last *throws* throws."""
    starts = [throw.thrown_at for throw in match.throws]
    if match.phase is Phase.MOVE:
        starts.append(match.thrown_at)
    if not 1 <= throws <= len(starts):
        raise CommandError(f"{len(starts)} throws can be taken back, not {throws}")
    return Corrected(by, starts[-throws] - 1, f"{throws} taken back")
