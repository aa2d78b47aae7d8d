"""The die: a rounded cube with pips on every face, traced ray by ray.

Its faces are a western die's: opposite faces sum to seven, and 1, 2, 3 run counter-clockwise round
their common corner.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.scene import PlacedDie
from hardware.simulated.arrays import Flags, Floats, Points, floats, length, unit
from hardware.simulated.camera import Camera
from hardware.simulated.light import linear, shade
from hardware.simulated.parts import DieLook, LightLook
from hardware.simulated.patch import SAMPLES, Patch, box_round, patch_of

_STEPS: Final = 10
_TOUCHING: Final = 0.005  # of an edge, between a ray and the die
_LEAN_DEG: Final = 36.0  # of a cocked die
_FAR: Final = 0.25  # how far a pip is from the middle of its face, in edges

# Which face looks along +x, +y and +z while the die lies unturned; -x, -y, -z show 6, 5, 4.
_FACES_XYZ: Final = (1, 2, 3)

_CORNERS: Final = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2

_DIAGONAL: Final = ((-_FAR, -_FAR), (_FAR, _FAR))
_OTHER_DIAGONAL: Final = ((-_FAR, _FAR), (_FAR, -_FAR))
_SIDES: Final = ((-_FAR, 0.0), (_FAR, 0.0))
_MIDDLE: Final = ((0.0, 0.0),)

PIPS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: _MIDDLE,
    2: _DIAGONAL,
    3: _DIAGONAL + _MIDDLE,
    4: _DIAGONAL + _OTHER_DIAGONAL,
    5: _DIAGONAL + _OTHER_DIAGONAL + _MIDDLE,
    6: _DIAGONAL + _OTHER_DIAGONAL + _SIDES,
}
"""Where the pips of each face are, in edges from its middle."""


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """A die in space.

    Attributes:
        centre: in squares, shape (3,).
        turned: its own x, y and z axes as columns, shape (3, 3).
        size: its edge, in squares.
    """

    centre: Points
    turned: Points
    size: float

    def corners(self) -> Points:
        """Return its eight corners, shape (8, 3)."""
        return self.centre + self.size * _CORNERS @ self.turned.T


def cube(die: PlacedDie, look: DieLook, ground: float) -> Cube:
    """Put a die on the level *ground*: flat on it, or leaning where it is cocked."""
    turned = _about(2, die.turn_deg) @ _upward(die.value)
    if die.cocked:
        turned = _about(2, die.turn_deg) @ _about(0, _LEAN_DEG) @ _about(2, 20) @ _upward(die.value)
    core = look.size * (0.5 - look.rounding)
    lift = core * float(np.abs(turned[2]).sum()) + look.size * look.rounding
    return Cube(np.array([die.x, die.y, ground + lift]), turned, look.size)


def face_normals(of: Cube) -> dict[int, Points]:
    """Return which way each face of a die looks."""
    return {
        value: sign * of.turned[:, axis]
        for axis, face in enumerate(_FACES_XYZ)
        for value, sign in ((face, 1.0), (7 - face, -1.0))
    }


def draw_die(of: Cube, look: DieLook, light: LightLook, camera: Camera) -> Patch | None:
    """Draw the die as the camera sees it; None where it is outside the picture."""
    box = box_round(camera.project(of.corners()), camera)
    if box is None:
        return None
    rays = camera.rays(box, SAMPLES)
    to_eye = unit(-rays)
    inside = floats(of.turned)
    eye = floats((camera.place - of.centre) / of.size) @ inside
    local, hit = _trace(eye, -to_eye @ inside, look.rounding)
    local = local[hit]
    normal = unit(local - np.clip(local, look.rounding - 0.5, 0.5 - look.rounding))
    marked = _pips(local, look.pip_radius)[..., None]
    point = floats(of.centre + of.size * local @ inside.T)
    # The foot of the die sees less of the light that comes from all round.
    low = np.clip((point[..., 2:] - of.centre[2]) / of.size + 0.5, 0, 1)
    albedo = (1 - marked) * linear(look.body) + marked * linear(look.pips)
    albedo = floats(albedo * (0.72 + 0.28 * low))
    shown = np.zeros_like(rays)
    shown[hit] = shade(albedo, normal @ inside.T, point, to_eye[hit], light, look.gloss)
    return patch_of(box, shown, hit)


def _trace(eye: Floats, rays: Floats, rounding: float) -> tuple[Floats, Flags]:
    """Follow unit *rays* from *eye* to the rounded cube about 0 with edge 1.

    From where a ray enters the sharp cube (slabs, Kay and Kajiya 1986) it is followed by spheres
    (Hart 1996): only near the edges is there still a way to go.
    """
    steep = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    first, second = (-0.5 - eye) / steep, (0.5 - eye) / steep
    reach = np.minimum(first, second).max(axis=-1)
    leaving = np.maximum(first, second).min(axis=-1)
    met = np.flatnonzero(reach < leaving)
    going, entered = rays.reshape(-1, 3)[met], reach.ravel()[met]
    core = np.float32(0.5 - rounding)
    gap = np.zeros_like(entered)
    for _ in range(_STEPS):
        beyond = np.abs(eye + entered[:, None] * going) - core
        gap = length(np.maximum(beyond, 0))[:, 0] - np.float32(rounding)
        entered = entered + gap
    reach.flat[met] = entered
    hit = np.zeros(reach.shape, bool)
    hit.flat[met] = (gap < _TOUCHING) & (entered <= leaving.ravel()[met])
    return floats(eye + reach[..., None] * rays), hit


def _pips(local: Floats, radius: float) -> Floats:
    """Return how far each point of the die's skin belongs to a pip, 0 to 1."""
    axis = np.abs(local).argmax(axis=-1)
    marked = np.zeros(local.shape[:-1], np.float32)
    for along, face in enumerate(_FACES_XYZ):
        across = [i for i in range(3) if i != along]
        for value, sign in ((face, 1), (7 - face, -1)):
            here = (axis == along) & (local[..., along] * sign > 0)
            if not here.any():
                continue
            spot = local[here][:, across]
            places = np.array(PIPS[value], np.float32)
            near = length(spot[:, None] - places[None])[..., 0].min(axis=1)
            marked[here] = np.clip((radius - near) / 0.012 + 0.5, 0, 1)
    return marked


def _upward(value: int) -> Points:
    """Return the turn that brings a face up."""
    match value:
        case 1:
            return _about(1, -90)
        case 6:
            return _about(1, 90)
        case 2:
            return _about(0, 90)
        case 5:
            return _about(0, -90)
        case 3:
            return np.eye(3)
        case _:
            return _about(0, 180)


def _about(axis: int, degrees: float) -> Points:
    """Return the right-handed turn about an axis."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[first, first] = turn[second, second] = cos
    turn[first, second], turn[second, first] = -sin, sin
    return turn
