"""What people may tell the referee, and the events that follow.

A command comes by the console, the command line or a button; what it does is an ordinary event,
logged as said by a person, and can be taken back like any other.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.die_faults import die_fault
from referee.events import (
    About,
    Answer,
    By,
    Corrected,
    DieUnreadable,
    Event,
    GameAbandoned,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    Question,
    Resumed,
)
from referee.hypotheses import AGAIN, NOTHING, Moved, Passed
from referee.match import Match, Phase
from referee.mending import (
    CommandError,
    board_is_right,
    corrected_throw,
    said_throw,
    set_position,
    taken_back,
)
from referee.moves import may_pass, parse_move, reason_against
from referee.outcomes import follow_ups, following_at_once, lawful_events
from referee.reasons import Reason
from tabletop import DieState, Seat

__all__ = [
    "Abandon",
    "BoardIsRight",
    "Choose",
    "Command",
    "CommandError",
    "CorrectThrow",
    "Leave",
    "LeaveThrow",
    "LogIsRight",
    "OutOfTurn",
    "Pause",
    "Rename",
    "Restore",
    "Resume",
    "SayAgain",
    "SayThrow",
    "SetPosition",
    "TakeBack",
    "obey",
]


@dataclass(frozen=True, slots=True)
class SayThrow:
    """The die shows *value*; corrects the last throw where its move is still owed."""

    value: int


@dataclass(frozen=True, slots=True)
class CorrectThrow:
    """The die showed *value* in the throw made *back* throws ago; 1 is the last."""

    value: int
    back: int = 1


@dataclass(frozen=True, slots=True)
class Choose:
    """The answer to the open question: one of its choices, "none" also for a void cast."""

    choice: str


@dataclass(frozen=True, slots=True)
class LeaveThrow:
    """The player leaves his throw unused."""


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """The last throw was made by *seat*, whose turn it was not; with two players it is plain."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last throws are undone, with all that was played with them."""

    throws: int = 1


@dataclass(frozen=True, slots=True)
class Restore:
    """The game goes back to how it stood after the event numbered *sequence*.

    So every command can be undone, taking back among them.
    """

    sequence: int


@dataclass(frozen=True, slots=True)
class BoardIsRight:
    """The board stands rightly, and the log is to follow it; *to_throw* says who throws next."""

    to_throw: Seat | None = None


@dataclass(frozen=True, slots=True)
class LogIsRight:
    """The log is right, and the board will be put as it says."""


@dataclass(frozen=True, slots=True)
class SetPosition:
    """The game goes on from the position on this line (see docs/rules.md)."""

    text: str


@dataclass(frozen=True, slots=True)
class Rename:
    """A player is called *name* from now on."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The player on *seat* gives up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Pause:
    """The game is interrupted."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The game goes on."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """The game ends without a winner."""


@dataclass(frozen=True, slots=True)
class SayAgain:
    """What is awaited, or wrong, is told once more; no event."""


Command: TypeAlias = (
    SayThrow
    | CorrectThrow
    | Choose
    | LeaveThrow
    | OutOfTurn
    | TakeBack
    | Restore
    | BoardIsRight
    | LogIsRight
    | SetPosition
    | Rename
    | Leave
    | Pause
    | Resume
    | Abandon
    | SayAgain
)

MOST_NAME: Final = 40
"""So many letters a player's name may have."""
_AFTER_THE_END: Final = (TakeBack, Restore, CorrectThrow, Rename, SayAgain)
_NOT_IN_A_PAUSE: Final = (SayThrow, Choose, LeaveThrow)


def obey(match: Match, command: Command, by: By) -> tuple[Event, ...]:
    """Return the events by which *command* is obeyed.

    Raises:
        CommandError: it cannot be obeyed as the game stands.
    """
    if match.phase is Phase.OVER and not isinstance(command, _AFTER_THE_END):
        raise CommandError("the game is over: only taking back is possible")
    if match.paused and isinstance(command, _NOT_IN_A_PAUSE):
        raise CommandError("the game is paused: resume it first")
    match command:
        case SayThrow(value=value):
            return _say_throw(match, value, by)
        case CorrectThrow(value=value, back=back):
            return corrected_throw(match, _face(value), back, by)
        case Choose(choice=choice):
            return _choose(match, choice, by)
        case LeaveThrow():
            return _leave_throw(match)
        case OutOfTurn(seat=seat):
            return _out_of_turn(match, seat, by)
        case TakeBack(throws=throws):
            return (taken_back(match, throws, by),)
        case Restore(sequence=sequence):
            return _restored(match, sequence, by)
        case BoardIsRight(to_throw=seat):
            return board_is_right(match, seat, by)
        case LogIsRight():
            return (Corrected(by, match.sequence, "the log was declared right"),)
        case SetPosition(text=text):
            return set_position(match, text, by)
        case _:
            return _about_the_game(match, command)


def _about_the_game(match: Match, command: Command) -> tuple[Event, ...]:
    match command:
        case Rename(seat=seat, name=name):
            return _rename(match, seat, name)
        case Leave(seat=seat):
            return _leave(match, seat)
        case Pause():
            if match.paused:
                raise CommandError("the game is paused already")
            return (Paused(),)
        case Resume():
            if not match.paused:
                raise CommandError("the game is not paused")
            return (Resumed(),)
        case Abandon():
            return (GameAbandoned(tuple(match.bank.refund().items())),)
        case _:
            return ()


def _face(value: int) -> int:
    if not 1 <= value <= 6:
        raise CommandError(f"a die shows 1 to 6, not {value}")
    return value


def _say_throw(match: Match, value: int, by: By) -> tuple[Event, ...]:
    _face(value)
    asked = match.question
    if asked is not None and _throws_back(match, asked) and str(value) in asked.choices:
        return _choose(match, str(value), by)
    if match.phase is Phase.MOVE:
        if asked is not None and asked.about is About.DIE:
            raise CommandError("the move before that cast cannot be made out: say it first")
        return corrected_throw(match, value, 1, by)
    if match.question is None or match.question.about is not About.DIE:
        return said_throw(match, value)
    answer = Answer(match.question.id, str(value), by)
    return (answer, *said_throw(match.after(answer), value))


def _choose(match: Match, choice: str, by: By) -> tuple[Event, ...]:
    question = match.question
    if question is None:
        raise CommandError("no question is open")
    if choice == NOTHING and AGAIN in question.choices:
        choice = AGAIN
    if choice not in question.choices:
        raise CommandError(f"{choice!r} is none of the choices: {', '.join(question.choices)}")
    answer = Answer(question.id, choice, by)
    if choice == NOTHING:
        return (answer,)
    if choice == AGAIN:
        return (answer, DieUnreadable(match.to_move, DieState.UNREADABLE.value))
    if back := _throws_back(match, question):
        if match.acts[-back].value == int(choice):
            return (answer,)
        return (answer, *corrected_throw(match.after(answer), int(choice), back, by))
    if question.about is About.DIE:
        return _say_throw(match, int(choice), by)
    move = parse_move(choice)
    if match.phase is not Phase.MOVE or move is None:
        raise CommandError("the question is out of date: look at the board again")
    if reason := reason_against(match.position, match.die, move, match.rules):
        raise CommandError(f"{choice} is not legal: {reason.value}")
    return (answer, *lawful_events(match.after(answer), (Moved(move),)))


def _throws_back(match: Match, question: Question) -> int:
    """Return how many throws back the one is that *question* is about; 0 where none was ruled."""
    throws = (act.after + 1 for act in reversed(match.acts))
    return next((back for back, at in enumerate(throws, 1) if at == question.throw), 0)


def _leave_throw(match: Match) -> tuple[Event, ...]:
    """Pass, or be told that a move is owed."""
    if match.phase is not Phase.MOVE or match.die is None:
        raise CommandError("no throw is owed a move")
    if not may_pass(match.position, match.die, match.rules):
        return (die_fault(match, Reason.MUST_MOVE),)
    return lawful_events(match, (Passed(chosen=True),))


def _out_of_turn(match: Match, seat: Seat | None, by: By) -> tuple[Event, ...]:
    """Void the last throw; whoever is due throws himself."""
    if not match.acts or match.acts[-1].value is None:
        raise CommandError("there is no throw that could be void")
    back = Corrected(by, match.acts[-1].after, "thrown out of turn")
    before = match.after(back)
    others = [other for other in before.playing if other is not before.to_move]
    if seat is None and len(others) == 1:
        seat = others[0]
    if seat not in others:
        who = ", ".join(others)
        raise CommandError(f"it is the turn of {before.to_move}: say which of {who} threw")
    return (back, die_fault(before, Reason.OUT_OF_TURN, seat))


def _restored(match: Match, sequence: int, by: By) -> tuple[Event, ...]:
    if not 1 <= sequence <= match.sequence:
        raise CommandError(f"there is no event {sequence} to go back to")
    if sequence == match.sequence:
        raise CommandError(f"the game stands as after event {sequence} already")
    back = Corrected(by, sequence, f"restored as after event {sequence}")
    return (back, *following_at_once(match.after(back)))


def _rename(match: Match, seat: Seat, name: str) -> tuple[Event, ...]:
    plain = " ".join(name.split())
    fits = 0 < len(plain) <= MOST_NAME and plain.isprintable() and '"' not in plain
    if seat not in match.seats or not fits:
        raise CommandError(f"{seat} cannot be called {name!r}: name a seat in play, and a name")
    return (PlayerRenamed(seat, plain),)


def _leave(match: Match, seat: Seat) -> tuple[Event, ...]:
    if seat not in match.playing:
        raise CommandError(f"nobody plays on {seat}: seats are {', '.join(match.playing)}")
    left = PlayerLeft(seat, match.colour(seat))
    return (left, *follow_ups(match.after(left), left))
