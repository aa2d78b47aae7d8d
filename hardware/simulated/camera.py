"""The simulated camera: a pinhole with a slightly bent lens, hung so that the table is in view."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from hardware.scene import IN_VIEW, CameraKnock
from hardware.simulated.arrays import Floats, Points
from hardware.simulated.parts import CameraLook

PixelBox: TypeAlias = tuple[int, int, int, int]
"""A part of a picture: x, y of its first pixel, width, height."""

_MARGIN: Final = 0.97  # of the picture that the table in view may fill
_UNBENDING_STEPS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where the camera is and how it draws.

    Attributes:
        place: in board coordinates, z up from the top of the board, shape (3,).
        axes: rows right, down and forward of the picture, shape (3, 3).
        focal_px: its focal length.
        centre_xy: where it looks, in pixels.
        distortion: see `CameraLook`.
        size_wh: of the picture.
    """

    place: Points
    axes: Points
    focal_px: float
    centre_xy: tuple[float, float]
    distortion: float
    size_wh: tuple[int, int]

    def project(self, points: Points) -> Points:
        """Return where points are seen: shape (n, 3) in board coordinates to (n, 2) in pixels."""
        seen = (points.reshape(-1, 3) - self.place) @ self.axes.T
        flat = seen[:, :2] / seen[:, 2:]
        bent = flat * (1 + self.distortion * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self.focal_px + np.array(self.centre_xy), np.float64)

    def depth(self, points: Points) -> Points:
        """Return how far in front of the camera points (n, 3) are, shape (n,)."""
        return np.asarray((points.reshape(-1, 3) - self.place) @ self.axes[2], np.float64)

    def rays(self, box: PixelBox, samples: float = 1) -> Floats:
        """Return the directions of sight of a part of the picture.

        *samples* is how many a pixel has each way, a fraction where several pixels share one. The
        result has the shape (height * samples, width * samples, 3), rounded up, and is not of unit
        length: it reaches one focal length deep.
        """
        left, top, width, height = box
        columns = left - 0.5 + (np.arange(math.ceil(width * samples)) + 0.5) / samples
        rows = top - 0.5 + (np.arange(math.ceil(height * samples)) + 0.5) / samples
        bent_x = ((columns - self.centre_xy[0]) / self.focal_px).astype(np.float32)[None, :]
        bent_y = ((rows - self.centre_xy[1]) / self.focal_px).astype(np.float32)[:, None]
        bent_square = bent_x**2 + bent_y**2
        factor = np.ones_like(bent_square)
        if self.distortion:
            bend = np.float32(self.distortion) * bent_square
            for _ in range(_UNBENDING_STEPS):  # Newton's, for factor (1 + bend factor²) = 1
                square = factor * factor
                factor -= (factor + bend * factor * square - 1) / (1 + 3 * bend * square)
        axes = self.axes.astype(np.float32)
        flat_x, flat_y = bent_x * factor, bent_y * factor
        rays = np.empty((*factor.shape, 3), np.float32)
        for i in range(3):
            rays[..., i] = flat_x * axes[0, i] + flat_y * axes[1, i] + axes[2, i]
        return rays

    def plane(self, height: float, samples: float = 1) -> tuple[Floats, Floats]:
        """Return x and y of what each pixel would show of the level *height*.

        *samples* is how many places of a pixel are told each way; see `rays`.
        """
        rays = self.rays((0, 0, *self.size_wh), samples)
        reach = np.float32(height - self.place[2]) / rays[..., 2]
        return (
            np.float32(self.place[0]) + reach * rays[..., 0],
            np.float32(self.place[1]) + reach * rays[..., 1],
        )


@lru_cache(maxsize=8)
def hang(look: CameraLook) -> Camera:
    """Hang the camera of *look* so that all of `IN_VIEW` is in its picture, as large as can be."""
    x0, y0, x1, y1 = IN_VIEW
    outline = np.array([(x, y, 0.0) for x in (x0, x1) for y in (y0, y1)])
    target = np.array([(x0 + x1) / 2, (y0 + y1) / 2, 0.0])
    width, height = look.size_wh
    distance = 15.0
    camera = _looking_at(look, target, distance)
    for _ in range(12):
        seen = camera.project(outline)
        least, greatest = seen.min(axis=0), seen.max(axis=0)
        span = (greatest - least) / (np.array(look.size_wh) * _MARGIN)
        distance *= float(span.max())
        # Move the target by what the middle of the outline is beside the picture's middle.
        beside = (least + greatest) / 2 - np.array([width - 1, height - 1]) / 2
        shift = beside @ camera.axes[:2] / camera.focal_px * distance
        target = target + np.array([shift[0], shift[1], 0.0])
        camera = _looking_at(look, target, distance)
    return camera


def knocked(camera: Camera, knock: CameraKnock) -> Camera:
    """Return a camera that was knocked where it hangs."""
    pan, tilt, roll = (
        math.radians(turn) for turn in (knock.pan_deg, knock.tilt_deg, knock.roll_deg)
    )
    right, down, forward = camera.axes
    right, forward = _turned(right, forward, -pan)
    down, forward = _turned(down, forward, -tilt)
    right, down = _turned(right, down, roll)
    axes = np.array([right, down, forward])
    axes.flags.writeable = False
    return replace(camera, axes=axes)


def _turned(first: Points, second: Points, angle: float) -> tuple[Points, Points]:
    """Turn two axes about the third, the first one towards the second."""
    cos, sin = math.cos(angle), math.sin(angle)
    return cos * first + sin * second, cos * second - sin * first


def _looking_at(look: CameraLook, target: Points, distance: float) -> Camera:
    tilt, side = math.radians(look.tilt_deg), math.radians(look.from_deg)
    away = np.array([math.cos(side), math.sin(side), 0.0])
    leaning = away * math.sin(tilt) + np.array([0.0, 0.0, math.cos(tilt)])
    forward = -leaning
    right = np.cross(forward, -away)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = math.radians(look.roll_deg)
    axes = np.array(
        [
            math.cos(roll) * right + math.sin(roll) * down,
            math.cos(roll) * down - math.sin(roll) * right,
            forward,
        ]
    )
    place = target + distance * leaning
    place.flags.writeable = axes.flags.writeable = False
    width, height = look.size_wh
    return Camera(
        place=place,
        axes=axes,
        focal_px=width / 2 / math.tan(math.radians(look.view_deg) / 2),
        centre_xy=((width - 1) / 2, (height - 1) / 2),
        distortion=look.distortion,
        size_wh=look.size_wh,
    )
