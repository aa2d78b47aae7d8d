"""How far a measured colour is from the one that people named."""

from typing import Final

from tabletop import Colour

Lab = tuple[float, float, float]

# L*, a*, b* of usual checkers in daylight; cheap cameras and warm lamps move them by ten or twenty.
USUAL: Final[dict[Colour, Lab]] = {
    Colour.RED: (40.0, 52.0, 32.0),
    Colour.ORANGE: (60.0, 42.0, 58.0),
    Colour.YELLOW: (76.0, 8.0, 65.0),
    Colour.GREEN: (43.0, -36.0, 22.0),
    Colour.BLUE: (33.0, 12.0, -42.0),
    Colour.PURPLE: (36.0, 34.0, -32.0),
    Colour.WHITE: (82.0, 2.0, 12.0),
    Colour.BLACK: (18.0, 3.0, 3.0),
    Colour.BROWN: (45.0, 16.0, 28.0),
}
# Lightness depends on the lamp as much as on the paint.
_LIGHTNESS_SHARE: Final = 0.5


def distance_to_name(lab: Lab, colour: Colour) -> float:
    """Return how far *lab* is from what people call *colour*, about in units of L*a*b*."""
    usual = USUAL[colour]
    lightness = _LIGHTNESS_SHARE * (lab[0] - usual[0])
    return float((lightness**2 + (lab[1] - usual[1]) ** 2 + (lab[2] - usual[2]) ** 2) ** 0.5)


def nearest_name(lab: Lab) -> Colour:
    """Return the name that most people would give *lab*."""
    return min(Colour, key=lambda colour: distance_to_name(lab, colour))
