"""Cut drawn scenes into what the two networks learn from."""

from dataclasses import dataclass
from math import exp, log
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.dice_paints import Canvas, Placed, View, random_view
from training.dice_scenes import SpriteBook, photograph, place_die
from training.dice_sprites import COCKED
from training.dice_tables import draw_table

CROP_PX: Final = 48
CROP_BOXES: Final = 1.6
"""A crop's side, in the larger sides of the die's box."""
MASK_PX: Final = 24
BOX_SIDES: Final = 1.35
"""About the larger side of a die's box, in the die's sides."""
PATCH_PX: Final = 160
STRIDE_PX: Final = 4
FOUND_PX: Final = (8.0, 24.0)
"""The larger sides of boxes that the finder is to find at one scale."""


@dataclass(frozen=True, slots=True, eq=False)
class CropSample:
    """A crop, what is in its middle (0: no die, 1 to 6, or cocked), and where: centre, size."""

    pixels: NDArray[np.uint8]
    label: int
    box: tuple[float, float, float, float]  # centre x, y, width, height, in crop sides
    oblique_deg: float  # -1: not known
    masks: NDArray[np.uint8]  # (MASK_PX, MASK_PX, 2): the top face's pips, the top face


def crop_sample(rng: np.random.Generator, book: SpriteBook) -> CropSample:
    """Draw one crop for the reader, with a die in the middle in three of four."""
    side = exp(rng.uniform(log(9.5), log(44)))
    number = int(rng.integers(len(book.labels)))
    oblique = float(book.oblique_deg[number])
    known = bool(rng.random() < 0.5)
    view = random_view(rng, oblique, known)
    size = int(side * BOX_SIDES * CROP_BOXES * 1.5) + 4
    canvas, things = draw_table(rng, size, side, view, clutter=1.3)
    middle = size / 2
    masks = np.zeros((size, size, 2), np.float32)
    wanted = rng.random()
    if wanted < 0.76:
        if rng.random() < 0.22:
            _neighbour(rng, canvas, book, side, view, middle)
        centre = (middle + rng.normal(0, 1), middle + rng.normal(0, 1))
        target = place_die(rng, canvas, book, number, centre, side, view.up_deg, masks)
        if rng.random() < 0.08:
            target = _cover(rng, canvas, target, side)
            masks *= float(target.label != COCKED)
    else:
        target = _nothing(rng, canvas, things, book, number, side, view)
    pixels = photograph(rng, canvas, side)
    return _cut(rng, pixels, masks, target, oblique + rng.normal(0, 1.5) if known else -1.0)


def _neighbour(
    rng: np.random.Generator,
    canvas: Canvas,
    book: SpriteBook,
    side: float,
    view: View,
    middle: float,
) -> None:
    near = np.abs(book.oblique_deg - view.oblique_deg) < 6
    other = int(rng.choice(np.nonzero(near)[0]))
    angle = rng.uniform(0, 2 * np.pi)
    gap = side * rng.uniform(1.25, 2.2)
    centre = (middle + gap * np.cos(angle), middle + gap * np.sin(angle))
    place_die(rng, canvas, book, other, centre, side, view.up_deg)


def _cover(rng: np.random.Generator, canvas: Canvas, target: Placed, side: float) -> Placed:
    """Lay something over part of a die; covered by more than a little it is not to be read."""
    x, y, w, h = target.box
    before = canvas.copy()
    angle = rng.uniform(0, 2 * np.pi)
    reach = side * rng.uniform(0.2, 1.1)
    start = np.array([x + w / 2 + reach * np.cos(angle), y + h / 2 + reach * np.sin(angle)])
    end = start + side * 6 * np.array([np.cos(angle + rng.normal(0, 0.6)), np.sin(angle)])
    colour = np.array([0.45, 0.6, 0.85]) * rng.uniform(0.2, 1.05)
    if rng.random() < 0.3:
        colour = rng.uniform(0, 1, 3)
    width = max(2, int(side * rng.uniform(0.4, 1.2)))
    first, last = (tuple(int(v) for v in p) for p in (start, end))
    cv2.line(canvas, first, last, colour.tolist(), width, cv2.LINE_AA)
    part = (slice(max(0, int(y)), int(y + h)), slice(max(0, int(x)), int(x + w)))
    hidden = float(np.mean(np.any(before[part] != canvas[part], axis=-1))) if w * h > 1 else 0.0
    return Placed(target.box, COCKED if hidden > 0.12 and target.label else target.label)


def _nothing(
    rng: np.random.Generator,
    canvas: Canvas,
    things: list[Placed],
    book: SpriteBook,
    number: int,
    side: float,
    view: View,
) -> Placed:
    """Return a place where no die is: a thing, a part of a die, or beside one."""
    size = len(canvas)
    kind = rng.random()
    if kind < 0.3:  # a part of a die: a pip, a corner, a glint
        place_die(rng, canvas, book, number, (size / 2, size / 2), side, view.up_deg)
        centre = size / 2 + rng.normal(0, 0.3, 2) * side
        box = max(4.0, side * BOX_SIDES * rng.uniform(0.12, 0.45))
        return Placed((centre[0] - box / 2, centre[1] - box / 2, box, box), 0)
    if kind < 0.4:  # a die much smaller than the crop is meant for
        small = side * rng.uniform(0.25, 0.42)
        spot = size / 2 + rng.normal(0, 0.25, 2) * side
        place_die(rng, canvas, book, number, (spot[0], spot[1]), small, view.up_deg)
        box = side * BOX_SIDES
        return Placed((size / 2 - box / 2, size / 2 - box / 2, box, box), 0)
    box = side * BOX_SIDES * rng.uniform(0.7, 1.4)
    if things and rng.random() < 0.7:
        x, y, w, h = things[int(rng.integers(len(things)))].box
        box = max(w, h) * rng.uniform(0.4, 1.3)
        centre = np.array([x + w / 2, y + h / 2]) + rng.normal(0, 0.15, 2) * box
    else:
        centre = rng.uniform(0.3, 0.7, 2) * size
    box = float(np.clip(box, 10, size / CROP_BOXES))
    if rng.random() < 0.25:
        angle = rng.uniform(0, 2 * np.pi)
        gap = max(box, side * BOX_SIDES) * rng.uniform(0.75, 1.1)
        where = centre + gap * np.array([np.cos(angle), np.sin(angle)])
        place_die(rng, canvas, book, number, (where[0], where[1]), side, view.up_deg)
    return Placed((centre[0] - box / 2, centre[1] - box / 2, box, box), 0)


def _cut(
    rng: np.random.Generator,
    pixels: NDArray[np.uint8],
    masks: Canvas,
    target: Placed,
    oblique_deg: float,
) -> CropSample:
    x, y, w, h = target.box
    box = max(w, h)
    crop = box * CROP_BOXES * exp(rng.normal(0, 0.11))
    jitter = np.clip(rng.normal(0, 0.06, 2), -0.18, 0.18) * box
    left = x + w / 2 + jitter[0] - crop / 2
    top = y + h / 2 + jitter[1] - crop / 2
    place = ((x + w / 2 - left) / crop, (y + h / 2 - top) / crop, w / crop, h / crop)
    cut = _window(pixels, left, top, crop, CROP_PX)
    small = np.clip(np.rint(_window(masks, left, top, crop, MASK_PX) * 255), 0, 255)
    return CropSample(
        np.asarray(cut, np.uint8), target.label, place, oblique_deg, small.astype(np.uint8)
    )


def _window(
    picture: cv2.typing.MatLike, left: float, top: float, side: float, size_px: int
) -> cv2.typing.MatLike:
    """Return a square window of *picture*, resampled to *size_px*, averaged where it shrinks."""
    scale, shift = size_px / side, 1.0
    while scale < 0.6:
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        scale, shift = scale * 2, shift / 2
    # Pixel centres: the window's first pixel's centre lies half a new pixel inside its edge.
    offset_x, offset_y = (-(v * shift) * scale + scale / 2 - 0.5 for v in (left, top))
    matrix = np.array([[scale, 0, offset_x], [0, scale, offset_y]])
    return cv2.warpAffine(picture, matrix, (size_px, size_px), borderMode=cv2.BORDER_REPLICATE)


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
