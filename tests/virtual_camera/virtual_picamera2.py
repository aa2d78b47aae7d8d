"""Lets the real picamera2 drive libcamera's virtual camera; imported by each interpreter.

1. The virtual camera has no raw pictures: picamera2 gets one pretended native mode.
2. It wants one plane of a buffer for each plane of NV12; picamera2's allocator makes one in all.
3. It fills buffers as fast as they come: they are handed back at the pace of a camera.
"""

import mmap
import os
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import libcamera
import picamera2.picamera2 as implementation
from picamera2.allocators import DmaAllocator
from picamera2.request import CompletedRequest

PERIOD_S = 1 / float(os.environ.get("VIRTUAL_FPS", "30"))

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
        due_s = max(now_s, due_s) + PERIOD_S
        with suppress(RuntimeError, OSError):  # a camera that is being stopped takes none back
            _release(request)


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
threading.Thread(target=_hand_back, name="pace", daemon=True).start()
