"""Whether a die is fair: Pearson's chi-squared test, and in words what it can say and cannot."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

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


def die_words(test: DieTest) -> str:
    """Say what a test tells, for people who know nothing of statistics."""
    if test.chance is None or test.noticed is None:
        return f"{test.throws} throws: too few to tell anything of the die"
    if test.chance < STRONG_ALARM:
        found = "a fair die is hardly ever so uneven: take another one"
    elif test.chance < ALARM:
        found = f"a fair die is so uneven once in {round(1 / test.chance)} times: throw it more"
    else:
        found = "nothing speaks against the die, which does not prove it fair"
    return (
        f"{test.throws} throws, chi-squared {test.chi_squared:.1f} with {DEGREES} degrees of "
        f"freedom, p = {test.chance:.2g}: {found}. So many throws would show a face that comes up "
        f"{test.noticed:.0%} too often, and hardly less."
    )


CAVEAT: Final = (
    "Of twenty fair dice, or players, one looks unfair in such a test; and it says nothing of who "
    "threw how, nor of throws that were read wrongly."
)
