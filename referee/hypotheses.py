"""What could have happened: a lawful tale is a few steps, an unlawful one does not fit their end.

Each hypothesis predicts what all squares show; what is seen then decides between them
(`referee.weighing`). They are told by `referee.lawful` and `referee.unlawful`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from referee.events import IllegalMove
from referee.moves import Move
from referee.position import Position
from tabletop import Contents, DieState, Square


@dataclass(frozen=True, slots=True)
class Moved:
    """The throw was played."""

    move: Move


@dataclass(frozen=True, slots=True)
class Passed:
    """The throw was left unused, by choice or for want of a move."""

    chosen: bool


@dataclass(frozen=True, slots=True)
class Threw:
    """The die was cast and shows *value*."""

    value: int
    confidence: float


@dataclass(frozen=True, slots=True)
class CastVoid:
    """The die was cast and lies so that it does not count."""

    state: DieState


@dataclass(frozen=True, slots=True)
class TookBack:
    """The last move is undone, its throw still owed: a mind was changed, or moves taken back."""


Step: TypeAlias = Moved | Passed | Threw | CastVoid | TookBack

AGAIN: Final = "again"
"""How a void cast is written as a choice of a question,"""
NOTHING: Final = "none"
"""and how, that no move was made yet."""


_CASTS: Final = (Threw, CastVoid)


def casts_of(steps: tuple[Step, ...]) -> tuple[Threw | CastVoid, ...]:
    """Return the casts among *steps*."""
    return tuple([step for step in steps if isinstance(step, _CASTS)])


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One tale of what happened.

    Attributes:
        steps: what was done lawfully, in order.
        position: where that leads.
        log_prior: how likely people are to do it, and the die to show it.
        log_seen: how well what the squares show fits it.
        board: every square that is not empty, as the tale predicts it.
        fault: names what else is wrong on the table; None in a lawful tale. Naming takes longer
            than weighing, and only the likeliest tales are asked for it.
        unfinished: nothing is wrong yet, somebody is in the middle of a move.
    """

    steps: tuple[Step, ...]
    position: Position
    log_prior: float
    log_seen: float
    board: Mapping[Square, Contents]
    fault: Callable[[], IllegalMove] | None = field(default=None, compare=False, repr=False)
    unfinished: bool = False

    @property
    def wrong(self) -> IllegalMove | None:
        """What else is wrong on the table; None in a lawful tale."""
        return None if self.fault is None else self.fault()

    @property
    def score(self) -> float:
        """The logarithm of how likely it is, up to a constant of the scene."""
        return self.log_prior + self.log_seen


def before_last_cast(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps before the last cast of *steps*, none where there is no cast."""
    casts = [at for at, step in enumerate(steps) if isinstance(step, Threw | CastVoid)]
    return steps[: casts[-1]] if casts else ()
