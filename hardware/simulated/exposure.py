"""A camera that follows the light: exposure and white balance, each behind the change."""

import math
from dataclasses import dataclass, field, replace
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
_SETTLED: Final = 0.03  # so near to what it wants a camera has settled
_WORTH: Final = 0.02  # a gain that differs by more is applied before pictures burn out


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """How a camera has adapted; begin with `Exposure()`.

    Attributes:
        usual: the mean blue, green and red of its first picture, to which it returns; shape (3,).
        gain: what screen values are multiplied by now, shape (3,).
        exposed: what of that the light itself is multiplied by, before it burns out, shape (3,).
        at_s: when the last picture was taken.
    """

    usual: Points | None = None
    gain: Points | None = None
    exposed: Points = field(default_factory=lambda: np.ones(3))
    at_s: float = 0.0

    def exposing(self, look: TableLook, brightness: float) -> TableLook:
        """Return *look* as the camera exposes it in a light of some *brightness*."""
        blue, green, red = (float(one) for one in brightness * self.exposed**GAMMA)
        return replace(look, light=replace(look.light, balance=(blue, green, red)))

    def take(self, picture: Picture, at_s: float, adapts_s: float) -> tuple[Picture, Self]:
        """Return *picture*, exposed by `exposing`, as it is taken, and how to take the next."""
        mean = picture[::_STEP, ::_STEP].reshape(-1, 3).mean(axis=0) / self.exposed + 1.0
        if self.usual is None or self.gain is None:
            return picture, replace(self, usual=mean, gain=np.ones(3), at_s=at_s)
        change = self.usual / mean
        brighter = float(change.mean())
        wanted = brighter**_EXPOSED * (change / brighter) ** _BALANCED
        followed = 1.0 - math.exp(-(at_s - self.at_s) / adapts_s)
        gain = self.gain + followed * (wanted - self.gain)
        levels = np.arange(256)[:, None] * gain / self.exposed
        table = np.clip(np.rint(levels), 0, 255).astype(np.uint8).reshape(1, 256, 3)
        taken = np.asarray(cv2.LUT(picture, table), np.uint8)
        settled = bool(np.all(np.abs(wanted / gain - 1) < _SETTLED))
        if settled and np.any(np.abs(gain / self.exposed - 1) > _WORTH):
            return taken, replace(self, gain=gain, exposed=gain, at_s=at_s)
        return taken, replace(self, gain=gain, at_s=at_s)
