"""Dice that lean towards the camera over their shadows, drawn by the simulated table."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.scene import PlacedDie, Scene
from hardware.simulated import render
from tabletop import DieReading, DieState
from tests.calibration.tables import at_home, calibrated
from vision.dice import read_dice
from vision.die_shadow import lies_over_shadow
from vision.die_view import view_table
from vision.newcomers import see_changes

DICE = [
    (305, PlacedDie(3, 9.35, 4.86, 296.6)),
    (315, PlacedDie(6, 9.85, 4.61, 281.9)),
    (315, PlacedDie(3, 10.72, 3.29, 324.5)),
]
"""Seeds of tables, and dice on them that seem to lie flat when they lean, by their tops alone."""


def seen_at(seed: int, die: PlacedDie) -> tuple[tuple[DieReading, ...], bool]:
    """Return what is read of *die*, and whether it seems to lie over its shadow."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    scene = Scene(at_home({}), die=die)
    pixels = render(scene, pictures.look, np.random.default_rng(3))
    dice = read_dice(pixels, table=table)
    x, y, wide, high = dice[0].box
    upright = view_table(table.location, table.size_wh).upright((x + wide / 2, y + high / 2))
    return dice, lies_over_shadow(dice[0], upright, see_changes(pixels, table))


@pytest.mark.parametrize(("seed", "die"), DICE)
def test_a_die_over_its_shadow_has_no_value(seed: int, die: PlacedDie) -> None:
    """Its top seems to lie flat, but where its side would be the table is seen in shadow."""
    dice, over_shadow = seen_at(seed, replace(die, cocked=True))
    assert over_shadow
    assert [seen.value for seen in dice] == [None]


@pytest.mark.parametrize(("seed", "die"), DICE)
@pytest.mark.parametrize("turned_deg", [0.0, 45.0])
def test_a_flat_die_shows_its_side(seed: int, die: PlacedDie, turned_deg: float) -> None:
    """However the same die is turned when it lies flat, it has its value."""
    flat = replace(die, cocked=False, turn_deg=die.turn_deg + turned_deg)
    dice, over_shadow = seen_at(seed, flat)
    assert not over_shadow
    assert [(seen.state, seen.value) for seen in dice] == [(DieState.SETTLED, die.value)]
