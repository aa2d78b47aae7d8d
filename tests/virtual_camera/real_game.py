"""A whole short game, calibrated and refereed through the real picamera2.

Run by `tests/virtual_camera/run` where the virtual camera shows the pictures of that game.
"""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from referee.event_json import event_json
from tests.virtual_camera.pictures import game

UNMEASURED = {"confidence", "source"}
GAME_S = 1800  # 400 s suffice where nothing else is done
MOST_HANGS = 2
LOST, FOUND = ("camera_lost", "{}"), ("camera_found", "{}")
PROFILE = Path("/srv/table.toml")
SETTINGS = "mute = true\nweb = false\n[timing]\nstill_s = 0.5\n"


def pachisi(*arguments: str, home: Path) -> subprocess.Popen[str]:
    """Start the program with a home of its own."""
    (home / "pachisi").mkdir(parents=True, exist_ok=True)
    (home / "pachisi" / "settings.toml").write_text(SETTINGS)
    environment = {**os.environ, "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "companion", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )


def essence(kind: str, event: dict[str, Any]) -> tuple[str, str]:
    """Return an event without what differs from one run to the next."""
    told = {key: value for key, value in event.items() if key not in UNMEASURED}
    return kind, json.dumps(told, sort_keys=True)


def test_the_table_is_calibrated(tmp_path: Path) -> None:
    """The empty board and the checkers at home are enough."""
    seats = "D4=red,D2=blue"
    running = pachisi("calibrate", "pi", "--seats", seats, "--out", str(PROFILE), home=tmp_path)
    assert running.wait(120) == 0
    assert 'model = "imx708"' in PROFILE.read_text()


def watched(home: Path) -> tuple[list[tuple[str, str]], int]:
    """Return what is ruled until the game is won, or a camera that was lost is back; and the end.

    The virtual camera's driver hangs at times, and begins its pictures anew once it is opened anew.
    """
    running = pachisi("watch", "pi", "--table", str(PROFILE), "--json", home=home)
    assert running.stdout is not None
    limit = threading.Timer(GAME_S, running.kill)
    limit.start()
    ruled = []
    for line in running.stdout:
        told = json.loads(line)
        print(line, end="", file=sys.stderr)
        if told["kind"] != "game_started":
            ruled.append(essence(told["kind"], told["event"]))
        if told["kind"] in ("game_won", "camera_found"):
            break
    running.terminate()  # not SIGINT, to which a shell's background is deaf
    running.communicate()
    limit.cancel()
    return ruled, running.returncode


def test_a_whole_game_is_refereed(tmp_path: Path) -> None:
    """Every ruling is that of the script, in its order, up to the victory."""
    expected = [essence(event.kind, event_json(event)) for event in game().truth]
    for number in range(MOST_HANGS + 1):
        ruled, status = watched(tmp_path / str(number))
        if LOST not in ruled:
            break
        assert ruled[-2:] == [LOST, FOUND], "a driver that hangs is ended, and opened anew"
    assert ruled == expected
    assert status == 130
