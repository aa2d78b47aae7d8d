"""OpenCV's `VideoCapture`: opened quietly, read as colour pictures."""

import os
import time
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

import cv2
import numpy as np

from hardware.live import Shot
from hardware.ports import DeviceError
from vision.frame import Picture

_SILENT: Final = 0
_FFMPEG_SILENT: Final = "-8"


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Tell whether there is something to read."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Return whether there was a picture, and the picture."""
        ...

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """Return a property, 0 where it is not known."""
        ...

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Set a property; tell whether that was understood."""
        ...

    def release(self) -> None:
        """Let go of the device or file."""
        ...


OpenCapture: TypeAlias = Callable[..., Capture]
"""`cv2.VideoCapture`, or what stands in for it: called with what to open, backend, parameters."""


class CaptureDevice:
    """A camera or stream read through OpenCV."""

    def __init__(self, name: str, capture: Capture, lost: str) -> None:
        """Read *capture*, known to be open; *lost* says what to do when it gives nothing more."""
        self._name, self._capture, self._lost = name, capture, lost

    def read(self) -> Shot:
        """Wait for the next picture.

        Raises:
            DeviceError: none came.
        """
        there, raw = self._capture.read()
        if not there or raw is None:
            raise DeviceError(f"{self._name} gives no more pictures: {self._lost}")
        return Shot(colour_picture(raw), time.monotonic())

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


def colour_picture(raw: Any) -> Picture:
    """Return what OpenCV read as a colour picture, shape (height, width, 3).

    Grey pictures, transparency and deeper colours than 8 bits are brought to that form.

    Raises:
        DeviceError: it is no picture.
    """
    picture = np.asarray(raw)
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    if picture.ndim == 2:
        picture = picture[..., None]
    if picture.ndim != 3 or picture.dtype != np.uint8 or picture.shape[2] not in (1, 3, 4):
        raise DeviceError(f"a picture came as {picture.dtype} {picture.shape}, not as colours")
    if picture.shape[2] == 1:
        picture = np.repeat(picture, 3, axis=2)
    return np.ascontiguousarray(picture[..., :3])


def hush_opencv() -> None:
    """Keep OpenCV from writing lines of its own to standard error; ours say what went wrong."""
    # FFmpeg inside OpenCV has a level of its own, read when it is first used.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _FFMPEG_SILENT)
    # OpenCV 4.11, the newest for numpy 1, has the function in another place.
    getattr(cv2.utils, "logging", cv2).setLogLevel(_SILENT)
