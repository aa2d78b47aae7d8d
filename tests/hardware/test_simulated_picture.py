"""The simulated table's pictures: true in perspective, colour, dice and what is known of them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware import Hand, PlacedChecker, PlacedDie, Scene, TableLook
from hardware.scene import DIE_AREA, IN_VIEW
from hardware.simulated import render, scene_truth
from hardware.simulated.arrays import Pixels
from hardware.simulated.camera import hang
from hardware.simulated.die import cube, draw_die, face_normals
from hardware.simulated.parts import Relief
from hardware.simulated.picture import painter_of
from tabletop import Colour, contents, is_dark, parse_square

SIZE_WH = (640, 480)
MANY = range(40)
RED_AND_BLUE = Scene(
    (
        PlacedChecker(Colour.RED, 1.5, 0.5),
        PlacedChecker(Colour.RED, 1.45, 0.55, layer=1),
        PlacedChecker(Colour.BLUE, 6.5, 5.5),
        PlacedChecker(Colour.BLUE, -1.2, 3.0),
    ),
    PlacedDie(5, 10.0, 4.0, turn_deg=25),
)


def _look(seed: int, *, tilt_deg: float | None = None) -> TableLook:
    look = TableLook.from_seed(seed, SIZE_WH)
    if tilt_deg is None:
        return look
    return replace(look, camera=replace(look.camera, tilt_deg=tilt_deg))


def _painted(scene: Scene, look: TableLook) -> Pixels:
    return painter_of(look).paint(scene)


def test_a_look_follows_from_its_seed() -> None:
    """The same number gives the same table, other numbers give others."""
    looks = [TableLook.from_seed(seed) for seed in MANY]
    assert looks == [TableLook.from_seed(seed) for seed in MANY]
    assert len(set(looks)) == len(looks)
    assert {look.checkers.relief for look in looks} == set(Relief)
    assert {look.table.tray_sides for look in looks} == {0, 4, 8, 48}


def test_a_picture_follows_from_scene_look_and_noise() -> None:
    """Drawn twice with the same noise it is the same to the last bit."""
    first, second = (render(RED_AND_BLUE, _look(3), np.random.default_rng(1)) for _ in range(2))
    assert (first == second).all()
    assert first.shape == (480, 640, 3)


@pytest.mark.parametrize("seed", MANY)
def test_every_camera_sees_all_of_the_table_in_play_unmirrored(seed: int) -> None:
    """The corners of what must be in view are in the picture, which fills it one way."""
    camera = hang(_look(seed).camera)
    x0, y0, x1, y1 = IN_VIEW
    seen = camera.project(np.array([(x0, y0, 0), (x1, y0, 0), (x1, y1, 0), (x0, y1, 0)], float))
    assert (seen >= 0).all()
    assert (seen <= np.array(SIZE_WH) - 1).all()
    assert (np.ptp(seen, axis=0) / SIZE_WH).max() > 0.95
    # Counter-clockwise on the table is counter-clockwise in the picture, whose y points down.
    assert cv2.contourArea(seen.astype(np.float32), oriented=True) < 0


@pytest.mark.parametrize("seed", range(6))
def test_rays_meet_what_is_seen_in_their_pixel(seed: int) -> None:
    """A ray followed to the table and projected again comes back to its pixel, bent lens or not."""
    camera = hang(_look(seed).camera)
    rays = camera.rays((0, 0, *SIZE_WH)).astype(float)
    reach = (0.3 - camera.place[2]) / rays[..., 2:]
    seen = camera.project((camera.place + reach * rays).reshape(-1, 3)).reshape(480, 640, 2)
    rows, columns = np.mgrid[:480, :640]
    assert np.abs(seen[..., 0] - columns).max() < 0.02
    assert np.abs(seen[..., 1] - rows).max() < 0.02


@pytest.mark.parametrize("seed", range(8))
def test_the_corners_told_are_those_of_the_squares(seed: int) -> None:
    """Between the corners told a1 is dark, and dark and light take turns on all 64 squares."""
    look = replace(_look(seed), camera=replace(_look(seed).camera, distortion=0.0))
    picture = _painted(Scene(), look).astype(float).sum(axis=2)
    corners = np.array(scene_truth(Scene(), look).corners, np.float32)
    board = np.array([(0, 0), (8, 0), (8, 8), (0, 8)], np.float32)
    to_picture = cv2.getPerspectiveTransform(board, corners)
    level = np.empty(64)
    for square in range(64):
        file, rank = square % 8, square // 8
        inner = np.array([(file + i / 10, rank + j / 10) for i in (2, 5, 8) for j in (2, 5, 8)])
        seen = cv2.perspectiveTransform(inner[None].astype(np.float32), to_picture)[0]
        x, y = np.round(seen).astype(int).T
        level[square] = np.median(picture[y, x])
    for square in range(64):
        row = range(square // 8 * 8, square // 8 * 8 + 8)
        others = [level[s] for s in row if is_dark(s) is not is_dark(square)]
        assert (level[square] < np.mean(others)) == is_dark(square)


def test_checkers_have_the_colour_they_are_called_by() -> None:
    """Over many tables the middle of a checker has, on average, the tint of its name."""
    tints: dict[Colour, list[Pixels]] = {colour: [] for colour in Colour}
    for seed in range(6):
        look = _look(seed)
        painter = painter_of(look)
        scene = Scene(tuple(PlacedChecker(c, 0.5 + 0.8 * i, 3.5) for i, c in enumerate(Colour)))
        picture = _painted(scene, look)
        for checker in scene.checkers:
            top = np.array([(checker.x, checker.y, painter.disc(checker).top)])
            x, y = np.round(painter.camera.project(top)[0]).astype(int)
            tints[checker.colour].append(np.median(picture[y - 4 : y + 5, x - 4 : x + 5], (0, 1)))
    mean = {colour: np.mean(found, axis=0) for colour, found in tints.items()}
    assert mean[Colour.RED][2] > 2 * mean[Colour.RED][:2].max()
    for colour in (Colour.ORANGE, Colour.BROWN):
        blue, green, red = mean[colour]
        assert red > green > blue
    assert mean[Colour.YELLOW][1:].min() > 1.5 * mean[Colour.YELLOW][0]
    assert mean[Colour.GREEN][1] > 1.2 * mean[Colour.GREEN][[0, 2]].max()
    assert mean[Colour.BLUE][0] > 1.4 * mean[Colour.BLUE][1:].max()
    assert mean[Colour.PURPLE][[0, 2]].min() > 1.2 * mean[Colour.PURPLE][1]
    assert mean[Colour.WHITE].min() > 130
    assert mean[Colour.BLACK].max() < 90


def test_a_stack_is_as_high_as_its_checkers() -> None:
    """Each layer begins where the one below ends; beside a thick board things stand lower."""
    painter = painter_of(_look(0))
    thickness = painter.look.checkers.thickness
    discs = [painter.disc(PlacedChecker(Colour.RED, 1.5, 0.5, layer)) for layer in range(3)]
    assert [disc.base for disc in discs] == pytest.approx([0, thickness, 2 * thickness])
    beside = painter.disc(PlacedChecker(Colour.RED, -1.5, 0.5))
    assert beside.base == pytest.approx(-painter.look.board.thickness)


def test_opposite_faces_sum_to_seven_and_the_die_is_right_handed() -> None:
    """1, 2 and 3 run counter-clockwise round their corner, whichever face is up."""
    for value in range(1, 7):
        normals = face_normals(cube(PlacedDie(value, 4, 4, turn_deg=33), _look(0).die, 0))
        assert normals[value] == pytest.approx([0, 0, 1])
        for face in (1, 2, 3):
            assert normals[face] == pytest.approx(-normals[7 - face])
        assert np.linalg.det([normals[1], normals[2], normals[3]]) == pytest.approx(1)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_cocked_die_has_no_face_up_and_touches_the_ground(value: int) -> None:
    """Its steepest face leans by more than 25 degrees, and its lowest point is on the ground."""
    look = _look(0).die
    leaning = cube(PlacedDie(value, 4, 4, cocked=True), look, -0.2)
    steepest = max(normal[2] for normal in face_normals(leaning).values())
    assert np.degrees(np.arccos(steepest)) > 25
    core = look.size * (0.5 - look.rounding)
    corners = leaning.centre + leaning.corners() - leaning.centre
    inner = leaning.centre + (corners - leaning.centre) * (2 * core / look.size)
    assert inner[:, 2].min() - look.size * look.rounding == pytest.approx(-0.2)


@pytest.mark.parametrize("value", range(1, 7))
def test_the_upper_face_shows_as_many_pips_as_it_is_worth(value: int) -> None:
    """From straight above a white die shows its value in dark dots."""
    look = _look(1, tilt_deg=0)
    die = replace(look.die, body=(235, 240, 240), pips=(20, 20, 20), gloss=0.0, size=0.48)
    look = replace(look, die=die, light=replace(look.light, exposure=1.0))
    camera = replace(look.camera, size_wh=(1280, 960), blur_px=0.5)
    look = replace(look, camera=camera)
    placed = PlacedDie(value, 6.2, 4.1, turn_deg=15)
    picture = _painted(Scene((), placed), look)
    top = painter_of(look).cube(placed).centre + np.array([0, 0, die.size / 2])
    x, y = np.round(painter_of(look).camera.project(top)[0]).astype(int)
    face = picture[y - 16 : y + 16, x - 16 : x + 16].max(axis=2)
    large = cv2.resize(face, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    count, _, stats, _ = cv2.connectedComponentsWithStats((large < 130).astype(np.uint8))
    # What reaches the edge of the cut is the board round the die.
    dots = [s for s in stats[1:count] if s[:2].min() > 0 and (s[:2] + s[2:4]).max() < 128]
    assert len(dots) == value


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 45.0, 70.0])
def test_a_die_fills_its_outline(turn_deg: float) -> None:
    """It covers what eight balls in its rounded corners, and all between them, would cover."""
    look = _look(5, tilt_deg=36)
    painter = painter_of(look)
    die = painter.cube(PlacedDie(3, 4.5, 3.5, turn_deg))
    patch = draw_die(die, look.die, look.light, painter.camera)
    assert patch is not None
    rounding = look.die.rounding
    angle = np.linspace(0, 2 * np.pi, 32)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1) @ painter.camera.axes[:2]
    middles = die.centre + (1 - 2 * rounding) * (die.corners() - die.centre)
    balls = middles[:, None] + rounding * die.size * around
    outline = cv2.convexHull(painter.camera.project(balls).astype(np.float32))
    assert patch.cover.sum() == pytest.approx(cv2.contourArea(outline), rel=0.02)


def test_what_is_told_of_a_scene_is_what_was_placed() -> None:
    """Squares, stacks and die are told; the reserve beside the board is on no square."""
    truth = scene_truth(RED_AND_BLUE, _look(2))
    assert dict(truth.squares) == {
        parse_square("b1"): contents(Colour.RED, Colour.RED),
        parse_square("g6"): contents(Colour.BLUE),
    }
    assert truth.die is not None
    assert truth.die.value == 5
    assert not truth.obscured


@pytest.mark.parametrize("seed", range(5))
def test_the_dies_box_is_where_the_die_is(seed: int) -> None:
    """What changes most in the picture when a die is put down lies in the box, and fills it."""
    look = _look(seed)
    die = PlacedDie(3, 3.5, 4.5, turn_deg=10)
    truth = scene_truth(Scene((), die), look).die
    assert truth is not None
    bare, put = (_painted(Scene((), each), look).astype(int) for each in (None, die))
    rows, columns = np.nonzero(np.abs(put - bare).max(axis=2) > 40)
    x, y, width, height = truth.box
    across = (columns > x - 3) & (columns < x + width + 3)
    along = (rows > y - 3) & (rows < y + height + 3)
    assert (across & along).mean() > 0.75  # the rest is its shadow
    painter = painter_of(look)
    seen = painter.camera.project(painter.cube(die).corners())
    assert np.ptp(seen, axis=0) == pytest.approx([width, height])


def test_a_hand_over_the_squares_obscures_and_one_beside_them_does_not() -> None:
    """It counts where the hand is seen, not where its fingertips point."""
    look = _look(2, tilt_deg=10)
    over = scene_truth(Scene(hand=Hand(4, 4, 270)), look)
    beside = scene_truth(Scene(hand=Hand(10.5, 4, 0)), look)
    assert over.obscured
    assert not beside.obscured
    assert scene_truth(Scene(hand=Hand(-1.5, 2, 0)), look).obscured  # its arm comes over the board


def test_a_hand_is_seen_and_casts_a_shadow() -> None:
    """Skin appears at the fingertips, and the picture grows darker round the hand."""
    look = _look(2)
    bare = _painted(Scene(), look).astype(int)
    reached = _painted(Scene(hand=Hand(4, 4, 250)), look).astype(int)
    changed = np.abs(reached - bare).max(axis=2) > 12
    assert 0.03 < changed.mean() < 0.4


def test_a_hand_that_comes_slides_in_along_its_arm() -> None:
    """Half way back it is seen as far out as its fingertips are, and covers less."""
    look = _look(2, tilt_deg=10)
    bare = _painted(Scene(), look).astype(int)
    cover, centre = [], []
    for drawn_back in (0.0, 2.0, 20.0):
        hand = Hand(4, 4, 0, drawn_back)
        changed = np.abs(_painted(Scene(hand=hand), look).astype(int) - bare).max(axis=2) > 25
        cover.append(changed.sum())
        centre.append(np.nonzero(changed)[1].mean() if changed.any() else np.nan)
    assert cover[0] > cover[1] > 10 * cover[2]
    towards_arm = np.diff(painter_of(look).camera.project(np.array([(4, 4, 1), (6, 4, 1)]))[:, 0])
    assert np.sign(centre[1] - centre[0]) == np.sign(towards_arm)


@pytest.mark.parametrize("camera_deg", [0, 90, 180, 270])
def test_an_arm_past_the_camera_is_cut_off_in_front_of_it(camera_deg: float) -> None:
    """From whatever side it comes, under an oblique camera too, it can be drawn."""
    look = TableLook.from_seed(2, (320, 240))
    camera = replace(look.camera, tilt_deg=38, from_deg=camera_deg)
    look = replace(look, camera=camera)
    bare = _painted(Scene(), look).astype(int)
    for x, y in ((0.5, 0.5), (7.5, 7.5), (10.0, 4.0), (-1.4, 6.0)):
        for from_deg in range(15, 360, 45):
            for drawn_back in (0.0, 5.0, 30.0):
                scene = Scene(hand=Hand(x, y, from_deg, drawn_back))
                changed = np.abs(_painted(scene, look).astype(int) - bare).max(axis=2) > 25
                assert changed.mean() < 0.6
                if scene_truth(scene, look).obscured:
                    assert changed.any()


def test_brightness_is_a_factor_of_the_light() -> None:
    """A quarter of the light is about half the grey level, as screens go."""
    look = _look(4)
    usual, dark = (_painted(Scene(brightness=light), look).mean() for light in (1.0, 0.25))
    assert dark / usual == pytest.approx(0.25 ** (1 / 2.2), abs=0.03)


def test_noise_is_as_strong_as_the_look_says_and_new_every_time() -> None:
    """Two exposures of one scene differ, by the spread of two noises."""
    look = replace(_look(1), camera=replace(_look(1).camera, noise=2.5))
    rng = np.random.default_rng(5)
    first, second = (render(RED_AND_BLUE, look, rng).astype(int) for _ in range(2))
    assert (first - second).std() == pytest.approx(2.5 * np.sqrt(2), rel=0.15)


def test_where_dice_are_thrown_is_in_view_and_off_the_board() -> None:
    """A die anywhere in its area lies beside every board, inside what every camera sees."""
    x0, y0, x1, y1 = DIE_AREA
    assert all(8 + TableLook.from_seed(s).board.border_width < x0 - 0.3 for s in range(100))
    assert IN_VIEW[0] < x0 < x1 < IN_VIEW[2]
    assert IN_VIEW[1] < y0 < y1 < IN_VIEW[3]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: PlacedChecker(Colour.RED, 0, 0, -1), "no fewer than 0"),
        (lambda: PlacedDie(7, 0, 0), "1 to 6, not 7"),
        (lambda: Scene(brightness=0), "above 0"),
    ],
)
def test_scenes_that_cannot_be_are_refused(make: object, complaint: str) -> None:
    """A wrong value is told where it is made."""
    assert callable(make)
    with pytest.raises(ValueError, match=complaint):
        make()


def test_things_hide_what_is_behind_them() -> None:
    """Seen obliquely, the nearer of two neighbouring checkers covers part of the farther."""
    look = _look(2, tilt_deg=35)
    look = replace(look, camera=replace(look.camera, from_deg=270, roll_deg=0))
    near = tuple(PlacedChecker(Colour.RED, 3.5, 3.5, layer) for layer in range(4))
    far = PlacedChecker(Colour.YELLOW, 3.5, 4.5)
    alone = _painted(Scene((far,)), look).astype(int)
    both, again = (_painted(Scene(order), look) for order in ((far, *near), (*near, far)))
    assert (both == again).all()  # the order in which they are listed does not matter
    seen = [
        ((picture[..., 1] - picture[..., 0] > 70) & (picture[..., 2] > 120)).sum()
        for picture in (alone, both.astype(int))
    ]
    assert seen[1] < 0.9 * seen[0]


def test_levels_of_one_stack_are_drawn_from_the_ground_up() -> None:
    """The top checker's colour is what is seen of a stack of two from above."""
    look = _look(2, tilt_deg=0)
    colours = (Colour.BLUE, Colour.YELLOW)
    for off in (-0.04, 0.04):
        stack = [PlacedChecker(c, 3.5, 3.5 + i * off, i) for i, c in enumerate(colours)]
        for order in (stack, stack[::-1]):
            picture = _painted(Scene(tuple(order)), look).astype(int)
            (x, y), *_ = painter_of(look).camera.project(np.array([(3.5, 3.5, 0.3)])).astype(int)
            assert picture[y, x, 2] > picture[y, x, 0] + 40
