import dataclasses

import numpy as np
import pytest

from calibration import TableProfile, fit_table
from hardware.scene import Hand, PlacedChecker, PlacedDie, Scene
from hardware.simulated.truth import squares_of
from tabletop import EMPTY, SQUARE_NAMES, Colour, Seat, contents, parse_square
from tests.calibration.tables import SimulatedPair, calibrated, changed, pair
from vision.frame import Picture
from vision.known import read_known_squares, square_readings
from vision.obscured import find_obscured
from vision.scene import see_table

RED, BLUE = Colour.RED, Colour.BLUE
SCENE = Scene(
    (
        PlacedChecker(RED, 1.5, 0.5),
        PlacedChecker(RED, 4.75, 0.3),
        PlacedChecker(BLUE, 7.4, 3.6),
        PlacedChecker(BLUE, 5.5, 5.5),
        PlacedChecker(RED, 0.1, 6.5),
        PlacedChecker(BLUE, 0.88, 6.5),
        PlacedChecker(RED, -1.2, 2.0),
        PlacedChecker(BLUE, -1.2, 3.0),
    ),
    PlacedDie(5, 10.1, 4.0),
)


@pytest.fixture(scope="module")
def table() -> tuple[SimulatedPair, TableProfile]:
    """A table of the simulation and its profile."""
    return calibrated(11)


Table = tuple[SimulatedPair, TableProfile]


def wrong(table: Table, scene: Scene, pixels: Picture | None = None) -> dict[str, str]:
    """Return what is read wrongly in a picture of *scene*, by the names of squares."""
    pictures, profile = table
    shown = pictures.frame(scene=scene).pixels if pixels is None else pixels
    readings = read_known_squares(shown, profile.model())
    truth = dict(squares_of(scene))
    return {
        SQUARE_NAMES[at]: "/".join(reading.best)
        for at, reading in enumerate(readings)
        if reading.best != truth.get(at, EMPTY)
    }


def test_every_square_is_read(table: Table) -> None:
    """Checkers off centre, in pairs of two colours, at the rim and beside the board."""
    assert wrong(table, SCENE) == {}


def test_an_empty_board_is_empty(table: Table) -> None:
    """Nothing is seen where nothing stands, and that is sure."""
    pictures, profile = table
    readings = read_known_squares(pictures.frame().pixels, profile.model())
    assert all(reading.best == EMPTY and reading.confidence > 0.99 for reading in readings)


@pytest.mark.parametrize("factor", [(0.35, 0.35, 0.35), (1.25, 1.25, 1.25), (0.6, 0.9, 1.2)])
def test_exposure_and_white_balance_change_no_square(
    table: Table, factor: tuple[float, float, float]
) -> None:
    """Dimmer, brighter and warmer light leave every reading as it was."""
    pixels = table[0].frame(scene=SCENE).pixels * np.array(factor) ** (1 / 2.2)
    lit = np.clip(pixels, 0, 255).astype(np.uint8)
    assert wrong(table, SCENE, lit) == {}


def test_a_lamp_at_one_side_changes_no_square(table: Table) -> None:
    """Light that falls off over the table is followed."""
    pixels = table[0].frame(scene=SCENE).pixels
    falling = np.linspace(1.0, 0.45, pixels.shape[1])[None, :, None]
    assert wrong(table, SCENE, (pixels * falling).astype(np.uint8)) == {}


def test_a_shadow_over_the_board_changes_no_square(table: Table) -> None:
    """A shadow with a hard edge, as of a passing head, is no checker."""
    pixels = table[0].frame(scene=SCENE).pixels
    shade = np.where(np.arange(pixels.shape[1]) > 380, 0.65, 1.0)[None, :, None]
    assert wrong(table, SCENE, (pixels * shade).astype(np.uint8)) == {}


def test_a_tower_is_counted_from_its_height() -> None:
    """Seen obliquely, three stacked checkers are three, and stand where their foot is."""
    pictures, profile = calibrated(5)
    tower = Scene(tuple(PlacedChecker(RED, 3.5, 6.5, layer) for layer in range(3)))
    assert pictures.look.camera.tilt_deg > 30
    reading = read_known_squares(pictures.frame(scene=tower).pixels, profile.model())
    assert reading[parse_square("d7")].best == contents(RED, RED, RED)


def test_burnt_out_squares_are_not_surely_empty() -> None:
    """In light that burns everything out white checkers on light squares are not ruled out."""
    seats = {Seat.D4: Colour.WHITE, Seat.D2: RED}
    pictures = pair(951, seats)
    profile = fit_table(pictures.empty, pictures.homes, seats)
    assert isinstance(profile, TableProfile)
    places = [(1.5, 0.5), (3.5, 2.5), (5.5, 4.5), (2.5, 5.5), (6.5, 1.5)]
    scene = Scene(tuple(PlacedChecker(Colour.WHITE, x, y) for x, y in places))
    pixels = pictures.frame(scene=scene).pixels
    truth = dict(squares_of(scene))
    for gain in (1.3, 1.8, 3.0):
        lit = np.clip(255.0 * (pixels / 255.0) * gain, 0.0, 255.0).astype(np.uint8)
        for at, reading in enumerate(read_known_squares(lit, profile.model())):
            assert reading.best == truth.get(at, EMPTY) or reading.confidence < 0.9, at


def test_black_checkers_show_on_black_squares() -> None:
    """Paint hardly told from the board's is seen all the same, and where there is none, none."""
    seats = {Seat.D4: Colour.BLACK, Seat.D2: BLUE}
    pictures = pair(10, seats)
    profile = fit_table(pictures.empty, pictures.homes, seats)
    assert isinstance(profile, TableProfile)
    scene = Scene((PlacedChecker(Colour.BLACK, 2.5, 4.5), PlacedChecker(Colour.BLACK, 6.6, 0.4)))
    truth = dict(squares_of(scene))
    readings = read_known_squares(pictures.frame(scene=scene).pixels, profile.model())
    assert all(bool(item.best) == (at in truth) for at, item in enumerate(readings))


def test_probabilities_sum_to_one_at_most(table: Table) -> None:
    """Options are ordered, and never more than certain."""
    pictures, profile = table
    for reading in read_known_squares(pictures.frame(scene=SCENE).pixels, profile.model()):
        chances = [chance for _, chance in reading.options]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1.0 + 1e-9
        assert reading.changed is None


def test_what_changed_is_told(table: Table) -> None:
    """A checker that went from one square to another shows at both, and nowhere else."""
    pictures, profile = table
    model = profile.model()
    before = see_table(pictures.frame(scene=SCENE).pixels, model)
    first, *others = SCENE.checkers
    moved = dataclasses.replace(first, x=3.5)
    dimmer = Scene((moved, *others), SCENE.die, brightness=0.8)
    after = see_table(pictures.frame(scene=dimmer, noise=8).pixels, model)
    changes = {
        SQUARE_NAMES[at]
        for at, reading in enumerate(square_readings(after, before))
        if reading.changed is not None and reading.changed > 0.5
    }
    assert changes == {"b1", "d1"}


def test_what_looks_new_about_all_checkers_is_the_light(table: Table) -> None:
    """Tinted shadows beside each checker are no moves; the one that looks newer still is."""
    pictures, profile = table
    before = see_table(pictures.frame(scene=SCENE).pixels, profile.model())
    lab = before.lab.copy()
    side = before.view.square_px
    for tower in before.towers:
        column, row = (round(at) for at in before.view.to_px(tower.foot_xy))
        wide = 7 if tower.foot_xy[1] < 6.0 else 3  # two stand side by side there
        lab[row - side // 3 : row + side // 3, column : column + wide] += (0.0, 30.0, -30.0)
    column, row = (round(at) for at in before.view.to_px((5.5, 5.5)))
    lab[row - side // 3 : row + side // 3, column - side // 3 : column] += (0.0, 30.0, -30.0)

    now = square_readings(dataclasses.replace(before, lab=lab), before)
    looks_moved = {SQUARE_NAMES[at] for at in range(64) if (now[at].changed or 0.0) > 0.5}
    assert looks_moved == {"f6"}


def test_a_swap_within_one_colour_shows(table: Table) -> None:
    """Taken from one pair to another of its colour, a checker leaves the colours as they were."""
    pictures, profile = table
    model = profile.model()

    def scene(first: int, second: int) -> Scene:
        left = (PlacedChecker(RED, 2.3 + 0.83 * k, 3.3) for k in range(first))
        right = (PlacedChecker(RED, 5.1 + 0.83 * k, 3.7) for k in range(second))
        return Scene((*left, *right))

    before = see_table(pictures.frame(scene=scene(2, 1)).pixels, model)
    after = see_table(pictures.frame(scene=scene(1, 2), noise=8).pixels, model)
    readings = square_readings(after, before)
    for name in ("c4", "d4", "f4"):
        changed_here = readings[parse_square(name)].changed
        expected = name != "c4"
        assert changed_here is not None
        assert (changed_here > 0.5) == expected, name


@pytest.mark.parametrize(
    "hand", [Hand(4.0, 4.0, 20.0), Hand(0.6, 4.5, 180.0), Hand(6.0, 1.0, 250.0)]
)
def test_a_hand_is_seen_and_its_squares_are_not(table: Table, hand: Hand) -> None:
    """A hand over the board is obscured; squares under it are hidden, not read as something."""
    pictures, profile = table
    model = profile.model()
    pixels = pictures.frame(scene=dataclasses.replace(SCENE, hand=hand)).pixels
    assert find_obscured(pixels, model.location, model)
    truth = dict(squares_of(SCENE))
    for at, reading in enumerate(read_known_squares(pixels, model)):
        if not reading.hidden and reading.best != truth.get(at, EMPTY):
            assert reading.confidence < 0.9, SQUARE_NAMES[at]


def test_checkers_and_dice_obscure_nothing(table: Table) -> None:
    """What belongs to the game is no hand, on the board or beside it."""
    pictures, profile = table
    model = profile.model()
    assert not find_obscured(pictures.frame(scene=SCENE).pixels, model.location, model)
    on_board = dataclasses.replace(SCENE, die=PlacedDie(2, 3.5, 4.5))
    assert not find_obscured(pictures.frame(scene=on_board).pixels, model.location, model)


def test_a_brown_checker_is_not_surely_a_black_one() -> None:
    """Where nobody plays brown it may be black under a lamp's reflection, and is told unsurely."""
    seats = {Seat.D4: Colour.BLACK, Seat.D2: RED}
    pictures = pair(1001, seats)
    profile = fit_table(pictures.empty, pictures.homes, seats)
    assert isinstance(profile, TableProfile)
    places = [(0.5, 4.5), (3.5, 2.5), (4.5, 6.5), (6.5, 1.5), (7.5, 5.5)]
    scene = Scene(tuple(PlacedChecker(Colour.BROWN, x, y) for x, y in places))
    readings = read_known_squares(pictures.frame(scene=scene).pixels, profile.model())
    brown = [readings[at] for at, held in squares_of(scene) if held]
    assert len(brown) == len(places)
    assert all(
        reading.confidence < 0.9 or reading.best == (Colour.BROWN,)
        for reading in brown
        if not reading.hidden
    )


def test_a_checker_that_nobody_plays_is_read(table: Table) -> None:
    """A green checker in a game of red and blue is a green checker, not a hand."""
    pictures, profile = table
    model = profile.model()
    green = dataclasses.replace(SCENE.checkers[3], colour=Colour.GREEN)
    scene = Scene((*SCENE.checkers[:3], green, *SCENE.checkers[4:]), SCENE.die)
    pixels = pictures.frame(scene=scene).pixels
    assert wrong(table, scene) == {}
    assert not find_obscured(pixels, model.location, model)


def test_a_reflection_is_no_hand(table: Table) -> None:
    """A lamp mirrored in the board hides what is under it, but play need not stop for it."""
    pictures, profile = table
    model = profile.model()
    frame = pictures.frame(scene=SCENE)
    height, width = frame.pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    added = np.exp(-((x - 400) ** 2 + (y - 300) ** 2) / 2 / 35**2)[..., None]
    light = (frame.pixels / 255.0) ** 2.2 + 0.9 * added
    dazzling = changed(frame, 255 * np.clip(light, 0, 1) ** (1 / 2.2)).pixels
    assert not find_obscured(dazzling, model.location, model)


def test_a_moved_board_is_read_at_its_new_place(table: Table) -> None:
    """With the location of now the same squares are read, the reference staying where it was."""
    pictures, profile = table
    model = profile.model()
    shifted = np.roll(pictures.frame(scene=SCENE).pixels, (6, -9), axis=(0, 1))
    a1, h1, h8, a8 = ((x - 9.0, y + 6.0) for x, y in model.location.corners)
    location = dataclasses.replace(model.location, corners=(a1, h1, h8, a8))
    truth = dict(squares_of(SCENE))
    readings = read_known_squares(np.ascontiguousarray(shifted), model, location)
    assert all(reading.best == truth.get(at, EMPTY) for at, reading in enumerate(readings))
