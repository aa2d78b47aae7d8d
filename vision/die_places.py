"""What lies at places that may be dice: which are dice, and how probable each value is.

Each die is read in several crops, turned and scaled a little, and what is told of them is joined.
"""

from dataclasses import dataclass
from math import dist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import Box, DieReading, DieState, Point
from vision.die_nets import COCKED, Candidate, read_crops
from vision.die_search import may_be_die
from vision.die_view import Upright, cut_crop, place_box
from vision.frame import Picture

_LEAST_DIE: Final = 0.5
_SURE_PLACE: Final = 0.75
"""What shows a value as surely is a die, and no pip of one."""
_COUNT_SHARE: Final = 0.15
_DOUBT: Final = 0.1
"""With so much doubt in what is told, or more, the count has its whole share."""
_MOST_OF_PICTURE: Final = 0.5
_LEAST_ONE: Final = 0.85
"""A spot on a plain body: much that is no die looks like a one."""
_FIRST_SIZES: Final = (1.0, 0.55)
"""Of the size the finder gives: a tray or a shadow makes it take a die for a larger one."""
_ALIKE_SHARE: Final = 0.12
"""Places that differ by less than this share of their size are the same."""
_PIP_TO_DIE: Final = (4.5, 7.0)
"""Sizes of dice in sizes of their pips' boxes."""
_LEAST_COCKED: Final = 0.3
_EDGE_SHARE: Final = 0.12
"""Of a die's box; one that reaches so far over the picture's edge is not read."""
_LOOKS: Final = ((0.0, 1.0), (-7.0, 0.92), (7.0, 1.1))
"""Turn in degrees and scale of the crops each die is read in."""


@dataclass(frozen=True, slots=True, eq=False)
class _Die:
    centre_xy: Point
    size_wh: tuple[float, float]
    chances: NDArray[np.float64]

    @property
    def box(self) -> Box:
        wide, high = self.size_wh
        return self.centre_xy[0] - wide / 2, self.centre_xy[1] - high / 2, wide, high


def read_places(
    pixels: Picture, places: list[tuple[Candidate, Upright]], least: float, *, closer: bool = False
) -> tuple[DieReading, ...]:
    """Return a reading of each die at *places*, the surest first.

    Args:
        pixels: the picture.
        places: where dice may be, and how the table lies there.
        least: from which probability on a value is told.
        closer: look closer where a value is doubtful: a thing may have been framed with its
            shadow. Where nobody knows that a thing came, that finds values in what is no die.
    """
    if not places:
        return ()
    size_wh = (pixels.shape[1], pixels.shape[0])
    dice = _apart(_read_places(pixels, places, closer))
    return tuple(_reading(die, size_wh, least) for die in dice)


def _read_places(
    pixels: Picture, places: list[tuple[Candidate, Upright]], closer: bool
) -> list[_Die]:
    """Read each place once, and those that are dice again, centred and in several crops."""
    dice = []
    for place in _first_looks(pixels, places):
        die = _read_place(pixels, *place)
        if closer and die is not None and _told(die) < _SURE_PLACE:
            again = _read_place(pixels, die.centre_xy, max(die.size_wh), place[2])
            die = max((one for one in (die, again) if one), key=_told)
        if die is not None:
            dice.append(die)
    return dice


def _read_place(pixels: Picture, centre: Point, size_px: float, upright: Upright) -> _Die | None:
    """Return the die at a place, read in several crops; None where none is."""
    looks = [cut_crop(pixels, centre, size_px * scale, upright, turn) for turn, scale in _LOOKS]
    again = read_crops(looks)
    chances = np.exp(np.mean(np.log(np.maximum(again.chances, 1e-6)), axis=0))
    chances /= chances.sum()
    chances = _with_count(chances, again.pips)
    if chances[0] >= 1 - _LEAST_DIE:
        return None
    centre, size = place_box(centre, size_px, upright, again.boxes[0])
    return _Die(centre, size, chances) if may_be_die(max(size), upright) else None


def _told(die: _Die) -> float:
    return float(die.chances[1:COCKED].max())


def _first_looks(
    pixels: Picture, places: list[tuple[Candidate, Upright]]
) -> list[tuple[Point, float, Upright]]:
    """Return middle, size and upright of what may be dice, after a first look at each place.

    A doubtful place may be a pip only: then the die around it is looked at, too.
    """
    seen = []
    rounds = [(c.centre_xy, c.size_px * scale, u) for scale in _FIRST_SIZES for c, u in places]
    for factors in (_PIP_TO_DIE, ()):
        if not rounds:
            break
        told = read_crops([cut_crop(pixels, *place) for place in rounds])
        wider = []
        for (centre, size_px, upright), chances, box in zip(
            rounds, told.chances, told.boxes, strict=True
        ):
            if chances[0] > 1 - _LEAST_DIE / 2:
                continue
            moved, size = place_box(centre, size_px, upright, box)
            seen.append((moved, max(size), upright))
            if chances[1:COCKED].max() < _SURE_PLACE:
                wider += [(centre, size_px * factor, upright) for factor in factors]
        most = _MOST_OF_PICTURE * min(pixels.shape[:2])
        rounds = [p for p in wider if p[1] < most and may_be_die(p[1], p[2])]
    return _once(seen)


def _once(
    seen: list[tuple[Point, float, Upright]],
) -> list[tuple[Point, float, Upright]]:
    """Return the places without those that were come upon before."""
    kept: list[tuple[Point, float, Upright]] = []
    for centre, size_px, upright in seen:
        if not any(
            dist(centre, other) < _ALIKE_SHARE * size_px
            and abs(size_px - other_px) < _ALIKE_SHARE * size_px
            for other, other_px, _ in kept
        ):
            kept.append((centre, size_px, upright))
    return kept


def _with_count(chances: NDArray[np.float64], pips: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return *chances* in which the values are weighed with the pips counted in each crop.

    What is told and what is counted err in different ways: a layout never learned is told wrongly
    and counted rightly, pips that run together the other way round.
    """
    mixed = chances.copy()
    counted = np.bincount(np.clip(pips, 0, COCKED), minlength=COCKED + 1)[1:COCKED] / len(pips)
    settled = chances[1:COCKED].sum()
    # What is told for sure is seldom wrong: small pips run together before they mislead.
    share = _COUNT_SHARE * min(1.0, (1.0 - float(chances.max())) / _DOUBT)
    mixed[1:COCKED] = (1 - share) * chances[1:COCKED] + share * settled * counted
    return mixed


def _apart(dice: list[_Die]) -> list[_Die]:
    """Return the dice without those that lie where a die of surer value lies, as its pips do."""
    kept: list[_Die] = []
    for die in sorted(dice, key=lambda d: -float(d.chances[1:COCKED].max())):
        reach = max(die.size_wh)
        if all(
            dist(die.centre_xy, other.centre_xy) > 0.5 * max(reach, *other.size_wh)
            for other in kept
        ):
            kept.append(die)
    return kept


def _reading(die: _Die, picture_wh: tuple[int, int], least: float) -> DieReading:
    values = die.chances[1:COCKED]
    best = float(values.max())
    state = DieState.SETTLED
    if die.chances[COCKED] > max(_LEAST_COCKED, 0.5 * best):
        state = DieState.COCKED
    elif (
        best < least or (values[0] == best and best < _LEAST_ONE) or _over_edge(die.box, picture_wh)
    ):
        state = DieState.UNREADABLE
    # The reader is surer than it is right on pictures unlike those it was taught with.
    one, two, three, four, five, six = (float(v) for v in values * best)
    leans = float(die.chances[COCKED])
    return DieReading(die.box, (one, two, three, four, five, six), state, leans)


def _over_edge(box: Box, picture_wh: tuple[int, int]) -> bool:
    x, y, wide, high = box
    return (
        x < -_EDGE_SHARE * wide
        or y < -_EDGE_SHARE * high
        or x + wide > picture_wh[0] + _EDGE_SHARE * wide
        or y + high > picture_wh[1] + _EDGE_SHARE * high
    )
