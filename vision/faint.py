"""Checkers that hardly differ from the square they stand on: told by how round they are.

White on white, green on green, black on black: another lamp makes a checker a little darker or
lighter than it was when its colour was learned, and the board, in shadow or not, explains what is
seen as well as the checker does, pixel by pixel. What the board has not is the shape: a rim that
runs round, of a checker's size, with its rings inside (`vision.roundness`). So wherever part of an
empty square is not as it was, roundness and hue decide together. And what the paint of a square may
look like in another light, or under a lamp's reflection, is a checker only as far as it is round.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import Point
from vision.checkers import disc_seen, foot_below
from vision.evidence import Plane
from vision.glare import veiled
from vision.roundness import roundness
from vision.standing import Found
from vision.table import CheckerLook
from vision.towers import Tower, View, outline

_OTHERWISE: Final = 5.0
"""From so many nats on a pixel is unlike the lit board."""
_LEAST_SHARE: Final = 0.05
"""From this share of a square that is unlike the board on it is looked at."""
_MOST: Final = 16
_APART: Final = 0.14
"""The middle of a checker is sought around places so far from the square's, in squares."""
_ABOUT: Final = np.array([(0.0, 0.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)])
# Nats for a checker: so many, and so many for each unit of the face's logarithm of F. Fitted to
# 600 such squares, one in eleven with a checker, of simulated tables with another lamp lit.
_NATS: Final = (-8.9, 3.05)
_HUE_NATS: Final = 1.0
"""A shadow or a stain seldom has a hue that is played: such a hue speaks for a checker as well."""
_LEAST_NATS, _MOST_NATS = -6.0, 5.0
# A checker in other light: its lightness, its green and red, its blue and yellow go astray so far.
_ASTRAY: Final = (14.0, 7.0, 7.0)
_WORTHWHILE: Final = -3.0
# Bare paint in another light goes astray so far, in L*, a*, b*; what looks like it is given so many
# nats for a checker at most, and what its roundness tells. Of 416 places without a checker that
# drawn tables under hard shadows, reflections and new lamps showed surely 17 stayed sure, and of
# 1390 checkers 1336.
_PAINT_ASTRAY: Final = (20.0, 8.0, 8.0)
_PAINT_NATS: Final = 5.0


def find_faint(
    lab: NDArray[np.float32],
    behind: NDArray[np.float32],
    unlike: Plane,
    hidden: NDArray[np.bool_],
    view: View,
    looks: Sequence[CheckerLook],
) -> tuple[Found, ...]:
    """Return the checkers that only their roundness tells, the surest first.

    Args:
        lab: the rectified board in L*a*b* under the light of the reference, (side, side, 3).
        behind: the empty board alike.
        unlike: by how many nats each pixel is unlike the empty board, lit.
        hidden: what checkers that are surely there hide, (side, side).
        view: how checkers appear.
        looks: the colours that are looked for.
    """
    squares_px = _not_as_they_were((unlike > _OTHERWISE) & ~hidden, hidden, view)
    if not len(squares_px):
        return ()
    starts = tuple(squares_px + off * _APART * view.square_px for off in _ABOUT)
    nats, middles_xy = shape_nats(lab, behind, starts, view)
    found = []
    for (column, row), spoken in zip(middles_xy.tolist(), nats.tolist(), strict=True):
        item = _named(lab, view.from_px(column, row), spoken, view, looks)
        if item.score > _WORTHWHILE:
            found.append(item)
    return tuple(sorted(found, key=lambda one: -one.score))


def shape_nats(
    lab: NDArray[np.float32],
    behind: NDArray[np.float32],
    starts_px: tuple[NDArray[np.float64], ...],
    view: View,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the nats that its roundness gives a checker at each place, (n,), and the middles.

    Args:
        lab: the rectified board in L*a*b* under the light of the reference, (side, side, 3).
        behind: the empty board alike.
        starts_px: where the middles may be, columns and rows, each (n, 2): all are tried.
        view: how checkers appear.
    """
    lighter = np.ascontiguousarray(lab[..., 0] - behind[..., 0]) * np.float32(2.55)
    around = roundness(lighter, starts_px, view.radius * view.square_px)
    base, slope = _NATS
    return np.clip(base + slope * around.face, _LEAST_NATS, _MOST_NATS), around.middles_xy


def doubt_paint(
    found: Sequence[Found],
    lab: NDArray[np.float32],
    behind: NDArray[np.float32],
    view: View,
) -> tuple[Found, ...]:
    """Return what was *found*, held to how round it is where it may be the bare board's paint.

    Args:
        found: checkers found by their colours.
        lab: the rectified board in L*a*b* under the light of the reference, (side, side, 3).
        behind: the empty board alike.
        view: how checkers appear.
    """
    if not found:
        return ()
    tops = np.array([_top_px(item.tower, view) for item in found])
    most = _PAINT_NATS + _unlike_paint(lab, behind, tops, 0.7 * view.radius * view.square_px)
    asked = [n for n, item in enumerate(found) if item.score > most[n] + _LEAST_NATS]
    if not asked:
        return tuple(found)
    most[asked] += shape_nats(lab, behind, (tops[asked],), view)[0]
    held = [
        supported(item, min(bound - item.score, 0.0))
        for item, bound in zip(found, most.tolist(), strict=True)
    ]
    return tuple(sorted(held, key=lambda one: -one.score))


def supported(item: Found, nats: float) -> Found:
    """Return *item* with so many *nats* more for it, whatever colour and however high it is."""
    return replace(
        item,
        score=item.score + nats,
        by_colour=tuple((colour, score + nats) for colour, score in item.by_colour),
        by_count=tuple(score + nats for score in item.by_count),
    )


def _top_px(tower: Tower, view: View) -> Point:
    top = disc_seen(view.pose, tower.foot_xy, view.radius, tower.count * view.height)
    return view.to_px(top.centre_xy)


def _unlike_paint(
    lab: NDArray[np.float32],
    behind: NDArray[np.float32],
    middles_px: NDArray[np.float64],
    radius_px: float,
) -> NDArray[np.float64]:
    """Return the nats by which places are unlike the paint of their squares in another light."""
    reach = np.arange(-int(radius_px), int(radius_px) + 1)
    down, right = (off.ravel() for off in np.meshgrid(reach, reach, indexing="ij"))
    inside = np.hypot(down, right) <= radius_px
    last = len(lab) - 1
    rows, columns = (
        np.clip(np.rint(middles_px[:, axis, None]).astype(int) + off[inside], 0, last)
        for axis, off in ((1, down), (0, right))
    )
    seen, bare = (np.median(of[rows, columns], axis=1) for of in (lab, behind))
    off = np.square((seen - bare) / np.array(_PAINT_ASTRAY)).sum(axis=1)
    return np.where(veiled(seen, bare), 0.0, 0.5 * off)


def _not_as_they_were(
    unlike: NDArray[np.bool_], hidden: NDArray[np.bool_], view: View
) -> NDArray[np.float64]:
    """Return the middles of squares that part is *unlike* of, columns and rows, (n, 2)."""
    shares = view.shares(unlike)
    order = np.argsort(-shares, axis=None, kind="stable")[:_MOST]
    rows, columns = np.unravel_index(order[shares.ravel()[order] > _LEAST_SHARE], shares.shape)
    middles = np.array([view.to_px((x + 0.5, 7.5 - y)) for x, y in zip(columns, rows, strict=True)])
    bare = [not hidden[round(row), round(column)] for column, row in middles]
    return middles[bare].reshape(-1, 2)


def _named(
    lab: NDArray[np.float32],
    seen_xy: tuple[float, float],
    nats: float,
    view: View,
    looks: Sequence[CheckerLook],
) -> Found:
    """Return a checker seen at a place with what its hue says for each colour."""
    flat = View(view.pose, 0.8 * view.radius, 0.0, view.square_px, view.margin)
    part = outline(flat, seen_xy, 1)
    seen = np.median(lab[part.rows, part.columns][part.cover > 0.5], axis=0)
    off = (np.array([look.lab for look in looks]) - seen) / np.array(_ASTRAY)
    hues = _HUE_NATS - 0.5 * np.square(off).sum(axis=1)
    # Whichever colour it is: that there are several to choose from makes a checker no less likely.
    hues += np.log(len(looks)) + np.max(hues) - np.logaddexp.reduce(hues)
    by_colour = tuple(
        (look.colour, nats + float(hue)) for look, hue in zip(looks, hues, strict=True)
    )
    colour, best = max(by_colour, key=lambda one: one[1])
    foot_xy = foot_below(view.pose, seen_xy, view.height / 2.0)
    return Found(Tower(colour, 1, foot_xy), best, by_colour, (best,), (foot_xy,))
