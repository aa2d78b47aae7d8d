"""What systemd is told, on a socket of our own."""

import itertools
import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.appliance.watchdog import Feeder, Systemd, feed_watchdog
from hardware import DeviceError
from hardware.live import LiveSource, Shot

ENDLESS = 10**12
"""More pictures than any test takes, however fast they come."""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Listen as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def messages(told: socket.socket) -> list[str]:
    """Return what came so far."""
    found = []
    while True:
        try:
            found.append(told.recv(4096).decode())
        except BlockingIOError:
            return found


class Camera:
    """A camera that gives so many pictures, then fails."""

    def __init__(self, pictures: int) -> None:
        self.left = pictures

    def read(self) -> Shot:
        """Give a picture."""
        if not self.left:
            raise DeviceError("the cable is loose")
        self.left -= 1
        return Shot(np.zeros((4, 4, 3), np.uint8), 0.0)

    def close(self) -> None:
        """Nothing is open."""


def test_it_is_ready_at_once_and_fed_each_second(told: socket.socket, tmp_path: Path) -> None:
    """Frames pass ten times a second; one word a second is enough."""
    now_s = [0.0]
    systemd = Systemd({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    feeder = Feeder("pi:0", systemd, lambda: now_s[0])
    for tick in range(35):
        now_s[0] = tick / 10
        feeder.passed()
    assert messages(told) == [
        "READY=1\nSTATUS=watching pi:0\nWATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1",
    ]  # fmt: skip


def test_a_loop_that_stands_still_feeds_nothing(told: socket.socket) -> None:
    """A frame counts once the loop has done with it, and asks for the next."""
    source = LiveSource("camera", lambda: Camera(ENDLESS))
    feed_watchdog(source)
    frames = source.frames()
    next(frames)
    assert messages(told) == []
    next(frames)
    assert messages(told) == ["READY=1\nSTATUS=watching camera\nWATCHDOG=1"]
    source.close()


def test_a_camera_that_gives_nothing_feeds_nothing(told: socket.socket) -> None:
    """The loss comes through, and systemd is left hungry."""
    source = LiveSource("camera", lambda: Camera(0))
    feed_watchdog(source)
    with pytest.raises(DeviceError):
        list(source.frames())
    assert messages(told) == []


@pytest.mark.parametrize("socket_name", ["", "/nowhere/notify"])
def test_without_systemd_frames_pass_all_the_same(
    socket_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No socket, or one that is gone, is no trouble."""
    monkeypatch.setenv("NOTIFY_SOCKET", socket_name)
    with LiveSource("camera", lambda: Camera(ENDLESS)) as source:
        feed_watchdog(source)
        assert len(list(itertools.islice(source.frames(), 3))) == 3


def test_an_abstract_socket_is_reached() -> None:
    """An @ in its name stands for a nought."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0pachisi-test")
        Systemd({"NOTIFY_SOCKET": "@pachisi-test"}).tell("READY=1")
        assert listening.recv(100) == b"READY=1"
