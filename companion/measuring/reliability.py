"""Whether what is said with a certainty is right as often as that: honesty, measured.

Of all that is said with a probability of 0.9, nine in ten should be right. Answers are sorted into
ten bins by what was said; the expected calibration error (Naeini, Cooper and Hauskrecht 2015) is
how far, on the average answer, the share that is right lies from what was said.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: the probability that was given to it, and whether it is right."""

    probability: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers given with nearly one probability.

    Attributes:
        count: how many.
        said: their probabilities, summed.
        right: how many of them are right.
    """

    count: int = 0
    said: float = 0.0
    right: int = 0

    def __add__(self, other: "Bin") -> "Bin":
        """Return both together."""
        return Bin(self.count + other.count, self.said + other.said, self.right + other.right)


def bins(answers: Iterable[Said]) -> tuple[Bin, ...]:
    """Return *answers* sorted into `BINS` bins of equal width, the lowest probabilities first."""
    out = [Bin()] * BINS
    for answer in answers:
        at = min(int(answer.probability * BINS), BINS - 1)
        out[at] += Bin(1, answer.probability, int(answer.right))
    return tuple(out)


def calibration_error(sorted_answers: tuple[Bin, ...]) -> float:
    """Return the expected calibration error of answers in bins; 0 where there are none."""
    count = sum(one.count for one in sorted_answers)
    return sum(abs(one.right - one.said) for one in sorted_answers) / max(count, 1)
