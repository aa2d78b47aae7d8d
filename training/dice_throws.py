"""Cast dice at random: their make, how they lie, what they lie in, and how they are seen."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from training.dice_rays import WALLS, Cameras, Dice, Lights, Walls, project_box

COCKED: Final = 7
"""The label of a die without a readable top face; a value is its own label, 0 no die."""
CROP_BOXES: Final = 1.6
"""A crop's side, in the larger sides of the die's box."""
AWAY: Final = 60.0
"""So far off a die and its shadow are out of sight, in sides."""

DIE, PART, BESIDE, SMALL, THING, BLANK = range(6)
_ROLES: Final = (0.58, 0.07, 0.07, 0.03, 0.23, 0.02)

_LAYOUT: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """Dice cast, and how a window of each is seen.

    Attributes:
        dice: the dice in the middle; those of `THING` lie out of sight.
        cameras, walls: how they are seen, and what stands around them.
        labels: (n,), the value on top or `COCKED`.
        roles: (n,), what a window is for.
        boxes: (n, 4), the dice's boxes: left, top, right, bottom, in sides.
        known_deg: (n,), the obliqueness that is told the reader; -1: not known.
    """

    dice: Dice
    cameras: Cameras
    walls: Walls
    labels: NDArray[np.int64]
    roles: NDArray[np.int64]
    boxes: torch.Tensor
    known_deg: Floats


def cast_dice(rng: np.random.Generator, count: int, roles: tuple[float, ...] = _ROLES) -> Cast:
    """Cast *count* dice, one in five of them leaning; *roles* tells how often a window is what."""
    values = rng.integers(1, 7, count)
    roles_drawn = rng.choice(len(roles), count, p=roles)
    leans = rng.random(count) < 0.2
    turned = _poses(rng, leans)
    radius = rng.uniform(0.015, 0.2, count)
    ball = np.where(rng.random(count) < 0.3, rng.uniform(0.66, 0.8, count), 2.0)
    lift = np.minimum(np.abs(turned[:, 2]).sum(1) * (0.5 - radius) + radius, ball)
    dice = _dice(rng, values, turned, radius, ball, lift)
    if (blank := roles_drawn == BLANK).any():
        dice.spots[torch.from_numpy(blank)] = 9.0
    cameras, known = _cameras(rng, count)
    boxes = project_box(dice, cameras)
    walls = _walls(rng, turned, radius, leans)
    _aim(rng, cameras, boxes, roles_drawn)
    away = torch.from_numpy(roles_drawn == THING)
    dice.centre[away, 0] = AWAY
    return Cast(dice, cameras, walls, np.where(leans, COCKED, values), roles_drawn, boxes, known)


def neighbours(rng: np.random.Generator, cast: Cast, count: int) -> Dice:
    """Cast a die beside each of the first *count* dice, mostly of the same make."""
    values = rng.integers(1, 7, count)
    turned = _poses(rng, rng.random(count) < 0.1)
    own = cast.dice.some(count)
    radius, ball = own.radius.numpy(), own.ball.numpy()
    size = np.exp(rng.normal(0, 0.08, count) * (rng.random(count) < 0.3))
    lift = size * np.minimum(np.abs(turned[:, 2]).sum(1) * (0.5 - radius) + radius, ball)
    beside = _dice(rng, values, turned, radius, ball, lift)
    angle = rng.uniform(0, 2 * np.pi, count)
    # Two turned squares touch at 1 to 1.41 sides.
    gap = rng.uniform(1.2, 2.2, count)
    beside.centre[:, 0] = torch.from_numpy(np.cos(angle) * gap).float()
    beside.centre[:, 1] = torch.from_numpy(np.sin(angle) * gap).float()
    return Dice(
        beside.centre,
        beside.turned,
        own.radius,
        own.ball,
        torch.from_numpy(size).float(),
        beside.spots,
        own.pip,
        beside.marked,
        own.hollow,
    )


def cast_light(rng: np.random.Generator, count: int) -> Lights:
    """Return random lights."""

    def direction(least: float) -> Floats:
        around, height = rng.uniform(0, 2 * np.pi, count), rng.uniform(least, 1, count)
        flat = np.sqrt(1 - height**2)
        return np.stack([np.cos(around) * flat, np.sin(around) * flat, height], 1)

    def either(chance: float, low: float, high: float) -> Floats:
        return np.where(rng.random(count) < chance, 0.0, rng.uniform(low, high, count))

    drawn = (
        direction(0.3),
        rng.uniform(0.15, 0.85, count),
        10 ** rng.uniform(0.8, 2.5, count),
        either(0.5, 0, 0.7),
        direction(0.35),
        np.cos(np.radians(rng.uniform(6, 22, count))),
        either(0.65, 0.1, 0.9),
        10 ** rng.uniform(0.4, 1.6, count),
        rng.uniform(0.15, 0.9, count),
    )
    return Lights(*(torch.from_numpy(np.asarray(d, np.float32)) for d in drawn))


def top_in_window(cast: Cast) -> NDArray[np.float64]:
    """Return which share of each top face lies in its window, (n,)."""
    steps = torch.linspace(-0.42, 0.42, 7)
    u, v = torch.meshgrid(steps, steps, indexing="ij")
    spots = torch.stack([u.reshape(-1), v.reshape(-1), torch.full((49,), 0.5)], 1)
    points = spots[None] @ cast.dice.turned.transpose(1, 2)
    cameras = cast.cameras
    sin, cos = cameras.oblique.sin()[:, None], cameras.oblique.cos()[:, None]
    towards = points[..., 2] * cos - points[..., 1] * sin
    near = cameras.distance[:, None] / (cameras.distance[:, None] - towards)
    right, low = points[..., 0] * near, -(points[..., 1] * cos + points[..., 2] * sin) * near
    cos, sin = cameras.roll.cos()[:, None], cameras.roll.sin()[:, None]
    x, y = right * cos - low * sin, right * sin + low * cos
    inside = ((x - cameras.middle[:, :1]).abs() < cameras.reach[:, None] / 2) & (
        (y - cameras.middle[:, 1:]).abs() < cameras.reach[:, None] / 2
    )
    return np.asarray(inside.float().mean(1).numpy(), np.float64)


def _poses(rng: np.random.Generator, leans: NDArray[np.bool_]) -> Floats:
    """Return rotations: about the normal, then a lean about a level axis."""
    count = len(leans)
    yaw, around = rng.uniform(0, 2 * np.pi, (2, count))
    # Tables are not quite level, nor dice quite cubes.
    tilt = np.radians(rng.normal(0, 0.7, count) * (rng.random(count) < 0.5))
    lean = np.where(leans, np.radians(rng.uniform(13, 47, count)), tilt)
    zero, one = np.zeros(count), np.ones(count)
    spin = np.array([[np.cos(yaw), -np.sin(yaw), zero], [np.sin(yaw), np.cos(yaw), zero]])
    spin = np.concatenate([spin, [[zero, zero, one]]]).transpose(2, 0, 1)
    axis = np.stack([np.cos(around), np.sin(around), zero], 1)
    cross = np.zeros((count, 3, 3))
    cross[:, 0, 2], cross[:, 1, 2] = axis[:, 1], -axis[:, 0]
    cross[:, 2, 0], cross[:, 2, 1] = -axis[:, 1], axis[:, 0]
    s, c = np.sin(lean)[:, None, None], np.cos(lean)[:, None, None]
    turn = np.eye(3) + s * cross + (1 - c) * cross @ cross
    return np.asarray(turn @ spin, np.float32)


def _dice(
    rng: np.random.Generator,
    values: NDArray[np.int64],
    turned: Floats,
    radius: Floats,
    ball: Floats,
    lift: Floats,
) -> Dice:
    count = len(values)
    pip = rng.uniform(0.06, 0.135, count)
    spacing = rng.uniform(np.maximum(0.2, 1.8 * pip), 0.305)
    across = rng.uniform(np.maximum(1.15 * pip / spacing, 0.5), 1.05)
    widest = np.minimum(1.2, (0.47 - pip) / spacing)
    along = rng.uniform(np.minimum(np.maximum(2.1 * pip / spacing, 0.9), widest), widest)
    spots = np.full((count, 6, 6, 2), 9.0, np.float32)
    radii = np.repeat(pip[:, None], 6, 1)
    marked = np.zeros((count, 6), np.float32)
    larger = np.where(rng.random(count) < 0.3, rng.uniform(1.1, 2.2, count), 1.0)
    for n in range(count):
        for face, value in enumerate(_faces(rng, int(values[n]))):
            layout = np.array(_LAYOUT[value], float)
            if value == 6:
                layout *= (across[n], along[n])
                layout = layout[:, ::-1] if rng.random() < 0.5 else layout
            elif value in (2, 3) and rng.random() < 0.5:
                layout = layout * (-1, 1)
            shift = rng.normal(0, 0.008, 2)
            spots[n, face, : len(layout)] = layout * spacing[n] + shift
            if value == 1:
                radii[n, face] = min(0.3, pip[n] * larger[n])
            marked[n, face] = {1: 1.0, 4: 0.5}.get(value, 0.0)
    centre = np.zeros((count, 3))
    centre[:, 2] = lift
    hollow = np.where(rng.random(count) < 0.5, 0.0, rng.uniform(0.1, 0.9, count))
    arrays = (centre, turned, radius, ball, np.ones(count), spots, radii, marked, hollow)
    return Dice(*(torch.from_numpy(np.asarray(a, np.float32)) for a in arrays))


def _faces(rng: np.random.Generator, top: int) -> list[int]:
    """Return the values of the faces -x, +x, -y, +y, -z, +z."""
    others = [pair for pair in ((1, 6), (2, 5), (3, 4)) if top not in pair]
    if rng.random() < 0.5:
        others.reverse()
    faces = [v for pair in others for v in (pair if rng.random() < 0.5 else pair[::-1])]
    return [*faces, 7 - top, top]


def _cameras(rng: np.random.Generator, count: int) -> tuple[Cameras, Floats]:
    oblique = np.where(
        rng.random(count) < 0.8, rng.uniform(0, 62, count), rng.uniform(0, 25, count)
    )
    known = rng.random(count) < 0.5
    # Cameras are seldom rolled, but one straight above sees a die lean away from its foot point in
    # any direction; where the pose is known, pictures are turned upright beforehand.
    anyhow = oblique < rng.uniform(5, 30, count)
    roll = np.where(
        known,
        rng.normal(0, 4, count),
        np.where(
            anyhow,
            rng.uniform(-180, 180, count),
            np.clip(rng.normal(0, 22, count), -70, 70),
        ),
    )
    told = np.where(known, np.clip(oblique + rng.normal(0, 1.5, count), 0, 89), -1)
    drawn = (
        np.radians(oblique),
        rng.uniform(7, 45, count),
        np.radians(roll),
        np.zeros((count, 2)),
        np.ones(count),
    )
    cameras = Cameras(*(torch.from_numpy(np.asarray(d, np.float32)) for d in drawn))
    return cameras, np.asarray(told, np.float32)


def _walls(
    rng: np.random.Generator, turned: Floats, radius: Floats, leans: NDArray[np.bool_]
) -> Walls:
    """Put walls around dice; most that lean do so on one."""
    count = len(leans)
    normal = np.zeros((count, WALLS, 2))
    distance = np.full((count, WALLS), 1e4)
    height = np.exp(rng.uniform(np.log(0.25), np.log(2), count))
    width = np.exp(rng.uniform(np.log(0.08), np.log(1.5), count))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    some = rng.random(count) < np.where(leans, 0.8, 0.4)
    second = rng.random(count) < 0.35
    for n in np.nonzero(some)[0]:
        tip = turned[n, :2, 2]
        angle = rng.uniform(0, 2 * np.pi)
        if leans[n] and rng.random() < 0.9:
            # The side that is raised rests on the wall, and the top looks away from it.
            angle = np.arctan2(-tip[1], -tip[0]) + rng.normal(0, 0.15)
        body = turned[n] @ (corners * (0.5 - radius[n])).T
        for k in range(1 + second[n]):
            towards = np.array([np.cos(angle), np.sin(angle)])
            gap = rng.uniform(0, 1.3) if k or (not leans[n] and rng.random() < 0.6) else 0.01
            normal[n, k] = towards
            distance[n, k] = (towards @ body[:2]).max() + radius[n] + gap
            angle += np.pi / 2 * rng.choice([-1, 1])
    arrays = (normal, distance, np.repeat(height[:, None], 2, 1), np.repeat(width[:, None], 2, 1))
    return Walls(*(torch.from_numpy(np.asarray(a, np.float32)) for a in arrays))


def _aim(
    rng: np.random.Generator, cameras: Cameras, boxes: torch.Tensor, roles: NDArray[np.int64]
) -> None:
    """Choose the windows: whole dice, parts of them, what is beside them."""
    box = boxes.numpy()
    for n, role in enumerate(roles):
        side = max(box[n, 2] - box[n, 0], box[n, 3] - box[n, 1])
        middle = (box[n, :2] + box[n, 2:]) / 2
        angle = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(angle), np.sin(angle)])
        reach = side * CROP_BOXES
        if role == PART and rng.random() < 0.5:  # a pip, a corner, a glint
            middle = middle + rng.normal(0, 0.3, 2)
            reach *= rng.uniform(0.12, 0.45)
        elif role == PART:  # a face without its edge
            middle = middle + away * side * rng.uniform(0.1, 0.5)
            reach *= rng.uniform(0.4, 0.85)
        elif role == BESIDE:
            middle = middle + away * side * rng.uniform(0.75, 1.15)
            reach *= np.exp(rng.normal(0, 0.25))
        elif role == SMALL:
            middle = middle + rng.normal(0, 0.25, 2)
            reach /= rng.uniform(0.22, 0.42)
        else:
            middle = middle + np.clip(rng.normal(0, 0.07, 2), -0.2, 0.2) * side
            reach *= np.exp(np.clip(rng.normal(0, 0.13), -0.28, 0.35))
        cameras.middle[n] = torch.from_numpy(np.asarray(middle, np.float32))
        cameras.reach[n] = float(reach)
