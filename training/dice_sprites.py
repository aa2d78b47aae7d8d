"""Cut single dice out of traced windows, to be laid on larger drawn pictures."""

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from training import dice_rays as rays
from training import dice_throws as throws

COCKED: Final = throws.COCKED
SIZE_PX: Final = rays.GRID_PX
SIDES: Final = 2.4
"""A sprite's side, in the die's sides: its shadow needs room."""
SIDE_PX: Final = SIZE_PX / SIDES
LAYERS: Final = 7
ALPHA, DIFFUSE, GLOSS, PIPS, MARKED, SHADOW, FRONT = range(LAYERS)

_see_dice = torch.compile(rays.see_dice)
_floor_light = torch.compile(rays.floor_light)


@torch.no_grad()
def draw_sprites(rng: np.random.Generator, count: int) -> dict[str, NDArray[np.generic]]:
    """Return *count* dice of random make, pose, light and camera; one in five lies cocked.

    Layers have the shape (count, LAYERS, SIZE_PX, SIZE_PX), 8 bits, the table's normal up in them.
    """
    cast = throws.cast_dice(rng, count, roles=(1.0,))
    cast.cameras.roll[:] = 0
    cast.cameras.middle[:] = 0
    cast.cameras.reach[:] = SIDES
    lights = throws.cast_light(rng, count)
    eye, lines = rays.cast_rays(cast.cameras, cast.dice.centre[:, 2])
    seen = _see_dice(cast.dice, lights, eye, lines)
    down = lines[..., 2].clamp_max(-1e-3)
    floor = eye[:, None] - lines * (eye[:, None, 2] / down)[..., None]
    hit = (seen.reach < rays.FAR).float()
    shadow = _floor_light(cast.dice, lights, floor)
    layers = torch.stack(
        [
            hit,
            *(v * hit for v in (seen.diffuse, seen.gloss, seen.pips, seen.marked)),
            shadow,
            seen.front * hit,
        ],
        1,
    )
    eight = (layers.clamp(0, 1) * 255).round().byte().numpy()
    return {
        "layers": eight.reshape(count, LAYERS, SIZE_PX, SIZE_PX),
        "label": cast.labels,
        "oblique": np.degrees(cast.cameras.oblique.numpy()),
    }
