"""Tell a lamp's reflection from a thing that lies over the board."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.light import BURNT, Evened

# Reflected light adds alike to the three channels of linear light: what it adds may differ among
# them by this share of its mean, and by this much of full light besides.
_TINT_SHARE: Final = 0.7
_TINT: Final = 0.04
_LEAST_ADDED: Final = 0.01
# Squares are light from this part of the lightest on, and keep this part of it where washed out.
_LIGHT: Final = 0.8
_AS_BRIGHT: Final = 0.88
# This part of a region must be so for the whole of it to be a reflection.
_MOST_OF_IT: Final = 0.8
# So well the lightness of a region's details goes with that of the empty board's, from -1 to 1,
# where the board is seen: under lamps 0.9 and more, at a shadow's edge 0.69 and more; cups and
# hands have 0.3 at the most. Details are finer than the second number, in squares.
_ALIKE: Final = 0.65
_DETAIL: Final = 0.2
# By so much the details of L*, a*, b* must vary to tell anything, as standard deviations.
_LEAST_DETAIL: Final = (0.0, 1.5, 1.5)
# What is larger than this, in squares, and has none of the board's lines, of so many grey levels,
# nor half as much of its own, is no reflection: the slopes of one are steep.
_BLANK: Final = 0.4
_LEAST_LINES: Final = 4.0
_UNLIKE: Final = 0.5
_LEFT_OF_LINES: Final = 0.5
# Things end sharply. Within so many squares of the edge of a region as large as the second number,
# in squares, at least so much of what changed is gone beyond it; of what a reflection adds less
# than half is. Squares have edges of their own, and little is told where little changed.
_EDGE: Final = 0.12
_LARGE: Final = 0.2
_SHARP: Final = 0.6
_LINE: Final = 0.1
_MUCH: Final = 0.5
_NEAR_EDGE: Final = 0.2
_LEAST_EDGE: Final = 0.25


def find_board_in_light(
    unexplained: NDArray[np.bool_],
    lab: NDArray[np.float32],
    empty: NDArray[np.float32],
    square_px: int,
) -> NDArray[np.bool_]:
    """Return the regions of *unexplained* in which the board's own lines and grain are seen.

    Lamps and shadows change how light they are, not where; a hand has lines of its own.

    Args:
        unexplained: where neither the board nor a checker is seen, shape (side, side).
        lab: the rectified board, L*a*b*, shape (side, side, 3).
        empty: the empty board likewise.
        square_px: the side of a square.
    """
    if not unexplained.any():
        return np.zeros_like(unexplained)
    joined = cv2.dilate(unexplained.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    regions = np.asarray(labels)
    alike = np.zeros(count, dtype=np.bool_)
    for channel in range(3):  # the edge of a shadow is a line of its own in L* alone
        now, then = (_fine(one[..., channel], square_px) for one in (lab, empty))
        likeness, _, lines = _likeness(now, then, unexplained, regions, count)
        alike |= (likeness > _ALIKE) & (lines > _LEAST_DETAIL[channel])
    return np.asarray(unexplained & alike[regions])


def find_glare(
    unexplained: NDArray[np.bool_],
    evened: Evened,
    reference: Picture,
    square_px: int,
    *,
    moved: bool = False,
) -> NDArray[np.bool_]:
    """Return the regions of *unexplained* that are reflections of a lamp.

    A reflection brightens whatever is there, and stays on the board; a hand
    darkens the light squares, and its arm leaves the picture. Of a board that was *moved* since
    the reference was taken a reflection may have gone.

    Args:
        unexplained: where neither the board nor a checker is seen, shape (side, side).
        evened: the rectified board under the light of the reference.
        reference: the empty board rectified alike.
        square_px: the side of a square.
        moved: the board lies elsewhere under the lamps than in the reference.
    """
    if not unexplained.any():
        return np.zeros_like(unexplained)
    count, labels = cv2.connectedComponents(unexplained.astype(np.uint8), connectivity=8)
    regions = np.asarray(labels)
    now, burnt = evened.smooth[unexplained], evened.burnt[unexplained]
    then = reference[unexplained].astype(np.float32)
    gained = _brightened(now, then, burnt)
    if moved:
        gained |= _brightened(then, now, then >= BURNT)
    brightened = gained | _washed_out(now, then, reference)
    brighter = np.bincount(regions[unexplained], weights=brightened, minlength=count)
    sizes = np.bincount(regions.ravel(), minlength=count)
    is_glare = brighter > _MOST_OF_IT * sizes
    for edge in (regions[[0, -1]], regions[:, [0, -1]]):
        is_glare[edge] = False
    if np.any(is_glare & (sizes > _BLANK * square_px**2)):
        is_glare &= ~_are_blank(evened, reference, regions, count, square_px)
    if np.any(is_glare & (sizes > _LARGE * square_px**2)):
        told = np.zeros_like(unexplained)
        told[unexplained] = gained
        is_glare &= ~_are_sharp(evened, reference, regions, told, square_px)
    return np.asarray(is_glare[regions] & unexplained)


def _are_blank(
    evened: Evened, reference: Picture, regions: NDArray[Any], count: int, square_px: int
) -> NDArray[np.bool_]:
    """Return which large regions hide the board's lines and grain, as paper does and no light."""
    told = (regions > 0) & ~evened.burnt.all(axis=2)
    now, then = (_fine(_lightness(one), square_px) for one in (evened.smooth, reference))
    likeness, left, lines = _likeness(now, then, told, regions, count)
    large = np.bincount(regions[told], minlength=count) > _BLANK * square_px**2
    blank = (likeness < _UNLIKE) & (left < _LEFT_OF_LINES * lines) & (lines > _LEAST_LINES)
    return np.asarray(large & blank)


def _are_sharp(
    evened: Evened,
    reference: Picture,
    regions: NDArray[Any],
    gained: NDArray[np.bool_],
    square_px: int,
) -> NDArray[np.bool_]:
    """Return which large regions end as sharply as things do, within squares, and hide the board.

    A reflection fades, or the board's lines and grain go on in it; of one that is burnt out, or
    hardly changed what it lies on, nobody can tell: only what *gained* light is asked.
    """
    count = int(regions.max()) + 1
    lit, empty = _lightness(evened.smooth), _lightness(reference)
    off = _lightness(np.abs(evened.smooth - reference.astype(np.float32)))
    side = len(regions)
    along = (np.arange(side) + 0.5) % square_px
    inner = np.minimum(along, square_px - along) > _LINE * square_px
    told = inner[:, None] & inner & ~evened.burnt.any(axis=2)
    inside, outside = (regions > 0) & told, (regions == 0) & told
    window = (2 * round(_EDGE * square_px) + 1,) * 2
    means, near = [], []
    for part in (inside, outside):
        weight = cv2.blur(part.astype(np.float32), window)
        near.append(weight > _NEAR_EDGE)
        means.append(
            cv2.blur(np.where(part, off, np.float32(0)), window) / np.maximum(weight, 1e-6)
        )
    sizes = np.maximum(np.bincount(regions[inside], minlength=count), 1)
    usual = np.bincount(regions[inside], off[inside], count) / sizes
    edge = inside & gained & near[0] & near[1] & (means[0] > _MUCH * usual[regions])
    sharp = np.bincount(regions[edge & (means[1] < (1.0 - _SHARP) * means[0])], minlength=count)
    edges = np.bincount(regions[edge], minlength=count)
    large = np.bincount(regions.ravel(), minlength=count) > _LARGE * square_px**2
    ends = large & (edges > _LEAST_EDGE * square_px) & (2 * sharp > edges)
    if not ends.any():
        return ends
    seen = ends[regions] & ~evened.burnt.any(axis=2)
    now, then = (_fine_within(one, seen, square_px) for one in (lit, empty))
    likeness, _, _ = _likeness(now, then, seen, regions, count)
    return np.asarray(ends & (likeness < _ALIKE))


def _likeness(
    now: NDArray[np.float64],
    then: NDArray[np.float64],
    told: NDArray[np.bool_],
    regions: NDArray[Any],
    count: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the correlation of *now* with *then* in each region, and how much either varies.

    Args:
        now: what is compared, shape (side, side).
        then: the same of the empty board.
        told: the pixels that are asked.
        regions: the number of the region that each pixel is in.
        count: how many numbers there are.
    """
    at = regions[told]
    sizes = np.maximum(np.bincount(at, minlength=count), 1)
    mine, its = (one[told] - (np.bincount(at, one[told], count) / sizes)[at] for one in (now, then))
    both = np.bincount(at, mine * its, count)
    own, other = np.bincount(at, mine**2, count), np.bincount(at, its**2, count)
    likeness = both / np.sqrt(np.maximum(own * other, 1e-9))
    return likeness, np.sqrt(own / sizes), np.sqrt(other / sizes)


def veiled(lab: NDArray[np.float32], bare: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which of the colours *bare* may look like *lab* under a lamp's reflection, (n,).

    Args:
        lab: what is seen, CIE L*a*b*, shape (n, 3), or (3,) if it is one colour.
        bare: what it may be without the reflection, L*a*b*, alike.
    """
    seen, without = (
        np.asarray(cv2.cvtColor(one.astype(np.float32)[:, None], cv2.COLOR_Lab2BGR), np.float32)
        for one in np.broadcast_arrays(*np.atleast_2d(lab, bare))
    )
    seen, without = np.float32(255.0) * seen[:, 0], np.float32(255.0) * without[:, 0]
    return _brightened(seen, without, seen >= BURNT)


def _washed_out(
    now: NDArray[np.float32], then: NDArray[np.float32], reference: Picture
) -> NDArray[np.bool_]:
    """Return which pixels, shape (n, 3), of light squares are about as bright as then, and paler.

    Near its brightest a camera tells no more of a colour than that it is light.
    """
    light = then.mean(axis=1) > _LIGHT * np.percentile(reference[::3, ::3].mean(axis=2), 90)
    bright = np.all(now > _AS_BRIGHT * then, axis=1)
    return np.asarray(light & bright & (np.ptp(now, axis=1) < np.ptp(then, axis=1)))


def _brightened(
    board: NDArray[np.float32], reference: NDArray[Any], burnt: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which pixels, shape (n, 3), gained light without a colour, or a warm lamp's.

    What the channels gained that are *burnt* out nobody can tell.
    """
    # A gamma of two is near enough to the screen's, and a square costs nothing.
    added = np.square(board / 255.0) - np.square(reference.astype(np.float32) / 255.0)
    told = ~burnt
    least = np.min(added, axis=1, where=told, initial=np.inf)
    most = np.max(added, axis=1, where=told, initial=-np.inf)
    mean = np.sum(added, axis=1, where=told) / np.maximum(told.sum(axis=1), 1)
    gained = least > _LEAST_ADDED
    neutral = gained & (most - least < _TINT_SHARE * mean + _TINT)
    blue, green, red = added.T
    warm = gained & (red >= green) & (green >= blue)
    return np.asarray(neutral | warm | burnt.all(axis=1))


def _fine(lightness: NDArray[np.float32], square_px: int) -> NDArray[np.float64]:
    """Return what of a board's lightness varies within parts of a square."""
    smooth = cv2.GaussianBlur(lightness, (0, 0), _DETAIL * square_px)
    return np.asarray(lightness - smooth, np.float64)


def _lightness(board: NDArray[Any]) -> NDArray[np.float32]:
    """Return the mean of the three channels, (side, side)."""
    third = np.full((1, 3), 1.0 / 3.0, np.float32)
    return np.asarray(cv2.transform(board.astype(np.float32), third), np.float32)


def _fine_within(
    lightness: NDArray[np.float32], where: NDArray[np.bool_], square_px: int
) -> NDArray[np.float64]:
    """Return what of a board's lightness varies within parts of a square, by what is *where*."""
    weights = cv2.GaussianBlur(where.astype(np.float32), (0, 0), _DETAIL * square_px)
    seen = np.where(where, lightness, np.float32(0.0))
    smooth = cv2.GaussianBlur(seen, (0, 0), _DETAIL * square_px) / np.maximum(weights, 1e-3)
    return np.asarray(np.where(where, lightness - smooth, 0.0), np.float64)
