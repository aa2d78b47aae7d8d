"""Checkers painted on a board: alone or in towers, glossy or not, with rings, rims and crowns."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Colour, Point
from training.board_canvas import PX, Canvas, blend, circle, covered, hull, pixel
from training.board_scenes import Camera


@dataclass(frozen=True, slots=True)
class Checkers:
    """One checker or tower standing on the board: where, of what colour, how many."""

    at_xy: Point
    colour: Colour
    count: int = 1


@dataclass(frozen=True, slots=True)
class Style:
    """What all checkers of a board share.

    Attributes:
        rings: how many are pressed into a top; with four there is a crown, five are fine ones.
        shine: 0 for matt, 1 for glossy.
        sun: the direction of the light over the canvas.
        radius: of a checker, in squares.
        height: of a checker, in squares.
        depth: of what is pressed into a top, 1 being usual.
    """

    rings: int
    shine: float
    sun: float
    radius: float
    height: float
    depth: float = 1.0


def draw_shadow(canvas: Canvas, style: Style, one: Checkers) -> None:
    """Darken the board where checkers keep the light off, softly."""
    size = style.radius * PX
    foot = pixel(np.array(one.at_xy))
    reach = 0.8 * style.height * one.count * PX
    shift = reach * np.array([np.cos(style.sun), np.sin(style.sun)])
    rows, columns, mask = covered(hull(circle(foot, size * 1.05), circle(foot + shift, size)))
    soft = cv2.GaussianBlur(mask, (0, 0), 2.0 + 4.0 * (1.0 - style.shine))
    canvas[rows, columns] *= (1.0 - (0.25 + 0.4 * style.shine) * soft)[..., None]


def draw_checkers(
    rng: np.random.Generator,
    canvas: Canvas,
    lit: Canvas,
    camera: Camera,
    style: Style,
    one: Checkers,
    paint: Canvas,
) -> None:
    """Draw a checker or a tower, its walls from below, each with its top."""
    at = np.array(one.at_xy)
    paint = paint * rng.uniform(0.93, 1.07)
    for level in range(one.count):
        slip = rng.normal(0, 0.02, 2) if level else np.zeros(2)
        place = (float(at[0] + slip[0]), float(at[1] + slip[1]))
        low, low_scale = camera.seen(place, level * style.height)
        high, high_scale = camera.seen(place, (level + 1) * style.height)
        size = style.radius * PX
        below = circle(pixel(low), size * low_scale)
        above = circle(pixel(high), size * high_scale)
        rows, columns, mask = covered(hull(below, above))
        x = np.arange(columns.start, columns.stop, dtype=np.float32) - pixel(low)[0]
        side = 0.65 + 0.3 * np.clip(np.cos(style.sun) * x / size, -1, 1)
        light = lit[rows, columns] * side
        blend(canvas, rows, columns, mask, paint * light[..., None])
        if rng.random() < 0.7:
            rows, columns, mask = covered(circle(pixel(high), size * high_scale * 1.03))
            blend(canvas, rows, columns, mask * 0.6, np.float32(0.5) * paint * light.mean())
        rows, columns, mask = covered(above)
        face = _face(rng, style, paint, pixel(high), size * high_scale, rows, columns)
        blend(canvas, rows, columns, mask, face * lit[rows, columns][..., None])


def _face(
    rng: np.random.Generator,
    style: Style,
    paint: Canvas,
    middle: NDArray[np.float64],
    size: float,
    rows: slice,
    columns: slice,
) -> Canvas:
    """Return a checker's top: its rim catches the light, rings and a crown are pressed into it."""
    y, x = np.mgrid[rows, columns].astype(np.float32)
    x, y = x - middle[0], y - middle[1]
    far, turn = np.hypot(x, y) / size, np.arctan2(y, x)
    facing = np.cos(turn - style.sun)
    relief = np.exp(-0.5 * ((far - 0.95) / 0.04) ** 2) * (0.15 + 0.25 * facing)
    for ring in range(style.rings):
        at = 0.85 - (0.17 if style.rings < 5 else 0.13) * ring
        relief -= np.exp(-0.5 * ((far - at) / 0.03) ** 2) * 0.18
        relief += np.exp(-0.5 * ((far - at + 0.05) / 0.03) ** 2) * 0.15 * facing
    if style.rings == 4:
        petals = np.cos(5 * turn) * np.exp(-0.5 * ((far - 0.4) / 0.15) ** 2)
        relief += 0.25 * (petals > 0.4)
    face = paint * (1.0 + style.depth * relief * (0.4 + style.shine))[..., None]
    gleam = (
        style.shine * 0.25 * np.clip(facing, 0, 1) ** 6 * np.exp(-0.5 * ((far - 0.9) / 0.05) ** 2)
    )
    grain = rng.choice([0.0, 0.03, 0.1]) * np.sin(y * rng.uniform(0.2, 0.8))
    return np.asarray(
        np.clip(face * (1.0 + grain)[..., None], 0, 2) + gleam[..., None], dtype=np.float32
    )
