"""The simulated table while it is set up: it shows what each step asks for, then plays the game."""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Final

from companion.console.set_up import Stage
from companion.scripts.script import GameScript
from hardware.scene import PlacedDie, Scene, TimedScene

WAIT_S: Final = 1.0
LIFTED_S: Final = 2.5
"""A die that lies there at first was not thrown: so long none is in sight."""
THROWN_S: Final = 3.0
CASTS: Final = (
    PlacedDie(3, 10.5, 3.2, 40),
    PlacedDie(4, 9.6, 3.1, 20),
    PlacedDie(2, 10.5, 4.8, 65),
    PlacedDie(6, 9.8, 4.1, 5),
)
"""Far enough from one another that each is a cast of its own."""


def rehearsal(script: GameScript, stage: Callable[[], Stage]) -> Iterator[TimedScene]:
    """Yield the scenes that the *stage* now reached asks for, and at last those of the game."""
    empty, homes = (timed.scene for timed in script.calibration)
    casts = cycle(CASTS)
    while (now := stage()) is not Stage.DONE:
        match now:
            case Stage.AIM | Stage.EMPTY:
                yield TimedScene(empty, WAIT_S, "empty board")
            case Stage.HOMES:
                yield TimedScene(homes, WAIT_S, "homes")
            case Stage.DIE:
                yield TimedScene(homes, LIFTED_S, "the die is lifted")
                yield TimedScene(Scene(homes.checkers, next(casts)), THROWN_S, "the die is thrown")
            case _:
                yield TimedScene(empty, WAIT_S, "the board is cleared")
    yield from script.scenes
