"""What of a correction is news: what was laid anew just as it was before is not told again."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.events import (
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    Corrected,
    DieThrown,
    Event,
    OpeningThrow,
    ThrowPassed,
)
from referee.match import Match
from referee.moves import Move
from tabletop import Seat

Happening = Sequence[Event]


@dataclass(frozen=True, slots=True)
class _Done:
    """A throw that was taken back, and what had been done with it."""

    seat: Seat
    value: int
    played: bool
    move: Move | None
    knocked: tuple[tuple[Seat, int], ...]


def news_of(happenings: Sequence[Happening], before: Match | None) -> Iterator[Happening]:
    """Yield the *happenings* of a verdict that tell something new to who knew *before*."""
    undone: Iterator[_Done] | None = None
    was: _Done | None = None
    for one in happenings:
        if isinstance(one[0], Corrected):
            undone = None if before is None else _undone(before, one[0].undo_to)
        elif undone is not None:
            if isinstance(one[0], OpeningThrow | DieThrown):
                was = next(undone, None)
            if was is not None and _same(one, was):
                continue
        yield one


def _undone(before: Match, undo_to: int) -> Iterator[_Done]:
    """Yield what was thrown after the event numbered *undo_to*, and played with it."""
    played = {throw.thrown_at: throw.played for throw in before.throws}
    for act in before.acts:
        if act.after < undo_to or act.value is None:
            continue
        done = played.get(act.after + 1)
        seat = before.at(act.after).to_move
        if done is None:
            yield _Done(seat, act.value, played=False, move=None, knocked=())
        else:
            yield _Done(seat, act.value, played=True, move=done.move, knocked=done.knocked)


def _same(happening: Happening, was: _Done) -> bool:
    """Tell whether *happening* is the throw that *was*, or what had been done with it."""
    match happening[0]:
        case OpeningThrow(seat=seat, value=value) | DieThrown(seat=seat, value=value):
            stuck = any(isinstance(event, ThrowPassed) for event in happening)
            was_stuck = was.played and was.move is None
            return (seat, value) == (was.seat, was.value) and (not stuck or was_stuck)
        case CheckerEntered(seat=seat, target=target):
            made: Move | None = Move(None, target)
        case CheckerMoved(seat=seat, source=source, target=target):
            made = Move(source, target)
        case ThrowPassed(seat=seat):
            made = None
        case _:
            return False
    knocked = Counter(one.seat for one in happening if isinstance(one, CheckerKnockedOut))
    return was.played and (seat, made, dict(knocked)) == (was.seat, was.move, dict(was.knocked))
