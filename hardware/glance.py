"""Which pictures of a fast camera are worth taking whole, by glances at a small stream.

A whole picture costs a Pi some ten milliseconds, a glance less than one. While things move a whole
picture is taken now and then only, to show that the camera is well; once they rest, all that the
reader can use. A wrong guess costs time and nothing else: the table's rest is judged by whole
pictures alone.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

MOVING_EVERY_S: Final = 0.5
RESTING_EVERY_S: Final = 0.1
IDLE_EVERY_S: Final = 0.25

_RESTS_AFTER_S: Final = 0.15
_IDLE_AFTER_S: Final = 4.0
_CELL_PX: Final = 8
_LEAST_CHANGE: Final = 8.0  # grey levels of a cell's mean, some five times a Pi camera's noise


class Glancer:
    """Looks at one small grey picture after another."""

    def __init__(self) -> None:
        self._cells: NDArray[np.float32] | None = None
        self._moved_s = 0.0
        self._whole_s: float | None = None

    def whole_due(self, grey: NDArray[np.uint8], at_s: float) -> bool:
        """Tell whether the picture of which *grey* is a glance, shape (h, w), is to be taken."""
        cells = _cells(grey)
        if self._cells is None or _differ(cells, self._cells):
            self._moved_s = at_s
        self._cells = cells
        resting_s = at_s - self._moved_s
        if resting_s < _RESTS_AFTER_S:
            every_s = MOVING_EVERY_S
        else:
            every_s = IDLE_EVERY_S if resting_s > _IDLE_AFTER_S else RESTING_EVERY_S
        if self._whole_s is not None and at_s - self._whole_s < every_s:
            return False
        self._whole_s = at_s
        return True


def _cells(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the means of cells of a picture."""
    height, width = (side - side % _CELL_PX for side in grey.shape)
    cut = grey[:height, :width].astype(np.float32)
    return np.asarray(
        cut.reshape(height // _CELL_PX, _CELL_PX, width // _CELL_PX, _CELL_PX).mean((1, 3))
    )


def _differ(now: NDArray[np.float32], then: NDArray[np.float32]) -> bool:
    if now.shape != then.shape:
        return True
    change = now - then
    # A lamp that flickers lifts the whole picture: what all cells share is no motion.
    return bool(np.abs(change - np.median(change)).max() > _LEAST_CHANGE)
