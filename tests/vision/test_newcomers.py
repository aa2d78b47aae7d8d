"""What came to a known table, and what was there before: patches drawn into plain pictures."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tabletop import BoardLocation, Colour, DieReading, DieState
from vision.die_view import view_table
from vision.frame import Picture
from vision.furniture import (
    is_faint_one,
    is_tower_top,
    lies_untouched,
    may_be_checker,
    painted_as_checker,
)
from vision.newcomers import see_changes
from vision.pose import estimate_pose
from vision.table import CheckerLook, TableModel, Tint
from vision.towers import Tower

SIZE_WH = (640, 480)
BOX = (400.0, 200.0, 30.0, 30.0)
CORNERS = ((100.0, 400.0), (420.0, 400.0), (420.0, 80.0), (100.0, 80.0))
"""A board seen from straight above, its squares 40 pixels wide."""


def cloth(seed: int = 1) -> Picture:
    """Return a picture of a cloth with a texture and some noise."""
    rng = np.random.default_rng(seed)
    texture = np.random.default_rng(7).normal(90, 6, (*SIZE_WH[::-1], 3))
    return np.clip(texture + rng.normal(0, 2, texture.shape), 0, 255).astype(np.uint8)


def with_die(picture: Picture, turn_deg: float = 0.0, value: int = 5) -> Picture:
    """Return *picture* with a white die of 30 pixels on `BOX`, its pips dark."""
    drawn = picture.copy()
    x, y, wide, _ = BOX
    middle = (x + wide / 2, y + wide / 2)
    corners = cv2.boxPoints((middle, (24, 24), turn_deg))
    cv2.fillConvexPoly(drawn, np.rint(corners).astype(np.int32), (230, 235, 235), cv2.LINE_AA)
    turn = np.deg2rad(turn_deg)
    for dx, dy in [(-6, -6), (6, 6), (-6, 6), (6, -6), (0, 0)][:value]:
        px = middle[0] + dx * np.cos(turn) - dy * np.sin(turn)
        py = middle[1] + dx * np.sin(turn) + dy * np.cos(turn)
        cv2.circle(drawn, (round(px), round(py)), 2, (20, 20, 20), -1, cv2.LINE_AA)
    return np.asarray(drawn, np.uint8)


def table() -> TableModel:
    """Return a table seen from straight above, with red checkers."""
    look = CheckerLook(Colour.RED, (Tint(1.0, (40.0, 50.0, 30.0), (5.0, 5.0, 5.0)),))
    return TableModel(SIZE_WH, BoardLocation(CORNERS), cloth(), (look,), 0.8)


def reading(box: tuple[float, float, float, float], sure: float, value: int = 2) -> DieReading:
    """Return a die read as *value* with so much confidence."""
    one, two, three, four, five, six = (sure if value == each else 0.0 for each in range(1, 7))
    return DieReading(box, (one, two, three, four, five, six), DieState.SETTLED)


@pytest.mark.parametrize("gain", [1.0, 0.7, 1.2])
def test_a_die_that_came_is_the_only_newcomer(gain: float) -> None:
    """Whatever the light, what is new is found where it lies, and nothing else is."""
    now = np.clip(with_die(cloth(2)).astype(np.float64) * gain, 0, 255).astype(np.uint8)

    (found,) = see_changes(now, table()).small_things(8, 200)
    assert found.centre_xy == pytest.approx((415, 215), abs=1.5)
    assert found.size_px == pytest.approx(30, abs=6)


def test_nothing_came_to_an_empty_table() -> None:
    """Noise and another light are no newcomers."""
    assert see_changes(cloth(2), table()).small_things(8, 200) == []
    dimmed = (cloth(3) * 0.8).astype(np.uint8)
    assert see_changes(dimmed, table()).small_things(8, 200) == []
    assert see_changes(dimmed, table()).part(8, 50) is None


def test_a_die_with_sides_like_its_shadow_is_offered_whole() -> None:
    """Where little is left of a thing without what may be its shadow, all of it is a thing."""
    drawn = cloth(2).copy()
    x, y, wide, high = (int(at) for at in BOX)
    sides = (drawn[y : y + high, x : x + wide] * 0.6).astype(np.uint8)
    cv2.rectangle(drawn, (x, y), (x + wide - 1, y + high - 1), (230, 235, 235), -1)
    drawn[y + 6 : y + high, x + 6 : x + wide] = sides[6:, 6:]
    (found,) = see_changes(np.asarray(drawn, np.uint8), table()).small_things(8, 200)
    assert found.centre_xy == pytest.approx((415, 215), abs=1.5)
    assert found.size_px == pytest.approx(34, abs=4)


def test_things_too_small_too_large_or_too_long_are_left_out() -> None:
    """What has no die's size or shape is not offered for one."""
    drawn = cloth(2).copy()
    cv2.rectangle(drawn, (50, 50), (250, 250), (250, 250, 250), -1)
    cv2.rectangle(drawn, (300, 50), (360, 60), (250, 250, 250), -1)
    cv2.circle(drawn, (500, 300), 3, (250, 250, 250), -1)
    assert see_changes(np.asarray(drawn, np.uint8), table()).small_things(12, 100) == []


def test_a_die_under_a_hand_is_known() -> None:
    """What reaches in from the edge and is over a die holds it; a thing on the table does not."""
    lies = with_die(cloth(2))
    reaching = lies.copy()
    cv2.line(reaching, (639, 215), (422, 215), (120, 150, 205), 40)
    beside = lies.copy()
    cv2.rectangle(beside, (410, 190), (520, 240), (120, 150, 205), -1)
    assert see_changes(np.asarray(reaching, np.uint8), table()).in_a_hand(BOX)
    assert not see_changes(np.asarray(beside, np.uint8), table()).in_a_hand(BOX)
    assert not see_changes(lies, table()).in_a_hand(BOX)


def test_an_arm_that_shows_only_from_near_the_edge_on_holds_a_die() -> None:
    """Its sleeve may be as light as the cloth; what is as short as a thing is none."""
    for from_x, held in ((628, True), (448, False)):
        drawn = with_die(cloth(2)).copy()
        cv2.line(drawn, (from_x, 245), (415, 245), (120, 150, 205), 40)
        changes = see_changes(np.asarray(drawn, np.uint8), table())
        assert changes.in_a_hand(BOX) is held


def test_where_a_die_may_hide_is_searched() -> None:
    """A die beside something else is part of a larger thing, which is where to look."""
    drawn = with_die(cloth(2)).copy()
    cv2.rectangle(drawn, (425, 180), (520, 240), (120, 150, 205), -1)
    left, top, wide, high = see_changes(np.asarray(drawn, np.uint8), table()).part(8, 50) or BOX
    assert (left <= 404, top <= 182) == (True, True)
    assert (left + wide >= 518, top + high >= 238) == (True, True)


def test_where_only_a_shaded_side_shows_is_searched() -> None:
    """Its top is as light as the cloth: what is left is too long to be a die by itself."""
    drawn = cloth(2)
    cv2.rectangle(drawn, (400, 212), (440, 228), (40, 40, 40), -1)
    changes = see_changes(drawn, table())
    assert changes.small_things(8, 60) == []
    assert changes.part(8, 60) is not None


def test_only_what_came_has_changed() -> None:
    """In another light a die that lay there is no change; on an empty cloth it is one."""
    reference = with_die(cloth())
    darker = np.asarray(with_die(cloth(2)) * 0.7, np.uint8)
    model = replace(table(), reference=reference)
    assert see_changes(darker, model).share(BOX) < 0.1
    assert see_changes(with_die(cloth(2)), table()).share(BOX) > 0.5


@pytest.mark.parametrize(("turn_deg", "value"), [(25, 5), (60, 5), (0, 1), (40, 3)])
def test_a_die_cast_again_to_its_place_looks_touched(turn_deg: float, value: int) -> None:
    """Turned or with another face it looks otherwise; left alone it looks the same."""
    then = with_die(cloth())
    assert lies_untouched(with_die(cloth(2)), then, BOX)
    assert not lies_untouched(with_die(cloth(2), turn_deg, value), then, BOX)


def test_a_small_die_turned_by_a_finger_looks_touched() -> None:
    """On a dark cloth the outline of a white die stays the same, its pips do not."""
    dark = np.full_like(cloth(), 20)
    then, now = with_die(dark, value=1), with_die(dark, value=5)
    assert not lies_untouched(now, then, BOX)
    assert lies_untouched(with_die(dark, value=5), now, BOX)


def test_a_die_whose_shadow_reaches_the_edge_is_no_hand() -> None:
    """A long shadow between a die and the picture's edge does not make it an arm."""
    empty = np.full_like(cloth(), 120)
    drawn = empty.copy()
    drawn[446:480, 300:320] = 80
    drawn[420:446, 298:322] = (230, 235, 235)
    changes = see_changes(drawn, replace(table(), reference=empty))
    assert not changes.in_a_hand((298.0, 420.0, 24.0, 26.0))


def test_a_doubtful_die_of_a_checkers_size_is_a_checker() -> None:
    """A checker is 32 pixels wide here; a likely value, or a smaller thing, may be a die."""
    where = view_table(BoardLocation(CORNERS), SIZE_WH)
    asked = replace(reading((500, 200, 32, 32), 0.8), state=DieState.UNREADABLE)
    assert not may_be_checker(asked, table(), where)
    assert may_be_checker(replace(asked, state=DieState.COCKED), table(), where)
    assert may_be_checker(reading((500, 200, 32, 32), 0.6), table(), where)
    assert not may_be_checker(reading((500, 200, 32, 32), 0.97), table(), where)
    assert not may_be_checker(reading((500, 200, 18, 18), 0.6), table(), where)


def test_one_faint_pip_may_be_the_knob_of_a_checker() -> None:
    """However surely it is seen; a plain pip, light or dark, or a two is none."""
    face = np.full((480, 640, 3), (40, 40, 160), np.uint8)
    die = reading((500, 200, 32, 32), 0.99, value=1)
    for paint, faint in (((60, 60, 190), True), ((250, 250, 250), False), ((20, 20, 20), False)):
        drawn = face.copy()
        cv2.circle(drawn, (516, 216), 4, paint, -1)
        assert is_faint_one(drawn, die) == faint
        assert not is_faint_one(drawn, reading((500, 200, 32, 32), 0.99))


def test_a_checkers_paint_is_known() -> None:
    """The table's checkers are a dull red: so is a thing of that paint, and a white die is not."""
    drawn = with_die(cloth()).copy()
    cv2.circle(drawn, (500, 300), 15, (66, 57, 165), -1)
    pixels = np.asarray(drawn, np.uint8)
    assert painted_as_checker(pixels, (500, 300), 30, table())
    assert not painted_as_checker(pixels, (415, 215), 30, table())


def test_the_top_of_a_checker_on_the_board_is_no_die() -> None:
    """Not even a sure value makes a die of what stands there as a checker and is as large."""
    pose = estimate_pose(BoardLocation(CORNERS), SIZE_WH)
    towers = (Tower(Colour.RED, 1, (4.5, 4.5)),)
    (x, y), *_ = pose.project([(4.5, 4.5, 0.2)])
    large = reading((float(x) - 16, float(y) - 16, 32, 32), 0.99)
    small = reading((float(x) - 8, float(y) - 8, 16, 16), 0.99)
    elsewhere = reading((float(x) + 60, float(y) - 16, 32, 32), 0.99)
    assert is_tower_top(large, towers, table(), pose)
    assert not is_tower_top(small, towers, table(), pose)
    assert not is_tower_top(elsewhere, towers, table(), pose)


def test_a_die_as_dark_as_what_it_lies_on_shows_by_its_pips() -> None:
    """Single bright pixels where a die lies are a place to look at; a bare cloth has none."""
    picture = cloth(2)
    x, y, wide, _ = BOX
    for dx in (-7, 0, 7):
        for dy in (-7, 0, 7):
            at = (round(x + wide / 2) + dx, round(y + wide / 2) + dy)
            cv2.circle(picture, at, 2, (200, 200, 200), -1)
    assert see_changes(cloth(3), table()).speckled(BOX[2]) == []
    (found,) = see_changes(picture, table()).speckled(BOX[2])
    assert np.hypot(found.centre_xy[0] - x - wide / 2, found.centre_xy[1] - y - wide / 2) < 8
