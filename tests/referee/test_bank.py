"""Stakes, fines, and who gets them."""

import pytest

from referee.bank import Bank
from tabletop import SEATS, Seat


def test_a_new_bank_holds_the_stakes() -> None:
    """Each player has paid his stake and nothing else."""
    bank = Bank.open(SEATS, stake=10, fine=1)
    assert bank.total == 40
    assert bank.paid == tuple((seat, 10) for seat in SEATS)


def test_each_checker_costs_a_fine() -> None:
    """Two checkers of one seat knocked out at once cost two fines; the old bank stays."""
    bank = Bank.open([Seat.D4, Seat.D2], stake=3, fine=5)
    after = bank.after_knock_out(Seat.D2, 2).after_knock_out(Seat.D4)
    assert after.refund() == {Seat.D4: 8, Seat.D2: 13}
    assert bank.total == 6


def test_what_one_wins_the_others_lose() -> None:
    """The net amounts sum to nothing, and losers may be deeper down than their stake."""
    bank = Bank.open(SEATS, stake=1, fine=7).after_knock_out(Seat.D3, 3)
    assert bank.net(Seat.D4) == {Seat.D4: 24, Seat.D3: -22, Seat.D2: -1, Seat.D1: -1}
    assert sum(bank.net(Seat.D3).values()) == 0


def test_a_game_for_nothing() -> None:
    """Stake and fine may be zero."""
    bank = Bank.open([Seat.D4, Seat.D2], stake=0, fine=0).after_knock_out(Seat.D4, 4)
    assert bank.total == 0


@pytest.mark.parametrize("amount", [-1, 0.5, 1.0, True])
def test_only_whole_amounts(amount: object) -> None:
    """Money is counted in whole numbers of the smallest unit."""
    with pytest.raises(ValueError, match="the stake cannot be"):
        Bank.open(SEATS, stake=amount)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the fine cannot be"):
        Bank.open(SEATS, fine=amount)  # type: ignore[arg-type]
