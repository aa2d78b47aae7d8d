"""A bump of the board is told from a knock of the camera by what lies around the board."""

from dataclasses import replace

import numpy as np
import pytest

from companion.viewpoint import seen_from_now
from hardware.scene import BoardLie, CameraKnock, Lamp, PlacedChecker, PlacedDie, Room, Scene
from hardware.simulated import TableLook
from hardware.simulated.camera import hang, knocked
from hardware.simulated.parts import Texture
from hardware.simulated.picture import render
from tabletop import BoardLocation, Colour
from tests.companion.live import table_look
from vision.table import CheckerLook, TableModel, Tint

LOOKS = (1172, 1087, 1004, 1011)
"""Tables with a broad rim around the board, or plain ones on which little but a tray is seen."""
THINGS = (
    (PlacedChecker(Colour.RED, 2.5, 3.5), PlacedChecker(Colour.BLUE, 6.5, 1.5)),
    PlacedDie(4, 9.4, 3.0),
)
RED = CheckerLook(Colour.RED, (Tint(1.0, (40.0, 50.0, 30.0), (5.0, 5.0, 5.0)),))


def location(look: TableLook, room: Room) -> BoardLocation:
    """Return where the board is in the picture of a room."""
    camera = knocked(hang(look.camera), room.camera)
    outer = [(*room.board.carried(x, y), 0.0) for x, y in ((0, 0), (8, 0), (8, 8), (0, 8))]
    a1, h1, h8, a8 = ((float(x), float(y)) for x, y in camera.project(np.array(outer)))
    return BoardLocation((a1, h1, h8, a8))


def known(look: TableLook) -> TableModel:
    """Return what is known of a table that was seen empty."""
    empty = render(Scene(), look, np.random.default_rng(1))
    return TableModel(look.camera.size_wh, location(look, Room()), empty, (RED,), 0.8)


@pytest.mark.parametrize("seed", LOOKS)
@pytest.mark.parametrize("lie", [BoardLie(0.25, -0.2, 2.0), BoardLie(-0.3, 0.1, -4.0)])
def test_a_bumped_board_leaves_the_table_where_it_was(seed: int, lie: BoardLie) -> None:
    """Expect all beside the board to be known as before: its rim went along, the rest did not."""
    look, room = table_look(seed), Room(board=lie)
    table = known(look)
    seen = render(Scene(*THINGS, room=room), look, np.random.default_rng(2))
    assert seen_from_now(table, table.location, location(look, room), seen) is table


@pytest.mark.parametrize("seed", LOOKS)
@pytest.mark.parametrize("knock", [CameraKnock(0.6, -0.5, 1.0), CameraKnock(-0.5, 0.6, -1.2)])
def test_a_knocked_camera_takes_the_whole_table_along(seed: int, knock: CameraKnock) -> None:
    """Expect the empty table to be known as it is seen from where the camera looks now."""
    look, room = table_look(seed), Room(camera=knock)
    table, now = known(look), location(look, room)
    seen = render(Scene(*THINGS, room=room), look, np.random.default_rng(2))
    moved = seen_from_now(table, table.location, now, seen)
    assert moved is not table
    assert np.abs(np.subtract(moved.location.corners, now.corners)).max() < 0.01


@pytest.mark.parametrize("lamps", [(), (Lamp((9.5, -1.5, 7.0), 0.5, (0.55, 0.85, 1.0)),)])
@pytest.mark.parametrize("lie", [BoardLie(-0.12, 0.05, 0.7), BoardLie(0.25, -0.2, 2.0)])
def test_a_bump_on_a_bare_table_is_no_knock(lie: BoardLie, lamps: tuple[Lamp, ...]) -> None:
    """Expect neither noise nor a lamp that was lit meanwhile to speak where no pattern does."""
    look = table_look(2004)
    bare = replace(look.table, texture=Texture.PRINT, second=look.table.colour, tray_sides=0)
    look = replace(look, table=bare, camera=replace(look.camera, noise=3.0))
    table, room = known(look), Room(board=lie, lamps=lamps)
    seen = render(Scene(*THINGS, room=room), look, np.random.default_rng(2))
    assert seen_from_now(table, table.location, location(look, room), seen) is table
