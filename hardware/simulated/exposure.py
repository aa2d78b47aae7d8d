"""A camera that follows the light: exposure and white balance, each behind the change."""

import math
from dataclasses import dataclass, replace
from typing import Final, Self

import cv2
import numpy as np

from hardware.simulated.arrays import Points
from vision.frame import Picture

_STEP: Final = 8  # every so many pixels one is measured
_EXPOSED: Final = 0.8  # of a change of brightness that is taken back in the end
_BALANCED: Final = 0.5  # of a change of colour
_BURNT: Final = 250  # from this level on a picture is burnt out


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """How a camera has adapted; begin with `Exposure()`.

    Attributes:
        usual: the mean blue, green and red of its first picture, to which it returns; shape (3,).
        gain: what screen values are multiplied by now, shape (3,).
        at_s: when the last picture was taken.
    """

    usual: Points | None = None
    gain: Points | None = None
    at_s: float = 0.0

    def step(self, picture: Picture, at_s: float, adapts_s: float) -> Self:
        """Return how the camera has adapted when it takes *picture*, at *at_s*."""
        mean = picture[::_STEP, ::_STEP].reshape(-1, 3).mean(axis=0) + 1.0
        if self.usual is None or self.gain is None:
            return replace(self, usual=mean, gain=np.ones(3), at_s=at_s)
        change = self.usual / mean
        exposed = float(change.mean())
        wanted = exposed**_EXPOSED * (change / exposed) ** _BALANCED
        followed = 1.0 - math.exp(-(at_s - self.at_s) / adapts_s)
        return replace(self, gain=self.gain + followed * (wanted - self.gain), at_s=at_s)

    def of(self, picture: Picture) -> Picture:
        """Return *picture*, made in the usual light, as the camera takes it.

        What is burnt out in the usual light stays so: it is far too bright, like a lamp's image.
        """
        if self.gain is None:
            return picture
        levels = np.arange(256)[:, None] * self.gain
        levels[_BURNT:] = np.maximum(levels[_BURNT:], np.arange(_BURNT, 256)[:, None])
        table = np.clip(np.rint(levels), 0, 255).astype(np.uint8).reshape(1, 256, 3)
        return np.asarray(cv2.LUT(picture, table), np.uint8)
