import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.drift import BoardWatch, light_change
from hardware.scene import PlacedChecker
from tabletop import Colour
from tests.calibration.tables import SIZE_WH, calibrated, changed
from vision.frame import Frame

RED_ON_C4 = PlacedChecker(Colour.RED, 2.5, 3.5)


def seen_moved(turn_deg: float, shift_xy: tuple[float, float]) -> tuple[Frame, NDArray[np.float64]]:
    """Return a frame of a table turned under the camera, and the map from the frame before."""
    pictures, _ = calibrated(3)
    centre = (SIZE_WH[0] / 2, SIZE_WH[1] / 2)
    matrix = np.array(cv2.getRotationMatrix2D(centre, turn_deg, 0.8), dtype=np.float64)
    matrix[:, 2] += np.array(shift_xy)
    frame = pictures.frame(RED_ON_C4)
    turned = cv2.warpAffine(frame.pixels, matrix, SIZE_WH, borderValue=(90, 90, 90))
    return changed(frame, np.asarray(turned)), matrix


def test_a_board_at_rest_keeps_its_place() -> None:
    """Checkers come and go, the board stays where it was, exactly."""
    pictures, profile = calibrated(3)
    watch = BoardWatch.begin(profile.model()).step(pictures.frame(RED_ON_C4))
    assert not watch.moved
    assert not watch.lost
    assert watch.location == profile.location


@pytest.mark.parametrize(
    ("turn_deg", "shift_xy"), [(3.0, (12.0, -5.0)), (25.0, (0.0, 0.0)), (180.0, (4.0, 0.0))]
)
def test_a_bumped_or_turned_board_is_found_again(
    turn_deg: float, shift_xy: tuple[float, float]
) -> None:
    """Its corners are where they went, with the names that they had."""
    _, profile = calibrated(3)
    frame, matrix = seen_moved(turn_deg, shift_xy)
    watch = BoardWatch.begin(profile.model()).step(frame)
    assert watch.moved
    assert not watch.lost
    expected = np.column_stack((profile.location.corners, np.ones(4))) @ matrix.T
    if watch.names_sure or turn_deg < 90:
        np.testing.assert_allclose(watch.location.corners, expected, atol=1.5)
    assert not watch.step(frame).moved


def test_a_board_taken_away_is_lost() -> None:
    """Where no board is seen the watch says so and keeps the last place."""
    pictures, profile = calibrated(3)
    bare = changed(pictures.empty, np.full((600, 800, 3), 90))
    watch = BoardWatch.begin(profile.model()).step(bare)
    assert watch.lost
    assert watch.location == profile.location
    assert not watch.step(pictures.empty).lost


def test_light_is_measured_in_stops() -> None:
    """Half the light is one stop less."""
    pictures, profile = calibrated(3)
    model = profile.model()
    half = pictures.empty.pixels * 0.5 ** (1 / 2.2)
    dimmed = changed(pictures.empty, half)
    assert light_change(dimmed.pixels, model, model.location) == pytest.approx(-1.0, abs=0.1)
    assert light_change(pictures.empty.pixels, model, model.location) == pytest.approx(0, abs=0.05)
