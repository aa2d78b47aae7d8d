"""Every die in a picture: where it is, and how probable each value is.

One small network finds places that may be dice, at several scales; another reads a crop of each.
Only the top face counts. Where the camera's pose is known, the crop is turned so that the table's
normal points up in it, and the reader is told how obliquely it sees the die. Each die is read in
several crops, turned and scaled a little, and what it says of them is joined.
"""

from dataclasses import dataclass
from math import dist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Box, DieReading, DieState, Point
from vision.die_nets import COCKED, Candidate, read_crops
from vision.die_search import Part, is_inside, may_be_die, search_dice
from vision.die_view import TableView, Upright, cut_crop, place_box, view_table
from vision.frame import Picture
from vision.furniture import may_be_checker, painted_as_checker, was_there
from vision.newcomers import AROUND, Changes, see_changes
from vision.table import TableModel

_LEAST_CHANCE: Final = 0.15
_LEAST_PX: Final = 8
_LEAST_SQUARES: Final = 0.15
"""The narrowest thing that may hold a die, in squares; what is narrower is an edge."""
_MOST_CHECKER: Final = 1.4
"""A checker and its shadow are at most so many checkers wide."""
_MOST_PLACES: Final = 24
_LEAST_DIE: Final = 0.5
_LEAST_VALUE: Final = 0.75
_LEAST_AT_TABLE: Final = 0.85
"""Where a game is watched, people can be asked, and a wrong value spoils it."""
_COUNT_SHARE: Final = 0.15
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


def read_dice(
    pixels: Picture, location: BoardLocation | None = None, table: TableModel | None = None
) -> tuple[DieReading, ...]:
    """Return a reading of every die in the picture, the surest first.

    Args:
        pixels: the picture.
        location: where the board is, by which the camera's pose is known.
        table: what is known of the table; its throwing zone leaves out all that lies elsewhere,
            its picture without a die all that looks the same in it, and the size of its checkers
            those that lie beside the board.
    """
    height, width = pixels.shape[:2]
    where = location or (table.location if table else None)
    view = view_table(where, (width, height)) if where else None
    if table is not None and view is not None:
        return _read_thrown(pixels, table, view)
    places = search_dice(pixels, _LEAST_CHANCE, view, None)
    return _readings(pixels, places, _LEAST_VALUE)


def _read_thrown(pixels: Picture, table: TableModel, view: TableView) -> tuple[DieReading, ...]:
    """Read the dice that came to a known table; search for them only where none shows at once."""
    changes = see_changes(pixels, table)
    came = changes.small_things(_LEAST_PX, max(pixels.shape[:2]) / 4)
    places = [(one, view.upright(one.centre_xy)) for one in came]
    places = [
        p for p in places if _may_have_come(p, table) and is_inside(p[0], table.throwing_zone)
    ]
    painted = [painted_as_checker(pixels, c.centre_xy, c.size_px, table) for c, _ in places]
    dice: tuple[DieReading, ...] = ()
    # A red die among red checkers is looked at once nothing else turns out to be one.
    for like_checkers in (False, True):
        some = [p for p, like in zip(places, painted, strict=True) if like is like_checkers]
        dice = dice or _no_checkers(
            pixels, _readings(pixels, some[:_MOST_PLACES], _LEAST_AT_TABLE), table, view
        )
    if not dice:
        where = _search_part(changes, table, view)
        if where is not None:
            found = _unlike_reference(pixels, table, view, where)
            dice = _readings(pixels, found, _LEAST_AT_TABLE)
            dice = _no_checkers(pixels, dice, table, view)
    return tuple(die for die in dice if not changes.in_a_hand(die.box))


def _search_part(changes: Changes, table: TableModel, view: TableView) -> Part | None:
    """Return the part of the picture in which a die may lie that touches something else."""
    width, height = table.size_wh
    square_px = view.upright((width / 2, height / 2)).square_px or 0.0
    least, most = _LEAST_SQUARES * square_px, _MOST_CHECKER * table.checker_diameter * square_px
    return changes.part(max(least, _LEAST_PX), most)


def _no_checkers(
    pixels: Picture, dice: tuple[DieReading, ...], table: TableModel, view: TableView
) -> tuple[DieReading, ...]:
    """Return the dice without those that may be checkers, by their size and their paint."""
    return tuple(
        die
        for die in dice
        if not may_be_checker(die, table, view)
        or not painted_as_checker(pixels, _middle(die.box), max(die.box[2:]), table)
    )


def _middle(box: Box) -> Point:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _unlike_reference(
    pixels: Picture, table: TableModel, view: TableView, part: Part
) -> list[tuple[Candidate, Upright]]:
    """Search a part for dice, and return the places that do not look so in the reference."""
    places = search_dice(pixels, _LEAST_CHANCE, view, table.throwing_zone, part)
    return [p for p in places if not was_there(pixels, table.reference, _box(p[0]))]


def _may_have_come(place: tuple[Candidate, Upright], table: TableModel) -> bool:
    candidate, upright = place
    if upright.square_px is None or not may_be_die(candidate.size_px, upright):
        return False
    return candidate.size_px < AROUND * _MOST_CHECKER * table.checker_diameter * upright.square_px


def _readings(
    pixels: Picture, places: list[tuple[Candidate, Upright]], least: float
) -> tuple[DieReading, ...]:
    if not places:
        return ()
    size_wh = (pixels.shape[1], pixels.shape[0])
    return tuple(_reading(die, size_wh, least) for die in _apart(_read_places(pixels, places)))


def _box(candidate: Candidate) -> Box:
    half = candidate.size_px / 2
    x, y = candidate.centre_xy
    return x - half, y - half, candidate.size_px, candidate.size_px


def _read_places(pixels: Picture, places: list[tuple[Candidate, Upright]]) -> list[_Die]:
    """Read each place once, and those that are dice again, centred and in several crops."""
    dice = []
    for centre, size_px, upright in _first_looks(pixels, places):
        looks = [cut_crop(pixels, centre, size_px * scale, upright, turn) for turn, scale in _LOOKS]
        again = read_crops(looks)
        chances = np.exp(np.mean(np.log(np.maximum(again.chances, 1e-6)), axis=0))
        chances /= chances.sum()
        chances = _with_count(chances, again.pips)
        if chances[0] < 1 - _LEAST_DIE:
            centre, size = place_box(centre, size_px, upright, again.boxes[0])
            if may_be_die(max(size), upright):
                dice.append(_Die(centre, size, chances))
    return dice


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
            if chances[1:COCKED].max() < _LEAST_VALUE:
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
    mixed[1:COCKED] = (1 - _COUNT_SHARE) * chances[1:COCKED] + _COUNT_SHARE * settled * counted
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
