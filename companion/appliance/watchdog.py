"""Telling systemd that all is well: ready once the first frame was seen, alive while frames come.

The watchdog is fed between two frames only: when a frame came from the camera, and the loop has
done with it and asks for the next. Where either stops, systemd ends the program and starts it
anew, and the game is gone on with. Without systemd nothing is told.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

from hardware.live import LiveSource
from hardware.ports import FrameSource

FED_EVERY_S: Final = 1.0


class Systemd:
    """The socket on which systemd listens (sd_notify)."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """Find the socket; there is none where systemd has not started the program."""
        address = environment.get("NOTIFY_SOCKET", "")
        # A name that begins with @ is an abstract one, which the kernel writes with a nought.
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    def tell(self, *lines: str) -> None:
        """Send *lines*, as ``READY=1``; whatever goes wrong with that is no trouble of ours."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.connect(self._address)
                out.sendall("\n".join(lines).encode())
        except OSError:
            return


class Feeder:
    """Feeds the watchdog as frames pass."""

    def __init__(
        self, name: str, systemd: Systemd, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Tell *systemd* of the frames of the source called *name*."""
        self._name, self._systemd, self._clock = name, systemd, clock
        self._fed_s: float | None = None

    def passed(self) -> None:
        """Take note that the loop has done with a frame."""
        now_s = self._clock()
        if self._fed_s is None:
            self._systemd.tell("READY=1", f"STATUS=watching {self._name}", "WATCHDOG=1")
        elif now_s - self._fed_s >= FED_EVERY_S:
            self._systemd.tell("WATCHDOG=1")
        else:
            return
        self._fed_s = now_s


def feed_watchdog(source: FrameSource) -> None:
    """Let the frames of a camera feed systemd's watchdog, where there is one."""
    if isinstance(source, LiveSource):
        source.passed = Feeder(source.name, Systemd()).passed
