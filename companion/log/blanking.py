"""Blackening what nobody needs to see: all that lies beside the board and the throwing zone."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.profile import ProfileError, TableProfile, load_profile
from companion.log.game_folder import TABLES_NAME, WHY_NAME
from tabletop import BoardLocation, Box
from vision.frame import Picture
from vision.rectify import board_to_picture

MARGIN: Final = 1.1
"""So much round the board's field is left, in squares: a little more than is read with it."""
ROUND_DICE: Final = 2.0
"""Where no throwing zone is set, it reaches so many sides of the die beyond where dice lay."""

Mask = NDArray[np.uint8]
"""255 where a frame may be seen, 0 where not; shape (height, width)."""


class Blank:
    """Blackens the frames of one game.

    Over the whole game the same is left, so that comparing one frame with another shows nothing
    that was not there.
    """

    def __init__(self, folder: Path) -> None:
        self._profiles: Final = tuple(_profiles(folder))
        self._scenes: Final = tuple(_scenes(folder))
        self._masks: dict[tuple[int, int], Mask] = {}

    def apply(self, pixels: Picture) -> Picture:
        """Return *pixels* with what nobody needs to see black."""
        size_wh = (pixels.shape[1], pixels.shape[0])
        if size_wh not in self._masks:
            self._masks[size_wh] = self._mask(size_wh)
        return np.asarray(cv2.bitwise_and(pixels, pixels, mask=self._masks[size_wh]), np.uint8)

    def _mask(self, size_wh: tuple[int, int]) -> Mask:
        mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
        boards = {profile.location for profile in self._profiles}
        boards |= {location for location, _ in self._scenes}
        for location in boards:
            _fill(mask, _round_board(location, size_wh))
        zones = [profile.throwing_zone for profile in self._profiles if profile.throwing_zone]
        for zone in zones:
            _fill(mask, zone)
        dice = [corner for _, box in self._scenes if box for corner in _round_die(box)]
        if dice and not zones:
            _fill(mask, dice)
        return mask


def _profiles(folder: Path) -> Iterator[TableProfile]:
    for path in sorted((folder / TABLES_NAME).glob("*.toml")):
        with suppress(ProfileError):
            yield load_profile(path)


def _scenes(folder: Path) -> Iterator[tuple[BoardLocation, Box | None]]:
    """Yield where board and die were in each scene that was ruled on."""
    for path in sorted((folder / WHY_NAME).glob("*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            scene = json.loads(path.read_text(encoding="utf-8"))["scene"]
            a1, h1, h8, a8 = ((float(x), float(y)) for x, y in scene["corners"])
            location = BoardLocation((a1, h1, h8, a8), distortion=float(scene["distortion"]))
            yield location, tuple(scene["die"]["box"]) if "die" in scene else None


def _round_board(location: BoardLocation, size_wh: tuple[int, int]) -> ArrayLike:
    low, high = -MARGIN, 8.0 + MARGIN
    corners = [(low, low), (high, low), (high, high), (low, high)]
    return board_to_picture(location, size_wh, corners)


def _round_die(box: Box) -> list[tuple[float, float]]:
    x, y, wide, high = box
    off = ROUND_DICE * max(wide, high)
    left, top, right, bottom = x - off, y - off, x + wide + off, y + high + off
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _fill(mask: Mask, corners: ArrayLike) -> None:
    points = np.round(np.asarray(corners, np.float64)).astype(np.int32).reshape(-1, 1, 2)
    cv2.fillConvexPoly(mask, cv2.convexHull(points), 255)
