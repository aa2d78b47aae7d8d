"""What the logged games tell about players and die; what was taken back does not count."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any, Final

from companion.log.lines import Line
from companion.log.progress import Race, greatest_comeback
from companion.log.settling import Payment, settle
from referee.events import (
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    Corrected,
    DieThrown,
    ExtraThrow,
    FinePaid,
    GameStarted,
    GameWon,
    IllegalMove,
    OpeningThrow,
    Paused,
    PlayerRenamed,
    ThrowPassed,
)
from tabletop import Seat

MOST_MOVE_S: Final = 600.0
"""Who takes longer over a move was not thinking about it."""
MOST_LETTERS: Final = 30
LEAST_MOVE_S: Final = 0.2
"""A move seen together with its throw took nobody knows how long."""


@dataclass(slots=True)
class PlayerStatistics:
    """The sums of one player, who is known by his name.

    Attributes:
        games, wins: how many he played and won.
        throws: how often he threw each value, opening throws among them.
        dealt, suffered: checkers he knocked out, and lost to others.
        fines: what the lost ones cost him.
        extra_throws, passes, illegal: how often each happened to him.
        six_waits: for each six, how many throws it took him since the last or the beginning.
        move_s: how long he took over each move, from the throw's being called.
        comebacks: for each game he won from behind, by how many squares he had been behind.
        balances: what he won and lost in games that were won, stakes and fines included, by unit.
        course: his balance in each of those games, oldest first.
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
    six_waits: list[int] = field(default_factory=list)
    move_s: list[float] = field(default_factory=list)
    comebacks: list[int] = field(default_factory=list)
    balances: Counter[str] = field(default_factory=Counter)
    course: list[int] = field(default_factory=list)


def statistics(games: Iterable[tuple[Line, ...]]) -> tuple[PlayerStatistics, ...]:
    """Return the sums of every player over *games*, in the order in which they first played."""
    players: dict[str, PlayerStatistics] = {}
    for lines in games:
        standing = _standing(lines)
        started = next((one.event for one in standing if isinstance(one.event, GameStarted)), None)
        if started is None:
            continue
        seats = dict(started.names)
        # By his last name, so that one who was "Player 1" at first is known by his own.
        renamed = (one.event for one in standing if isinstance(one.event, PlayerRenamed))
        seats |= {event.seat: event.name for event in renamed}
        for seat, _ in started.seats:
            seats.setdefault(seat, f"Player {seat}")
        often = Counter(seats[seat] for seat, _ in started.seats)
        # Two of one name at one table are two people: the seat tells them apart.
        seats |= {seat: f"{name} ({seat})" for seat, name in seats.items() if often[name] > 1}
        for seat, _ in started.seats:
            name = seats[seat]
            players.setdefault(name, PlayerStatistics(name)).games += 1
        by_seat = {seat: players[seats[seat]] for seat, _ in started.seats}
        _GameCount(started, by_seat).count(standing)
    return tuple(players.values())


def shortened(name: str) -> str:
    """Return a player's name as long as a table or a plot has room for."""
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def all_throws(players: Iterable[PlayerStatistics]) -> Counter[int]:
    """Return how often each value was thrown by all together."""
    return sum((player.throws for player in players), Counter())


def payments(players: Iterable[PlayerStatistics]) -> dict[str, tuple[Payment, ...]]:
    """Return for each unit who pays whom what, so that all are even."""
    balances: dict[str, dict[str, int]] = {}
    for player in players:
        for unit, amount in player.balances.items():
            balances.setdefault(unit, {})[player.name] = amount
    # A log that was tampered with may have let somebody win what nobody lost.
    return {unit: settle(owed) for unit, owed in balances.items() if not sum(owed.values())}


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
        "throws_a_six": round(mean(player.six_waits), 2) if player.six_waits else None,
        "longest_wait": max(player.six_waits, default=None),
        "move_s": round(median(player.move_s), 1) if player.move_s else None,
        "comebacks": len(player.comebacks),
        "greatest_comeback": max(player.comebacks, default=None),
        "balance": sum(player.balances.values()),
        "balances": dict(player.balances),
    }


class _GameCount:
    """Adds what happened in one game to the sums of those who played it."""

    def __init__(self, started: GameStarted, players: dict[Seat, PlayerStatistics]) -> None:
        self._started = started
        self._players = players
        self._waits: Counter[Seat] = Counter()
        self._thrown: Line | None = None

    def count(self, standing: list[Line]) -> None:
        """Count everything in *standing*, the lines that nobody took back."""
        imported = any(line.writer is not None and line.writer.imported for line in standing)
        race = Race(self._started)
        for line in standing:
            # A log that was tampered with may tell of seats where nobody sits.
            with suppress(KeyError):
                self._count(line)
                if not imported:
                    self._time(line)
                race.note(line.event)
        if (won := race.winner) is not None and won in self._players:
            behind = greatest_comeback(race)
            if behind:
                self._players[won].comebacks.append(behind)

    def _count(self, line: Line) -> None:
        players = self._players
        match line.event:
            case OpeningThrow() | DieThrown():
                seat, value = line.event.seat, line.event.value
                players[seat].throws[value] += 1
                if isinstance(line.event, DieThrown):
                    self._waits[seat] += 1
                    if value == 6:
                        players[seat].six_waits.append(self._waits.pop(seat))
            case CheckerKnockedOut(seat=seat, by=by):
                players[seat].suffered += 1
                players[by].dealt += 1
            case FinePaid(seat=seat, amount=amount):
                players[seat].fines += amount
            case ExtraThrow(seat=seat):
                players[seat].extra_throws += 1
            case ThrowPassed(seat=seat):
                players[seat].passes += 1
            case IllegalMove(seat=seat):
                players[seat].illegal += 1
            case GameWon(seat=seat, net=net):
                players[seat].wins += 1
                for one, amount in net:
                    players[one].balances[self._started.unit] += amount
                    players[one].course.append(amount)
            case _:
                pass

    def _time(self, line: Line) -> None:
        """Note how long a move took that nothing interrupted."""
        match line.event:
            case DieThrown():
                self._thrown = line
            case CheckerEntered(seat=seat) | CheckerMoved(seat=seat):
                if self._thrown is not None:
                    took_s = (line.at - self._thrown.at).total_seconds()
                    if LEAST_MOVE_S <= took_s <= MOST_MOVE_S:
                        self._players[seat].move_s.append(took_s)
                self._thrown = None
            case Paused():
                self._thrown = None
            case _:
                pass


def _standing(lines: tuple[Line, ...]) -> list[Line]:
    """Return the lines that no correction took back."""
    kept: list[Line] = []
    for line in lines:
        if isinstance(line.event, Corrected):
            undo_to = line.event.undo_to
            kept = [one for one in kept if one.sequence <= undo_to]
        kept.append(line)
    return kept
