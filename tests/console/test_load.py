"""The page under pressure: stalled, idle and noisy visitors never reach the referee's time."""

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from companion.console import ConsoleError, Place, open_console
from companion.console.guard import MOST_CONNECTIONS
from companion.console.pictures import MOST_VIEWERS
from referee.commands import SayThrow, TakeBack
from tests.console.puppets import FRAME, Puppet, puppet
from tests.console.test_walks import tell

SETTLED_S = 60.0
MOST_GROWTH_KB = 60_000
QUICK_S = 5.0
"""A referee that does not wait for the page is done long before, on any machine."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Puppet]:
    """Give a table at which red is to throw."""
    with puppet(tmp_path) as given:
        yield given


def port_of(table: Puppet) -> int:
    """Return the port that a table's page is served on."""
    return int(table.url.rpartition(":")[2])


def ask(connection: socket.socket, path: str, port: int) -> None:
    """Send a request and read nothing."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())


def referees_quickly(table: Puppet) -> None:
    """Prove that a command is obeyed in time, whatever goes on at the page."""
    before_s = time.monotonic()
    tell(table, SayThrow(6))
    took_s = time.monotonic() - before_s
    print(f"\na command is obeyed within {1000 * took_s:.0f} ms")
    assert took_s < QUICK_S
    assert table.game.match.die == 6


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    """The complaint names the port and what to type; nothing is left open."""
    with open_console(Place(0), tmp_path, "en") as page:
        port = int(page.url.rpartition(":")[2])
        with (
            pytest.raises(ConsoleError, match=rf"port {port} .*--port.*--no-web") as complaint,
            open_console(Place(port), tmp_path, "en"),
        ):
            pass
        assert "\n" not in str(complaint.value)


def test_a_page_that_stalls_holds_nobody_up(table: Puppet) -> None:
    """Neither a viewer who reads no pictures nor a page that confirms no state delays others."""
    port = port_of(table)
    with ExitStack() as stack:
        for path in ("/api/pictures", "/api/pictures?view=camera"):
            stalled = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            ask(stalled, path, port)
        silent = stack.enter_context(connect(f"ws://localhost:{port}/api/live"))
        good = stack.enter_context(connect(f"ws://localhost:{port}/api/live"))
        silent.recv()
        number = json.loads(good.recv())["number"]
        for _ in range(50):
            table.page.showing.frame(FRAME)
        referees_quickly(table)
        die = None
        while die != 6:
            good.send(json.dumps({"got": number}))
            told = json.loads(good.recv(timeout=30))
            number, die = told["number"], told["state"]["match"]["die"]
        with pytest.raises(TimeoutError):
            silent.recv(timeout=0)


def test_viewers_beyond_the_most_are_sent_away(table: Puppet) -> None:
    """Of the pictures' viewers only so many are served; the others are told to come later."""
    port = port_of(table)
    with ExitStack() as stack:
        for _ in range(MOST_VIEWERS):
            viewer = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            ask(viewer, "/api/pictures", port)
            assert viewer.recv(64).startswith(b"HTTP/1.1 200")
        late = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        ask(late, "/api/pictures", port)
        assert late.recv(64).startswith(b"HTTP/1.1 503")


@pytest.mark.proof
def test_a_thousand_idle_visitors(table: Puppet) -> None:
    """Idle connections take no more files than allowed, and a command still comes through."""
    port = port_of(table)
    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        referees_quickly(table)
        assert table.page.desk.sockets == 0
        # Those beyond the most are accepted first, and then closed.
        until_s = time.monotonic() + SETTLED_S
        while _open_at_server(port) > MOST_CONNECTIONS and time.monotonic() < until_s:
            threading.Event().wait(0.1)
        assert _open_at_server(port) <= MOST_CONNECTIONS


@pytest.mark.proof
def test_a_hundred_noisy_visitors(table: Puppet) -> None:
    """Floods of requests and messages are refused, memory stays, and the referee is quick."""
    before_kb = _held_kb()
    # In a process of their own: what they take of Python's time is not the page's.
    shouting = get_context("spawn").Process(target=_shout, args=(port_of(table),), daemon=True)
    shouting.start()
    try:
        for _ in range(5):
            referees_quickly(table)
            tell(table, TakeBack(1))
    finally:
        shouting.terminate()
        shouting.join()
    grown_kb = _held_kb() - before_kb
    print(f"\na hundred noisy visitors make the program grow by {grown_kb} kB")
    assert grown_kb < MOST_GROWTH_KB


def _held_kb() -> int:
    """Return how much memory this program holds now."""
    found = re.search(r"VmRSS:\s*(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1])


def _shout(port: int) -> None:
    """Ask and send without end, a hundred at once."""
    shouting = [threading.Thread(target=_shout_one, args=(port, number)) for number in range(100)]
    for thread in shouting:
        thread.start()


def _shout_one(port: int, number: int) -> None:
    while True:
        try:
            if number % 2:
                httpx2.get(f"http://localhost:{port}/api/state", timeout=5)
            else:
                with connect(f"ws://localhost:{port}/api/live", open_timeout=5) as talking:
                    for _ in range(50):
                        talking.send("x" * 1000)
        except (OSError, httpx2.HTTPError, WebSocketException):
            continue  # refused, as it should be


def _open_at_server(port: int) -> int:
    """Count the connections that the server has accepted and not closed."""
    mine = f":{port:04X}"
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(line.split()[1].endswith(mine) and line.split()[3] == "01" for line in lines)
