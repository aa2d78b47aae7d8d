"""Surfaces made of noise: wood grain, vinyl, cloth and stone."""

from typing import Final

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Pixels, floats
from hardware.simulated.parts import Bgr, TableTopLook, Texture

TILE_PX: Final = 768


def grain(rng: np.random.Generator, size_wh: tuple[int, int]) -> Floats:
    """Return the grain of a plank along x, shape (height, width), about 0 with spread 1."""
    fine = _noise(rng, size_wh, (25, 0.7))
    coarse = _noise(rng, size_wh, (80, 4))
    bend = _noise(rng, size_wh, (160, 30))
    rows = np.arange(size_wh[1], dtype=np.float32)[:, None]
    rings = np.sin(rows * 0.11 + 2.2 * bend + 0.6 * coarse)
    mixed = 0.45 * fine + 0.45 * coarse + 0.55 * rings
    return floats(mixed)


def surface(rng: np.random.Generator, texture: Texture, size_wh: tuple[int, int]) -> Floats:
    """Return what a surface's lightness is multiplied by, shape (height, width), about 1."""
    match texture:
        case Texture.WOOD:
            return 1 + 0.075 * grain(rng, size_wh)
        case Texture.CLOTH | Texture.CHECK:
            weave = _noise(rng, size_wh, (0.8, 0.8))
            return 1 + 0.06 * weave + 0.02 * _noise(rng, size_wh, (30, 30))
        case Texture.STONE:
            return 1 + 0.03 * _noise(rng, size_wh, (3, 3)) + 0.03 * _noise(rng, size_wh, (60, 60))
        case Texture.VINYL | Texture.PRINT:
            return (
                1 + 0.012 * _noise(rng, size_wh, (1.2, 1.2)) + 0.02 * _noise(rng, size_wh, (60, 60))
            )


def table_tile(rng: np.random.Generator, look: TableTopLook) -> Pixels:
    """Return a square piece of table top that goes on at its edges, `TILE_PX` wide."""
    size_wh = (TILE_PX, TILE_PX)
    second = _share_of_second(rng, look.texture)[..., None]
    plain = (1 - second) * _row(look.colour) + second * _row(look.second)
    return np.clip(plain * surface(rng, look.texture, size_wh)[..., None], 0, 255).astype(np.uint8)


def _share_of_second(rng: np.random.Generator, texture: Texture) -> Floats:
    """Return how much of a table top's second colour shows, shape (TILE_PX, TILE_PX)."""
    size_wh = (TILE_PX, TILE_PX)
    place = np.arange(TILE_PX) * 8 // TILE_PX
    match texture:
        case Texture.WOOD:
            planks = rng.uniform(0, 0.7, 8)[place][:, None]
            joints = np.zeros((TILE_PX, 1), np.float32)
            joints[:: TILE_PX // 8] = joints[1 :: TILE_PX // 8] = 0.9
            return floats(np.clip(planks + joints + 0.25 * grain(rng, size_wh), 0, 1.3))
        case Texture.CHECK:
            stripe = (place % 2).astype(np.float32)
            return floats((stripe[:, None] + stripe[None, :]) / 2)
        case Texture.STONE:
            veins = np.abs(_noise(rng, size_wh, (24, 24)) + 0.35 * _noise(rng, size_wh, (5, 5)))
            return floats(0.8 * np.clip(1 - veins / 0.08, 0, 1))
        case _:
            return floats(np.clip(0.5 + 0.25 * _noise(rng, size_wh, (50, 50)), 0, 1))


def _row(bgr: Bgr) -> Floats:
    return np.array(bgr, np.float32)


def _noise(
    rng: np.random.Generator, size_wh: tuple[int, int], spread_xy: tuple[float, float]
) -> Floats:
    """Return seamless noise blurred by *spread_xy* pixels, about 0 with spread 1."""
    width, height = size_wh
    # Wide blurs are made small and enlarged: as smooth, and a hundredth of the work.
    step_x, step_y = (max(1, int(spread / 3)) for spread in spread_xy)
    small_wh = (max(8, width // step_x), max(8, height // step_y))
    raw = rng.standard_normal((small_wh[1], small_wh[0])).astype(np.float32)
    pad_x, pad_y = (min(16, size) for size in small_wh)
    raw = np.pad(raw, ((pad_y, pad_y), (pad_x, pad_x)), mode="wrap")
    blurred = cv2.GaussianBlur(
        raw, (0, 0), sigmaX=spread_xy[0] / step_x, sigmaY=spread_xy[1] / step_y
    )[pad_y:-pad_y, pad_x:-pad_x]
    enlarged = cv2.resize(blurred, size_wh, interpolation=cv2.INTER_CUBIC)
    return floats((enlarged - enlarged.mean()) / enlarged.std())
