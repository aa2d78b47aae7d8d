"""The two small networks that know dice: one finds them, one reads them.

They were taught with drawn dice only, by `training/`, and are run by OpenCV. Their files are part
of the package.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.die_pips import count_pips
from vision.frame import Picture

CROP_PX: Final = 48
CROP_BOXES: Final = 1.6
"""A crop's side, in the larger sides of the box of the die in its middle."""
COCKED: Final = 7
"""The label of a die without a top face; 0 is no die, a value is its own label."""

FOUND_PX: Final = (8.0, 24.0)
"""The larger sides of the boxes of dice that the finder finds at one scale."""

_LABELS: Final = 8
_STRIDE_PX: Final = 4
_FIRST_CENTRE_PX: Final = 1.5
"""Where the finder's first cell lies: the centre of the first 4x4 pixels."""
_UNIT_PX: Final = 14.0
_OBLIQUE_DEG: Final = 60.0
_LEAST_CHANCE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where a die may be.

    Attributes:
        centre_xy: the middle of its box in pixels.
        size_px: the larger side of its box.
        chance: how probable a die is there, from 0 to 1, uncalibrated.
    """

    centre_xy: tuple[float, float]
    size_px: float
    chance: float


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A square piece of a picture, turned so that the table's normal points up where known.

    Attributes:
        pixels: shape (CROP_PX, CROP_PX, 3), 8 bits.
        oblique_deg: the angle between the table's normal and the line of sight; None: not known.
    """

    pixels: Picture
    oblique_deg: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the reader says of crops.

    Attributes:
        chances: shape (n, 8): no die, 1 to 6, cocked; rows sum to 1.
        boxes: shape (n, 4): the die's box, centre x, y, width, height, in crop sides.
        odds: log-odds of a pip of the top face, and of the top face, shape (n, 2, 24, 24).
    """

    chances: NDArray[np.float64]
    boxes: NDArray[np.float64]
    odds: NDArray[np.float32]

    def paintings(self) -> NDArray[np.float32]:
        """Return the chances of a pip of the top face, and of the face, shape (n, 2, 24, 24)."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.odds, -20.0, 20.0))), np.float32)

    def joined(self) -> NDArray[np.float64]:
        """Return what is said of all crops together, as of one die, shape (8,)."""
        chances = np.exp(np.mean(np.log(np.maximum(self.chances, _LEAST_CHANCE)), axis=0))
        return np.asarray(chances / chances.sum(), np.float64)

    def pips(self) -> NDArray[np.int64]:
        """Return how many pips of a top face were painted in a die's layout, shape (n,)."""
        return np.array([count_pips(painting[0]) for painting in self.paintings()], np.int64)


def find_candidates(pixels: Picture, least: float) -> list[Candidate]:
    """Return the places in *pixels* where the finder gives a die's centre a chance of *least*.

    It knows dice as large as `FOUND_PX` says; a caller scales the picture for others.
    """
    net = _finder()
    net.setInput((np.moveaxis(pixels, 2, 0)[None].astype(np.float32) - 128.0) / 64.0)
    told = net.forward().reshape(4, -(-pixels.shape[0] // 4), -(-pixels.shape[1] // 4))
    odds = told[0]
    peaks = odds >= cv2.dilate(odds, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(peaks & (odds > np.log(least / (1 - least))))
    found = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        score, dx, dy, size = (float(v) for v in told[:, row, column])
        centre = (
            (column + dx) * _STRIDE_PX + _FIRST_CENTRE_PX,
            (row + dy) * _STRIDE_PX + _FIRST_CENTRE_PX,
        )
        chance = float(1 / (1 + np.exp(-score)))
        found.append(Candidate(centre, float(np.exp(np.clip(size, -2, 2))) * _UNIT_PX, chance))
    return found


def read_crops(crops: list[Crop]) -> Told:
    """Return what the reader says of *crops*."""
    batch = np.empty((len(crops), 5, CROP_PX, CROP_PX), np.float32)
    for index, crop in enumerate(crops):
        colours = np.moveaxis(crop.pixels, 2, 0).astype(np.float32)
        batch[index, :3] = (colours - colours.mean()) / max(float(colours.std()), 8.0)
        known = crop.oblique_deg is not None
        batch[index, 3] = (crop.oblique_deg or 0.0) / _OBLIQUE_DEG
        batch[index, 4] = float(known)
    net = _reader()
    net.setInput(batch)
    outputs = net.forward(("told", "painting"))
    told = outputs[0].reshape(len(crops), -1).astype(np.float64)
    odds = told[:, :_LABELS]
    chances = np.exp(odds - odds.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return Told(chances, told[:, _LABELS:], np.asarray(outputs[1], np.float32))


@cache
def _finder() -> cv2.dnn.Net:
    return _load("die_finder.onnx")


@cache
def _reader() -> cv2.dnn.Net:
    return _load("die_reader.onnx")


def _load(name: str) -> cv2.dnn.Net:
    stored = resources.files("vision").joinpath("models", name).read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(stored, np.uint8))
