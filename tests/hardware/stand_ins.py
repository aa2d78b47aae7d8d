"""Devices made of nothing: they keep to the documented interface of the real ones."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from vision.frame import Picture

WIDTH, HEIGHT = 320, 240
RED, BLUE = (0, 0, 255), (255, 0, 0)


def flag(size_wh: tuple[int, int] = (WIDTH, HEIGHT)) -> Picture:
    """Return a picture with a red left and a blue right half."""
    width, height = size_wh
    picture = np.empty((height, width, 3), np.uint8)
    picture[:, : width // 2] = RED
    picture[:, width // 2 :] = BLUE
    return picture


class StandInCapture:
    """Follows `cv2.VideoCapture`: gives *pictures* one after the other, then nothing more."""

    def __init__(self, pictures: Sequence[Any], opened: bool = True) -> None:
        self._left = list(pictures)
        self._opened = opened
        self.settings: dict[int, float] = {}
        self.released = 0

    def isOpened(self) -> bool:  # noqa: N802
        """Tell whether the camera was there."""
        return self._opened and not self.released

    def read(self) -> tuple[bool, Any]:
        """Return the next picture."""
        if not self._opened or self.released or not self._left:
            return False, None
        return True, self._left.pop(0)

    def get(self, propId: int) -> float:  # noqa: N803
        """Return a setting, 0 where it was not set."""
        return self.settings.get(propId, 0.0)

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        """Keep a setting."""
        self.settings[propId] = value
        return True

    def release(self) -> None:
        """Count how often the camera was let go."""
        self.released += 1


class HangingCapture(StandInCapture):
    """A camera whose driver waits for ever once its pictures are used up."""

    def __init__(self, pictures: Sequence[Any]) -> None:
        super().__init__(pictures)
        self.freed = threading.Event()

    def read(self) -> tuple[bool, Any]:
        """Return the next picture, or hang."""
        if not self._left:
            self.freed.wait(20)
        return super().read()


class StubPicamera2:
    """Follows picamera2's manual and source: buffers, requests, formats, refusals.

    Arrays of "RGB888" lie as blue, green, red without padding; those of "YUV420" keep the padding
    of their rows. A camera gives no request while all its buffers are held.
    """

    STRIDE_STEP = 64

    def __init__(self, stage: "PiStage", number: int) -> None:
        if stage.busy:
            cause = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from cause
        stage.cameras.append(self)
        self.number = number
        self.stage = stage
        self.calls: list[str] = []
        self.controls_set: list[dict[str, Any]] = []
        self.held = 0
        self._configuration: dict[str, Any] = {}
        self._taken = 0

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        """Return the controls the camera advertises, with their least, greatest and usual value."""
        return dict.fromkeys(self.stage.controls, (0, 1, 0))

    def create_video_configuration(
        self, main: dict[str, Any], buffer_count: int = 6
    ) -> dict[str, Any]:
        """Return a configuration for video."""
        return {"main": dict(main), "buffer_count": buffer_count}

    def configure(self, configuration: dict[str, Any]) -> None:
        """Take a configuration, adjusted to what the camera can do."""
        main = configuration["main"]
        width, height = self.stage.size_wh or main["size"]
        stride = -(-width // self.STRIDE_STEP) * self.STRIDE_STEP
        form = self.stage.form or main["format"]
        main = {"size": (width, height), "format": form, "stride": stride}
        self._configuration = {**configuration, "main": main}

    def camera_configuration(self) -> dict[str, Any]:
        """Return what was really configured."""
        return self._configuration

    def start(self) -> None:
        """Begin to stream."""
        self.calls.append("start")

    def stop(self) -> None:
        """End streaming."""
        self.calls.append("stop")

    def close(self) -> None:
        """Leave the camera to others."""
        self.calls.append("close")

    def autofocus_cycle(self) -> bool:
        """Focus once."""
        self.calls.append("autofocus_cycle")
        return True

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set controls; refuse those that are not advertised."""
        for name in controls:
            if name not in self.stage.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls_set.append(controls)

    def capture_request(self, wait: bool = True) -> Any:
        """Begin to capture; the job's `get_result` gives the request."""
        assert not wait, "a blocking capture hangs for ever when the cable is loose"
        return SimpleNamespace(get_result=self._result)

    def _result(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "a capture without a time limit hangs for ever"
        if self._taken >= self.stage.frames or self.held >= self._configuration["buffer_count"]:
            raise TimeoutError
        self._taken += 1
        self.held += 1
        return SimpleNamespace(
            make_array=self._array, get_metadata=self._metadata, release=self._release
        )

    def _array(self, stream: str) -> Any:
        main = self._configuration[stream]
        (width, height), form = main["size"], main["format"]
        picture = flag((width, height))
        if form == "RGB888":
            return picture
        if form == "YUV420":
            padded = np.zeros((height, main["stride"], 3), np.uint8)
            padded[:, :width] = picture
            return cv2.cvtColor(padded, cv2.COLOR_BGR2YUV_I420)
        return picture[..., ::-1]

    def _metadata(self) -> dict[str, Any]:
        settled = self._taken >= self.stage.settles_after
        return {
            "SensorTimestamp": 1_000_000_000 + self._taken * 33_000_000,
            "AeLocked": settled,
            "ExposureTime": 8_000 + (0 if settled else self._taken),
            "AnalogueGain": 1.5,
            "ColourGains": (1.7, 1.9),
        }

    def _release(self) -> None:
        self.held -= 1


class PiStage:
    """A Pi with its cameras: stands in for the module picamera2."""

    def __init__(self) -> None:
        self.models = ["imx708"]
        self.controls = {"ExposureTime", "AnalogueGain", "ColourGains", "AeEnable"}
        self.busy = False
        self.form = ""
        self.size_wh: tuple[int, int] | None = (WIDTH, HEIGHT)
        self.frames = 10_000
        self.settles_after = 5
        self.cameras: list[StubPicamera2] = []

    def load(self) -> Any:
        """Return the module."""

        def made(number: int) -> StubPicamera2:
            return StubPicamera2(self, number)

        made.global_camera_info = lambda: [  # type: ignore[attr-defined]
            {"Num": i, "Model": model} for i, model in enumerate(self.models)
        ]
        return SimpleNamespace(Picamera2=made)


@contextmanager
def mjpeg_server(pictures: Callable[[], Iterator[Picture]]) -> Iterator[str]:
    """Serve what *pictures* yields as an MJPEG stream on loopback; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/stream":
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for picture in pictures():
                    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
                    self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                    self.wfile.write(f"Content-Length: {len(jpeg)}\r\n\r\n".encode())
                    self.wfile.write(jpeg + b"\r\n")
            except OSError:
                return  # the reader has gone

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/stream"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
