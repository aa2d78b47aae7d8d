"""Trace dice on a table and in trays, many at once.

Lengths are in sides of the die in the middle, which lies over the table's point (0, 0). The camera
looks at that die's centre, from the side of smaller y; the table is the plane z = 0.
"""

from dataclasses import dataclass
from typing import Final

import torch

Tensor = torch.Tensor

GRID_PX: Final = 56
"""How many rays wide and high a traced window is."""
WALLS: Final = 2
FAR: Final = 1e3

_STEPS: Final = 9
_SHADOW_STEPS: Final = 10
_TOUCHING: Final = 0.012
_PIP_EDGE: Final = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Dice:
    """The shapes and poses of n dice.

    Attributes:
        centre: (n, 3).
        turned: (n, 3, 3), the die's own axes as columns; +z is the face that is read.
        radius: (n,), of its edges.
        ball: (n,), of the ball that is its other limit.
        size: (n,), its side.
        spots: (n, 6, 6, 2), where on the faces -x, +x, -y, +y, -z, +z the pips are; far away: none.
        pip: (n, 6), the radius of a pip on each face.
        marked: (n, 6), how far a face's pips are marked: 1 for a one, a half for a four.
        hollow: (n,), how deep pips are drilled.
    """

    centre: Tensor
    turned: Tensor
    radius: Tensor
    ball: Tensor
    size: Tensor
    spots: Tensor
    pip: Tensor
    marked: Tensor
    hollow: Tensor

    def some(self, count: int) -> "Dice":
        """Return the first *count* dice."""
        return Dice(*(getattr(self, name)[:count] for name in self.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class Cameras:
    """How n windows are seen: obliquely by an angle, from a distance, rolled; angles in radians.

    Attributes:
        oblique: (n,).
        distance: (n,).
        roll: (n,), where the table's normal points, clockwise from straight up.
        middle: (n, 2), the window's middle, right and down of the die's centre.
        reach: (n,), the window's side.
    """

    oblique: Tensor
    distance: Tensor
    roll: Tensor
    middle: Tensor
    reach: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """n lights: a lamp with a broad reflection, a second reflection, and light from all round."""

    towards: Tensor
    ambient: Tensor
    exponent: Tensor
    strength: Tensor
    lamp: Tensor
    lamp_cos: Tensor
    lamp_strength: Tensor
    softness: Tensor
    shade: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """n times `WALLS` straight walls: outward normals (n, WALLS, 2); distance, height, width."""

    normal: Tensor
    distance: Tensor
    height: Tensor
    width: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What every ray of n windows meets; all shapes (n, GRID_PX * GRID_PX).

    Attributes:
        reach: how far a ray travels to the die; `FAR` where it misses.
        diffuse, gloss: the light it sends back.
        pips, marked: how far the point belongs to a pip, to a marked one.
        front: how far it looks up.
        top: how far it belongs to the face that is read.
    """

    reach: Tensor
    diffuse: Tensor
    gloss: Tensor
    pips: Tensor
    marked: Tensor
    front: Tensor
    top: Tensor


def axes(oblique: Tensor) -> tuple[Tensor, Tensor]:
    """Return the directions towards the camera and up in its picture, (n, 3) each."""
    zero = torch.zeros_like(oblique)
    view = torch.stack([zero, -oblique.sin(), oblique.cos()], -1)
    return view, torch.stack([zero, oblique.cos(), oblique.sin()], -1)


def cast_rays(cameras: Cameras, height: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cameras' places (n, 3), *height* the middle die's centre, and unit rays."""
    view, up = axes(cameras.oblique)
    spread = (torch.arange(GRID_PX) + 0.5) / GRID_PX - 0.5
    down, across = torch.meshgrid(spread, spread, indexing="ij")
    x = cameras.middle[:, :1] + cameras.reach[:, None] * across.reshape(1, -1)
    y = cameras.middle[:, 1:] + cameras.reach[:, None] * down.reshape(1, -1)
    cos, sin = cameras.roll.cos()[:, None], cameras.roll.sin()[:, None]
    right, low = x * cos + y * sin, y * cos - x * sin
    rays = -low[..., None] * up[:, None] - (view * cameras.distance[:, None])[:, None]
    rays = torch.cat([rays[..., :1] + right[..., None], rays[..., 1:]], -1)
    eye = view * cameras.distance[:, None]
    eye = torch.cat([eye[:, :2], eye[:, 2:] + height[:, None]], 1)
    return eye, rays / rays.norm(dim=-1, keepdim=True)


def project_box(dice: Dice, cameras: Cameras) -> Tensor:
    """Return the boxes of the middle dice: left, top, right, bottom, (n, 4)."""
    signs = torch.tensor([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    core = (0.5 - dice.radius)[:, None, None] * signs
    corners = core @ dice.turned.transpose(1, 2)
    view, up = axes(cameras.oblique)
    near = cameras.distance[:, None] / (
        cameras.distance[:, None] - (corners * view[:, None]).sum(-1)
    )
    right = corners[..., 0] * near
    low = -(corners * up[:, None]).sum(-1) * near
    cos, sin = cameras.roll.cos()[:, None], cameras.roll.sin()[:, None]
    x, y = right * cos - low * sin, right * sin + low * cos
    edge, ball = dice.radius, dice.ball
    return torch.stack(
        [
            torch.maximum(x.amin(1) - edge, -ball),
            torch.maximum(y.amin(1) - edge, -ball),
            torch.minimum(x.amax(1) + edge, ball),
            torch.minimum(y.amax(1) + edge, ball),
        ],
        1,
    )


def see_dice(dice: Dice, lights: Lights, eye: Tensor, rays: Tensor) -> Seen:
    """Follow rays to the dice (sphere tracing, Hart 1996)."""
    size = dice.size[:, None]
    start = ((eye - dice.centre) / dice.size[:, None])[:, None] @ dice.turned
    local = rays @ dice.turned
    radius, ball = dice.radius[:, None], dice.ball[:, None]
    travelled = torch.clamp(-(start * local).sum(-1) - 0.9, min=0)
    gap = torch.zeros_like(travelled)
    for _ in range(_STEPS):
        gap = _gap(start + local * travelled[..., None], radius, ball)
        travelled = travelled + gap
    points = start + local * travelled[..., None]
    hit = gap.abs() < _TOUCHING
    core = points.clamp(-0.5 + radius[..., None], 0.5 - radius[..., None])
    normals = points - core
    # Where the ball cuts the cube, its own normal counts.
    round_part = (points.norm(dim=-1) > ball - 0.01)[..., None]
    normals = torch.where(round_part, points, normals)
    normals = normals / normals.norm(dim=-1, keepdim=True).clamp_min(1e-6)
    pips, marked, normals = _pips(points, normals, dice)
    turned_back = dice.turned.transpose(1, 2)
    upright = normals @ turned_back
    towards = lights.towards[:, None]
    lambert = (upright * towards).sum(-1).clamp(0, 1)
    height = (points @ turned_back)[..., 2]
    ambient = lights.ambient[:, None]
    sky = 0.75 + 0.25 * upright[..., 2] + 0.1 * height
    diffuse = 0.8 * (ambient * sky + (1 - ambient) * lambert)
    mirrored = rays - 2 * (rays * upright).sum(-1, keepdim=True) * upright
    shine = (mirrored * towards).sum(-1).clamp(1e-4, 1) ** lights.exponent[:, None]
    edge = (1 - lights.lamp_cos[:, None]) * 0.25 + 1e-4
    window = ((mirrored * lights.lamp[:, None]).sum(-1) - lights.lamp_cos[:, None]) / edge
    gloss = lights.strength[:, None] * shine + lights.lamp_strength[:, None] * window.clamp(0, 1)
    face = points.abs().argmax(-1)
    top = ((face == 2) & (points[..., 2] > 0)).float() * ((normals[..., 2] - 0.5) / 0.2).clamp(0, 1)
    reach = torch.where(hit, travelled * size, FAR)
    return Seen(reach, diffuse, gloss, pips, marked, upright[..., 2].clamp(0, 1), top)


def see_walls(walls: Walls, eye: Tensor, rays: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return how far rays travel to the nearest wall, which wall, and whether to its top."""
    reach = torch.full(rays.shape[:2], FAR)
    which = torch.zeros(rays.shape[:2], dtype=torch.long)
    upper = torch.zeros(rays.shape[:2])
    slope = torch.where(rays[..., 2].abs() < 1e-5, -1e-5, rays[..., 2])
    for k in range(WALLS):
        normal = walls.normal[:, k]
        along = (rays[..., :2] * normal[:, None]).sum(-1)
        along = torch.where(along.abs() < 1e-5, 1e-5, along)
        place = (eye[:, :2] * normal).sum(-1)[:, None]
        first = (walls.distance[:, k, None] - place) / along
        second = (walls.distance[:, k, None] + walls.width[:, k, None] - place) / along
        high = (walls.height[:, k, None] - eye[:, 2:]) / slope
        low = -eye[:, 2:] / slope
        enter = torch.maximum(torch.minimum(first, second), torch.minimum(high, low))
        leave = torch.minimum(torch.maximum(first, second), torch.maximum(high, low))
        nearer = (enter < leave) & (enter > 0) & (enter < reach)
        reach = torch.where(nearer, enter, reach)
        which = torch.where(nearer, k, which)
        upper = torch.where(nearer, (enter - high).abs() < 1e-4, upper.bool()).float()
    return reach, which, upper


def wall_light(walls: Walls, lights: Lights, points: Tensor) -> Tensor:
    """Return which share of the lamp's light walls let through to *points*, and dim corners."""
    lit = torch.ones(points.shape[:2])
    slant = lights.towards[:, 2].clamp_min(0.2)
    for k in range(WALLS):
        normal = walls.normal[:, k]
        inside = walls.distance[:, k, None] - (points[..., :2] * normal[:, None]).sum(-1)
        above = (walls.height[:, k, None] - points[..., 2]).clamp_min(0)
        lean = ((lights.towards[:, :2] * normal).sum(-1) / slant)[:, None]
        covered = torch.sigmoid((above * lean - inside) * lights.softness[:, None])
        covered = covered * (inside > -0.02) * (lean > 0)
        lit = torch.minimum(lit, 1 - covered)
        corner = 0.35 * torch.exp(-inside.clamp_min(0) / (0.4 * walls.height[:, k, None] + 0.05))
        lit = lit * (1 - corner * (inside > -0.02))
    return lit


def floor_light(dice: Dice, lights: Lights, points: Tensor) -> Tensor:
    """Return how light floor *points*, (n, p, 3), are beside dice: their shadows and contacts."""
    local = ((points - dice.centre[:, None]) / dice.size[:, None, None]) @ dice.turned
    towards = lights.towards[:, None] @ dice.turned
    radius, ball = dice.radius[:, None], dice.ball[:, None]
    lit = torch.ones(points.shape[:2])
    travelled = torch.full(points.shape[:2], 0.03)
    for _ in range(_SHADOW_STEPS):
        gap = _gap(local + towards * travelled[..., None], radius, ball)
        lit = torch.minimum(lit, (lights.softness[:, None] * gap / travelled).clamp(0, 1))
        travelled = travelled + gap.clamp(0.03, 0.4)
    contact = (_gap(local, radius, ball) / 0.25).clamp(0, 1)
    return (1 - lights.shade[:, None] * (1 - lit)) * (0.6 + 0.4 * contact)


def _gap(points: Tensor, radius: Tensor, ball: Tensor) -> Tensor:
    inset = points.abs() - (0.5 - radius)[..., None]
    outside = (inset.clamp_min(0) ** 2).sum(-1).sqrt()
    cube = outside + inset.amax(-1).clamp_max(0) - radius
    return torch.maximum(cube, (points**2).sum(-1).sqrt() - ball)


def _pips(points: Tensor, normals: Tensor, dice: Dice) -> tuple[Tensor, Tensor, Tensor]:
    axis = points.abs().argmax(-1)
    along = points.gather(-1, axis[..., None])[..., 0]
    face = axis * 2 + (along > 0)
    first_axis, second_axis = (axis + 1) % 3, (axis + 2) % 3
    first = points.gather(-1, first_axis[..., None])[..., 0]
    second = points.gather(-1, second_axis[..., None])[..., 0]
    radius = dice.pip.gather(1, face)
    nearest = torch.full_like(first, 9.0)
    dx, dy = torch.zeros_like(first), torch.zeros_like(first)
    flat = dice.spots.reshape(len(dice.spots), 36, 2)
    for k in range(6):
        spot_x = flat[..., 0].gather(1, face * 6 + k)
        spot_y = flat[..., 1].gather(1, face * 6 + k)
        apart = torch.hypot(first - spot_x, second - spot_y)
        nearer = apart < nearest
        nearest = torch.where(nearer, apart, nearest)
        dx = torch.where(nearer, first - spot_x, dx)
        dy = torch.where(nearer, second - spot_y, dy)
    covered = ((radius - nearest) / _PIP_EDGE + 0.5).clamp(0, 1)
    marked = covered * dice.marked.gather(1, face)
    slope = covered * dice.hollow[:, None] / radius
    bend = torch.zeros_like(normals)
    bend = bend.scatter(-1, first_axis[..., None], (slope * dx)[..., None])
    bend = bend.scatter(-1, second_axis[..., None], (slope * dy)[..., None])
    bent = normals - bend
    return covered, marked, bent / bent.norm(dim=-1, keepdim=True).clamp_min(1e-6)
