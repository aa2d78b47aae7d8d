"""Checkers that look like nobody's: discs of the right size among what is unexplained.

They have a colour that nobody plays, or one that is played under the reflection of a lamp.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import Colour
from vision.checkers import disc_seen
from vision.faint import shape_nats
from vision.glare import veiled
from vision.palette import name_colours
from vision.standing import CAP, Found, Paint, find_towers
from vision.table import CheckerLook
from vision.towers import Tower, View, outline

# How much of a checker's outline must be filled, and of what is around it may be, to be one.
_FILLED: Final = 0.85
_CROWDED: Final = 0.15
_AROUND: Final = 0.2
_HARDLY_ROUND: Final = -1.5
"""Nats; sharp checkers are given five."""
# Nats for a checker of a colour that should not be there: it is believed, but not blindly.
_NATS: Final = 6.0
# A strong lamp may turn the hue of a checker that is played: so far, and a nat for so many degrees.
_MOST_APART_DEG: Final = 45.0
_HUE_DEG: Final = 30.0
_COLOURED: Final = 15.0
_SELDOM: Final = 1.1
"""Nats against a colour that nobody plays, where one that is played may lie under a reflection."""


def find_strangers(
    unexplained: NDArray[np.bool_],
    lab: NDArray[np.float32],
    behind: NDArray[np.float32],
    view: View,
    looks: tuple[CheckerLook, ...],
    *,
    moved: bool = False,
) -> tuple[Found, ...]:
    """Return the checkers that look like none of *looks*, by the colours they may have.

    Args:
        unexplained: where neither the board nor a checker in play is seen, shape (side, side).
        lab: the rectified board in L*a*b*, shape (side, side, 3).
        behind: the empty board alike.
        view: how checkers appear on it.
        looks: the checkers that were looked for before.
        moved: the board lies elsewhere under the lamps than when they were measured, so that they
            may have lost a reflection as well.
    """
    disc_px = np.pi * (view.radius * view.square_px) ** 2
    if np.count_nonzero(unexplained) < _FILLED * disc_px:
        return ()
    others = tuple(colour for colour in Colour if colour not in [look.colour for look in looks])
    plane = np.where(unexplained, np.float32(CAP), np.float32(-CAP))
    found = []
    for item in find_towers({others[0]: Paint.without_wall(plane)}, view):
        if _is_disc(unexplained, item.tower, view) and _is_round(lab, behind, item.tower, view):
            found.append(_named(item.tower, lab, view, looks, others, moved=moved))
    return tuple(found)


def _is_disc(unexplained: NDArray[np.bool_], tower: Tower, view: View) -> bool:
    inside = outline(view, tower.foot_xy, tower.count)
    around = outline(view, tower.foot_xy, tower.count, grow=_AROUND)
    filled = unexplained[inside.rows, inside.columns][inside.cover >= 0.5]
    whole = unexplained[around.rows, around.columns][around.cover >= 0.5]
    ring = len(whole) - len(filled)
    outside = np.count_nonzero(whole) - np.count_nonzero(filled)
    return bool(filled.mean() > _FILLED and outside < _CROWDED * ring)


def _is_round(
    lab: NDArray[np.float32], behind: NDArray[np.float32], tower: Tower, view: View
) -> bool:
    """Tell whether a rim runs round it: a lamp's reflection fades away."""
    top = disc_seen(view.pose, tower.foot_xy, view.radius, tower.count * view.height)
    nats, _ = shape_nats(lab, behind, (np.array([view.to_px(top.centre_xy)]),), view)
    return bool(nats[0] > _HARDLY_ROUND)


def _named(
    tower: Tower,
    lab: NDArray[np.float32],
    view: View,
    looks: tuple[CheckerLook, ...],
    others: tuple[Colour, ...],
    *,
    moved: bool,
) -> Found:
    """Return a tower with the names that its colour may have."""
    part = outline(view, tower.foot_xy, tower.count, grow=-0.1)
    seen = np.median(lab[part.rows, part.columns][part.cover >= 0.5], axis=0)
    bare = np.array([look.lab for look in looks], np.float32)
    may_be = veiled(seen, bare)
    if moved:
        may_be |= veiled(bare, seen)
    played = [look.colour for look, like in zip(looks, may_be, strict=True) if like]
    chances = name_colours(seen[None], np.ones(1), others)[0]
    named = tuple(
        (colour, _NATS + float(np.log(max(chance, 1e-9))))
        for colour, chance in zip(others, chances[:-1], strict=True)
    )
    kin = tuple(
        (look.colour, _NATS - float(off) / _HUE_DEG)
        for look, off in zip(looks, _hues_apart(seen, bare), strict=True)
        if off < _MOST_APART_DEG
    )
    if played:
        # A darker one under a lamp looks like a brighter one: either may stand there.
        by_colour = (
            *((colour, _NATS) for colour in played),
            *((colour, nats - _SELDOM) for colour, nats in named),
        )
    else:
        by_colour = (*named, *kin)
    likeliest = max(by_colour, key=lambda named: named[1])[0]
    return Found(
        Tower(likeliest, tower.count, tower.foot_xy), _NATS, by_colour, (_NATS,), (tower.foot_xy,)
    )


def _hues_apart(lab: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the angles between the hue of *lab*, (3,), and *others*, (n, 3), in degrees.

    What is hardly coloured has no hue and is 180 degrees from all.
    """
    own, theirs = complex(*lab[1:]), others[:, 1] + 1j * others[:, 2]
    apart = np.abs(np.degrees(np.angle(theirs * np.conj(own))))
    coloured = np.minimum(np.abs(theirs), abs(own)) > _COLOURED
    return np.asarray(np.where(coloured, apart, 180.0), np.float64)
