"""What was there before anybody played: things that look as they do in the reference picture.

A letter on the board's rim, a knot in the table or a screw in the tray may look like a die's face.
A die that somebody threw was not in the picture of the empty board, or lay elsewhere in it.
"""

from typing import Final

import cv2
import numpy as np

from tabletop import Box
from vision.frame import Picture

ALIKE: Final = 0.85
"""From this correlation on a patch shows the same thing, whatever the light."""
NUDGE_PX: Final = 3
"""The camera or the board may have moved so far without anybody's noticing."""
MARGIN: Final = 0.2
"""How much of its surroundings is compared with a thing, in sizes of its box."""


def was_there(pixels: Picture, reference: Picture, box: Box) -> bool:
    """Tell whether what *box* frames in *pixels* is seen in *reference* as well, and there.

    Args:
        pixels: a picture of the table now.
        reference: one of the same camera before the game.
        box: the thing's place in *pixels*.
    """
    height, width = pixels.shape[:2]
    x, y, wide, high = box
    left, top = int(x - MARGIN * wide), int(y - MARGIN * high)
    right, bottom = int(x + (1 + MARGIN) * wide) + 1, int(y + (1 + MARGIN) * high) + 1
    left, top = max(left, NUDGE_PX), max(top, NUDGE_PX)
    right, bottom = min(right, width - NUDGE_PX), min(bottom, height - NUDGE_PX)
    if right - left < 4 or bottom - top < 4:
        return False
    now = pixels[top:bottom, left:right]
    then = reference[top - NUDGE_PX : bottom + NUDGE_PX, left - NUDGE_PX : right + NUDGE_PX]
    alike = cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED)
    return bool(np.nanmax(alike) >= ALIKE)
