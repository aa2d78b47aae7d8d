"""The newest value of a series, from any thread to any number of waiting tasks."""

import asyncio
import threading
from contextlib import suppress
from typing import Final, Generic, TypeVar

T = TypeVar("T")


class SeriesEndError(Exception):
    """No further value will come."""


class Latest(Generic[T]):
    """Keeps the newest value only: who was slow goes on with the newest and never sees the others.

    `put` may be called from any thread and never waits for those who wait in `after`, which all
    run in one event loop.
    """

    def __init__(self, value: T) -> None:
        self._lock: Final = threading.Lock()
        self._held = (0, value)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._ended = False

    @property
    def held(self) -> tuple[int, T]:
        """The newest value's number, and the value."""
        return self._held

    def put(self, value: T) -> None:
        """Let *value* be the newest."""
        with self._lock:
            self._held = (self._held[0] + 1, value)
            loop = self._loop if self._changed is not None else None
        self._call(loop)

    def end(self) -> None:
        """Send home all who wait, and all who will."""
        self._ended = True
        self._call(self._loop)

    async def after(self, number: int) -> tuple[int, T]:
        """Return the newest value and its number as soon as that is above *number*.

        Raises:
            SeriesEndError: none will come.
        """
        while True:
            with self._lock:
                if self._held[0] > number and not self._ended:
                    return self._held
                self._loop = asyncio.get_running_loop()
                if self._changed is None:
                    self._changed = asyncio.Event()
                changed = self._changed
            if self._ended:
                raise SeriesEndError
            await changed.wait()

    def _call(self, loop: asyncio.AbstractEventLoop | None) -> None:
        if loop is None:
            return
        if loop is _running_loop():
            self._wake()
            return
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        with self._lock:
            changed, self._changed = self._changed, None
        if changed is not None:
            changed.set()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop of this thread; None where there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
