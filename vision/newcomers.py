"""What came into the picture of a known table since it was empty, and may be as small as a die.

A die whose colour hardly stands out from the cloth, as a green one on red, is hard to find by its
looks; against the picture of the empty table it is not.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.die_nets import Candidate
from vision.frame import Picture

SHRINK: Final = 2
"""The pictures are compared at this part of their size: a die of 14 pixels is 7 wide then."""
LEAST_CHANGE: Final = 16.0
"""Grey levels, in the channel that changed most."""
NOISE_FACTOR: Final = 6.0
LONGEST: Final = 2.0
"""A die and its shadow are at most so much longer than wide."""
LEAST_FILLED: Final = 0.45
"""A die fills so much of its box, turned as it may be; the edge of a nudged checker does not."""
AROUND: Final = 1.15
"""A die's box in sizes of what changed: its edges are blurred."""


def newcomers(
    pixels: Picture, reference: Picture, least_px: float, most_px: float
) -> list[Candidate]:
    """Return the places of things that *reference* does not show, the largest change first.

    Args:
        pixels: a picture of the table now.
        reference: one of the same camera before the game, of the same size.
        least_px: the least width or height of a thing, in pixels.
        most_px: the greatest.
    """
    change = _change(pixels, reference)
    count, _, stats, centres = cv2.connectedComponentsWithStats(change, connectivity=8)
    found = []
    for label in range(1, count):
        wide, high = (SHRINK * int(stats[label, at]) for at in (2, 3))
        size = max(wide, high)
        if not least_px <= size <= most_px or size > LONGEST * min(wide, high):
            continue
        if SHRINK**2 * int(stats[label, 4]) < LEAST_FILLED * wide * high:
            continue
        x, y = (SHRINK * (float(at) + 0.5) - 0.5 for at in centres[label])
        found.append((int(stats[label, 4]), Candidate((x, y), AROUND * size, 1.0)))
    found.sort(key=lambda pair: -pair[0])
    return [candidate for _, candidate in found]


def _change(pixels: Picture, reference: Picture) -> NDArray[np.uint8]:
    """Return where two pictures differ by more than light and noise, shrunk, as 0 and 1."""
    now, then = _small(pixels), _small(reference)
    # Light scales a channel as a whole; things are few, so the median pixel shows it.
    gain = np.median((now + 8.0) / (then + 8.0), axis=(0, 1))
    apart = np.abs(now + 8.0 - gain * (then + 8.0)).max(axis=2)
    noise = 1.4826 * float(np.median(apart))
    changed = (apart > max(LEAST_CHANGE, NOISE_FACTOR * noise)).astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel), np.uint8)


def _small(pixels: Picture) -> NDArray[np.float32]:
    size_wh = (pixels.shape[1] // SHRINK, pixels.shape[0] // SHRINK)
    small = cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)
