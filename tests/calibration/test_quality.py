import numpy as np
import pytest

from calibration.naming import distance_to_name, nearest_name
from calibration.orientation import CornerHome, is_decided, likely_ways
from calibration.quality import BadLight, bad_light, shift_squares
from tabletop import BoardLocation, Colour, Seat
from vision.frame import Picture
from vision.palette import USUAL_LAB

FULL = (True, True, True, True)
NONE = (False, False, False, False)
SQUARE = BoardLocation(((100.0, 500.0), (500.0, 500.0), (500.0, 100.0), (100.0, 100.0)))


@pytest.mark.parametrize("colour", list(Colour))
def test_usual_colours_have_their_names(colour: Colour) -> None:
    """Every colour is nearest to its own name, in dimmer light too."""
    lightness, green_red, blue_yellow = USUAL_LAB[colour]
    assert nearest_name((lightness, green_red, blue_yellow)) is colour
    assert nearest_name((0.9 * lightness, 0.9 * green_red, 0.9 * blue_yellow)) is colour
    assert distance_to_name(USUAL_LAB[colour], colour) == 0.0


def test_three_players_are_told_by_the_empty_home() -> None:
    """Where three sit the free corner alone decides, whatever the colours look like."""
    grey = CornerHome(FULL, (50.0, 0.0, 0.0))
    homes = (grey, CornerHome(NONE, None), grey, grey)
    seats = {Seat.D4: Colour.RED, Seat.D3: Colour.BLUE, Seat.D2: Colour.GREEN}
    ways = likely_ways(homes, seats)
    assert is_decided(ways)
    assert ways[0].corner_of(Seat.D4) == 2
    assert ways[0].corner_of(Seat.D2) == 0


def test_colours_that_fit_both_ways_decide_nothing() -> None:
    """Two players whose checkers look alike to their names leave it open who sits where."""
    home = CornerHome(FULL, (30.0, 2.0, 3.0))
    homes = (home, CornerHome(NONE, None), home, CornerHome(NONE, None))
    ways = likely_ways(homes, {Seat.D4: Colour.BLACK, Seat.D2: Colour.BROWN})
    assert not is_decided(ways)


def lit(light: float, dark: float, around: float, noise_levels: float = 2.0) -> Picture:
    """Return a chessboard at `SQUARE` of so much light, over a table, with some noise."""
    picture = np.full((640, 640, 3), around)
    rows = np.arange(400) // 50
    squares = np.where((rows[:, None] + rows) % 2 == 0, light, dark)
    picture[100:500, 100:500] = squares[..., None]
    noise = np.random.default_rng(1).normal(0.0, noise_levels, picture.shape)
    return np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "bad"),
    [
        (lit(200, 60, 120), None),
        (lit(70, 20, 40), None),
        (lit(30, 12, 16), BadLight.DARK),
        (lit(4, 4, 4), BadLight.DARK),  # the lens is covered
        (lit(20, 20, 120), None),  # a black cloth lies over the board
        (lit(222, 222, 120), None),  # a sheet of paper does
        (lit(222, 222, 120, noise_levels=1.0), None),
        (lit(300, 190, 200), BadLight.BRIGHT),
        (lit(300, 300, 300), BadLight.BRIGHT),
        (np.minimum(lit(300, 190, 200), 235), BadLight.BRIGHT),  # its camera gives no more
    ],
)
def test_bad_light_is_told_from_dark_things(picture: Picture, bad: BadLight | None) -> None:
    """What is burnt out, or black all over, is bad light; what only lies there is not."""
    assert bad_light(picture, SQUARE) is bad


def test_a_shift_is_measured_in_squares() -> None:
    """Fifty pixels are one square of a board 400 pixels wide."""
    moved = BoardLocation(tuple((x + 25.0, y) for x, y in SQUARE.corners))  # type: ignore[arg-type]
    assert shift_squares(SQUARE, moved, (640, 640)) == pytest.approx(0.5, abs=1e-6)
    assert shift_squares(SQUARE, SQUARE, (640, 640)) == pytest.approx(0.0, abs=1e-6)
