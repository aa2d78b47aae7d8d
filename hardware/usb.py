"""A USB camera, through OpenCV and the kernel's V4L2.

Exposure, white balance and focus are locked where the driver lets us: after a second of pictures
its own choices are switched off and the values they had are set, and read back.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2

from hardware.camera_settings import CameraSettings, CameraWish, difference
from hardware.capture import Capture, CaptureDevice, OpenCapture, hush_opencv
from hardware.holders import holder_text
from hardware.live import STALL_S, LiveSource, Shot
from hardware.ports import DeviceError

WARM_UP_FRAMES: Final = 20

_LOST: Final = "is it still plugged in? Plug it in again and it goes on by itself"
_BY_ITSELF, _MANUAL = 3.0, 1.0  # what V4L2 calls aperture priority, and manual exposure
_EXPOSURE_US: Final = 100  # V4L2 counts exposures in tenths of a millisecond
_KEPT: Final = 0.03
_SWITCHES: Final[Mapping[int, tuple[int, float, float]]] = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, _BY_ITSELF, _MANUAL),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 1.0, 0.0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 1.0, 0.0),
}
"""What can be locked, the switch of the camera's own choice, and its values for on and off."""

_DEVICES: Final = Path("/dev")
_BY_ID: Final = Path("/dev/v4l/by-id")
_NAMES: Final = Path("/sys/class/video4linux")

_log = logging.getLogger(__name__)


def open_usb(
    number: int,
    wish: CameraWish | None = None,
    *,
    capture: OpenCapture = cv2.VideoCapture,
    stall_s: float = STALL_S,
) -> LiveSource:
    """Open the USB camera *number*, /dev/video0 being 0.

    *wish* says how it is to be set, *capture* stands in for OpenCV's class; a camera that gives
    nothing for *stall_s* is lost.

    Raises:
        DeviceError: there is no such camera, another program uses it, or it does not fit the wish.
    """
    name = f"usb:{number}"
    wanted = wish or CameraWish()
    return LiveSource(name, lambda: _open(name, number, wanted, capture), stall_s=stall_s)


class _UsbDevice(CaptureDevice):
    """An open USB camera, settled and locked."""

    def __init__(self, name: str, number: int, capture: Capture, wish: CameraWish) -> None:
        super().__init__(name, capture, _LOST)
        self._name, self._capture = name, capture
        self._upside_down = wish.upside_down
        model, identity = _model(number), _identity(number)
        if wish.settings is not None and (why := difference(wish.settings, model, None)):
            raise DeviceError(f"{name} does not fit: {why}; calibrate again")
        values = self._settled(model) if wish.settings is None else _values(wish.settings)
        kept = self._locked(values)
        if wish.settings is not None and kept != values:
            raise DeviceError(
                f"{name} does not keep what the table profile was made with: calibrate again"
            )
        self.settings = _settings(kept, model, identity)

    def read(self) -> Shot:
        """Wait for the next picture.

        Raises:
            DeviceError: none came.
        """
        shot = super().read()
        if self._upside_down:
            return Shot(shot.pixels[::-1, ::-1].copy(), shot.at_s)
        return shot

    def _settled(self, model: str) -> Mapping[int, float]:
        """Let the camera choose its values and return them, none where it does not tell."""
        camera = self._capture
        # -1 and 0 are OpenCV's ways of saying that a driver does not know a property.
        known = [value for value in _SWITCHES if camera.get(value) > 0]
        if not known:
            _log.info("%s (%s) lets nothing be locked", self._name, model or "unknown")
            return {}
        for value in known:
            # The last game left it switched off.
            switch, on, _ = _SWITCHES[value]
            camera.set(switch, on)
        for _ in range(WARM_UP_FRAMES):
            if not camera.read()[0]:
                break
        return {value: camera.get(value) for value in known}

    def _locked(self, values: Mapping[int, float]) -> Mapping[int, float]:
        """Set *values* and return those that the driver keeps."""
        kept = {}
        for value, wanted in values.items():
            switch, _, off = _SWITCHES[value]
            self._capture.set(switch, off)
            self._capture.set(value, wanted)
            if abs(self._capture.get(value) - wanted) <= _KEPT * wanted:
                kept[value] = wanted
            else:
                found = self._capture.get(value)
                _log.warning("%s is set to %g and has %g", self._name, wanted, found)
        return kept


def _open(name: str, number: int, wish: CameraWish, capture: OpenCapture) -> _UsbDevice:
    hush_opencv()
    try:
        camera = capture(number)
    except cv2.error as error:  # of a number larger than any
        raise DeviceError(_missing(name, number)) from error
    if not camera.isOpened():
        camera.release()
        raise DeviceError(_missing(name, number))
    width, height = wish.size_wh
    wanted = (
        # MJPG first: uncompressed pictures of this size come at 5 a second over USB 2.
        (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),
        (cv2.CAP_PROP_FRAME_WIDTH, float(width)),
        (cv2.CAP_PROP_FRAME_HEIGHT, float(height)),
        (cv2.CAP_PROP_BUFFERSIZE, 1.0),
    )
    for setting, value in wanted:
        camera.set(setting, value)  # a camera may refuse; its pictures tell their size
    try:
        return _UsbDevice(name, number, camera, wish)
    except DeviceError:
        camera.release()
        raise


def _missing(name: str, number: int) -> str:
    there = sorted(path.name for path in _DEVICES.glob("video*"))
    if f"video{number}" in there:
        return (
            f"{name} cannot be opened: {holder_text([f'/dev/video{number}'])}; or you are not in "
            "the group video (`sudo usermod -aG video $USER`, then log in again)"
        )
    known = ", ".join(f"/dev/{each}" for each in there) or "no camera at all"
    return f"{name} is missing: the computer knows {known}; plug the camera in, or name another"


def _model(number: int) -> str:
    """Return what the kernel calls a camera, empty where it does not say."""
    try:
        return (_NAMES / f"video{number}" / "name").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _identity(number: int) -> str:
    """Return the name that a camera keeps whatever else is plugged in, empty where it has none."""
    for link in sorted(_BY_ID.glob("*")):
        if link.resolve().name == f"video{number}":
            return link.name
    return ""


def _values(settings: CameraSettings) -> Mapping[int, float]:
    exposure_us, kelvins = settings.exposure_us, settings.colour_temperature_k
    values = {
        cv2.CAP_PROP_EXPOSURE: None if exposure_us is None else exposure_us / _EXPOSURE_US,
        cv2.CAP_PROP_WB_TEMPERATURE: kelvins,
        cv2.CAP_PROP_FOCUS: settings.lens_position,
    }
    return {key: float(value) for key, value in values.items() if value is not None}


def _settings(values: Mapping[int, float], model: str, identity: str) -> CameraSettings:
    exposure = values.get(cv2.CAP_PROP_EXPOSURE)
    kelvins = values.get(cv2.CAP_PROP_WB_TEMPERATURE)
    return CameraSettings(
        camera_id=identity,
        model=model,
        exposure_us=None if exposure is None else round(exposure * _EXPOSURE_US),
        colour_temperature_k=None if kelvins is None else round(kelvins),
        lens_position=values.get(cv2.CAP_PROP_FOCUS),
    )
