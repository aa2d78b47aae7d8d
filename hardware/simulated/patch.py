"""A thing drawn for itself, to be laid over the picture, and shadows."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from hardware.simulated.arrays import Flags, Floats, Pixels, Points, floats
from hardware.simulated.camera import Camera, PixelBox
from hardware.simulated.light import to_screen

SAMPLES: Final = 2
"""Rays a pixel is divided into, each way."""

_SHIFT: Final = 4  # binary places of a pixel in which polygons are drawn
_SHADOW_STEP: Final = 2  # pixels to a value of a shadow map: shadows are soft
_FAINT: Final = 0.004  # a loss below half a grey level


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A thing as the camera sees it.

    Attributes:
        box: the part of the picture it covers.
        colour: screen values times cover, shape (height, width, 3).
        cover: how much of each pixel it covers, 0 to 1, shape (height, width, 1).
    """

    box: PixelBox
    colour: Floats
    cover: Floats


def box_round(seen: Points, camera: Camera, margin: int = 2) -> PixelBox | None:
    """Return the part of the picture round projected points (n, 2); None outside of it."""
    width, height = camera.size_wh
    left, top = np.floor(seen.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(seen.max(axis=0)).astype(int) + margin + 1
    left, top = max(0, int(left)), max(0, int(top))
    right, bottom = min(width, int(right)), min(height, int(bottom))
    if left >= right or top >= bottom:
        return None
    return left, top, right - left, bottom - top


def patch_of(box: PixelBox, shown: Floats, hit: Flags) -> Patch:
    """Make a patch of linear colours (rows, columns, 3) of its samples and which of them hit."""
    size_wh = box[2:]
    screen = to_screen(shown).astype(np.float32) * hit[..., None]
    colour = cv2.resize(screen, size_wh, interpolation=cv2.INTER_AREA)
    cover = cv2.resize(hit.astype(np.float32), size_wh, interpolation=cv2.INTER_AREA)
    return Patch(box, colour.astype(np.float32), cover.astype(np.float32)[..., None])


def moved(patch: Patch, x: int, y: int, camera: Camera) -> Patch | None:
    """Return a patch *x* and *y* pixels on, cut at the edge of the picture; None outside of it."""
    left, top, width, height = patch.box
    new_left, new_top = max(0, left + x), max(0, top + y)
    right = min(camera.size_wh[0], left + x + width)
    bottom = min(camera.size_wh[1], top + y + height)
    if new_left >= right or new_top >= bottom:
        return None
    part = (
        slice(new_top - top - y, bottom - top - y),
        slice(new_left - left - x, right - left - x),
    )
    box = (new_left, new_top, right - new_left, bottom - new_top)
    return Patch(box, patch.colour[part], patch.cover[part])


def lay(picture: Pixels, patch: Patch) -> None:
    """Draw *patch* into *picture*."""
    left, top, width, height = patch.box
    part = picture[top : top + height, left : left + width]
    part[...] = (part * (1 - patch.cover) + patch.colour + 0.5).astype(np.uint8)


def shadow_map(camera: Camera) -> Floats:
    """Return a map without shadows: 0 everywhere, smaller than the picture."""
    width, height = camera.size_wh
    return np.zeros((height // _SHADOW_STEP, width // _SHADOW_STEP), np.float32)


def cast(shadow: Floats, outline: Points, depth: float) -> None:
    """Put the shadow of a convex thing, its outline (n, 2) in pixels, onto a shadow map."""
    points = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2)
    scaled = (points + 0.5) / _SHADOW_STEP - 0.5
    fixed = np.round(scaled * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(shadow, fixed, depth, cv2.LINE_AA, _SHIFT)


def soften(shadow: Floats, spread_px: float) -> Floats:
    """Return a shadow map with its edges blurred by *spread_px* pixels of the picture."""
    return floats(cv2.GaussianBlur(shadow, (0, 0), max(0.6, spread_px / _SHADOW_STEP)))


def darken(picture: Pixels, shadow: Floats) -> None:
    """Darken *picture* by a shadow map: the share of the screen values that each pixel loses."""
    rows, columns = (np.flatnonzero(shadow.max(axis=axis) > _FAINT) for axis in (1, 0))
    if not rows.size:
        return
    part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    kept = np.round(255 * (1 - np.clip(shadow[part], 0, 1))).astype(np.uint8)
    dark = picture[tuple(slice(_SHADOW_STEP * s.start, _SHADOW_STEP * s.stop) for s in part)]
    large = cv2.resize(cv2.merge([kept] * 3), dark.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    dark[...] = cv2.multiply(dark, large, scale=1 / 255)


def fill(picture: Pixels, outline: Points, bgr: Pixels) -> None:
    """Fill the polygon *outline* (n, 2) in pixels with a screen colour."""
    fixed = np.round(outline * (1 << _SHIFT)).astype(np.int32)
    colour = (int(bgr[0]), int(bgr[1]), int(bgr[2]))
    cv2.fillPoly(picture, [fixed.reshape(-1, 1, 2)], colour, cv2.LINE_AA, _SHIFT)
