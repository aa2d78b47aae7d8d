"""The size of the die in play, and what is made of it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tabletop import DieReading, DieState
from tests.vision.test_newcomers import BOX, SIZE_WH, cloth, reading, table, with_die
from vision.dice import read_dice
from vision.die_size import DieSizes
from vision.die_view import view_table
from vision.frame import Picture

VIEW = view_table(table().location, SIZE_WH)


def with_plain_cube(picture: Picture, side_px: int, left_px: int = 520) -> Picture:
    """Return *picture* with a thing as plain as no die is, its middle *left_px* from the left."""
    drawn = picture.copy()
    half, x = side_px // 2, left_px
    cv2.rectangle(drawn, (x - half, 215 - half), (x + half, 215 + half), (225, 230, 230), -1)
    return np.asarray(drawn, np.uint8)


def sized(side_px: float, sure: float = 0.97) -> DieReading:
    """Return a die whose box is *side_px* wide; a square is 40 pixels wide there."""
    return reading((500.0, 200.0, side_px, side_px - 2.0), sure)


def test_three_sure_throws_tell_the_size() -> None:
    """Their median counts, so that one that was something else does not matter."""
    sizes = DieSizes()
    for side_px in (20.0, 44.0):
        sizes = sizes.thrown(sized(side_px), VIEW)
    assert sizes.known is None
    sizes = sizes.thrown(sized(22.0), VIEW)
    assert sizes.known == pytest.approx(22.0 / 40.0, rel=0.1)


def test_doubtful_throws_tell_nothing() -> None:
    """What is not surely read may be anything."""
    sizes = DieSizes()
    for _ in range(5):
        sizes = sizes.thrown(sized(20.0, 0.6), VIEW)
    assert sizes == DieSizes()


def test_a_size_stays_until_it_is_another() -> None:
    """The known size changes with another die, not with every throw."""
    sizes = DieSizes((0.5, 0.5, 0.5), 0.5)
    assert sizes.thrown(sized(21.0), VIEW).known == 0.5
    for _ in range(9):
        sizes = sizes.thrown(sized(30.0), VIEW)
    assert sizes.known == pytest.approx(0.75, rel=0.1)


def test_a_thing_of_the_dies_size_cannot_be_read() -> None:
    """It is told as a die without a value; before the size was known it was nothing."""
    pixels = with_plain_cube(cloth(2), 22)
    known = replace(table(), die_side=0.55)
    assert [die for die in read_dice(pixels, table=table()) if die.value is not None] == []
    (die,) = read_dice(pixels, table=known)
    assert die.state is DieState.UNREADABLE
    assert die.value is None


def test_a_thing_that_the_pictures_edge_cuts_is_none() -> None:
    """It may be the end of an arm, or of anything else."""
    known = replace(table(), die_side=0.55)
    cut = with_plain_cube(cloth(2), 22, left_px=SIZE_WH[0] - 12)
    assert read_dice(cut, table=known) == ()


@pytest.mark.parametrize("side_px", [10, 60])
def test_a_thing_of_another_size_is_no_die(side_px: int) -> None:
    """A button or a box beside the board is nothing."""
    known = replace(table(), die_side=0.55)
    assert read_dice(with_plain_cube(cloth(2), side_px), table=known) == ()


def test_a_die_of_another_size_is_none() -> None:
    """What shows pips and is twice as large as all throws were is no die in play."""
    pixels = with_die(cloth(2))
    assert len(read_dice(pixels, table=table())) == 1
    told = read_dice(pixels, table=replace(table(), die_side=0.3))
    assert [die.value for die in told if die.value is not None] == []


@pytest.mark.parametrize("among_checkers", [False, True])
def test_a_die_painted_like_the_checkers_is_read_beside_them(among_checkers: bool) -> None:
    """A red die beside the board is told, whatever red checkers stand on the board."""
    drawn = with_die(cloth(2)).copy()
    x, y, wide, high = (int(v) for v in BOX)
    part = drawn[y : y + high, x : x + wide]
    part[part.min(axis=2) > 150] = (66, 57, 165)
    part[part.max(axis=2) < 60] = (230, 230, 230)
    if among_checkers:
        for file in range(4):
            cv2.circle(drawn, (120 + 40 * file, 380), 16, (66, 57, 165), -1, cv2.LINE_AA)
    for known in (table(), replace(table(), die_side=0.7)):
        assert [die.value for die in read_dice(np.asarray(drawn, np.uint8), table=known)] == [5]
