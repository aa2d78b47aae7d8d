"""Watch a calibrated table drift: a bumped or turned board or camera, and the light."""

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from calibration.quality import shift_squares
from tabletop import BoardLocation, NoBoard
from vision.board import board_fit, find_board
from vision.evidence import backdrop, board_log_likelihood, to_lab
from vision.frame import Frame, Picture
from vision.light import take_out_light
from vision.rectify import rectify
from vision.table import TableModel

# Below this share of its pattern the board is not where it was, or much of it is covered.
_LEAST_FIT: Final = 0.4
# A shift smaller than this, in squares, is the finder's noise and is not followed.
_AT_REST: Final = 0.04
# The picture around the board must fit one way round better than the other by this, in nats a
# pixel, to tell which corner is a1.
_LEAST_MARGIN: Final = 0.12
_SQUARE_PX: Final = 16
_MARGIN: Final = 0.6
_MOST_NATS: Final = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class BoardWatch:
    """Where the board lies now; begin with `BoardWatch.begin` and step through settled frames.

    Attributes:
        table: what calibration knows.
        location: where the board was seen last, its names as at calibration.
        lost: it is not in the last picture, or too much of it is covered.
        moved: the last picture showed it elsewhere than the one before.
        names_sure: nothing turned, or the picture tells which corner is a1; where not, the names
            are those of the corners nearest to the ones before.
    """

    table: TableModel
    location: BoardLocation
    lost: bool = False
    moved: bool = False
    names_sure: bool = True

    @classmethod
    def begin(cls, table: TableModel) -> Self:
        """Return the watch at the start: the board lies as it did at calibration."""
        return cls(table, table.location)

    def step(self, frame: Frame) -> Self:
        """Return the watch after a settled *frame* without a hand in it."""
        found = find_board(frame.pixels, self.location)
        if isinstance(found, NoBoard):
            still_there = board_fit(frame.pixels, self.location) >= _LEAST_FIT
            return replace(self, lost=not still_there, moved=False)
        shift = shift_squares(self.location, found, frame.size_wh)
        if shift < _AT_REST:
            return replace(self, lost=False, moved=False)
        named, sure = _named_like_before(frame.pixels, self.table, found)
        return replace(self, location=named, lost=False, moved=True, names_sure=sure)


def light_change(pixels: Picture, table: TableModel, location: BoardLocation) -> float:
    """Return how much brighter the board is than at calibration, in stops; negative is darker."""
    now = rectify(pixels, location, _SQUARE_PX, margin=0.0).pixels
    then = rectify(table.reference, table.location, _SQUARE_PX, margin=0.0).pixels
    # Most of the board is empty; a screen's grey levels go with the 1 / 2.2nd power of light.
    ratio = np.median((now.astype(np.float64) + 1.0) / (then.astype(np.float64) + 1.0))
    return float(2.2 * np.log2(ratio))


def _named_like_before(
    pixels: Picture, table: TableModel, found: BoardLocation
) -> tuple[BoardLocation, bool]:
    """Return a location with the names that fit the reference, and whether that is sure."""
    a1, h1, h8, a8 = found.corners
    turned = replace(found, corners=(h8, a8, a1, h1))
    misfit, misfit_turned = (_misfit(pixels, table, way) for way in (found, turned))
    sure = abs(misfit - misfit_turned) > _LEAST_MARGIN
    return (turned if sure and misfit_turned < misfit else found), sure


def _misfit(pixels: Picture, table: TableModel, location: BoardLocation) -> float:
    """Return how badly the board and its border fit the reference, in nats a pixel."""
    now = rectify(pixels, location, _SQUARE_PX, _MARGIN).pixels
    then = rectify(table.reference, table.location, _SQUARE_PX, _MARGIN).pixels
    behind = backdrop(then, _SQUARE_PX)
    evened = take_out_light(now, then, _SQUARE_PX)
    deficit = behind.itself - board_log_likelihood(to_lab(evened), behind)
    return float(np.mean(np.minimum(deficit, _MOST_NATS)))
