"""A page with a game behind it, without sockets and without a camera."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from starlette.testclient import TestClient

from companion.console.access import Access, Codes
from companion.console.application import Desk, application
from companion.console.library import Library
from companion.console.showing import Showing
from companion.console.site import Place
from companion.game import Game
from companion.log.journal import Journal
from companion.loop import Answered, Inbox
from companion.lying import NameCorner
from referee.commands import Command, CommandError
from referee.events import By, FirstPlayer
from tabletop import Colour, Seat
from tests.builders import TWO, game_started
from vision.frame import Frame

AT = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)
CODES = Codes(change="123456", look="654321")


class ObeyedAtOnce(Inbox):
    """An inbox whose commands are obeyed as they come, as between two frames."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def put(
        self,
        command: Command | NameCorner,
        by: By,
        answered: Answered | None = None,
        after: int | None = None,  # noqa: ARG002 - the loop's tests try it
    ) -> None:
        """Obey *command*."""
        assert answered is not None
        assert not isinstance(command, NameCorner)
        try:
            self.game.obey(command, by)
        except CommandError as error:
            answered(str(error))
        else:
            answered(None)


@dataclass(frozen=True, slots=True)
class Table:
    """A page, the game it shows, and somebody who asks for things."""

    desk: Desk
    game: Game
    client: TestClient


def _clock() -> float:
    """Tell always the same time, so that nothing depends on how fast a test runs."""
    return 0.0


@contextmanager
def table(folder: Path, *, codes: Codes | None = None) -> Iterator[Table]:
    """Give a page that shows a two-player game in which red is to throw."""
    showing = Showing()
    desk = Desk(showing, Access(codes, _clock), Library(folder), "en", _clock)
    with Journal.create(folder, game_started(TWO), AT) as journal:
        showing.begin(journal.id, None)
        showing.frame(Frame(np.full((96, 128, 3), 90, dtype=np.uint8)))
        game = Game.start(journal, (showing,), lambda: AT)
        game.rule((FirstPlayer(Seat.D4, Colour.RED),))
        desk.inbox = ObeyedAtOnce(game)
        place = Place(8000, lan=codes is not None, host_name="table")
        app = application(desk, place, 8000)
        with TestClient(app, base_url="http://localhost:8000") as client:
            yield Table(desk, game, client)
