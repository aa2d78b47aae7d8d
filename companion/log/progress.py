"""How far everybody has come in a race, and from how far behind it was won."""

from collections import Counter
from typing import Final

from referee.events import (
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    Event,
    GameStarted,
    GameWon,
    PositionSet,
)
from referee.paths import path_indices
from referee.rules import rules_from
from tabletop import Seat, Square

LEAST_COMEBACK: Final = 28
"""Who was a whole round behind the best of the others, in squares, and won has come back."""


class Race:
    """Follows the checkers of one game from event to event; cheaper than playing it by the rules.

    Attributes:
        winner: who won; None as long as nobody has.
        behind: by how many squares each was behind the best of the others at his worst.
    """

    def __init__(self, started: GameStarted) -> None:
        rules = rules_from(dict(started.rules))
        self._indices = {seat: path_indices(seat, rules) for seat, _ in started.seats}
        self._far: Counter[Seat] = Counter(dict.fromkeys(self._indices, 0))
        self.winner: Seat | None = None
        self.behind: Counter[Seat] = Counter()

    def note(self, event: Event) -> None:
        """Take note of *event*."""
        match event:
            case CheckerEntered(seat=seat):
                self._far[seat] += 1
            case CheckerMoved(seat=seat, source=source, target=target):
                self._far[seat] += self._steps(seat, target) - self._steps(seat, source)
            case CheckerKnockedOut(seat=seat, square=square):
                self._far[seat] -= self._steps(seat, square)
            case PositionSet():
                self.behind.clear()  # what came before was another race
            case GameWon(seat=seat):
                self.winner = seat
            case _:
                return
        for seat, far in self._far.items():
            best = max((other for one, other in self._far.items() if one is not seat), default=0)
            self.behind[seat] = max(self.behind[seat], best - far)

    def _steps(self, seat: Seat, square: Square) -> int:
        """Return how many squares a checker of *seat* on *square* has come, its start being 1."""
        return self._indices[seat][square] + 1


def greatest_comeback(race: Race) -> int:
    """Return how far behind the winner had been; 0 where that is not worth telling."""
    behind = race.behind[race.winner] if race.winner is not None else 0
    return behind if behind >= LEAST_COMEBACK else 0
