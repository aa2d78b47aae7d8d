"""Locking a Pi camera: exposure, gain, white balance and focus, set and read back.

Setting an exposure and a gain switches the camera's own choice of them off, setting colour gains
that of the white balance; to switch them off as well, in the same breath, may freeze older values
(picamera2's issue 933). What was set reaches the pictures some frames later, so each value is read
back from what the camera says of its pictures.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from hardware.camera_settings import CameraSettings, without_flicker
from hardware.ports import DeviceError

Metadata: TypeAlias = Callable[[], Mapping[str, Any]]
"""Waits for the next picture and returns what the camera says of it."""

WARM_UP_FRAMES: Final = 90
"""How many pictures exposure and white balance may take to settle: three seconds."""

FOCUS_S: Final = 5.0
"""How long a Camera Module 3 may take to focus."""

_STEADY_FRAMES: Final = 8
_STEADY: Final = 0.02  # a share by which steady values may still differ
_KEPT_FRAMES: Final = 20
_KEPT: Final = 0.03  # a sensor's exposure comes in lines, its gain in steps
_KEPT_DIOPTRES: Final = 0.1
_MANUAL: Final = 0

_log = logging.getLogger(__name__)


class Locks:
    """Sets a started camera, and sees that it keeps to that."""

    def __init__(self, name: str, camera: Any, metadata: Metadata) -> None:
        self._name, self._camera, self._metadata = name, camera, metadata
        self._known = frozenset(camera.camera_controls)

    def settle(self, mains_hz: int) -> CameraSettings:
        """Let the camera find its values, lock them, and return what it keeps to.

        What it does not keep to is left to it, with a warning.
        """
        steady = self._steady()
        controls: dict[str, Any] = {}
        if {"ExposureTime", "AnalogueGain"} <= self._known & steady.keys():
            exposure_us, gain = without_flicker(
                int(steady["ExposureTime"]), float(steady["AnalogueGain"]), mains_hz
            )
            controls = {"ExposureTime": exposure_us, "AnalogueGain": gain}
        if "ColourGains" in self._known & steady.keys():
            controls["ColourGains"] = _pair(steady["ColourGains"])
        if (lens := self._focused()) is not None:
            controls |= {"AfMode": _MANUAL, "LensPosition": lens}
        kept, lost = self._set(controls)
        if lost:
            _log.warning("%s does not keep what it is set to: %s", self._name, "; ".join(lost))
        return kept

    def restore(self, wanted: CameraSettings) -> CameraSettings:
        """Set what a table profile wants, and return it.

        Raises:
            DeviceError: the camera cannot be set so, or does not keep to it.
        """
        controls = _controls(wanted)
        unknown = sorted(controls.keys() - self._known)
        if unknown:
            raise DeviceError(
                f"{self._name} does not fit: the table profile sets {', '.join(unknown)}, which "
                "this camera cannot be set to; calibrate again"
            )
        kept, lost = self._set(controls)
        if lost:
            raise DeviceError(
                f"{self._name} does not keep what the table profile was made with "
                f"({'; '.join(lost)}): calibrate again"
            )
        return kept

    def _steady(self) -> Mapping[str, Any]:
        """Wait until exposure and white balance are steady, or for the time they have."""
        metadata: Mapping[str, Any] = {}
        then: tuple[float, ...] = ()
        calm = 0
        for _ in range(WARM_UP_FRAMES):
            metadata = self._metadata()
            now = _light(metadata)
            same = len(now) == len(then) and all(
                abs(one - other) <= _STEADY * max(abs(other), 1e-6)
                for one, other in zip(now, then, strict=True)
            )
            calm = calm + 1 if same else 0
            then = now
            # AeLocked alone does not do: one libcamera never says it (picamera2's issue 908).
            if calm >= _STEADY_FRAMES:
                return metadata
        _log.warning("%s did not come to rest: is the light flickering?", self._name)
        return metadata

    def _focused(self) -> float | None:
        """Focus once and return the lens's place; None where the camera has none to move."""
        if not {"AfMode", "LensPosition"} <= self._known:
            return None
        try:
            sharp = self._camera.autofocus_cycle(wait=FOCUS_S)
        except TimeoutError:
            # The job would stay before all others in the camera's queue.
            self._camera.cancel_all_and_flush()
            sharp = False
        if not sharp:
            _log.warning("%s could not focus: is there light on the board?", self._name)
        lens = self._metadata().get("LensPosition")
        return None if lens is None else round(float(lens), 3)

    def _set(self, controls: Mapping[str, Any]) -> tuple[CameraSettings, tuple[str, ...]]:
        """Set *controls*; return what the camera keeps to, and what not, in words."""
        if not controls:
            return CameraSettings(), ()
        self._camera.set_controls(dict(controls))
        metadata: Mapping[str, Any] = {}
        for _ in range(_KEPT_FRAMES):
            metadata = self._metadata()
            if all(_keeps(key, value, metadata) for key, value in controls.items()):
                break
        lost = {
            key: f"{key} is {metadata.get(key)}, not {value}"
            for key, value in controls.items()
            if not _keeps(key, value, metadata)
        }
        kept = {key: value for key, value in controls.items() if key not in lost}
        _log.info("%s keeps %s", self._name, kept)
        return _settings(kept), tuple(lost.values())


def _light(metadata: Mapping[str, Any]) -> tuple[float, ...]:
    """Return what must come to rest: brightness, and the colours' gains."""
    exposure = float(metadata.get("ExposureTime", 0)) * float(metadata.get("AnalogueGain", 1))
    return (exposure, *(float(gain) for gain in metadata.get("ColourGains", ())))


def _keeps(key: str, value: Any, metadata: Mapping[str, Any]) -> bool:
    if key == "AfMode":
        return True  # pictures do not tell it; where the lens is, they do
    found = metadata.get(key)
    if found is None:
        return False
    if key == "LensPosition":
        return abs(float(found) - float(value)) <= _KEPT_DIOPTRES
    pairs = (
        zip(_pair(found), _pair(value), strict=True) if key == "ColourGains" else ((found, value),)
    )
    return all(abs(float(one) - float(other)) <= _KEPT * abs(float(other)) for one, other in pairs)


def _controls(settings: CameraSettings) -> dict[str, Any]:
    controls: dict[str, Any] = {
        "ExposureTime": settings.exposure_us,
        "AnalogueGain": settings.analogue_gain,
        "ColourGains": settings.colour_gains,
        "LensPosition": settings.lens_position,
    }
    if settings.lens_position is not None:
        controls["AfMode"] = _MANUAL
    return {key: value for key, value in controls.items() if value is not None}


def _settings(controls: Mapping[str, Any]) -> CameraSettings:
    return CameraSettings(
        exposure_us=controls.get("ExposureTime"),
        analogue_gain=controls.get("AnalogueGain"),
        colour_gains=controls.get("ColourGains"),
        lens_position=controls.get("LensPosition"),
    )


def _pair(gains: Any) -> tuple[float, float]:
    red, blue = gains
    return float(red), float(blue)
