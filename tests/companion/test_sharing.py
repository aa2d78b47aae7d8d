"""What is made of a game to be shown, sent and deleted."""

import base64
import io
import json
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from rich.console import Console

from companion import compose
from companion.cli import run
from companion.game import Game
from companion.log.commanded import Commanded
from companion.log.game_folder import CLIPS_NAME, JOURNAL_NAME, PICTURES_NAME
from companion.log.games import list_games
from companion.log.journal import Journal
from companion.log.moments import moment_at, moments
from companion.log.stepping import step_through
from companion.log.verify import verify
from companion.loop import Inbox, Watch, referee_game
from companion.phrases import Phrases
from companion.tapping import TappedSource
from hardware.bundled import FRAMES_NAME
from hardware.ports import FrameSource
from referee.commands import Pause, Rename, Resume, SayThrow, TakeBack
from referee.events import By, PlayerRenamed
from referee.match import replay
from tabletop import Seat
from tests.companion.journals import SETUP, knock_out, write
from vision.frame import Frame

EVIL = '</script><img src=x onerror="alert(1)">'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the folder of a right game with a picture of two of its rulings."""
    folder = write(tmp_path / "games", knock_out())
    with Journal.open(folder) as journal:
        journal.write_record(replay(line.event for line in journal.lines))
    (folder / "why").mkdir()
    for first, last, grey in ((20, 25, 90), (28, 29, 200)):
        picture = np.full((320, 320, 3), grey, np.uint8)
        cv2.imwrite(str(folder / PICTURES_NAME / f"{last:05}-board.jpg"), picture)
        why = {"sequence": [first, last], "pictures": [f"{last:05}-board.jpg"]}
        (folder / "why" / f"{last:05}.json").write_text(json.dumps(why))
    return folder


@pytest.fixture(scope="module")
def watched(table: Path, profile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a game that was watched in pictures."""
    games = tmp_path_factory.mktemp("watched")
    command = ["watch", f"stills:{table / 'frames'}", "--table", str(profile), "--mute", "--no-web"]
    assert run([*command, "--games", str(games)]) == 0
    (found,) = list_games(games)
    return found.folder


class _Page(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep what stands in the element with the game."""
        if self.tags and self.tags[-1] == ("script", {"type": "application/json", "id": "game"}):
            self.data += data


def test_a_page_needs_nothing_else(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect every moment, the pictures inside it, and nothing that is fetched from anywhere."""
    assert run(["games", "export", str(game), "--format", "html"]) == 0
    text = capsys.readouterr().out
    page = _Page(text)
    told = json.loads(page.data)["moments"]
    assert [one["number"] for one in told if one["knock_out"]] == [25]
    assert told[-1]["squares"] == {"f1": ["red"]}
    assert told[-1]["bank"] == "21 points"
    (url,) = told[moment_at(moments(game, Journal.open(game).lines), 25)]["pictures"]
    kept = base64.b64decode(url.removeprefix("data:image/jpeg;base64,"))
    picture = cv2.imdecode(np.frombuffer(kept, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (220, 220, 3)
    assert not [tag for tag, attrs in page.tags if {"src", "href"} & set(attrs)]
    assert not re.findall(r"url\(|@import|https?:|fetch\(|XMLHttp", text.replace(page.data, ""))
    policy = next(attrs for tag, attrs in page.tags if "http-equiv" in attrs)["content"]
    assert policy
    assert policy.startswith("default-src 'none'")


def test_names_are_text_never_markup(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect a name that would be a program elsewhere to be told as it is."""
    with Journal.open(game) as journal:
        journal.append(PlayerRenamed(Seat.D4, EVIL), journal.lines[-1].at)
        journal.append(PlayerRenamed(Seat.D2, "[/]"), journal.lines[-1].at)
    assert run(["games", "stats", str(game)]) == 0
    assert "[/] " in capsys.readouterr().out
    assert run(["games", "export", str(game), "--format", "html"]) == 0
    page = _Page(capsys.readouterr().out)
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert json.loads(page.data)["moments"][-1]["players"][0]["name"] == EVIL


@pytest.mark.parametrize("ending", ["mp4", "avi", "webm"])
def test_a_film_plays(game: Path, ending: str, tmp_path: Path) -> None:
    """Expect so many frames of the board, in their order, when the film is read back."""
    path = tmp_path / f"game.{ending}"
    command = ["games", "export", str(game), "--format", "film", "--out", str(path)]
    assert run(command) == 0
    film = cv2.VideoCapture(str(path))
    greys = []
    while True:
        there, frame = film.read()
        if not there:
            break
        assert frame.shape == (720, 640, 3)
        greys.append(round(float(frame[100:500, 100:500].mean())))
    film.release()
    assert len(greys) == 12
    assert greys[2] == pytest.approx(90, abs=6)
    assert greys[-2] == pytest.approx(200, abs=6)


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ("--format film", 2, "--out game.mp4"),
        ("--format film --out game.gif", 1, ".mp4"),
        ("--format html --out missing/x.html", 1, "cannot be written"),
    ],
)
def test_what_cannot_be_exported_is_said(
    game: Path, words: str, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the cure, and no traceback."""
    assert run(["games", "export", str(game), *words.split()]) == status
    assert told in capsys.readouterr().err


def test_moments_are_shown(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect the knock-out alone, with its pictures; and one moment whole with its board."""
    assert run(["games", "show", str(game), "--knock-outs", "--json"]) == 0
    (told,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told["number"] == 25
    assert told["events"] == [22, 23, 24, 25]
    assert told["pictures"] == [str(game / PICTURES_NAME / "00025-board.jpg")]
    assert "knocks out" in told["told"][0]
    assert run(["games", "show", str(game), "--at", "25"]) == 0
    shown = capsys.readouterr().out
    assert "00025-board.jpg" in shown.replace("\n", "")
    assert run(["games", "show", str(game / "record.txt"), "--step", "--language", "ru"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 10


def test_keys_lead_through_a_game(game: Path) -> None:
    """Expect each key to lead where it says, and to stay where there is nothing that way."""
    there = moments(game, Journal.open(game).lines)
    console = Console(force_terminal=True, width=100, height=40, record=True, file=None)
    keys = iter([" ", "\x1b[C", "k", "k", "K", "p", "r", "G", "g", "x", "q"])
    with console.capture() as shown:
        step_through(game, there, Phrases("en"), console, lambda: next(keys))
    places = re.findall(r"(\d+)/\d+   ", shown.get())
    out = moment_at(there, 25) + 1
    last = len(there)
    assert [int(place) for place in places] == [
        1,
        2,
        3,
        out,
        out,
        out,
        out - 1,
        out - 1,
        last,
        1,
        1,
    ]


def test_the_pictures_of_a_watched_game_lead_to_the_same_events(watched: Path) -> None:
    """Expect every scene that was ruled on to be kept, and most to be ruled on alike again."""
    from companion.log.rereading import kept_scenes, reread

    result = reread(watched, verify(watched))
    ruled = {path.stem for path in (watched / "why").glob("*.json")}
    assert result.scenes == len(ruled) == len(list(kept_scenes(watched)))
    assert result.scenes >= 3
    assert result.alike >= result.scenes - 1, result.notes
    assert result.faults == ()


def test_a_bundle_shows_board_and_dice_alone(watched: Path, tmp_path: Path) -> None:
    """Expect all that is known of the game, the rest of a frame black, and no home's name."""
    path = tmp_path / "bundle.zip"
    assert run(["games", "bundle", str(watched), "--out", str(path)]) == 0
    with zipfile.ZipFile(path) as bundle:
        names = set(bundle.namelist())
        assert {"about.json", "doctor.json", f"game/{JOURNAL_NAME}"} <= names
        assert json.loads(bundle.read("about.json"))["game"] == watched.name
        assert bundle.read(f"game/{JOURNAL_NAME}") == (watched / JOURNAL_NAME).read_bytes()
        clip = min(name for name in names if name.startswith(f"game/{CLIPS_NAME}/"))
        (tmp_path / "clip.zip").write_bytes(bundle.read(clip))
        assert str(Path.home()).encode() not in bundle.read("doctor.json")
    with zipfile.ZipFile(tmp_path / "clip.zip") as frames:
        data = np.frombuffer(frames.read("0000.jpg"), np.uint8)
    frame = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert frame is not None
    assert max(frame[corner].max() for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1))) < 12
    assert frame.mean() > 20


def test_a_bundle_is_played_again(
    watched: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the frames to be ruled on as they were, and another ruling to be told apart."""
    path = tmp_path / "bundle.zip"
    assert run(["games", "bundle", str(watched), "--out", str(path), "--whole-picture"]) == 0
    capsys.readouterr()
    assert run(["watch", f"bundle:{path}", "--json", "--games", str(tmp_path / "games")]) == 0
    out, err = capsys.readouterr()
    assert "are ruled as they were" in err
    assert [json.loads(line)["kind"] for line in out.splitlines()]
    assert not (tmp_path / "games").exists()
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(path) as bundle, zipfile.ZipFile(other, "w") as changed:
        for name in bundle.namelist():
            data = bundle.read(name)
            if name.endswith(JOURNAL_NAME):
                data = re.sub(rb'(die_thrown.*?"value": )(\d)', _another_value, data)
            changed.writestr(name, data)
    assert run(["watch", f"bundle:{other}", "--games", str(tmp_path / "games")]) == 1


@pytest.mark.parametrize(
    ("part", "before", "content", "status", "told"),
    [
        ("why/", "", b"", 0, "are ruled as they were"),
        ("clips/", "last-", None, 1, "is no clip"),
        ("clips/", "", b"PK\x03\x04", 1, "cannot be read"),
        ("clips/", "", "[]", 0, "too few frames"),
        ("clips/", "", '[{"line": 1, "look": 7}]', 1, "of a look"),
        ("tables/", "", b"", 1, "cannot be read"),
    ],
    ids=["torn why", "odd name", "torn clip", "no frames", "odd look", "torn table"],
)
def test_a_damaged_bundle_is_played_as_far_as_can_be(
    watched: Path,
    tmp_path: Path,
    part: str,
    before: str,
    content: bytes | str | None,
    status: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect what a power cut may have left to be passed over, and anything else to be named."""
    whole, path = tmp_path / "whole.zip", tmp_path / "damaged.zip"
    assert run(["games", "bundle", str(watched), "--out", str(whole), "--whole-picture"]) == 0
    with zipfile.ZipFile(whole) as bundle, zipfile.ZipFile(path, "w") as damaged:
        for name in bundle.namelist():
            data = bundle.read(name)
            if f"/{part}" in name and content is not None:
                data = _clip_of(content) if isinstance(content, str) else content
            damaged.writestr(name.replace(part, part + before), data)
    assert run(["watch", f"bundle:{path}"]) == status
    err = capsys.readouterr().err
    assert told in err
    assert "should not" not in err


def _clip_of(frames_json: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as clip:
        clip.writestr(FRAMES_NAME, frames_json)
    return out.getvalue()


def test_what_was_commanded_is_commanded_again(
    table: Path,
    profile: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect each command in the log with what came of it, and again where a clip is played."""
    commands = {
        3: (Rename(Seat.D4, "Vera"), Pause(), Resume()),
        5: (TakeBack(),),
        6: (SayThrow(2),),
    }

    def commanded(source: FrameSource, watch: Watch, game: Game, inbox: Inbox, **rest: Any) -> None:
        def tap(frame: Frame) -> None:
            for command in commands.get(frame.number, ()):
                inbox.put(command, By.CONSOLE)

        referee_game(TappedSource(source, tap), watch, game, inbox, **rest)

    games, path = tmp_path / "games", tmp_path / "bundle.zip"
    options = ["--games", str(games), "--mute", "--no-web"]
    monkeypatch.setattr(compose, "referee_game", commanded)
    assert run(["watch", f"stills:{table / 'frames'}", "--table", str(profile), *options]) == 0
    (found,) = list_games(games)
    lines = Journal.open(found.folder).lines
    given = [line.commanded for line in lines if line.commanded is not None]
    assert given == [Commanded(one, By.CONSOLE) for those in commands.values() for one in those]
    assert verify(found.folder).right
    assert run(["games", "bundle", str(found.folder), "--out", str(path)]) == 0
    capsys.readouterr()
    assert run(["watch", f"bundle:{path}", "--json"]) == 0, capsys.readouterr().err
    out, err = capsys.readouterr()
    assert "are ruled as they were" in err
    kinds = [json.loads(line)["kind"] for line in out.splitlines()]
    assert {"player_renamed", "paused", "resumed", "corrected"} <= set(kinds)


def test_the_game_of_a_bundle_is_imported(watched: Path, tmp_path: Path) -> None:
    """Expect the same game with all that shows it, and nothing from beside the game."""
    path = tmp_path / "bundle.zip"
    assert run(["games", "bundle", str(watched), "--out", str(path)]) == 0
    with zipfile.ZipFile(path, "a") as bundle:
        bundle.writestr("game/pictures/../../../evil.txt", "")
    games = tmp_path / "deep" / "games"
    assert run(["games", "import", str(path), "--games", str(games)]) == 0
    (found,) = list_games(games)
    assert verify(found.folder).seal == verify(watched).seal
    for name in (PICTURES_NAME, "why", "tables", CLIPS_NAME):
        there = sorted(one.name for one in (found.folder / name).iterdir())
        assert there == sorted(one.name for one in (watched / name).iterdir())
    assert not list(tmp_path.rglob("evil.txt"))


def _another_value(found: re.Match[bytes]) -> bytes:
    return found[1] + str(int(found[2]) % 6 + 1).encode()


@pytest.mark.parametrize("content", [None, b"", b"PK\x05\x06" + bytes(18), b"words"])
def test_what_is_no_bundle_is_refused(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and the file's name."""
    path = tmp_path / "x.zip"
    if content is not None:
        path.write_bytes(content)
    assert run(["watch", f"bundle:{path}"]) == 1
    err = capsys.readouterr().err
    assert str(path) in err
    assert "should not" not in err


def test_a_game_is_deleted_for_good(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect nothing of it to be left, once it is confirmed; and a game being played to stay."""
    games = game.parent
    with Journal.open(game):
        assert run(["games", "delete", game.name, "--games", str(games), "--yes"]) == 1
        assert "being written" in capsys.readouterr().err
    assert run(["games", "delete", game.name, "--games", str(games)]) != 0
    assert game.exists()
    assert run(["games", "delete", game.name, "--games", str(games), "--yes"]) == 0
    assert list(games.iterdir()) == []


def test_a_player_is_forgotten(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect every game to go in which he was ever called so, and no other.

    His name is then nowhere; that somebody was "Player 1" until he was named tells of nobody.
    """
    games = game.parent
    first, *rest = knock_out()
    renamed = write(games, [first, PlayerRenamed(Seat.D4, "Vera"), *rest])
    names = ((Seat.D4, "Player 1"), (Seat.D2, "Mark"))
    other = write(games, [replace(SETUP, names=names), PlayerRenamed(Seat.D4, "Olga"), *rest])
    assert run(["games", "forget", "anna", "--games", str(games), "--yes"]) == 0
    assert [one.folder for one in list_games(games)] == [other]
    assert not renamed.exists()
    left = [path.read_bytes() for path in games.rglob("*") if path.is_file()]
    assert not any(b"Anna" in data for data in left)
    for name in ("Anna", "Player 1"):
        assert run(["games", "forget", name, "--games", str(games), "--yes"]) == 1
        assert f"nobody called {name!r}" in capsys.readouterr().err


def test_a_game_may_be_named_from_inside_its_folder(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect a dot and the log's bare name to name the game by its id."""
    monkeypatch.chdir(game)
    assert run(["games", "bundle", ".", "--out", "../x.zip"]) == 0
    with zipfile.ZipFile("../x.zip") as bundle:
        assert json.loads(bundle.read("about.json"))["game"] == game.name
    assert run(["games", "delete", JOURNAL_NAME, "--yes"]) == 0
    assert game.name in capsys.readouterr().err
    assert not game.exists()


def test_a_game_is_deleted_where_it_is(game: Path, tmp_path: Path) -> None:
    """Expect a link to its folder to lead there, and nothing of it to be left."""
    link = tmp_path / "link"
    link.symlink_to(game)
    assert run(["games", "delete", str(link), "--yes"]) == 0
    assert list(game.parent.iterdir()) == []


def test_games_are_searched(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect names in full, words in part, and capitals not to matter."""
    for words, found in (
        (["--player", "борис"], True),
        (["--player", "Bor"], False),
        (["--search", "unfin RED anna"], True),
        (["--search", "green"], False),
    ):
        assert run(["games", "list", "--games", str(game.parent), "--json", *words]) == 0
        assert (game.name in capsys.readouterr().out) is found
