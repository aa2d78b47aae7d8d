"""A die that leans towards the camera: its shadow lies where one that lies flat shows its side.

A shadow on the table is a shade of the table as the empty picture shows it; the side of a die is a
shade of its top. Where table and die are painted so unlike that this can be told, it tells whether
what is seen below the top is the die at all.
"""

from math import cos, radians, sin, sqrt
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop import DieReading, DieState
from vision.die_places import leans_rather
from vision.die_view import Upright
from vision.newcomers import SHRINK, Changes

_ODDS: Final = 240.0
"""So much likelier dice that lean, but seem a value, lie over their shadow: of 26 that were drawn
on 70 tables 8 did, of 692 that lay flat none."""
_HALF_SIDE: Final = 0.22
_RIM: Final = 0.06
_LEAST_TALL: Final = 0.65
"""Where the side of a flat die must be: so far beside its middle, and from its lower rim so far up,
in widths of its box. That is at most 1.41 of its sides wide."""
_TOP_MIDDLE: Final = 0.42
_TOP_RADIUS: Final = 0.3
"""Where its top must be, by the same width; the first times the sine of the obliqueness."""
_LEAST_PIXELS: Final = 8
_SHADOW_SHADES: Final = (0.3, 0.75)
"""What a shadow right below a die leaves of the light."""
_SIDE_SHADES: Final = (0.1, 2.5)
"""How light a side may be, by its top."""
_MOST_OFF: Final = 4.0
_CLEAR: Final = 5.0
"""Grey levels by which the band may be off the table in shadow, and must be farther off the die."""
_CLEAR_PIXEL: Final = 2.0
_LEAST_SHARE: Final = 0.5
"""Of the band's pixels, some of which may be pips, must be clearly nearer to the table."""
_BLACK: Final = 4.0
"""Grey levels added to every pixel, so that what is nearly black has a paint."""

Colours: TypeAlias = NDArray[np.float64]


def doubt_over_shadow(
    die: DieReading, upright: Upright, changes: Changes, least: float
) -> DieReading:
    """Return *die* after Bayes, where its shadow is seen in the place of its side.

    Args:
        die: a die that seems to lie flat.
        upright: how the table lies there.
        changes: what the picture shows and the empty table does not.
        least: from which chance on a value is told.
    """
    if not lies_over_shadow(die, upright, changes):
        return die
    rest = 1 / (1 + (_ODDS - 1) * die.cocked)
    leans, value = _ODDS * rest * die.cocked, rest * sqrt(die.confidence)
    state = DieState.SETTLED
    if leans_rather(leans, value):
        state = DieState.COCKED
    elif value < least:
        state = DieState.UNREADABLE
    one, two, three, four, five, six = (rest**2 * chance for chance in die.probabilities)
    return DieReading(die.box, (one, two, three, four, five, six), state, leans)


def lies_over_shadow(die: DieReading, upright: Upright, changes: Changes) -> bool:
    """Tell whether the table is seen, in shadow, where *die* would show its side if it lay flat.

    Args:
        die: a die that seems to lie flat.
        upright: how the table lies there.
        changes: what the picture shows and the empty table does not.
    """
    x, y, box_wide, box_high = (at / SHRINK for at in die.box)
    middle = (x + box_wide / 2, y + box_high / 2)
    reach = max(box_wide, box_high)
    left, top = (max(0, int(at - reach)) for at in middle)
    part = (slice(top, int(middle[1] + reach) + 1), slice(left, int(middle[0] + reach) + 1))
    now, then = (picture[part] + _BLACK for picture in (changes.now, changes.then))
    rows, columns = np.indices(now.shape[:2]) + 0.5
    right, down = columns + left - middle[0], rows + top - middle[1]
    turn, oblique = radians(upright.turn_deg), radians(upright.oblique_deg or 0.0)
    across = cos(turn) * right + sin(turn) * down
    up = sin(turn) * right - cos(turn) * down
    rim = up + box_high / 2
    tall = _LEAST_TALL * box_wide * sin(oblique)
    side = (np.abs(across) < _HALF_SIDE * box_wide) & (rim > _RIM * box_wide) & (rim < tall)
    above = (up - _TOP_MIDDLE * box_wide * sin(oblique)) / cos(oblique)
    face = np.hypot(across, above) < _TOP_RADIUS * box_wide
    if min(side.sum(), face.sum()) < _LEAST_PIXELS:
        return False
    return _is_shaded_table(now[side], then[side], np.median(now[face], axis=0))


def _is_shaded_table(seen: Colours, table: Colours, body: Colours) -> bool:
    """Tell whether what is *seen*, (n, 3), is a shade of the *table* there, not of a die's body."""
    band, ground = np.median(seen, axis=0), np.median(table, axis=0)
    off_table = float(_off(band, ground, _SHADOW_SHADES))
    if off_table > _MOST_OFF or float(_off(band, body, _SIDE_SHADES)) < off_table + _CLEAR:
        return False
    nearer = _off(seen, body, _SIDE_SHADES) - _off(seen, table, _SHADOW_SHADES)
    return bool((nearer > _CLEAR_PIXEL).mean() >= _LEAST_SHARE)


def _off(seen: Colours, paint: Colours, shades: tuple[float, float]) -> Colours:
    """Return how far colours are from the nearest shade of a paint, in the channel that is most."""
    shade = np.clip((seen * paint).sum(axis=-1) / np.square(paint).sum(axis=-1), *shades)
    return np.asarray(np.abs(seen - shade[..., None] * paint).max(axis=-1), np.float64)
