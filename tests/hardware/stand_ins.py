"""Devices made of nothing: they keep to the documented interface of the real ones."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

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


class LockableCapture(StandInCapture):
    """A camera whose driver chooses exposure, white balance and focus, until it is told not to."""

    OWN: ClassVar = {cv2.CAP_PROP_EXPOSURE: 200.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}
    SWITCHES: ClassVar = {
        cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0),
        cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0.0),
    }

    def __init__(self, pictures: Sequence[Any], stubborn: bool = False) -> None:
        super().__init__(pictures)
        self._stubborn = stubborn
        # As the last program left it: by hand, and dark.
        self.settings = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 1.0,
            cv2.CAP_PROP_EXPOSURE: 3.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 2000.0,
        }

    def get(self, propId: int) -> float:  # noqa: N803
        """Return what was set, or what the driver chose."""
        if propId in self.OWN:
            switch, off = self.SWITCHES[propId]
            if self._stubborn or self.settings.get(switch, off) != off:
                return self.OWN[propId]
        return super().get(propId)


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
