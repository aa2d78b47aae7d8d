"""The mean figures of random games."""

import random
from typing import Any

import pytest

from referee.moves import legal_moves, play
from referee.paths import RESERVE
from referee.position import Position
from referee.rules import Rules, rules_from
from tabletop import Seat
from tests.referee.tables import load

ROWS = load("statistics.json")["rows"]
IDS = ["-".join([*row["seats"], *row["options"]]) for row in ROWS]
GAMES_AT_ONCE = 600


def random_game(start: Position, rules: Rules, rng: random.Random) -> tuple[int, int, int]:
    """Play a game uniformly; return its throws, knocked-out checkers and throws without a move."""
    position, throws, knocked, idle = start, 0, 0, 0
    while position.winner is None:
        die = rng.randint(1, 6)
        moves = legal_moves(position, die, rules)
        played = play(position, die, rng.choice(moves) if moves else None, rules)
        throws += 1
        knocked += sum(count for _, count in played.knocked)
        idle += not moves
        position = played.after
    return throws, knocked, idle


def check(row: dict[str, Any], games: int) -> None:
    """Play *games* and compare the means; the tolerance of 10,000 games widens as it must."""
    rng = random.Random(2026)
    seats = [Seat(seat) for seat in row["seats"]]
    rules = rules_from(row["options"])
    played = [
        random_game(Position.start(seats, rng.choice(seats)), rules, rng) for _ in range(games)
    ]
    throws, knocked, idle = (sum(column) for column in zip(*played, strict=True))
    wider = (10_000 / games) ** 0.5
    assert throws / games == pytest.approx(row["throws_mean"], abs=wider * row["throws_tolerance"])
    assert knocked / games == pytest.approx(
        row["knocked_out_mean"], abs=wider * row["knocked_out_tolerance"]
    )
    assert idle / throws == pytest.approx(
        row["throws_without_move_share"], abs=wider * row["share_tolerance"]
    )


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_means_of_random_games(row: dict[str, Any]) -> None:
    """Throws, knock-outs and idle throws of a few hundred games are near the known means."""
    check(row, GAMES_AT_ONCE)


@pytest.mark.proof
@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_means_of_many_random_games(row: dict[str, Any]) -> None:
    """Over 10,000 games the means lie within the stated tolerance."""
    check(row, 10_000)


def test_one_player_alone() -> None:
    """A player alone needs 49.814 throws on average, a number known by exact recursion.

    A second player stands by who never gets a throw, for there is no game of one.
    """
    rng = random.Random(7)
    rules = Rules()
    games, throws = 2_000, 0
    for _ in range(games):
        position = Position.start([Seat.D4, Seat.D2])
        while position.winner is None:
            die = rng.randint(1, 6)
            moves = legal_moves(position, die, rules)
            move = rng.choice(moves) if moves else None
            position = play(position, die, move, rules).after._replace(to_move=Seat.D4)
            throws += 1
        assert position.of(Seat.D2) == (RESERVE,) * 4
    # The standard deviation of one game is about 14 throws; 3 standard errors are allowed.
    assert throws / games == pytest.approx(49.814, abs=1.0)
