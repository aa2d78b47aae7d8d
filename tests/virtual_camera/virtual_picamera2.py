"""Lets the real picamera2 drive libcamera's virtual camera; imported by each interpreter.

1. The virtual camera has no raw pictures: picamera2 gets one pretended native mode.
2. It wants one plane of a buffer for each plane of NV12; picamera2's allocator makes one in all.
3. It fills buffers as fast as they come: they are handed back at the pace of a camera.
4. With VIRTUAL_WAITS it stands still while a frame is being dealt with, for on a busy computer that
   takes longer than a scene lasts, and what is to be proved is not how fast the computer is.
"""

import fcntl
import mmap
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import libcamera
import picamera2.picamera2 as implementation
from picamera2.allocators import DmaAllocator
from picamera2.request import CompletedRequest

from hardware.live import LiveSource
from vision.frame import Frame

PERIOD_S = 1 / float(os.environ.get("VIRTUAL_FPS", "30"))
WAITS = bool(os.environ.get("VIRTUAL_WAITS"))
BUSY = Path("/tmp/virtual-camera-is-waited-for")
"""A file that is locked by whoever deals with a frame."""
LONGEST_S = 3.0
"""After 5 s without a picture the camera counts as lost."""

_release = CompletedRequest.release
_used: SimpleQueue[Any] = SimpleQueue()


class TwoPlaneAllocator(DmaAllocator):  # type: ignore[misc] # it has no types
    """Allocates a buffer with a plane for the light and one for the colours."""

    def allocate(self, configuration: Any, _use_case: Any) -> None:
        """Allocate all buffers of all streams."""
        self.libcamera_fds: list[int] = []
        self.cleanup()
        for file in self.open_fds:
            os.close(file)
        self.frame_buffers: dict[Any, list[Any]] = {}
        self.open_fds: list[int] = []
        for stream in configuration:
            self.frame_buffers[stream.stream] = [
                self._buffer(stream, number) for number in range(stream.buffer_count)
            ]

    def _buffer(self, stream: Any, number: int) -> Any:
        file = self.dmaHeap.alloc(f"picamera2-{number}", stream.frame_size).get()
        self.open_fds.append(file)
        light, colours = libcamera.FrameBuffer.Plane(), libcamera.FrameBuffer.Plane()
        light_bytes = stream.stride * stream.size.height
        light.fd, light.offset, light.length = file, 0, light_bytes
        colours.fd, colours.offset = file, light_bytes
        colours.length = stream.frame_size - light_bytes
        # The plane has a number of its own for the file.
        self.libcamera_fds.append(light.fd)
        self.mapped_buffers_used[light.fd] = False
        buffer = libcamera.FrameBuffer([light, colours])
        self.mapped_buffers[buffer] = mmap.mmap(file, stream.frame_size)
        return buffer


def _hand_back() -> None:
    """Hand buffers back one after another; in a thread of its own, for picamera2's may not wait."""
    due_s = 0.0
    while True:
        request = _used.get()
        now_s = time.monotonic()
        time.sleep(max(0.0, due_s - now_s))
        if WAITS:
            _wait_until_dealt_with()
        due_s = max(now_s, due_s) + PERIOD_S
        with suppress(RuntimeError, OSError):  # a camera that is being stopped takes none back
            _release(request)


def _wait_until_dealt_with() -> None:
    """Wait while somebody has the lock, but not for ever: his own camera must not stall."""
    end_s = time.monotonic() + LONGEST_S
    with BUSY.open("w") as file:
        while time.monotonic() < end_s:
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(0.01)


def _locking(frames: Callable[[LiveSource], Iterator[Frame]]) -> Callable[..., Iterator[Frame]]:
    """Have the lock held while a frame of *frames* is dealt with."""

    def held(source: LiveSource) -> Iterator[Frame]:
        with closing(frames(source)) as found:  # type: ignore[type-var] # a generator
            for frame in found:
                with BUSY.open("w") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    yield frame

    return held


def _paced_release(request: Any) -> None:
    if request.ref_count == 1:
        _used.put(request)
    else:
        _release(request)


def _one_mode(_: Any) -> list[dict[str, Any]]:
    return [{"format": "NV12", "size": (1920, 1080)}]


implementation.DmaAllocator = TwoPlaneAllocator
implementation.Picamera2._get_raw_modes = _one_mode
CompletedRequest.release = _paced_release
if WAITS:
    LiveSource.frames = _locking(LiveSource.frames)  # type: ignore[method-assign]
threading.Thread(target=_hand_back, name="pace", daemon=True).start()
