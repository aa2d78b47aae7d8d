"""What lies at places that may be dice: which are dice, and how probable each value is.

Each die is read in several crops, turned and scaled a little, and what is told of them is joined.
Where the table's pose is known, a die that would not look so lying flat is one that leans.
"""

from dataclasses import dataclass, replace
from math import dist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import Box, DieReading, DieState, Point
from vision.die_nets import COCKED, Candidate, read_crops
from vision.die_pips import with_count
from vision.die_search import may_be_die
from vision.die_shape import lean, squareness
from vision.die_view import Upright, cut_crop, place_box
from vision.frame import Picture

_LEAST_DIE: Final = 0.5
_SURE_PLACE: Final = 0.75
"""What shows a value as surely is a die, and no pip of one."""
_SURELY_NONE: Final = 0.98
"""What is seen a little off its middle may seem none; less surely so it is looked at again."""
_OFF_MIDDLE: Final = 0.06
"""Of a die's size; farther off the middle of its crop a die that is doubtful is centred again."""
_CENTRED_AGAIN: Final = 2
_FILLED: Final = 0.9
"""A thing that is smaller than what was framed by more than this was framed with its shadow."""
_UNDOUBTED: Final = 0.9
_TWO_FACES: Final = 34.0
"""So much likelier dice that lean show more pips than they have in most crops: of 307 flat dice of
two games 4 did, of 9 that leaned and were told as values 4."""
_AGREED: Final = 0.8
_DISSENT: Final = 5.0
"""So much likelier a die leans where one crop is less sure than that of its value and most do not
show its pips: of 378 drawn dice that lay flat none did so, of 12 that leaned and seemed a value 5,
but of 304 looks at flat ones in rendered games two."""
_MOST_MISFIT: Final = 4.0
"""So much, as a logarithm of odds, a misfit tells for leaning at most: it may have other causes."""
_MOST_FIT: Final = 2.0
"""So much a good fit tells for lying flat: of dice that lean and seem a value one in twenty fits as
well as is demanded, of those that lie flat three in four better by four and more."""
_MOST_OF_PICTURE: Final = 0.5
_FIRST_SIZES: Final = (1.0, 0.55)
"""Of the size the finder gives: a tray or a shadow makes it take a die for a larger one."""
_ALIKE_SHARE: Final = 0.12
"""Places that differ by less than this share of their size are the same."""
_PIP_TO_DIE: Final = (4.5, 7.0)
"""Sizes of dice in sizes of their pips' boxes."""
_LEAST_COCKED: Final = 0.3
_EDGE_SHARE: Final = 0.12
"""Of a die's box; one that reaches so far over the picture's edge is not read."""
_AS_LARGE: Final = (0.6, 1.5)
"""Looks at the same die find it so large, by the surer of them."""
_SHORT: Final = 0.99
"""Of what is demanded, what a contradicted value has left: too little to be told, and too much to
make the die a checker."""
LOOKS: Final = ((0.0, 1.0), (-7.0, 0.92), (7.0, 1.1))
"""Turn in degrees and scale of the crops each die is read in."""
TURNS_DEG: Final = tuple(turn for turn, _ in LOOKS)


@dataclass(frozen=True, slots=True)
class Demands:
    """How surely a value must be seen to be told.

    Attributes:
        value: from which chance on a value is told.
        one: the same for a one: a spot on a plain body is what much that is no die looks like.
        misfit: a die rather leans that fits lying flat worse than this, see `die_shape.lean`.
        fitting: whether one that fits better rather lies flat. Where nobody knows that a thing
            came, what is no die may fit, too.
        square: which share of the smallest rectangle around it the top must fill, seen from above,
            where the table's pose is known.
        closer: look closer where a value is doubtful, and believe the surest look that no other
            contradicts: a thing may have been framed with its shadow. Where nobody knows that a
            thing came, that finds values in what is no die.
        sides: how large the die's box may be, in squares; None: as large as that of any die.
    """

    value: float
    one: float
    misfit: float
    fitting: bool = False
    square: float = 0.0
    closer: bool = False
    sides: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Die:
    centre_xy: Point
    size_wh: tuple[float, float]
    chances: NDArray[np.float64]
    square: float

    @property
    def box(self) -> Box:
        wide, high = self.size_wh
        return self.centre_xy[0] - wide / 2, self.centre_xy[1] - high / 2, wide, high


def read_places(
    pixels: Picture, places: list[tuple[Candidate, Upright]], demands: Demands
) -> tuple[DieReading, ...]:
    """Return a reading of each die at *places*, the surest first.

    Args:
        pixels: the picture.
        places: where dice may be, and how the table lies there.
        demands: from what on a value is told.
    """
    if not places:
        return ()
    size_wh = (pixels.shape[1], pixels.shape[0])
    dice = _apart(_read_places(pixels, places, demands), demands)
    return tuple(_reading(die, size_wh, demands) for die in dice)


def leans_rather(leaning: float, value: float) -> bool:
    """Tell whether a die leans whose chance of that, and of its likeliest value, are given."""
    return leaning > max(_LEAST_COCKED, 0.5 * value)


def _read_places(
    pixels: Picture, places: list[tuple[Candidate, Upright]], demands: Demands
) -> list[_Die]:
    """Read each place once, and those that are dice again, centred and in several crops."""
    dice = []
    for centre, size_px, upright in _first_looks(pixels, places, demands):
        die = _read_place(pixels, centre, size_px, upright, demands)
        for _ in range(1 if demands.closer else _CENTRED_AGAIN):
            centred = dist(die.centre_xy, centre) < _OFF_MIDDLE * size_px
            filled = not demands.closer or max(die.size_wh) > _FILLED * size_px
            # A die that was framed with its shadow may seem to lean.
            told = die.chances[:COCKED] if demands.closer else die.chances
            if told.max() > _UNDOUBTED or (centred and filled):
                break
            centre, size_px = die.centre_xy, max(die.size_wh)
            again = _read_place(pixels, centre, size_px, upright, demands)
            die = _surer(die, again, demands) if demands.closer else again
        if die.chances[0] < 1 - _LEAST_DIE and may_be_die(max(die.size_wh), upright, demands.sides):
            dice.append(die)
    return dice


def _read_place(
    pixels: Picture, centre: Point, size_px: float, upright: Upright, demands: Demands
) -> _Die:
    """Read what lies at a place in several crops, and join what is told of them."""
    looks = [cut_crop(pixels, centre, size_px * scale, upright, turn) for turn, scale in LOOKS]
    told = read_crops(looks)
    pips = told.pips()
    chances = with_count(told.joined(), pips)
    square = 1.0
    if upright.oblique_deg is not None:
        if chances[1:COCKED].max() > _LEAST_DIE:
            value = _likeliest(chances)
            misfit = lean(told, TURNS_DEG, upright.oblique_deg, value)
            chances = _with_lean(chances, misfit - demands.misfit, demands.fitting)
        chances = _with_two_faces(chances, pips)
        if demands.closer and chances[1:COCKED].max() > _LEAST_DIE:  # what is none stays none
            chances = _with_dissent(chances, told.chances, pips)
        if demands.square:
            square = squareness(told, upright.oblique_deg)
    centre, size = place_box(centre, size_px, upright, told.boxes[0])
    return _Die(centre, size, chances, square)


def _likeliest(chances: NDArray[np.float64]) -> int:
    """Return the value that *chances* give most."""
    return int(np.argmax(chances[1:COCKED])) + 1


def _told(die: _Die) -> float:
    return float(die.chances[1:COCKED].max())


def _first_looks(
    pixels: Picture, places: list[tuple[Candidate, Upright]], demands: Demands
) -> list[tuple[Point, float, Upright]]:
    """Return middle, size and upright of what may be dice, after a first look at each place.

    A doubtful place may be a pip only: then the die around it is looked at, too.
    """
    seen = []
    sized = [(place, _first_sizes(*place, demands.sides)) for place in places]
    rounds = [
        (candidate.centre_xy, sizes_px[at], upright)
        for at in range(len(_FIRST_SIZES))
        for (candidate, upright), sizes_px in sized
        if at < len(sizes_px)
    ]
    for factors in (_PIP_TO_DIE, ()):
        if not rounds:
            break
        told = read_crops([cut_crop(pixels, *place) for place in rounds])
        wider = []
        for (centre, size_px, upright), chances, box in zip(
            rounds, told.chances, told.boxes, strict=True
        ):
            moved, size = place_box(centre, size_px, upright, box)
            if chances[0] > 1 - _LEAST_DIE / 2:
                if chances[0] < _SURELY_NONE and dist(moved, centre) > _OFF_MIDDLE * size_px:
                    wider.append((moved, max(size), upright))
                continue
            seen.append((moved, max(size), upright))
            if chances[1:COCKED].max() < _SURE_PLACE:
                wider += [(centre, size_px * factor, upright) for factor in factors]
        most = _MOST_OF_PICTURE * min(pixels.shape[:2])
        rounds = [p for p in wider if p[1] < most and may_be_die(p[1], p[2], demands.sides)]
    return _once(seen)


def _first_sizes(
    candidate: Candidate, upright: Upright, sides: tuple[float, float] | None
) -> tuple[float, ...]:
    """Return at which sizes to look at a place: mostly at one, where the die's is known."""
    large_px, small_px = (candidate.size_px * scale for scale in _FIRST_SIZES)
    if sides is None or upright.square_px is None:
        return large_px, small_px
    least_px, most_px = (side * upright.square_px for side in sides)
    large_px = min(max(large_px, least_px), most_px)
    return (large_px, small_px) if small_px > least_px else (large_px,)


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


def _with_two_faces(chances: NDArray[np.float64], pips: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return *chances* that doubt a value of which most crops show more pips than it has."""
    if np.mean(pips > _likeliest(chances)) <= 0.5:
        return chances
    return _leaning_by(chances, _TWO_FACES)


def _with_dissent(
    chances: NDArray[np.float64], crops: NDArray[np.float64], pips: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return *chances* that doubt a value of which one crop is unsure, and few show the pips."""
    value = _likeliest(chances)
    if crops[:, value].min() >= _AGREED or np.mean(pips == value) > 0.5:
        return chances
    return _leaning_by(chances, _DISSENT)


def _with_lean(chances: NDArray[np.float64], too_much: float, fitting: bool) -> NDArray[np.float64]:
    """Return *chances* after Bayes, the misfit to lying flat being *too_much* by that."""
    most = np.clip(too_much / 2, -_MOST_FIT if fitting else 0.0, _MOST_MISFIT)
    return _leaning_by(chances, float(np.exp(most)))


def _leaning_by(chances: NDArray[np.float64], odds: float) -> NDArray[np.float64]:
    """Return *chances* with leaning so much likelier."""
    weighed = chances.copy()
    weighed[COCKED] *= odds
    weighed /= weighed.sum()
    return weighed


def _apart(dice: list[_Die], demands: Demands) -> list[_Die]:
    """Return the dice without those that lie where a die of surer value lies, as its pips do."""
    kept: list[_Die] = []
    for die in sorted(dice, key=lambda d: -_told(d)):
        reach = max(die.size_wh)
        near = (
            at
            for at, other in enumerate(kept)
            if dist(die.centre_xy, other.centre_xy) <= 0.5 * max(reach, *other.size_wh)
        )
        at = next(near, None)
        if at is None:
            kept.append(die)
        elif demands.closer:
            kept[at] = _surer(kept[at], die, demands)
    return kept


def _surer(one: _Die, other: _Die, demands: Demands) -> _Die:
    """Return the surer of two looks at a die, in doubt where the other one sees that it leans.

    Of 1,096 drawn dice that lay flat and had their value one was seen so, of 33 that leaned and
    seemed a value 14.
    """
    die, less = sorted((one, other), key=_told, reverse=True)
    least, most = (share * max(die.size_wh) for share in _AS_LARGE)
    if _told(die) < demands.value or less.chances[COCKED] <= _LEAST_DIE:
        return die
    if not least < max(less.size_wh) < most:
        return die
    value = _likeliest(die.chances)
    over = die.chances[value] - _SHORT * demands.value
    share = over / (die.chances[value] - less.chances[value])
    return replace(die, chances=die.chances + share * (less.chances - die.chances))


def _reading(die: _Die, picture_wh: tuple[int, int], demands: Demands) -> DieReading:
    values = die.chances[1:COCKED]
    best = float(values.max())
    least = demands.one if values[0] == best else demands.value
    state = DieState.SETTLED
    if leans_rather(float(die.chances[COCKED]), best):
        state = DieState.COCKED
    elif best < least or die.square < demands.square or _over_edge(die.box, picture_wh):
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
