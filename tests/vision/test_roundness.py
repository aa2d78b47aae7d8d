import numpy as np
import pytest
from numpy.typing import NDArray

from vision.roundness import Roundness, roundness

RADIUS_PX = 25.0
MIDDLE = (60.0, 64.0)
ROUND, NOT_ROUND = 1.5, 1.1


def noise(seed: int) -> NDArray[np.float32]:
    """Return a picture of nothing but noise of one grey level."""
    return np.random.default_rng(seed).normal(0.0, 1.0, (128, 128)).astype(np.float32)


def rings(strength: float) -> NDArray[np.float32]:
    """Return five rings about `MIDDLE`, brighter on the side the light comes from."""
    y, x = np.mgrid[0:128, 0:128] - np.array(MIDDLE)[::-1, None, None]
    far, turn = np.hypot(x, y), np.arctan2(y, x)
    lit = strength * (0.6 + 0.4 * np.cos(turn)) * np.sin(2.0 * np.pi * far / 6.0)
    return np.where(far < RADIUS_PX, lit, 0.0).astype(np.float32)


def about(picture: NDArray[np.float32], off_px: float = 0.0) -> Roundness:
    """Return how round *picture* is about `MIDDLE`, looked for some pixels beside it."""
    start = np.array([MIDDLE]) + off_px
    return roundness(picture, (start,), RADIUS_PX)


@pytest.mark.parametrize("seed", range(4))
def test_noise_is_not_round(seed: int) -> None:
    """What has no order runs round no place, however the roundest nearby is chosen."""
    assert about(noise(seed)).face[0] < NOT_ROUND


@pytest.mark.parametrize("seed", range(4))
def test_rings_fainter_than_the_noise_are_seen(seed: int) -> None:
    """Rings of nine tenths of the noise, which no single pixel shows, are round."""
    assert about(noise(seed) + rings(0.9)).face[0] > ROUND


def test_how_bright_it_is_does_not_matter() -> None:
    """A tenth of the light, noise and all, is as round."""
    picture = noise(1) + rings(2.0)

    assert about(picture).face == pytest.approx(about(10.0 * picture).face, abs=0.05)


def test_the_middle_is_found() -> None:
    """From a few pixels beside it the rings are as round as from their middle."""
    picture = noise(2) + rings(2.0)

    assert about(picture, off_px=2.0).face == pytest.approx(about(picture).face, abs=0.2)


def test_falling_light_and_straight_lines_are_not_round() -> None:
    """Light that falls off, and the grain of wood, run past a place, not round it."""
    x = np.arange(128, dtype=np.float32)
    falling = np.tile(0.5 * x, (128, 1))
    grain = np.tile(3.0 * np.sin(x / 2.0), (128, 1))

    assert about(noise(3) + falling).face[0] < NOT_ROUND
    assert about(noise(3) + grain).face[0] < NOT_ROUND


def test_the_best_of_several_starts_counts() -> None:
    """Where a shadow draws the first guess aside, the second is taken."""
    picture = noise(4) + rings(2.0)
    aside, right = np.array([MIDDLE]) + 12.0, np.array([MIDDLE])

    assert roundness(picture, (aside, right), RADIUS_PX).face[0] > ROUND


def test_no_places_are_no_places() -> None:
    """Nothing asked is nothing said."""
    assert roundness(noise(5), (np.empty((0, 2)),), RADIUS_PX).face.shape == (0,)
