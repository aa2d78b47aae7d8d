"""A camera in the network: MJPEG over HTTP, or RTSP, through OpenCV and FFmpeg."""

import re
from typing import Final
from urllib.parse import urlsplit

import cv2

from hardware.capture import CaptureDevice, OpenCapture, hush_opencv
from hardware.live import STALL_S, LiveSource
from hardware.ports import DeviceError, SourceError

SCHEMES: Final = ("http", "https", "rtsp")

_BEFORE_HOST: Final = re.compile(r":(/*).*@", re.DOTALL)
_LOST: Final = "the stream ended or stalled; is the camera on, and in the network?"


def open_network(
    address: str,
    *,
    capture: OpenCapture = cv2.VideoCapture,
    stall_s: float = STALL_S,
) -> LiveSource:
    """Open the stream at *address*.

    *capture* stands in for OpenCV's class; a stream that gives nothing for *stall_s* is lost.

    Raises:
        SourceError: the address is none, or has no host.
        DeviceError: nothing answers there, or no pictures come.
    """
    if not _is_address(address):
        raise SourceError(
            f"{without_password(address)!r} is no address of a stream: write http://HOST:PORT/PATH"
        )
    name = without_password(address)
    return LiveSource(name, lambda: _open(name, address, capture, stall_s), stall_s=stall_s)


def without_password(text: str) -> str:
    """Return an address as it may be shown and logged: without who asks.

    Of what is no address, all goes that may be meant for a name and a password.
    """
    if not _is_address(text):
        return _BEFORE_HOST.sub(r":\1", text)
    parts = urlsplit(text)
    if parts.password is None and parts.username is None:
        return text
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        # Asking for a port that cannot be raises: a slash in a password makes one.
        return parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _open(name: str, address: str, capture: OpenCapture, stall_s: float) -> CaptureDevice:
    limit_ms = max(1, round(1000 * stall_s))
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        limit_ms,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        limit_ms,
    ]
    hush_opencv()
    stream = capture(address, cv2.CAP_FFMPEG, limits)
    if not stream.isOpened():
        stream.release()
        raise DeviceError(
            f"{name} gives no pictures: is the address right (try it in a browser), is the "
            "camera on and in the same network?"
        )
    return CaptureDevice(name, stream, _LOST)
