"""Boards of the simulated table with checkers, dice and hands at random, with their truth."""

from dataclasses import replace

import numpy as np

from hardware.scene import Hand, PlacedChecker, PlacedDie, Scene
from hardware.simulated.look import TableLook
from hardware.simulated.picture import render
from hardware.simulated.truth import scene_truth
from tabletop import BoardLocation, Colour
from training.board_checkers import Checkers
from training.drawn_boards import DrawnBoard, scatter, truth
from vision.pose import estimate_pose

_DICE, _HANDS = 0.5, 0.12
"""How many pictures show a die on the board, and a hand."""


def simulate_board(rng: np.random.Generator, seed: int) -> DrawnBoard:
    """Return a picture of the simulated table that *seed* chooses; its lens bends nothing."""
    look = TableLook.from_seed(seed)
    look = replace(look, camera=replace(look.camera, distortion=0.0))
    colours = tuple(list(Colour)[number] for number in rng.permutation(9)[:4])
    radius = look.checkers.radius
    checkers = scatter(rng, colours, radius)
    hand = None
    if rng.random() < _HANDS:
        x, y = (float(value) for value in rng.uniform(0.0, 8.0, 2))
        hand = Hand(x, y, float(rng.choice([0.0, 90.0, 180.0, 270.0])))
    scene = Scene(_placed(checkers), _die(rng, checkers, radius), hand)
    pixels = render(scene, look, rng)
    location = BoardLocation(scene_truth(scene, look).corners)
    squares, unknown = truth(checkers)
    eye = estimate_pose(location, (pixels.shape[1], pixels.shape[0])).camera_xyz
    return DrawnBoard(
        pixels,
        location,
        colours,
        squares,
        unknown if hand is None else frozenset(range(64)),
        radius,
        look.checkers.thickness,
        checkers,
        (float(eye[0]), float(eye[1]), float(eye[2])),
    )


def _placed(checkers: tuple[Checkers, ...]) -> tuple[PlacedChecker, ...]:
    return tuple(
        PlacedChecker(one.colour, *one.at_xy, layer)
        for one in checkers
        for layer in range(one.count)
    )


def _die(
    rng: np.random.Generator, checkers: tuple[Checkers, ...], radius: float
) -> PlacedDie | None:
    """Return a die on the board, clear of the checkers, or None."""
    x, y = (float(value) for value in rng.uniform(0.3, 7.7, 2))
    near = any(np.hypot(x - one.at_xy[0], y - one.at_xy[1]) < radius + 0.4 for one in checkers)
    if near or rng.random() > _DICE:
        return None
    return PlacedDie(int(rng.integers(1, 7)), x, y, float(rng.uniform(0.0, 90.0)))
