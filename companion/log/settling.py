"""Who owes whom: balances made even with as few payments as can be."""

from collections.abc import Mapping
from typing import Final, NamedTuple

MOST_EXACT: Final = 14
"""Of so many players at most the fewest payments are sought; of more, few ones are taken."""


class Payment(NamedTuple):
    """What one player pays another."""

    payer: str
    payee: str
    amount: int


def settle(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return payments that make all *balances* even, which sum to nothing.

    A group whose balances cancel out among themselves needs one payment fewer than it has members,
    so the players are parted into as many such groups as can be.

    >>> settle({"Anna": 7, "Ben": -2, "Cleo": -5})
    (Payment(payer='Cleo', payee='Anna', amount=5), Payment(payer='Ben', payee='Anna', amount=2))

    Raises:
        ValueError: they do not sum to nothing.
    """
    owed = {name: amount for name, amount in balances.items() if amount}
    if sum(owed.values()):
        raise ValueError(f"the balances sum to {sum(owed.values())}, not to nothing")
    names = sorted(owed)
    groups = _groups(names, owed) if len(names) <= MOST_EXACT else [names]
    return tuple(
        payment for group in groups for payment in _pay({name: owed[name] for name in group})
    )


def _groups(names: list[str], owed: Mapping[str, int]) -> list[list[str]]:
    """Part the players into the most groups whose balances each sum to nothing.

    Over all subsets, as bits: the most groups in one are those in the best of it less one player,
    and one more where the subset itself sums to nothing.
    """
    amounts = [owed[name] for name in names]
    size = 1 << len(amounts)
    sums = [0] * size
    most = [0] * size
    step = [0] * size
    for chosen in range(1, size):
        low = chosen & -chosen
        sums[chosen] = sums[chosen ^ low] + amounts[low.bit_length() - 1]
        best, came_from = -1, 0
        rest = chosen
        while rest:
            one = rest & -rest
            rest ^= one
            if most[chosen ^ one] > best:
                best, came_from = most[chosen ^ one], one
        most[chosen] = best + (sums[chosen] == 0)
        step[chosen] = came_from
    groups: list[list[str]] = []
    chosen = size - 1
    while chosen:
        if sums[chosen] == 0:
            groups.append([])
        one = step[chosen]
        groups[-1].append(names[one.bit_length() - 1])
        chosen ^= one
    return groups


def _pay(balances: dict[str, int]) -> list[Payment]:
    """Let the one who owes most pay the one who is owed most, until all is even."""
    payments = []
    while any(balances.values()):
        payer = min(balances, key=lambda name: (balances[name], name))
        payee = max(balances, key=lambda name: (balances[name], name))
        amount = min(-balances[payer], balances[payee])
        payments.append(Payment(payer, payee, amount))
        balances[payer] += amount
        balances[payee] -= amount
    return payments
