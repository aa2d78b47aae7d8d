"""A table without a camera behind a page that is really served: what is seen is put in by hand."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import numpy as np

from companion.console import Console, Place, open_console
from companion.game import Game
from companion.log.journal import Journal
from companion.loop import Inbox
from companion.lying import NameCorner
from referee.commands import CommandError
from referee.events import By, FirstPlayer
from referee.judge import judge
from tabletop import Colour, Observation, Seat
from tests.builders import TWO, game_started
from tests.console.desks import AT
from vision.frame import Frame

FRAME: Final = Frame(np.full((96, 96, 3), 90, dtype=np.uint8))
JUDGED_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Puppet:
    """A table whose hands are a test's.

    Attributes:
        corners: what people answered who were asked which corner is a1.
    """

    page: Console
    game: Game
    scenes: SimpleQueue[tuple[Observation, threading.Event]]
    corners: list[NameCorner] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where its page is."""
        return self.page.url

    def show(self, *scenes: Observation) -> None:
        """Let the referee see *scenes*, one after another, until he has judged each."""
        for scene in scenes:
            judged = threading.Event()
            self.scenes.put((scene, judged))
            assert judged.wait(JUDGED_S)


@contextmanager
def puppet(folder: Path, port: int = 0, *, lan: bool = False, seats: str = TWO) -> Iterator[Puppet]:
    """Give a game in which red is to throw, refereed in a thread of its own."""
    inbox, stop = Inbox(), threading.Event()
    place = Place(port, lan=lan, host_name="localhost" if lan else "")
    with (
        open_console(place, folder, "en") as page,
        Journal.create(folder, game_started(seats), AT) as journal,
    ):
        page.begin(journal.id, None, inbox)
        page.showing.frame(FRAME)
        game = Game.start(journal, (page.showing,), lambda: AT)
        game.rule((FirstPlayer(Seat.D4, Colour.RED),))
        table = Puppet(page, game, SimpleQueue())
        thread = threading.Thread(target=_referee, args=(table, inbox, stop), daemon=True)
        thread.start()
        try:
            yield table
        finally:
            stop.set()
            thread.join(10)


def _referee(table: Puppet, inbox: Inbox, stop: threading.Event) -> None:
    """Obey and judge, as the loop does between two frames."""
    while not stop.wait(0.02):
        for told in inbox.drain():
            assert told.answered is not None
            if isinstance(told.command, NameCorner):
                table.corners.append(told.command)
                told.answered(None)
                continue
            try:
                if told.after not in (None, table.game.match.sequence):
                    raise CommandError("the game has gone on in the meantime: look again")
                table.game.obey(told.command, By.CONSOLE)
            except CommandError as error:
                told.answered(str(error))
            else:
                told.answered(None)
        try:
            scene, judged = table.scenes.get_nowait()
        except Empty:
            continue
        verdict = judge(table.game.match, scene)
        table.game.rule(verdict.events, verdict)
        judged.set()
