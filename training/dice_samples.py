"""Draw patches of tables with dice, which the finder learns from."""

from math import exp, log
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.dice_paints import random_view
from training.dice_scenes import SpriteBook, photograph, place_die
from training.dice_tables import draw_table

BOX_SIDES: Final = 1.35
"""About the larger side of a die's box, in the die's sides."""
PATCH_PX: Final = 160
FOUND_PX: Final = (8.0, 24.0)
"""The larger sides of boxes that the finder is to find at one scale."""


def patch_sample(
    rng: np.random.Generator, book: SpriteBook
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Draw one patch for the finder: pixels, and a row (centre x, y, larger side, kept) a die.

    Pixels have the shape (PATCH_PX, PATCH_PX, 3); *kept* is 0 for dice the finder may miss or find.
    """
    double = 2
    side = exp(rng.uniform(log(FOUND_PX[0]), log(FOUND_PX[1]))) / BOX_SIDES * double
    if rng.random() < 0.4:
        side *= exp(rng.uniform(log(1.5), log(8)))
    first = int(rng.integers(len(book.labels)))
    view = random_view(rng, float(book.oblique_deg[first]), known=False)
    size = PATCH_PX * double
    canvas, _ = draw_table(rng, size, side, view, clutter=3.0)
    near = np.nonzero(np.abs(book.oblique_deg - view.oblique_deg) < 8)[0]
    rows: list[tuple[float, float, float, float]] = []
    for _ in range(int(rng.choice([0, 1, 1, 1, 2, 3, 4]))):
        centre = tuple(float(v) for v in rng.uniform(0.03, 0.97, 2) * size)
        if any(np.hypot(centre[0] - r[0], centre[1] - r[1]) < side * 1.25 for r in rows):
            continue
        number = int(rng.choice(near))
        own = side * exp(rng.normal(0, 0.05))
        placed = place_die(rng, canvas, book, number, (centre[0], centre[1]), own, view.up_deg)
        x, y, w, h = placed.box
        if placed.label:
            rows.append((x + w / 2, y + h / 2, max(w, h), 1.0))
    pixels = photograph(rng, canvas, side)
    small = cv2.resize(pixels, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    table = np.zeros((5, 4), np.float32)
    for index, (x, y, box, _kept) in enumerate(rows[:5]):
        box /= double
        inside = FOUND_PX[0] * 0.85 < box < FOUND_PX[1] * 1.15
        table[index] = (x / double - 0.25, y / double - 0.25, box, float(inside) or -1.0)
    return np.asarray(small, np.uint8), table
