"""Devices in processes of their own, among them such as hang and crash."""

import os
import signal
import time
from functools import partial

import numpy as np
import pytest

from hardware import DeviceError
from hardware.apart import DeviceApart
from hardware.camera_settings import CameraSettings
from hardware.live import Shot

pytestmark = pytest.mark.usefixtures("_short_wait")


@pytest.fixture
def _short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill at once what does not close."""
    monkeypatch.setattr("hardware.apart._CLOSING_S", 0.3)
    monkeypatch.setattr("hardware.apart._SLACK_S", 0.1)


class Trouble:
    """A device that gives one picture and then does as it is told."""

    def __init__(self, then: str) -> None:
        if then == "hang in opening":
            time.sleep(60)
        self._then = then
        self._given = 0
        self.settings = CameraSettings(model="stub", exposure_us=os.getpid())

    def read(self) -> Shot:
        """Give a picture, or trouble."""
        self._given += 1
        if self._given > 1:
            match self._then:
                case "hang":
                    time.sleep(60)
                case "crash":
                    os.kill(os.getpid(), signal.SIGSEGV)
                case "fail":
                    raise MemoryError("no buffers")
        return Shot(np.full((2, 3, 3), self._given, np.uint8), float(self._given))

    def close(self) -> None:
        """Hang, if told to."""
        if self._then == "hang in closing":
            time.sleep(60)


def gone(process_id: int) -> bool:
    """Tell whether a process has ended."""
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    ("then", "complaint"),
    [
        ("hang", r"pi:0 hangs: its driver has given nothing for 0\.3 s and was ended"),
        ("crash", r"pi:0 was lost: its driver broke down \(signal SIGSEGV\)"),
        ("fail", "pi:0 failed: no buffers"),
    ],
)
def test_trouble_in_reading_is_told_in_time(then: str, complaint: str) -> None:
    """A picture comes, then the trouble is named; the process is gone and a new one can begin."""
    device = DeviceApart("pi:0", partial(Trouble, then), stall_s=0.2)
    process_id = device.settings.exposure_us
    assert process_id is not None
    shot = device.read()
    assert (shot.pixels.shape, shot.at_s) == ((2, 3, 3), 1.0)
    with pytest.raises(DeviceError, match=complaint):
        device.read()
    device.close()
    assert gone(process_id)


def test_a_driver_that_hangs_in_closing_is_killed() -> None:
    """Closing takes no longer than its limit, twice is harmless, and nothing is left running."""
    device = DeviceApart("pi:0", partial(Trouble, "hang in closing"))
    process_id = device.settings.exposure_us
    assert process_id is not None
    device.close()
    device.close()
    assert gone(process_id)


def test_a_driver_that_hangs_in_opening_is_killed() -> None:
    """Opening has a limit too."""
    with pytest.raises(DeviceError, match="pi:0 hangs"):
        DeviceApart("pi:0", partial(Trouble, "hang in opening"), open_s=0.5)


def test_nobody_who_reads_slowly_gets_lost() -> None:
    """Pictures come one after the other, whole, however many."""
    device = DeviceApart("pi:0", partial(Trouble, "go on"))
    assert [device.read().pixels[0, 0, 0] for _ in range(20)] == list(range(1, 21))
    device.close()
