"""Draw how often answers are right against how surely they were given.

    pachisi evaluate SET --json | plot_confidence.py squares docs/pictures/sure-squares.png

Reads what `pachisi evaluate --json` writes, one line a set or several, adds up the answers about
board, squares or dice, and draws them: honest answers lie on the diagonal.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # after the choice of a screenless backend

from companion.measuring.reliability import BINS, Bin, calibration_error


def main() -> int:
    """Read sets from standard input and draw the answers about one thing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("about", choices=("board", "squares", "dice"))
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    answers = added(arguments.about, (json.loads(line) for line in sys.stdin))
    if not any(one.count for one in answers):
        print(f"plot_confidence: no answers about {arguments.about} were given", file=sys.stderr)
        return 1
    draw(answers, arguments.about, arguments.out)
    return 0


def added(about: str, sets: Iterable[dict[str, Any]]) -> tuple[Bin, ...]:
    """Return the answers about one thing, of all *sets* together."""
    total = [Bin()] * BINS
    for one in sets:
        for at, row in enumerate(one["reliability"].get(about, ())):
            total[at] += Bin(*row)
    return tuple(total)


def draw(answers: tuple[Bin, ...], about: str, out: Path) -> None:
    """Draw *answers* into the file *out*; the area of a dot tells how many they are."""
    out.parent.mkdir(parents=True, exist_ok=True)
    filled = [one for one in answers if one.count]
    figure, axes = pyplot.subplots(figsize=(4, 4), dpi=90, layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.scatter(
        [one.said / one.count for one in filled],
        [one.right / one.count for one in filled],
        s=[20 + 60 * min(1.0, one.count / 500) for one in filled],
        color="#1f5fa8",
        zorder=2,
    )
    for one in filled:
        axes.annotate(
            str(one.count), (one.said / one.count, one.right / one.count),
            xytext=(0, -14), textcoords="offset points", ha="center", fontsize=7, color="0.35",
        )  # fmt: skip
    count = sum(one.count for one in answers)
    error = 100 * calibration_error(answers)
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="said", ylabel="right", aspect="equal")
    axes.set_title(f"{about}: {count} answers, calibration error {error:.1f} %", fontsize=9)
    figure.savefig(out)
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
