"""Whole games on noisy readings: how often the referee errs, asks, and cries wolf."""

import pytest

from tests.referee.noisy_games import noisy_games
from tests.referee.noisy_reader import Noise
from tests.referee.tally import Tally

SEED = "2026-11-30"
GAMES = 200
PROVEN_GAMES, PARTS = 2000, 4


def check(tally: Tally) -> None:
    """Compare what was counted with what is promised."""
    assert tally.accepted == []
    assert tally.missed == []
    assert len(tally.misled) <= 0.0005 * tally.wrong.total(), tally.misled
    assert len(tally.misnamed) <= 0.01 * tally.wrong.total(), tally.misnamed
    assert len(tally.questions) <= 0.003 * tally.moves, tally.questions
    assert len(tally.false_alarms) <= 0.001 * tally.moves, tally.false_alarms
    assert tally.lost == []


def test_without_noise_nothing_is_asked_missed_or_misnamed() -> None:
    """A reader that never errs leaves no doubt, whatever people do."""
    tally = noisy_games(SEED, 12, Noise().times(0))

    assert tally.accepted == tally.missed == tally.misnamed == tally.false_alarms == []
    assert tally.questions == tally.misruled == tally.lost == []
    assert tally.unclear == 0


def test_games_by_a_reader_that_errs() -> None:
    """No wrong move passes, each is called by its name, and hardly anything is asked."""
    check(noisy_games(SEED, GAMES, Noise()))


@pytest.mark.proof
@pytest.mark.parametrize("part", range(PARTS))
def test_thousands_of_games_by_a_reader_that_errs(part: int) -> None:
    """The same over 2,000 games."""
    check(noisy_games(f"{SEED} part {part}", PROVEN_GAMES // PARTS, Noise()))
