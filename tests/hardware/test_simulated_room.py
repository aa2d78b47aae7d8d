"""The simulated table's surroundings: a moved board, a knocked camera, lamps, cups, exposure."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hardware import PlacedChecker, PlacedDie, Scene, SimulatedTable, TableLook, TimedScene
from hardware.scene import BoardLie, CameraKnock, Cup, Lamp, Room
from hardware.simulated import scene_truth
from hardware.simulated.motion import between
from hardware.simulated.picture import painter_of
from tabletop import Colour

LOOK = TableLook.from_seed(2, (320, 240))
ON_BOARD = PlacedChecker(Colour.RED, 1.5, 0.5)
BESIDE = PlacedChecker(Colour.BLUE, -1.4, 3.0)
SCENE = Scene((ON_BOARD, BESIDE))


def test_a_board_carries_what_lies_on_it_along() -> None:
    """A quarter turn brings a1 to where h1 was; what lies beside the board stays."""
    lie = BoardLie(turn_deg=90.0)
    assert lie.carried(0, 0) == pytest.approx((8, 0))
    assert BoardLie(0.5, -0.25).carried(4, 4) == pytest.approx((4.5, 3.75))

    turned = painter_of(LOOK, Room(board=lie))
    assert turned.foot(ON_BOARD)[:2] == pytest.approx((7.5, 1.5))
    assert turned.foot(BESIDE) == painter_of(LOOK).foot(BESIDE)


def test_the_corners_told_go_along_with_the_board() -> None:
    """Turned by half, a1 is seen where h8 was."""
    turned = replace(SCENE, room=Room(board=BoardLie(turn_deg=180.0)))
    before, after = (scene_truth(scene, LOOK) for scene in (SCENE, turned))
    assert after.corners[0] == pytest.approx(before.corners[2])
    assert after.squares == before.squares


def test_a_knocked_camera_sees_everything_elsewhere() -> None:
    """Turned to the right and downwards, it sees the board further left and up, and as large."""
    knocked = replace(SCENE, room=Room(camera=CameraKnock(pan_deg=1.0, tilt_deg=1.0)))
    before, after = (np.array(scene_truth(scene, LOOK).corners) for scene in (SCENE, knocked))
    shift = after - before
    assert (shift < -2).all()
    assert np.ptp(shift, axis=0).max() < 1.5


def test_a_lamp_adds_its_own_colour() -> None:
    """A red lamp makes the picture redder, and hardly bluer; nothing gets darker but by noise."""
    red = Room(lamps=(Lamp((4.0, 9.0, 5.0), 0.3, (0.0, 0.1, 1.0)),))
    usual, lit = (painter_of(LOOK, room).paint(SCENE).astype(float) for room in (Room(), red))
    added = (lit - usual).mean(axis=(0, 1))
    assert added[2] > 8
    assert added[2] > 4 * added[0]


def test_a_cup_covers_the_squares_under_it() -> None:
    """It is told to be over the board, and shows where it stands."""
    covered = replace(SCENE, cup=Cup(4.0, 4.0))
    assert scene_truth(covered, LOOK).obscured
    assert not scene_truth(SCENE, LOOK).obscured
    change = np.abs(
        painter_of(LOOK).paint(covered).astype(int) - painter_of(LOOK).paint(SCENE).astype(int)
    )
    assert (change.max(axis=2) > 20).mean() > 0.005


def test_a_held_die_is_seen_higher() -> None:
    """It is nearer to the camera than one that lies there, and so larger."""
    lying, held = (scene_truth(Scene((), PlacedDie(5, 4, 4, height=h)), LOOK).die for h in (0, 2))
    assert lying is not None
    assert held is not None
    assert held.box[2] > 1.05 * lying.box[2]


def test_a_shoved_board_is_under_way_for_a_while() -> None:
    """Halfway it lies in between, turning the short way; a lamp is lit at once."""
    first = replace(SCENE, room=Room(board=BoardLie(turn_deg=350.0)))
    lamps = (Lamp((4.0, 9.0, 5.0), 0.3),)
    last = replace(SCENE, room=Room(board=BoardLie(0.4, 0.0, 10.0), lamps=lamps))
    moment = between(first, last, 0.5)
    assert moment.room.board.x == pytest.approx(0.2)
    assert moment.room.board.turn_deg == pytest.approx(360.0)
    assert moment.room.lamps == lamps


def test_a_slid_checker_stays_on_the_board() -> None:
    """A carried one is lifted."""
    after = replace(SCENE, checkers=(replace(ON_BOARD, x=4.5), BESIDE))
    for slid, layer in ((True, 0), (False, 1)):
        moment = between(SCENE, after, 0.5, slid=slid)
        (red,) = (one for one in moment.checkers if one.colour is Colour.RED)
        assert red.layer == layer


def test_an_adapting_camera_follows_the_light() -> None:
    """Half the light makes a dark picture at first, and hardly a darker one after some seconds."""
    look = replace(LOOK, camera=replace(LOOK.camera, noise=0.0, adapts_s=0.5))
    dark = TimedScene(replace(SCENE, brightness=0.5), 6.0, moving_s=0.05)
    means = [
        frame.pixels.mean()
        for frame in SimulatedTable([TimedScene(SCENE, 1.0), dark], look, 1).frames()
    ]
    usual, at_once, later = means[5], means[11], means[-1]
    assert at_once < 0.85 * usual
    assert 0.92 * usual < later < usual


def test_a_scene_may_take_its_time() -> None:
    """What moves for two seconds is not at rest before."""
    look = replace(LOOK, camera=replace(LOOK.camera, noise=0.0))
    after = replace(SCENE, checkers=(replace(ON_BOARD, x=4.5), BESIDE))
    script = [TimedScene(SCENE, 0.5), TimedScene(after, 5.0, moving_s=2.0, slid=True)]
    frames = [frame.pixels for frame in SimulatedTable(script, look, 1, fps=5).frames()]
    same = [(a == b).all() for a, b in pairwise(frames[3:])]
    assert not any(same[:8])
    assert all(same[10:])
