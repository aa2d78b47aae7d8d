"""The kinds of arrays that the simulated table is made with."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float32]
"""What is computed for every pixel or ray."""

Points: TypeAlias = NDArray[np.float64]
"""Few points, in board coordinates or in pixels."""

Pixels: TypeAlias = NDArray[np.uint8]
"""Screen values."""

Flags: TypeAlias = NDArray[np.bool_]


def floats(value: ArrayLike) -> Floats:
    """Return *value* with single precision, as it is where it has that already."""
    return np.asarray(value, np.float32)


def unit(vectors: Floats) -> Floats:
    """Return *vectors* (..., 3) with the length 1."""
    return floats(vectors / np.maximum(length(vectors), np.float32(1e-9)))


def length(vectors: Floats) -> Floats:
    """Return how long *vectors* (..., n) are, shape (..., 1)."""
    return floats(np.sqrt(dot(vectors, vectors)))


def dot(first: Floats, second: Floats) -> Floats:
    """Return the products of vectors (..., n), shape (..., 1); numpy's sums are slow over few."""
    return floats(np.einsum("...i,...i->...", first, second))[..., None]
