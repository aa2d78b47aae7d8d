"""The doors to the world: what a camera, a voice and a lamp must do, whatever they are made of.

A backend **must** offer every method of its port and keep these habits: it opens its device in its
constructor or raises `DeviceError`; `close` may be called twice and from a `with`; nothing blocks
for ever. It imports its device's library only inside itself.
"""

from collections.abc import Iterator
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame


class HardwareError(Exception):
    """The root of all that goes wrong with devices and sources."""


class DeviceError(HardwareError, OSError):
    """A device is missing, busy or broken. The text says which, why, and what to do."""


class SourceError(HardwareError, ValueError):
    """A source of frames was named that cannot be: unknown, or its file or folder is no good."""


class FrameSource(Protocol):
    """Where frames come from.

    `frames` yields each frame once, oldest first, with times that never fall. A *live* source drops
    frames nobody fetched in time and yields the newest; a recorded one yields them all. It ends
    where the recording ends. A live source that loses its device raises `DeviceError` from the
    iterator; iterating again tries to open it anew.
    """

    @property
    def name(self) -> str:
        """What the source is called, as a person typed it."""
        ...

    @property
    def live(self) -> bool:
        """Whether the frames show a table that goes on without us."""
        ...

    def frames(self) -> Iterator[Frame]:
        """Yield the frames."""
        ...

    def close(self) -> None:
        """Release the device; harmless when repeated."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Voice(Protocol):
    """Who says things aloud.

    `say` returns when the sentence was spoken, or was given up after a time limit; it raises
    `DeviceError` when the device failed. The queue in front of it is the application's.
    """

    def say(self, text: str, language: str) -> None:
        """Speak one sentence in the language "en" or "ru"."""
        ...

    def prepare(self, text: str, language: str) -> None:
        """Make the sound of a sentence that will probably be said soon."""
        ...

    def close(self) -> None:
        """Fall silent and release the device; harmless when repeated."""
        ...


class Signal(StrEnum):
    """What the lamps can say."""

    OFF = "off"
    WAITING_FOR_THROW = "waiting_for_throw"
    WAITING_FOR_MOVE = "waiting_for_move"
    LEGAL = "legal"
    ILLEGAL = "illegal"
    KNOCK_OUT = "knock_out"
    EXTRA_THROW = "extra_throw"
    QUESTION = "question"
    WON = "won"
    CAMERA_LOST = "camera_lost"


class Lamps(Protocol):
    """A lamp for the verdict, one a seat for whose turn it is, and lights along the board."""

    def show(self, signal: Signal, then: Signal = Signal.OFF) -> None:
        """Let the verdict's lamp show *signal*, and once that has come to its end *then*."""
        ...

    def turn(self, seat: str | None) -> None:
        """Light the lamp of the seat "D4" to "D1" whose turn it is; None lights none."""
        ...

    def mark(self, wrong: tuple[str, ...], right: tuple[str, ...]) -> None:
        """Mark the squares, as "b1", that stand wrongly, and those where things belong."""
        ...

    def close(self) -> None:
        """Put all lamps out and release the pins; harmless when repeated."""
        ...
