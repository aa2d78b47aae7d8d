import cv2
import numpy as np
import pytest

from tabletop import BoardLocation, Colour
from vision.checkers import disc_outline, disc_seen, foot_below, lean
from vision.emptyboard import guess_empty, shade_distance
from vision.palette import name_colours
from vision.pose import Pose, estimate_pose
from vision.rectify import board_to_picture
from vision.rims import COARSE, common_radius, find_edges

PX = 32
LOCATION = BoardLocation(((300.0, 800.0), (1000.0, 790.0), (880.0, 250.0), (420.0, 255.0)))
SIZE_WH = (1280, 960)


@pytest.fixture
def pose() -> Pose:
    """Return the pose of a camera that looks at the board from the first rank's side."""
    return estimate_pose(LOCATION, SIZE_WH)


def test_a_disc_on_the_board_is_seen_where_it_is(pose: Pose) -> None:
    """At height 0 nothing is pushed away and nothing looks larger."""
    disc = disc_seen(pose, (2.5, 6.5), 0.4)

    assert pytest.approx(disc.centre_xy) == (2.5, 6.5)
    assert pytest.approx(disc.radius) == 0.4


def test_a_higher_disc_is_pushed_away_and_larger(pose: Pose) -> None:
    """A top seems further from the camera and larger; its foot is found again from there."""
    disc = disc_seen(pose, (2.5, 6.5), 0.4, 0.6)
    camera = pose.camera_xyz[:2]

    assert np.linalg.norm(np.array(disc.centre_xy) - camera) > np.linalg.norm(
        np.array((2.5, 6.5)) - camera
    )
    assert disc.radius > 0.4
    assert pytest.approx(foot_below(pose, disc.centre_xy, 0.6)) == (2.5, 6.5)


def test_lean_is_the_first_step_of_being_pushed(pose: Pose) -> None:
    """For a small height the push is the lean times the height."""
    pushed = np.array(disc_seen(pose, (7.5, 1.5), 0.4, 0.01).centre_xy) - (7.5, 1.5)

    assert lean(pose, (7.5, 1.5))[0] * 0.01 == pytest.approx(pushed, rel=0.01)


def test_an_outline_agrees_with_the_board(pose: Pose) -> None:
    """The outline of a circle on the board is where the board's own map puts it."""
    turn = np.arange(48) * (2.0 * np.pi / 48)
    circle = np.column_stack((3.0 + 0.4 * np.cos(turn), 4.0 + 0.4 * np.sin(turn)))
    expected = board_to_picture(LOCATION, SIZE_WH, circle)

    # The pose is a fit to four corners that need not be those of an exact square.
    assert np.abs(disc_outline(pose, (3.0, 4.0), 0.4) - expected).max() < 6.0


def drawn_lab(radius: float = 0.36, shift: float = 0.0) -> np.ndarray[tuple[int, ...], np.dtype]:
    """Return a board in Lab with checkers on all dark squares but two ranks, in falling light."""
    lab = np.empty((8 * PX, 8 * PX, 3), np.float32)
    for row in range(8):
        for column in range(8):
            dark = (row + column) % 2 == 1
            lab[row * PX : (row + 1) * PX, column * PX : (column + 1) * PX] = (
                (30.0, 10.0, 10.0) if dark else (80.0, 2.0, 15.0)
            )
    lab[..., 0] += np.linspace(0.0, 15.0, 8 * PX, dtype=np.float32)
    if radius:
        for row in (0, 1, 2, 5, 6, 7):
            for column in range(8):
                if (row + column) % 2 == 1:
                    middle = [round((at + 0.5 + shift) * PX) for at in (column, row)]
                    cv2.circle(lab, middle, round(radius * PX), (60.0, 50.0, 30.0), -1)
    return lab


def test_the_empty_board_is_seen_between_checkers() -> None:
    """Twenty-four checkers on the dark squares do not hide what the board looks like."""
    empty = guess_empty(drawn_lab(), PX)

    assert np.abs(empty - drawn_lab(0.0)).max() < 2.0


def test_a_shadow_is_no_other_paint() -> None:
    """A paint in half the light is at distance 0, another hue is not."""
    paint = np.array([60.0, 40.0, 20.0], np.float32)
    offset = np.array([16.0, 0.0, 0.0])
    shaded = (paint + offset) * 0.5 ** (1 / 3) - offset
    other = np.array([60.0, -40.0, 20.0], np.float32)

    assert shade_distance(shaded.astype(np.float32), paint, 0.3, 1.0) == pytest.approx(0, abs=0.01)
    assert shade_distance(other, paint, 0.3, 1.0) > 40.0


def test_the_radius_is_that_of_the_checkers() -> None:
    """The common radius is found to the step of the search."""
    residual = np.zeros((10 * PX, 10 * PX, 3), np.float32)
    residual[PX:-PX, PX:-PX] = drawn_lab(0.36) - drawn_lab(0.0)
    cell = np.arange(10 * PX) // PX
    shade = ((cell[:, None] + cell) % 2).astype(np.uint8)
    radius, scores = common_radius(find_edges(residual, shade, PX, COARSE))

    assert pytest.approx(0.36, abs=0.021) == radius
    # b8 holds a checker.
    assert scores[PX + PX // 2, 2 * PX + PX // 2] > 0.8


def test_light_and_dark_wood_are_white_and_black() -> None:
    """Where white and black may be there, two browns are told by which is lighter."""
    lab = np.array([[70.0, 10.0, 28.0]] * 3 + [[30.0, 6.0, 7.0]] * 3, np.float32)
    chances = name_colours(lab, np.ones(6), (Colour.WHITE, Colour.BLACK))

    assert np.array_equal([0, 0, 0, 1, 1, 1], chances.argmax(axis=1))


def test_a_colour_that_fits_nobody_is_none() -> None:
    """Bright green is neither red nor black."""
    lab = np.array([[70.0, -60.0, 60.0], [42.0, 55.0, 35.0]], np.float32)
    chances = name_colours(lab, np.ones(2), (Colour.RED, Colour.BLACK))

    assert chances[0].argmax() == 2
    assert chances[1].argmax() == 0


def test_a_washed_out_colour_is_named_by_the_light_that_explains_it() -> None:
    """What is pink as seen and red without the gloss on it is red beside sure ones, not green."""
    sure = [[[40.0, 52.0, 32.0]] * 2, [[60.0, -17.0, 1.0]] * 2]
    lab = np.array([*sure, [[61.0, 22.0, 3.0], [40.0, 43.0, 25.0]]], np.float32)
    chances = name_colours(lab, np.ones(3), (Colour.RED, Colour.GREEN))

    assert list(chances.argmax(axis=1)) == [0, 1, 0]
    assert chances.sum(axis=1) == pytest.approx(1.0)


def test_no_candidates_have_no_names() -> None:
    """Nothing seen gives nothing named."""
    assert name_colours(np.empty((0, 3), np.float32), np.empty(0), None).shape == (0, 10)
