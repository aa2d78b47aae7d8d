"""Put drawn dice on drawn tables, and photograph them badly."""

from dataclasses import dataclass
from math import cos, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from training.dice_paints import BODIES, Canvas, Colour3, Placed, blobs, dice_paints, paint, streaks
from training.dice_sprites import (
    ALPHA,
    COCKED,
    DIFFUSE,
    FRONT,
    GLOSS,
    MARKED,
    PIPS,
    SHADOW,
    SIDE_PX,
    SIZE_PX,
)


@dataclass(frozen=True, slots=True, eq=False)
class SpriteBook:
    """Many sprites: layers (n, LAYERS, SIZE_PX, SIZE_PX), labels (n,), obliqueness (n,)."""

    layers: NDArray[np.uint8]
    labels: NDArray[np.int64]
    oblique_deg: NDArray[np.float32]


def place_die(
    rng: np.random.Generator,
    canvas: Canvas,
    book: SpriteBook,
    number: int,
    centre_xy: tuple[float, float],
    side_px: float,
    up_deg: float,
) -> Placed:
    """Paint the sprite *number* of *book* into *canvas*; return where it is, what it shows."""
    layers = _turned(rng, book.layers[number], up_deg, SIZE_PX)
    label = int(book.labels[number])
    if rng.random() < 0.06:  # sliding while the shutter is open
        label, layers = COCKED, _smeared(rng, layers, rng.uniform(0.22, 0.9) * SIDE_PX)
    size = max(8, round(SIZE_PX * side_px / SIDE_PX))
    interpolation = cv2.INTER_AREA if size < SIZE_PX else cv2.INTER_LINEAR
    layers = np.stack(
        [cv2.resize(layer, (size, size), interpolation=interpolation) for layer in layers]
    )
    x0, y0 = round(centre_xy[0] - size / 2), round(centre_xy[1] - size / 2)
    height, width = canvas.shape[:2]
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(width, x0 + size), min(height, y0 + size)
    if right <= left or bottom <= top:
        return Placed((x0, y0, 1, 1), 0)
    part = (slice(top - y0, bottom - y0), slice(left - x0, right - x0))
    alpha = layers[ALPHA][part][..., None]
    ground = canvas[top:bottom, left:right]
    colours = _painted(rng, layers, side_px, np.asarray(ground.mean(axis=(0, 1)), np.float32))
    under = ground * layers[SHADOW][part][..., None]
    canvas[top:bottom, left:right] = under * (1 - alpha) + colours[part] * alpha
    rows, columns = np.nonzero(layers[ALPHA] > 0.5)
    if len(rows) == 0:
        return Placed((x0, y0, 1, 1), 0)
    x, y = float(columns.min()), float(rows.min())
    box = (x0 + x, y0 + y, float(columns.max()) - x + 1, float(rows.max()) - y + 1)
    return Placed(box, label)


def photograph(rng: np.random.Generator, canvas: Canvas, side_px: float) -> NDArray[np.uint8]:
    """Return *canvas* as a camera delivers it: light, defocus, noise, sharpening, JPEG."""
    picture = canvas * np.float32(2 ** np.clip(rng.normal(0.1, 0.5), -1.2, 1))
    tint = (1 + rng.normal(0, 0.09, 3)).astype(np.float32)
    picture = picture * tint
    if rng.random() < 0.3:
        picture = picture + np.float32(rng.uniform(0, 0.12))
    if rng.random() < 0.35:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(rng.uniform(0.4, 1.3))
    if rng.random() < 0.7:
        sigma = float(abs(rng.normal(0, 0.026)) * side_px + rng.uniform(0, 0.6))
        if sigma > 0.25:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    if rng.random() < 0.1:
        picture = _smeared(rng, np.moveaxis(picture, 2, 0), rng.uniform(0.02, 0.09) * side_px)
        picture = np.moveaxis(picture, 0, 2)
    if rng.random() < 0.7:
        noise = rng.normal(0, 1, picture.shape).astype(np.float32)
        if rng.random() < 0.4:
            noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.8), np.float32) * 2
        picture = picture + noise * np.float32(abs(rng.normal(0, 0.022)))
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = picture + (picture - soft) * np.float32(rng.uniform(0.3, 1.5))
    picture = np.clip(picture, 0, 1) ** np.float32(rng.uniform(0.6, 1.25))
    eight = np.clip(np.rint(picture * 255), 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.uniform(45, 97))
        _, packed = cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, quality])
        eight = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(eight, np.uint8)


def _turned(
    rng: np.random.Generator, layers: NDArray[np.uint8], up_deg: float, size: int
) -> NDArray[np.float32]:
    if rng.random() < 0.5:  # the mirrored make of die is sold, too
        layers = layers[:, :, ::-1]
    matrix = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), -up_deg, 1.0)
    out = np.empty((len(layers), size, size), np.float32)
    for index, layer in enumerate(layers):
        border = 255 if index == SHADOW else 0
        flat = np.ascontiguousarray(layer)
        out[index] = cv2.warpAffine(flat, matrix, (size, size), borderValue=border)
    return np.asarray(out / 255, np.float32)


def _smeared(rng: np.random.Generator, layers: NDArray[np.float32], length: float) -> Canvas:
    count = max(3, int(length) | 1)
    kernel = np.zeros((count, count), np.float32)
    angle = rng.uniform(0, np.pi)
    middle = count // 2
    reach = (cos(angle) * length / 2, sin(angle) * length / 2)
    cv2.line(
        kernel,
        (round(middle - reach[0]), round(middle - reach[1])),
        (round(middle + reach[0]), round(middle + reach[1])),
        1.0,
    )
    kernel /= kernel.sum()
    return np.stack([cv2.filter2D(np.ascontiguousarray(layer), -1, kernel) for layer in layers])


def _painted(rng: np.random.Generator, layers: Canvas, side_px: float, ground: Colour3) -> Canvas:
    body, pips, marked = dice_paints(rng)
    if rng.random() < 0.2 and np.abs(pips - ground).max() > 0.3:  # hardly seen on its ground
        body = np.clip(ground * rng.uniform(0.85, 1.2), 0.02, 1).astype(np.float32)
    size = layers.shape[1]
    albedo: Canvas = np.broadcast_to(body, (size, size, 3)).copy()
    style = rng.random()
    if style < 0.1:  # grain
        albedo *= 1 + 0.35 * streaks(rng, size, 0.06 * side_px + 1)[..., None]
    elif style < 0.2:  # marble
        mix = np.clip(blobs(rng, size, 0.25 * side_px + 1) + 0.5, 0, 1)[..., None]
        albedo = albedo * (1 - 0.5 * mix) + paint(rng, str(rng.choice(BODIES))) * 0.5 * mix
    diffuse = layers[DIFFUSE]
    if style > 0.85:  # translucent: light comes out again elsewhere
        inner = cv2.GaussianBlur(diffuse, (0, 0), max(0.6, 0.2 * side_px))
        share = np.float32(rng.uniform(0.3, 0.8))
        diffuse = diffuse * (1 - share) + inner * share * np.float32(rng.uniform(0.7, 1.2))
        albedo *= 1 + 0.3 * blobs(rng, size, 0.2 * side_px + 1)[..., None]
    if rng.random() < 0.12:  # pips worn or of faces that are painted unlike
        pips = pips * 0.75 + body * 0.25
    cover = layers[PIPS][..., None]
    # A one is marked fully, a four by half: both, ones alone, or none are painted unlike.
    strength = layers[MARKED] * 2 if rng.random() < 0.5 else np.maximum(layers[MARKED] * 2 - 1, 0)
    mark = np.clip(strength, 0, 1)[..., None]
    ink = pips * (1 - mark) + marked * mark
    colour = albedo * (1 - cover) + ink * cover
    gloss = layers[GLOSS][..., None] * np.float32(rng.uniform(0.3, 1.2))
    bright = np.float32(rng.uniform(0.95, 1.6))
    shade = 1 - (1 - layers[FRONT][..., None]) * np.float32(rng.uniform(0, 0.3))
    return np.asarray(colour * (diffuse[..., None] * bright * shade) + gloss, np.float32)
