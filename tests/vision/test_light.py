from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.evidence import backdrop, board_log_likelihood, differences, to_lab
from vision.frame import Picture
from vision.glare import find_glare
from vision.light import Evened, take_out_light

Floats = NDArray[np.float64]

SQUARE_PX = 24
SIDE = 10 * SQUARE_PX


def board(seed: int = 1) -> Floats:
    """Return a rectified board with a margin and grain, float BGR."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] // SQUARE_PX
    light = ((rows + columns) % 2 == 0)[..., None]
    colours = np.where(light, (150.0, 190.0, 210.0), (50.0, 70.0, 110.0))
    grain = np.random.default_rng(seed).normal(0, 3, (SIDE, SIDE, 1))
    return np.asarray(colours + grain, dtype=np.float64)


def as_picture(pixels: Floats) -> Picture:
    """Return 8 bits."""
    return np.asarray(np.clip(pixels, 0, 255), dtype=np.uint8)


def as_evened(pixels: Floats) -> Evened:
    """Return what is seen under the light of the reference."""
    seen = pixels.astype(np.float32)
    return Evened(seen, seen, pixels >= 255.0)


GRADIENT = np.linspace(0.5, 1.2, SIDE)[None, :, None]


@pytest.mark.parametrize(
    "change",
    [
        lambda pixels: 0.5 * pixels,
        lambda pixels: pixels * np.array([0.7, 0.95, 1.15]),
        lambda pixels: pixels * GRADIENT,
        lambda pixels: 0.8 * pixels + 12.0,
        lambda pixels: 255.0 * (pixels / 255.0) ** 0.8,
        lambda pixels: pixels * np.linspace(1.0, 1.6, SIDE)[None, :, None],
    ],
)
def test_light_is_taken_out(change: Callable[[Floats], Floats]) -> None:
    """Exposure, colour, a lamp, stray light, the camera's tone, burnt squares change nothing."""
    reference = as_picture(board())
    evened = take_out_light(as_picture(change(board())), reference, SQUARE_PX).pixels
    assert np.median(np.abs(evened - reference)) < 1.5


def test_things_on_the_board_have_no_say() -> None:
    """A third of the board covered in black does not darken the rest."""
    reference = as_picture(board())
    covered = 0.7 * board()
    covered[:, : SIDE // 3] = 20.0
    evened = take_out_light(as_picture(covered), reference, SQUARE_PX).pixels
    free = slice(SIDE // 2, None)
    assert np.median(np.abs(evened[:, free] - reference[:, free])) < 2.0


def test_a_burnt_out_pixel_is_no_darker_than_before() -> None:
    """In brighter light the light squares burn out; that does not make them another colour."""
    reference = as_picture(board())
    evened = take_out_light(as_picture(1.5 * board()), reference, SQUARE_PX).pixels
    light = reference[..., 2] > 180
    assert np.median((evened - reference)[light]) > -2.0


def test_a_shadow_is_still_the_board_and_paint_is_not() -> None:
    """Dimmed alike in all channels, grain kept: a shadow. Another colour, no grain: a checker."""
    reference = as_picture(board())
    behind = backdrop(reference, SQUARE_PX)
    shadowed = board()
    shadowed[60:120, 60:120] *= 0.6
    painted = board()
    painted[60:120, 60:120] = (40.0, 40.0, 180.0)
    inside = (slice(66, 114), slice(66, 114))
    fits = [
        np.median(board_log_likelihood(to_lab(as_picture(pixels)), behind)[inside])
        for pixels in (board(), shadowed, painted)
    ]
    assert fits[0] > fits[1] > fits[2] + 3.0
    assert not differences(to_lab(as_picture(shadowed)), behind)[inside].any()
    assert differences(to_lab(as_picture(painted)), behind)[inside].mean() > 0.95


def test_a_dark_checker_without_grain_is_no_shadow() -> None:
    """On a dark square of wood a black disc shows by the grain that it hides."""
    rng = np.random.default_rng(3)
    grain = 170.0 * np.asarray(cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)), (0, 0), 3.0))
    wood = np.array((45.0, 60.0, 90.0)) + grain[..., None]
    behind = backdrop(as_picture(wood), SQUARE_PX)
    shadowed, hidden = 0.7 * wood, wood.copy()
    hidden[:] = 0.7 * wood.mean(axis=(0, 1))
    fits = [
        np.mean(board_log_likelihood(to_lab(as_picture(pixels)), behind))
        for pixels in (shadowed, hidden)
    ]
    assert fits[0] > fits[1] + 0.3


def test_a_reflection_is_told_from_a_hand() -> None:
    """Added light without a colour inside the board is glare; skin that comes in is not."""
    reference = as_picture(board())
    region = np.zeros((SIDE, SIDE), dtype=np.bool_)
    region[80:140, 80:140] = True
    dazzled = board()
    dazzled[region] = np.minimum(dazzled[region] + 120.0, 255.0)
    assert find_glare(region, as_evened(dazzled), reference, SQUARE_PX)[region].all()
    skin = board()
    skin[region] = (120.0, 150.0, 200.0)
    assert not find_glare(region, as_evened(skin), reference, SQUARE_PX).any()
    reaching = region.copy()
    reaching[80:140] = True
    assert not find_glare(
        reaching, as_evened(np.full_like(skin, 255.0)), reference, SQUARE_PX
    ).any()


def test_a_lamp_nearby_is_taken_out_square_by_square() -> None:
    """Where it burns the light squares out, the dark ones tell of themselves."""
    reference = as_picture(board())
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] - 60
    near = np.exp(-(np.square(rows) + np.square(columns)) / (2.0 * 70.0**2))[..., None]
    lit = board() * (1.0 + 0.54 * near * (0.6, 0.8, 1.0))
    evened = take_out_light(as_picture(lit), reference, SQUARE_PX)
    field = slice(SQUARE_PX, -SQUARE_PX)
    dark = (reference[..., 2] < 160) & ~evened.burnt.any(axis=2)
    off = np.abs(evened.pixels - reference)[field, field][dark[field, field]]
    assert evened.burnt.mean() > 0.1
    assert np.percentile(off, 95) < 8.0


def test_checkers_at_home_are_not_taken_for_light() -> None:
    """Black checkers on the four dark squares of a corner stay as much darker as they are."""
    reference = as_picture(board())
    pixels = board()
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / SQUARE_PX - 1.0
    for at in range(4):
        disc = np.hypot(rows - at - 0.5, columns - at - 0.5) < 0.42
        pixels[disc] = pixels[disc] - 14.0
        disc = np.hypot(rows - 7.5 + at, columns - 7.5 + at) < 0.42
        pixels[disc] = pixels[disc] + 14.0
    evened = take_out_light(as_picture(pixels), reference, SQUARE_PX).pixels
    changed = np.median(evened - reference.astype(np.float32), axis=2)
    for middle, due in ((0.5, -14.0), (1.5, -14.0), (2.5, -14.0), (6.5, 14.0), (7.5, 14.0)):
        centre = round((middle + 1.0) * SQUARE_PX)
        inside = changed[centre - 6 : centre + 6, centre - 6 : centre + 6]
        assert abs(float(np.median(inside)) - due) < 4.0, middle
