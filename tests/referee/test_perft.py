"""Counting all games to a depth: one wrong rule changes a number."""

from typing import Any

import pytest

from referee.moves import move_text, play
from referee.position import Position
from referee.rules import Rules, rules_from
from tests.referee.tables import choices, load, position_of

LEAVES_AT_ONCE = 120_000


def perft(position: Position, plies: int, rules: Rules) -> int:
    """Count the positions after *plies* throws; a finished game is one leaf."""
    if position.winner is not None:
        return 1
    count = 0
    for die in range(1, 7):
        moves = choices(position, die, rules)
        if plies == 1:
            count += len(moves)
        else:
            count += sum(
                perft(play(position, die, move, rules).after, plies - 1, rules) for move in moves
            )
    return count


def divide(position: Position, plies: int, rules: Rules) -> str:
    """Write the count under each first throw, by which a wrong rule is found."""
    lines = []
    for die in range(1, 7):
        for move in choices(position, die, rules):
            after = play(position, die, move, rules).after
            count = perft(after, plies - 1, rules) if plies > 1 else 1
            lines.append(f"{die} {move_text(move)}: {count}")
    return "\n".join(lines)


def rows(heavy: bool) -> list[Any]:
    """Return (row, plies, leaves) for the counts that are heavy or not."""
    found = []
    for row in load("perft.json")["rows"]:
        options = ",".join(f"{name}={value}" for name, value in row["options"].items())
        for plies, leaves in enumerate(row["perft"], 1):
            if (leaves > LEAVES_AT_ONCE) == heavy:
                name = f"{row['position']}-{options or 'usual'}-{plies}"
                found.append(pytest.param(row, plies, leaves, id=name))
    return found


def check(row: dict[str, Any], plies: int, leaves: int) -> None:
    """Compare one count."""
    rules = rules_from(row["options"])
    position = position_of(row["checkers"], row["to_move"], rules)
    assert perft(position, plies, rules) == leaves, divide(position, plies, rules)


@pytest.mark.parametrize(("row", "plies", "leaves"), rows(heavy=False))
def test_perft(row: dict[str, Any], plies: int, leaves: int) -> None:
    """The number of games of this length is the known one."""
    check(row, plies, leaves)


@pytest.mark.proof
@pytest.mark.parametrize(("row", "plies", "leaves"), rows(heavy=True))
def test_perft_deep(row: dict[str, Any], plies: int, leaves: int) -> None:
    """The number of longer games is the known one too."""
    check(row, plies, leaves)


def test_divide_sums_to_the_count() -> None:
    """The help for finding a wrong rule counts the same leaves."""
    row = load("perft.json")["rows"][5]
    rules = rules_from(row["options"])
    position = position_of(row["checkers"], row["to_move"], rules)
    counts = [int(line.rpartition(" ")[2]) for line in divide(position, 2, rules).splitlines()]
    assert sum(counts) == row["perft"][1]
    assert len(divide(position, 1, rules).splitlines()) == row["perft"][0]
