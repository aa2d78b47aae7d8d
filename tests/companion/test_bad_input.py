"""What people really hand in: each trouble has a clear line, its status, and costs no event."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import run
from companion.log.games import list_games
from companion.log.journal import JOURNAL_NAME, read_journal
from companion.log.lines import line_json
from companion.log.verify import verify
from tests.companion.conftest import SEATS

PROGRAM = [sys.executable, "-m", "companion"]


def watch(table: Path, profile: Path, games: Path, *more: str) -> list[str]:
    """Return the arguments that watch the pictures of a table."""
    where = ["--table", str(profile), "--games", str(games), "--json", "--mute", "--no-web"]
    return ["watch", f"stills:{table / 'frames'}", *where, *more]


def only_log(games: Path) -> Path:
    """Return the log of the only game in a folder of games."""
    (game,) = list_games(games)
    return game.folder / JOURNAL_NAME


def test_a_game_in_pictures_is_refereed_and_logged(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect nothing but the log's own lines on standard output, and a game that proves right."""
    assert run(watch(table, profile, tmp_path)) == 0
    out, err = capsys.readouterr()
    lines, torn = read_journal(only_log(tmp_path))
    assert torn is None
    assert [json.loads(line) for line in out.splitlines()] == [line_json(line) for line in lines]
    assert len(lines) > 5
    assert "--resume" in err
    assert verify(only_log(tmp_path).parent).right


@pytest.mark.parametrize("content", [b"", b"no picture at all", None])
def test_a_picture_that_is_none_costs_no_other(
    table: Path, tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1, the bad file's name on standard error, and the good one read."""
    bad, good = tmp_path / "bad.jpg", table / "frames" / "000.png"
    if content is not None:
        bad.write_bytes(content)
    assert run(["read", str(bad), str(good), "--json"]) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(good)]
    assert str(bad) in err


def test_a_picture_without_a_board_is_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 0 and the reason why there is no board."""
    path = str(tmp_path / "grey.png")
    cv2.imwrite(path, np.full((480, 640, 3), 128, np.uint8))
    assert run(["read", path, "--json"]) == 0
    reading = json.loads(capsys.readouterr().out)
    assert reading["board"]["found"] is False
    assert reading["board"]["reason"]
    assert (reading["squares"], reading["dice"]) == ({}, [])


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
@pytest.mark.parametrize(
    "command",
    [
        ["read", "THERE"],
        ["watch", "THERE", "--table", "PROFILE"],
        ["watch", "bundle:THERE", "--table", "PROFILE"],
        ["watch", "stills:PICTURES", "--table", "THERE"],
        ["calibrate", "THERE", "--seats", SEATS],
    ],
)
def test_what_may_never_end_is_refused_at_once(
    kind: str,
    command: list[str],
    table: Path,
    profile: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Neither a named pipe nor a folder nor a device is waited for as if it were a file."""
    there = {"pipe": tmp_path / "pipe", "folder": tmp_path, "device": Path("/dev/zero")}[kind]
    os.mkfifo(tmp_path / "pipe")
    meant = {"THERE": str(there), "PROFILE": str(profile), "PICTURES": str(table)}
    for word, path in meant.items():
        command = [one.replace(word, path) for one in command]
    assert run([*command, *(["--mute", "--no-web"] if command[0] == "watch" else [])]) in (1, 2)
    assert str(there) in capsys.readouterr().err


def test_a_picture_that_breaks_off_is_told_in_our_words_only(
    table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither is its grey rest read, nor do the libraries write to standard error themselves."""
    whole = cv2.imread(str(next((table / "calibration").glob("*.png"))))
    assert whole is not None
    for ending in ("jpg", "png"):
        content = cv2.imencode(f".{ending}", whole)[1].tobytes()
        path = tmp_path / f"broken.{ending}"
        path.write_bytes(content[: 2 * len(content) // 3])
        assert run(["read", str(path)]) == 1
        assert capfd.readouterr().err.count("\n") == 1
        # Something is amiss in the middle, which only the library notices, and reads on.
        path.write_bytes(content[: len(content) // 2] + content[len(content) // 2 + 400 :])
        run(["read", str(path)])
        assert "orrupt" not in capfd.readouterr().err


@pytest.mark.parametrize("command", ["calibrate", "watch"])
@pytest.mark.parametrize("folder", ["empty", "missing", "words"])
def test_a_folder_without_pictures_cannot_be_read(
    command: str,
    folder: str,
    profile: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect status 1 and the folder's name, and no game begun."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "001.jpg").write_text("no picture")
    source = f"stills:{tmp_path / folder}"
    given = {
        "calibrate": ["--seats", SEATS, "--out", str(tmp_path / "out.toml")],
        "watch": ["--table", str(profile)],
    }
    games = ["--games", str(tmp_path / "games"), "--mute"]
    assert run([command, source, *given[command], *games]) == 1
    assert str(tmp_path / folder) in capsys.readouterr().err
    assert not (tmp_path / "out.toml").exists()


def test_one_picture_is_too_few_to_calibrate_by(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1, what must be shown, and no profile."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.png").write_bytes((table / "calibration" / "000.png").read_bytes())
    out = tmp_path / "table.toml"
    source = f"stills:{tmp_path / 'one'}"
    assert run(["calibrate", source, "--seats", SEATS, "--out", str(out)]) == 1
    assert "home" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("version = 1", "version = 99", "99"),
        ("[board]", "[bord]", "bord"),
        ("[board]", "[board", "table.toml"),
        ("", None, "table.toml"),
    ],
)
def test_a_broken_profile_is_refused(
    table: Path,
    profile: Path,
    tmp_path: Path,
    old: str,
    new: str | None,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect status 1 and what is wrong with the profile, before a game is begun."""
    text = profile.read_text()
    assert old in text
    broken = tmp_path / "table.toml"
    broken.write_text(text.replace(old, new, 1) if new is not None else "\0\1")
    assert run(watch(table, broken, tmp_path / "games")) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert "should not" not in err
    assert list_games(tmp_path / "games") == ()


def test_another_camera_size_than_at_calibration_is_refused(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect both sizes and what to do, for `watch` and for `read`."""
    frames = tmp_path / "frames"
    frames.mkdir()
    picture = cv2.imread(str(table / "frames" / "000.png"))
    assert picture is not None
    small = str(frames / "000.png")
    cv2.imwrite(small, cv2.resize(picture, (640, 480)))
    for command in (
        watch(tmp_path, profile, tmp_path / "games"),
        ["read", small, "--table", str(profile), "--json"],
    ):
        assert run(command) == 1
        err = capsys.readouterr().err
        assert "640x480" in err
        assert "1280x960" in err
        assert "should not" not in err


def test_seats_that_the_profile_does_not_know_are_wrong_arguments(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 2 and the colours there are."""
    assert run(watch(table, profile, tmp_path, "--seats", "D4=red,D2=white")) == 2
    assert "white" in capsys.readouterr().err
    assert run(watch(table, profile, tmp_path, "--first", "D3")) == 2
    assert "D3" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_to_stops_before_the_game(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1, the path, and another folder proposed."""
    (tmp_path / "file").write_text("")
    for games in (tmp_path / "file", tmp_path / "file" / "games"):
        assert run(watch(table, profile, games)) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert str(games) in err
        assert "--games" in err


def test_a_profile_that_cannot_be_written_is_an_error(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and the path where a folder is missing."""
    out = tmp_path / "missing" / "deep" / "table.toml"
    (tmp_path / "missing").write_text("")
    source = f"stills:{table / 'calibration'}"
    assert run(["calibrate", source, "--seats", SEATS, "--out", str(out)]) == 1
    err = capsys.readouterr().err
    assert str(out) in err
    assert "should not" not in err


def test_a_full_disk_loses_no_event_that_was_told(
    table: Path, profile: Path, tmp_path: Path
) -> None:
    """Expect status 1 with a clear line, and every event on standard output in the log."""

    def no_file_over_1500_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    done = subprocess.run(
        [*PROGRAM, *watch(table, profile, tmp_path / "games")],
        capture_output=True,
        text=True,
        preexec_fn=no_file_over_1500_bytes,
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    lines, torn = read_journal(only_log(tmp_path / "games"))
    assert torn is None
    assert len(lines) > 1
    assert list((only_log(tmp_path / "games").parent / "pictures").iterdir()) == []
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        line_json(line) for line in lines
    ]


def test_an_interrupted_game_can_be_gone_on_with(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 130, all that was told in the log, and the game resumed where it stood."""
    games = tmp_path / "games"
    playing = subprocess.Popen(
        [*PROGRAM, "demo", "--speed", "1", "--json", "--mute", "--no-web", "--games", str(games)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
        # A shell that runs the tests in the background has them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert playing.stdout
    assert playing.stderr
    told = [playing.stdout.readline() for _ in range(2)]
    playing.send_signal(signal.SIGINT)
    told += playing.stdout.readlines()
    err = playing.stderr.read()
    playing.stdout.close()
    playing.stderr.close()
    assert playing.wait() == 130
    assert "type pachisi watch SOURCE --resume" in err
    assert "Traceback" not in err
    before, torn = read_journal(only_log(games))
    assert torn is None
    assert [json.loads(line) for line in told] == [line_json(line) for line in before]
    assert run(watch(table, profile, games, "--resume")) == 0
    capsys.readouterr()
    after, _ = read_journal(only_log(games))
    assert after[: len(before)] == before
    assert verify(only_log(games).parent).right


def test_nothing_to_resume_is_said(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and the folder that was looked into."""
    assert run(watch(table, profile, tmp_path, "--resume")) == 1
    assert str(tmp_path) in capsys.readouterr().err


def test_a_camera_that_is_not_there_is_a_missing_device(
    profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 3 and a cure, and never the simulated table in its place."""
    command = ["watch", "usb:63", "--table", str(profile), "--games", str(tmp_path), "--mute"]
    assert run(command) == 3
    assert "usb:63" in capsys.readouterr().err
    assert list_games(tmp_path) == ()
