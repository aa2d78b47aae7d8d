import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.drift import BoardWatch, light_change
from hardware.scene import PlacedChecker
from tabletop import BoardLocation, Colour
from tests.calibration.tables import SIZE_WH, calibrated, changed
from tests.vision.drawn_boards import Disc, camera, corners, draw, photographed
from vision.board import find_board
from vision.frame import Frame
from vision.table import TableModel

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
    ("turn_deg", "shift_xy"),
    [
        (3.0, (12.0, -5.0)),
        (25.0, (0.0, 0.0)),
        (90.0, (20.0, 30.0)),
        (180.0, (4.0, 0.0)),
        (235.0, (-30.0, 10.0)),
    ],
)
def test_a_bumped_or_turned_board_is_found_again(
    turn_deg: float, shift_xy: tuple[float, float]
) -> None:
    """Its corners are where they went, with the names that they had."""
    pictures, profile = calibrated(3)
    frame, matrix = seen_moved(turn_deg, shift_xy)
    watch = BoardWatch.begin(profile.model()).step(pictures.frame(RED_ON_C4)).step(frame)
    assert watch.moved
    assert not watch.lost
    assert watch.names_sure
    expected = np.column_stack((profile.location.corners, np.ones(4))) @ matrix.T
    np.testing.assert_allclose(watch.location.corners, expected, atol=1.5)
    assert not watch.step(frame).moved


def drawn(turn_degrees: float, *discs: Disc) -> Frame:
    """Return a frame of a board without letters, the same from both sides."""
    pose = camera(turn_degrees=turn_degrees, aim=(4.3, 3.8))
    return Frame(photographed(draw(pose, None, discs), np.random.default_rng(5)), still=True)


def watch_of(frame: Frame) -> BoardWatch:
    """Return the watch of a table that was calibrated with the drawn board."""
    location = find_board(frame.pixels)
    assert isinstance(location, BoardLocation)
    return BoardWatch.begin(TableModel(frame.size_wh, location, frame.pixels, (), 0.7))


@pytest.mark.parametrize("turn_degrees", [100.0, 190.0, 280.0])
def test_two_checkers_tell_which_corner_is_a1(turn_degrees: float) -> None:
    """On a board that looks the same from both sides the checkers tell its names, and surely."""
    discs = (Disc(1.5, 1.5, 0.7, (30, 30, 200)), Disc(2.5, 5.5, 0.7, (200, 60, 30)))
    watch = watch_of(drawn(10.0)).step(drawn(10.0, *discs))
    before = watch.location
    watch = watch.step(drawn(turn_degrees, *discs))
    assert watch.moved
    assert watch.names_sure
    true = corners(camera(turn_degrees=10.0, aim=(4.3, 3.8)))
    turned = corners(camera(turn_degrees=turn_degrees, aim=(4.3, 3.8)))
    other = np.linalg.norm(true[2] - before.corners[0]) < np.linalg.norm(
        true[0] - before.corners[0]
    )
    expected = np.roll(turned, 2, axis=0) if other else turned
    np.testing.assert_allclose(watch.location.corners, expected, atol=2.0)


def test_where_nothing_tells_people_are_asked() -> None:
    """A bare board turned by a quarter could lie either way; what people say then holds."""
    watch = watch_of(drawn(10.0)).step(drawn(100.0))
    assert watch.moved
    assert not watch.names_sure
    assert not watch.step(drawn(100.0)).names_sure
    a1, h1, h8, a8 = watch.location.corners
    told = watch.told(other_way=True)
    assert told.names_sure
    assert told.location.corners == (h8, a8, a1, h1)
    assert watch.told(other_way=False).location == watch.location
    assert told.step(drawn(100.0)).names_sure


def test_a_board_turned_on_the_spot_lies_there_once_that_is_told() -> None:
    """Its pattern shows where it was; by its new names it is not elsewhere at the next rest."""
    discs = (Disc(1.5, 1.5, 0.7, (30, 30, 200)), Disc(2.5, 5.5, 0.7, (200, 60, 30)))
    frame = drawn(10.0, *discs)
    watch = watch_of(drawn(10.0)).step(frame)
    a1, h1, h8, a8 = watch.location.corners
    there, turned = np.array([a1, h1, h8, a8]), np.array([h8, a8, a1, h1])
    matrix = cv2.getPerspectiveTransform(there.astype(np.float32), turned.astype(np.float32))
    now = changed(frame, cv2.warpPerspective(frame.pixels, matrix, frame.size_wh))
    assert watch.elsewhere(now.pixels)
    told = watch.step(now).told(other_way=True)
    assert told.location.corners == (h8, a8, a1, h1)
    assert not told.elsewhere(now.pixels)
    assert told.elsewhere(frame.pixels)


def test_a_bump_leaves_no_doubt() -> None:
    """Nobody turns a board right round and lays it nearly where it was: a bump keeps the names."""
    watch = watch_of(drawn(10.0)).step(drawn(16.0))
    assert watch.moved
    assert watch.names_sure


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
