"""What is true of a simulated picture, for tests and measurements."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.scene import PlacedDie, Scene
from hardware.simulated.arrays import Points
from hardware.simulated.hand import limbs, outlines
from hardware.simulated.look import TableLook
from hardware.simulated.picture import Painter, painter_of
from tabletop import Box, Contents, Point, Square, contents, square

_BOARD_EDGE: Final = 8


@dataclass(frozen=True, slots=True)
class DieTruth:
    """A die in a picture.

    Attributes:
        box: upright, round all that is seen of it.
        value: the face that is up, None while it is cocked.
    """

    box: Box
    value: int | None


@dataclass(frozen=True, slots=True)
class SceneTruth:
    """What is true of a picture of a scene.

    Attributes:
        corners: where the outer corners of a1, h1, h8 and a8 are, in pixels.
        squares: what stands on the occupied squares, each once, a1 first.
        die: the die, where one is in sight.
        obscured: a hand or a cup is over the squares.
    """

    corners: tuple[Point, Point, Point, Point]
    squares: tuple[tuple[Square, Contents], ...]
    die: DieTruth | None
    obscured: bool


def scene_truth(scene: Scene, look: TableLook) -> SceneTruth:
    """Return what is true of the picture of *scene* that `render` makes with *look*."""
    painter = painter_of(look, scene.room)
    ends = ((0, 0), (_BOARD_EDGE, 0), (_BOARD_EDGE, _BOARD_EDGE), (0, _BOARD_EDGE))
    edge = [(*scene.room.board.carried(x, y), 0) for x, y in ends]
    a1, h1, h8, a8 = ((float(x), float(y)) for x, y in painter.camera.project(np.array(edge)))
    return SceneTruth(
        corners=(a1, h1, h8, a8),
        squares=squares_of(scene),
        die=_die(scene.die, painter) if scene.die else None,
        obscured=_obscured(scene, painter, np.array([a1, h1, h8, a8])),
    )


def squares_of(scene: Scene) -> tuple[tuple[Square, Contents], ...]:
    """Return what stands on the occupied squares of a scene, a1 first."""
    found: dict[Square, Contents] = {}
    for checker in scene.checkers:
        if 0 <= checker.x < _BOARD_EDGE and 0 <= checker.y < _BOARD_EDGE:
            at = square(int(checker.x), int(checker.y))
            found[at] = contents(*found.get(at, ()), checker.colour)
    return tuple(sorted(found.items()))


def _die(die: PlacedDie, painter: Painter) -> DieTruth:
    seen = painter.camera.project(painter.cube(die).corners())
    x, y = seen.min(axis=0)
    width, height = seen.max(axis=0) - (x, y)
    box = (float(x), float(y), float(width), float(height))
    return DieTruth(box, None if die.cocked else die.value)


def _obscured(scene: Scene, painter: Painter, corners: Points) -> bool:
    """Tell whether hand or cup cover a part of the squares, points round the limbs telling."""
    camera = painter.camera
    around = []
    if scene.hand is not None:
        around.append(outlines(limbs(scene.hand, camera), camera).reshape(-1, 2))
    if scene.cup is not None:
        around.append(camera.project(painter.disc(scene.cup).outline()))
    if not around:
        return False
    points = np.concatenate(around)
    after = np.roll(corners, -1, axis=0)
    edges, offsets = after - corners, points[:, None] - corners[None]
    turns = edges[:, 0] * offsets[..., 1] - edges[:, 1] * offsets[..., 0]
    return bool(((turns > 0).all(axis=1) | (turns < 0).all(axis=1)).any())
