"""How the referee bears up when the reader errs more: the table in docs/noise.md.

python -m benchmarks.noise_curve [GAMES]
"""

import sys

from tests.referee.noisy_games import noisy_games
from tests.referee.noisy_reader import Noise

SEED = "2026-11-30"
FACTORS = (0, 1, 2, 4)


def main() -> None:
    """Play so many games at each level of noise and print a line of the table for each."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for factor in FACTORS:
        tally = noisy_games(SEED, games, Noise().times(factor))
        wrong, moves = tally.wrong.total(), tally.moves
        cells = (
            f"x {factor}",
            str(tally.games),
            str(moves),
            str(wrong),
            str(tally.accepted),
            str(tally.unflagged),
            f"{1 - len(tally.misnamed) / wrong:.2%}",
            f"{len(tally.false_alarms) / moves:.3%}",
            f"{tally.asked / moves:.2%}",
            f"{tally.unclear / moves:.2%}",
            str(len(tally.misruled)),
            str(len(tally.lost)),
        )
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
