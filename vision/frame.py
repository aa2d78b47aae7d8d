"""A frame: one picture of the table and the moment it was taken."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
"""A colour picture, shape (height, width, 3), channels blue, green, red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table.

    Attributes:
        pixels: shape (height, width, 3), 8 bits, blue, green, red; read-only.
        at_s: when it was exposed, in seconds of the source's own clock, never falling.
        number: its place in the source's sequence, from 0.
        still: the source itself vouches that the table stood still around this moment (a folder of
            pictures); such a frame is judged by itself.
        name: where it comes from, for messages and evidence (a file's name, a device).
    """

    pixels: Picture
    at_s: float = 0.0
    number: int = 0
    still: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        if self.pixels.ndim != 3 or self.pixels.shape[2] != 3 or self.pixels.dtype != np.uint8:
            raise ValueError(
                "a frame needs an 8-bit colour picture (height, width, 3), "
                f"not {self.pixels.dtype} {self.pixels.shape}"
            )
        self.pixels.flags.writeable = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]
