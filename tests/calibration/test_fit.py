from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import Refusal, TableProfile, average_frames, doubts, fit_table
from calibration.mistakes import MOVED, OTHER_LIGHT, STOOD_BEFORE, WRONG_ORDER
from calibration.quality import shift_squares
from hardware.scene import BoardLie, Lamp, PlacedChecker, Room, Scene
from hardware.simulated.truth import scene_truth
from tabletop import BoardLocation, Colour, Seat
from tests.calibration.tables import FOUR, SIZE_WH, TWO, SimulatedPair, at_home, changed, pair
from vision.frame import Frame


def fitted(pictures: SimulatedPair, seats: dict[Seat, Colour]) -> TableProfile:
    """Return the profile, showing the reasons where there is none."""
    profile = fit_table(pictures.empty, pictures.homes, seats)
    assert isinstance(profile, TableProfile), profile
    return profile


def reasons(empty: Frame, homes: Frame, seats: dict[Seat, Colour] = TWO) -> str:
    """Return why two pictures are refused."""
    refusal = fit_table(empty, homes, seats)
    assert isinstance(refusal, Refusal), "should have been refused"
    return "; ".join(refusal.reasons)


@pytest.mark.parametrize("seed", [2, 5, 10])
def test_a_table_is_measured(seed: int) -> None:
    """The board's place, the checkers' size and colours come out as the table has them."""
    pictures = pair(seed, FOUR)
    profile = fitted(pictures, FOUR)
    truth = BoardLocation(scene_truth(Scene(), pictures.look).corners)
    assert shift_squares(truth, profile.location, SIZE_WH) < 0.05
    assert profile.rotation == 0
    assert profile.seats == tuple(FOUR.items())
    assert profile.checker_diameter == pytest.approx(2 * pictures.look.checkers.radius, abs=0.05)
    assert profile.checker_height == pytest.approx(pictures.look.checkers.thickness, abs=0.07)
    assert doubts(profile) == ()


@pytest.mark.parametrize("rotation", [1, 2, 3])
def test_who_stands_where_names_the_corners(rotation: int) -> None:
    """However the players sit, a1 is dark and D4's home is where D4's checkers stand."""
    pictures = pair(3, FOUR, rotation)
    profile = fitted(pictures, FOUR)
    a1, h1, h8, a8 = scene_truth(Scene(), pictures.look).corners
    half_turned = BoardLocation((h8, a8, a1, h1))
    as_found = BoardLocation((a1, h1, h8, a8))
    expected = half_turned if rotation >= 2 else as_found
    assert shift_squares(expected, profile.location, SIZE_WH) < 0.05
    assert profile.rotation == rotation % 2


def test_two_players_are_told_by_their_colours() -> None:
    """With two players only the colours tell which end is D4's, and they do."""
    swapped = {Seat.D4: Colour.BLUE, Seat.D2: Colour.RED}
    pictures = pair(4, TWO)
    one, other = fitted(pictures, TWO), fitted(pictures, swapped)
    assert one.location.corners[0] == other.location.corners[2]
    assert one.location.corners[1] == other.location.corners[3]


def test_pictures_of_different_sizes_are_refused() -> None:
    """Both pictures must come from one setting of the camera."""
    pictures = pair(2, TWO)
    smaller = Frame(np.ascontiguousarray(pictures.homes.pixels[:500]))
    assert "differ in size: 800x600 and 800x500" in reasons(pictures.empty, smaller)


def test_a_dark_picture_is_refused() -> None:
    """Too little light is said to be the trouble, not a missing board."""
    pictures = pair(2, TWO)
    dark = changed(pictures.empty, pictures.empty.pixels * 0.08)
    assert "too dark" in reasons(dark, pictures.homes)


def test_an_overexposed_picture_is_refused() -> None:
    """Burnt-out light squares cannot be compared with later."""
    pictures = pair(2, TWO)
    bright = np.minimum(pictures.empty.pixels.astype(np.float32) * 2.2, 255)
    assert "overexposed" in reasons(changed(pictures.empty, bright), pictures.homes)


def test_a_blurred_picture_is_refused() -> None:
    """A lens out of focus is said to be the trouble."""
    pictures = pair(2, TWO)
    blurred = cv2.GaussianBlur(pictures.empty.pixels, (0, 0), 9)
    assert "blurred" in reasons(changed(pictures.empty, np.asarray(blurred)), pictures.homes)


def test_a_picture_without_a_board_is_refused() -> None:
    """Without a board the reason names the picture that lacks it."""
    pictures = pair(2, TWO)
    noise = np.random.default_rng(5).integers(0, 255, (600, 800, 3))
    assert "no board was found in the picture of the empty board" in reasons(
        changed(pictures.empty, noise), pictures.homes
    )


def test_a_board_partly_outside_is_refused() -> None:
    """All 64 squares must be in the picture."""
    pictures = pair(2, TWO)
    right = max(x for x, _ in scene_truth(Scene(), pictures.look).corners)
    # The picture is pushed to the right until its board sticks out by half a square.
    shift = np.array([[1.0, 0.0, SIZE_WH[0] - right + 20], [0.0, 1.0, 0.0]])
    pushed = [
        changed(frame, np.asarray(cv2.warpAffine(frame.pixels, shift, SIZE_WH)))
        for frame in (pictures.empty, pictures.homes)
    ]
    why = reasons(pushed[0], pushed[1])
    assert "outside" in why or "no board was found" in why


def test_a_board_moved_between_the_pictures_is_refused() -> None:
    """The second picture must show the board where the first did."""
    pictures = pair(2, TWO)
    shift = np.array([[1.0, 0.0, 30.0], [0.0, 1.0, 12.0]])
    moved = cv2.warpAffine(pictures.homes.pixels, shift, SIZE_WH, borderMode=cv2.BORDER_REPLICATE)
    assert "moved between" in reasons(pictures.empty, changed(pictures.homes, np.asarray(moved)))


@pytest.mark.parametrize("seats", [TWO, FOUR])
def test_pictures_in_the_wrong_order_are_told_apart(seats: dict[Seat, Colour]) -> None:
    """Where the first shows the checkers and the second none, just that is said."""
    pictures = pair(2, seats)
    assert reasons(pictures.homes, pictures.empty, seats) == WRONG_ORDER


@pytest.mark.parametrize(
    "lie", [BoardLie(turn_deg=180), BoardLie(turn_deg=90), BoardLie(1, 1), BoardLie(-2, 0)]
)
def test_a_board_turned_or_shoved_by_squares_is_refused(lie: BoardLie) -> None:
    """Its pattern shows where it was, and no checker is missing: it was moved."""
    pictures = pair(2, TWO)
    carried = tuple(
        replace(one, x=x, y=y) for one in at_home(TWO) for x, y in [lie.carried(one.x, one.y)]
    )
    moved = pictures.frame(scene=Scene(carried, room=Room(board=lie)))
    assert reasons(pictures.empty, moved) == MOVED


@pytest.mark.parametrize("seed", [2, 4, 6])
def test_other_light_is_not_taken_for_checkers(seed: int) -> None:
    """A lamp lit at one corner, while the others are dimmed, is said to be the trouble."""
    pictures = pair(seed, TWO)
    lamp = Lamp((8.0, 0.0, 4.0), 0.8, (0.6, 0.9, 1.2))
    lit = pictures.frame(scene=Scene(at_home(TWO), None, None, 0.6, Room(lamps=(lamp,))))
    assert reasons(pictures.empty, lit) == OTHER_LIGHT


def test_two_checkers_on_one_another_are_named() -> None:
    """Else their height would be learned as that of one."""
    pictures = pair(4, TWO, extra=(PlacedChecker(Colour.BLUE, 4.5, 4.5, 1),))
    assert reasons(pictures.empty, pictures.homes).startswith("e5: what stands there does not look")


def test_missing_checkers_are_named() -> None:
    """The player and the squares without a checker are said."""
    pictures = pair(2, FOUR, without=((5, 5), (1, 1)))
    why = reasons(pictures.empty, pictures.homes, FOUR)
    assert "D2 (blue): no checker was found on f6" in why
    assert "D4 (red): no checker was found on b2" in why


def test_a_stray_checker_is_named() -> None:
    """Something that stands where nothing should is said."""
    pictures = pair(2, TWO, extra=(PlacedChecker(Colour.RED, 6.5, 2.5),))
    assert "something stands on g3" in reasons(pictures.empty, pictures.homes)


@pytest.mark.parametrize("seats", [TWO, FOUR])
def test_checkers_in_both_pictures_are_told(seats: dict[Seat, Colour]) -> None:
    """None of them is missing: the first picture should have shown the empty board."""
    pictures = pair(5, seats)
    first = pictures.frame(*at_home(seats))
    assert reasons(first, pictures.homes, seats) == f"checkers stood on the board {STOOD_BEFORE}"


@pytest.mark.parametrize(
    ("left", "name"),
    [
        (PlacedChecker(Colour.BLUE, 6.5, 2.5), "g3"),
        (PlacedChecker(Colour.RED, 1.5, 1.5), "b2"),
        (PlacedChecker(Colour.BLUE, 7.5, 7.5), "h8"),
    ],
)
def test_what_stood_on_the_board_when_it_was_to_be_empty_is_told(
    left: PlacedChecker, name: str
) -> None:
    """On another square, where it stands no more, or on a home, where it still does."""
    pictures = pair(5, TWO)
    first = pictures.frame(left)
    assert reasons(first, pictures.homes) == f"something stood on {name} {STOOD_BEFORE}"


def test_an_empty_second_picture_is_refused() -> None:
    """Two pictures of the empty board name every missing checker."""
    pictures = pair(2, TWO)
    why = reasons(pictures.empty, pictures.empty)
    assert "no checker was found on a1, b2, c3, d4" in why


@pytest.mark.parametrize("other", [Seat.D3, Seat.D2])
def test_colours_too_much_alike_are_named(other: Seat) -> None:
    """Checkers of the same paint cannot be told apart, at neighbouring homes or opposite ones."""
    pictures = pair(2, {Seat.D4: Colour.RED, other: Colour.RED})
    said = {Seat.D4: Colour.RED, other: Colour.ORANGE}
    why = reasons(pictures.empty, pictures.homes, said)
    assert "red and orange look too much alike" in why


def test_one_player_is_refused() -> None:
    """A game needs two."""
    pictures = pair(2, TWO)
    assert "two to four players" in reasons(pictures.empty, pictures.homes, {Seat.D4: Colour.RED})


def test_a_wrong_name_is_doubted() -> None:
    """Checkers that look plainly green are not silently called red."""
    shown = {Seat.D4: Colour.GREEN, Seat.D3: Colour.BLUE, Seat.D2: Colour.YELLOW}
    said = {Seat.D4: Colour.RED, Seat.D3: Colour.BLUE, Seat.D2: Colour.YELLOW}
    sentences = doubts(fitted(pair(2, shown), said))
    assert sentences == ("the checkers of D4 look green rather than red",)


def test_a_checker_of_another_colour_on_a_home_is_refused() -> None:
    """Else red would be learned from three red ones and a green one."""
    pictures = pair(2, TWO)
    home = list(at_home(TWO))
    odd = next(n for n, one in enumerate(home) if one.colour is Colour.RED)
    home[odd] = replace(home[odd], colour=Colour.GREEN)
    name = "abcdefgh"[int(home[odd].x)] + str(int(home[odd].y) + 1)
    mixed = pictures.frame(scene=Scene(tuple(home)))
    assert reasons(pictures.empty, mixed).startswith(f"{name}: the checker has another colour")


def test_a_checker_left_on_the_empty_board_is_doubted() -> None:
    """It would be taken for the board's own paint, and never be seen again."""
    pictures = pair(2, TWO)
    left = PlacedChecker(Colour.BLUE, 6.5, 4.5)
    empty = pictures.frame(scene=Scene((left,)))
    homes = pictures.frame(scene=Scene((*at_home(TWO), left)))
    profile = fit_table(empty, homes, TWO)
    assert isinstance(profile, TableProfile)
    (sentence,) = doubts(profile)
    assert "something seems to stand on g5 in the picture of the empty board" in sentence


def test_averaging_takes_noise_out() -> None:
    """The mean of frames of a still table has less noise than any of them."""
    rng = np.random.default_rng(1)
    clean = np.full((40, 60, 3), 100.0)
    frames = [
        Frame(np.clip(clean + rng.normal(0, 10, clean.shape), 0, 255).astype(np.uint8), at_s=at)
        for at in (0.0, 0.1, 0.2, 0.3)
    ]
    mean = average_frames(frames)
    assert np.std(mean.pixels) < 0.6 * np.std(frames[0].pixels)
    assert mean.at_s == 0.3
    with pytest.raises(ValueError, match="of one size"):
        average_frames([])
