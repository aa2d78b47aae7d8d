"""Measure how many throws of random four-player games the rules play in a second on one core.

One throw is: roll the die, list the legal moves, choose one uniformly, play it, go to the next
position; all through the public functions. Run it with ``python benchmarks/rules_speed.py``.
"""

import argparse
import json
import random
import time

from referee.moves import legal_moves, play
from referee.position import Position
from referee.rules import Rules, parse_options
from tabletop import SEATS

ROUNDS = 5
"""The best of so many rounds counts: what else the computer does only ever slows one down."""


def throws_per_second(rules: Rules, seconds: float, rng: random.Random) -> float:
    """Return how many throws one second of this process's time is enough for."""
    draw = rng.random
    begun = time.process_time()
    throws = 0
    while (elapsed := time.process_time() - begun) < seconds:
        position = Position.start(SEATS)
        while position.winner is None:
            die = 1 + int(6 * draw())
            moves = legal_moves(position, die, rules)
            move = moves[int(len(moves) * draw())] if moves else None
            position = play(position, die, move, rules).after
            throws += 1
    return throws / elapsed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--options", default="", help='as in "corner=share; stack=block"')
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    rules = parse_options(given.options)
    throws_per_second(rules, 0.1, random.Random(0))  # fill the tables
    best = max(
        throws_per_second(rules, given.seconds, random.Random(number)) for number in range(ROUNDS)
    )
    if given.json:
        print(json.dumps({"throws_per_second": round(best), "options": given.options}))
    else:
        print(f"{best:,.0f} throws a second")


if __name__ == "__main__":
    main()
