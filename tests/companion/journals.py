"""Journals to test with, made event by event from known values."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.log.journal import Journal
from referee.events import (
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    DieThrown,
    Event,
    ExtraThrow,
    ExtraThrowReason,
    FinePaid,
    FirstPlayer,
    GameStarted,
    OpeningThrow,
    PassReason,
    ThrowPassed,
)
from tabletop import Colour, Seat, parse_square

STARTED_AT = datetime(2026, 11, 30, 18, 2, 11, 250_000, tzinfo=UTC)
RED, BLUE = Colour.RED, Colour.BLUE

SETUP = GameStarted(
    seats=((Seat.D4, RED), (Seat.D2, BLUE)),
    names=((Seat.D4, "Anna"), (Seat.D2, "Борис")),
    rules=(),
    stake=10,
    fine=1,
    unit="points",
    program="1.0.0",
    table="sha256:0",
)


def opening() -> list[Event]:
    """Return the opening throws that let D4 begin, and his entering with a six."""
    return [
        SETUP,
        OpeningThrow(Seat.D4, RED, 5, 0.99),
        OpeningThrow(Seat.D2, BLUE, 3, 0.98),
        FirstPlayer(Seat.D4, RED),
        DieThrown(Seat.D4, RED, 6, 0.99),
        CheckerEntered(Seat.D4, RED, parse_square("b1")),
        ExtraThrow(Seat.D4, ExtraThrowReason.SIX),
    ]


def knock_out() -> list[Event]:
    """Return the opening and a knock-out: D4 lands on D2's checker, which pays the fine."""
    return [
        *opening(),
        DieThrown(Seat.D4, RED, 1),
        CheckerMoved(Seat.D4, RED, parse_square("b1"), parse_square("c1"), 1),
        DieThrown(Seat.D2, BLUE, 6),
        CheckerEntered(Seat.D2, BLUE, parse_square("g8")),
        ExtraThrow(Seat.D2, ExtraThrowReason.SIX),
        DieThrown(Seat.D2, BLUE, 6),
        CheckerMoved(Seat.D2, BLUE, parse_square("g8"), parse_square("a8"), 6),
        ExtraThrow(Seat.D2, ExtraThrowReason.SIX),
        DieThrown(Seat.D2, BLUE, 6),
        CheckerMoved(Seat.D2, BLUE, parse_square("a8"), parse_square("a2"), 6),
        ExtraThrow(Seat.D2, ExtraThrowReason.SIX),
        DieThrown(Seat.D2, BLUE, 4),
        CheckerMoved(Seat.D2, BLUE, parse_square("a2"), parse_square("d1"), 4),
        DieThrown(Seat.D4, RED, 1),
        CheckerMoved(Seat.D4, RED, parse_square("c1"), parse_square("d1"), 1),
        CheckerKnockedOut(Seat.D2, BLUE, parse_square("d1"), Seat.D4),
        FinePaid(Seat.D2, 1, 21),
        ExtraThrow(Seat.D4, ExtraThrowReason.KNOCK_OUT),
        DieThrown(Seat.D4, RED, 2),
        CheckerMoved(Seat.D4, RED, parse_square("d1"), parse_square("f1"), 2),
        DieThrown(Seat.D2, BLUE, 2),
        ThrowPassed(Seat.D2, BLUE, PassReason.NO_MOVE),
    ]


def write(games_dir: Path, events: list[Event]) -> Path:
    """Log *events* two seconds apart and return the game's folder."""
    first, *rest = events
    assert isinstance(first, GameStarted)
    with Journal.create(games_dir, first, STARTED_AT) as journal:
        for number, event in enumerate(rest, start=1):
            journal.append(event, STARTED_AT + timedelta(seconds=2 * number))
        return journal.folder
