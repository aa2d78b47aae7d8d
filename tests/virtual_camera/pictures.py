"""Writes the pictures that the virtual camera shows: a flag, a calibration, or a whole game."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2

from companion.scripts.script import GameScript, write_game
from hardware.scene import TimedScene
from hardware.simulated import SimulatedTable, TableLook
from tabletop import Colour, Seat
from tests.hardware.stand_ins import flag

SEED: Final = 2
SEATS: Final = {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}
SIZE_WH: Final = (640, 480)

# Each picture is shown for four of the camera's frames, and libcamera keeps all in memory: so there
# are few, and the camera runs at eight frames a second.
_PICTURES_A_S: Final = 2.0
_OPENING_S: Final = 20.0
_SLACK_S: Final = 0.6  # for pictures that are dealt with late
_QUALITY: Final = [cv2.IMWRITE_JPEG_QUALITY, 92]


def game() -> GameScript:
    """Return the game that is shown."""
    return write_game(SEED, SEATS, short=True)


def unhurried(scenes: Iterable[TimedScene]) -> list[TimedScene]:
    """Return scenes that last a little longer each; the first waits for the camera."""
    first, *others = scenes
    return [
        replace(first, lasts_s=_OPENING_S),
        *(replace(one, lasts_s=one.lasts_s + _SLACK_S) for one in others),
    ]


def write(kind: str, folder: Path) -> None:
    """Write the pictures *kind* into *folder* as 0.jpg, 1.jpg, ..."""
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "flag":
        cv2.imwrite(str(folder / "0.jpg"), flag(), _QUALITY)
        return
    script = game()
    if kind == "calibration":
        scenes = [replace(one, lasts_s=4.0) for one in script.calibration]
    else:
        scenes = unhurried(script.scenes)
    look = TableLook.from_seed(SEED, SIZE_WH)
    table = SimulatedTable(scenes, look, SEED, fps=_PICTURES_A_S)
    for frame in table.frames():
        cv2.imwrite(str(folder / f"{frame.number}.jpg"), frame.pixels, _QUALITY)


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]))
