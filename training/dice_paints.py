"""What drawn tables and drawn dice share: paints, grain, and how the camera looks."""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Canvas: TypeAlias = NDArray[np.float32]
"""A picture being painted: shape (height, width, 3), blue, green, red from 0 to 1."""

Colour3: TypeAlias = NDArray[np.float32]

PAINTS: Final = {
    "white": (0.93, 0.94, 0.95),
    "ivory": (0.72, 0.86, 0.93),
    "black": (0.05, 0.05, 0.05),
    "red": (0.1, 0.08, 0.75),
    "blue": (0.65, 0.2, 0.08),
    "green": (0.2, 0.45, 0.08),
    "yellow": (0.1, 0.75, 0.92),
    "wood": (0.35, 0.6, 0.8),
    "brown": (0.1, 0.2, 0.35),
    "orange": (0.05, 0.45, 0.9),
    "grey": (0.5, 0.5, 0.5),
    "pink": (0.65, 0.5, 0.9),
    "violet": (0.5, 0.15, 0.4),
    "mint": (0.75, 0.85, 0.7),
}
BODIES: Final = (
    ["white"] * 7
    + ["ivory"] * 3
    + ["black"] * 3
    + ["red"] * 4
    + ["blue"] * 3
    + ["green"] * 3
    + ["yellow", "wood", "wood", "orange", "violet", "mint", "pink", "grey", "brown"]
)


@dataclass(frozen=True, slots=True)
class Placed:
    """Something that stands on a drawn table: its box x, y, w, h and label (0: not a die)."""

    box: tuple[float, float, float, float]
    label: int


@dataclass(frozen=True, slots=True)
class View:
    """How the camera looks at the table.

    Attributes:
        oblique_deg: the angle between the table's normal and the line of sight.
        up_deg: where the table's normal points in the picture, clockwise from straight up.
    """

    oblique_deg: float
    up_deg: float

    @property
    def normal_xy(self) -> tuple[float, float]:
        """The direction of the table's normal in the picture."""
        return sin(radians(self.up_deg)), -cos(radians(self.up_deg))


def random_view(rng: np.random.Generator, oblique_deg: float, known: bool) -> View:
    """Return how a die seen at *oblique_deg* is turned in the picture.

    Cameras are seldom rolled, but one straight above sees a die lean away from its foot point in
    any direction; where the pose is *known*, pictures are turned upright beforehand.
    """
    if known:
        return View(oblique_deg, float(rng.normal(0, 4)))
    if oblique_deg < rng.uniform(5, 30):
        return View(oblique_deg, float(rng.uniform(-180, 180)))
    return View(oblique_deg, float(np.clip(rng.normal(0, 22), -70, 70)))


def paint(rng: np.random.Generator, name: str) -> Colour3:
    """Return a shade of the paint *name*."""
    colour = np.array(PAINTS[name], np.float32)
    return np.clip(colour * rng.uniform(0.75, 1.15) + rng.normal(0, 0.04, 3), 0.01, 1).astype(
        np.float32
    )


def dice_paints(rng: np.random.Generator) -> tuple[Colour3, Colour3, Colour3]:
    """Return the colours of a body, its pips and its marked pips."""
    while True:
        name = str(rng.choice(BODIES))
        body = paint(rng, name)
        if rng.random() < 0.08:
            body = rng.uniform(0.03, 0.95, 3).astype(np.float32)
        light = float(body @ np.array([0.11, 0.59, 0.3]))
        if light > 0.45 and rng.random() < 0.93:
            names = ["black"] * 7 + ["brown", "blue", "red", "green", "violet"]
        elif light < 0.35 and rng.random() < 0.93:
            names = ["white"] * 7 + ["ivory", "yellow", "white"]
        else:
            names = list(PAINTS)
        pips = paint(rng, str(rng.choice(names)))
        if np.abs(pips - body).max() > 0.38:
            break
    marked = pips
    if light > 0.45 and rng.random() < 0.3:
        marked = paint(rng, "red")
    return body, pips, marked


def blobs(rng: np.random.Generator, size: int, scale_px: float) -> Canvas:
    """Return smooth noise of deviation about 0.35, with spots about *scale_px* wide."""
    small = max(2, int(size / max(scale_px, 1)) + 2)
    noise = rng.normal(0, 0.45, (small, small)).astype(np.float32)
    wide = cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
    return np.asarray(wide, np.float32)


def streaks(rng: np.random.Generator, size: int, scale_px: float) -> Canvas:
    """Return noise stretched along one direction, as wood grain is."""
    across = max(3, int(size / max(scale_px, 1)) + 2)
    noise = rng.normal(0, 0.45, (max(2, across // 12), across)).astype(np.float32)
    wide = cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        wide = wide.T.copy()
    bend = cv2.resize(rng.normal(0, scale_px, (4, 4)).astype(np.float32), (size, size))
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    bent = cv2.remap(wide, x + bend, y + bend, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(bent, np.float32)
