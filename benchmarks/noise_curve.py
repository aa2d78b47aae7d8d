"""How the referee bears up when the reader errs more: the table in docs/noise.md.

python -m benchmarks.noise_curve [GAMES]
"""

import sys

from tests.referee.noisy_games import noisy_games
from tests.referee.noisy_reader import AS_MEASURED, Noise
from tests.referee.tally import Tally

SEED = "2026-11-30"
LEVELS = {f"x {factor}": Noise().times(factor) for factor in (0, 1, 2, 4)} | {
    "die as measured": AS_MEASURED
}


def main() -> None:
    """Play so many games at each level of noise and print a line of the table for each."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for level, noise in LEVELS.items():
        print(row(level, noisy_games(SEED, games, noise)), flush=True)


def row(level: str, tally: Tally) -> str:
    """Return the line of the table for what was counted."""
    wrong, moves = tally.wrong.total(), tally.moves
    cells = (
        level,
        str(tally.games),
        str(moves),
        str(wrong),
        str(len(tally.accepted)),
        str(len(tally.missed)),
        f"{1 - len(tally.misnamed) / wrong:.2%}",
        f"{len(tally.false_alarms) / moves:.3%}",
        f"{len(tally.questions) / moves:.2%}",
        f"{tally.unclear / moves:.2%}",
        f"{tally.thrown_again / moves:.2%}",
        str(len(tally.misruled)),
        str(len(tally.lost)),
    )
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
