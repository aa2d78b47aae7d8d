"""The lens model and its inverse."""

import numpy as np
import pytest

from vision.lens import to_ideal, to_picture

SIZE_WH = (1280, 960)
POINTS = np.array([(0.0, 0.0), (639.5, 479.5), (100.0, 900.0), (1279.0, 959.0), (700.0, 3.0)])


@pytest.mark.parametrize("distortion", [-0.3, -0.05, 0.0, 0.05])
def test_there_and_back(distortion: float) -> None:
    """To the ideal picture and back is the identity, for barrel and pincushion lenses."""
    back = to_picture(to_ideal(POINTS, SIZE_WH, distortion), SIZE_WH, distortion)
    assert np.allclose(back, POINTS, atol=1e-6)


def test_the_centre_stays() -> None:
    """The middle of the picture is where it is, whatever the lens."""
    assert np.allclose(to_ideal([(639.5, 479.5)], SIZE_WH, -0.2), [(639.5, 479.5)])


def test_a_corner_moves_by_the_formula() -> None:
    """A picture's corner, at radius 1, goes to radius 1 / (1 + d)."""
    outer = (639.5 + 640.0, 479.5 + 480.0)
    (x, y), *_ = to_ideal([outer], SIZE_WH, -0.2)
    assert (x, y) == pytest.approx((639.5 + 640.0 / 0.8, 479.5 + 480.0 / 0.8))


def test_no_points() -> None:
    """No points give no points, still in two columns."""
    assert to_ideal(np.zeros((0, 2)), SIZE_WH, -0.1).shape == (0, 2)
