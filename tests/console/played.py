"""A game played behind a page that is really served, in a program of its own: its cost is counted.

    python -m tests.console.played FOLDER play|moving

The camera's pictures were made before; all that is done meanwhile is to hand them over, ten a
second, and to serve the page, whose address is on the first line of standard output. It ends with
its standard input.
"""

import sys
import threading
import time
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from companion.console import Place, open_console
from companion.game import Game
from companion.log.journal import Journal
from companion.loop import Inbox
from companion.scripts.stage import Stage
from hardware.scene import TimedScene
from hardware.simulated import SimulatedTable, TableLook
from referee.events import FirstPlayer
from referee.rules import Rules
from tabletop import BoardLocation, Colour, Seat, parse_square
from tests.builders import TWO, game_started
from tests.companion.live import SEATS
from tests.console.desks import AT
from vision.frame import Frame, Picture

FPS: Final = 10
SCENE_S: Final = 1.0
"""Half of it things are on their way."""
REST_S: Final = 2.5
LOOK_S: Final = 1.5
"""So often the referee tells the page what it sees, as in a game that is really played."""
BOARD: Final = BoardLocation(((320, 880), (960, 880), (900, 90), (380, 90)))
SEEN: Final = {
    "squares": {
        name: {"seen": ["red" if name < "e" else "blue"], "confidence": 0.998}
        for name in ("a8", "b8", "a7", "b7", "h1", "g1", "h2")
    },
    "dice": [{"value": 6, "confidence": 0.99, "state": "flat"}],
    "obscured": False,
}


def main() -> None:
    """Play until standard input ends."""
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    film = {"play": _played, "moving": _moving}[kind]()
    over = threading.Event()
    with (
        open_console(Place(0), folder, "en") as page,
        Journal.create(folder, game_started(TWO), AT) as journal,
    ):
        page.begin(journal.id, BOARD, Inbox())
        game = Game.start(journal, (page.showing,), lambda: AT)
        game.rule((FirstPlayer(Seat.D4, Colour.RED),))
        print(page.url, flush=True)
        threading.Thread(target=_wait, args=(over,), daemon=True).start()
        begun_s = time.monotonic()
        for number, picture in enumerate(cycle(film)):
            page.showing.frame(Frame(picture))
            if number % round(FPS * LOOK_S) == 0:
                page.showing.show(seen=SEEN | {"number": number})
            if over.wait(begun_s + (number + 1) / FPS - time.monotonic()):
                return


def _wait(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


def _played() -> list[Picture]:
    """Return what is to be seen while a die is thrown and a checker is moved, again and again."""
    stage = Stage(Random(1), SEATS[2], Rules())
    stage.throw(2)
    scenes = [stage.scene(stage.hand_at_die(Seat.D4))]
    stage.throw(6)
    scenes.append(stage.scene())
    scenes.append(stage.scene(stage.hand_at(Seat.D4, parse_square("a8"))))
    stage.carry(Colour.RED, None, parse_square("a8"))
    scenes.append(stage.scene())
    look = TableLook.from_seed(1)
    table = SimulatedTable((TimedScene(one, SCENE_S) for one in scenes), look, 1, fps=FPS)
    shown = [frame.pixels for frame in table.frames()]
    film: list[Picture] = []
    each = len(shown) // len(scenes)
    for number, scene in enumerate(scenes):
        part = shown[number * each : (number + 1) * each]
        rests = 0 if scene.hand else round(REST_S * FPS)
        # The noise of three pictures is as good as that of many, and they take less room.
        film += part + [part[-1 - at % 3] for at in range(rests)]
    return film


def _moving() -> list[Picture]:
    """Return pictures of which each differs from the one before everywhere."""
    coarse = np.random.default_rng(1).integers(0, 255, (5, 45, 80, 3), dtype=np.uint8)
    return [np.kron(one, np.ones((16, 16, 1), dtype=np.uint8)) for one in coarse]


if __name__ == "__main__":
    main()
