"""The opening throws: who begins."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tabletop import Seat


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening throws so far: one each in the order of play, the tied leaders again.

    Attributes:
        contenders: who throws in this round, in the order of play; one alone has won the opening.
        values: what the first of them have thrown in this round.
        rounds: how many rounds ended without a winner: in a tie, or for a player left.
    """

    contenders: tuple[Seat, ...]
    values: tuple[int, ...] = ()
    rounds: int = 0

    @classmethod
    def start(cls, seats: Iterable[Seat]) -> Self:
        """Return the opening of a game of *seats* before anybody threw."""
        playing = frozenset(seats)
        return cls(tuple(seat for seat in Seat if seat in playing))

    @property
    def first(self) -> Seat | None:
        """Who begins, once that is decided."""
        return self.contenders[0] if len(self.contenders) == 1 else None

    @property
    def next(self) -> Seat | None:
        """Whose opening throw is due; None once it is decided who begins."""
        return None if self.first else self.contenders[len(self.values)]

    @property
    def tied(self) -> tuple[Seat, ...]:
        """Who has to throw again because the round before ended in a tie, or a player left."""
        return self.contenders if self.rounds and self.first is None else ()

    def anew(self, seats: Iterable[Seat]) -> Self:
        """Return the opening begun again by *seats*, who are left; what was thrown is void."""
        return replace(self.start(seats), rounds=self.rounds + bool(self.values))

    def after(self, value: int) -> Self:
        """Return the opening after the next player threw *value*.

        Raises:
            ValueError: it is decided already, or *value* is no face of a die.
        """
        if self.first is not None:
            raise ValueError(f"{self.first} begins already: no opening throw is due")
        if value not in range(1, 7):
            raise ValueError(f"a die shows 1 to 6, not {value!r}")
        values = (*self.values, value)
        if len(values) < len(self.contenders):
            return replace(self, values=values)
        leaders = tuple(
            seat
            for seat, thrown in zip(self.contenders, values, strict=True)
            if thrown == max(values)
        )
        return replace(self, contenders=leaders, values=(), rounds=self.rounds + (len(leaders) > 1))
