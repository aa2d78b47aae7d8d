"""The command line: what it takes, what it says, and how it ends."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from companion import compose
from companion.cli import run
from companion.errors import JournalError
from companion.log.journal import JOURNAL_NAME, Journal
from companion.options import DemoOptions, WatchOptions
from companion.settings import settings_path, table_path
from hardware.ports import DeviceError, SourceError
from referee.match import replay
from tabletop import Colour, Seat
from tests.companion.journals import knock_out, write


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the folder of a right game, in the folder of games `games`."""
    folder = write(tmp_path / "games", knock_out())
    with Journal.open(folder) as journal:
        journal.write_record(replay(line.event for line in journal.lines))
    return folder


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("wacth usb", "'watch'"),
        ("watch usb --sets D4=red", "'--seats'"),
        ("watch usb --seats D4=red,D4=blue", "seat D4 is named twice"),
        ("watch usb --seats D4=red,D2=red", "two seats play red"),
        ("watch usb --seats D4=mauve,D2=blue", "'mauve' is no colour of checkers"),
        ("watch usb --seats D4=red", "two to four play"),
        ("watch usb --seats D5=red,D2=blue", "'D5' is no seat"),
        ("watch usb --rule cornr=share", "did you mean 'corner'?"),
        ("watch usb --rule corner=shar", "did you mean 'share'?"),
        ("watch usb --rule corner", "is not NAME=VALUE"),
        ("watch usb --rule corner=hit --rule corner=hit", "'corner' is given twice"),
        ("watch usb --first D9", "'D9' is no seat"),
        ("watch usb --seats D4=red,D2=blue --first D1", "D1 cannot begin"),
        ("watch usb --stake -1", "--stake"),
        ("watch usb --fine 1.5", "--fine"),
        ("watch usb --language fr", "'fr' is not one of 'en', 'ru'"),
        ("watch usb --port 0", "--port"),
        ("watch", "Missing argument 'SOURCE'"),
        ("watch stils:photos", "did you mean stills?"),
        ("watch ubs", "did you mean usb?"),
        ("watch usb:one", "usb:one"),
        ("watch ''", "is no source"),
        ("watch stills", "write stills:PATH"),
        ("watch http", "is no source"),
        ("watch usb --unit ''", "is no unit"),
        ("watch usb --unit 'a\"b'", "is no unit"),
        ("watch usb --unit 'a\nb'", "is no unit"),
        ("calibrate usb", "Missing option '--seats'"),
        ("read", "Missing argument 'IMAGE...'"),
        ("read a.jpg --colours red,redd", "'redd' is no colour"),
        ("read a.jpg --colours red,red", "red is named twice"),
        ("demo --speed -1", "--speed"),
        ("demo --speed nan", "nan is not in the range x>=0"),
        ("set-up usb --speed inf", "inf is not in the range x>=0"),
        ("doctor --mount -5", "-5.0 is not in the range 50<=x<=2000"),
        ("doctor --mount nan", "nan is not in the range 50<=x<=2000"),
        ("demo --players 5", "--players"),
        ("games list --games ''", "it is empty: name a path, or leave the option out"),
        ("watch usb --table ''", "it is empty: name a path"),
        ("games export x --format xml", "'xml' is not one of"),
        ("games verify", "Missing argument 'GAME...'"),
        ("games lst", "Did you mean 'list'?"),
        ("bench --rounds 0", "--rounds"),
    ],
)
def test_wrong_arguments_end_with_2(
    command: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect a line that names what is wrong, with a near match, and nothing on standard output."""
    assert run(shlex.split(command)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert "Traceback" not in err


def test_watch_without_a_profile_says_how_to_make_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Expect the path that was tried and the command that makes a profile."""
    assert run(["watch", "usb:3"]) == 1
    err = capsys.readouterr().err
    assert str(table_path()) in err
    assert "pachisi calibrate usb:3 --seats" in err


def test_a_wrong_settings_file_is_a_wrong_argument(capsys: pytest.CaptureFixture[str]) -> None:
    """Expect status 2 and the setting's name before anything else happens."""
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("prot = 9000\n")
    assert run(["games", "list"]) == 2
    assert "did you mean 'port'?" in capsys.readouterr().err


def test_options_reach_the_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect one value with all that was asked for, and the settings in its gaps."""
    taken: list[object] = []

    def note(options: object, _: object) -> int:
        taken.append(options)
        return 0

    monkeypatch.setattr(compose, "run_watch", note)
    monkeypatch.setattr(compose, "run_demo", note)
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('language = "ru"\nport = 9000\n')
    table = tmp_path / "table.toml"
    table.write_text("")
    command = (
        f"watch stills:x --table {table} --seats D4=red,D2=blue --first D2 --stake 50 --fine 5 "
        "--unit chips --rule corner=share --rule home-capacity=1 --mute --no-web "
        f"--games {tmp_path}"
    )
    assert run(shlex.split(command)) == 0
    assert run(["demo", "--seed", "7"]) == 0
    watch, demo = taken
    assert isinstance(watch, WatchOptions)
    assert watch.seats == ((Seat.D4, Colour.RED), (Seat.D2, Colour.BLUE))
    assert (watch.first, watch.stake, watch.fine, watch.unit) == (Seat.D2, 50, 5, "chips")
    assert watch.rules == (("corner", "share"), ("home_capacity", 1))
    assert (watch.outputs.mute, watch.outputs.web, watch.outputs.port) == (True, False, 9000)
    assert (watch.outputs.language, watch.outputs.games_dir) == ("ru", tmp_path)
    assert isinstance(demo, DemoOptions)
    assert (demo.seed, demo.speed, demo.players) == (7, 0.0, 2)


@pytest.mark.parametrize(
    ("trouble", "status", "words"),
    [
        (DeviceError("no camera 3: plug it in"), 3, "no camera 3: plug it in"),
        (ImportError("libGL.so.1"), 3, "pachisi doctor"),
        (SourceError("film.mp4 is no video"), 1, "film.mp4 is no video"),
        (JournalError("the disk is full"), 1, "the disk is full"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RuntimeError("nobody expected this"), 1, "nobody expected this"),
    ],
)
def test_every_trouble_is_a_line_and_a_status(
    trouble: BaseException,
    status: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect the contract's exit status and never a trace on the terminal."""

    def fail(*_: object) -> int:
        raise trouble

    monkeypatch.setattr(compose, "run_demo", fail)
    assert run(["demo"]) == status
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err


def test_what_should_not_happen_leaves_a_file_to_mend_it_by(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the whole trace in a file whose path is told."""

    def fail(*_: object) -> int:
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(compose, "run_demo", fail)
    run(["demo"])
    (kept,) = (own_home / "data" / "pachisi" / "crashes").iterdir()
    assert str(kept) in capsys.readouterr().err
    assert "RuntimeError: nobody expected this" in kept.read_text()


def test_games_are_listed_and_shown(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect the game's name, state and record, for people and as one JSON object a line."""
    where = ["--games", str(game.parent)]
    assert run(["games", "list", *where]) == 0
    assert game.name in capsys.readouterr().out
    assert run(["games", "list", "--json", *where]) == 0
    (listed,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (listed["id"], listed["state"]) == (game.name, "unfinished")
    assert listed["seats"] == {"D4": "red", "D2": "blue"}
    assert run(["games", "show", game.name, *where]) == 0
    assert "1. D4: 6 @b1+, 1 b1-c1" in capsys.readouterr().out
    assert run(["games", "show", game.name, "--json", *where]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["bank"], shown["throws"], shown["torn"]) == (21, 9, None)
    assert shown["record"].endswith("*\n")


def test_a_right_game_and_a_wrong_one_are_told_apart(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 0 for a right game, and 1 with line and reason for an altered one."""
    assert run(["games", "verify", str(game)]) == 0
    assert "right" in capsys.readouterr().out
    assert run(["games", "verify", str(game / "record.txt")]) == 0
    log = game / JOURNAL_NAME
    log.write_text(log.read_text().replace('"bank": 21', '"bank": 20'))
    capsys.readouterr()
    assert run(["games", "verify", str(game), "--json"]) == 1
    out, err = capsys.readouterr()
    (fault,) = json.loads(out)["faults"]
    assert fault["line"] == 24
    assert "line 24: after the move fine_paid" in err


def test_a_torn_game_is_judged_without_its_tail(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 0, and word of the torn line on standard error."""
    log = game / JOURNAL_NAME
    log.write_bytes(log.read_bytes()[:-9])
    assert run(["games", "verify", str(game)]) == 0
    out, err = capsys.readouterr()
    assert "28 events" in out
    assert "line 29 is torn" in err


def test_exports_go_to_standard_output(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect record, JSON lines and table, each whole and with nothing beside it."""
    for form, same in (("record", "record.txt"), ("jsonl", JOURNAL_NAME)):
        assert run(["games", "export", str(game), "--format", form]) == 0
        assert capsys.readouterr().out == (game / same).read_text()
    assert run(["games", "export", str(game), "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(knock_out())
    assert run(["games", "export", str(game / "record.txt"), "--format", "csv"]) == 1
    assert "only --format record" in capsys.readouterr().err


def test_statistics_are_counted_over_all_games(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect a row for each player, and JSON with the same numbers."""
    where = ["--games", str(game.parent)]
    assert run(["games", "stats", *where]) == 0
    assert "Борис" in capsys.readouterr().out
    assert run(["games", "stats", "--json", *where]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 1
    assert [player["fines"] for player in told["players"]] == [0, 1]


def test_a_broken_game_keeps_no_other_from_being_counted(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1, the broken log named, and the statistics of the rest."""
    broken = write(game.parent, knock_out()) / JOURNAL_NAME
    broken.write_text("{}\n")
    assert run(["games", "stats", "--json", "--games", str(game.parent)]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 1
    assert f"{broken}, line 1" in err


def test_a_game_that_is_not_there_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect what was looked for, and where."""
    for command in ("show", "verify", "export --format csv"):
        assert run(["games", *command.split(), "2031", "--games", str(tmp_path)]) == 1
        assert "there is no game '2031'" in capsys.readouterr().err


def test_the_doctor_names_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    """Expect a JSON line for each part, the folders among them, and a cure for what is bad."""
    assert run(["doctor", "--json"]) in (0, 3)
    found = {one["name"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {"numpy", "cv2", "usb camera", "speech", "sound", "lamps", "disk"} <= set(found)
    assert found["games folder"]["good"]
    assert all(one["cure"] for one in found.values() if not one["good"])


def test_a_reader_who_leaves_is_no_error(game: Path) -> None:
    """Expect no trace and a clean end when nobody reads the output any more."""
    log = game / JOURNAL_NAME
    code = "import sys; from companion.cli import main; main(sys.argv[1:])"
    done = subprocess.Popen(
        [sys.executable, "-c", code, "games", "export", str(log), "--format", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert done.stdout
    assert done.stderr
    done.stdout.close()
    assert done.stderr.read() == ""
    done.stderr.close()
    assert done.wait() == 0


def test_help_is_quick_to_load() -> None:
    """Expect the list of games to be told without OpenCV or numpy, which a Pi is slow to load."""
    code = (
        "import sys; from companion.cli import run; run(['games', 'list']); "
        "print(sorted({'cv2', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
