"""A source of frames over a device that goes on by itself: the newest frame wins.

A thread reads the device and keeps the newest picture only, so that a slow consumer sees the table
as it is and not as it was. The device itself is a small thing with two methods, `Device`.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from hardware.camera_settings import CameraSettings
from hardware.closing import Closing
from hardware.ports import DeviceError
from vision.frame import Frame, Picture

STALL_S: Final = 5.0
"""After how long without a picture a device counts as lost."""

_STOPPING_S: Final = 2.0  # how long a device may take to come to an end

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture from a device and when it was exposed, in seconds of a clock never falling."""

    pixels: Picture
    at_s: float


class Device(Protocol):
    """An open camera or stream."""

    def read(self) -> Shot:
        """Wait for the next picture; raise `DeviceError` where none comes any more."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class LiveSource(Closing):
    """A live source of frames, whatever its device."""

    def __init__(
        self, name: str, open_device: Callable[[], Device], *, stall_s: float = STALL_S
    ) -> None:
        """Open the device.

        Args:
            name: what the source is called.
            open_device: opens the device, or raises `DeviceError`.
            stall_s: after how long without a picture the device counts as lost.

        Raises:
            DeviceError: the device cannot be opened.
        """
        self._name = name
        self._open_device = open_device
        self._stall_s = stall_s
        self._settings: CameraSettings | None = None
        self._device: Device | None = self._opened()
        self._reader: _Reader | None = None
        self._closed = False
        self._number = 0
        self._began_s: float | None = None
        self._last_s = 0.0
        self._size_wh: tuple[int, int] | None = None
        self.wanted: Callable[[float], bool] = _any_moment
        """Tells of a moment, by the monotonic clock, whether its picture is wanted."""
        self.passed: Callable[[], None] = _nothing
        """Hears that whoever asked for a frame has done with it."""

    @property
    def name(self) -> str:
        """What the source is called."""
        return self._name

    @property
    def live(self) -> bool:
        """Whether the frames show a table that goes on without us: they do."""
        return True

    @property
    def settings(self) -> CameraSettings | None:
        """How the camera was set when it was last open; None where it does not tell."""
        return self._settings

    def frames(self) -> Iterator[Frame]:
        """Yield the newest frame whenever there is one, opening a lost device anew.

        Raises:
            DeviceError: the device cannot be opened, failed, or gives no more pictures.
        """
        if self._closed:
            return
        if self._device is None:
            self._device = self._opened()
            _log.info("%s is back", self._name)
        reader = self._reader = _Reader(self._name, self._device)
        well = False
        try:
            while (shot := reader.newest(self._stall_s)) is not None:
                if self.wanted(shot.at_s):
                    yield self._frame(shot)
                    self.passed()
            well = True
        except GeneratorExit:
            well = True
            raise
        finally:
            if not (reader.stop() and well):
                self._let_go()

    def close(self) -> None:
        """Release the device; harmless when repeated."""
        self._closed = True
        if self._reader is not None:
            self._reader.stop()
        self._let_go()

    def _opened(self) -> Device:
        device = self._open_device()
        self._settings = getattr(device, "settings", None)
        return device

    def _frame(self, shot: Shot) -> Frame:
        if self._began_s is None:
            self._began_s = shot.at_s
        self._last_s = max(self._last_s, shot.at_s - self._began_s)
        frame = Frame(shot.pixels, at_s=self._last_s, number=self._number, name=self._name)
        if self._size_wh is None:
            self._size_wh = frame.size_wh
        elif frame.size_wh != self._size_wh:
            # Squares are where they were only in pictures of the same size.
            (width, height), (was_wide, was_high) = frame.size_wh, self._size_wh
            raise DeviceError(
                f"{self._name} gives pictures of {width}x{height} now, and gave {was_wide}x"
                f"{was_high} before: set it back to that size"
            )
        self._number += 1
        return frame

    def _let_go(self) -> None:
        """Close the device, not waiting for a driver that hangs."""
        device, self._device = self._device, None
        if device is None:
            return
        closing = threading.Thread(target=self._close, args=(device,), daemon=True)
        closing.start()
        closing.join(_STOPPING_S)
        if closing.is_alive():
            _log.warning("%s does not close: its driver hangs", self._name)

    def _close(self, device: Device) -> None:
        try:
            device.close()
        except Exception as error:
            _log.warning("%s did not close well: %s", self._name, error)


def _any_moment(_: float) -> bool:
    return True


def _nothing() -> None:
    """Do nothing."""


class _Reader:
    """Reads a device in a thread of its own and keeps the newest picture."""

    def __init__(self, name: str, device: Device) -> None:
        self._name, self._device = name, device
        self._news = threading.Condition()
        self._shot: Shot | None = None
        self._error: DeviceError | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._read, name=f"camera {name}", daemon=True)
        self._thread.start()

    def newest(self, limit_s: float) -> Shot | None:
        """Wait for a picture not yet fetched; None once stopped."""
        with self._news:
            if not self._news.wait_for(self._any, limit_s):
                raise DeviceError(
                    f"{self._name} has given no picture for {limit_s:g} s: check its cable, "
                    "its power and its network"
                )
            shot, self._shot = self._shot, None
            if self._stopped:
                return None
            if shot is None and self._error is not None:
                raise self._error
            return shot

    def stop(self) -> bool:
        """Read no more; tell whether the device came to an end in time."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(_STOPPING_S)
        return not self._thread.is_alive()

    def _any(self) -> bool:
        return self._shot is not None or self._error is not None or self._stopped

    def _read(self) -> None:
        try:
            while not self._stopped:
                shot = self._device.read()
                with self._news:
                    self._shot = shot
                    self._news.notify_all()
        except DeviceError as error:
            self._fail(error)
        except Exception as error:
            self._fail(DeviceError(f"{self._name} failed: {error}"))

    def _fail(self, error: DeviceError) -> None:
        with self._news:
            self._error = error
            self._news.notify_all()
