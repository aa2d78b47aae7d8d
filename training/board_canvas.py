"""The canvas that boards are painted on: linear light, seen straight from above."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Canvas: TypeAlias = NDArray[np.float32]
"""Linear light, blue, green, red, 0 to 1."""

PX: Final = 64
"""The side of a square on the canvas."""
MARGIN: Final = 2.0
"""What is painted around the field, in squares."""
SIDE: Final = int((8 + 2 * MARGIN) * PX)


def mixed(rng: np.random.Generator, red_green_blue: Sequence[int]) -> Canvas:
    """Return a paint in linear light, a little off."""
    tones = (
        np.array(red_green_blue[::-1]) / 255.0 * rng.uniform(0.9, 1.08) * rng.uniform(0.96, 1.04, 3)
    )
    linear: Canvas = np.clip(tones, 0.0, 1.0).astype(np.float32) ** 2.2
    return linear


def pixel(at_xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the canvas pixel of a place on the board."""
    return np.array([at_xy[0] + MARGIN, 8 + MARGIN - at_xy[1]]) * PX - 0.5


def covered(shape: NDArray[np.float64]) -> tuple[slice, slice, Canvas]:
    """Return the part of the canvas that an outline covers, and how much of each pixel of it."""
    low = np.clip(np.floor(shape.min(axis=0)).astype(int) - 2, 0, SIDE - 1)
    high = np.clip(np.ceil(shape.max(axis=0)).astype(int) + 3, 1, SIDE)
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    fixed = np.round((shape - low) * 16).astype(np.int32)
    cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, 4)
    return slice(low[1], high[1]), slice(low[0], high[0]), mask.astype(np.float32) / 255.0


def circle(middle: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return the outline of a circle in pixels, (60, 2)."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    return middle + radius * np.column_stack((np.cos(turn), np.sin(turn)))


def hull(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the outline around two outlines."""
    joined = np.concatenate((first, second)).astype(np.float32)
    return np.asarray(cv2.convexHull(joined), dtype=np.float64).reshape(-1, 2)


def blend(canvas: Canvas, rows: slice, columns: slice, mask: Canvas, colour: Canvas) -> None:
    """Paint part of the canvas over, as far as *mask* covers it."""
    part = canvas[rows, columns]
    canvas[rows, columns] = part + mask[..., None] * (colour - part)
