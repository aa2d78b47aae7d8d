"""A glossy board turned under its lamps, and known anew."""

import dataclasses

import numpy as np
import pytest

from calibration import fit_table
from calibration.profile import TableProfile
from hardware.scene import BoardLie, Lamp, PlacedChecker, PlacedDie, Room, Scene
from hardware.simulated.picture import render
from hardware.simulated.truth import squares_of
from tabletop import EMPTY, BoardLocation, Colour, parse_square
from tests.calibration.tables import TWO, SimulatedPair, at_home, look_of
from vision.board import find_board
from vision.dice import read_dice
from vision.frame import Frame, Picture
from vision.known import square_readings
from vision.moved_board import filled
from vision.obscured import is_obscured
from vision.rectify import board_to_picture
from vision.renewal import renewed
from vision.scene import see_table
from vision.table import TableModel

RED, BLUE = Colour.RED, Colour.BLUE
TURNED = Room(board=BoardLie(turn_deg=180.0))
STANDING = Scene(
    (PlacedChecker(RED, 1.5, 1.5), PlacedChecker(BLUE, 6.5, 5.5), PlacedChecker(RED, -1.2, 2.0)),
    PlacedDie(5, 10.1, 4.0),
    room=TURNED,
)


@pytest.fixture(scope="module", params=[23, 31])
def glossy(request: pytest.FixtureRequest) -> tuple[SimulatedPair, TableModel]:
    """A table whose board mirrors the lamp, as it was calibrated."""
    look = look_of(request.param)
    look = dataclasses.replace(look, board=dataclasses.replace(look.board, gloss=0.35))
    empty, homes = (
        Frame(render(scene, look, np.random.default_rng(noise)))
        for noise, scene in ((1, Scene()), (2, Scene(at_home(TWO))))
    )
    profile = fit_table(empty, homes, TWO)
    assert isinstance(profile, TableProfile)
    return SimulatedPair(look, empty, homes), profile.model()


def turned(model: TableModel, pixels: Picture) -> BoardLocation:
    """Return where the board lies, its names turned along with it."""
    found = find_board(pixels)
    assert isinstance(found, BoardLocation)
    corners, target = found.corners, model.location.corners[2]
    nearest = min(range(4), key=lambda at: np.hypot(*np.subtract(corners[at], target)))
    a1, h1, h8, a8 = (corners[(nearest + k) % 4] for k in range(4))
    return dataclasses.replace(found, corners=(a1, h1, h8, a8))


def test_a_turned_board_is_known_anew(glossy: tuple[SimulatedPair, TableModel]) -> None:
    """Checkers that come and go are read after it; what one hid at first may stay unknown."""
    pictures, model = glossy
    pixels = pictures.frame(scene=STANDING).pixels
    now = turned(model, pixels)
    scene = see_table(pixels, model, now)
    fresh = renewed(model, now, pixels, scene)

    later = dataclasses.replace(
        STANDING, checkers=(PlacedChecker(RED, 4.5, 3.5), PlacedChecker(BLUE, 2.5, 7.5))
    )
    for shown in (STANDING, later):
        seen = see_table(pictures.frame(scene=shown, noise=9).pixels, fresh, now)
        truth = dict(squares_of(shown))
        hidden = [at for at, square in enumerate(square_readings(seen)) if square.hidden]
        assert set(hidden) <= dict(squares_of(STANDING)).keys() - truth.keys()
        for at, square in enumerate(square_readings(seen)):
            assert square.hidden or square.best == truth.get(at, EMPTY)


def test_what_stands_on_an_unseen_square_is_not_taken_for_the_board(
    glossy: tuple[SimulatedPair, TableModel],
) -> None:
    """A square of which only the game knows what stands on it stays as it was known."""
    pictures, model = glossy
    pixels = pictures.frame(scene=STANDING).pixels
    now = turned(model, pixels)
    scene = see_table(pixels, model, now)
    blind = dataclasses.replace(scene, found=())
    fresh = renewed(model, now, pixels, blind, [parse_square("b2"), parse_square("g6")])

    seen = see_table(pixels, fresh, now)
    readings = square_readings(seen)
    assert readings[parse_square("b2")].best == (RED,)
    assert readings[parse_square("g6")].best == (BLUE,)


def test_a_lamp_in_the_room_changes_no_square(glossy: tuple[SimulatedPair, TableModel]) -> None:
    """A warm lamp close to one corner, mirrored in the board: every square is read as before."""
    pictures, model = glossy
    lamp = Lamp((9.5, 9.5, 7.0), 0.4, (0.55, 0.85, 1.0))
    shown = dataclasses.replace(STANDING, room=Room(lamps=(lamp,)))
    scene = see_table(pictures.frame(scene=shown).pixels, model)
    assert not is_obscured(scene)
    truth = dict(squares_of(shown))
    wrong = [
        at
        for at, square in enumerate(square_readings(scene))
        if square.best != truth.get(at, EMPTY)
    ]
    assert wrong == []


def test_a_die_on_the_board_is_no_part_of_it(glossy: tuple[SimulatedPair, TableModel]) -> None:
    """A die that lies on a square when the board is known anew can be taken off."""
    pictures, model = glossy
    thrown = dataclasses.replace(STANDING, die=PlacedDie(4, 3.5, 5.5))
    pixels = pictures.frame(scene=thrown).pixels
    now = turned(model, pixels)
    dice = read_dice(pixels, now, model)
    fresh = renewed(model, now, pixels, see_table(pixels, model, now, dice), (), dice)

    seen = see_table(pictures.frame(scene=STANDING, noise=9).pixels, fresh, now)
    reading = square_readings(seen)[parse_square("d6")]
    assert reading.best == EMPTY
    assert reading.confidence > 0.9


def test_what_hid_a_gleam_looks_like_what_is_around_it_when_it_goes(
    glossy: tuple[SimulatedPair, TableModel],
) -> None:
    """A square that mirrored a lamp when the board was empty and does not where it lies now."""
    pictures, model = glossy
    burnt = model.reference.copy()
    corners = board_to_picture(
        model.location, model.size_wh, [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]
    )
    burnt[filled(corners, model.size_wh)] = 255
    gleaming = dataclasses.replace(model, reference=burnt)
    pixels = pictures.frame(scene=STANDING).pixels
    now = turned(model, pixels)
    fresh = renewed(gleaming, now, pixels, see_table(pixels, gleaming, now))

    later = dataclasses.replace(STANDING, checkers=STANDING.checkers[1:])
    seen = see_table(pictures.frame(scene=later, noise=9).pixels, fresh, now)
    reading = square_readings(seen)[parse_square("b2")]
    assert (reading.best, reading.hidden) == (EMPTY, False)
    assert reading.confidence > 0.9
