"""Dice behind the near wall of a tray: the simulated table with a wall drawn before them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.scene import PlacedDie, Scene
from hardware.simulated import render
from tabletop import DieReading, DieState
from tests.calibration.tables import at_home, calibrated
from vision.dice import read_dice
from vision.frame import Picture

WALL = (48, 66, 92)
HIDDEN = 0.33
"""Of the height of a die that lies flat, as it is seen: so much of it the wall hides."""

DICE = [
    (119, PlacedDie(3, 10.52, 4.96, 51.7)),
    (119, PlacedDie(5, 10.28, 4.07, 62.1)),
    (120, PlacedDie(6, 9.84, 4.33, 95.9)),
]
"""Seeds of tables, and dice on them whose sides the wall hides, and nothing of their tops."""


def walled(picture: Picture, top_px: int, seed: int) -> Picture:
    """Return *picture* with a wall across it, from the row *top_px* downwards."""
    shown = picture.astype(np.float64)
    shown[top_px:] = WALL + np.random.default_rng(seed).normal(0, 3, shown[top_px:].shape)
    edge = slice(top_px - 2, top_px + 2)
    shown[edge] = cv2.GaussianBlur(shown, (0, 0), 0.8)[edge]
    return np.clip(shown, 0, 255).astype(np.uint8)


def read_behind(seed: int, die: PlacedDie, *, stood_before: bool = True) -> tuple[DieReading, ...]:
    """Read *die* behind a wall that hides the sides of one that lies there flat."""
    pictures, profile = calibrated(seed)
    table = profile.model()
    flat, shown = (
        render(Scene(at_home({}), die=one), pictures.look, np.random.default_rng(3))
        for one in (replace(die, cocked=False), die)
    )
    (whole,) = read_dice(flat, table=table)
    top_px = round(whole.box[1] + (1 - HIDDEN) * whole.box[3])
    if stood_before:
        table = replace(table, reference=walled(table.reference, top_px, 1))
    return read_dice(walled(shown, top_px, 2), table=table)


@pytest.mark.parametrize(("seed", "die"), DICE)
def test_a_flat_die_is_read_over_the_wall_that_hides_its_sides(seed: int, die: PlacedDie) -> None:
    """Its top alone is seen, and is a square once it is put back into its plane."""
    (seen,) = read_behind(seed, die)
    assert (seen.state, seen.value) == (DieState.SETTLED, die.value)


@pytest.mark.parametrize(("seed", "die"), DICE)
def test_a_die_that_leans_behind_a_wall_has_no_value(seed: int, die: PlacedDie) -> None:
    """The same die, leaning, gets none."""
    assert all(seen.value is None for seen in read_behind(seed, replace(die, cocked=True)))


@pytest.mark.parametrize(("seed", "die"), DICE)
def test_what_came_with_the_die_is_no_wall(seed: int, die: PlacedDie) -> None:
    """What was not there before may hold the die: it gets no value."""
    assert all(seen.value is None for seen in read_behind(seed, die, stood_before=False))
