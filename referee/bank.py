"""The bank: stakes and fines in whole numbers of the smallest unit."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tabletop import Seat


@dataclass(frozen=True, slots=True)
class Bank:
    """What each player has paid in.

    Attributes:
        stake: what each player pays at the start.
        fine: what a player pays for each of his checkers knocked out.
        paid: each player with what he has paid in so far, in the order of play.

    Raises:
        ValueError: an amount is negative or not a whole number.
    """

    stake: int
    fine: int
    paid: tuple[tuple[Seat, int], ...]

    def __post_init__(self) -> None:
        for name, amount in (("stake", self.stake), ("fine", self.fine)):
            if type(amount) is not int or amount < 0:
                raise ValueError(f"the {name} cannot be {amount!r}: a whole number, 0 or more")

    @classmethod
    def open(cls, seats: Iterable[Seat], stake: int = 10, fine: int = 1) -> Self:
        """Return the bank of a new game, every player's stake paid in."""
        return cls(stake, fine, tuple((seat, stake) for seat in seats))

    @property
    def total(self) -> int:
        """What is in the bank, and what the winner takes."""
        return sum(amount for _, amount in self.paid)

    def after_knock_out(self, seat: Seat, count: int = 1) -> Self:
        """Return the bank after *count* checkers of *seat* were knocked out.

        >>> Bank.open([Seat.D4, Seat.D2]).after_knock_out(Seat.D2, 2).total
        22
        """
        fine = self.fine * count
        return replace(
            self,
            paid=tuple((payer, had + fine * (payer is seat)) for payer, had in self.paid),
        )

    def net(self, winner: Seat) -> dict[Seat, int]:
        """Return what each player is up or down when *winner* takes the bank; it sums to 0."""
        return {seat: self.total * (seat is winner) - amount for seat, amount in self.paid}

    def refund(self) -> dict[Seat, int]:
        """Return what each player gets back when the game is abandoned: what he paid in."""
        return dict(self.paid)
