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
    length = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return floats(vectors / np.maximum(length, np.float32(1e-9)))
