"""A device in a process of its own: a driver that hangs or crashes takes nothing with it.

The process opens the device and sends its pictures through a pipe; here they are read as from any
device. A process that gives nothing any more is killed, and with it all that its driver holds, so
that the device can be opened anew.
"""

import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from hardware.camera_settings import CameraSettings
from hardware.live import STALL_S, Device, Shot
from hardware.ports import DeviceError

OPEN_S: Final = 90.0
"""Starting an interpreter, loading libraries and settling take a Pi 3 some 15 s, more if busy."""

_CLOSING_S: Final = 2.0
_SLACK_S: Final = 1.0  # beyond the device's own limit, which words its trouble better


class SetDevice(Device, Protocol):
    """A device that tells how it is set."""

    @property
    def settings(self) -> CameraSettings:
        """What it keeps to."""
        ...


OpenDevice: TypeAlias = Callable[[], SetDevice]
"""Opens a device; must be something that can be sent to another process."""


class DeviceApart:
    """A device that is opened, read and closed in a process of its own."""

    def __init__(
        self,
        name: str,
        open_device: OpenDevice,
        *,
        stall_s: float = STALL_S,
        open_s: float = OPEN_S,
    ) -> None:
        """Start the process and wait until its device is open.

        Args:
            name: what the device is called.
            open_device: opens it, in the process.
            stall_s: after how long without a picture the process is killed.
            open_s: the same, for opening.

        Raises:
            DeviceError: the device cannot be opened, or hangs in being opened.
        """
        self._name, self._stall_s = name, stall_s
        # A fresh interpreter: a forked one would share threads' locks that nobody releases.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(name, open_device, theirs), name=f"camera {name}", daemon=True
        )
        self._process.start()
        theirs.close()
        self.settings: CameraSettings = self._received(open_s)

    def read(self) -> Shot:
        """Wait for the next picture, not longer than the time limit.

        Raises:
            DeviceError: none came; the process has been ended.
        """
        at_s, shape = self._received(self._stall_s + _SLACK_S)
        try:
            pixels = np.frombuffer(self._pipe.recv_bytes(), np.uint8).reshape(shape)
        except (OSError, EOFError) as error:
            raise self._ended() from error
        return Shot(pixels, at_s)

    def close(self) -> None:
        """Let the process close the device; kill it where that hangs. Harmless when repeated."""
        # Its end of the pipe tells the process to come to an end.
        self._pipe.close()
        self._process.join(_CLOSING_S)
        self._kill()

    def _received(self, limit_s: float) -> Any:
        try:
            if not self._pipe.poll(limit_s):
                self._kill()
                raise DeviceError(
                    f"{self._name} hangs: its driver has given nothing for {limit_s:g} s and was "
                    "ended; check the ribbon cable at both ends"
                )
            kind, value = self._pipe.recv()
        except (OSError, EOFError) as error:
            if isinstance(error, DeviceError):
                raise
            raise self._ended() from error
        if kind == "error":
            self.close()
            raise DeviceError(value)
        return value

    def _ended(self) -> DeviceError:
        self._process.join(_CLOSING_S)
        code = self._process.exitcode
        self._kill()
        return DeviceError(f"{self._name} was lost: its driver broke down ({_end_text(code)})")

    def _kill(self) -> None:
        if self._process.is_alive():
            self._process.kill()
            self._process.join(_CLOSING_S)


def _serve(name: str, open_device: OpenDevice, pipe: Connection) -> None:
    """Open the device and send its pictures until the other end is closed."""
    # Ctrl-C is for the game: it closes the pipe once it is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, EOFError):
        try:
            device = open_device()
        except Exception as error:
            pipe.send(("error", _text(name, error)))
            return
        try:
            pipe.send(("open", device.settings))
            _send_pictures(name, device, pipe)
        finally:
            device.close()


def _send_pictures(name: str, device: Device, pipe: Connection) -> None:
    while not pipe.poll():
        try:
            shot = device.read()
        except Exception as error:
            pipe.send(("error", _text(name, error)))
            return
        pipe.send(("picture", (shot.at_s, shot.pixels.shape)))
        pipe.send_bytes(np.ascontiguousarray(shot.pixels).data.cast("B"))


def _text(name: str, error: Exception) -> str:
    return str(error) if isinstance(error, DeviceError) else f"{name} failed: {error}"


def _end_text(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit status {code}"
