"""Watch a calibrated table drift: a bumped or turned board or camera, and the light."""

from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, Self

import numpy as np

from calibration.places import (
    SQUARE_PX,
    fits_elsewhere,
    from_above,
    misfit,
    shoved_places,
    the_other_way,
)
from calibration.quality import shift_squares
from tabletop import BoardLocation, NoBoard
from vision.board import LEAST_FIT, board_fit, find_board
from vision.frame import Frame, Picture
from vision.rectify import rectify
from vision.table import TableModel

# A shift smaller than this, in squares, is the finder's noise and is not followed.
_AT_REST: Final = 0.04
# One way round must fit what was seen before better than the other by this, in nats a pixel, to
# tell which corner is a1; one checker that stands out makes about 0.08.
_LEAST_MARGIN: Final = 0.06
# A board bumped by no more than this, in degrees and squares, was hardly turned right round.
_BUMP_DEG: Final = 40.0
_BUMP_SQUARES: Final = 2.5
# A board that fits what was seen before by less than this, in nats a pixel, lies where it lay. A
# move makes 0.5, a hand 1.5, but then it does not fit elsewhere either.
_UNLIKE: Final = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class BoardWatch:
    """Where the board lies now; begin with `BoardWatch.begin` and step through settled frames.

    Attributes:
        table: what calibration knows.
        location: where the board was seen last, its names as at calibration.
        before: the board with its rim and what stood on it when its names were sure last, from
            straight above.
        lost: it is not in the last picture, or too much of it is covered.
        moved: the last picture showed it elsewhere than the one before, or the other way round.
        names_sure: nothing turned, or the picture tells which corner is a1; where not, the names
            are those of the corners nearest to the ones before, and people should be asked.
    """

    table: TableModel
    location: BoardLocation
    before: Picture
    lost: bool = False
    moved: bool = False
    names_sure: bool = True

    @classmethod
    def begin(cls, table: TableModel) -> Self:
        """Return the watch at the start: the board lies as it did at calibration."""
        return cls(table, table.location, from_above(table.reference, table.location))

    def step(self, frame: Frame) -> Self:
        """Return the watch after a settled *frame* without a hand in it."""
        found = find_board(frame.pixels, self.location)
        if isinstance(found, NoBoard):
            still_there = board_fit(frame.pixels, self.location) >= LEAST_FIT
            return replace(self, lost=not still_there, moved=False)
        shift = shift_squares(self.location, found, frame.size_wh)
        if shift < _AT_REST:
            found = self.location
            if self.names_sure and not self.lost:
                before = from_above(frame.pixels, found)
                return replace(self, before=before, lost=False, moved=False)
        turned = the_other_way(found)
        better = self._misfit(frame.pixels, turned) - self._misfit(frame.pixels, found)
        bumped = shift < _BUMP_SQUARES and _turn_deg(self.location, found) < _BUMP_DEG
        told = abs(better) > _LEAST_MARGIN
        named = turned if told and better < 0 else found
        sure = told or (self.names_sure and bumped)
        return replace(
            self,
            location=named,
            before=from_above(frame.pixels, named) if sure else self.before,
            lost=False,
            moved=named != self.location,
            names_sure=sure,
        )

    def told(self, other_way: bool) -> Self:
        """Return the watch after people said whether a1 is the corner opposite."""
        location = the_other_way(self.location) if other_way else self.location
        before = self.before
        if other_way and self.names_sure:  # else it was seen before the names were in doubt
            before = np.ascontiguousarray(before[::-1, ::-1])
        return replace(self, location=location, before=before, moved=other_way, names_sure=True)

    def elsewhere(self, pixels: Picture) -> bool:
        """Tell, in some 15 ms, whether the board was rather turned by half, or shoved by squares.

        Its pattern shows where it was then, but what stood on it, and its rim, do not.
        """
        if self.lost or not self.names_sure:
            return False
        here = self._misfit(pixels, self.location)
        places = chain((the_other_way(self.location),), shoved_places(pixels, self.location))
        return here > _UNLIKE and fits_elsewhere(here, self.before, pixels, places)

    def _misfit(self, pixels: Picture, location: BoardLocation) -> float:
        """Return how badly a board at *location* fits the one seen before, in nats a pixel."""
        return misfit(self.before, pixels, location)


def light_change(pixels: Picture, table: TableModel, location: BoardLocation) -> float:
    """Return how much brighter the board is than at calibration, in stops; negative is darker."""
    now = rectify(pixels, location, SQUARE_PX, margin=0.0).pixels
    then = rectify(table.reference, table.location, SQUARE_PX, margin=0.0).pixels
    # Most of the board is empty; a screen's grey levels go with the 1 / 2.2nd power of light.
    ratio = np.median((now.astype(np.float64) + 1.0) / (then.astype(np.float64) + 1.0))
    return float(2.2 * np.log2(ratio))


def _turn_deg(before: BoardLocation, after: BoardLocation) -> float:
    """Return by what angle the first rank turned in the picture, from 0 to 180."""
    was, now = (np.subtract(each.corners[1], each.corners[0]) for each in (before, after))
    cosine = was @ now / max(float(np.linalg.norm(was) * np.linalg.norm(now)), 1e-9)
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
