"""Writes the pictures that the virtual camera shows: a flag, a calibration, or a whole game."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.scripts.script import GameScript, write_game
from hardware.scene import TimedScene
from hardware.simulated import SimulatedTable, TableLook
from tabletop import Colour, Seat
from tests.hardware.stand_ins import flag
from vision.frame import Picture

SEED: Final = 2
LOOK: Final = 9
"""An ivory die, which nobody takes for a checker of the players."""
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
        cv2.imwrite(str(folder / "0.jpg"), in_video_range(flag()), _QUALITY)
        return
    script = game()
    if kind == "calibration":
        scenes = [replace(one, lasts_s=4.0) for one in script.calibration]
    else:
        scenes = unhurried(script.scenes)
    look = TableLook.from_seed(LOOK, SIZE_WH)
    table = SimulatedTable(scenes, look, SEED, fps=_PICTURES_A_S)
    for frame in table.frames():
        pixels = in_video_range(frame.pixels)
        cv2.imwrite(str(folder / f"{frame.number}.jpg"), pixels, _QUALITY)


def in_video_range(pixels: Picture) -> Picture:
    """Return a picture that comes out of the virtual camera as *pixels*.

    That camera hands a JPEG's YUV on as it is, from 0 to 255, and calls it that of video, which
    goes from 16 to 235 and 240.
    """
    full = cv2.cvtColor(pixels, cv2.COLOR_BGR2YCrCb).astype(np.float64) - (0, 128, 128)
    video = full * (219 / 255, 224 / 255, 224 / 255) + np.array((16, 128, 128))
    return np.asarray(cv2.cvtColor(np.rint(video).astype(np.uint8), cv2.COLOR_YCrCb2BGR), np.uint8)


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]))
