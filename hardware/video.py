"""A video file, played by its own time stamps as fast as it is fetched."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2

from hardware.capture import colour_picture, hush_opencv
from hardware.closing import Closing
from hardware.ports import SourceError
from vision.frame import Frame

_USUAL_FPS: Final = 25.0  # where a file states no rate

_log = logging.getLogger(__name__)


class VideoFile(Closing):
    """The frames of a video file."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            SourceError: there is no such file, or it is no video.
        """
        if not path.is_file():
            raise SourceError(f"there is no video file {path}")
        self._path = path
        self._closed = False
        self._open().release()

    @property
    def name(self) -> str:
        """The file's path."""
        return str(self._path)

    @property
    def live(self) -> bool:
        """Whether the table goes on without us: in a file it waits."""
        return False

    def frames(self) -> Iterator[Frame]:
        """Yield every frame from the beginning.

        Raises:
            SourceError: the file holds no frame that can be decoded.
        """
        video = self._open()
        fps = video.get(cv2.CAP_PROP_FPS)
        step_s = 1 / (fps if 0 < fps < 1000 else _USUAL_FPS)
        promised = video.get(cv2.CAP_PROP_FRAME_COUNT)
        number, last_s = 0, 0.0
        try:
            while not self._closed:
                there, raw = video.read()
                if not there or raw is None:
                    break
                # Some containers carry no time stamps and some start anywhere: never fall.
                stamped_s = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
                at_s = stamped_s if stamped_s > last_s or number == 0 else last_s + step_s
                yield Frame(colour_picture(raw), at_s=at_s, number=number, name=self.name)
                number, last_s = number + 1, at_s
        finally:
            video.release()
        if self._closed:
            return
        if number == 0:
            raise SourceError(f"{self._path} holds no frame that can be read: it is broken")
        if number < 0.9 * promised:
            _log.warning("%s breaks off after %d of %d frames", self._path, number, round(promised))

    def close(self) -> None:
        """Stop reading; harmless when repeated."""
        self._closed = True

    def _open(self) -> cv2.VideoCapture:
        hush_opencv()
        video = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not video.isOpened():
            video.release()
            raise SourceError(f"{self._path} is no video that can be read")
        return video
