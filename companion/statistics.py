"""What the logged games tell about players and die; what was taken back does not count."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from companion.journal import Line
from referee.events import (
    CheckerKnockedOut,
    Corrected,
    DieThrown,
    Event,
    ExtraThrow,
    FinePaid,
    GameStarted,
    GameWon,
    IllegalMove,
    OpeningThrow,
    PlayerRenamed,
    ThrowPassed,
)
from tabletop import Seat


@dataclass(slots=True)
class PlayerStatistics:
    """The sums of one player, who is known by his name.

    Attributes:
        games, wins: how many he played and won.
        throws: how often he threw each value, opening throws among them.
        dealt, suffered: checkers he knocked out, and lost to others.
        fines: what the lost ones cost him.
        extra_throws, passes, illegal: how often each happened to him.
        balance: what he won and lost in games that were won, stakes and fines included.
    """

    name: str
    games: int = 0
    wins: int = 0
    throws: Counter[int] = field(default_factory=Counter)
    dealt: int = 0
    suffered: int = 0
    fines: int = 0
    extra_throws: int = 0
    passes: int = 0
    illegal: int = 0
    balance: int = 0


def statistics(games: Iterable[tuple[Line, ...]]) -> tuple[PlayerStatistics, ...]:
    """Return the sums of every player over *games*, in the order in which they first played."""
    players: dict[str, PlayerStatistics] = {}
    for lines in games:
        events = _standing_events(lines)
        started = next((event for event in events if isinstance(event, GameStarted)), None)
        if started is None:
            continue
        seats = dict(started.names)
        # By his last name, so that one who was "Player 1" at first is known by his own.
        seats |= {event.seat: event.name for event in events if isinstance(event, PlayerRenamed)}
        for seat, _ in started.seats:
            name = seats.setdefault(seat, f"Player {seat}")
            players.setdefault(name, PlayerStatistics(name)).games += 1
        by_seat = {seat: players[seats[seat]] for seat, _ in started.seats}
        for event in events:
            # A log that was tampered with may tell of seats where nobody sits.
            with suppress(KeyError):
                _count(event, by_seat)
    return tuple(players.values())


def statistics_json(player: PlayerStatistics) -> dict[str, Any]:
    """Return a player's sums as JSON values."""
    return {
        "name": player.name,
        "games": player.games,
        "wins": player.wins,
        "throws": {str(value): player.throws[value] for value in range(1, 7)},
        "knock_outs_dealt": player.dealt,
        "knock_outs_suffered": player.suffered,
        "fines": player.fines,
        "extra_throws": player.extra_throws,
        "passes": player.passes,
        "illegal_moves": player.illegal,
        "balance": player.balance,
    }


def _standing_events(lines: tuple[Line, ...]) -> list[Event]:
    """Return the events that no correction took back."""
    kept: list[Line] = []
    for line in lines:
        if isinstance(line.event, Corrected):
            undo_to = line.event.undo_to
            kept = [one for one in kept if one.sequence <= undo_to]
        kept.append(line)
    return [line.event for line in kept]


def _count(event: Event, players: dict[Seat, PlayerStatistics]) -> None:
    match event:
        case OpeningThrow() | DieThrown():
            players[event.seat].throws[event.value] += 1
        case CheckerKnockedOut():
            players[event.seat].suffered += 1
            players[event.by].dealt += 1
        case FinePaid():
            players[event.seat].fines += event.amount
        case ExtraThrow():
            players[event.seat].extra_throws += 1
        case ThrowPassed():
            players[event.seat].passes += 1
        case IllegalMove():
            players[event.seat].illegal += 1
        case GameWon():
            players[event.seat].wins += 1
            for seat, net in event.net:
                players[seat].balance += net
        case _:
            pass
