"""The contract of sources of frames, and picamera2's pitfalls, on the real picamera2.

Run by `tests/virtual_camera/run` where the virtual camera shows a flag.
"""

import itertools
import multiprocessing
import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest

from hardware import DeviceError, FrameSource
from hardware.camera_settings import CameraSettings, CameraWish
from hardware.pi import load_picamera2, open_pi
from tests.hardware.test_source_contract import (
    test_a_source_says_what_it_is,
    test_a_with_statement_closes,
    test_channels_are_blue_green_red,
    test_closing_twice_is_harmless_and_ends_the_frames,
    test_frames_are_numbered_from_nought_and_times_never_fall,
    test_looking_again_after_stopping_in_the_middle_gives_more_frames,
)

__all__ = [
    "test_a_source_says_what_it_is",
    "test_a_with_statement_closes",
    "test_channels_are_blue_green_red",
    "test_closing_twice_is_harmless_and_ends_the_frames",
    "test_frames_are_numbered_from_nought_and_times_never_fall",
    "test_looking_again_after_stopping_in_the_middle_gives_more_frames",
]

SMALL = CameraWish(size_wh=(320, 240))


@pytest.fixture
def tolerance() -> int:
    """Return by how much colours may be off: JPEG and YUV round, and twice here."""
    return 8


@pytest.fixture(params=[False, True], ids=["pi", "pi apart"])
def source(request: pytest.FixtureRequest) -> Iterator[FrameSource]:
    """Open the virtual camera, in this process and in one of its own."""
    with open_pi(0, SMALL, apart=request.param) as opened:
        yield opened


def test_what_it_gives_is_read_back() -> None:
    """RGB888 is asked for, NV12 is given, and the picture is right all the same."""
    with open_pi(0, SMALL, apart=False) as source:
        frame = next(source.frames())
        settings = source.settings
    assert frame.size_wh == (320, 240)
    assert settings is not None
    assert settings.model == "imx708"
    assert settings.camera_id == "Virtual0"
    assert settings.exposure_us is None


def test_a_second_opening_names_what_is_wrong() -> None:
    """A camera that is open is busy, and it is well again once that is closed."""
    busy = pytest.raises(DeviceError, match=r"pi:0 cannot be opened \(.*end that")
    with open_pi(0, SMALL, apart=False), busy:
        open_pi(0, SMALL, apart=False)
    with open_pi(0, SMALL, apart=False) as again:
        assert next(again.frames()).number == 0


def test_values_that_it_cannot_be_set_to_are_refused() -> None:
    """The virtual camera has no exposure to set."""
    wish = CameraWish(CameraSettings(exposure_us=10_000), (320, 240))
    with pytest.raises(DeviceError, match="sets ExposureTime, which this camera cannot be set to"):
        open_pi(0, wish, apart=False)


def test_a_starved_camera_gives_a_time_out_and_recovers() -> None:
    """While all requests are held none comes; once one is released it goes on."""
    camera = load_picamera2().Picamera2(0)
    try:
        camera.configure(camera.create_video_configuration(buffer_count=4, queue=False))
        camera.start()
        held = [camera.capture_request(wait=False).get_result(timeout=5) for _ in range(4)]
        job = camera.capture_request(wait=False)
        with pytest.raises(TimeoutError):
            job.get_result(timeout=0.5)
        for request in held:
            request.release()
        request = job.get_result(timeout=5)
        assert np.asarray(request.make_array("main")).size
        request.release()
    finally:
        camera.close()


def test_a_hundred_pictures_hold_no_request() -> None:
    """More pictures than there are buffers come, with times of their own."""
    with open_pi(0, SMALL, apart=False) as source:
        times = []
        for frame in source.frames():
            times.append(frame.at_s)
            if len(times) == 40:
                break
    assert all(one < other for one, other in itertools.pairwise(times))


def test_a_driver_that_hangs_is_ended_and_the_camera_opened_anew() -> None:
    """The camera's process stands still as one in a driver that never returns, and is replaced."""
    with open_pi(0, SMALL, stall_s=2.0) as source:
        frames = source.frames()
        first = next(frames)
        (hanging,) = multiprocessing.active_children()
        assert hanging.pid is not None
        os.kill(hanging.pid, signal.SIGSTOP)
        with pytest.raises(DeviceError, match="pi:0 hangs: its driver has given nothing"):
            list(frames)
        assert not hanging.is_alive()
        again = next(source.frames())
        assert (again.number > first.number, again.at_s >= first.at_s) == (True, True)
