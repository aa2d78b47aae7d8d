"""A camera that follows the light: exposure and white balance, each behind the change."""

import math
from dataclasses import dataclass, replace
from typing import Final, Self

import cv2
import numpy as np

from hardware.simulated.arrays import Points
from hardware.simulated.light import GAMMA
from hardware.simulated.look import TableLook
from vision.frame import Picture

_STEP: Final = 8  # every so many pixels one is measured
_EXPOSED: Final = 0.8  # of a change of brightness that is taken back in the end
_BALANCED: Final = 0.5  # of a change of colour
_STOP: Final = 1.06  # screen values are multiplied by powers of it before they are burnt out


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """How a camera has adapted; begin with `Exposure()`.

    Attributes:
        usual: the mean blue, green and red of its first picture, to which it returns; shape (3,).
        gain: what screen values are multiplied by now, shape (3,).
        stops: how often of that the light itself is multiplied by `_STOP`, before it burns out.
        at_s: when the last picture was taken.
    """

    usual: Points | None = None
    gain: Points | None = None
    stops: int = 0
    at_s: float = 0.0

    def exposing(self, look: TableLook) -> TableLook:
        """Return *look* as the camera exposes its next picture of it."""
        if not self.stops:
            return look
        light = replace(look.light, exposure=look.light.exposure * _STOP ** (GAMMA * self.stops))
        return replace(look, light=light)

    def take(self, picture: Picture, at_s: float, adapts_s: float) -> tuple[Picture, Self]:
        """Return *picture*, exposed by `exposing`, as it is taken, and how to take the next."""
        exposed = _STOP**self.stops
        mean = picture[::_STEP, ::_STEP].reshape(-1, 3).mean(axis=0) / exposed + 1.0
        if self.usual is None or self.gain is None:
            return picture, replace(self, usual=mean, gain=np.ones(3), at_s=at_s)
        change = self.usual / mean
        brighter = float(change.mean())
        wanted = brighter**_EXPOSED * (change / brighter) ** _BALANCED
        followed = 1.0 - math.exp(-(at_s - self.at_s) / adapts_s)
        gain = self.gain + followed * (wanted - self.gain)
        stops = round(math.log(float(gain.mean()), _STOP))
        levels = np.arange(256)[:, None] * gain / exposed
        table = np.clip(np.rint(levels), 0, 255).astype(np.uint8).reshape(1, 256, 3)
        taken = np.asarray(cv2.LUT(picture, table), np.uint8)
        return taken, replace(self, gain=gain, stops=stops, at_s=at_s)
