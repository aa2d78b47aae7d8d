"""How the board may differ from what it should show, by what is seen."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from referee.events import Difference
from referee.sight import PLAINLY, Sight
from tabletop import EMPTY, Contents, Square

PLAUSIBLE: Final = 0.02
"""Contents less probable than this, against the best, are not considered."""
MOST_CONTENTS: Final = 3


def board_differences(
    shown: Mapping[Square, Contents], due: Mapping[Square, Contents]
) -> tuple[Difference, ...]:
    """Return where two boards differ, by the order of the squares."""
    return tuple(
        Difference(at, shown.get(at, EMPTY), due.get(at, EMPTY))
        for at in sorted(shown.keys() | due.keys())
        if shown.get(at, EMPTY) != due.get(at, EMPTY)
    )


def plausible_differences(
    sight: Sight, board: Mapping[Square, Contents], most: int
) -> Iterator[tuple[tuple[Difference, ...], float]]:
    """Yield at most so many ways to differ from *board*, each with how well it fits."""
    doubtful = []
    for at in sorted(sight.speaking | board.keys()):
        reading = sight.observation.squares[at]
        due = board.get(at, EMPTY)
        if reading.hidden or (reading.best == due and reading.confidence > PLAINLY):
            continue
        least = PLAUSIBLE * reading.confidence
        choices: list[tuple[float, Difference | None]] = [
            (0.0, None)
            if there == due
            else (sight.fit(at, there) - sight.fit(at, due), Difference(at, there, due))
            for there, probability in reading.options[:MOST_CONTENTS]
            if probability >= least
        ]
        doubtful.append((reading.confidence, choices))
    # The surest squares keep their best contents only, so that the tales stay few.
    doubtful.sort(key=lambda one: one[0])
    tried, kept = 1, []
    for _, choices in doubtful:
        kept.append(choices if tried * len(choices) <= most else choices[:1])
        tried *= len(kept[-1])
    due_seen = sight.of(board)
    for chosen in product(*kept):
        differences = [one for _, one in chosen if one is not None]
        if differences:
            differences.sort(key=lambda one: one.square)
            yield tuple(differences), due_seen + sum(gain for gain, _ in chosen)
