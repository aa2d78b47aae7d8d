"""How far a measured colour is from the one that people named."""

from typing import Final

from tabletop import Colour
from vision.palette import USUAL_LAB, Lab

# Lightness depends on the lamp as much as on the paint.
_LIGHTNESS_SHARE: Final = 0.5


def distance_to_name(lab: Lab, colour: Colour) -> float:
    """Return how far *lab* is from what people call *colour*, about in units of L*a*b*."""
    usual = USUAL_LAB[colour]
    lightness = _LIGHTNESS_SHARE * (lab[0] - usual[0])
    return float((lightness**2 + (lab[1] - usual[1]) ** 2 + (lab[2] - usual[2]) ** 2) ** 0.5)


def nearest_name(lab: Lab) -> Colour:
    """Return the name that most people would give *lab*."""
    return min(Colour, key=lambda colour: distance_to_name(lab, colour))
