import cv2
import numpy as np
import pytest

from hardware.scene import Hand, PlacedChecker, Scene
from hardware.simulated.truth import scene_truth
from tabletop import BoardLocation, Colour
from tests.calibration.tables import TWO, at_home, calibrated, changed, look_of, picture
from vision.frame import Picture
from vision.obscured import find_obscured
from vision.reader import read_table
from vision.rectify import board_to_picture

CHECKERS = (
    PlacedChecker(Colour.RED, 0.6, 0.5),
    PlacedChecker(Colour.BLUE, 4.5, 4.6),
    PlacedChecker(Colour.RED, 7.4, 2.5),
)


@pytest.mark.parametrize("seed", [2, 4, 9])
def test_without_a_profile_a_broken_pattern_is_obscured(seed: int) -> None:
    """An arm across the board hides where squares meet; checkers do not."""
    look = look_of(seed)
    location = BoardLocation(scene_truth(Scene(), look).corners)
    clear = picture(Scene(CHECKERS), look, 3)
    assert not find_obscured(clear, location)
    arm = picture(Scene(CHECKERS, hand=Hand(3.5, 3.5, 30.0)), look, 3)
    assert find_obscured(arm, location)


def test_without_a_profile_a_glare_is_not_obscured() -> None:
    """A burnt-out spot at the edge takes the contrast, but it is bright."""
    look = look_of(2)
    truth = scene_truth(Scene(), look)
    location = BoardLocation(truth.corners)
    pixels = picture(Scene(CHECKERS), look, 3).copy()
    (x, y), (further_x, further_y) = truth.corners[0], truth.corners[2]
    spot = (round(0.85 * x + 0.15 * further_x), round(0.85 * y + 0.15 * further_y))
    cv2.circle(pixels, spot, 60, (255, 255, 255), -1)
    assert not find_obscured(np.asarray(pixels), location)


@pytest.mark.parametrize("seed", [5, 23, 35])
def test_a_hand_over_a_known_board_is_obscured_whatever_it_looks_like(seed: int) -> None:
    """Also one whose skin passes for the squares under it, in another light; checkers are not."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    for x, y, from_deg in ((5.5, 5.5, 55.0), (1.5, 1.5, 235.0), (6.5, 1.5, 305.0)):
        over = pictures.frame(scene=Scene(at_home(TWO), hand=Hand(x, y, from_deg)))
        assert read_table(over, table)[0].obscured, (x, y)
    assert not read_table(pictures.frame(*at_home(TWO)), table)[0].obscured


def shaded(pixels: Picture, mask: Picture, left: float) -> Picture:
    """Return *pixels* in which a soft shadow over a *mask* leaves so much of the light."""
    share = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), 6)[..., None]
    return np.clip(pixels * (1 - share * (1 - left)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", [5, 12, 34])
@pytest.mark.parametrize("left", [0.35, 0.5, 0.7])
def test_a_shadow_that_reaches_in_is_nothing_over_the_board(seed: int, left: float) -> None:
    """An arm's over some checkers, or a person's over half the board: it may rest there."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    frame = pictures.frame(*at_home(TWO))
    (x, y), (far_x, far_y) = table.location.corners[0], table.location.corners[2]
    middle = (round((x + far_x) / 2), round((y + far_y) / 2))
    arm, half = (np.zeros(frame.pixels.shape[:2], np.uint8) for _ in range(2))
    cv2.line(arm, middle, (round(3 * x - 2 * middle[0]), round(3 * y - 2 * middle[1])), 255, 60)
    half[:, : middle[0]] = 255
    for mask in (arm, half):
        pixels = shaded(frame.pixels, np.asarray(mask), left)
        assert not read_table(changed(frame, pixels), table)[0].obscured


@pytest.mark.parametrize("seed", [5, 12, 34])
def test_a_sheet_of_white_paper_over_the_board_is_no_reflection(seed: int) -> None:
    """It is brighter than what it hides, but the board's lines do not show in it."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    frame = pictures.frame(*at_home(TWO))
    corners = np.array(table.location.corners)
    middle = corners.mean(axis=0)
    sheet = frame.pixels.copy()
    cv2.fillConvexPoly(
        sheet, np.rint(middle + 0.5 * (corners - middle)).astype(int), (228, 230, 232)
    )
    assert read_table(changed(frame, sheet), table)[0].obscured


@pytest.mark.parametrize("seed", [12, 34])
def test_a_slip_of_white_paper_is_no_reflection(seed: int) -> None:
    """Though it hides part of a single dark square: it ends sharply, as no reflection does."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    frame = pictures.frame(*at_home(TWO))
    slip = frame.pixels.copy()
    corners = [(2.15, 0.1), (2.85, 0.2), (2.85, 0.85), (2.15, 0.8)]
    outline = board_to_picture(table.location, frame.size_wh, corners)
    cv2.fillConvexPoly(slip, np.rint(outline).astype(int), (200, 206, 210))
    assert read_table(changed(frame, slip), table)[0].obscured
