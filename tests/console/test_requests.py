"""What the page answers to its own visitors, and to those who mean ill."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from companion.console.guard import MOST_BODY_BYTES
from referee.match import Phase
from tests.console.desks import CODES, Table, table

LIVE = "ws://localhost:8000/api/live"
SIX = {"command": {"do": "say_throw", "value": 6}}
LOOKING = (
    "/api/state",
    "/api/picture",
    "/api/games",
    "/api/statistics",
    "/api/games/any",
    "/api/games/any/pictures/any",
    "/api/games/any/export/record",
)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Table]:
    """Give a page for this computer alone."""
    with table(tmp_path) as given:
        yield given


@pytest.fixture
def on_lan(tmp_path: Path) -> Iterator[Table]:
    """Give a page for the local network, with its codes."""
    with table(tmp_path, codes=CODES) as given:
        yield given


def pair(client: TestClient, code: str) -> Any:
    """Return the answer to a code."""
    return client.post("/api/pair", json={"code": code})


def test_the_page_lets_no_foreign_thing_in(at: Table) -> None:
    """Every answer forbids foreign scripts, frames and guesses at its kind."""
    for address in ("/", "/static/page.js", "/api/state", "/nowhere"):
        headers = at.client.get(address).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_the_state_is_the_referees(at: Table) -> None:
    """What is shown is what the match says, in both languages."""
    match = at.client.get("/api/state").json()["match"]
    assert (match["phase"], match["to_move"], match["sequence"]) == ("throw", "D4", 2)
    assert match["prompt"]["en"]["text"] == "Player D4, throw."
    assert match["prompt"]["ru"]["text"] != match["prompt"]["en"]["text"]
    assert [player["reserve"] for player in match["players"]] == [4, 4]


def test_a_command_is_obeyed(at: Table) -> None:
    """The match goes on, and the next state shows it."""
    assert at.client.post("/api/commands", json=SIX).json() == {"obeyed": True}
    assert (at.game.match.phase, at.game.match.die) == (Phase.MOVE, 6)
    state = at.client.get("/api/state").json()
    assert [move["move"] for move in state["match"]["legal"]] == ["@b1"]
    assert state["told"][-1]["en"]["text"].startswith("Player D4 throws six")


def test_a_command_that_cannot_be_obeyed_is_answered(at: Table) -> None:
    """Who asked hears why."""
    answer = at.client.post("/api/commands", json={"command": {"do": "leave_throw"}})
    assert (answer.status_code, answer.json()) == (409, {"refused": "no throw is owed a move"})


@pytest.mark.parametrize(
    "command",
    [
        {"do": "say_throw", "value": 7},
        {"do": "say_throw", "value": "6"} | {"more": 1},
        {"do": "rename", "seat": "D9", "name": "x"},
        {"do": "rename", "seat": "D4", "name": "x" * 41},
        {"do": "explode"},
        {},
    ],
    ids=str,
)
def test_a_wrong_form_is_refused(at: Table, command: dict[str, Any]) -> None:
    """What no page of ours sends never reaches the referee."""
    assert at.client.post("/api/commands", json={"command": command}).status_code == 422
    assert at.game.match.sequence == 2


def test_what_is_no_form_is_refused(at: Table) -> None:
    """Other kinds of bodies, and bodies too long, told or not told before, are turned away."""
    long = b'{"command": "' + b"x" * MOST_BODY_BYTES + b'"}'
    kind = {"content-type": "application/json"}

    def parts() -> Iterator[bytes]:
        yield from (long[:100], long[100:])

    post = at.client.post
    assert post("/api/commands", content=b"{", headers=kind).status_code == 422
    assert post("/api/commands", data={"do": "pause"}).status_code == 415
    assert post("/api/commands", content=long, headers=kind).status_code == 413
    assert post("/api/commands", content=parts(), headers=kind).status_code == 413
    assert at.client.get("/api/commands").status_code == 405


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8000"}, 421),
        ({"host": "192.168.1.5:8000"}, 421),
        ({"host": "localhost.evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost:9000"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "http://localhost:8000", "sec-fetch-site": "same-origin"}, 200),
    ],
    ids=str,
)
def test_commands_come_from_our_own_page(at: Table, headers: dict[str, str], status: int) -> None:
    """No other site can make a browser command the referee, whatever it calls us."""
    answer = at.client.post("/api/commands", json=SIX, headers=headers)
    assert answer.status_code == status
    assert (at.game.match.die == 6) == (status == 200)


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_sockets_are_opened_by_our_own_page(at: Table, headers: dict[str, str]) -> None:
    """No other site can listen in."""
    with (
        pytest.raises(WebSocketDisconnect),
        at.client.websocket_connect(LIVE, headers=headers),
    ):
        pass


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f__init__.py",
        "/static/%2e%2e/guard.py",
        "/static//etc/passwd",
        "/api/games/..",
        "/api/games/..%2f..%2fetc",
        "/api/games/%2fetc%2fpasswd",
        "/api/games/{id}/pictures/..%2fjournal.jsonl",
        "/api/games/{id}/pictures/%2fetc%2fpasswd",
        "/api/games/{id}/pictures/journal.jsonl",
        "/api/games/{id}/pictures/x%00.jpg",
        "/api/games/{id}/export/..%2frecord",
        "/api/games/{prefix}",
    ],
)
def test_no_path_from_outside_opens_a_file(at: Table, path: str) -> None:
    """Names are looked up in what is there; all others are nothing."""
    name = at.game.journal.id
    address = path.replace("{id}", name).replace("{prefix}", name[:10])
    assert at.client.get(address).status_code == 404


def test_without_a_code_nothing_is_shown(on_lan: Table) -> None:
    """A stranger in the local network gets the empty page and the question for the code."""
    assert on_lan.client.get("/").status_code == 200
    assert on_lan.client.get("/api/visitor").json() | {"language": ""} == {
        "look": False, "change": False, "paired": True, "language": "",
    }  # fmt: skip
    for address in LOOKING:
        assert on_lan.client.get(address).status_code == 403, address
    assert on_lan.client.post("/api/commands", json=SIX).status_code == 403
    with pytest.raises(WebSocketDisconnect), on_lan.client.websocket_connect(LIVE):
        pass


def test_a_code_lets_a_device_in(on_lan: Table) -> None:
    """The token is kept from scripts and from other sites, and stands for the code."""
    answer = pair(on_lan.client, f"{CODES.change[:3]} {CODES.change[3:]}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert on_lan.client.get("/api/state").status_code == 200
    assert on_lan.client.post("/api/commands", json=SIX).status_code == 200


def test_who_may_look_may_not_change(on_lan: Table) -> None:
    """The other code shows everything and moves nothing, by form or by socket."""
    assert pair(on_lan.client, CODES.look).json() == {"look": True, "change": False}
    assert on_lan.client.get("/api/state").status_code == 200
    assert on_lan.client.post("/api/commands", json=SIX).status_code == 403
    with on_lan.client.websocket_connect(LIVE) as socket:
        socket.receive_json()
        socket.send_json({"ticket": 1, "ask": SIX})
        assert socket.receive_json() == {"ticket": 1, "refused": "this device may only look"}
    assert on_lan.game.match.die is None


def test_codes_cannot_be_guessed(on_lan: Table) -> None:
    """After a few wrong codes even the right one must wait."""
    wrong = [pair(on_lan.client, f"{number:06}").status_code for number in range(7)]
    assert wrong == [403] * 5 + [429] * 2
    assert pair(on_lan.client, CODES.change).status_code == 429


def test_in_the_local_network_the_table_has_its_own_names(on_lan: Table) -> None:
    """An address and the computer's names are ours; a name given by somebody else is not."""
    for host, status in (
        ("table.local:8000", 200),
        ("table:8000", 200),
        ("192.168.1.5:8000", 200),
        ("[fe80::1]:8000", 200),
        ("evil.example:8000", 421),
        ("table.local.evil.example:8000", 421),
    ):
        answer = on_lan.client.get("/api/visitor", headers={"host": host})
        assert answer.status_code == status, host


def test_a_socket_tells_the_newest_state_only(at: Table) -> None:
    """The next state comes when the one before has arrived, and those in between are skipped."""
    with at.client.websocket_connect(LIVE) as socket:
        first = socket.receive_json()
        for command in (SIX, {"command": {"do": "pause"}}, {"command": {"do": "resume"}}):
            at.client.post("/api/commands", json=command)
        socket.send_json({"got": first["number"]})
        second = socket.receive_json()
        assert second["state"]["match"]["sequence"] == at.game.match.sequence
        assert second["number"] > first["number"] + 1


def test_a_socket_takes_commands(at: Table) -> None:
    """Each is answered with its ticket; what is no message is answered too."""
    with at.client.websocket_connect(LIVE) as socket:
        socket.receive_json()
        socket.send_json({"ticket": 7, "ask": {"command": {"do": "leave_throw"}}})
        assert socket.receive_json() == {"ticket": 7, "refused": "no throw is owed a move"}
        socket.send_text("{")
        assert socket.receive_json()["refused"].startswith("Invalid JSON")
        socket.send_json({"ticket": 8, "ask": SIX})
        assert socket.receive_json() == {"ticket": 8, "refused": None}


def test_commands_come_at_a_human_pace(at: Table) -> None:
    """Of a burst the first are obeyed, and the rest is refused in words."""
    again = {"command": {"do": "say_again"}}
    statuses = [at.client.post("/api/commands", json=again).status_code for _ in range(30)]
    assert statuses == [200] * 20 + [429] * 10


def test_what_is_said_again_stands_there_once(at: Table) -> None:
    """It is told as news each time, but the list of rulings does not grow by it."""
    again = {"command": {"do": "say_again"}}
    told = []
    for _ in range(3):
        assert at.client.post("/api/commands", json=again).status_code == 200
        told.append(at.client.get("/api/state").json()["told"])
    assert told[0][-1]["en"] == told[2][-1]["en"]
    assert [len(one) for one in told] == [len(told[0])] * 3
    assert told[0][-1]["number"] < told[1][-1]["number"] < told[2][-1]["number"]


def test_the_live_picture_is_a_picture(at: Table) -> None:
    """The camera's newest frame is there as a JPEG, whole where no board is known."""
    for view in ("board", "camera"):
        answer = at.client.get(f"/api/picture?view={view}")
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.content.startswith(b"\xff\xd8")
    assert at.client.get("/api/picture?view=elsewhere").status_code == 422


def test_a_game_is_told_step_by_step_and_sent_on(at: Table) -> None:
    """The steps tell of the bank and of what each paid; a page is made in the language asked for.

    A game whose log is wrong in the middle is not there, rather than an error.
    """
    name = at.game.journal.id
    assert (steps := at.client.get(f"/api/games/{name}").json()["steps"])
    assert steps[-1]["bank"] == {"en": "20 points", "ru": "20 очков"}
    assert steps[-1]["paid"] == {"D4": 10, "D2": 10}
    page = at.client.get(f"/api/games/{name}/export/html?language=ru")
    assert page.headers["content-type"].startswith("text/html")
    assert '<html lang="ru">' in page.text
    assert at.client.get(f"/api/games/{name}/export/html?language=xx").status_code == 404
    journal = at.game.journal.folder / "journal.jsonl"
    journal.write_text(journal.read_text() * 2)
    for what in ("", "/export/record", "/export/html"):
        assert at.client.get(f"/api/games/{name}{what}").status_code == 404
