"""Dice that lean, drawn by the simulated table: two faces look up, and neither is the value."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.scene import PlacedChecker, PlacedDie, Scene
from hardware.simulated import render
from tabletop import Colour, DieState
from tests.calibration.tables import TWO, at_home, calibrated
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


@pytest.mark.parametrize("seed", [101, 102, 105])
@pytest.mark.parametrize("colour", TWO.values())
def test_a_leaning_die_in_a_players_colour_is_a_die(seed: int, colour: Colour) -> None:
    """Checkers of its paint, as large as it is, are none: they have no pips."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    body = dict(pictures.look.checkers.colours)[colour]
    die = replace(pictures.look.die, body=body, pips=(235.0, 235.0, 235.0), size=0.46)
    look = replace(pictures.look, die=die)
    leaning = PlacedDie(5, 9.7, 4.2, 71.0, cocked=True)
    spare = tuple(PlacedChecker(one, 9.7, 1.0 + at) for at, one in enumerate(TWO.values()))
    checkers = (*at_home(TWO), *spare)

    pixels = render(Scene(checkers, die=leaning), look, np.random.default_rng(3))
    (seen,) = read_dice(pixels, table=table)
    assert seen.value is None
    assert read_dice(render(Scene(checkers), look, np.random.default_rng(3)), table=table) == ()
