"""Pips counted in a painted top face, if they are laid out as a die's are."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_LEAST_PIP: Final = 0.4
_NOT_COUNTED: Final = 0.3
"""What a value is weighed with that no crop's count bears out; one that all do counts 1 more."""
_VALUES: Final = 6
_FINE: Final = 4
_ASTRAY: Final = 0.16
"""Of the length of a row: farther from its middle a pip is not of that row. In a ring of six dots
each is 0.29 off the middle between its neighbours."""


def count_pips(chances: NDArray[np.float32]) -> int:
    """Return the number of pips in chances of pips, shape (24, 24); 0 where they fit no layout."""
    fine = cv2.resize(chances, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC)
    peaks = (fine >= cv2.dilate(fine, np.ones((7, 7), np.uint8))) & (fine > _LEAST_PIP)
    # A flat peak is several pixels: neighbours are one.
    count, _, _, middles = cv2.connectedComponentsWithStats(peaks.astype(np.uint8))
    return count - 1 if _laid_out(np.asarray(middles[1:], np.float64)) else 0


def with_count(chances: NDArray[np.float64], pips: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return *chances* in which each value is weighed with how many crops show as many pips.

    What is told and what is counted err in different ways: a layout never learned is told wrongly
    and counted rightly, pips that run together the other way round.
    """
    counted = np.bincount(np.clip(pips, 0, _VALUES + 1), minlength=_VALUES + 2)[1:-1] / len(pips)
    weighed = chances.copy()
    weighed[1:-1] *= counted + _NOT_COUNTED
    weighed[1:-1] *= chances[1:-1].sum() / weighed[1:-1].sum()
    return weighed


def _laid_out(pips: NDArray[np.float64]) -> bool:
    """Tell whether *pips*, (n, 2), are laid out as on a face, however that is seen."""
    middle = pips.mean(axis=0) if len(pips) else np.zeros(2)
    order = np.argsort(np.arctan2(*(pips - middle).T[::-1]))
    around = pips[order]
    match len(pips):
        case 3:
            return any(_between(*np.roll(pips, turn, axis=0)) for turn in range(3))
        case 5:
            inmost = int(np.argmin(np.linalg.norm(pips - middle, axis=1)))
            others = np.delete(pips, inmost, axis=0)
            longest = max(np.linalg.norm(others - others.mean(axis=0), axis=1))
            return bool(np.linalg.norm(pips[inmost] - others.mean(axis=0)) < 2 * _ASTRAY * longest)
        case 6:
            return any(
                _between(*around[[(at - 1) % 6, at, at + 1]])
                and _between(*around[[at + 2, at + 3, (at + 4) % 6]])
                for at in range(3)
            )
        case _:
            return True


def _between(
    first: NDArray[np.float64], inner: NDArray[np.float64], last: NDArray[np.float64]
) -> bool:
    """Tell whether *inner* is about in the middle between the others."""
    off = np.linalg.norm(inner - (first + last) / 2)
    return bool(off < _ASTRAY * np.linalg.norm(last - first))
