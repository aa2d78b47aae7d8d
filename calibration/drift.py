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
# One way round must fit what was seen before better than the other by this, in nats a pixel, to
# tell which corner is a1; one checker that stands out makes about 0.08. If even the better way fits
# as badly as the second number, neither is believed.
_LEAST_MARGIN: Final = 0.06
_MOST_MISFIT: Final = 2.5
# A board bumped by no more than this, in degrees and squares, was hardly turned right round.
_BUMP_DEG: Final = 40.0
_BUMP_SQUARES: Final = 2.5
_SQUARE_PX: Final = 16
# Only the board's own rim is asked: the table around it does not turn with it.
_MARGIN: Final = 0.4
_MOST_NATS: Final = 10.0
_BURNT: Final = 250


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
        return cls(table, table.location, _from_above(table.reference, table.location))

    def step(self, frame: Frame) -> Self:
        """Return the watch after a settled *frame* without a hand in it."""
        found = find_board(frame.pixels, self.location)
        if isinstance(found, NoBoard):
            still_there = board_fit(frame.pixels, self.location) >= _LEAST_FIT
            return replace(self, lost=not still_there, moved=False)
        shift = shift_squares(self.location, found, frame.size_wh)
        if shift < _AT_REST:
            found = self.location
            if self.names_sure and not self.lost:
                before = _from_above(frame.pixels, found)
                return replace(self, before=before, lost=False, moved=False)
        turned = _the_other_way(found)
        better = self._misfit(frame.pixels, turned) - self._misfit(frame.pixels, found)
        bumped = shift < _BUMP_SQUARES and _turn_deg(self.location, found) < _BUMP_DEG
        told = abs(better) > _LEAST_MARGIN
        named = turned if told and better < 0 else found
        sure = told or (self.names_sure and bumped)
        return replace(
            self,
            location=named,
            before=_from_above(frame.pixels, named) if sure else self.before,
            lost=False,
            moved=named != self.location,
            names_sure=sure,
        )

    def told(self, other_way: bool) -> Self:
        """Return the watch after people said whether a1 is the corner opposite."""
        location = _the_other_way(self.location) if other_way else self.location
        return replace(self, location=location, moved=other_way, names_sure=True)

    def _misfit(self, pixels: Picture, location: BoardLocation) -> float:
        """Return how badly a board at *location* fits the one seen before, in nats a pixel."""
        now = _from_above(pixels, location)
        behind = backdrop(self.before, _SQUARE_PX)
        evened = take_out_light(now, self.before, _SQUARE_PX).pixels
        deficit = behind.itself - board_log_likelihood(to_lab(evened), behind)
        # The lamp's own reflection stays where it was when the board is turned.
        clear = (now.max(axis=2) < _BURNT) & (self.before.max(axis=2) < _BURNT)
        if not clear.any():
            return _MOST_MISFIT
        return min(float(np.mean(np.clip(deficit[clear], 0.0, _MOST_NATS))), _MOST_MISFIT)


def light_change(pixels: Picture, table: TableModel, location: BoardLocation) -> float:
    """Return how much brighter the board is than at calibration, in stops; negative is darker."""
    now = rectify(pixels, location, _SQUARE_PX, margin=0.0).pixels
    then = rectify(table.reference, table.location, _SQUARE_PX, margin=0.0).pixels
    # Most of the board is empty; a screen's grey levels go with the 1 / 2.2nd power of light.
    ratio = np.median((now.astype(np.float64) + 1.0) / (then.astype(np.float64) + 1.0))
    return float(2.2 * np.log2(ratio))


def _from_above(pixels: Picture, location: BoardLocation) -> Picture:
    """Return the board with its rim from straight above, small."""
    return rectify(pixels, location, _SQUARE_PX, _MARGIN).pixels


def _the_other_way(location: BoardLocation) -> BoardLocation:
    """Return the location with a1 at the corner opposite."""
    a1, h1, h8, a8 = location.corners
    return replace(location, corners=(h8, a8, a1, h1))


def _turn_deg(before: BoardLocation, after: BoardLocation) -> float:
    """Return by what angle the first rank turned in the picture, from 0 to 180."""
    was, now = (np.subtract(each.corners[1], each.corners[0]) for each in (before, after))
    cosine = was @ now / max(float(np.linalg.norm(was) * np.linalg.norm(now)), 1e-9)
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
