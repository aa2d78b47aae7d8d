"""The simulated table behind a page that is really served: a test's hands lay what is seen there.

From the pixels on all is as at a real table: the picture is followed and read, the referee judges
what was read, the log is written and its pictures are kept.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from typing import Final

from calibration.profile import TableProfile
from companion.calibrating import calibrate_from
from companion.console import Console, Place, open_console
from companion.game import Game
from companion.log.album import Album, Limits
from companion.log.evidence import Evidence
from companion.log.journal import Journal
from companion.loop import Inbox, referee_game
from companion.lying import BoardPlace
from companion.scripts.stage import Stage, calibration_scenes
from companion.seeing import Look, TableWatch
from hardware.scene import Scene, TimedScene
from hardware.simulated import SimulatedTable
from referee.events import FirstPlayer
from referee.match import Match
from referee.rules import Rules
from referee.verdict import Verdict
from tabletop import Colour, Contents, Seat, SquareReading, parse_square
from tests.companion.live import FPS, SEATS, started, table_look
from tests.console.desks import AT
from vision.frame import Frame
from vision.table import TableModel

SEED: Final = 1
SPEED: Final = 2.0
"""How fast the table's clock runs: people wait for the table, never the table for them."""
REST_S: Final = 2.0
STOPS_S: Final = 30.0


Doubts = Mapping[str, tuple[tuple[Contents, float], ...]]
"""What may stand on squares, by their names, and how probably."""


class DoubtfulWatch(TableWatch):
    """Reads a table, and is kept from telling what stands on some squares.

    Attributes:
        doubts: what it then sees there.
    """

    def __init__(self, table: TableModel) -> None:
        super().__init__(table)
        self.doubts: Doubts = {}

    def step(self, frame: Frame) -> Look | BoardPlace | None:
        """Return a look at the table, if there is one, in which some squares are in doubt."""
        look = super().step(frame)
        if not isinstance(look, Look):
            return look
        squares = list(look.observation.squares)
        for name, options in self.doubts.items():
            squares[parse_square(name)] = SquareReading(options)
        return replace(look, observation=replace(look.observation, squares=tuple(squares)))


@dataclass(frozen=True, slots=True)
class Steered:
    """A table on which checkers and die lie as a test puts them.

    Attributes:
        stage: where they lie; what is changed there is seen when it is shown.
        watch: who reads them.
    """

    page: Console
    game: Game
    stage: Stage
    watch: DoubtfulWatch
    scenes: SimpleQueue[Scene]

    @property
    def url(self) -> str:
        """Where its page is."""
        return self.page.url

    def show(self) -> None:
        """Let the camera see what now lies on the table."""
        self.scenes.put(self.stage.scene())

    def throw(self, value: int) -> None:
        """Take up the die and throw it."""
        self.stage.lift_die()
        self.show()
        self.stage.throw(value)
        self.show()


@contextmanager
def steered(folder: Path) -> Iterator[Steered]:
    """Give a game of red, who is to throw, against blue, on a table set up as any other."""
    seats, look = SEATS[2], table_look(SEED)
    stage = Stage(Random(SEED), seats, Rules())
    scenes, inbox = SimpleQueue[Scene](), Inbox()
    profile = _profile(seats)
    with (
        open_console(Place(0), folder, "en") as page,
        Journal.create(folder, started(seats), AT) as journal,
        SimulatedTable(_shown(scenes, stage.scene()), look, SEED, SPEED, FPS) as source,
    ):
        page.begin(journal.id, profile.location, inbox)
        game = Game.start(journal, (page.showing,), lambda: AT)
        game.rule((FirstPlayer(Seat.D4, Colour.RED),))
        evidence = Evidence(game, Album(journal.folder, Limits(100, 30)))
        watch = DoubtfulWatch(profile.model())

        def seen(read: Look, verdict: Verdict, before: Match) -> None:
            evidence.seen(read, verdict, before)
            page.showing.seen(read, verdict, before)

        def referee() -> None:
            referee_game(
                page.tapped(source), watch, game, inbox, complain=complaints.append, seen=seen
            )

        complaints: list[str] = []
        thread = threading.Thread(target=referee, daemon=True)
        thread.start()
        try:
            yield Steered(page, game, stage, watch, scenes)
        finally:
            source.close()
            thread.join(STOPS_S)
        assert complaints == []


def _shown(scenes: SimpleQueue[Scene], scene: Scene) -> Iterator[TimedScene]:
    """Yield scene after scene as they come, and meanwhile the last one again."""
    while True:
        yield TimedScene(scene, REST_S)
        try:
            scene = scenes.get_nowait()
        except Empty:
            continue


def _profile(seats: dict[Seat, Colour]) -> TableProfile:
    scenes = calibration_scenes(Random(SEED), seats, Rules())
    timed = (TimedScene(scene, REST_S) for scene in scenes)
    table = SimulatedTable(timed, table_look(SEED), SEED)
    profile = calibrate_from(table.frames(), seats, "demo", lambda _: None)
    assert isinstance(profile, TableProfile), profile
    return profile
