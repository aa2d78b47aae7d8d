"""Dice that lean, drawn by the simulated table: two faces look up, and neither is the value."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.scene import PlacedDie, Scene
from hardware.simulated import render
from tabletop import DieState
from tests.calibration.tables import at_home, calibrated
from vision.dice import read_dice


@pytest.mark.parametrize(
    ("seed", "die"),
    [(101, PlacedDie(3, 10.64, 3.27, 113.7)), (102, PlacedDie(4, 9.62, 4.5, 357.2))],
)
def test_a_die_that_shows_the_pips_of_two_faces_leans(seed: int, die: PlacedDie) -> None:
    """Both faces' pips are seen, more than either has; the same die lying flat has its value."""
    pictures, profile = calibrated(seed)
    table = profile.model()

    for cocked, state, value in (
        (True, DieState.COCKED, None),
        (False, DieState.SETTLED, die.value),
    ):
        scene = Scene(at_home({}), die=replace(die, cocked=cocked))
        pixels = render(scene, pictures.look, np.random.default_rng(3))
        (seen,) = read_dice(pixels, table=table)
        assert (seen.state, seen.value) == (state, value)
