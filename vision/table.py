"""What is known of a calibrated table: its empty board, its checkers and the camera's place."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop.colours import Colour
from tabletop.readings import BoardLocation, Point
from vision.frame import Frame, Picture

DEFAULT_HEIGHT: Final = 0.2
"""Squares. A draughtsman 33 mm wide and 9 mm high on squares of 45 mm is this thick."""


@dataclass(frozen=True, slots=True)
class Tint:
    """One of the colours that the pixels of a checker take: its top, its rings, its wall.

    Attributes:
        weight: the share of the checker's pixels that have it.
        lab: CIE L*a*b* under the light of the empty-board reference.
        spread: the standard deviations of L*, a*, b*.
    """

    weight: float
    lab: tuple[float, float, float]
    spread: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """How the checkers of one player look at this table.

    Attributes:
        colour: what people call it.
        tints: the colours its pixels take, by falling weight; the weights sum to 1.
    """

    colour: Colour
    tints: tuple[Tint, ...]

    @property
    def lab(self) -> tuple[float, float, float]:
        """The mean colour, CIE L*a*b*."""
        total = sum(tint.weight for tint in self.tints)
        lightness, green_red, blue_yellow = (
            sum(tint.weight * tint.lab[axis] for tint in self.tints) / total for axis in range(3)
        )
        return lightness, green_red, blue_yellow


@dataclass(frozen=True, slots=True, eq=False)
class TableModel:
    """A calibrated table.

    Attributes:
        size_wh: width and height of the camera's pictures in pixels.
        location: where the board lay at calibration, a1 being the a1 that the players chose.
        reference: a picture of the empty board, shape (height, width, 3), BGR; read-only.
        looks: the players' checkers, one entry a colour.
        checker_diameter: in squares.
        checker_height: thickness in squares.
        throwing_zone: the corners of the part of the picture where the die is thrown, in pixels;
            None where the die may lie anywhere.
        unsure: where *reference* is as the board looked before it was moved, for something hid it
            when it was seen anew, shape (height, width); None where all is as it looks.
        die_side: how large the die's box is, in squares, as surely read throws showed; None where
            none did yet.
    """

    size_wh: tuple[int, int]
    location: BoardLocation
    reference: Picture
    looks: tuple[CheckerLook, ...]
    checker_diameter: float
    checker_height: float = DEFAULT_HEIGHT
    throwing_zone: tuple[Point, ...] | None = None
    unsure: NDArray[np.bool_] | None = None
    die_side: float | None = None

    def __post_init__(self) -> None:
        if self.reference.shape != (self.size_wh[1], self.size_wh[0], 3):
            raise ValueError(
                f"the reference picture of a {self.size_wh[0]}x{self.size_wh[1]} camera cannot "
                f"have the shape {self.reference.shape}"
            )
        self.reference.flags.writeable = False

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours in play, in the order of `looks`."""
        return tuple(look.colour for look in self.looks)

    def check_frame(self, frame: Frame) -> None:
        """Refuse a frame of another size than the camera had at calibration.

        Raises:
            ValueError: the sizes differ; the message says both and what to do.
        """
        if frame.size_wh != self.size_wh:
            (width, height), (known_width, known_height) = frame.size_wh, self.size_wh
            raise ValueError(
                f"{frame.name or 'the picture'} is {width}x{height} pixels, the table profile "
                f"was made at {known_width}x{known_height}: set the camera to that size, "
                "or calibrate again"
            )
