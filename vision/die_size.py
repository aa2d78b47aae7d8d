"""How large the die in play is, learned from throws that were read for sure."""

from dataclasses import dataclass
from statistics import median
from typing import Final

from tabletop import DieReading
from vision.die_view import TableView

LEAST_THROWS: Final = 3
"""So many throws tell the die's size: one of them may have been something else."""
LAST_THROWS: Final = 9
SURE: Final = 0.9
"""A throw read less surely tells nothing of the die."""
NEWS: Final = 0.08
"""A size that differs by less than this share is the same."""


@dataclass(frozen=True, slots=True)
class DieSizes:
    """A fold over the throws that counted.

    Attributes:
        sides: how large the die's box was in the last of them, in squares.
        known: how large it is; None while too few throws have told.
    """

    sides: tuple[float, ...] = ()
    known: float | None = None

    def thrown(self, die: DieReading, view: TableView) -> "DieSizes":
        """Return what is known after a throw that counted."""
        x, y, wide, high = die.box
        square_px = view.upright((x + wide / 2, y + high / 2)).square_px
        if die.value is None or die.confidence < SURE or square_px is None:
            return self
        sides = (*self.sides, max(wide, high) / square_px)[-LAST_THROWS:]
        if len(sides) < LEAST_THROWS:
            return DieSizes(sides)
        side = median(sides)
        if self.known is not None and abs(side - self.known) < NEWS * self.known:
            side = self.known
        return DieSizes(sides, side)
