"""How the board may differ from what it should show, by the readings."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from referee.events import Difference
from tabletop import EMPTY, Contents, Observation, Square

PLAUSIBLE: Final = 0.02
"""Contents less probable than this, against the best, are not considered."""
MOST_CONTENTS: Final = 3
MOST_DIFFERENCES: Final = 48
"""How many sets of differences are tried at most."""


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
    observation: Observation, board: Mapping[Square, Contents]
) -> Iterator[tuple[Difference, ...]]:
    """Yield the sets of differences from *board* that the readings make plausible."""
    doubtful = []
    for at, reading in enumerate(observation.squares):
        due = board.get(at, EMPTY)
        if reading.hidden or (reading.best == due and reading.confidence > 1 - PLAUSIBLE):
            continue
        least = PLAUSIBLE * reading.confidence
        choices: list[tuple[float, Difference | None]] = [
            (probability, None if there == due else Difference(at, there, due))
            for there, probability in reading.options[:MOST_CONTENTS]
            if probability >= least
        ]
        doubtful.append(choices)
    # The surest squares keep their best contents only, so that the tales stay few.
    doubtful.sort(key=lambda choices: choices[0][0])
    tried = 1
    for place, choices in enumerate(doubtful):
        if tried * len(choices) > MOST_DIFFERENCES:
            doubtful[place] = choices[:1]
        tried *= len(doubtful[place])
    for chosen in product(*doubtful):
        if differences := tuple(one for _, one in chosen if one is not None):
            yield tuple(sorted(differences, key=lambda one: one.square))
