"""Checkers: flat cylinders with a rounded edge and a turned top, drawn ray by ray."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.simulated.arrays import Flags, Floats, Points, dot, floats, length, unit
from hardware.simulated.camera import Camera
from hardware.simulated.light import linear, shade
from hardware.simulated.parts import CheckerLook, LightLook, Relief
from hardware.simulated.patch import SAMPLES, Patch, box_round, patch_of
from tabletop import Colour

_ROUNDING: Final = 0.09  # the edge's radius, in radii of the checker
_ROUND: Final = np.linspace(0, 2 * np.pi, 40, endpoint=False)


@dataclass(frozen=True, slots=True)
class Disc:
    """Where one checker is: its centre, and the heights of its underside and top, in squares."""

    x: float
    y: float
    base: float
    top: float
    radius: float

    def outline(self) -> Points:
        """Return points round both its rims, shape (80, 3)."""
        x = self.x + self.radius * np.cos(_ROUND)
        y = self.y + self.radius * np.sin(_ROUND)
        return np.concatenate(
            [np.stack([x, y, np.full_like(x, z)], axis=1) for z in (self.base, self.top)]
        )


def draw_checker(
    disc: Disc, colour: Colour, look: CheckerLook, light: LightLook, camera: Camera
) -> Patch | None:
    """Draw a checker as the camera sees it; None where it is outside the picture."""
    box = box_round(camera.project(disc.outline()), camera)
    if box is None:
        return None
    rays = camera.rays(box, SAMPLES)
    point, hit = _meet(rays, disc, camera)
    radial = (point[..., :2] - np.array([disc.x, disc.y], np.float32)) / np.float32(disc.radius)
    distance = length(radial)
    outward = radial / np.maximum(distance, 1e-6)
    on_top = point[..., 2:] > disc.top - 1e-4
    slope = np.where(on_top, _slope(distance, look.relief), 0)
    tilt = np.where(on_top, slope + _edge(1 - distance), _wall_tilt(point[..., 2:], disc))
    normal = np.concatenate([outward * np.sin(tilt), np.cos(tilt)], axis=-1).astype(np.float32)
    to_eye = unit(-rays)
    # The foot of the wall and the floor of a groove see less of the sky.
    foot = np.clip((point[..., 2:] - disc.base) / (disc.top - disc.base), 0, 1)
    open_sky = np.where(on_top, 1 - 0.35 * np.abs(slope), 0.55 + 0.45 * foot)
    albedo = linear(look.colour(colour)) * open_sky
    shown = shade(albedo.astype(np.float32), normal, point, to_eye, light, look.gloss)
    return patch_of(box, shown, hit)


def _meet(rays: Floats, disc: Disc, camera: Camera) -> tuple[Floats, Flags]:
    """Return where rays meet the checker's top or wall, and which do."""
    eye = camera.place.astype(np.float32)
    reach_top = (np.float32(disc.top) - eye[2]) / rays[..., 2]
    offset = eye[:2] - np.array([disc.x, disc.y], np.float32)
    top_xy = offset + reach_top[..., None] * rays[..., :2]
    on_top = dot(top_xy, top_xy)[..., 0] <= disc.radius**2
    a = dot(rays[..., :2], rays[..., :2])[..., 0]
    b = rays[..., :2] @ offset
    c = float((offset**2).sum()) - disc.radius**2
    under_root = b**2 - a * c
    reach_wall = (-b - np.sqrt(np.maximum(under_root, 0))) / np.maximum(a, 1e-9)
    wall_z = eye[2] + reach_wall * rays[..., 2]
    on_wall = (under_root > 0) & (wall_z >= disc.base) & (wall_z <= disc.top) & ~on_top
    reach = np.where(on_wall, reach_wall, reach_top)
    point = eye + reach[..., None] * rays
    return floats(point), on_top | on_wall


def _slope(distance: Floats, relief: Relief) -> Floats:
    """Return how much the top leans outward at a share of the radius, in radians."""
    match relief:
        case Relief.RINGS:
            grooved = (distance > 0.2) & (distance < 0.86)
            return floats(np.where(grooved, 0.5 * np.sin((distance - 0.2) * (6 * np.pi / 0.66)), 0))
        case Relief.DISHED:
            return floats(np.where(distance < 0.8, -0.42 * distance / 0.8, 0.25))
        case Relief.RIM:
            step = (distance - 0.72) / 0.06
            inner = (distance - 0.34) / 0.05
            return floats(0.6 * np.exp(-(inner**2)) - 0.9 * np.exp(-(step**2)))
        case Relief.FLAT:
            return 0.1 * distance  # no turned disc is quite flat


def _edge(inside: Floats) -> Floats:
    """Return how the rounded edge leans, *inside* being the share of the radius from the rim."""
    share = np.clip(1 - inside / _ROUNDING, 0, 1)
    return floats(np.arcsin(share * 0.97))


def _wall_tilt(height: Floats, disc: Disc) -> Floats:
    """Return how the wall leans: upright, rounded towards the top and the foot."""
    rounding = _ROUNDING * disc.radius
    upper = np.clip(1 - (disc.top - height) / rounding, 0, 1)
    lower = np.clip(1 - (height - disc.base) / rounding, 0, 1)
    return floats(np.pi / 2 * (1 - 0.45 * upper + 0.35 * lower))
