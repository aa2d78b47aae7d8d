"""How well the empty board, and each player's checkers, explain every pixel of a rectified board.

All in CIE L*a*b* under the light of the reference. A shadow dims all channels of linear light by
one factor, which in L*a*b* scales (L* + 16, a*, b*) by its cube root: so a shadowed board keeps its
grain and its hue, and a dark checker, which has neither, is told from it. Every explanation leaves
room for pixels that fit nothing (glints, print, wear); without that a single glint would outvote a
checker.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Colour
from vision.table import CheckerLook, Tint

Plane: TypeAlias = NDArray[np.float32]
"""One number a pixel, shape (side, side)."""

Planes: TypeAlias = NDArray[np.float32]
"""L*, a* and b* each as a plane of its own, shape (3, side, side): half the time of mixed ones."""

# Log density of a pixel that fits nothing: uniform over the part of L*a*b* that paint reaches,
# about 100 x 140 x 140, with one pixel in twenty.
LOG_UNEXPLAINED: Final = float(np.log(0.05 / (100.0 * 140.0 * 140.0)))
# Nats by which a picture must explain a pixel worse than itself to differ there.
DEFICIT: Final = 6.0
_SLIGHT_MISFIT: Final = 3.0
# Standard deviations of L*, a*, b* of a pixel of an unchanged board, and the part of the local
# contrast of the reference by which a shift of a fraction of a pixel changes it.
_BOARD_SPREAD: Final = (2.0, 2.0, 2.0)
_EDGE_SHARE: Final = 0.3
# A shadow is expected on one pixel in six, takes up to seven eighths of the light (its cube root:
# one half), and is tinted a little by the light that still falls in.
_SHADOW_SHARE: Final = 1.0 / 6.0
_SHADOW_LIMITS: Final = (0.5, 1.12)
_SHADOW_TINT: Final = 8.0
_SHADOW_WINDOW: Final = 1.0 / 5.0
# Looks are tabulated over L*a*b* in bins that are small against any tint's spread.
_BIN_ORIGIN: Final = (0.0, -100.0, -110.0)
_BIN_SIZE: Final = (2.0, 3.0, 3.0)
_BIN_COUNTS: Final = (50, 67, 73)
# Walls lie in such shades (of the cube root of light, as above), each as seldom; their paint strays
# so far, in L*, a*, b*, and the farther the deeper the shade.
_WALL_SHADES: Final = (0.9, 0.78, 0.66, 0.55)
_WALL_SHARE: Final = 0.05
_WALL_SPREAD: Final = (4.0, 3.0, 3.0)
_WALL_FRAYS: Final = 2.0
_LOG_2PI: Final = float(np.log(2.0 * np.pi))


@dataclass(frozen=True, slots=True, eq=False)
class Backdrop:
    """The empty board, made ready for comparison.

    Attributes:
        lab: shape (side, side, 3).
        lifted: the same as L* + 16, a*, b*, each a plane of its own, shape (3, side, side).
        lightness: L* + 16 blurred as shadows are, shape (side, side).
        spread: the standard deviation of each channel, the larger the more a pixel's neighbours
            differ; shape (3, side, side).
        itself: the log density of each pixel of the empty board under its own explanation.
        square_px: the side of a square.
    """

    lab: NDArray[np.float32]
    lifted: Planes
    lightness: Plane
    spread: Planes
    itself: Plane
    square_px: int


def backdrop(reference: NDArray[np.uint8], square_px: int) -> Backdrop:
    """Return the rectified empty *reference*, BGR, made ready for comparison."""
    return backdrop_of(to_lab(reference), square_px)


def backdrop_of(lab: NDArray[np.float32], square_px: int) -> Backdrop:
    """Return a rectified picture in L*a*b*, made ready for comparison."""
    kernel = np.ones((3, 3), np.uint8)
    contrast = np.asarray(cv2.dilate(lab, kernel) - cv2.erode(lab, kernel), dtype=np.float32)
    spread = _planes(np.array(_BOARD_SPREAD, np.float32) + np.float32(_EDGE_SHARE) * contrast)
    itself = -np.log(_volumes(spread)) - np.float32(1.5 * _LOG_2PI)
    lifted = _lifted(lab)
    lightness = _as_shadows_blur(lifted[0], square_px)
    for array in (lab, lifted, lightness, spread, itself):
        array.flags.writeable = False
    return Backdrop(lab, lifted, lightness, spread, itself, square_px)


def to_lab(pixels: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Convert BGR *pixels*, 0 to 255, to CIE L*a*b* with L* from 0 to 100."""
    scaled = pixels.astype(np.float32) * np.float32(1.0 / 255.0)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB), dtype=np.float32)


def board_log_likelihood(lab: NDArray[np.float32], behind: Backdrop) -> Plane:
    """Return the log density of each pixel if the empty board is seen there, lit or shadowed."""
    return board_fits(lab, behind)[0]


def board_fits(lab: NDArray[np.float32], behind: Backdrop) -> tuple[Plane, Plane]:
    """Return what `board_log_likelihood` does, and the nats each pixel is unlike the lit board."""
    lit, shadowed, tinted = _misfits(lab, behind)
    # A wider density is a lower one: what it allows more, it pays for.
    paid = -np.float32(1.5 * _LOG_2PI) - np.log(_volumes(tinted))
    likelihood = np.maximum(behind.itself - lit, paid - shadowed)
    return np.asarray(np.maximum(likelihood, LOG_UNEXPLAINED), dtype=np.float32), lit


def differences(lab: NDArray[np.float32], behind: Backdrop) -> NDArray[np.bool_]:
    """Return where a picture differs from *behind* otherwise than by a shadow or by noise.

    Neighbours are asked together, so that little shows: white paint on a white square.
    """
    lit, shadowed, _ = _misfits(lab, behind)
    misfit = cv2.blur(np.minimum(lit, shadowed), (3, 3))
    return specks_removed(np.asarray(misfit) > _SLIGHT_MISFIT)


def _misfits(lab: NDArray[np.float32], behind: Backdrop) -> tuple[Plane, Plane, Planes]:
    """Return by how many nats the board, lit and shadowed, explains each pixel worse than itself.

    Last come the standard deviations that are allowed to the shadowed one.
    """
    lifted = _lifted(lab)
    lit = _squares(lifted - behind.lifted, behind.spread)
    factor = _as_shadows_blur(lifted[0], behind.square_px) / behind.lightness
    outside = (factor <= _SHADOW_LIMITS[0]) | (factor >= _SHADOW_LIMITS[1])
    factor = np.clip(factor, *_SHADOW_LIMITS)
    tinted = behind.spread + np.float32(_SHADOW_TINT) * np.abs(np.float32(1.0) - factor)
    shadowed = _squares(lifted - factor * behind.lifted, tinted) - np.float32(np.log(_SHADOW_SHARE))
    shadowed[outside] = np.inf
    return lit, shadowed, tinted


def specks_removed(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return *mask* without what is narrower than three pixels."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened, dtype=np.bool_)


def look_log_likelihoods(
    lab: NDArray[np.float32], looks: Iterable[CheckerLook]
) -> dict[Colour, Plane]:
    """Return for each colour the log density of each pixel if its checker is seen there."""
    bins = _bins(lab)
    return {look.colour: _look_table(look).take(bins) for look in looks}


def wall_log_likelihoods(
    lab: NDArray[np.float32], looks: Iterable[CheckerLook]
) -> dict[Colour, NDArray[np.float32]]:
    """Return the same for pixels *lab*, (n, 3), if the wall of its tower is seen there, (n,).

    Walls lie more or less in the shade.
    """
    if not len(lab):
        return {look.colour: np.empty(0, np.float32) for look in looks}
    bins = _bins(lab[:, None])[:, 0]
    return {look.colour: _wall_table(look).take(bins) for look in looks}


def _bins(lab: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return for each pixel its entry in the tables of looks."""
    place = np.zeros(lab.shape[:2], np.int32)
    for plane, origin, size, count in zip(
        _planes(lab), _BIN_ORIGIN, _BIN_SIZE, _BIN_COUNTS, strict=True
    ):
        steps = (plane - np.float32(origin)) * np.float32(1.0 / size)
        place = place * count + np.clip(steps, 0.0, count - 1.0).astype(np.int32)
    return place


@lru_cache(maxsize=16)
def _look_table(look: CheckerLook) -> NDArray[np.float32]:
    """Return the log density of a look at the middle of every bin of L*a*b*, flat."""
    return _table(look.tints)


@lru_cache(maxsize=16)
def _wall_table(look: CheckerLook) -> NDArray[np.float32]:
    """Return the log density of a look's paint in more or less shade, alike."""
    tints = []
    for shade in _WALL_SHADES:
        lightness, green_red, blue_yellow = (shade * value for value in look.lab)
        frayed = 1.0 + _WALL_FRAYS * (1.0 - shade)
        spread_l, spread_a, spread_b = (frayed * value for value in _WALL_SPREAD)
        middle = (lightness - 16.0 * (1.0 - shade), green_red, blue_yellow)
        tints.append(Tint(_WALL_SHARE, middle, (spread_l, spread_a, spread_b)))
    return _table(tints)


def _table(tints: Iterable[Tint]) -> NDArray[np.float32]:
    """Return the log density of paint of these *tints* at the middle of every bin, flat."""
    axes = [
        origin + size * (np.arange(count, dtype=np.float32) + 0.5)
        for origin, size, count in zip(_BIN_ORIGIN, _BIN_SIZE, _BIN_COUNTS, strict=True)
    ]
    best = np.full(_BIN_COUNTS, LOG_UNEXPLAINED, dtype=np.float32)
    for tint in tints:
        # A tint's axes are independent: its log density is a sum over them.
        lightness, green_red, blue_yellow = (
            -0.5 * ((axis - middle) / spread) ** 2
            for axis, middle, spread in zip(axes, tint.lab, tint.spread, strict=True)
        )
        constant = np.log(tint.weight) - np.log(tint.spread).sum() - 1.5 * _LOG_2PI
        density = lightness[:, None, None] + green_red[:, None] + blue_yellow + constant
        np.maximum(best, density.astype(np.float32), out=best)
    return best.ravel()


def _volumes(spread: Planes) -> Plane:
    """Return the product of the spreads of the three channels."""
    return np.asarray(spread[0] * spread[1] * spread[2], dtype=np.float32)


def _squares(deviation: Planes, spread: Planes) -> Plane:
    """Return half the squares of deviations in units of their spread, summed over channels."""
    scaled = np.square(deviation / spread)
    return np.asarray(np.float32(0.5) * (scaled[0] + scaled[1] + scaled[2]), dtype=np.float32)


def _planes(lab: NDArray[np.float32]) -> Planes:
    return np.array(cv2.split(lab), dtype=np.float32)


def _lifted(lab: NDArray[np.float32]) -> Planes:
    """Return L* + 16, a*, b*, which dimming scales as a whole."""
    planes = _planes(lab)
    planes[0] += np.float32(16.0)
    return planes


def _as_shadows_blur(plane: Plane, square_px: int) -> Plane:
    """Return the means over the neighbourhood in which a shadow dims alike."""
    window = max(3, round(_SHADOW_WINDOW * square_px))
    return np.asarray(cv2.blur(plane, (window, window)), dtype=np.float32)
