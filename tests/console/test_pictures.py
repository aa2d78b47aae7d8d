"""Which pictures are worth sending."""

from collections.abc import Callable
from random import Random

import pytest

from companion.console.pictures import rests, sampled
from companion.scripts.stage import Stage
from hardware.scene import TimedScene
from hardware.simulated import SimulatedTable, TableLook
from referee.rules import Rules
from tabletop import Colour, parse_square
from tests.companion.live import SEATS


def _stay(_: Stage) -> None:
    """Do nothing."""


def _throw(stage: Stage) -> None:
    stage.throw(6)


def _lift(stage: Stage) -> None:
    stage.lift_die()


def _carry(stage: Stage) -> None:
    stage.carry(Colour.RED, None, parse_square("a8"))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("deed", [_stay, _throw, _lift, _carry])
def test_the_smallest_move_is_worth_a_picture_and_noise_is_not(
    deed: Callable[[Stage], None], seed: int
) -> None:
    """A die or a checker that was moved differs, in any light; a table at rest looks alike."""
    stage = Stage(Random(seed), SEATS[2], Rules())
    stage.throw(2)
    scenes = [stage.scene()]
    deed(stage)
    scenes.append(stage.scene())
    script = (TimedScene(scene, 1.0, moving_s=0.1) for scene in scenes)
    table = SimulatedTable(script, TableLook.from_seed(seed), seed, fps=2)
    seen = [sampled(frame.pixels) for frame in table.frames()]
    assert rests(seen[0], seen[1])
    assert rests(seen[0], seen[-1]) is (deed is _stay)
