"""Find drawn boards: right in every turn, light, lens and crowd, and only where there is one."""

import cv2
import numpy as np
import pytest

from tabletop import BoardLocation, NoBoard
from tests.vision.drawn_boards import (
    Disc,
    Look,
    camera,
    corner_error,
    corners,
    draw,
    photographed,
)
from vision.board import board_fit, find_board, find_boards
from vision.frame import Picture
from vision.pose import Pose
from vision.rectify import board_to_picture

COLOURS = ((30, 30, 200), (200, 60, 30), (40, 150, 50), (30, 200, 230), (30, 30, 30))


def crowd(count: int, seed: int) -> tuple[Disc, ...]:
    """Return checkers in random squares, off centre, in random colours."""
    random = np.random.default_rng(seed)
    places = random.permutation(64)[:count]
    off = random.uniform(-0.15, 0.15, (count, 2))
    return tuple(
        Disc(
            at % 8 + 0.5 + dx,
            at // 8 + 0.5 + dy,
            random.uniform(0.5, 0.85),
            COLOURS[random.integers(len(COLOURS))],
        )
        for at, (dx, dy) in zip(places.tolist(), off.tolist(), strict=True)
    )


def picture_of(pose: Pose, look: Look | None = None, checkers: int = 16, seed: int = 1) -> Picture:
    """Return a photograph of a drawn board with checkers on it."""
    return photographed(draw(pose, look, crowd(checkers, seed)), np.random.default_rng(seed))


def found(picture: Picture, hint: BoardLocation | None = None) -> BoardLocation:
    """Return where the board was found; there must be one."""
    location = find_board(picture, hint)
    assert isinstance(location, BoardLocation), location
    return location


@pytest.mark.parametrize("tilt", [0, 25, 50])
@pytest.mark.parametrize("turn", [10, 135, 260])
def test_any_turn_and_tilt(tilt: float, turn: float) -> None:
    """From straight above to 50 degrees, in any turn, corners are right to 0.05 of a square."""
    pose = camera(tilt_degrees=tilt, turn_degrees=turn, distance=14)
    assert corner_error(corners(pose), found(picture_of(pose)).corners) < 0.05


@pytest.mark.parametrize(
    "look",
    [
        Look(light=(40, 40, 200), dark=(20, 20, 20), frame=(20, 20, 20), line=(120, 200, 220)),
        Look(light=(235, 235, 235), dark=(60, 60, 190), frame=(235, 235, 235)),
        Look(light=(240, 240, 240), dark=(140, 60, 30), frame_squares=0),
        Look(light=(190, 210, 220), dark=(130, 155, 175), frame=(130, 155, 175)),
        Look(table=(200, 200, 240), cloth=(60, 60, 200)),
        Look(light=(165, 185, 190), dark=(125, 150, 145), frame_squares=0, table=(15, 20, 18)),
    ],
    ids=[
        "red-black with lines",
        "red-white",
        "blue, no frame",
        "pale wood",
        "on checks",
        "on black",
    ],
)
def test_many_boards(look: Look) -> None:
    """Boards of many colours are found, framed or not, on a checked cloth too."""
    pose = camera(tilt_degrees=20, turn_degrees=25, distance=12)
    assert corner_error(corners(pose), found(picture_of(pose, look, 10)).corners) < 0.08


@pytest.mark.parametrize(
    "look",
    [
        Look(light=(60, 160, 95), dark=(40, 50, 35), line=(250, 255, 210), line_texels=4),
        Look(light=(215, 220, 225), dark=(110, 55, 40), line=(225, 230, 235), line_texels=4),
        Look(light=(190, 205, 215), dark=(60, 75, 140), line=(15, 15, 20), line_texels=4),
    ],
    ids=["bright", "as light squares", "dark"],
)
@pytest.mark.parametrize(("turn", "distance"), [(5, 13), (40, 20)])
def test_broad_lines_between_the_squares(look: Look, turn: float, distance: float) -> None:
    """Lines of an eighth of a square, of any lightness, part no squares that belong together."""
    pose = camera(tilt_degrees=20, turn_degrees=turn, distance=distance)
    assert corner_error(corners(pose), found(picture_of(pose, look, 10)).corners) < 0.08


def test_of_two_boards_the_nearer_one() -> None:
    """A full board near the camera is meant, not an empty one further away."""
    near = camera(tilt_degrees=20, distance=13)
    far = camera(tilt_degrees=20, turn_degrees=30, distance=24)
    picture = np.hstack((picture_of(near, None, 32), picture_of(far, None, 0)))
    # The lens of the whole picture has another centre than that of its left half.
    assert corner_error(corners(near), found(picture).corners) < 0.1


@pytest.mark.parametrize(("turn", "distance"), [(10, 13), (10, 17), (70, 15)])
def test_boards_beside_the_one_that_is_meant_are_told(turn: float, distance: float) -> None:
    """Of two boards in a row or askew both are told, the nearer one first; of one, only that."""
    near, far = camera(distance=13), camera(turn_degrees=turn, distance=distance)
    alone = picture_of(near, None, 24)
    picture = np.hstack((alone, picture_of(far, None, 8)))
    boards = find_boards(picture)
    assert not isinstance(boards, NoBoard)
    assert len(boards) == 2
    left, right = boards if boards[0].corners[0][0] < 640 else boards[::-1]
    assert corner_error(corners(near), left.corners) < 0.1
    assert corner_error(corners(far) + np.array((640, 0)), right.corners) < 0.1
    assert distance == 13 or boards[0] == left
    assert find_boards(alone) == (find_board(alone),)


@pytest.mark.parametrize("distortion", [-0.25, -0.1, 0.03])
def test_lens_distortion_is_estimated(distortion: float) -> None:
    """A bent lens costs no precision, and its parameter comes out."""
    pose = camera(tilt_degrees=20, distance=10.5, distortion=distortion)
    location = found(picture_of(pose))
    assert corner_error(corners(pose), location.corners) < 0.05
    assert location.distortion == pytest.approx(distortion, abs=0.04)


@pytest.mark.parametrize("distance", [9.5, 20.0, 32.0])
def test_large_and_small(distance: float) -> None:
    """A board that fills the picture is found, and one of a quarter of its width."""
    pose = camera((960, 720), distance=distance, aim=(4.5, 3.6))
    assert corner_error(corners(pose), found(picture_of(pose)).corners) < 0.1


def test_touching_the_edge() -> None:
    """A board whose corner is cut off by the picture's edge is found with that corner outside."""
    pose = camera(distance=11, aim=(2.2, 3.0))
    true = corners(pose)
    assert true[1, 0] > 640
    assert corner_error(true, found(picture_of(pose)).corners) < 0.1


@pytest.mark.parametrize("seed", range(4))
def test_half_the_squares_taken(seed: int) -> None:
    """32 checkers anywhere do not matter."""
    pose = camera(tilt_degrees=35, turn_degrees=70 * seed)
    assert corner_error(corners(pose), found(picture_of(pose, None, 32, seed)).corners) < 0.06


@pytest.mark.parametrize("gain", [0.3, 0.7, 1.3])
def test_brightness_does_not_matter(gain: float) -> None:
    """Darker and brighter pictures give the same corners."""
    pose = camera()
    lit = photographed(draw(pose), np.random.default_rng(2), gain=gain, slope=0.3)
    assert corner_error(corners(pose), found(lit).corners) < 0.05


def test_a_covered_row_does_not_shift_the_board() -> None:
    """An arm over two whole rows leaves the window where it is."""
    pose = camera(tilt_degrees=10, turn_degrees=0)
    picture = draw(pose)
    ends = pose.project([(-4, 2, 0), (12, 2, 0)]).astype(int).tolist()
    square_px = np.linalg.norm(corners(pose)[1] - corners(pose)[0]) / 8
    cv2.line(picture, ends[0], ends[1], (90, 120, 180), round(1.8 * square_px))
    lit = photographed(picture, np.random.default_rng(1))
    assert corner_error(corners(pose), found(lit).corners) < 0.08


@pytest.mark.parametrize("rows", [2.0, 2.5, 3.1])
@pytest.mark.parametrize("tilt", [0, 30])
def test_covered_to_its_edge_it_is_no_board_elsewhere(rows: float, tilt: float) -> None:
    """Rows under a sheet, frame and all, are not looked for beyond the other edge: none is told."""
    pose = camera(tilt_degrees=tilt, turn_degrees=0, distance=11)
    picture = draw(pose)
    sheet = pose.project([(-9, 17, 0), (-9, 8 - rows, 0), (17, 8 - rows, 0), (17, 17, 0)])
    cv2.fillConvexPoly(picture, sheet.astype(np.int32), (90, 120, 180))
    lit = photographed(picture, np.random.default_rng(1))
    assert isinstance(find_board(lit), NoBoard)


def test_a_quarter_turn_of_the_picture_turns_the_board() -> None:
    """Turning the picture turns the corners, to a fiftieth of a square; a1 stays dark."""
    pose = camera(tilt_degrees=30, turn_degrees=15)
    picture = picture_of(pose)
    first = np.array(found(picture).corners)
    for quarter in (1, 2, 3):
        turned = np.ascontiguousarray(np.rot90(picture, quarter))
        back = np.array(found(turned).corners)
        width, height = turned.shape[1], turned.shape[0]
        for _ in range(quarter):
            # Clockwise, (x, y) in a picture of height h goes to (h - 1 - y, x).
            back = np.column_stack((height - 1 - back[:, 1], back[:, 0]))
            width, height = height, width
        assert corner_error(first, back) < 0.02


def test_corners_run_as_on_a_real_board() -> None:
    """Files go to the right of ranks as seen, never mirrored, and a1 is at the lower left."""
    for turn in (0, 100, 200, 300):
        a1, h1, _, a8 = np.array(found(picture_of(camera(turn_degrees=turn))).corners)
        along, up = h1 - a1, a8 - a1
        assert along[0] * up[1] - along[1] * up[0] < 0
        assert a1 @ (-1, 1) > a8 @ (-1, 1) or a1 @ (-1, 1) > h1 @ (-1, 1)


@pytest.mark.parametrize("gap", [0.12, 0.3])
@pytest.mark.parametrize("turn", [20, 110])
def test_the_gap_at_a_hinge_is_measured(gap: float, turn: float) -> None:
    """The outer corners of a board of two halves are right, however far these stand apart."""
    pose = camera(turn_degrees=turn, distance=14)
    location = found(picture_of(pose, Look(gap=gap)))
    assert corner_error(corners(pose, gap=gap), location.corners) < 0.05


@pytest.mark.parametrize("across", [6, 7, 10, 12])
def test_other_sizes_are_no_boards(across: int) -> None:
    """A pattern of six, seven, ten or twelve squares a side is no chessboard."""
    pose = camera(distance=1.7 * across, aim=(across / 2, across / 2))
    location = find_board(picture_of(pose, Look(across=across), 0))
    assert isinstance(location, NoBoard)
    assert location.reason


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_no_board(seed: int) -> None:
    """Noise, a flat colour and a checked cloth alone are no boards."""
    random = np.random.default_rng(seed)
    noise = random.integers(0, 255, (480, 640, 3)).astype(np.uint8)
    flat = np.full((480, 640, 3), 120, dtype=np.uint8)
    cloth = draw(
        camera(turn_degrees=30 * seed, aim=(4.0, 22.0), distance=6),
        Look(cloth=(60, 60, 200), table=(230, 230, 230)),
    )
    for picture in (noise, flat, photographed(cloth, random)):
        assert isinstance(find_board(picture), NoBoard)


def test_at_rest_the_hint_comes_back() -> None:
    """Where nothing moved the very same location is returned, noise or not."""
    pose = camera()
    hint = found(picture_of(pose, seed=1))
    assert find_board(picture_of(pose, seed=2), hint) is hint


@pytest.mark.parametrize("aim", [(4.1, 4.0), (4.9, 5.0)])
def test_a_nudged_board_keeps_its_names(aim: tuple[float, float]) -> None:
    """Moved by a tenth of a square or by more than one, it is found anew with the same a1."""
    hint = found(picture_of(camera()))
    was, now = corners(camera()), corners(camera(aim=aim))
    other = np.linalg.norm(was[2] - hint.corners[0]) < np.linalg.norm(was[0] - hint.corners[0])
    location = found(picture_of(camera(aim=aim)), hint)
    assert location is not hint
    expected = np.roll(now, 2, axis=0) if other else now
    assert np.linalg.norm(expected - location.corners, axis=1).max() < 3.0


@pytest.mark.parametrize("by", [(1.0, 1.0), (-1.0, 1.0), (2.0, 0.0), (0.0, -2.0)])
def test_a_board_moved_by_whole_squares_is_found_where_it_is(by: tuple[float, float]) -> None:
    """Light squares then lie where light ones lay, exactly; the field ends elsewhere."""
    picture = picture_of(camera())
    true = found(picture)
    size_wh = (picture.shape[1], picture.shape[0])
    off = np.array([(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)]) + by
    a1, h1, h8, a8 = (
        (float(x), float(y)) for x, y in board_to_picture(true, size_wh, off.tolist())
    )
    was = BoardLocation((a1, h1, h8, a8), 1.0, true.distortion)
    assert np.allclose(found(picture, was).corners, true.corners, atol=1.0)


def test_the_other_a1_is_kept_too() -> None:
    """If the players' a1 is the corner opposite, it stays so."""
    picture = picture_of(camera())
    first = found(picture)
    a1, h1, h8, a8 = first.corners
    hint = BoardLocation((h8, a8, a1, h1), 1.0, first.distortion)
    location = found(picture, hint)
    assert np.allclose(location.corners, hint.corners, atol=1.0)


def test_fit_tells_there_from_away() -> None:
    """The fit is high on the board, low a third of a square off, a whole square off, on noise."""
    pose = camera()
    picture = picture_of(pose)
    there = found(picture)

    def shifted(squares: float) -> float:
        step = squares * (np.array(there.corners[1]) - np.array(there.corners[0])) / 8
        a1, h1, h8, a8 = ((float(x), float(y)) for x, y in np.array(there.corners) + step)
        return board_fit(picture, BoardLocation((a1, h1, h8, a8), 1.0, there.distortion))

    assert shifted(0.0) > 0.9
    assert shifted(0.33) < 0.7
    assert shifted(1.0) < 0.2
    noise = np.random.default_rng(1).integers(0, 255, picture.shape).astype(np.uint8)
    assert board_fit(noise, there) < 0.6
    assert board_fit(np.full_like(picture, 90), there) == 0.0
