"""What lawful tales are made of: a tale in the making, and what a die that was cast may show."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.hypotheses import CastVoid, Step, Threw
from referee.naming import Case
from referee.opening import Opening
from referee.position import Position
from tabletop import Contents, DieReading, DieState, Square

SURELY_LEANING: Final = 0.95
"""No reader is surer than this that a die leans."""
LEAST_VALUE: Final = 0.01
"""Values less probable than this tell no tale of their own."""
LEAST_COCKED: Final = 0.02


@dataclass(frozen=True, slots=True)
class Tale:
    """A lawful tale, perhaps in the making.

    Attributes:
        steps: what was done.
        position: where that leads.
        board: what then stands on the squares.
        log_prior: how likely people are to do it, and the die to show it.
        log_seen: how well the board fits what is seen.
        case: where the table stands before somebody moves, by which wrongs are named; None where
            a move ends the tale.
        owed: the throw that is owed a move at its end.
        opening: the opening throws at its end; None where it is settled who begins.
    """

    steps: tuple[Step, ...]
    position: Position
    board: Mapping[Square, Contents]
    log_prior: float
    log_seen: float
    case: Case | None = None
    owed: int | None = None
    opening: Opening | None = None

    @property
    def score(self) -> float:
        """The logarithm of how likely it is, up to a constant of the scene."""
        return self.log_prior + self.log_seen


def casts_shown(reading: DieReading) -> list[tuple[Step, float]]:
    """Return what a die that was cast may show, each with its log probability.

    A die that may lean may yet be one that does not: what follows will show it.
    """
    if reading.state is DieState.SETTLED:
        found = _values(reading, 1.0) or [(CastVoid(DieState.UNREADABLE), 0.0)]
        if reading.cocked >= LEAST_COCKED:
            found.append((CastVoid(DieState.COCKED), math.log(reading.cocked)))
        return found
    total = sum(reading.probabilities)
    if reading.cocked == 0.0 or total <= 0.0:
        return [(CastVoid(reading.state), 0.0)]
    leans = min(reading.cocked, SURELY_LEANING)
    if reading.state is DieState.UNREADABLE:  # what no value explains is nothing that can be read
        leans = max(leans, 1.0 - total)
    void = (CastVoid(reading.state), math.log(leans))
    return [*_values(reading, (1.0 - leans) / total), void]


def _values(reading: DieReading, scale: float) -> list[tuple[Step, float]]:
    return [
        (Threw(value, probability), math.log(probability * scale))
        for value, probability in enumerate(reading.probabilities, 1)
        if probability * scale >= LEAST_VALUE
    ]
