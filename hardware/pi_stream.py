"""A stream of a Pi camera as it was really configured, and its pictures."""

from collections.abc import Mapping
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

FORMAT: Final = "RGB888"
"""What is asked for: blue, green, red in memory, whatever the name says."""

_FROM_YUV: Final[Mapping[str, int]] = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}
_FROM_RGB: Final[Mapping[str, int | None]] = {
    FORMAT: None,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
}
_FULL_RANGE: Final = ("sycc", "jpeg", "full")


class PiStream:
    """One stream: its name, and how its pictures lie in memory."""

    def __init__(self, name: str, found: Mapping[str, Any], colour_space: object = None) -> None:
        """Take what `camera_configuration` says of the stream.

        Raises:
            ValueError: its pictures cannot be read; the message says what they are.
        """
        self.name = name
        self.format = str(found["format"])
        width, height = found["size"]
        self.size_wh = (int(width), int(height))
        self.stride = int(found.get("stride") or 0)
        self._full_range = any(word in str(colour_space).lower() for word in _FULL_RANGE)
        if self.format not in _FROM_YUV and self.format not in _FROM_RGB:
            raise ValueError(f"it gives {self.format} pictures where {FORMAT} was asked for")
        if self.format in _FROM_YUV and 0 < self.stride < self.size_wh[0]:
            raise ValueError(f"its rows of {self.stride} bytes hold no {self.size_wh[0]} pixels")

    def picture(self, request: Any) -> Picture:
        """Return the picture of a request, shape (height, width, 3), BGR."""
        width, height = self.size_wh
        raw = np.asarray(request.make_array(self.name), np.uint8)
        self._check(raw)
        if self.format in _FROM_YUV:
            if self._full_range:
                raw = _in_video_range(raw, height)
            # YUV rows keep the padding of their buffer: convert all, then cut.
            raw = np.asarray(cv2.cvtColor(raw, _FROM_YUV[self.format]), np.uint8)
        elif (conversion := _FROM_RGB[self.format]) is not None:
            raw = np.asarray(cv2.cvtColor(raw, conversion), np.uint8)
        return np.ascontiguousarray(raw[:height, :width])

    def grey(self, request: Any) -> NDArray[np.uint8]:
        """Return how light the picture of a request is, shape (height, width)."""
        width, height = self.size_wh
        raw = np.asarray(request.make_array(self.name), np.uint8)
        self._check(raw)
        if raw.ndim == 3:
            return np.ascontiguousarray(raw[:height, :width, 1])
        return raw[:height, :width]

    def _check(self, raw: NDArray[np.uint8]) -> None:
        """See that an array is as large as the stream says.

        Raises:
            ValueError: it is smaller.
        """
        width, height = self.size_wh
        rows = height * 3 // 2 if self.format in _FROM_YUV else height
        if raw.shape[0] < rows or raw.shape[1] < width:
            raise ValueError(
                f"a {self.format} picture of {width}x{height} came as an array {raw.shape}"
            )


def _in_video_range(yuv: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    """Bring YUV of 0 to 255 to the range of video, 16 to 235 and 240, that OpenCV expects."""
    scaled = np.empty_like(yuv)
    luma = np.arange(256) * 219 / 255 + 16
    chroma = (np.arange(256) - 128) * 224 / 255 + 128
    scaled[:height] = np.rint(luma).astype(np.uint8)[yuv[:height]]
    scaled[height:] = np.rint(chroma).astype(np.uint8)[yuv[height:]]
    return scaled
