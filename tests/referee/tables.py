"""The tables of known-right figures, and positions written as the tables write them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.moves import Move, legal_moves, may_pass, move_text
from referee.paths import RESERVE, path_indices
from referee.position import Position
from referee.rules import Rules
from tabletop import CHECKERS_EACH, SEATS, Seat, parse_square

FOLDER = Path(__file__).parents[1] / "data" / "rules"
RECORDS = sorted((FOLDER / "records").glob("*.txt"))


def load(name: str) -> Any:
    """Return one of the tables."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def position_of(
    checkers: Mapping[str, str | Sequence[str]],
    to_move: str,
    rules: Rules,
    throws_due: int = 1,
    sixes_in_row: int = 0,
) -> Position:
    """Return the position in which *checkers* stand; those not named wait in the reserve."""
    places: list[tuple[int, ...]] = []
    for seat in SEATS:
        if seat not in checkers:
            places.append(())
            continue
        named = checkers[seat]
        names = named.split() if isinstance(named, str) else named
        indices = path_indices(seat, rules)
        own = [RESERVE if name == "R" else indices[parse_square(name)] for name in names]
        places.append(tuple(sorted(own + [RESERVE] * (CHECKERS_EACH - len(own)))))
    return Position(tuple(places), Seat(to_move), throws_due, sixes_in_row)


def choices(position: Position, die: int, rules: Rules) -> list[Move | None]:
    """Return everything a player may do with a throw; None is a pass."""
    moves: list[Move | None] = [*legal_moves(position, die, rules)]
    return [*moves, None] if may_pass(position, die, rules) else moves


def texts(moves: Sequence[Move | None]) -> list[str]:
    """Write moves as the tables write them, sorted."""
    return sorted(move_text(move).replace("@", "R-") for move in moves)
