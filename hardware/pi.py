"""A Raspberry Pi camera, through picamera2.

picamera2 comes with the Pi's system (`python3-picamera2`) and is imported only here, when such a
camera is asked for. What it does off the beaten track, and what is done about it:

- "RGB888" lies in memory as blue, green, red, which is what a frame wants; it is asked for by name.
- What was asked for may be adjusted: size and format are read back after `configure`.
- A request that is not released stalls the camera: each is released at once.
- A loose cable makes a capture, and even `stop`, wait for ever: each capture has a time limit, and
  `hardware.live` does not wait for closing.
- Exposure and white balance drift while people lean over the table: they are locked once settled,
  by setting the values they have, which switches the loops off by itself.
"""

import importlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import cv2
import numpy as np

from hardware.live import STALL_S, LiveSource, Shot
from hardware.ports import DeviceError
from vision.frame import Picture

LoadModule: TypeAlias = Callable[[], Any]
"""Imports picamera2, or gives what stands in for it."""

_SIZE_WH: Final = (1280, 960)
_FORMAT: Final = "RGB888"
_BUFFERS: Final = 4
_WARM_UP_FRAMES: Final = 45
"""How many frames exposure and white balance may take to settle: a second and a half."""

_INSTALL: Final = "sudo apt install -y python3-picamera2 --no-install-recommends"
_FROM_YUV: Final[Mapping[str, int]] = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}

_log = logging.getLogger(__name__)


def open_pi(
    number: int,
    *,
    load: LoadModule = lambda: importlib.import_module("picamera2"),
    stall_s: float = STALL_S,
) -> LiveSource:
    """Open the Pi camera *number*, 0 being the first.

    *load* brings picamera2; a camera that gives nothing for *stall_s* is lost.

    Raises:
        DeviceError: picamera2 is missing, there is no such camera, or another program uses it.
    """
    name = f"pi:{number}"
    return LiveSource(name, lambda: _PiDevice(name, number, load, stall_s), stall_s=stall_s)


class _PiDevice:
    """An open Pi camera."""

    def __init__(self, name: str, number: int, load: LoadModule, stall_s: float) -> None:
        self._name, self._stall_s = name, stall_s
        module = _loaded(name, load)
        _check_number(name, number, module.Picamera2.global_camera_info())
        self._camera = _acquired(name, number, module)
        self._frames_left_to_settle = _WARM_UP_FRAMES
        try:
            self._configure()
        except Exception as error:
            self._camera.close()
            raise DeviceError(f"{name} cannot be set up: {_causes(error)}") from error

    def read(self) -> Shot:
        """Wait for the next picture, not longer than the time limit."""
        job = self._camera.capture_request(wait=False)
        try:
            request = job.get_result(timeout=self._stall_s)
        except TimeoutError as error:
            raise DeviceError(
                f"{self._name} has given no picture for {self._stall_s:g} s: check the ribbon "
                "cable at both ends"
            ) from error
        try:
            metadata = request.get_metadata()
            picture = self._picture(request.make_array("main"))
        finally:
            request.release()
        self._settle(metadata)
        stamp_ns = metadata.get("SensorTimestamp")
        return Shot(picture, stamp_ns / 1e9 if stamp_ns else time.monotonic())

    def close(self) -> None:
        """Stop the camera and leave it to others."""
        self._camera.stop()
        self._camera.close()

    def _configure(self) -> None:
        camera = self._camera
        camera.configure(
            camera.create_video_configuration(
                main={"size": _SIZE_WH, "format": _FORMAT}, buffer_count=_BUFFERS
            )
        )
        main = camera.camera_configuration()["main"]
        self._format: str = main["format"]
        self._size_wh: tuple[int, int] = tuple(main["size"])
        if self._format != _FORMAT:
            if self._format not in _FROM_YUV:
                raise ValueError(f"it gives {self._format} pictures where {_FORMAT} was asked for")
            _log.info("%s gives %s pictures", self._name, self._format)
        camera.start()
        # Only the Camera Module 3 can focus; others refuse the control.
        if "AfMode" in camera.camera_controls and not camera.autofocus_cycle():
            _log.warning("%s could not focus", self._name)

    def _picture(self, raw: Any) -> Picture:
        width, height = self._size_wh
        array = np.asarray(raw, np.uint8)
        if self._format != _FORMAT:
            # YUV rows keep the padding of their buffer: convert all, then cut.
            array = np.asarray(cv2.cvtColor(array, _FROM_YUV[self._format]), np.uint8)
        return np.ascontiguousarray(array[:height, :width, :3])

    def _settle(self, metadata: Mapping[str, Any]) -> None:
        """Lock exposure and white balance once they are steady, or after the time for that."""
        if self._frames_left_to_settle == 0:
            return
        self._frames_left_to_settle -= 1
        if self._frames_left_to_settle and not metadata.get("AeLocked", False):
            return
        self._frames_left_to_settle = 0
        known = self._camera.camera_controls
        wanted = ("ExposureTime", "AnalogueGain", "ColourGains")
        locked = {key: metadata[key] for key in wanted if key in known and key in metadata}
        if locked:
            self._camera.set_controls(locked)
            _log.info("%s keeps %s", self._name, locked)


def _loaded(name: str, load: LoadModule) -> Any:
    try:
        return load()
    except ImportError as error:
        raise DeviceError(
            f"{name} needs picamera2, which is not here ({error}): on a Pi type `{_INSTALL}` and "
            "make the virtual environment with --system-site-packages"
        ) from error
    except ValueError as error:
        # Bookworm's simplejpeg was built for numpy 1; see picamera2's issue 1211.
        raise DeviceError(
            f"{name}: picamera2 does not fit this numpy ({error}): install "
            "`opencv-python==4.11.0.86` and `numpy<2`"
        ) from error


def _check_number(name: str, number: int, cameras: list[dict[str, Any]]) -> None:
    if number < len(cameras):
        return
    found = ", ".join(f"pi:{i} is a {each.get('Model')}" for i, each in enumerate(cameras))
    raise DeviceError(
        f"{name} is missing: {found or 'no camera is found'}; check the ribbon cable with the Pi "
        "switched off, then see `rpicam-hello --list-cameras`"
    )


def _acquired(name: str, number: int, module: Any) -> Any:
    try:
        return module.Picamera2(number)
    except (RuntimeError, IndexError) as error:
        text = _causes(error)
        busy = "busy" in text.lower() or "in use" in text.lower() or "acquire" in text.lower()
        cure = (
            "another program uses it, such as rpicam-hello or a second companion: end that one"
            if busy
            else "check the ribbon cable, then see `rpicam-hello --list-cameras`"
        )
        raise DeviceError(f"{name} cannot be opened ({text}): {cure}") from error


def _causes(error: BaseException) -> str:
    """Return the texts of an error and of what caused it."""
    texts = []
    cause: BaseException | None = error
    while cause is not None:
        texts.append(str(cause) or type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return "; ".join(texts)
