"""How high to hang a camera over a board, from how wide its lens sees.

The angles are those of the makers' data sheets, for pictures of four by three: a Camera Module 3
has a wider sensor, of which the sides are cut.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MARGIN: Final = 0.08
"""Of the board's side: its frame, and a little room for a bump."""

THROWING: Final = 0.45
"""Of the board's side: the room beside it in which the die is thrown."""

WIDTH_PX: Final = 1280
_SQUARES: Final = 8


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera and its lens.

    Attributes:
        name: what people call it.
        across_deg: how wide it sees along the longer side of a picture of four by three.
        down_deg: along the shorter side.
    """

    name: str
    across_deg: float
    down_deg: float


LENSES: Final = (
    Lens("Camera Module 1 (ov5647)", 53.5, 41.4),
    Lens("Camera Module 2 (imx219)", 62.2, 48.8),
    Lens("Camera Module 3 (imx708)", 52.0, 41.0),
    Lens("Camera Module 3 Wide (imx708_wide)", 85.6, 67.0),
    Lens("HQ camera, 6 mm lens (imx477)", 55.3, 42.9),
    Lens("Global Shutter, 6 mm lens (imx296)", 45.4, 34.7),
    Lens("USB camera of 78 degrees", 65.9, 51.8),
)


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a camera hangs.

    Attributes:
        lens: the camera.
        height_mm: of the lens over the middle of what it sees, looking straight down.
        square_px: how wide a square is in its pictures.
    """

    lens: Lens
    height_mm: float
    square_px: float


def mounts(side_mm: float) -> Iterator[Mount]:
    """Yield for each lens how high it hangs over a board of *side_mm*, from edge to edge.

    Raises:
        ValueError: no board is so large or so small.
    """
    if not 50 <= side_mm <= 2000:
        raise ValueError(f"a board's side is 50 to 2000 mm long, not {side_mm:g}")
    for lens in LENSES:
        yield mount(lens, side_mm)


def mount(lens: Lens, side_mm: float) -> Mount:
    """Return how high *lens* hangs to see the board, and the room for the die beside it."""
    deep_mm = side_mm * (1 + 2 * MARGIN)
    wide_mm = deep_mm + side_mm * THROWING
    height_mm = max(
        wide_mm / 2 / math.tan(math.radians(lens.across_deg) / 2),
        deep_mm / 2 / math.tan(math.radians(lens.down_deg) / 2),
    )
    seen_mm = 2 * height_mm * math.tan(math.radians(lens.across_deg) / 2)
    return Mount(lens, height_mm, WIDTH_PX / seen_mm * side_mm / _SQUARES)
