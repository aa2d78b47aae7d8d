"""Who owes whom, and whether a die is fair."""

import itertools
import random

import pytest

from companion.log.fairness import LEAST_THROWS, die_test, die_words
from companion.log.settling import Payment, settle
from companion.phrases.written import Written


@pytest.mark.parametrize(
    ("balances", "payments"),
    [
        ({}, ()),
        ({"Anna": 0, "Ben": 0}, ()),
        ({"Anna": 5, "Ben": -5}, (Payment("Ben", "Anna", 5),)),
        (
            {"Anna": 7, "Ben": -2, "Cleo": -5},
            (Payment("Cleo", "Anna", 5), Payment("Ben", "Anna", 2)),
        ),
    ],
)
def test_balances_are_made_even(balances: dict[str, int], payments: tuple[Payment, ...]) -> None:
    """Expect the payments that one would name."""
    assert settle(balances) == payments


def test_no_fewer_payments_would_do() -> None:
    """Expect as few payments as the best parting of the players into even groups allows."""
    rng = random.Random(3)
    for _ in range(60):
        amounts = [rng.randint(-6, 6) for _ in range(5)]
        amounts.append(-sum(amounts))
        balances = {f"P{number}": amount for number, amount in enumerate(amounts)}
        payments = settle(balances)
        for payer, payee, amount in payments:
            assert amount > 0
            balances[payer] += amount
            balances[payee] -= amount
        assert not any(balances.values())
        assert len(payments) == fewest([amount for amount in amounts if amount])


def fewest(amounts: list[int]) -> int:
    """Return the fewest payments by trying every way to part *amounts* into even groups."""
    if not amounts:
        return 0
    first, *rest = amounts
    return min(
        len(chosen) + fewest(_without(rest, chosen))
        for size in range(len(rest) + 1)
        for chosen in itertools.combinations(rest, size)
        if first + sum(chosen) == 0
    )


def _without(rest: list[int], chosen: tuple[int, ...]) -> list[int]:
    left = [*rest]
    for one in chosen:
        left.remove(one)
    return left


def test_balances_that_are_not_even_are_refused() -> None:
    """Expect an error where money appeared from nowhere."""
    with pytest.raises(ValueError, match="sum to 1"):
        settle({"Anna": 1})


def test_the_test_of_a_die_is_the_textbooks() -> None:
    """Expect the statistic and its chance of 60 throws of a loaded die worked out by hand.

    5, 8, 9, 8, 10, 20 of 60 give 13.4, which a table of the chi-squared distribution with five
    degrees of freedom puts between the 5 % point, 11.07, and the 1 % point, 15.09.
    """
    test = die_test({1: 5, 2: 8, 3: 9, 4: 8, 5: 10, 6: 20})
    assert test.chi_squared == pytest.approx(13.4)
    assert test.chance == pytest.approx(0.01991, abs=1e-4)
    assert "once in 50 times" in die_words(test, Written("en"))


def test_few_throws_say_nothing() -> None:
    """Expect no verdict below five expected of each face, however uneven they are."""
    assert die_test({}).chance is None
    assert die_test({6: LEAST_THROWS - 1}).chance is None
    assert "too few" in die_words(die_test({6: 5}), Written("en"))


def test_a_fair_die_is_suspected_as_often_as_is_said() -> None:
    """Expect one alarm in twenty of fair dice, and four in five of dice just uneven enough."""
    rng = random.Random(1)
    throws, games = 300, 400
    noticed = die_test(dict.fromkeys(range(1, 7), throws // 6)).noticed
    assert noticed is not None
    loaded = [1 - noticed / 5] * 5 + [1 + noticed]
    for weights, least, most in (([1.0] * 6, 0.02, 0.09), (loaded, 0.72, 0.88)):
        alarms = 0
        for _ in range(games):
            faces = rng.choices(range(1, 7), weights, k=throws)
            chance = die_test({face: faces.count(face) for face in range(1, 7)}).chance
            assert chance is not None
            alarms += chance < 0.05
        assert least < alarms / games < most
