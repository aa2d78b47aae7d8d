"""A source of frames whose frames are shown to somebody else as they pass."""

from collections.abc import Callable, Iterator
from typing import Final

from hardware.closing import Closing
from hardware.ports import FrameSource
from vision.frame import Frame


class TappedSource(Closing):
    """Another source, each frame of which is also handed to *tap*, which must not block."""

    def __init__(self, source: FrameSource, tap: Callable[[Frame], None]) -> None:
        self._source: Final = source
        self._tap: Final = tap

    @property
    def name(self) -> str:
        """What the source is called."""
        return self._source.name

    @property
    def live(self) -> bool:
        """Whether the frames show a table that goes on without us."""
        return self._source.live

    def frames(self) -> Iterator[Frame]:
        """Yield the frames."""
        for frame in self._source.frames():
            self._tap(frame)
            yield frame

    def close(self) -> None:
        """Release the device; harmless when repeated."""
        self._source.close()
