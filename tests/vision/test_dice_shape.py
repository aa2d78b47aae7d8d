"""What tells a die from what is none, and a flat one from one that leans: drawn by hand."""

from math import cos, radians, sin

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.die_nets import Told
from vision.die_pips import count_pips
from vision.die_shape import lean, squareness
from vision.die_tray import find_tray
from vision.frame import Picture

GRID = np.array([(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)], float)
RING = np.array([(cos(radians(60 * k)), sin(radians(60 * k))) for k in range(6)])
PENTAGON = np.array([(cos(radians(72 * k)), sin(radians(72 * k))) for k in range(5)])
QUINCUNX = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)], float)


def painted(pips_xy: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return chances of pips at places in a painting, (24, 24)."""
    y, x = np.mgrid[0:24, 0:24]
    spots = [np.exp(-((x - px) ** 2 + (y - py) ** 2) / 1.5) for px, py in pips_xy]
    return np.asarray(np.max(spots, axis=0) * 0.95, np.float32)


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 70])
@pytest.mark.parametrize("squash", [1.0, 0.7])
@pytest.mark.parametrize(
    ("layout", "counted"), [(GRID, 6), (QUINCUNX, 5), (RING, 0), (PENTAGON, 0)]
)
def test_pips_count_in_a_dies_layout(
    layout: NDArray[np.float64], counted: int, squash: float, turn_deg: float
) -> None:
    """Six in two rows and five with one in the middle are counted, dots in a ring are not."""
    c, s = cos(radians(turn_deg)), sin(radians(turn_deg))
    seen = 11.5 + 5.5 * (layout @ np.array([[c, s], [-s, c]])) * (1.0, squash)
    assert count_pips(painted(seen)) == counted


def told_of(oblique_deg: float, top_y: float, round_top: bool = False, taller: float = 1.0) -> Told:
    """Return what would be told of a cube turned square on, its top *top_y* of it below the middle.

    The die's box is 0.6 of the crop wide, and as high as one that lies flat is seen; its top may be
    *taller* than that of such a one.
    """
    cos_, sin_ = cos(radians(oblique_deg)), sin(radians(oblique_deg))
    side = 0.6 * 24
    y, x = np.mgrid[0:24, 0:24] + 0.5
    right, low = (x - 12) / side, (y - 12 - top_y * side) / (side * cos_ * taller)
    apart = np.hypot(right, low) if round_top else np.maximum(abs(right), abs(low))
    odds = np.stack([np.where(np.hypot(right, low * cos_) < 0.1, 4.0, -6.0), (0.5 - apart) * 16])
    box = np.array([0.5, 0.5, 0.6, 0.6 * (cos_ + sin_)])
    return Told(np.full((1, 8), 1 / 8), box[None], odds[None].astype(np.float32))


@pytest.mark.parametrize("oblique_deg", [10.0, 25.0, 45.0])
def test_lying_flat_fits(oblique_deg: float) -> None:
    """The top of a die that lies flat is half the sine of the obliqueness above the middle."""
    assert lean(told_of(oblique_deg, -sin(radians(oblique_deg)) / 2), (0.0,), oblique_deg, 1) < 4.0


@pytest.mark.parametrize("oblique_deg", [35.0, 45.0])
def test_a_top_in_the_middle_leans(oblique_deg: float) -> None:
    """Seen obliquely, a top that fills the middle of the outline looks at the camera: it leans."""
    assert lean(told_of(oblique_deg, 0.0), (0.0,), oblique_deg, 1) > 20.0


@pytest.mark.parametrize("oblique_deg", [25.0, 35.0])
def test_a_top_that_is_no_square_there_leans(oblique_deg: float) -> None:
    """A face as tall as wide in an oblique picture looks at the camera, wherever its middle is."""
    top_y = -sin(radians(oblique_deg)) / 2
    flat, square_on = (
        lean(told_of(oblique_deg, top_y, taller=by), (0.0,), oblique_deg, 1)
        for by in (1.0, 1 / cos(radians(oblique_deg)))
    )
    assert square_on > flat + 4.0


@pytest.mark.parametrize("oblique_deg", [0.0, 30.0, 50.0])
def test_square_and_round_tops(oblique_deg: float) -> None:
    """Seen from above a square fills the rectangle around it, a disc 0.79 of it."""
    assert squareness(told_of(oblique_deg, 0.0), oblique_deg) > 0.9
    round_fill = squareness(told_of(oblique_deg, 0.0, round_top=True), oblique_deg)
    assert round_fill == pytest.approx(0.785, abs=0.035)


def tray(oblique_deg: float) -> Picture:
    """Return a round tray with a wooden rim, seen obliquely."""
    canvas = np.full((480, 640, 3), (120, 170, 200), np.uint8)
    for wide, colour in ((220, (40, 60, 90)), (195, (60, 90, 60))):
        axes = (wide, round(wide * cos(radians(oblique_deg))))
        cv2.ellipse(canvas, (320, 240), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
    return canvas


@pytest.mark.parametrize("oblique_deg", [25.0, 35.0, 50.0])
def test_a_round_tray_tells_how_the_table_lies(oblique_deg: float) -> None:
    """In the middle of the tray the obliqueness is told to 3 degrees, beside it nothing is."""
    seen = find_tray(tray(oblique_deg))
    assert seen is not None
    upright = seen.upright((320.0, 240.0))
    assert upright.oblique_deg == pytest.approx(oblique_deg, abs=3.0)
    assert upright.turn_deg == pytest.approx(0.0, abs=3.0)
    assert seen.upright((20.0, 20.0)).oblique_deg is None


@pytest.mark.parametrize("shape", [(9000, 2, 3), (1, 5000, 3), (1, 1, 3)])
def test_a_picture_that_is_hardly_one_has_no_tray(shape: tuple[int, int, int]) -> None:
    """A line of pixels, made smaller, still has one."""
    assert find_tray(np.full(shape, 90, np.uint8)) is None


def test_no_tray_where_none_is() -> None:
    """A carpet's edges, or a tray seen from straight above, tell nothing."""
    carpet = np.random.default_rng(3).integers(60, 200, (480, 640, 3)).astype(np.uint8)
    assert find_tray(cv2.blur(carpet, (5, 5)).astype(np.uint8)) is None
    assert find_tray(tray(4.0)) is None
