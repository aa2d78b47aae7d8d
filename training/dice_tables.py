"""Draw tables on which no die lies yet."""

from math import cos, radians

import cv2
import numpy as np

from training.dice_clutter import CLUTTER, spin
from training.dice_paints import PAINTS, Canvas, Colour3, Placed, View, blobs, paint, streaks


def draw_table(
    rng: np.random.Generator, size_px: int, side_px: float, view: View, clutter: float = 1.0
) -> tuple[Canvas, list[Placed]]:
    """Return a table without dice and what stands on it; a die's side would be *side_px* long."""
    canvas = _ground(rng, size_px, side_px, view)
    things: list[Placed] = []
    for _ in range(int(rng.poisson(1.6 * clutter))):
        draw = CLUTTER[int(rng.integers(len(CLUTTER)))]
        things += draw(rng, canvas, side_px, view)
    return canvas, things


def _ground(rng: np.random.Generator, size_px: int, side_px: float, view: View) -> Canvas:
    size = int(size_px * 1.6)
    kind = int(rng.integers(9))
    first = np.clip(rng.beta(0.8, 0.9, 3) * 0.9 + 0.03, 0, 1).astype(np.float32)
    if rng.random() < 0.55:
        first = paint(rng, str(rng.choice(list(PAINTS))))
    if rng.random() < 0.25:
        grey = rng.uniform(0.03, 0.9) * (1 + rng.normal(0, 0.05, 3))
        first = np.asarray(grey, np.float32)
    second = paint(rng, str(rng.choice(list(PAINTS))))
    ground: Canvas = np.broadcast_to(first, (size, size, 3)).copy()
    if kind == 0:
        ground *= 1 + 0.1 * blobs(rng, size, side_px)[..., None]
    elif kind == 1:  # cloth
        ground *= 1 + rng.uniform(0.1, 0.5) * blobs(rng, size, max(1, 0.05 * side_px))[..., None]
        ground *= 1 + 0.25 * blobs(rng, size, 2 * side_px)[..., None]
    elif kind == 2:  # carpet
        ground *= (
            1
            + rng.uniform(0.3, 0.9) * blobs(rng, size, rng.uniform(0.05, 0.3) * side_px)[..., None]
        )
    elif kind == 3:  # wood
        grain = streaks(rng, size, rng.uniform(0.05, 0.7) * side_px)
        ground *= 1 + rng.uniform(0.1, 0.6) * grain[..., None]
    elif kind in (4, 5, 6):  # squares of a board, two woods or two prints
        cell = side_px * rng.uniform(1.6, 4.2)
        ground = _checked(rng, ground, second, cell)
        ground *= 1 + rng.uniform(0, 0.35) * streaks(rng, size, 0.1 * side_px + 1)[..., None]
    elif kind == 7:  # gingham, stripes
        cell = side_px * rng.uniform(0.3, 1.5)
        y, x = np.mgrid[0:size, 0:size]
        weight = ((x // cell) % 2 + ((y // cell) % 2 if rng.random() < 0.7 else 0)) / 2
        ground = ground * (1 - weight[..., None]) + second * weight[..., None]
        ground = ground.astype(np.float32)
    else:  # stone, or a cloth with dots
        if rng.random() < 0.6:
            ground *= 1 + 0.6 * np.abs(blobs(rng, size, rng.uniform(0.3, 2) * side_px))[..., None]
        else:
            gap, radius = side_px * rng.uniform(0.4, 1.5), side_px * rng.uniform(0.07, 0.2)
            for y in np.arange(0, size, gap):
                for x in np.arange(0, size, gap):
                    centre = (int(x + rng.normal(0, gap * 0.1)), int(y))
                    cv2.circle(
                        ground, centre, max(1, int(radius)), second.tolist(), -1, cv2.LINE_AA
                    )
    middle = (size - 1) / 2
    turn = spin(rng.uniform(0, 360))
    squash = np.diag([1, max(0.45, cos(radians(view.oblique_deg)))])
    linear = spin(view.up_deg) @ squash @ turn
    offset = np.array([(size_px - 1) / 2] * 2) - linear @ np.array([middle, middle])
    matrix = np.hstack([linear, offset[:, None]])
    flat = cv2.warpAffine(
        ground, matrix, (size_px, size_px), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    )
    return np.clip(flat, 0, 1.2).astype(np.float32)


def _checked(rng: np.random.Generator, ground: Canvas, second: Colour3, cell: float) -> Canvas:
    size = len(ground)
    start = rng.uniform(0, 2 * cell, 2)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    odd = (np.floor((x + start[0]) / cell) + np.floor((y + start[1]) / cell)) % 2
    edge = rng.uniform(-0.3, 1.0) * size
    odd[x > edge if edge > 0 else x < -1] = int(rng.random() < 0.5)
    if rng.random() < 0.3:
        line = (x + start[0]) % cell < max(1, 0.03 * cell)
        odd[line] = 0.5
    return np.asarray(ground * (1 - odd[..., None]) + second * odd[..., None], np.float32)
