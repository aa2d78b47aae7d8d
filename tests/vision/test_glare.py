"""Reflections of lamps, on the board and on checkers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.evidence import to_lab
from vision.glare import find_board_in_light, find_glare, veiled
from vision.light import Evened

PAINTS = np.array([[40, 30, 170], [170, 60, 30], [40, 170, 210], [40, 40, 40]], np.uint8)
"""Red, blue, yellow and black, BGR."""
RED, BLUE, YELLOW, BLACK = range(4)


def lab(pixel: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return one BGR pixel in L*a*b*."""
    colour: NDArray[np.float32] = to_lab(pixel.reshape(1, 1, 3)).reshape(3)
    return colour


def gleaming(paint: int, added: float) -> NDArray[np.float32]:
    """Return a paint in L*a*b*, so much of full light added to it without a colour."""
    light = np.square(PAINTS[paint] / 255.0) + added
    return lab(np.round(255.0 * np.sqrt(np.minimum(light, 1.0))).astype(np.uint8))


BARE = np.array([lab(paint) for paint in PAINTS])


def test_a_gleam_keeps_the_colour() -> None:
    """Expect each paint under a reflection to be known again, weak or strong."""
    for paint in (RED, BLUE, YELLOW):
        for added in (0.05, 0.15, 0.3):
            assert veiled(gleaming(paint, added), BARE)[paint]


def test_another_colour_is_no_gleam() -> None:
    """Expect orange and green to be none of the paints, nor a darker red to be red gleaming."""
    for other in ([30, 120, 230], [60, 140, 40], [20, 15, 90]):
        found = veiled(lab(np.array(other, np.uint8)), BARE)
        assert not found[[RED, BLUE, YELLOW]].any()


def test_a_washed_out_square_is_a_reflection() -> None:
    """A cream square as bright as ever and nearly white is one; what hides dark ones is not."""
    cream, green = (195, 234, 238), (70, 112, 72)
    reference = np.empty((80, 80, 3), np.uint8)
    reference[:, :40], reference[:, 40:] = cream, green
    seen = reference.astype(np.float32)
    seen[20:60, 10:30] = (197, 214, 226)
    unexplained = np.zeros((80, 80), bool)
    unexplained[20:60, 10:30] = True
    bare = np.zeros((80, 80, 3), bool)
    assert find_glare(unexplained, Evened(seen, seen, bare), reference, 40)[unexplained].all()

    seen[20:60, 10:70] = (150, 180, 190)
    unexplained[20:60, 10:70] = True
    assert not find_glare(unexplained, Evened(seen, seen, bare), reference, 40).any()


@pytest.mark.parametrize("added", [25.0, 60.0])
def test_a_reflection_fades_and_a_thing_ends(added: float) -> None:
    """On one dark square a gleam is a reflection however bright; a slip of paper is none."""
    rows, columns = np.indices((80, 80))
    light = (rows // 40 + columns // 40) % 2 == 0
    reference = np.where(light[..., None], (190, 215, 225), (60, 80, 110)).astype(np.uint8)
    away = np.hypot(rows - 58, columns - 20)
    gleam, slip = added * np.exp(-((away / 12.0) ** 2)), added * (away < 11.0)
    found = []
    for more in (gleam, slip):
        noise = np.random.default_rng(4).normal(0.0, 1.5, reference.shape)
        seen = (reference + more[..., None] + noise).astype(np.float32)
        where = (more > added / 4) & (rows >= 40) & (columns < 40)
        bare = np.zeros(seen.shape, bool)
        found.append(bool(find_glare(where, Evened(seen, seen, bare), reference, 40)[where].all()))
    assert found == [True, False]


def chequered(shade: NDArray[np.float64], seed: int) -> NDArray[np.float32]:
    """Return a board of four by four squares with grain, 80 pixels wide, in L*a*b*, so lit."""
    rows = np.arange(80) // 20
    squares = np.where((rows[:, None] + rows) % 2 == 0, 70.0, 30.0)
    grain = np.random.default_rng(5).normal(0.0, 2.0, (80, 80))
    noise = np.random.default_rng(seed).normal(0.0, 0.7, (80, 80))
    lightness = (squares + grain) * shade + noise
    return np.stack((lightness, 0 * lightness, 0 * lightness), axis=-1).astype(np.float32)


def test_a_board_in_another_light_is_told_from_a_thing_over_it() -> None:
    """In a shadow its squares and its grain go on; a sleeve has folds of its own."""
    usual = np.ones((80, 80))
    empty = chequered(usual, 1)
    unexplained = np.zeros((80, 80), bool)
    unexplained[12:64, 8:70] = True
    for light in (np.linspace(1.1, 1.4, 80)[None, :] * usual, 0.6 * usual):
        assert find_board_in_light(unexplained, chequered(light, 2), empty, 20)[unexplained].all()

    sleeve = empty.copy()
    folds = 45.0 + 12.0 * np.sin(np.arange(80) / 4.0)
    sleeve[unexplained, 0] = np.broadcast_to(folds, (80, 80))[unexplained]
    assert not find_board_in_light(unexplained, sleeve, empty, 20).any()
    # A smooth cup within one square, of which only the grain is known.
    inside = np.zeros((80, 80), bool)
    inside[22:38, 22:38] = True
    assert find_board_in_light(inside, chequered(0.6 * usual, 2), empty, 20)[inside].all()
    cup = chequered(usual, 2)
    cup[inside, 0] = 50.0 + np.random.default_rng(3).normal(0.0, 0.7, np.count_nonzero(inside))
    assert not find_board_in_light(inside, cup, empty, 20).any()
