"""Tables of many random looks, towers among them: the board and the colours come out right.

Each is calibrated, then read in another light with each player's checkers scattered over the board
anyhow.
"""

import numpy as np

from calibration import TableProfile, fit_table
from hardware.scene import PlacedChecker, Scene
from hardware.simulated.truth import squares_of
from tabletop import EMPTY, BoardLocation
from tests.calibration.tables import FOUR, pair
from vision.board import find_board
from vision.known import read_known_squares
from vision.rectify import board_to_picture

TABLES = range(60, 64)
LEAST_RIGHT = 0.995
SURE = 0.9
SPLITS = ((1, 1, 1, 1), (2, 1, 1), (2, 2), (3, 1), (4,))


def scattered(random: np.random.Generator) -> tuple[PlacedChecker, ...]:
    """Return four checkers of each colour, single and in towers, on random squares."""
    squares = random.permutation(64).tolist()
    checkers = []
    for colour in FOUR.values():
        for count in SPLITS[random.integers(len(SPLITS))]:
            rank, file = divmod(squares.pop(), 8)
            x, y = np.array((file, rank)) + random.uniform(0.38, 0.62, 2)
            checkers += [PlacedChecker(colour, x, y, level) for level in range(count)]
    return tuple(checkers)


def test_random_tables_are_read_rightly() -> None:
    """No board is elsewhere; hardly a square has other colours than it shows, and none surely."""
    squares, wrong = 0, []
    for seed in TABLES:
        random = np.random.default_rng(seed)
        pictures = pair(seed, FOUR)
        profile = fit_table(pictures.empty, pictures.homes, FOUR)
        assert isinstance(profile, TableProfile), (seed, profile)
        scene = Scene(scattered(random), brightness=float(random.uniform(0.7, 1.1)))
        pixels = pictures.frame(scene=scene, noise=seed).pixels
        table = profile.model()
        found = find_board(pixels)
        assert isinstance(found, BoardLocation), (seed, found)
        middle, true_middle = (
            board_to_picture(location, table.size_wh, [(4.0, 4.0), (0.0, 0.0), (8.0, 8.0)])
            for location in (found, table.location)
        )
        side_px = np.linalg.norm(true_middle[2] - true_middle[1]) / np.hypot(8.0, 8.0)
        assert np.linalg.norm(middle[0] - true_middle[0]) < 0.05 * side_px, seed
        truth = dict(squares_of(scene))
        readings = read_known_squares(pixels, table)
        squares += len(readings)
        wrong += [
            (seed, at, truth.get(at, EMPTY), reading.best, round(reading.confidence, 2))
            for at, reading in enumerate(readings)
            if set(reading.best) != set(truth.get(at, EMPTY))
        ]
    assert squares - len(wrong) >= LEAST_RIGHT * squares, wrong
    assert all(confidence < SURE for *_, confidence in wrong), wrong
