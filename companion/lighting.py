"""The light on a live table: whether it is too bad to see by, and whether it is changing.

When a lamp is lit or put out a camera that sets its exposure by itself needs a moment to follow.
Until then its pictures are burnt out or black, and nothing in them is to be believed.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.quality import BadLight, bad_light
from tabletop import BoardLocation
from vision.frame import Frame

FOLLOWS_S: Final = 2.0
"""So long a camera may take to follow the light; what is bad for longer stays so."""
STEADY_S: Final = 0.4
"""When the light has not changed for so long the camera has followed it."""

_CHANGED: Final = 0.06
"""By this share of its brightness a picture differs where the light does; lamps flicker by less."""
_SAMPLED: Final = 16
_OFFSET: Final = 8.0
"""Grey levels that keep the noise of a dark picture from counting as a change."""


class Lighting:
    """Follows the light on one table; owned by who watches it."""

    def __init__(self) -> None:
        self._cells: NDArray[np.float64] | None = None
        self._changing_s = self._changed_s = float("-inf")
        self._light: BadLight | None = None
        self._light_s = 0.0
        self._known: BadLight | None = None

    def step(self, frame: Frame, location: BoardLocation) -> bool:
        """Take note of *frame*; tell whether its light is newly bad, or good again."""
        cells = frame.pixels[::_SAMPLED, ::_SAMPLED].mean(axis=2) + _OFFSET
        # A hand that reaches in changes a part of the picture, the light changes most of it.
        if self._cells is None or abs(float(np.median(cells / self._cells)) - 1) > _CHANGED:
            if frame.at_s - self._changed_s >= STEADY_S:
                self._changing_s = frame.at_s
            self._cells, self._changed_s = cells, frame.at_s
        light = bad_light(frame.pixels, location)
        if light is self._light:
            return False
        self._light, self._light_s = light, frame.at_s
        return True

    def follows(self, frame: Frame) -> bool:
        """Tell whether the camera may yet follow the light, so that *frame* is not to be read."""
        changes = frame.at_s - self._changed_s < STEADY_S
        if changes and frame.at_s - self._changing_s < FOLLOWS_S:
            return True
        fresh = self._light is not None and self._light is not self._known
        return fresh and frame.at_s - self._light_s < FOLLOWS_S

    def look(self, frame: Frame, location: BoardLocation) -> BadLight | None:
        """Return whether the light of *frame*, which is read, is bad; so it is no news any more."""
        self._known = bad_light(frame.pixels, location)
        return self._known
