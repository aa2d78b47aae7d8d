"""The Pi camera on a stub that keeps to picamera2's documented interface."""

import itertools
import logging

import numpy as np
import pytest

from hardware import DeviceError
from hardware.pi import open_pi
from tests.hardware.stand_ins import HEIGHT, WIDTH, PiStage


@pytest.fixture
def stage() -> PiStage:
    """Build a Pi with one camera."""
    return PiStage()


def test_requests_are_always_released(stage: PiStage) -> None:
    """Thirty pictures come although the camera has four buffers, and none is held at the end."""
    with open_pi(0, load=stage.load) as source:
        assert len(list(itertools.islice(source.frames(), 30))) == 30
    assert stage.cameras[0].held == 0
    assert stage.cameras[0].calls == ["start", "stop", "close"]


@pytest.mark.parametrize("form", ["RGB888", "YUV420"])
@pytest.mark.parametrize("size_wh", [(320, 240), (456, 342)])
def test_formats_and_sizes_are_what_the_camera_gives(
    stage: PiStage, form: str, size_wh: tuple[int, int]
) -> None:
    """Another size than asked for, padded rows and YUV come out as the same picture."""
    stage.form, stage.size_wh = form, size_wh
    with open_pi(0, load=stage.load) as source:
        frame = next(source.frames())
    width, height = size_wh
    assert frame.size_wh == size_wh
    assert np.allclose(frame.pixels[height // 2, width // 4], (0, 0, 255), atol=4)
    assert np.allclose(frame.pixels[height // 2, 3 * width // 4], (255, 0, 0), atol=4)


def test_a_format_that_cannot_be_read_is_refused(stage: PiStage) -> None:
    """An unknown format is named, and the camera is left to others."""
    stage.form = "SRGGB10"
    with pytest.raises(DeviceError, match="it gives SRGGB10 pictures where RGB888 was asked for"):
        open_pi(0, load=stage.load)
    assert stage.cameras[0].calls == ["close"]


def test_frames_carry_the_sensors_own_time(stage: PiStage) -> None:
    """The stub exposes a picture every 33 ms."""
    with open_pi(0, load=stage.load) as source:
        frames = list(itertools.islice(source.frames(), 5))
    steps = np.diff([frame.at_s for frame in frames]) / 0.033
    assert np.allclose(steps, np.round(steps), atol=1e-6)
    assert (np.round(steps) >= 1).all()


def test_exposure_and_colours_are_locked_once_settled(stage: PiStage) -> None:
    """What the camera chose is set once, and no control besides: the order would be undefined."""
    with open_pi(0, load=stage.load) as source:
        list(itertools.islice(source.frames(), 20))
    settled = {"ExposureTime": 8_000, "AnalogueGain": 1.5, "ColourGains": (1.7, 1.9)}
    assert stage.cameras[0].controls_set == [settled]


def test_exposure_is_locked_in_the_end_even_if_it_never_settles(stage: PiStage) -> None:
    """A camera that never says it is steady is locked after a second and a half."""
    stage.settles_after = 10_000
    stage.controls.remove("ColourGains")
    with open_pi(0, load=stage.load) as source:
        for frame in source.frames():
            if frame.at_s > 2:
                break
    (controls,) = stage.cameras[0].controls_set
    assert set(controls) == {"ExposureTime", "AnalogueGain"}


def test_only_a_camera_that_can_focuses(stage: PiStage) -> None:
    """The Camera Module 3 focuses once at the start."""
    stage.controls |= {"AfMode"}
    open_pi(0, load=stage.load).close()
    assert stage.cameras[0].calls == ["start", "autofocus_cycle", "stop", "close"]


def test_a_loose_cable_is_told_in_time_and_mended_by_looking_again(
    stage: PiStage, caplog: pytest.LogCaptureFixture
) -> None:
    """No capture waits for ever; a new loop opens the camera anew."""
    caplog.set_level(logging.INFO)
    stage.frames = 3
    with open_pi(0, load=stage.load, stall_s=0.05) as source:
        with pytest.raises(DeviceError, match=r"pi:0 has given no picture for 0\.05 s"):
            list(source.frames())
        assert next(source.frames()).size_wh == (WIDTH, HEIGHT)
    assert len(stage.cameras) == 2
    assert "pi:0 is back" in caplog.text


def test_a_busy_camera_names_its_likely_holder(stage: PiStage) -> None:
    """The cause below picamera2's own words is found."""
    stage.busy = True
    with pytest.raises(DeviceError, match=r"resource busy\): another program uses it"):
        open_pi(0, load=stage.load)


def test_a_camera_that_is_not_there_says_which_are(stage: PiStage) -> None:
    """Cameras are counted before one is opened."""
    with pytest.raises(DeviceError, match="pi:2 is missing: pi:0 is a imx708; check the ribbon"):
        open_pi(2, load=stage.load)
    stage.models = []
    with pytest.raises(DeviceError, match="pi:0 is missing: no camera is found"):
        open_pi(0, load=stage.load)


def test_missing_libraries_are_named_with_what_to_type() -> None:
    """Without picamera2, and with a numpy it was not built for."""

    def absent() -> object:
        raise ModuleNotFoundError("No module named 'libcamera'")

    def clash() -> object:
        raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    with pytest.raises(DeviceError, match=r"'libcamera'.*apt install -y python3-picamera2"):
        open_pi(0, load=absent)
    with pytest.raises(DeviceError, match=r"does not fit this numpy.*numpy<2"):
        open_pi(0, load=clash)
