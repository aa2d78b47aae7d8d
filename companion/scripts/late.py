"""Positions late in a game, for scripts that begin there."""

from random import Random
from typing import Final

from referee.events import By, Event, FirstPlayer, PositionSet
from referee.match import Match
from referee.paths import RESERVE, home_index
from referee.position import Position, position_text
from tabletop import CHECKERS_EACH, SEATS, Seat

_WAITING: Final = 0.2
"""How often a checker of the others waits in the reserve."""
_AT_HOME: Final = 0.2
"""How often one of theirs is at home."""
_TO_GO: Final = 10
"""How far from its home the leader's last checker is, at most."""


def late_setting(rng: Random, match: Match) -> tuple[Event, ...]:
    """Return the events that set a position in which one player needs a last checker home."""
    first, leader = rng.choice(match.playing), rng.choice(match.playing)
    begins = FirstPlayer(first, match.colour(first))
    start = match.after(begins)
    while True:
        position = _position(rng, start, leader)
        setting = PositionSet(By.COMMAND, position_text(position, match.rules), "set by hand")
        try:
            start.after(setting)
        except ValueError:
            # Foreign checkers came to stand together.
            continue
        return (begins, setting)


def _position(rng: Random, start: Match, leader: Seat) -> Position:
    home = home_index(start.rules)
    checkers: list[tuple[int, ...]] = []
    for seat in SEATS:
        if seat not in start.playing:
            checkers.append(())
        elif seat is leader:
            spots = rng.sample(range(home, home + CHECKERS_EACH), CHECKERS_EACH - 1)
            checkers.append(tuple(sorted((rng.randrange(home - _TO_GO, home), *spots))))
        else:
            checkers.append(_spots(rng, home))
    return start.position._replace(checkers=tuple(checkers))


def _spots(rng: Random, home: int) -> tuple[int, ...]:
    """Return where the checkers of such a player are, no two on one square."""
    while True:
        spots = sorted(_spot(rng, home) for _ in range(CHECKERS_EACH))
        placed = [spot for spot in spots if spot != RESERVE]
        if len(set(placed)) == len(placed):
            return tuple(spots)


def _spot(rng: Random, home: int) -> int:
    """Return where a checker of a player is who is not about to win."""
    fate = rng.random()
    if fate < _WAITING:
        return RESERVE
    if fate < _WAITING + _AT_HOME:
        return rng.randrange(home, home + CHECKERS_EACH - 1)
    return rng.randrange(home)
