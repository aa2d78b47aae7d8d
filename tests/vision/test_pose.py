"""The camera's pose from the outline of the board."""

import numpy as np
import pytest

from tabletop import BoardLocation
from tests.vision.drawn_boards import camera, corners
from vision.pose import Pose, estimate_pose


def located(pose: Pose) -> BoardLocation:
    """Return the true location of the board that *pose* sees."""
    a1, h1, h8, a8 = ((float(x), float(y)) for x, y in corners(pose))
    return BoardLocation((a1, h1, h8, a8), 1.0, pose.distortion)


@pytest.mark.parametrize("turn", [0, 95, 200])
@pytest.mark.parametrize("distortion", [0.0, -0.15])
def test_an_oblique_camera_is_found(turn: float, distortion: float) -> None:
    """From 40 degrees the camera's place and focal length come out to a few hundredths."""
    true = camera(tilt_degrees=40, turn_degrees=turn, distortion=distortion)
    found = estimate_pose(located(true), true.size_wh)
    assert found.focal_px == pytest.approx(true.focal_px, rel=0.04)
    assert np.allclose(found.camera_xyz, true.camera_xyz, atol=0.6)
    assert found.camera_xyz[2] > 0


@pytest.mark.parametrize("tilt", [0, 3, 15, 50])
def test_heights_are_projected_right(tilt: float) -> None:
    """The top of a tower one square high is placed to a tenth of a square, at any tilt."""
    true = camera(tilt_degrees=tilt, aim=(3.0, 4.5))
    found = estimate_pose(located(true), true.size_wh)
    tops = [(0.5, 0.5, 1.0), (7.5, 7.5, 1.0), (4.0, 1.0, 0.3)]
    square_px = np.linalg.norm(corners(true)[1] - corners(true)[0]) / 8
    away = np.linalg.norm(found.project(tops) - true.project(tops), axis=1)
    assert away.max() < 0.1 * square_px


def test_corners_stay_corners() -> None:
    """On the board itself the pose projects where the location says, whatever the prior."""
    true = camera(tilt_degrees=30)
    found = estimate_pose(located(true), true.size_wh)
    flat = [(0, 0, 0), (8, 0, 0), (8, 8, 0), (0, 8, 0)]
    assert np.abs(found.project(flat) - corners(true)).max() < 1.0
