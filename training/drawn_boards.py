"""Boards with checkers drawn by formula, with their truth: to fit and to test the square reader.

No model of light stands behind them, only what matters to the reader: round tops pushed away from
the camera with walls below, rims, rings and crowns, grain, lines, shadows, glare, dice, blur, noise
and compression, all at random. The board is drawn as seen straight from above, then put into the
picture by the camera's own homography, so that heights and perspective agree.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from tabletop import BoardLocation, Colour, Contents, contents, square
from training.board_canvas import Canvas, mixed
from training.board_checkers import Checkers, Style, draw_checkers, draw_shadow
from training.board_scenes import (
    Camera,
    Look,
    add_foil,
    add_glare,
    draw_dice,
    draw_squares,
    lightness,
    shade,
)
from vision.frame import Picture

# Red, green, blue as painted, not linear.
PAINTS: Final[dict[Colour, tuple[tuple[int, int, int], ...]]] = {
    Colour.RED: ((190, 25, 30), (150, 20, 25), (215, 50, 45)),
    Colour.ORANGE: ((230, 115, 25), (215, 95, 30)),
    Colour.YELLOW: ((235, 195, 35), (215, 165, 20), (245, 220, 70)),
    Colour.GREEN: ((25, 110, 50), (40, 130, 70), (20, 80, 45)),
    Colour.BLUE: ((25, 45, 140), (40, 70, 170), (30, 35, 110)),
    Colour.PURPLE: ((95, 35, 120), (120, 60, 150)),
    Colour.WHITE: ((235, 232, 220), (225, 205, 170), (215, 190, 155)),
    Colour.BLACK: ((25, 25, 27), (45, 38, 34), (60, 45, 38)),
    Colour.BROWN: ((150, 100, 60), (165, 120, 80)),
}

_FOIL: Final = 0.25
"""How many boards lie under foil or thick varnish."""


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A picture and what is in it.

    Attributes:
        pixels: the picture.
        location: where the board is.
        colours: the colours of the checkers.
        squares: what stands on the 64 squares, a1 first.
        unknown: squares with checkers of two colours.
        radius: of the checkers, in squares.
        height: of one checker, in squares.
        checkers: what stands on it, exactly.
        camera_xyz: where the camera is, on the board's axes.
    """

    pixels: Picture
    location: BoardLocation
    colours: tuple[Colour, ...]
    squares: tuple[Contents, ...]
    unknown: frozenset[int]
    radius: float
    height: float
    checkers: tuple["Checkers", ...]
    camera_xyz: tuple[float, float, float]


def draw_board(
    rng: np.random.Generator,
    checkers: tuple[Checkers, ...] | None = None,
    look: Look | None = None,
) -> DrawnBoard:
    """Return a picture of a board.

    Args:
        rng: where chance comes from.
        checkers: what stands on it, or None for a random choice.
        look: how it looks, or None for a random look.
    """
    look = look or Look()
    radius = look.radius or float(rng.uniform(0.25, 0.45))
    height = radius * (look.thickness or float(rng.uniform(0.35, 1.0)))
    camera = Camera.over_board(rng, look.tilt)
    colours = look.colours or tuple(
        list(Colour)[number] for number in rng.permutation(9)[: rng.integers(2, 5)]
    )
    if checkers is None:
        checkers = scatter(rng, colours, radius)
    canvas, light, dark = draw_squares(rng, look)
    canvas = shade(rng, canvas, look)
    if look.mess:
        draw_dice(rng, canvas, [one.at_xy for one in checkers], radius)
    shine = float(rng.uniform(0.0, 1.0))
    rings, sun = int(rng.integers(0, 6)), float(rng.uniform(0, 2 * np.pi))
    depth = 1.0 if look.plain else float(rng.uniform(0.3, 1.2))
    style = Style(rings, shine, sun, radius, height, depth)
    paints = {colour: _checker_paint(rng, colour, light, dark, look.alike) for colour in colours}
    near_last = sorted(
        checkers,
        key=lambda one: -np.hypot(one.at_xy[0] - camera.xyz[0], one.at_xy[1] - camera.xyz[1]),
    )
    lit = lightness(canvas, light, dark)
    if look.foil and not look.plain and rng.random() < _FOIL:
        add_foil(rng, canvas)
    for one in near_last:
        draw_shadow(canvas, style, one)
    for one in near_last:
        draw_checkers(rng, canvas, lit, camera, style, one, paints[one.colour])
    if look.glare and rng.random() < 0.35:
        add_glare(rng, canvas)
    pixels = camera.take(rng, canvas, look)
    squares, unknown = truth(checkers)
    eye = (float(camera.xyz[0]), float(camera.xyz[1]), float(camera.xyz[2]))
    return DrawnBoard(
        pixels, camera.location, colours, squares, unknown, radius, height, checkers, eye
    )


def _checker_paint(
    rng: np.random.Generator, colour: Colour, light: Canvas, dark: Canvas, same: bool
) -> Canvas:
    """Return the paint of one player's checkers, not seldom much like the board's own."""
    alike = {Colour.WHITE: light, Colour.BLACK: dark, Colour.BROWN: dark, Colour.RED: light}
    plain = mixed(rng, PAINTS[colour][rng.integers(len(PAINTS[colour]))])
    like = alike.get(colour, plain)
    near = float(np.abs(like ** (1 / 2.2) - plain ** (1 / 2.2)).max()) < 0.25
    if near and same:
        return np.asarray(np.clip(like * rng.uniform(0.85, 1.0), 0.0, 1.0), dtype=np.float32)
    if near and rng.random() < 0.5:
        return np.asarray(np.clip(like * rng.uniform(0.8, 1.2), 0.0, 1.0), dtype=np.float32)
    return plain


def scatter(
    rng: np.random.Generator, colours: tuple[Colour, ...], radius: float
) -> tuple[Checkers, ...]:
    """Return checkers on random squares, alone, in towers and side by side, apart enough."""
    found: list[Checkers] = []
    wanted = int(rng.integers(0, 25)) if rng.random() < 0.9 else 0
    reach = min(0.4, 0.62 - 0.5 * radius) if rng.random() < 0.5 else 0.12
    for number in rng.permutation(64)[:wanted]:
        colour = colours[rng.integers(len(colours))]
        middle = np.array([number % 8 + 0.5, number // 8 + 0.5])
        kind = rng.random()
        if kind < 0.1:
            turn = rng.uniform(0, 2 * np.pi)
            step = (radius * 1.03) * np.array([np.cos(turn), np.sin(turn)])
            places = [(middle + step, 1), (middle - step, 1)]
        else:
            count = 1 if kind < 0.8 else int(rng.integers(2, 5))
            places = [(middle + np.clip(rng.normal(0, reach / 2, 2), -reach, reach), count)]
        for at, count in places:
            if not (0 < at[0] < 8 and 0 < at[1] < 8) or int(at[0]) + 8 * int(at[1]) != number:
                continue
            if all(np.hypot(*(at - one.at_xy)) > 2.02 * radius for one in found):
                found.append(Checkers((float(at[0]), float(at[1])), colour, count))
    return tuple(found)


def truth(checkers: tuple[Checkers, ...]) -> tuple[tuple[Contents, ...], frozenset[int]]:
    """Return what stands on each square, and the squares where two colours do."""
    standing: dict[int, list[Colour]] = {}
    for one in checkers:
        number = square(int(one.at_xy[0]), int(one.at_xy[1]))
        standing.setdefault(number, []).extend([one.colour] * one.count)
    squares = tuple(contents(*standing.get(number, ())) for number in range(64))
    unknown = {number for number, held in enumerate(squares) if len(set(held)) > 1}
    return squares, frozenset(unknown)
