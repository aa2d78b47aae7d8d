"""A USB camera, through OpenCV and the kernel's V4L2."""

from pathlib import Path
from typing import Final

import cv2

from hardware.capture import CaptureDevice, OpenCapture, hush_opencv
from hardware.live import STALL_S, LiveSource
from hardware.ports import DeviceError

_WANTED: Final = (
    # MJPG first: uncompressed pictures of this size come at 5 a second over USB 2.
    (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),
    (cv2.CAP_PROP_FRAME_WIDTH, 1280.0),
    (cv2.CAP_PROP_FRAME_HEIGHT, 960.0),
    (cv2.CAP_PROP_BUFFERSIZE, 1.0),
)
_LOST: Final = "is it still plugged in? Plug it in again and it goes on by itself"


def open_usb(
    number: int,
    *,
    capture: OpenCapture = cv2.VideoCapture,
    stall_s: float = STALL_S,
) -> LiveSource:
    """Open the USB camera *number*, /dev/video0 being 0.

    *capture* stands in for OpenCV's class; a camera that gives nothing for *stall_s* is lost.

    Raises:
        DeviceError: there is no such camera, or another program uses it.
    """
    name = f"usb:{number}"
    return LiveSource(name, lambda: _open(name, number, capture), stall_s=stall_s)


def _open(name: str, number: int, capture: OpenCapture) -> CaptureDevice:
    hush_opencv()
    try:
        camera = capture(number)
    except cv2.error as error:  # of a number larger than any
        raise DeviceError(_missing(name, number)) from error
    if not camera.isOpened():
        camera.release()
        raise DeviceError(_missing(name, number))
    for setting, value in _WANTED:
        camera.set(setting, value)  # a camera may refuse; its pictures tell their size
    return CaptureDevice(name, camera, _LOST)


def _missing(name: str, number: int) -> str:
    there = sorted(path.name for path in Path("/dev").glob("video*"))
    if f"video{number}" in there:
        return (
            f"{name} cannot be opened: another program may be using /dev/video{number} "
            f"(`fuser /dev/video{number}` tells which), or you are not in the group video "
            "(`sudo usermod -aG video $USER`, then log in again)"
        )
    known = ", ".join(f"/dev/{each}" for each in there) or "no camera at all"
    return f"{name} is missing: the computer knows {known}; plug the camera in, or name another"
