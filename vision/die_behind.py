"""A die behind a wall, as in a tray's near corner: its sides are hidden, its whole top is seen.

Such a die is as tall as its top alone, as one is that leans towards the camera. But it stands
behind something that was there before it came, and its outline, put back into the plane of the
top, is a square.
"""

from math import cos, radians, sin
from typing import Final

import numpy as np

from tabletop import DieReading, DieState
from vision.die_nets import COCKED, read_crops
from vision.die_pips import with_count
from vision.die_places import LOOKS, TURNS_DEG, Demands
from vision.die_shape import lean
from vision.die_view import Upright, cut_crop
from vision.frame import Picture
from vision.newcomers import LEAST_CHANGE, SHRINK, Changes

_MOST_MISFIT: Final = 9.5
"""Less than is demanded where a side is seen: here nothing else speaks for lying flat. Of dice that
the simulated table showed so, flat ones had 3 to 12, those that leaned 10 and more."""
_ROOMIER: Final = 1.1
"""The crop's side in those of other dice: along the normal it shows less."""
_BELOW: Final = 0.55
_ASIDE: Final = 0.25
_ABOVE: Final = 0.65
"""Where the wall must be, and where the ground is, off the middle of what is seen, in its size."""
_PATCH: Final = 0.08
_LEAST_STEP: Final = 24.0
"""Grey levels, in the channel that differs most, of a wall and the ground behind it at least."""


def read_behind_wall(
    pixels: Picture, die: DieReading, upright: Upright, changes: Changes, demands: Demands
) -> DieReading:
    """Return what the top of *die* shows if it lies flat behind a wall, *die* itself if not.

    Args:
        pixels: the picture.
        die: a die that seems to lean.
        upright: how the table lies there.
        changes: what the picture shows and the empty table does not.
        demands: how surely a value must be seen to be told.
    """
    x, y, wide, high = die.box
    centre, size_px = (x + wide / 2, y + high / 2), max(wide, high)
    if upright.oblique_deg is None or not _stands_behind(changes, centre, size_px, upright):
        return die
    told = read_crops(
        [
            cut_crop(pixels, centre, _ROOMIER * scale * size_px, upright, turn, from_above=True)
            for turn, scale in LOOKS
        ]
    )
    values = with_count(told.joined(), told.pips())[1:COCKED]
    value = int(np.argmax(values)) + 1
    best = float(values.max())
    if best < (demands.one if value == 1 else demands.value):
        return die
    if lean(told, TURNS_DEG, 0.0, value) > _MOST_MISFIT:
        return die
    one, two, three, four, five, six = (float(chance) for chance in values * best)
    return DieReading(die.box, (one, two, three, four, five, six), DieState.SETTLED)


def _stands_behind(
    changes: Changes, centre: tuple[float, float], size_px: float, upright: Upright
) -> bool:
    """Tell whether what is seen ends below at something that the empty table shows, too."""
    angle = radians(upright.turn_deg)
    up, right = np.array([sin(angle), -cos(angle)]), np.array([cos(angle), sin(angle)])
    offs = [_ABOVE * up, *(aside * right - _BELOW * up for aside in (-_ASIDE, 0.0, _ASIDE))]
    half = max(1, round(_PATCH * size_px / SHRINK))
    height, width = changes.labels.shape
    now, then = [], []
    for off in offs:
        column, row = np.round((np.array(centre) + size_px * off) / SHRINK).astype(int).tolist()
        if not (half <= column < width - half and half <= row < height - half):
            return False
        patch = (slice(row - half, row + half + 1), slice(column - half, column + half + 1))
        now.append(changes.now[patch].mean(axis=(0, 1)))
        then.append(changes.then[patch].mean(axis=(0, 1)))
    ground, walls = then[0], np.array(then[1:])
    came = np.abs(np.array(now[1:]) - walls).max(axis=1)
    differs = np.abs(walls - ground).max(axis=1)
    return bool((came < LEAST_CHANGE).all() and (differs > _LEAST_STEP).all())
