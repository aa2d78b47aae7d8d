"""Weighing hypotheses against what is seen.

All 64 squares count, not only those that changed, so a stray checker anywhere speaks. The sum of
logarithms alone could hide one square that surely contradicts among many that agree; since every
plausible difference is a hypothesis of its own, such a square instead raises the tale that has it.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.hypotheses import Hypothesis
from tabletop import EMPTY, Contents, Observation, Square, SquareReading

LEAST_PROBABILITY: Final = 1e-4
"""No reading is ever surer than this against something: eyes have unknown faults."""
UNLISTED_CONTENTS: Final = 20
"""Among how many things the probability is shared that a reading leaves to "something else"."""
LEAST_CHANGE: Final = 0.02
LEAST_STAY: Final = 0.04
"""A square may look changed for another reason (a nudge, a shadow): weak evidence that it moved."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A hypothesis with its log score and its probability among all that were weighed."""

    hypothesis: Hypothesis
    score: float
    probability: float


def weigh(
    tales: Iterable[Hypothesis],
    observation: Observation,
    accepted: Mapping[Square, Contents],
) -> tuple[Weighed, ...]:
    """Return the hypotheses with their probabilities, the most probable first.

    Args:
        tales: the hypotheses.
        observation: what is seen.
        accepted: what stood on the occupied squares of the scene last accepted, for the evidence
            of squares that look changed.
    """
    logs = [_Logs(reading) for reading in observation.squares]
    empty = [log[EMPTY] for log in logs]
    base = sum(empty)
    stay, move = _change_evidence(observation)
    change = any(stay)
    scored = []
    for tale in tales:
        score = tale.log_prior + base
        for at, there in tale.board.items():
            score += logs[at][there] - empty[at]
        score += sum(
            move[at] - stay[at]
            for at in {at for at, _ in tale.board.items() ^ accepted.items()}
            if change
        )
        scored.append((score, tale))
    return _normalised(scored)


def _normalised(scored: list[tuple[float, Hypothesis]]) -> tuple[Weighed, ...]:
    scored.sort(key=lambda one: -one[0])
    best = scored[0][0]
    shares = [math.exp(score - best) for score, _ in scored]
    total = sum(shares)
    return tuple(
        Weighed(tale, score, share / total)
        for (score, tale), share in zip(scored, shares, strict=True)
    )


class _Logs(dict[Contents, float]):
    """The logarithms of what one square may hold, each worked out once."""

    def __init__(self, reading: SquareReading) -> None:
        self._reading = reading

    def __missing__(self, there: Contents) -> float:
        self[there] = found = _log_probability(self._reading, there)
        return found


def _log_probability(reading: SquareReading, there: Contents) -> float:
    if reading.hidden:
        return 0.0
    for listed, probability in reading.options:
        if listed == there:
            return math.log(max(probability, LEAST_PROBABILITY))
    left = 1.0 - sum(probability for _, probability in reading.options)
    return math.log(max(left / UNLISTED_CONTENTS, LEAST_PROBABILITY))


def _change_evidence(observation: Observation) -> tuple[list[float], list[float]]:
    """Return for each square what its look says for "as it was" and for "something happened"."""
    stay, move = [0.0] * 64, [0.0] * 64
    for at, reading in enumerate(observation.squares):
        if reading.changed is not None and not reading.hidden:
            stay[at] = math.log(max(1.0 - reading.changed, LEAST_STAY))
            move[at] = math.log(max(reading.changed, LEAST_CHANGE))
    return stay, move
