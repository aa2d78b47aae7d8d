"""Trying a camera: one picture is taken and judged for light, sharpness, glare and the board."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

import cv2
import numpy as np

from calibration.quality import picture_faults, why_no_board
from companion.appliance.devices import camera_wish
from companion.appliance.findings import Finding
from companion.settings import Settings
from hardware.live import LiveSource
from hardware.ports import FrameSource, HardwareError
from hardware.sources import open_source
from tabletop import NoBoard
from vision.board import find_board
from vision.frame import Frame, Picture
from vision.rectify import rectify

OpenSource = Callable[[str, Settings], FrameSource]

_WHICH: Final = "the camera's picture"
_FRAMES: Final = 5
_GLARE: Final = 0.02  # of the board, burnt out
_BURNT: Final = 252


def check_camera(
    source: str, settings: Settings, opener: OpenSource | None = None
) -> Iterator[Finding]:
    """Yield what is found when the camera named *source* takes a picture.

    *opener* stands in for opening it.
    """
    cure = "see docs/on-a-pi.md, and try another source: pi, usb, http://..."
    try:
        with (opener or _opened)(source, settings) as camera:
            # The first pictures of some cameras are dark.
            frames = list(islice(camera.frames(), _FRAMES))
            kept = camera.settings if isinstance(camera, LiveSource) else None
            name = camera.name
    except HardwareError as error:
        yield Finding("picture", False, str(error), cure)
        return
    if not frames:
        yield Finding("picture", False, f"{name} gives no picture", cure)
        return
    frame = frames[-1]
    size = "x".join(map(str, frame.size_wh))
    locked = "" if kept is None else f", {kept.model or 'camera'} at {kept.exposure_us or '?'} us"
    yield Finding("picture", True, f"{name} gives {size}{locked}")
    yield judged(frame)


def judged(frame: Frame) -> Finding:
    """Return what is wrong with a picture of the table, if anything."""
    board = find_board(frame.pixels)
    if isinstance(board, NoBoard):
        why = why_no_board(frame.pixels, _WHICH, board.reason)
        return Finding("board in view", False, why, "aim the camera at the whole board")
    faults = list(picture_faults(frame.pixels, board, _WHICH))
    field = rectify(frame.pixels, board, 48, margin=0.0).pixels
    if not faults and (share := _glare(field)) > _GLARE:
        faults.append(f"{share:.0%} of the board shines: lamps are mirrored in it")
    if faults:
        cure = "light the board evenly, from the side and not from behind the camera"
        return Finding("board in view", False, "; ".join(faults), cure)
    return Finding("board in view", True, "the whole board, sharp and well lit")


def _glare(field: Picture) -> float:
    grey = np.asarray(cv2.cvtColor(field, cv2.COLOR_BGR2GRAY))
    return float(np.mean(grey >= _BURNT))


def _opened(source: str, settings: Settings) -> FrameSource:
    return open_source(source, wish=camera_wish(settings))
