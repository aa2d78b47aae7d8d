"""Board coordinates, and the board seen straight from above."""

import numpy as np

from tabletop import BoardLocation
from tests.vision.drawn_boards import Disc, Look, camera, corners, draw
from vision.pose import Pose
from vision.rectify import board_to_picture, picture_to_board, rectifier, rectify


def located(pose: Pose) -> BoardLocation:
    """Return the true location of the board that *pose* sees."""
    a1, h1, h8, a8 = ((float(x), float(y)) for x, y in corners(pose))
    return BoardLocation((a1, h1, h8, a8), 1.0, pose.distortion)


def test_corners_are_corners() -> None:
    """(0, 0) is a1's corner and (8, 8) is h8's."""
    location = located(camera())
    points = board_to_picture(location, (640, 480), [(0, 0), (8, 8)])
    assert np.allclose(points, [location.corners[0], location.corners[2]], atol=1e-3)


def test_inner_points_follow_perspective_and_lens() -> None:
    """Every inner point is where the camera projects it, with a bent lens too."""
    pose = camera(tilt_degrees=45, distortion=-0.15)
    places = np.array([(x, y) for x in range(9) for y in range(9)], dtype=float)
    expected = pose.project(np.column_stack((places, np.zeros(81))))
    assert np.allclose(board_to_picture(located(pose), (640, 480), places), expected, atol=0.01)


def test_there_and_back() -> None:
    """From the board to the picture and back is the identity, outside the field too."""
    location = located(camera(distortion=-0.1))
    places = np.array([(0.5, 0.5), (7.2, 3.1), (-1.0, 9.0)])
    there = board_to_picture(location, (640, 480), places)
    assert np.allclose(picture_to_board(location, (640, 480), there), places, atol=1e-6)


def test_a1_is_dark_and_at_the_lower_left() -> None:
    """In the rectified board a1 is the lower left square, rank 8 is at the top."""
    pose = camera(turn_degrees=130)
    picture = draw(pose, Look(), (Disc(0.5, 7.5, 0.8, (0, 0, 255)),))
    board = rectify(picture, located(pose), square_px=20, margin=0.5)
    assert board.pixels.shape == (180, 180, 3)
    assert np.abs(board.pixels[160, 20].astype(int) - (40, 60, 95)).max() < 25
    assert np.abs(board.pixels[160, 40].astype(int) - (170, 215, 235)).max() < 25
    assert np.abs(board.pixels[20, 20].astype(int) - (0, 0, 255)).max() < 25


def test_a_kept_rectifier_does_the_same() -> None:
    """A rectifier made once gives what `rectify` gives, and its maps cannot be written."""
    pose = camera()
    picture = draw(pose)
    kept = rectifier(located(pose), (640, 480), 16, 1.0)
    again = rectify(picture, located(pose), 16, 1.0)
    assert np.array_equal(kept.apply(picture).pixels, again.pixels)
    assert not kept.map_x.flags.writeable
    assert not again.pixels.flags.writeable
