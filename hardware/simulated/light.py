"""Light on surfaces: a lamp, light from all round, gloss, and the way to screen values.

Colours inside are linear, channels blue, green, red, 1 being a white sheet in the usual light.
"""

from typing import Final

import numpy as np

from hardware.scene import Lamp
from hardware.simulated.arrays import Floats, Pixels, dot, floats, length, unit
from hardware.simulated.parts import Bgr, LightLook

GAMMA: Final = 2.2
"""Screen values are linear light to the power of one over it."""
# Screen values of linear ones in steps of 1/4095.
_SCREEN: Final = np.round(255 * np.power(np.arange(4096) / 4095, 1 / GAMMA)).astype(np.uint8)

_SHARPNESS: Final = 120.0  # exponent of the highlight (Blinn 1977) of a fully glossy surface


def linear(bgr: Bgr) -> Floats:
    """Return a screen colour as a linear one, shape (3,)."""
    return floats(np.power(np.array(bgr) / 255, GAMMA))


def to_screen(colour: Floats) -> Pixels:
    """Return linear colours as screen values."""
    steps = (np.clip(colour, 0, 1) * (len(_SCREEN) - 1)).astype(np.uint16)
    return _SCREEN[steps]


def screen_factor(factor: Floats | float) -> Floats:
    """Return what screen values are multiplied by where the light is multiplied by *factor*."""
    return floats(np.power(factor, 1 / GAMMA))


def shade(
    albedo: Floats, normal: Floats, point: Floats, to_eye: Floats, light: LightLook, gloss: float
) -> Floats:
    """Return what surfaces look like.

    *albedo*, *normal* (unit), *point* (squares) and *to_eye* (unit) broadcast to (..., 3).
    """
    sky = light.ambient * (0.72 + 0.28 * normal[..., 2:])
    shown = albedo * sky
    if gloss > 0:
        grazing = 1 - np.clip(dot(normal, to_eye), 0, 1)
        fresnel = 0.04 + 0.96 * grazing**5  # Schlick 1994, for plastic and lacquer
        shown = shown + gloss * light.ambient * fresnel * 0.5
    shown = shown * floats(light.cast)
    for source in sources(light):
        to_lamp, strength = lamp(point, source.place)
        facing = np.maximum(dot(normal, to_lamp), 0)
        given = albedo * (np.float32(source.strength) * strength * facing)
        if gloss > 0:
            aligned = np.maximum(dot(normal, unit(to_lamp + to_eye)), 0)
            highlight = strength * np.power(aligned, np.float32(30 + _SHARPNESS * gloss))
            bright = source.strength / (1 - light.ambient)
            given = given + np.float32(0.3 * gloss * bright) * highlight
        shown = shown + given * floats(source.cast)
    return floats(shown * (np.float32(light.exposure) * floats(light.balance)))


def sources(light: LightLook) -> tuple[Lamp, ...]:
    """Return every lamp that is lit, the usual one first."""
    return (Lamp(light.place, 1 - light.ambient, light.cast), *light.lamps)


def shares(light: LightLook) -> tuple[float, ...]:
    """Return what part of the light at the middle of the board each of `sources` gives."""
    strengths = [source.strength for source in sources(light)]
    return tuple(strength / (light.ambient + sum(strengths)) for strength in strengths)


def lamp(point: Floats, at: tuple[float, float, float]) -> tuple[Floats, Floats]:
    """Return the direction to a lamp and its strength, 1 at the middle of the board."""
    place = floats(at)
    towards = place - point
    distance = length(towards)
    middle = place - floats([4, 4, 0])
    usual = float(np.linalg.norm(middle))
    # What falls on the level board at its middle counts as 1.
    strength = (usual / distance) ** 2 * (usual / middle[2])
    return towards / distance, floats(strength)
