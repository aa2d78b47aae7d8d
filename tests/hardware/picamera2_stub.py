"""A stand-in for picamera2, written along its source (0.3.38): buffers, jobs, formats, refusals.

What is kept: requests are handed out by jobs in turn, and a job that ran out of time stays in the
queue; a camera gives nothing while all its buffers are held; a request released twice is an error;
controls reach the pictures some frames later, those not advertised are refused; arrays lie in
memory as the real ones do, with the padding of YUV420's rows; a camera is opened once at a time.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.hardware.stand_ins import HEIGHT, WIDTH, flag
from vision.frame import Picture

CONTROL_DELAY = 3
"""Frames after which a control shows; libcamera's delay is 1 to 3."""

_LETTERS = {"RGB888": "BGR", "BGR888": "RGB", "XRGB8888": "BGRX", "XBGR8888": "RGBX"}
_YUV = ("YUV420", "NV12")


class StubPicamera2:
    """Follows `picamera2.Picamera2`."""

    STRIDE_STEP = 64
    is_open = False

    def __init__(self, stage: "PiStage", camera_num: int = 0, tuning: Any = None) -> None:
        if camera_num >= len(stage.models):
            raise RuntimeError(f"No camera number {camera_num} found")
        if stage.busy or any(bool(each.is_open) for each in stage.cameras):
            cause = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from cause
        stage.cameras.append(self)
        self.number, self.stage, self.tuning = camera_num, stage, tuning
        self.calls: list[str] = []
        self.controls_set: list[dict[str, Any]] = []
        self.held = 0
        self.is_open = True
        self.started = False
        self.camera = SimpleNamespace(id=stage.ids()[camera_num])
        self._configuration: dict[str, Any] = {}
        self._jobs: list[_Job] = []
        self._taken = 0
        self._pending: list[tuple[int, dict[str, Any]]] = []
        self._fixed: dict[str, Any] = {}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        """Return the controls the camera advertises, with their least, greatest and usual value."""
        return dict.fromkeys(self.stage.controls, (0, 1, 0))

    @property
    def camera_properties(self) -> dict[str, Any]:
        """Return what the camera is."""
        return {"Model": self.stage.models[self.number]}

    def create_video_configuration(
        self,
        main: Mapping[str, Any],
        lores: Mapping[str, Any] | None = None,
        buffer_count: int = 6,
        controls: Mapping[str, Any] | None = None,
        queue: bool = True,
    ) -> dict[str, Any]:
        """Return a configuration for video, its sizes made even."""

        def stream(asked: Mapping[str, Any], form: str) -> dict[str, Any]:
            width, height = asked["size"]
            size = (width - width % 2, height - height % 2)
            return {"format": asked.get("format", form), "size": size}

        return {
            "main": stream(main, "XBGR8888"),
            "lores": None if lores is None else stream(lores, "YUV420"),
            "colour_space": self.stage.colour_space,
            "buffer_count": buffer_count,
            "controls": dict(controls or {}),
            "queue": queue,
        }

    def configure(self, configuration: dict[str, Any]) -> None:
        """Take a configuration, adjusted to what the camera can do."""
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        main, lores = dict(configuration["main"]), configuration["lores"]
        if lores is not None:
            if any(low > high for low, high in zip(lores["size"], main["size"], strict=True)):
                raise RuntimeError("lores stream dimensions may not exceed main stream")
            if lores["format"] not in _YUV:
                raise RuntimeError("lores stream must be YUV")
        main["size"] = self.stage.size_wh or main["size"]
        main["format"] = self.stage.form or main["format"]
        if lores is not None and self.stage.lores_form:
            lores = {**lores, "format": self.stage.lores_form}
        streams = {"main": main, "lores": lores}
        for stream in filter(None, (main, lores)):
            bytes_a_pixel = {"RGB888": 3, "BGR888": 3}.get(
                stream["format"], 4 if stream["format"] in _LETTERS else 1
            )
            width = stream["size"][0] * bytes_a_pixel
            stream["stride"] = -(-width // self.STRIDE_STEP) * self.STRIDE_STEP
        self._refuse_unknown(configuration["controls"])
        self.controls_set.append(configuration["controls"])
        self._configuration = {**configuration, **streams}

    def camera_configuration(self) -> dict[str, Any]:
        """Return what was really configured."""
        return self._configuration

    def start(self) -> None:
        """Begin to stream."""
        if not self._configuration:
            raise RuntimeError("Camera has not been configured")
        self.calls.append("start")
        self.started = True

    def stop(self) -> None:
        """End streaming."""
        if self.started:
            self.calls.append("stop")
            self.started = False

    def close(self) -> None:
        """Leave the camera to others."""
        if self.is_open:
            self.stop()
            self.calls.append("close")
            self.is_open = False

    def cancel_all_and_flush(self) -> None:
        """Drop the jobs that wait."""
        self.calls.append("cancel_all_and_flush")
        self._jobs.clear()

    def autofocus_cycle(self, wait: float | None = None) -> bool:
        """Focus once."""
        assert wait is not None, "waiting for a focus without a limit hangs for ever"
        self.calls.append("autofocus_cycle")
        if self.stage.focus is None:
            raise TimeoutError
        self._fixed["LensPosition"] = self.stage.focus
        return self.stage.focus > 0

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set controls, which show in the pictures some frames later."""
        self._refuse_unknown(controls)
        self.controls_set.append(controls)
        self._pending.append((self._taken + CONTROL_DELAY, controls))

    def capture_request(self, wait: bool = True) -> "_Job":
        """Begin to capture; the job's `get_result` gives the request."""
        assert not wait, "a blocking capture hangs for ever when the cable is loose"
        job = _Job(self)
        self._jobs.append(job)
        return job

    def _refuse_unknown(self, controls: Mapping[str, Any]) -> None:
        for name in controls:
            if name not in self.stage.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def result_of(self, job: "_Job") -> "_Request":
        """Return the request for *job*, if it is its turn and there is one."""
        starved = self.held >= self._configuration["buffer_count"]
        if self._jobs[:1] != [job] or starved or self._taken >= self.stage.frames:
            raise TimeoutError
        self._jobs.pop(0)
        self._taken += 1
        for due, controls in self._pending:
            if self._taken >= due:
                kept = {k: v for k, v in controls.items() if k not in self.stage.stubborn}
                self._fixed |= kept
        self._pending = [one for one in self._pending if self._taken < one[0]]
        self.held += 1
        return _Request(self, self._taken, self._metadata())

    def _metadata(self) -> dict[str, Any]:
        unsettled = 1.1 if self._taken < self.stage.settles_after and self._taken % 2 else 1.0
        own: dict[str, Any] = {
            "SensorTimestamp": 1_000_000_000 + self._taken * 33_000_000,
            "ExposureTime": round(self.stage.exposure_us * unsettled),
            "AnalogueGain": self.stage.gain,
            "ColourGains": (1.7, 1.9 * unsettled),
            "ScalerCrop": self.stage.crop,
        }
        if "LensPosition" in self.stage.controls:
            own["LensPosition"] = 1.0
        return own | {key: value for key, value in self._fixed.items() if key in own}

    def array(self, stream: str, number: int) -> NDArray[np.uint8]:
        """Return a picture as it lies in memory."""
        found = self._configuration[stream]
        if found is None:
            raise RuntimeError(f"Stream {stream!r} is not defined")
        (width, height), form, stride = found["size"], found["format"], found["stride"]
        picture = self.stage.picture((width, height), number)
        if form in _LETTERS:
            planes = {"B": picture[..., 0], "G": picture[..., 1], "R": picture[..., 2]}
            full = np.full((height, width), 255, np.uint8)
            return np.stack([planes.get(letter, full) for letter in _LETTERS[form]], axis=-1)
        padded = np.zeros((height, stride, 3), np.uint8)
        padded[:, :width] = picture
        planar = np.asarray(cv2.cvtColor(padded, cv2.COLOR_BGR2YUV_I420), np.uint8)
        if form == "YUV420":
            return planar
        if form != "NV12":
            return picture
        # NV12 has its two colours side by side, and its padding cut off.
        rows = np.zeros_like(planar)
        rows[:height] = planar[:height]
        u, v = planar[height:].reshape(2, height // 2, stride // 2)
        rows[height:, 0::2], rows[height:, 1::2] = u, v
        return np.ascontiguousarray(rows[:, :width])


class _Job:
    """Follows `picamera2.job.Job`."""

    def __init__(self, camera: StubPicamera2) -> None:
        self._camera = camera

    def get_result(self, timeout: float | None = None) -> "_Request":
        """Return the request."""
        assert timeout is not None, "a capture without a time limit hangs for ever"
        return self._camera.result_of(self)


class _Request:
    """Follows `picamera2.request.CompletedRequest`."""

    def __init__(self, camera: StubPicamera2, number: int, metadata: dict[str, Any]) -> None:
        self._camera, self._number, self._metadata = camera, number, metadata
        self._held = True

    def get_metadata(self) -> dict[str, Any]:
        """Return what the camera says of the picture."""
        assert self._held, "a request is used after its release"
        return dict(self._metadata)

    def make_array(self, stream: str) -> NDArray[np.uint8]:
        """Return a copy of a stream's picture."""
        assert self._held, "a request is used after its release"
        self._camera.stage.taken.append((stream, self._number))
        return self._camera.array(stream, self._number)

    def release(self) -> None:
        """Give the buffer back."""
        if not self._held:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._held = False
        self._camera.held -= 1


def _numbered_flag(size_wh: tuple[int, int], _: int) -> Picture:
    return flag(size_wh)


class PiStage:
    """A Pi with its cameras: stands in for the module picamera2."""

    def __init__(self) -> None:
        self.models = ["imx219"]
        self.controls = {
            "ExposureTime", "AnalogueGain", "ColourGains", "AeEnable", "FrameDurationLimits",
            "AeFlickerMode", "AeFlickerPeriod", "ScalerCrop",
        }  # fmt: skip
        self.busy = False
        self.form = self.lores_form = ""
        self.colour_space = "SMPTE170M"
        self.size_wh: tuple[int, int] | None = (WIDTH, HEIGHT)
        self.crop = (0, 0, 3280, 2464)
        self.frames = 10_000
        self.settles_after = 5
        self.exposure_us, self.gain = 25_000, 2.0
        self.focus: float | None = 1.8
        self.stubborn: set[str] = set()
        self.picture: Callable[[tuple[int, int], int], Picture] = _numbered_flag
        self.taken: list[tuple[str, int]] = []
        self.cameras: list[StubPicamera2] = []

    def ids(self) -> list[str]:
        """Return the cameras' ids."""
        return [f"/base/soc/i2c@{i}/{model}@1a" for i, model in enumerate(self.models)]

    def load(self) -> Any:
        """Return the module."""

        def made(camera_num: int = 0, tuning: Any = None) -> StubPicamera2:
            return StubPicamera2(self, camera_num, tuning)

        made.load_tuning_file = lambda name: {"tuning": name}  # type: ignore[attr-defined]
        made.global_camera_info = lambda: [  # type: ignore[attr-defined]
            {"Num": i, "Model": model, "Id": ident}
            for i, (model, ident) in enumerate(zip(self.models, self.ids(), strict=True))
        ]
        return SimpleNamespace(Picamera2=made)
