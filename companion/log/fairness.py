"""Whether a die is fair: Pearson's chi-squared test, and in words what it can say and cannot."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from companion.phrases.written import Written

FACES: Final = 6
DEGREES: Final = FACES - 1
LEAST_THROWS: Final = 30
"""Each face should be expected five times at least, or the test says nothing (Cochran 1954)."""
ALARM: Final = 0.05
STRONG_ALARM: Final = 0.001
POWER: Final = 0.8


@dataclass(frozen=True, slots=True)
class DieTest:
    """The result of a test.

    Attributes:
        throws: how many were counted.
        chi_squared: the sum over the faces of (counted - expected)² / expected.
        chance: how often a fair die comes out at least so uneven; None where throws are too few.
        noticed: a face that comes up so much more often than another die's (0.25: by a quarter)
            would have been noticed four times in five; None likewise.
    """

    throws: int
    chi_squared: float
    chance: float | None
    noticed: float | None


def die_test(counts: Mapping[int, int]) -> DieTest:
    """Return the test of a die that showed each value 1 to 6 as often as *counts* says."""
    throws = sum(counts.get(face, 0) for face in range(1, FACES + 1))
    expected = throws / FACES
    if not throws:
        return DieTest(0, 0.0, None, None)
    squares = sum((counts.get(face, 0) - expected) ** 2 for face in range(1, FACES + 1))
    chi_squared = squares / expected
    if throws < LEAST_THROWS:
        return DieTest(throws, chi_squared, None, None)
    # Imported here: it takes a while, and only this needs it.
    from scipy.special import chdtrc, chdtri, chndtrinc

    limit = chdtri(DEGREES, ALARM)
    # By how much a face must exceed 1/6, the others sharing what it takes, for the noncentral
    # chi-squared to exceed the limit with the power wanted: n (d² + d²/5) · 6 = noncentrality.
    noncentral = float(chndtrinc(limit, DEGREES, 1 - POWER))
    excess = sqrt(noncentral / (throws * FACES * (1 + 1 / DEGREES)))
    return DieTest(throws, chi_squared, float(chdtrc(DEGREES, chi_squared)), excess * FACES)


def die_words(test: DieTest, words: Written) -> str:
    """Say in *words* what a test tells, for people who know nothing of statistics."""
    if test.chance is None or test.noticed is None:
        return words("throws-too-few", throws=test.throws)
    if test.chance < STRONG_ALARM:
        found = words("die-hardly")
    elif test.chance < ALARM:
        found = words("die-seldom", times=round(1 / test.chance))
    else:
        found = words("die-nothing")
    return words(
        "throws-tested",
        throws=test.throws,
        squares=f"{test.chi_squared:.1f}",
        degrees=DEGREES,
        chance=f"{test.chance:.2g}",
        found=found,
        noticed=f"{test.noticed:.0%}",
    )
