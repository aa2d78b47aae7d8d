"""What careless people and odd shells do to the program: never a traceback, never a silent loss."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load_profile
from companion.cli import run
from companion.log.game_folder import CLIPS_NAME
from companion.log.games import list_games
from companion.log.journal import JOURNAL_NAME, read_journal
from companion.log.statistics import statistics
from companion.log.verify import verify
from tests.companion.journals import knock_out, write

PROGRAM = [sys.executable, "-m", "companion"]


def watch(source: str, profile: Path, games: Path, *more: str) -> list[str]:
    """Return the arguments that watch *source* in silence."""
    return ["watch", source, "--table", str(profile), "--games", str(games), "--mute", *more]


def pictures(table: Path) -> str:
    """Return the source of a table's pictures."""
    return f"stills:{table / 'frames'}"


@pytest.mark.parametrize("shell", ["pachisi >&-", "pachisi 2>&-", "pachisi >&- 2>&-"])
@pytest.mark.parametrize("command", ["games list", "games list --json"])
def test_a_closed_output_is_no_trouble(shell: str, command: str, tmp_path: Path) -> None:
    """Expect status 0 and no traceback where the shell closed an output."""
    program = f"{sys.executable} -m companion {command} --games {tmp_path}"
    done = subprocess.run(
        shell.replace("pachisi", program), shell=True, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_full_output_is_said_in_a_line(tmp_path: Path) -> None:
    """Expect status 1 and the reason, where standard output cannot be written to."""
    write(tmp_path, knock_out())
    with Path("/dev/full").open("w") as full:
        command = [*PROGRAM, "games", "list", "--games", str(tmp_path)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "pachisi: standard output cannot be written: No space left on device\n"


def test_a_reader_who_leaves_stops_no_game(table: Path, profile: Path, tmp_path: Path) -> None:
    """Expect the whole game in the log, and a line instead of a traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [*PROGRAM, *watch(pictures(table), profile, tmp_path, "--json")]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "JsonLines failed" in done.stderr
    (game,) = list_games(tmp_path)
    assert game.events > 5
    assert verify(game.folder).right


@pytest.mark.parametrize(
    "told", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.proof)]
)
def test_a_game_told_to_end_closes_what_is_open(tmp_path: Path, told: signal.Signals) -> None:
    """Expect the end of an interruption: status 130, how to go on, and the last frames kept."""
    playing = subprocess.Popen(
        [*PROGRAM, "demo", "--speed", "1", "--json", "--mute", "--games", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert playing.stdout
    for _ in range(2):
        playing.stdout.readline()
    playing.send_signal(told)
    _, err = playing.communicate()
    assert playing.returncode == 130
    assert "--resume" in err
    assert list(tmp_path.glob(f"*/{CLIPS_NAME}/*.zip"))
    assert "Traceback" not in err


def test_names_that_are_no_text_are_told_all_the_same(tmp_path: Path) -> None:
    """Expect a path that is no UTF-8 back in the JSON, and in the words."""
    path = os.fsencode(tmp_path) + b"/\xff.png"
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((48, 64, 3), 128, np.uint8))
    (tmp_path / "grey.png").rename(os.fsdecode(path))
    for more in ([], ["--json"]):
        done = subprocess.run([*PROGRAM, "read", path, *more], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["image"] == os.fsdecode(path)


@pytest.mark.parametrize("command", ["show", "verify", "export --format csv", "stats"])
@pytest.mark.parametrize("name", ["", "x" * 300, "no-such-game"])
def test_a_game_that_is_not_there_is_said(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and a line, whatever is called a game."""
    word, *more = command.split()
    assert run(["games", word, name, *more, "--games", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err
    assert "should not" not in err


@pytest.mark.parametrize("command", ["verify", "stats"])
def test_a_game_that_is_not_there_keeps_no_other_from_being_done(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1, and the game that is there done."""
    game = write(tmp_path, knock_out())
    assert run(["games", command, "no-such-game", str(game), "--json"]) == 1
    out, err = capsys.readouterr()
    assert "no-such-game" in err
    assert json.loads(out)


def test_tables_are_whole_where_there_is_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect every column's name, and no row cut off, in a file or a pipe."""
    write(tmp_path, knock_out())
    assert run(["games", "stats", "--games", str(tmp_path)]) == 0
    head = capsys.readouterr().out.splitlines()[0].split()
    assert head[-6:] == ["dealt", "suffered", "fines", "passes", "illegal", "balance"]


def test_a_log_that_tells_of_strangers_is_counted_without_them(tmp_path: Path) -> None:
    """Expect the players' own sums where an altered log names a seat nobody has."""
    path = write(tmp_path, knock_out()) / JOURNAL_NAME
    path.write_text(path.read_text().replace('"seat": "D2"', '"seat": "D3"'))
    lines, _ = read_journal(path)
    assert [player.games for player in statistics([lines])] == [1, 1]


def test_a_record_that_is_no_text_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and what records are written in, for a picture named as a game."""
    path = tmp_path / "picture.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    for command in ("show", "verify"):
        assert run(["games", command, str(path)]) == 1
        assert "UTF-8" in capsys.readouterr().err


def test_a_profile_without_seats_needs_them_from_the_command_line(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 2 and no game begun without --seats, and a game with them."""
    bare = tmp_path / "table.toml"
    lines = profile.read_text().splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if not line.startswith(("D4 =", "D2 ="))))
    games = tmp_path / "games"
    assert run(watch(pictures(table), bare, games)) == 2
    assert "--seats" in capsys.readouterr().err
    assert not games.exists()
    assert run(watch(pictures(table), bare, games, "--seats", "D4=red,D2=blue")) == 0
    assert len(list_games(games)) == 1


def test_the_rotation_is_the_profiles(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 2 where another is asked for, and no game that lies about its board."""
    assert run(watch(pictures(table), profile, tmp_path, "--rule", "rotation=2")) == 2
    assert "rotation = 0" in capsys.readouterr().err
    assert list_games(tmp_path) == ()


def test_options_that_a_resumed_game_cannot_take_are_named(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the game to keep its stake, and a line that says so."""
    source = f"stills:{table / 'one'}"
    (table / "one").mkdir()
    (table / "one" / "000.png").write_bytes((table / "frames" / "000.png").read_bytes())
    assert run(watch(source, profile, tmp_path)) == 0
    capsys.readouterr()
    assert run(watch(source, profile, tmp_path, "--resume", "--stake", "50")) == 0
    assert "as it was begun" in capsys.readouterr().err
    (game,) = list_games(tmp_path)
    assert game.started
    assert game.started.stake == 10


def test_the_simulated_table_can_be_calibrated(tmp_path: Path) -> None:
    """Expect a profile with the seats that were asked for, made without a camera."""
    out = tmp_path / "table.toml"
    assert run(["calibrate", "demo:3", "--seats", "D3=green,D1=white", "--out", str(out)]) == 0
    assert [f"{seat}={colour}" for seat, colour in load_profile(out).seats] == [
        "D3=green",
        "D1=white",
    ]


def test_a_camera_beyond_all_numbers_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """Expect status 3, as of any camera that is not there."""
    number = "9" * 22
    assert run(["calibrate", f"usb:{number}", "--seats", "D4=red,D2=blue", "--mute"]) == 3
    assert number in capsys.readouterr().err


@pytest.mark.parametrize(
    "entry",
    [
        {"image": "grey.png", "corners": {"a1": [1], "h1": [2, 2], "h8": [3, 3], "a8": [4, 4]}},
        {"image": "grey.png", "corners": dict.fromkeys(("a1", "h1", "h8", "a8"), (5, 5))},
        {"corners": None},
        ["grey.png"],
    ],
)
def test_labels_that_cannot_be_are_refused(
    entry: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and the name of the file with the labels."""
    (tmp_path / "labels.json").write_text(json.dumps([entry]))
    assert run(["evaluate", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert "labels.json" in err
    assert "should not" not in err


def test_labels_may_name_pictures_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect a picture outside the folder to be scored, and named from there."""
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320, 3), 128, np.uint8))
    (tmp_path / "set").mkdir()
    corners = {"a1": [9, 90], "h1": [90, 90], "h8": [90, 9], "a8": [9, 9]}
    entry = {"image": str(tmp_path / "grey.png"), "corners": corners}
    (tmp_path / "set" / "labels.json").write_text(json.dumps([entry]))
    assert run(["evaluate", str(tmp_path / "set"), "--json"]) == 0
    (worst,) = json.loads(capsys.readouterr().out)["worst"]
    assert worst["image"] == "../grey.png"


def test_every_reading_tells_the_time_of_every_stage(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the same keys with a profile, which needs no board found, and without a board."""
    grey = str(tmp_path / "grey.png")
    cv2.imwrite(grey, np.full((240, 320, 3), 128, np.uint8))
    picture = str(table / "frames" / "000.png")
    for arguments in ([grey], [picture, "--table", str(profile)]):
        assert run(["read", "--json", *arguments]) == 0
        elapsed_ms = json.loads(capsys.readouterr().out)["elapsed_ms"]
        assert {"board", "squares", "dice", "total"} <= set(elapsed_ms)


def test_no_password_of_a_camera_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the command to type without who asks for the picture."""
    missing = tmp_path / "none.toml"
    assert run(watch("http://bob:secret@127.0.0.1:9/x", missing, tmp_path)) == 1
    shown = capsys.readouterr()
    assert "secret" not in shown.out + shown.err
    assert "127.0.0.1:9/x" in shown.err
