"""Trouble round the log: outputs that are full, pictures that do not fit, broken settings."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from companion.cli import run
from companion.errors import JournalError
from companion.game import Game
from companion.log.games import list_games
from companion.log.journal import RECORD_NAME, Journal
from companion.settings import settings_path
from referee.events import FirstPlayer, OpeningThrow
from tabletop import Seat
from tests.companion.journals import BLUE, RED, SETUP, STARTED_AT, knock_out, write
from tests.companion.test_killed import watch


def test_an_output_that_is_full_is_an_error(table: Path, profile: Path, tmp_path: Path) -> None:
    """Expect status 1 and a line about it; the game itself is logged whole."""
    games = tmp_path / "games"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *watch(table, profile, games)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert "standard output cannot be written" in done.stderr
    (game,) = list_games(games)
    assert game.events > 2


@pytest.mark.parametrize("command", ["export {} --format csv", "export {} --format html"])
def test_a_game_that_cannot_be_told_is_an_error(tmp_path: Path, command: str) -> None:
    """Expect it to be said that it is the output that is full, and no file."""
    folder = write(tmp_path, knock_out())
    words = ["games", *command.format(folder.name).split(), "--games", str(tmp_path)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("pachisi: standard output cannot be written: No space left")


def test_pictures_that_do_not_fit_leave_no_game(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the sizes to be told before any game is begun or announced."""
    picture = cv2.imread(str(table / "frames" / "000.png"))
    assert picture is not None
    (tmp_path / "frames").mkdir()
    cv2.imwrite(str(tmp_path / "frames" / "0.png"), picture[::2, ::2])
    games = tmp_path / "games"
    assert run(watch(tmp_path, profile, games)) == 1
    told = capsys.readouterr()
    assert "640x480" in told.err
    assert "--resume" not in told.err
    assert (told.out, games.exists()) == ("", False)


def test_a_broken_settings_file_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    """Expect the doctor to examine all the same, and to say what is wrong in the file."""
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("prot = 9000\n")
    assert run(["doctor", "--json"]) == 3
    findings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (found,) = [one for one in findings if one["name"] == "settings"]
    assert not found["good"]
    assert "did you mean 'port'?" in found["text"]
    assert str(settings_path()) in found["cure"]
    assert len(findings) > 10


def test_a_record_that_cannot_be_written_stops_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Expect one warning, and every event in the log all the same."""

    def no_room(*_: object) -> None:
        raise JournalError("no room")

    with Journal.create(tmp_path, SETUP, STARTED_AT) as journal:
        game = Game.start(journal, (), lambda: STARTED_AT)
        (journal.folder / RECORD_NAME).unlink()
        monkeypatch.setattr(Journal, "write_record", no_room)
        for event in (
            OpeningThrow(Seat.D4, RED, 5),
            OpeningThrow(Seat.D2, BLUE, 3),
            FirstPlayer(Seat.D4, RED),
        ):
            game.rule((event,))
        assert len(journal.lines) == 4
    assert [record.getMessage() for record in caplog.records] == [
        "the record is not kept current: no room"
    ]
