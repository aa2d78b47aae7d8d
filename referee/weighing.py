"""Weighing hypotheses against what is seen.

The sum of logarithms over 64 squares alone could hide one square that surely contradicts among
many that agree; since every plausible difference is a hypothesis of its own, such a square instead
raises the tale that has it.
"""

import math
from dataclasses import dataclass

from referee.hypotheses import Hypothesis
from referee.match import Match
from referee.sight import Sight
from referee.unlawful import hypotheses
from tabletop import Observation


@dataclass(frozen=True, slots=True)
class Weighed:
    """A hypothesis with its probability among all that were weighed."""

    hypothesis: Hypothesis
    probability: float

    @property
    def score(self) -> float:
        """The logarithm of how likely the hypothesis is, up to a constant of the scene."""
        return self.hypothesis.score


def weigh(match: Match, observation: Observation) -> tuple[Weighed, ...]:
    """Return what may have happened since *match*, the most probable first."""
    sight = Sight(
        observation,
        match.contents(),
        mending=match.restoring or match.wrong is not None,
        restoring=match.restoring,
    )
    tales = sorted(hypotheses(match, sight), key=lambda tale: -tale.score)
    best = tales[0].score
    shares = [math.exp(tale.score - best) for tale in tales]
    total = sum(shares)
    return tuple(Weighed(tale, share / total) for tale, share in zip(tales, shares, strict=True))
