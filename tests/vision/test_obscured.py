import cv2
import numpy as np
import pytest

from hardware.scene import Hand, PlacedChecker, Scene
from hardware.simulated.truth import scene_truth
from tabletop import BoardLocation, Colour
from tests.calibration.tables import look_of, picture
from vision.obscured import find_obscured

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
