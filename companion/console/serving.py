"""The page's server: a thread of its own, opened and closed around a game."""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from companion.console.access import Access, Codes
from companion.console.application import Desk, application
from companion.console.guard import GuardedHttp
from companion.console.guide import Trial
from companion.console.library import Library
from companion.console.set_up import SetUp
from companion.console.showing import Showing
from companion.console.site import Place
from companion.console.state import Json
from companion.errors import CompanionError
from companion.loop import Inbox
from companion.tapping import TappedSource
from hardware.ports import FrameSource
from tabletop import BoardLocation

START_S: Final = 10.0
STOP_S: Final = 5.0
_MOST_MESSAGE_BYTES: Final = 8 * 1024


class ConsoleError(CompanionError):
    """The page cannot be served; the game can go on without it."""


@dataclass(frozen=True, slots=True)
class Console:
    """The open page.

    Attributes:
        url: what people type to see it.
        codes: what lets a device in; None where everybody who can reach the page may do all.
        showing: hears of rulings, looks and frames.
        desk: what the page's requests need.
    """

    url: str
    codes: Codes | None
    showing: Showing
    desk: Desk

    @property
    def told(self) -> str:
        """Where the page is and what lets a device in, as shown to who started the program."""
        if self.codes is None:
            return self.url
        return f"{self.url}, code {self.codes.change}; to let somebody only look {self.codes.look}"

    def tapped(self, source: FrameSource) -> FrameSource:
        """Return *source*, its frames being shown as they pass."""
        return TappedSource(source, self.showing.frame)

    def show_set_up(self, shown: Json) -> None:
        """Show how far the set-up has come."""
        self.showing.show(set_up=shown)

    def begin_set_up(self, set_up: SetUp, trials: Mapping[str, Trial]) -> None:
        """Let people on the page take part in *set_up*, and try what *trials* name."""
        self.showing.show(mode="set-up", match=None, told=[])
        self.desk.trials = trials
        self.desk.set_up = set_up

    def begin(self, game: str, board: BoardLocation | None, inbox: Inbox) -> None:
        """Show the game of that id, and let people command it through *inbox*."""
        self.desk.set_up = None
        self.showing.begin(game, board)
        self.desk.inbox = inbox


@contextmanager
def open_console(
    place: Place,
    games_dir: Path,
    language: str,
    *,
    by_place: bool = False,
    devices: Path | None = None,
) -> Iterator[Console]:
    """Serve the page until the context ends.

    Args:
        place: where.
        games_dir: the folder of the logged games.
        language: the page's, unless its visitor wants another.
        by_place: call squares by their place, for boards without letters.
        devices: the file in which the devices that were let in outlast the program.

    Raises:
        ConsoleError: the port is taken, or may not be had.
    """
    listening = _listen(place)
    port: int = listening.getsockname()[1]
    codes = Codes.fresh() if place.lan else None
    showing = Showing(by_place=by_place)
    library = Library(games_dir, by_place=by_place)
    desk = Desk(showing, Access(codes, kept=devices), library, language)
    server = _Server(desk, place, listening)
    try:
        server.start()
        yield Console(place.url(port), codes, showing, desk)
    finally:
        server.stop()


class _Uvicorn(uvicorn.Server):
    """Wakes up once a second, for the date, instead of ten times."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending: Final = asyncio.Event()

    def end(self) -> None:
        """Serve no longer; called in the event loop."""
        self.should_exit = True
        self._ending.set()

    async def main_loop(self) -> None:
        """Go on until the end."""
        seconds = 0
        while not await self.on_tick(10 * seconds):
            seconds += 1
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), 1.0)


class _Server:
    """Runs uvicorn in a thread."""

    def __init__(self, desk: Desk, place: Place, listening: socket.socket) -> None:
        # What a stranger sends is no news for the terminal of people who play.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self._listening: Final = listening
        self._desk: Final = desk
        config = uvicorn.Config(
            application(desk, place, listening.getsockname()[1]),
            http=GuardedHttp,
            ws="websockets-sansio",
            ws_max_size=_MOST_MESSAGE_BYTES,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=_MOST_MESSAGE_BYTES,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=2,
        )
        self._server: Final = _Uvicorn(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Final = threading.Thread(target=self._run, name="console", daemon=True)
        self._up: Final = threading.Event()

    def start(self) -> None:
        """Serve; return when visitors can come.

        Raises:
            ConsoleError: the server does not come up.
        """
        self._thread.start()
        if not self._up.wait(START_S):
            raise ConsoleError("the console page does not come up; the game goes on without it")

    def stop(self) -> None:
        """Send everybody home and end the thread."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(STOP_S)
        self._listening.close()

    def _end(self) -> None:
        self._desk.end()
        self._server.end()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._up.set)
        await self._server.serve(sockets=[self._listening])


def _listen(place: Place) -> socket.socket:
    """Return a socket that listens at *place*.

    Raises:
        ConsoleError: the port is taken, or may not be had.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((place.address, place.port))
        made.listen(128)
    except OSError as error:
        made.close()
        raise ConsoleError(
            f"there is no console page: port {place.port} cannot be had ({error.strerror}); "
            "choose another with --port, or none with --no-web"
        ) from error
    return made
