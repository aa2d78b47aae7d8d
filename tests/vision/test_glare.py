"""Reflections of lamps, on the board and on checkers."""

import numpy as np
from numpy.typing import NDArray

from vision.evidence import to_lab
from vision.glare import find_glare, veiled
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
    assert find_glare(unexplained, Evened(seen, seen, bare), reference)[unexplained].all()

    seen[20:60, 10:70] = (150, 180, 190)
    unexplained[20:60, 10:70] = True
    assert not find_glare(unexplained, Evened(seen, seen, bare), reference).any()
