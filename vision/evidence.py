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
from vision.table import CheckerLook

Plane: TypeAlias = NDArray[np.float32]
"""One number a pixel, shape (side, side)."""

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
_LOG_2PI: Final = float(np.log(2.0 * np.pi))


@dataclass(frozen=True, slots=True, eq=False)
class Backdrop:
    """The empty board, made ready for comparison.

    Attributes:
        lab: shape (side, side, 3).
        spread: the standard deviation of each channel, the larger the more a pixel's neighbours
            differ; shape (side, side, 3).
        itself: the log density of each pixel of the empty board under its own explanation.
        square_px: the side of a square.
    """

    lab: NDArray[np.float32]
    spread: NDArray[np.float32]
    itself: Plane
    square_px: int


def backdrop(reference: NDArray[np.uint8], square_px: int) -> Backdrop:
    """Return the rectified empty *reference*, BGR, made ready for comparison."""
    return backdrop_of(to_lab(reference), square_px)


def backdrop_of(lab: NDArray[np.float32], square_px: int) -> Backdrop:
    """Return a rectified picture in L*a*b*, made ready for comparison."""
    kernel = np.ones((3, 3), np.uint8)
    contrast = np.asarray(cv2.dilate(lab, kernel) - cv2.erode(lab, kernel), dtype=np.float32)
    spread = np.asarray(np.array(_BOARD_SPREAD) + _EDGE_SHARE * contrast, dtype=np.float32)
    itself = -np.log(_volumes(spread)) - np.float32(1.5 * _LOG_2PI)
    for array in (lab, spread, itself):
        array.flags.writeable = False
    return Backdrop(lab, spread, itself, square_px)


def to_lab(pixels: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Convert BGR *pixels*, 0 to 255, to CIE L*a*b* with L* from 0 to 100."""
    scaled = pixels.astype(np.float32) * np.float32(1.0 / 255.0)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB), dtype=np.float32)


def board_log_likelihood(lab: NDArray[np.float32], behind: Backdrop) -> Plane:
    """Return the log density of each pixel if the empty board is seen there, lit or shadowed."""
    lit, shadowed, widened = _misfits(lab, behind)
    likelihood = behind.itself - np.minimum(lit, shadowed + widened)
    return np.asarray(np.maximum(likelihood, LOG_UNEXPLAINED), dtype=np.float32)


def differences(lab: NDArray[np.float32], behind: Backdrop) -> NDArray[np.bool_]:
    """Return where a picture differs from *behind* otherwise than by a shadow or by noise.

    Neighbours are asked together, so that little shows: white paint on a white square.
    """
    lit, shadowed, _ = _misfits(lab, behind)
    misfit = cv2.blur(np.minimum(lit, shadowed), (3, 3))
    return specks_removed(np.asarray(misfit) > _SLIGHT_MISFIT)


def _misfits(lab: NDArray[np.float32], behind: Backdrop) -> tuple[Plane, Plane, Plane]:
    """Return by how many nats the board, lit and shadowed, explains each pixel worse than itself.

    Last comes what the shadowed one pays for allowing more: its density is spread wider.
    """
    spread = behind.spread
    lit = _squares(lab - behind.lab, spread)
    lifted, lifted_behind = _lifted(lab), _lifted(behind.lab)
    factor = _shadow_factor(lifted, lifted_behind, behind.square_px)
    tinted = spread + (_SHADOW_TINT * np.abs(1.0 - factor))[..., None]
    shadowed = _squares(lifted - factor[..., None] * lifted_behind, tinted) - np.log(_SHADOW_SHARE)
    outside = (factor <= _SHADOW_LIMITS[0]) | (factor >= _SHADOW_LIMITS[1])
    shadowed = np.where(outside, np.float32(np.inf), shadowed)
    widened = np.log(_volumes(tinted) / _volumes(spread))
    return lit, np.asarray(shadowed, np.float32), np.asarray(widened, np.float32)


def specks_removed(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return *mask* without what is narrower than three pixels."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened, dtype=np.bool_)


def look_log_likelihoods(
    lab: NDArray[np.float32], looks: Iterable[CheckerLook]
) -> dict[Colour, Plane]:
    """Return for each colour the log density of each pixel if its checker is seen there."""
    bins = _bins(lab)
    return {look.colour: _look_table(look)[bins] for look in looks}


def _bins(lab: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return for each pixel its entry in the tables of looks."""
    steps = (lab - np.array(_BIN_ORIGIN, np.float32)) / np.array(_BIN_SIZE, np.float32)
    limits = np.array(_BIN_COUNTS, dtype=np.int32) - 1
    place = np.minimum(np.maximum(steps.astype(np.int32), 0), limits)
    _, columns, layers = _BIN_COUNTS
    return np.asarray((place[..., 0] * columns + place[..., 1]) * layers + place[..., 2])


@lru_cache(maxsize=16)
def _look_table(look: CheckerLook) -> NDArray[np.float32]:
    """Return the log density of a look at the middle of every bin of L*a*b*, flat."""
    axes = [
        origin + size * (np.arange(count, dtype=np.float32) + 0.5)
        for origin, size, count in zip(_BIN_ORIGIN, _BIN_SIZE, _BIN_COUNTS, strict=True)
    ]
    best = np.full(_BIN_COUNTS, LOG_UNEXPLAINED, dtype=np.float32)
    for tint in look.tints:
        # A tint's axes are independent: its log density is a sum over them.
        lightness, green_red, blue_yellow = (
            -0.5 * ((axis - middle) / spread) ** 2
            for axis, middle, spread in zip(axes, tint.lab, tint.spread, strict=True)
        )
        constant = np.log(tint.weight) - np.log(tint.spread).sum() - 1.5 * _LOG_2PI
        density = lightness[:, None, None] + green_red[:, None] + blue_yellow + constant
        np.maximum(best, density.astype(np.float32), out=best)
    return best.ravel()


def _volumes(spread: NDArray[np.float32]) -> Plane:
    """Return the product of the spreads of the three channels."""
    return spread[..., 0] * spread[..., 1] * spread[..., 2]


def _squares(deviation: NDArray[np.float32], spread: NDArray[np.float32]) -> Plane:
    """Return half the squares of deviations in units of their spread, summed over channels."""
    scaled = deviation / spread
    return np.asarray(0.5 * np.einsum("ijk,ijk->ij", scaled, scaled), dtype=np.float32)


def _lifted(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (L* + 16, a*, b*), which dimming scales as a whole."""
    return lab + np.array((16.0, 0.0, 0.0), dtype=np.float32)


def _shadow_factor(
    lifted: NDArray[np.float32], lifted_behind: NDArray[np.float32], square_px: int
) -> Plane:
    """Return by how much the neighbourhood of each pixel is dimmed, as a cube root."""
    window = max(3, round(_SHADOW_WINDOW * square_px))
    now = cv2.blur(np.ascontiguousarray(lifted[..., 0]), (window, window))
    then = cv2.blur(np.ascontiguousarray(lifted_behind[..., 0]), (window, window))
    return np.asarray(np.clip(now / then, *_SHADOW_LIMITS), dtype=np.float32)
