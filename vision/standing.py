"""What stands on the board: the towers that together explain a rectified board best.

Greedy and then exact: the most convincing checker is placed, what it hides is explained and taken
out, and so on; then each is moved, and stacked higher, while that explains more.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Colour, Point
from vision.checkers import disc_seen, foot_below
from vision.evidence import Plane
from vision.towers import Outline, Tower, View, outline, wall

# The evidence of one pixel is held to this many nats: paint varies more than any model of it.
CAP: Final = 4.0
# Pixels of one checker are not independent: together they weigh as much as this many that were.
INDEPENDENT_PIXELS: Final = 6.0
# Checkers are looked for down to this score, in nats of `score`.
WEAKEST: Final = -6.0
CONVINCING: Final = 3.0
"""From this score on a tower counts as standing there."""
# Sixteen checkers are in play; a hand may look like some more.
_MOST: Final = 24
HIGHEST: Final = 4
"""A player has four checkers: no tower is higher."""
# How far outside the field a checker's foot may be seen and still count, in squares.
_OVERHANG: Final = 0.6
# How far from the place of the coarse search the exact one looks, in pixels.
_REACH_PX: Final = 3
_TOWER_NATS: Final = (0.0, 3.5, 5.75, 7.75)
"""Nats against towers of one, two, three, four: few squares hold two, and fewer still more."""
_HOPELESS: Final = 4.0
"""A tower that falls behind a lower one by so many nats is looked at no higher."""
_IN_LINE: Final = 5.0
"""Nats against two of a colour that stand in line with the camera, one right behind the other."""
_ELBOW_ROOM: Final = 1.8
"""Two checkers' feet are hardly nearer than so many radii."""


@dataclass(frozen=True, slots=True)
class Found:
    """A tower that may stand on the board.

    Attributes:
        tower: where and how many.
        score: nats for it, against the empty board.
        by_colour: the same place scored for every colour.
        by_count: the best score of a tower of 1, 2, …
        feet: where it would stand in each case.
    """

    tower: Tower
    score: float
    by_colour: tuple[tuple[Colour, float], ...]
    by_count: tuple[float, ...]
    feet: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """What tells a colour's checkers from the empty board, in nats a pixel; (side, side) each.

    Attributes:
        top: by how many the colour explains a pixel better than the board, held to ±`CAP`.
        wall: by how many more it does so on a tower's wall, which lies in the shade.
    """

    top: Plane
    wall: Plane

    @classmethod
    def without_wall(cls, top: Plane) -> "Paint":
        """Return the paint of what looks no otherwise on its wall."""
        return cls(top, np.zeros_like(top))

    def copied(self) -> "Paint":
        """Return planes of its own, which may be written to."""
        return Paint(self.top.copy(), self.wall.copy())


def find_towers(paints: Mapping[Colour, Paint], view: View) -> tuple[Found, ...]:
    """Return the towers that explain a board, the surest first.

    Args:
        paints: what tells each colour.
        view: how checkers appear on this board.
    """
    found = _explained(paints, view, dict.fromkeys(paints, HIGHEST))
    highest = {colour: _affordable(colour, found) for colour in paints}
    if all(count == HIGHEST for count in highest.values()):
        return found
    return _explained(paints, view, highest)


def _affordable(colour: Colour, found: tuple[Found, ...]) -> int:
    """Return how high a tower of *colour* may be, if more checkers were found than a player has.

    Each of his other places needs one. What seemed a tower may be two, one behind the other.
    """
    counts = [
        one.tower.count for one in found if one.tower.colour is colour and one.score >= CONVINCING
    ]
    return HIGHEST if sum(counts) <= HIGHEST else max(1, HIGHEST + 1 - len(counts))


def _explained(
    paints: Mapping[Colour, Paint], view: View, highest: Mapping[Colour, int]
) -> tuple[Found, ...]:
    """Return the towers that explain a board, none of a colour higher than *highest* says."""
    left = {colour: paint.copied() for colour, paint in paints.items()}
    tops = {colour: paint.top for colour, paint in left.items()}
    search = _CoarseSearch(tops, view)
    found: list[Found] = []
    while len(found) < _MOST:
        place = search.best_place()
        if place is None:
            break
        candidate = _settle(left, view, *place, highest[place[0]])
        if candidate.score < WEAKEST:
            search.forget(place[1])
            continue
        found.append(candidate)
        hidden = outline(view, candidate.tower.foot_xy, candidate.tower.count, grow=0.02)
        for paint in left.values():
            _hide(paint, hidden)
            # A place once hidden can hold no second foot: covering it speaks against, a little.
            paint.top[hidden.rows, hidden.columns] -= 0.5 * CAP * hidden.cover
        search.update(tops, hidden)
    return tuple(sorted(found, key=lambda item: -item.score))


def _hide(paint: Paint, hidden: Outline) -> None:
    """Take what is *hidden* out of the evidence that is left."""
    for plane in (paint.top, paint.wall):
        plane[hidden.rows, hidden.columns] *= 1.0 - hidden.cover


def score(paint: Paint, view: View, tower: Tower) -> float:
    """Return the nats for *tower* among what *paint* holds."""
    return _scores((paint,), view, tower)[0]


def _scores(paints: Collection[Paint], view: View, tower: Tower) -> list[float]:
    hidden = outline(view, tower.foot_xy, tower.count)
    nats = [_behind(paint.top, hidden) for paint in paints]
    if tower.count > 1:
        seen = replace(hidden, cover=wall(view, tower, hidden))
        nats = [top + _behind(paint.wall, seen) for top, paint in zip(nats, paints, strict=True)]
    return [_weight(view) * one for one in nats]


def covered(plane: Plane, view: View, tower: Tower) -> float:
    """Return the sum of what *plane* holds behind *tower*."""
    return _behind(plane, outline(view, tower.foot_xy, tower.count))


def _behind(plane: Plane, hidden: Outline) -> float:
    return float(np.vdot(plane[hidden.rows, hidden.columns], hidden.cover))


def refine(paint: Paint, view: View, tower: Tower) -> tuple[Tower, float]:
    """Move *tower* by a few pixels to where it explains most; return it and its score."""
    hidden = outline(view, tower.foot_xy, tower.count)
    sums = _sums_nearby(paint.top, hidden, hidden.cover)
    if tower.count > 1:
        sums += _sums_nearby(paint.wall, hidden, wall(view, tower, hidden))
    _, _, _, (column, row) = cv2.minMaxLoc(sums)
    shift_x = column - _REACH_PX + _peak_offset(sums[row], column)
    shift_y = row - _REACH_PX + _peak_offset(sums[:, column], row)
    x, y = tower.foot_xy
    moved = Tower(
        tower.colour, tower.count, (x + shift_x / view.square_px, y - shift_y / view.square_px)
    )
    return moved, score(paint, view, moved)


def _sums_nearby(plane: Plane, hidden: Outline, weights: NDArray[np.float32]) -> Plane:
    """Return the weighed sums of *plane* where *hidden* is, and a few pixels off either way."""
    padded = cv2.copyMakeBorder(
        plane[_widened(hidden.rows), _widened(hidden.columns)],
        *_missing(hidden.rows, plane.shape[0]),
        *_missing(hidden.columns, plane.shape[1]),
        cv2.BORDER_CONSTANT,
        value=0.0,
    )
    return np.asarray(cv2.matchTemplate(padded, weights, cv2.TM_CCORR), dtype=np.float32)


class _CoarseSearch:
    """Scores of one checker everywhere, at half the resolution, kept up to date."""

    def __init__(self, left: Mapping[Colour, Plane], view: View) -> None:
        self._view = View(view.pose, view.radius, view.height, view.square_px // 2, view.margin)
        self._kernel = _typical_outline(self._view)
        self._halves = {colour: _halved(plane) for colour, plane in left.items()}
        self._scores = {
            colour: _correlate(plane, self._kernel) for colour, plane in self._halves.items()
        }

    def best_place(self) -> tuple[Colour, Point] | None:
        """Return the colour and the foot of the most convincing checker that is left."""
        view = self._view
        low = round((view.margin - _OVERHANG) * view.square_px)
        high = round((view.margin + 8.0 + _OVERHANG) * view.square_px)
        best: tuple[float, Colour, Point] | None = None
        for colour, plane in self._scores.items():
            _, highest, _, (column, row) = cv2.minMaxLoc(plane[low:high, low:high])
            if best is None or highest > best[0]:
                best = (highest, colour, view.from_px(column + low, row + low))
        if best is None or best[0] * _weight(view) < WEAKEST:
            return None
        return best[1], foot_below(view.pose, best[2], view.height / 2.0)

    def update(self, left: Mapping[Colour, Plane], changed: Outline) -> None:
        """Take over what *changed* in the evidence that is *left*."""
        reach = self._kernel.shape[0]
        rows, columns = _half_span(changed.rows), _half_span(changed.columns)
        for colour, plane in left.items():
            half = self._halves[colour]
            half[rows, columns] = _halved(
                plane[2 * rows.start : 2 * rows.stop, 2 * columns.start : 2 * columns.stop]
            )
            top, start = max(rows.start - 2 * reach, 0), max(columns.start - 2 * reach, 0)
            part = half[top : rows.stop + 2 * reach, start : columns.stop + 2 * reach]
            fresh = _correlate(part, self._kernel)
            into_rows = slice(max(rows.start - reach, 0), rows.stop + reach)
            into_columns = slice(max(columns.start - reach, 0), columns.stop + reach)
            target = self._scores[colour][into_rows, into_columns]
            first_row, first_column = into_rows.start - top, into_columns.start - start
            known = np.isneginf(target)
            target[:] = fresh[
                first_row : first_row + target.shape[0],
                first_column : first_column + target.shape[1],
            ]
            target[known] = -np.inf

    def forget(self, foot_xy: Point) -> None:
        """Look no more near *foot_xy*."""
        view = self._view
        column, row = view.to_px(
            disc_seen(view.pose, foot_xy, view.radius, view.height / 2.0).centre_xy
        )
        reach = max(1, round(view.radius * view.square_px / 2.0))
        rows = slice(max(round(row) - reach, 0), round(row) + reach + 1)
        columns = slice(max(round(column) - reach, 0), round(column) + reach + 1)
        for plane in self._scores.values():
            plane[rows, columns] = -np.inf


def _settle(
    left: Mapping[Colour, Paint], view: View, colour: Colour, foot_xy: Point, highest: int
) -> Found:
    """Return the best tower near *foot_xy*, with what speaks for other colours and counts."""
    towers, by_count = [], []
    for count in range(1, highest + 1):
        starts = [Tower(colour, count, start) for start in _feet(view, foot_xy, count)]
        tower, gained = max((refine(left[colour], view, start) for start in starts), key=_gained)
        towers.append(tower)
        by_count.append(gained - _TOWER_NATS[count - 1])
        if by_count[-1] < max(by_count) - _HOPELESS:
            break
    best = int(np.argmax(by_count))
    if best:
        near, apart = _two_apart(left[colour], view, towers[best])
        if apart > by_count[best]:
            # Two that stand one behind the other look much like a tower; this is the nearer one.
            more = apart - score(left[colour], view, near)
            best = near.count - 1
            by_count = [*by_count[: best + 1], *(value - more for value in by_count[best + 1 :])]
            towers[best] = near
    by_colour = tuple(zip(left, _scores(left.values(), view, towers[best]), strict=True))
    feet = tuple(tower.foot_xy for tower in towers)
    return Found(towers[best], by_count[best], by_colour, tuple(by_count), feet)


def _two_apart(paint: Paint, view: View, tower: Tower) -> tuple[Tower, float]:
    """Return the nearer of the two that *tower* may be, one behind the other, and their score."""
    top = disc_seen(view.pose, tower.foot_xy, view.radius, tower.count * view.height).centre_xy
    best = (tower, -math.inf)
    for lower in range(1, tower.count):
        near, gained = refine(paint, view, replace(tower, count=lower))
        hidden = outline(view, near.foot_xy, near.count)
        rest = paint.copied()
        _hide(rest, hidden)
        for count in range(1, tower.count):
            foot = foot_below(view.pose, top, count * view.height)
            if math.dist(foot, near.foot_xy) > _ELBOW_ROOM * view.radius:
                _, more = refine(rest, view, Tower(tower.colour, count, foot))
                both = gained + more - _TOWER_NATS[lower - 1] - _TOWER_NATS[count - 1] - _IN_LINE
                best = max(best, (near, both), key=_gained)
    return best


def _feet(view: View, foot_xy: Point, count: int) -> list[Point]:
    """Return where a tower may stand if the checker seen as if on *foot_xy* is one of its own."""
    middle = disc_seen(view.pose, foot_xy, view.radius, view.height / 2.0).centre_xy
    feet = [foot_xy]
    for layer in range(1, count):
        lower = foot_below(view.pose, middle, (layer + 0.5) * view.height)
        if math.dist(lower, feet[-1]) * view.square_px > _REACH_PX:
            feet.append(lower)
    return feet


def _gained(refined: tuple[Tower, float]) -> float:
    return refined[1]


def _typical_outline(view: View) -> NDArray[np.float32]:
    """Return the outline of one checker in the middle of the field, as a centred kernel."""
    middle = outline(view, foot_below(view.pose, (4.0, 4.0), view.height / 2.0), 1)
    reach = max(middle.cover.shape) // 2 + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    first_row = middle.rows.start - (view.side_px // 2 - reach)
    first_column = middle.columns.start - (view.side_px // 2 - reach)
    rows, columns = middle.cover.shape
    kernel[first_row : first_row + rows, first_column : first_column + columns] = middle.cover
    return kernel


def _halved(plane: Plane) -> Plane:
    size_wh = (plane.shape[1] // 2, plane.shape[0] // 2)
    return np.asarray(cv2.resize(plane, size_wh, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _half_span(span: slice) -> slice:
    return slice(span.start // 2, (span.stop + 1) // 2)


def _widened(span: slice) -> slice:
    return slice(max(span.start - _REACH_PX, 0), span.stop + _REACH_PX)


def _missing(span: slice, side_px: int) -> tuple[int, int]:
    """Return how many pixels a widened span reaches beyond either edge."""
    return max(_REACH_PX - span.start, 0), max(span.stop + _REACH_PX - side_px, 0)


def _peak_offset(values: NDArray[np.float32], at: int) -> float:
    """Return by what fraction of a step the peak of a parabola through three values is off."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(value) for value in values[at - 1 : at + 2])
    curvature = before - 2.0 * here + after
    return 0.5 * (before - after) / curvature if curvature < 0.0 else 0.0


def _correlate(plane: Plane, kernel: NDArray[np.float32]) -> Plane:
    return np.asarray(
        cv2.filter2D(plane, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT), dtype=np.float32
    )


def _weight(view: View) -> float:
    """Return what one pixel of evidence counts."""
    pixels = np.pi * (view.radius * view.square_px) ** 2
    return float(INDEPENDENT_PIXELS / pixels)
