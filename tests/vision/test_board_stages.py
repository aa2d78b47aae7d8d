"""The stages of finding a board: saddle points, lattices, windows, edges."""

import numpy as np
import pytest

from tests.vision.drawn_boards import Look, camera, corners, draw, photographed
from vision.edges import refine
from vision.grid import Grid, grid_through
from vision.lattice import Lattice, find_lattices
from vision.pose import Pose
from vision.saddles import Saddles, find_saddles
from vision.window import choose_window

SIZE_WH = (480, 360)
INNER = np.array([(x, y) for x in range(1, 8) for y in range(1, 8)])
GREY = np.full(3, 1 / 3)


def seen(pose: Pose, look: Look | None = None) -> Saddles:
    """Return the saddle points of a drawn board."""
    grey = draw(pose, look).mean(axis=2).astype(np.float32)
    return find_saddles(np.log((grey + 12) / 12).astype(np.float32))


def true_grid(pose: Pose, across: int = 8) -> Grid:
    """Return the true grid of a drawn board, for a lens without distortion."""
    grid = grid_through(
        ((0, 0), (across, 0), (across, across), (0, across)), corners(pose, across), pose.size_wh
    )
    assert grid is not None
    return grid


def test_every_inner_corner_is_a_saddle() -> None:
    """All 49 points between squares are found to half a pixel on an empty board."""
    pose = camera(SIZE_WH)
    points = pose.project(np.column_stack((INNER, np.zeros(49))))
    found = seen(pose).points_xy
    gaps = np.linalg.norm(points[:, None] - found[None], axis=2).min(axis=1)
    assert gaps.max() < 0.5


def test_a_saddle_knows_where_the_light_is() -> None:
    """Seen straight, the light axis runs diagonally and the edges 45 degrees off it."""
    saddles = seen(camera(SIZE_WH, tilt_degrees=0, turn_degrees=0))
    central = saddles.light_axis[:20]
    assert np.allclose(np.abs(np.sin(2 * central)), 1.0, atol=0.05)
    assert np.allclose(saddles.half_angle[:20], np.pi / 4, atol=0.05)


def test_a_flat_picture_has_no_saddles() -> None:
    """A picture of one colour has no saddle points and no lattices."""
    nothing = find_saddles(np.full((90, 120), 1.0, dtype=np.float32))
    assert len(nothing) == 0
    assert find_lattices(nothing, (120, 90)) == []


def test_the_lattice_has_all_points() -> None:
    """One lattice takes all 49 points, and knows light from dark."""
    pose = camera(SIZE_WH, distortion=-0.1)
    lattice = find_lattices(seen(pose), SIZE_WH)[0]
    assert 45 <= len(lattice) <= 60
    assert np.ptp(lattice.places, axis=0).min() >= 6


def lattice_of(pose: Pose, keep: np.ndarray, shift: tuple[int, int], across: int = 8) -> Lattice:
    """Return a perfect lattice of some inner points, its numbers shifted."""
    grid = true_grid(pose, across)
    places = keep + np.array(shift)
    light = (sum(shift)) % 2 == 1
    return Lattice(grid.moved((-shift[0], -shift[1])), places, np.arange(len(keep)), light)


@pytest.mark.parametrize("rows", [2, 4, 7])
@pytest.mark.parametrize("shift", [(0, 0), (-3, 2)])
def test_the_window_is_the_board(rows: int, shift: tuple[int, int]) -> None:
    """Few rows of the lattice, numbered anyhow, lead to the same eight by eight squares."""
    pose = camera(SIZE_WH)
    picture = photographed(draw(pose), np.random.default_rng(3))
    lattice = lattice_of(pose, INNER[INNER[:, 1] <= rows], shift)
    window = choose_window(picture, lattice, lattice.grid)
    assert window is not None
    assert np.allclose(window.grid.project([(0, 0), (8, 8)]), corners(pose)[[0, 2]], atol=1e-3)
    assert not window.light_first
    assert window.margin > 8
    assert window.seen > 0.95


@pytest.mark.parametrize("frame", [(170, 215, 235), (40, 60, 95), (100, 140, 170), (20, 20, 20)])
def test_the_window_does_not_slip_onto_the_frame(frame: tuple[int, int, int]) -> None:
    """A frame as wide as a square, light, dark or between, is not taken for a row of squares."""
    pose = camera(SIZE_WH, turn_degrees=20)
    look = Look(frame=frame, frame_squares=1.0)
    picture = photographed(draw(pose, look), np.random.default_rng(4))
    lattice = lattice_of(pose, INNER, (0, 0))
    window = choose_window(picture, lattice, lattice.grid)
    assert window is not None
    assert np.allclose(window.grid.project([(0, 0)]), corners(pose)[:1], atol=1e-3)
    assert window.margin > 8
    assert window.beyond < 0


def test_a_ninth_row_shows() -> None:
    """On a board of ten by ten the squares are seen to go on beyond the window."""
    pose = camera(SIZE_WH, distance=16, aim=(5.0, 5.0))
    picture = photographed(draw(pose, Look(across=10)), np.random.default_rng(5))
    lattice = lattice_of(pose, INNER, (0, 0), across=10)
    window = choose_window(picture, lattice, lattice.grid)
    assert window is not None
    assert window.beyond > 10


def test_edges_correct_a_crooked_grid() -> None:
    """A grid off by a fifteenth of a square comes back to a hundredth."""
    pose = camera()
    picture = photographed(draw(pose), np.random.default_rng(6))
    crooked = true_grid(pose).moved((0.06, -0.04))
    fitted, agreeing = refine(picture, crooked, False, GREY)
    square_px = np.linalg.norm(corners(pose)[1] - corners(pose)[0]) / 8
    away = np.linalg.norm(fitted.project([(0, 0), (8, 8)]) - corners(pose)[[0, 2]], axis=1)
    assert away.max() < 0.015 * square_px
    assert agreeing > 0.9


def test_edges_do_not_agree_where_no_board_is() -> None:
    """On noise no edges agree."""
    noise = np.random.default_rng(7).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    _, agreeing = refine(noise, true_grid(camera()), False, GREY)
    assert agreeing < 0.3
