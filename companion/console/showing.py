"""What there is to see: gathered from the game and the camera, handed to the page as one value.

The thread that owns the match calls in here and never waits: it leaves what is new and goes on.
"""

import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from companion.console.latest import Latest
from companion.console.state import Json, Tongues, match_json, seen_json
from companion.game import News
from companion.lying import BoardPlace
from companion.phrases import LANGUAGES
from companion.seeing import Look
from referee.events import (
    BoardFound,
    BoardLost,
    CameraFound,
    CameraLost,
    CheckerEntered,
    CheckerMoved,
    DieThrown,
    DieUnreadable,
    Event,
    IllegalMove,
    Obscured,
    OpeningThrow,
    Visible,
)
from referee.match import Match
from referee.verdict import Verdict
from tabletop import BoardLocation
from vision.frame import Frame

TOLD: Final = 12
"""So many of the last rulings are kept in sight."""


_BOARD: Final = {"turned": "unnamed", "dark": "dark", "bright": "bright"}
"""What the page is told of the board, by why it is lost; by any other reason it is just lost. Of an
unnamed one people are asked where its a1 is."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The newest frame, and where the board lies in it as far as that is known."""

    frame: Frame
    board: BoardLocation | None


class Showing:
    """Gathers what the page shows.

    Attributes:
        state: the newest state, as JSON values.
        sight: the newest frame; None before the first.
    """

    def __init__(self, *, by_place: bool = False) -> None:
        self.state: Final = Latest[Json]({"mode": "idle"})
        self.sight: Final = Latest[Sight | None](None)
        self._by_place: Final = by_place
        self._tongues: Tongues | None = None
        self._lock: Final = threading.Lock()
        self._parts: dict[str, Json] = {"mode": "idle"}
        self._table = {"camera": "ok", "board": "ok", "obscured": False}
        self._told: Final[deque[dict[str, Json]]] = deque(maxlen=TOLD)
        self._pictured: Final[deque[int]] = deque(maxlen=TOLD)
        self._count = 0
        self._board: BoardLocation | None = None

    def begin(self, game: str, board: BoardLocation | None) -> None:
        """Show the game of that id from now on, its *board* lying as at calibration."""
        self._board = board
        self._told.clear()
        self._pictured.clear()
        self._show(mode="game", game=game, match=None, seen=None, told=[], set_up=None)

    def show(self, **parts: Json) -> None:
        """Show *parts* of the state as they are now."""
        self._show(**parts)

    def frame(self, frame: Frame, board: BoardLocation | None = None) -> None:
        """Show the camera's newest picture."""
        self.sight.put(Sight(frame, board or self._board))

    def camera(self, there: bool) -> None:
        """Show whether the camera is there, while no game tells it."""
        camera = "ok" if there else "lost"
        if self._table["camera"] != camera:
            self._table["camera"] = camera
            self._show(table=dict(self._table))

    def hear(self, news: News) -> None:
        """Show what was ruled; called in a thread of its own, for words take their time."""
        if self._tongues is None:
            self._tongues = Tongues(by_place=self._by_place)
        said: Json
        if news.again:
            said = {"weight": 0, **self._tongues.prompt(news.after, no_die=news.no_die)}
        else:
            said = self._tongues.rulings(news.events, news.before, news.after)
        if said:
            self._count += 1
            told = {"number": self._count, "sequence": news.after.sequence, **said}
            told["part"] = "die" if _only_thrown(news.events) else "board"
            if news.lines:
                told["at"] = news.lines[-1].at.isoformat(timespec="seconds")
            if news.again and self._told and _alike(self._told[-1], told):
                told = self._told.pop() | {"number": self._count}
            self._told.append(told)
        for event in news.events:
            self._notice(event)
        self._show(
            match=match_json(news.after, self._tongues),
            told=self._told_json(),
            table=dict(self._table),
        )

    def seen(self, look: Look, verdict: Verdict, before: Match) -> None:
        """Show what was seen, and remember that there is a picture of what was ruled."""
        board = look.reading.board
        if isinstance(board, BoardLocation) and look.place is not BoardPlace.LOST:
            self._board = board
        if verdict.events:
            self._pictured.append(before.sequence + len(verdict.events))
        self._show(seen=seen_json(look), told=self._told_json())

    def _notice(self, event: Event) -> None:
        match event:
            case CameraLost():
                self._table["camera"] = "lost"
            case CameraFound():
                self._table["camera"] = "ok"
            case BoardLost(reason=reason):
                self._table["board"] = _BOARD.get(reason, "lost")
            case BoardFound():
                self._table["board"] = "ok"
            case Obscured():
                self._table["obscured"] = True
            case Visible():
                self._table["obscured"] = False
            case _:
                pass

    def _told_json(self) -> Json:
        pictured = tuple(self._pictured)
        return [
            {**one, "picture": picture_name(one) if one["sequence"] in pictured else None}
            for one in tuple(self._told)
        ]

    def _show(self, **parts: Json) -> None:
        with self._lock:
            self._parts |= parts
            self.state.put(dict(self._parts))


def picture_name(told: dict[str, Json]) -> str:
    """Return the name of the picture that shows what was *told*."""
    return f"{told['sequence']:05}-{told['part']}.jpg"


def _alike(one: dict[str, Json], other: dict[str, Json]) -> bool:
    """Tell whether two rulings say the same of the same state, in every language."""
    same = ("sequence", *LANGUAGES)
    return [one.get(name) for name in same] == [other.get(name) for name in same]


def _only_thrown(events: tuple[Event, ...]) -> bool:
    """Tell whether the die shows all that was ruled, no checker having been touched."""
    kinds = {type(event) for event in events}
    return bool(kinds & {OpeningThrow, DieThrown, DieUnreadable}) and not kinds & {
        CheckerEntered,
        CheckerMoved,
        IllegalMove,
    }
