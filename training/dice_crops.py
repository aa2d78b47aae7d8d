"""Put together crops for the reader: cast dice, painted, on drawn tables, photographed badly."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from training import dice_rays as rays
from training import dice_throws as throws
from training.dice_paints import dice_paints, paint
from training.dice_photo import photograph

Tensor = torch.Tensor

CROP_PX: Final = 48
MASK_PX: Final = 24
BATCH: Final = 128
TABLE_PX: Final = 112
TABLE_SIDE_PX: Final = 27.0
"""The side of a die on a drawn table, as large as the table's pictures are for."""

_NEIGHBOURS: Final = 28
_HIDDEN_TOP: Final = 0.06
_HIDDEN_BODY: Final = 0.85
_FINGERS: Final = 0.07
_SLIDING: Final = 0.05
_BLUR_SIDES: Final = 0.22
"""A die that slides farther while the shutter is open cannot be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Drawn tables without dice.

    Attributes:
        pixels: (n, TABLE_PX, TABLE_PX, 3), 8 bits, the table's normal up.
        oblique_deg: (n,), rising.
        things: (n, 4), the box of something that stands there: x, y, width, height.
    """

    pixels: NDArray[np.uint8]
    oblique_deg: NDArray[np.float32]
    things: NDArray[np.float32]


_cast_rays = torch.compile(rays.cast_rays)
_see_dice = torch.compile(rays.see_dice)
_see_walls = torch.compile(rays.see_walls)
_wall_light = torch.compile(rays.wall_light)
_floor_light = torch.compile(rays.floor_light)


@torch.no_grad()
def draw_crops(rng: np.random.Generator, tables: Tables) -> dict[str, NDArray[np.generic]]:
    """Return `BATCH` crops: pixels x, labels y, boxes, masks, and the obliqueness ob."""
    cast = throws.cast_dice(rng, BATCH)
    beside = throws.neighbours(rng, cast, _NEIGHBOURS)
    lights = throws.cast_light(rng, BATCH)
    grounds = _grounds(rng, tables, cast)
    others = _grounds(rng, tables, cast)
    eye, lines = _cast_rays(cast.cameras, cast.dice.centre[:, 2])
    seen = _see_dice(cast.dice, lights, eye, lines)
    few = _first(lights, _NEIGHBOURS)
    second = _see_dice(beside, few, eye[:_NEIGHBOURS], lines[:_NEIGHBOURS])
    wall, which, upper = _see_walls(cast.walls, eye, lines)
    slope = torch.where(lines[..., 2] > -1e-3, torch.full_like(lines[..., 2], -1e-3), lines[..., 2])
    floor = -eye[:, 2:] / slope
    floor_points = eye[:, None] + lines * floor[..., None]
    lit = _wall_light(cast.walls, lights, floor_points)
    shade = 1 - lights.shade[:, None]
    canvas = grounds * (shade + (1 - shade) * lit)[:, None]
    canvas = canvas * _shadows(cast.dice, lights, floor_points)[:, None]
    canvas[:_NEIGHBOURS] *= _shadows(beside, few, floor_points[:_NEIGHBOURS])[:, None]
    canvas = torch.where(_outside(cast.walls, floor_points)[:, None], others, canvas)
    painted = _wall_paint(rng, cast.walls, lights, which, upper, others)
    in_front = (wall < floor)[:, None]
    canvas = torch.where(in_front, painted, canvas)
    body_light = shade + (1 - shade) * _wall_light(
        cast.walls, lights, eye[:, None] + lines * seen.reach.clamp_max(100)[..., None]
    )
    nearest = wall.clone()
    nearest[:_NEIGHBOURS] = torch.minimum(nearest[:_NEIGHBOURS], second.reach)
    paints = [dice_paints(rng) for _ in range(BATCH)]
    die = _die_paint(rng, seen, paints, others) * body_light[:, None]
    same = [p if rng.random() < 0.6 else dice_paints(rng) for p in paints[:_NEIGHBOURS]]
    nearer = (second.reach < wall[:_NEIGHBOURS]) & (second.reach < rays.FAR)
    shown = _die_paint(rng, second, same, others[:_NEIGHBOURS])
    canvas[:_NEIGHBOURS] = torch.where(nearer[:, None], shown, canvas[:_NEIGHBOURS])
    whole = seen.reach < rays.FAR
    cover = (whole & (seen.reach < nearest)).float()
    canvas, cover = _slid(rng, cast, canvas, die, cover)
    canvas, cover = _fingers(rng, cast, canvas, cover)
    labels = _labels(cast, seen, whole.float(), cover)
    pixels = photograph(rng, _square(canvas), cast.cameras.reach)
    readable = torch.from_numpy((labels > 0) & (labels < throws.COCKED)).float()[:, None]
    top = seen.top * cover * readable
    masks = torch.stack([seen.pips * top, top], 1)
    masks = functional.interpolate(_square(masks), MASK_PX, mode="bilinear", antialias=True)
    return {
        "x": pixels,
        "y": labels,
        "box": _boxes(cast),
        "masks": (masks * 255).round().byte().permute(0, 2, 3, 1).numpy(),
        "ob": cast.known_deg,
    }


def _first(lights: rays.Lights, count: int) -> rays.Lights:
    return rays.Lights(*(getattr(lights, name)[:count] for name in lights.__slots__))


def _square(flat: Tensor) -> Tensor:
    return flat.reshape(*flat.shape[:2], rays.GRID_PX, rays.GRID_PX)


def _boxes(cast: throws.Cast) -> NDArray[np.float32]:
    box, cameras = cast.boxes, cast.cameras
    middle = (box[:, :2] + box[:, 2:]) / 2 - cameras.middle
    size = box[:, 2:] - box[:, :2]
    reach = cameras.reach[:, None]
    return np.asarray(torch.cat([middle / reach + 0.5, size / reach], 1).numpy(), np.float32)


def _grounds(rng: np.random.Generator, tables: Tables, cast: throws.Cast) -> Tensor:
    """Return windows of drawn tables seen as obliquely as the dice are, (n, 3, p)."""
    cameras = cast.cameras
    oblique = np.degrees(cameras.oblique.numpy())
    count = len(tables.pixels)
    nearest = np.searchsorted(tables.oblique_deg, oblique)
    chosen = np.clip(nearest + rng.integers(-count // 25, count // 25 + 1, BATCH), 0, count - 1)
    pictures = torch.from_numpy(tables.pixels[chosen]).permute(0, 3, 1, 2).float() / 255
    half = TABLE_PX / 2
    middle = rng.uniform(-0.5, 0.5, (BATCH, 2)) * (half - 34) * 2
    reach = cameras.reach.numpy() * TABLE_SIDE_PX * np.exp(rng.normal(0, 0.2, BATCH))
    things = tables.things[chosen]
    at_thing = (cast.roles == throws.THING) & (rng.random(BATCH) < 0.85) & (things[:, 2] > 0)
    size = np.clip(things[:, 2:].max(1), 6, 60)
    centre = things[:, :2] + things[:, 2:] / 2 - half
    jitter = rng.normal(0, 0.12, (BATCH, 2)) * size[:, None]
    middle = np.where(at_thing[:, None], centre + jitter, middle)
    around = size * throws.CROP_BOXES * np.exp(rng.uniform(-0.9, 0.25, BATCH))
    reach = np.clip(np.where(at_thing, around, reach), 8, 108)
    cos, sin = cameras.roll.cos().numpy(), cameras.roll.sin().numpy()
    theta = np.zeros((BATCH, 2, 3), np.float32)
    scale = reach / TABLE_PX
    theta[:, 0, 0], theta[:, 0, 1] = cos * scale, sin * scale
    theta[:, 1, 0], theta[:, 1, 1] = -sin * scale, cos * scale
    theta[:, :, 2] = middle / half
    grid = functional.affine_grid(
        torch.from_numpy(theta), [BATCH, 3, rays.GRID_PX, rays.GRID_PX], align_corners=False
    )
    cut = functional.grid_sample(
        pictures, grid, padding_mode="reflection", align_corners=False, mode="bilinear"
    )
    return cut.reshape(BATCH, 3, -1)


def _shadows(dice: rays.Dice, lights: rays.Lights, points: Tensor) -> Tensor:
    """Return the dice's shadows on the floor, traced at half the size: they are soft."""
    small = points.reshape(len(points), rays.GRID_PX, rays.GRID_PX, 3)[:, ::2, ::2]
    lit = _floor_light(dice, lights, small.reshape(len(points), -1, 3))
    half = rays.GRID_PX // 2
    wide = functional.interpolate(
        lit.reshape(-1, 1, half, half), rays.GRID_PX, mode="bilinear", align_corners=False
    )
    return wide.reshape(len(points), -1)


@torch.compile
def _outside(walls: rays.Walls, points: Tensor) -> Tensor:
    across = points[..., :2] @ walls.normal.transpose(1, 2)
    return (across > (walls.distance + walls.width * 0.5)[:, None]).any(-1)


def _wall_paint(
    rng: np.random.Generator,
    walls: rays.Walls,
    lights: rays.Lights,
    which: Tensor,
    upper: Tensor,
    textures: Tensor,
) -> Tensor:
    """Return what walls look like: one paint or the other table's, lit from one side."""
    colours = np.stack([paint(rng, str(rng.choice(_WALLS))) for _ in range(BATCH)])
    own = torch.from_numpy(rng.random(BATCH) < 0.4)[:, None, None]
    strength = torch.from_numpy(rng.uniform(0.5, 1.1, BATCH)).float()[:, None]
    facing = (lights.towards[:, None, :2] * walls.normal).sum(-1)
    return _wall_light_on(
        torch.from_numpy(colours)[:, :, None], own, strength, facing, which, upper, textures
    )


@torch.compile
def _wall_light_on(
    paint: Tensor,
    own: Tensor,
    strength: Tensor,
    facing: Tensor,
    which: Tensor,
    upper: Tensor,
    textures: Tensor,
) -> Tensor:
    grain = textures.mean(1, keepdim=True)
    grain = grain / grain.mean(-1, keepdim=True).clamp_min(0.05)
    albedo = torch.where(own, textures, paint * (0.6 + 0.4 * grain.clamp(0, 2)))
    flank = (0.55 + 0.35 * facing.gather(1, which).abs()) * strength
    return albedo * torch.where(upper > 0, 1.0, flank)[:, None]


_WALLS: Final = ("wood", "wood", "brown", "brown", "black", "white", "grey", "red", "blue", "green")


def _die_paint(
    rng: np.random.Generator,
    seen: rays.Seen,
    paints: list[tuple[NDArray[np.float32], ...]],
    textures: Tensor,
) -> Tensor:
    """Return the colours of dice, (n, 3, p)."""
    colours = [np.stack([p[k] for p in paints]) for k in range(3)]
    colours.append(np.stack([dice_paints(rng)[0] for _ in paints]))
    numbers = rng.uniform(_LEAST, _MOST, (len(paints), len(_LEAST)))
    numbers *= rng.random(numbers.shape) < _CHANCE
    tensors = [torch.from_numpy(c)[:, :, None] for c in colours]
    return _painted(seen, tensors, torch.from_numpy(np.asarray(numbers, np.float32)), textures)


# Of grain, marble, translucence and its strength, wear, marks on fours too, the shade in drilled
# pips, brightness, the darkness of flanks, gloss: the least, the most, how often there is any.
_LEAST: Final = np.array([0.0, 1.0, 0.3, 0.7, 0.1, 1.0, 0.0, 0.95, 0.0, 0.3])
_MOST: Final = np.array([0.3, 1.0, 0.8, 1.2, 0.35, 1.0, 0.35, 1.7, 0.3, 1.2])
_CHANCE: Final = np.array([0.25, 0.12, 0.15, 1.0, 0.12, 0.5, 0.5, 1.0, 1.0, 1.0])


@torch.compile
def _painted(seen: rays.Seen, colours: list[Tensor], numbers: Tensor, textures: Tensor) -> Tensor:
    body, pips, marked, marble = colours
    grain, marbled, through, strength, worn, both, dark, bright, flank, glossy = (
        numbers[:, k, None, None] for k in range(10)
    )
    tone = textures.mean(1, keepdim=True)
    tone = (tone - tone.mean(-1, keepdim=True)) / tone.std(-1, keepdim=True).clamp_min(0.05)
    albedo = body * (1 + grain * tone.clamp(-2, 2))
    mix = marbled * (0.25 * tone + 0.3).clamp(0, 0.6)
    albedo = (albedo * (1 - mix) + marble * mix).clamp(0.01, 1.2)
    hit = (seen.reach < rays.FAR).float()[:, None]
    diffuse = seen.diffuse[:, None] * hit
    # Translucent: light comes out again elsewhere.
    level = diffuse.sum(-1, keepdim=True) / hit.sum(-1, keepdim=True).clamp_min(1)
    diffuse = diffuse * (1 - through) + level * through * strength
    pips = pips * (1 - worn) + body * worn
    mark = seen.marked[:, None] * 2
    mark = (mark * both + (mark - 1) * (1 - both)).clamp(0, 1)
    ink = pips * (1 - mark) + marked * mark
    cover = seen.pips[:, None]
    colour = (albedo * (1 - cover) + ink * cover) * (1 - cover * dark)
    shade = 1 - (1 - seen.front[:, None]) * flank
    return colour * (diffuse * bright * shade) + seen.gloss[:, None] * glossy


def _slid(
    rng: np.random.Generator, cast: throws.Cast, canvas: Tensor, die: Tensor, cover: Tensor
) -> tuple[Tensor, Tensor]:
    """Lay the dice over what is behind them; a few slide while the shutter is open."""
    share = cover[:, None].clone()
    laid = die * share
    for n in np.nonzero(rng.random(len(cover)) < _SLIDING)[0]:
        length = float(rng.uniform(_BLUR_SIDES, 0.9))
        across = length / float(cast.cameras.reach[n]) * rays.GRID_PX
        kernel = _streak(across, rng.uniform(0, np.pi))
        layers = torch.cat([laid[n], share[n]]).reshape(4, rays.GRID_PX, rays.GRID_PX)
        smeared = [cv2.filter2D(layer, -1, kernel) for layer in layers.numpy()]
        blurred = torch.from_numpy(np.stack(smeared)).reshape(4, -1)
        laid[n], share[n, 0] = blurred[:3], blurred[3]
        if cast.labels[n]:
            cast.labels[n] = throws.COCKED
    return canvas * (1 - share) + laid, cover


def _streak(length: float, angle: float) -> NDArray[np.float32]:
    count = max(3, int(length) | 1)
    kernel = np.zeros((count, count), np.float32)
    middle = count // 2
    x, y = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    start, end = (round(middle - x), round(middle - y)), (round(middle + x), round(middle + y))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _fingers(
    rng: np.random.Generator, cast: throws.Cast, canvas: Tensor, cover: Tensor
) -> tuple[Tensor, Tensor]:
    """Lay something long over a few dice: a finger, a sleeve, a pencil."""
    spread = (np.arange(rays.GRID_PX) + 0.5) / rays.GRID_PX - 0.5
    for n in np.nonzero(rng.random(len(cover)) < _FINGERS)[0]:
        reach = float(cast.cameras.reach[n])
        x = float(cast.cameras.middle[n, 0]) + reach * spread[None, :]
        y = float(cast.cameras.middle[n, 1]) + reach * spread[:, None]
        angle = rng.uniform(0, 2 * np.pi)
        start = rng.uniform(0.1, 1.0) * np.array([np.cos(angle), np.sin(angle)])
        angle += rng.normal(0, 0.5)
        along = (x - start[0]) * np.cos(angle) + (y - start[1]) * np.sin(angle)
        aside = -(x - start[0]) * np.sin(angle) + (y - start[1]) * np.cos(angle)
        width = rng.uniform(0.15, 0.6)
        apart = np.hypot(aside, np.minimum(along, 0)) / width
        mask = np.clip((1 - apart) * width / reach * rays.GRID_PX + 0.5, 0, 1)
        colour = np.array([0.45, 0.6, 0.85]) * rng.uniform(0.2, 1.05)
        if rng.random() < 0.3:
            colour = rng.uniform(0, 1, 3)
        light = 1 - 0.5 * np.clip(apart, 0, 1) ** 2
        finger = torch.from_numpy((colour[:, None, None] * light).reshape(3, -1)).float()
        laid = torch.from_numpy(mask.reshape(1, -1)).float()
        canvas[n] = canvas[n] * (1 - laid) + finger * laid
        cover[n] *= 1 - laid[0]
    return canvas, cover


def _labels(cast: throws.Cast, seen: rays.Seen, whole: Tensor, cover: Tensor) -> NDArray[np.int64]:
    """Return what each window shows, once it is known what hides the die in it."""
    body = (cover.sum(-1) / whole.sum(-1).clamp_min(1)).numpy()
    top = seen.top * whole
    shown = ((top * cover).sum(-1) / top.sum(-1).clamp_min(1e-3)).numpy()
    inside = throws.top_in_window(cast)
    labels = np.array(cast.labels)
    labels[(labels > 0) & (shown < 1 - _HIDDEN_TOP)] = throws.COCKED
    labels[body < 1 - _HIDDEN_BODY] = 0
    part = cast.roles == throws.PART
    labels[(inside < 0.97) & (cast.roles == throws.DIE)] = throws.COCKED
    labels[part & (inside < 0.97)] = 0
    labels[np.isin(cast.roles, (throws.BESIDE, throws.SMALL, throws.THING, throws.BLANK))] = 0
    return labels
