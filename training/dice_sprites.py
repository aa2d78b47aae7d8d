"""Draw dice of many kinds as layers of light, from which pictures of dice are put together.

A sprite is one die on a plane, seen by one camera, without colours: layers for light, gloss, pips
and the shadow on the plane. Colours, blur, noise and the table are added by `training.dice_scenes`.
The die is a signed distance function, met by its rays by sphere tracing (Hart 1996).
"""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float32]

SIZE_PX: Final = 128
SIDE_PX: Final = 54
"""About the length of a die's side in a sprite."""
LAYERS: Final = 7
ALPHA, DIFFUSE, GLOSS, PIPS, MARKED, SHADOW, FRONT = range(LAYERS)
COCKED: Final = 7
"""The label of a die of which no face is the top; a value is its own label."""

_STEPS: Final = 26
_LAYOUT: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """One die, drawn.

    Attributes:
        layers: shape (LAYERS, SIZE_PX, SIZE_PX), 8 bits; the plane's normal points up in it.
        label: the value of the top face, or `COCKED`.
        oblique_deg: the angle between the plane's normal and the line of sight.
    """

    layers: NDArray[np.uint8]
    label: int
    oblique_deg: float


@dataclass(frozen=True, slots=True)
class _Body:
    radius: float
    ball: float
    pip: float
    spacing: float
    six: tuple[float, float]  # a six's spacing across its rows and along them, of the others'
    one: float
    hollow: float
    values: tuple[int, ...]  # of the faces -x, +x, -y, +y, -z, +z
    turned: tuple[bool, ...]
    shift: tuple[float, float]


def draw_sprite(rng: np.random.Generator) -> Sprite:
    """Draw one die of random make, pose, light and camera; about one in four lies cocked."""
    body = _random_body(rng)
    oblique = radians(float(rng.uniform(0, 60) if rng.random() < 0.8 else rng.uniform(0, 25)))
    kind = rng.random()
    yaw = _turn((0, 0, 1), rng.uniform(0, 2 * np.pi))
    stand: Floats = np.eye(3, dtype=np.float32)
    label = body.values[5]
    if kind < 0.22:  # leaning on something
        angle = rng.uniform(0, 2 * np.pi)
        lean = radians(float(rng.uniform(14, 45)))
        stand = _turn((cos(angle), sin(angle), 0), lean)
        label = COCKED
    elif kind > 0.5:
        angle = rng.uniform(0, 2 * np.pi)
        stand = _turn((cos(angle), sin(angle), 0), radians(float(rng.normal(0, 0.7))))
    light = _random_light(rng)
    distance = float(rng.uniform(7, 45))
    if 0.18 < kind < 0.22:  # rolling: several moments in one exposure
        spin = rng.normal(size=3)
        sweep = radians(float(rng.uniform(15, 70)))
        turns = [_turn(spin, sweep * k / 4) for k in range(5)]
        moments = [_render(body, yaw @ stand @ turn, oblique, distance, light) for turn in turns]
        layers = np.mean(moments, axis=0, dtype=np.float32)
    else:
        layers = _render(body, yaw @ stand, oblique, distance, light)
    scaled = np.clip(np.rint(layers * 255), 0, 255).astype(np.uint8)
    return Sprite(scaled, label, float(np.degrees(oblique)))


def _random_body(rng: np.random.Generator) -> _Body:
    pairs = [(1, 6), (2, 5), (3, 4)]
    rng.shuffle(pairs)
    values = tuple(int(v) for pair in pairs for v in (pair if rng.random() < 0.5 else pair[::-1]))
    pip = float(rng.uniform(0.07, 0.13))
    return _Body(
        radius=float(rng.uniform(0.015, 0.2)),
        ball=float(rng.uniform(0.66, 0.8)) if rng.random() < 0.35 else 2.0,
        pip=pip,
        spacing=float(rng.uniform(max(0.2, 1.15 * pip), 0.29)),
        six=(float(rng.uniform(0.72, 1.1)), float(rng.uniform(0.95, 1.2))),
        one=float(rng.choice([1.0, 1.0, 1.0, rng.uniform(1.1, 2.2)])),
        hollow=float(rng.choice([0.0, rng.uniform(0.1, 0.9)])),
        values=values,
        turned=tuple(bool(b) for b in rng.random(6) < 0.5),
        shift=(float(rng.normal(0, 0.008)), float(rng.normal(0, 0.008))),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Light:
    towards: Floats
    ambient: float
    exponent: float
    strength: float
    lamp: Floats  # where a broad lamp is mirrored
    lamp_cos: float
    lamp_strength: float
    softness: float
    shade: float


def _random_light(rng: np.random.Generator) -> _Light:
    def direction(least: float) -> Floats:
        around = rng.uniform(0, 2 * np.pi)
        height = rng.uniform(least, 1)
        flat = float(np.sqrt(1 - height**2))
        return np.array([cos(around) * flat, sin(around) * flat, height], np.float32)

    return _Light(
        towards=direction(0.3),
        ambient=float(rng.uniform(0.15, 0.8)),
        exponent=float(10 ** rng.uniform(0.8, 2.5)),
        strength=float(rng.choice([0.0, rng.uniform(0, 0.7)])),
        lamp=direction(0.35),
        lamp_cos=cos(radians(float(rng.uniform(6, 22)))),
        lamp_strength=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.9)])),
        softness=float(10 ** rng.uniform(0.4, 1.6)),
        shade=float(rng.uniform(0.15, 0.9)),
    )


def _turn(axis: ArrayLike, angle: float) -> Floats:
    """Return the rotation by *angle* about *axis* (Rodrigues)."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(np.asarray(axis, float))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(3) + sin(angle) * cross + (1 - cos(angle)) * cross @ cross
    return np.asarray(matrix, np.float32)


def _distance(points: Floats, body: _Body) -> Floats:
    inset = np.abs(points) - (0.5 - body.radius)
    outside = np.sqrt(np.sum(np.maximum(inset, 0) ** 2, axis=-1))
    box = outside + np.minimum(np.max(inset, axis=-1), 0) - body.radius
    if body.ball > 1:
        return np.asarray(box, np.float32)
    ball = np.sqrt(np.sum(points**2, axis=-1)) - body.ball
    return np.asarray(np.maximum(box, ball), np.float32)


def _normals(points: Floats, body: _Body) -> Floats:
    step = 0.004
    slopes = [
        _distance(points + axis, body) - _distance(points - axis, body)
        for axis in np.eye(3, dtype=np.float32) * step
    ]
    normals = np.stack(slopes, axis=-1)
    lengths = np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-6)
    return np.asarray(normals / lengths, np.float32)


def _render(body: _Body, pose: Floats, oblique: float, distance: float, light: _Light) -> Floats:
    """Return the layers of a die that stands on the plane z = its lowest point."""
    inner = 0.5 - body.radius
    floor = -min(float(np.abs(pose[2]).sum()) * inner + body.radius, body.ball)
    view = np.array([0, -sin(oblique), cos(oblique)], np.float32)
    right = np.array([1, 0, 0], np.float32)
    up = np.array([0, cos(oblique), sin(oblique)], np.float32)
    eye = view * distance
    grid = (np.arange(SIZE_PX, dtype=np.float32) - (SIZE_PX - 1) / 2) / SIDE_PX
    across, down = np.meshgrid(grid, grid)
    rays = across[..., None] * right - down[..., None] * up - eye
    rays = (rays / np.linalg.norm(rays, axis=-1, keepdims=True)).astype(np.float32)
    near = np.hypot(across, down) < 0.95
    layers = np.zeros((LAYERS, SIZE_PX, SIZE_PX), np.float32)
    _trace_body(layers, near, rays[near], eye, pose, body, light)
    _trace_floor(layers, rays, eye, pose, body, light, floor)
    return layers


def _trace_body(
    layers: Floats,
    near: NDArray[np.bool_],
    rays: Floats,
    eye: Floats,
    pose: Floats,
    body: _Body,
    light: _Light,
) -> None:
    local_eye, local_rays = eye @ pose, rays @ pose
    travelled = np.full(len(rays), float(np.linalg.norm(eye)) - 0.95, np.float32)
    for _ in range(_STEPS):
        travelled += _distance(local_eye + local_rays * travelled[:, None], body)
    points = local_eye + local_rays * travelled[:, None]
    hit = np.abs(_distance(points, body)) < 0.012
    points, travelled_rays = points[hit], local_rays[hit]
    normals = _normals(points, body)
    pips, marked, normals = _pips(points, normals, body)
    towards, lamp = light.towards @ pose, light.lamp @ pose
    mirrored = travelled_rays - 2 * np.sum(travelled_rays * normals, -1, keepdims=True) * normals
    lambert = np.clip(normals @ towards, 0, 1)
    height = (points @ pose.T)[:, 2]
    sky = 0.75 + 0.25 * (normals @ pose.T)[:, 2] + 0.1 * height
    diffuse = light.ambient * sky + (1 - light.ambient) * lambert
    gloss = light.strength * np.clip(mirrored @ towards, 0, 1) ** light.exponent
    edge = (1 - light.lamp_cos) * 0.25 + 1e-4
    window = np.clip((mirrored @ lamp - light.lamp_cos) / edge, 0, 1)
    gloss = gloss + light.lamp_strength * window
    flat = np.zeros((LAYERS, len(hit)), np.float32)
    shown = (np.ones(len(points)), diffuse * 0.8, gloss, pips, marked)
    for layer, values in zip((ALPHA, DIFFUSE, GLOSS, PIPS, MARKED), shown, strict=True):
        flat[layer, hit] = values
    facing = (normals @ pose.T)[:, 2]
    flat[FRONT, hit] = np.clip(facing, 0, 1)
    layers[:, near] = flat


def _pips(points: Floats, normals: Floats, body: _Body) -> tuple[Floats, Floats, Floats]:
    """Return how far each point belongs to a pip, whether to a marked one, and its normal."""
    axis = np.argmax(np.abs(points), axis=-1)
    rows = np.arange(len(points))
    face = axis * 2 + (points[rows, axis] > 0)
    first, second = points[rows, (axis + 1) % 3], points[rows, (axis + 2) % 3]
    covered = np.zeros(len(points), np.float32)
    marked = np.zeros(len(points), np.float32)
    bent = normals.copy()
    for number, value in enumerate(body.values):
        on_face = face == number
        if not on_face.any():
            continue
        radius = body.pip * (body.one if value == 1 else 1)
        for u, v in _spots(value, body, body.turned[number]):
            du = first - u * body.spacing - body.shift[0]
            dv = second - v * body.spacing - body.shift[1]
            apart = np.hypot(du, dv)
            inside = np.clip((radius - apart) / 0.02 + 0.5, 0, 1) * on_face
            covered = np.maximum(covered, inside)
            if value in (1, 4):
                marked = np.maximum(marked, inside * (1.0 if value == 1 else 0.5))
            if body.hollow:
                slope = inside * body.hollow / radius
                bent[rows, (axis + 1) % 3] -= slope * du
                bent[rows, (axis + 2) % 3] -= slope * dv
    bent /= np.maximum(np.linalg.norm(bent, axis=-1, keepdims=True), 1e-6)
    return covered, marked, bent


def _spots(value: int, body: _Body, turned: bool) -> list[tuple[float, float]]:
    """Return where the pips of a face are, in units of the spacing."""
    if value == 6:
        spots = [(u * body.six[0], v * body.six[1]) for u, v in _LAYOUT[6]]
        return [(v, u) for u, v in spots] if turned else spots
    flip = -1.0 if value in (2, 3) and turned else 1.0
    return [(flip * u, float(v)) for u, v in _LAYOUT[value]]


def _trace_floor(
    layers: Floats,
    rays: Floats,
    eye: Floats,
    pose: Floats,
    body: _Body,
    light: _Light,
    floor: float,
) -> None:
    reach = (floor - eye[2]) / rays[..., 2]
    points = (eye + rays * reach[..., None]).astype(np.float32)
    lit = np.ones(points.shape[:2], np.float32)
    travelled = np.full(points.shape[:2], 0.03, np.float32)
    for _ in range(14):
        apart = _distance((points + light.towards * travelled[..., None]) @ pose, body)
        lit = np.minimum(lit, np.clip(light.softness * apart / travelled, 0, 1))
        travelled += np.clip(apart, 0.03, 0.4)
    contact = np.clip(_distance(points @ pose, body) / 0.25, 0, 1)
    layers[SHADOW] = (1 - light.shade * (1 - lit)) * (0.6 + 0.4 * contact)
