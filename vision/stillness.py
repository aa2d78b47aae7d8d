"""Tell a table at rest from one where things move, for about a millisecond a frame.

Two thresholds on a small grey picture: what differs from the frame before is moving now; what
differs from the scene last settled has been changed. Noise is measured as it comes, the light of
the whole picture may flicker and drift: only what differs from the rest of the picture counts.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

# Pixels of the small picture on its longer side.
_SIDE_PX: Final = 160
# Grey levels that a pixel of the small picture must change by, at the least, and in units of the
# noise's standard deviation; and how many of them make a motion (a die is some twelve).
_LEAST_CHANGE: Final = 7.0
_NOISE_FACTOR: Final = 6.0
# Of the small picture every third row and column tell its light and noise.
_SAMPLED: Final = 3
_MOVING_PX: Final = 4
_CHANGED_PX: Final = 5
# After a gap this long between two frames nobody knows what went on between them.
_GAP_S: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """What is known after a frame of whether the table is at rest; begin with `Stillness()`.

    Attributes:
        settle_s: for how long nothing may move before the table is at rest, in seconds.
        at_s: when the last frame was taken; None before the first.
        still_since_s: since when nothing moves; None while something does.
        changed: the scene differs from the one last settled.
        small: the last frame, small and grey, without noise; None before the first.
        settled_small: the scene last settled, likewise.
    """

    settle_s: float = 1.0
    at_s: float | None = None
    still_since_s: float | None = None
    changed: bool = True
    settled: bool = False
    small: NDArray[np.float32] | None = None
    settled_small: NDArray[np.float32] | None = None

    @property
    def moving(self) -> bool:
        """Whether something moved between the last two frames, or nobody can know."""
        return self.still_since_s is None

    def step(self, frame: Frame) -> Self:
        """Return what is known after *frame* too.

        A frame whose source vouches for stillness is settled by itself.
        """
        small = _small_grey(frame.pixels)
        still_since_s = self._still_since(small, frame)
        settled = frame.still or (
            still_since_s is not None and frame.at_s - still_since_s >= self.settle_s
        )
        changed = self.settled_small is None or _differs(small, self.settled_small, _CHANGED_PX)
        return replace(
            self,
            at_s=frame.at_s,
            still_since_s=still_since_s,
            changed=changed,
            settled=settled,
            small=small,
            settled_small=small if settled else self.settled_small,
        )

    def _still_since(self, small: NDArray[np.float32], frame: Frame) -> float | None:
        if frame.still:
            return frame.at_s
        if self.small is None or self.at_s is None or frame.at_s - self.at_s > _GAP_S:
            return None
        if _differs(small, self.small, _MOVING_PX):
            return None
        return self.at_s if self.still_since_s is None else self.still_since_s


def _small_grey(pixels: Picture) -> NDArray[np.float32]:
    """Return a picture, small and grey, shape (height, width), at most `_SIDE_PX` wide or high."""
    height, width = pixels.shape[:2]
    # Eight of the pixels under a small one are enough to average over; fewer rows are less memory.
    step = max(1, max(height, width) // (4 * _SIDE_PX))
    factor = _SIDE_PX / max(height, width)
    size_wh = (max(1, round(width * factor)), max(1, round(height * factor)))
    thin = np.ascontiguousarray(pixels[step :: 2 * step, ::step, 1])
    small = cv2.resize(thin, size_wh, interpolation=cv2.INTER_AREA)
    grey = np.asarray(small, dtype=np.float32)
    grey.flags.writeable = False
    return grey


def _differs(now: NDArray[np.float32], then: NDArray[np.float32], least_px: int) -> bool:
    """Tell whether part of a picture changed otherwise than all of it."""
    if now.shape != then.shape:
        return True
    # Flicker and drift of the light scale the whole picture: the median ratio takes them out.
    few = (slice(None, None, _SAMPLED),) * 2
    gain = float(np.median((now[few] + 8.0) / (then[few] + 8.0)))
    apart = np.abs(now + 8.0 - gain * (then + 8.0))
    noise = 1.4826 * float(np.median(apart[few]))
    changed = apart > max(_LEAST_CHANGE, _NOISE_FACTOR * noise)
    if np.count_nonzero(changed) < least_px:
        return False
    # One burnt-out or dead pixel flickers alone; a thing that moves is more than a pixel wide.
    joined = cv2.boxFilter(changed.astype(np.uint8), -1, (3, 3), normalize=False)
    return bool(np.asarray(joined).max() >= min(least_px, 4))
