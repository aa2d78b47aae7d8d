"""What tests of the application share: a home of their own, and a table in pictures."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import run
from companion.scripts.script import write_game
from hardware.simulated import TableLook, render
from tabletop import Colour, Seat

SEATS = "D4=red,D2=blue"


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the program an empty home, and return it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    return home


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `calibration` and `frames`: the beginning of a game in pictures."""
    folder = tmp_path_factory.mktemp("table")
    script = write_game(1, {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}, short=True)
    look, rng = TableLook.from_seed(1), np.random.default_rng(1)
    at_rest = [timed for timed in script.scenes if timed.scene.hand is None]
    for name, scenes in (("calibration", script.calibration), ("frames", at_rest[:8])):
        (folder / name).mkdir()
        for number, timed in enumerate(scenes):
            path = folder / name / f"{number:03}.png"
            cv2.imwrite(str(path), render(timed.scene, look, rng))
    return folder


@pytest.fixture(scope="session")
def profile(table: Path) -> Path:
    """Return the profile of the table in the pictures."""
    path = table / "table.toml"
    source = f"stills:{table / 'calibration'}"
    assert run(["calibrate", source, "--seats", SEATS, "--out", str(path), "--mute"]) == 0
    return path
