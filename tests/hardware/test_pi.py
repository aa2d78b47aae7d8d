"""The Pi camera on a stand-in written along picamera2's source."""

import itertools
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from hardware import DeviceError
from hardware.camera_settings import CameraSettings, CameraWish, without_flicker
from hardware.holders import holder_text
from hardware.live import LiveSource
from hardware.pi import open_pi
from tests.hardware.picamera2_stub import PiStage
from tests.hardware.stand_ins import HEIGHT, WIDTH, flag
from vision.frame import Picture


@pytest.fixture
def stage() -> PiStage:
    """Build a Pi with one camera."""
    return PiStage()


def opened(stage: PiStage, number: int = 0, wish: CameraWish | None = None) -> LiveSource:
    """Open a camera of *stage* in this process, where it can be looked into."""
    return open_pi(number, wish, load=stage.load, apart=False)


def settled(stage: PiStage, wish: CameraWish | None = None) -> CameraSettings:
    """Return how a camera is set once it is open."""
    with opened(stage, 0, wish) as source:
        assert source.settings is not None
        return source.settings


def test_requests_are_always_released(stage: PiStage) -> None:
    """Thirty pictures come although the camera has four buffers, and none is held at the end."""
    with opened(stage) as source:
        assert len(list(itertools.islice(source.frames(), 30))) == 30
    assert stage.cameras[0].held == 0
    assert stage.cameras[0].calls == ["start", "stop", "close"]


@pytest.mark.parametrize("form", ["RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "NV12"])
@pytest.mark.parametrize("size_wh", [(320, 240), (456, 342)])
def test_formats_and_sizes_are_what_the_camera_gives(
    stage: PiStage, form: str, size_wh: tuple[int, int]
) -> None:
    """Another size than asked for, padded rows and other formats come out as the same picture."""
    stage.form, stage.size_wh = form, size_wh
    with opened(stage) as source:
        frame = next(source.frames())
    width, height = size_wh
    assert frame.size_wh == size_wh
    assert np.allclose(frame.pixels[height // 2, width // 4], (0, 0, 255), atol=4)
    assert np.allclose(frame.pixels[height // 2, 3 * width // 4], (255, 0, 0), atol=4)


def test_yuv_of_the_full_range_keeps_its_greys(stage: PiStage) -> None:
    """A grey of 200 in a picture whose YUV goes from 0 to 255 is a grey of 200."""
    stage.form, stage.colour_space = "NV12", "sYCC"
    stage.picture = lambda size_wh, _: np.full((size_wh[1], size_wh[0], 3), 128, np.uint8)
    with opened(stage) as source:
        pixels = next(source.frames()).pixels
    # The stand-in writes video range: 128 is 126 there, which the full range shows as 126.
    assert np.allclose(pixels, 126, atol=1)


def test_a_format_that_cannot_be_read_is_refused(stage: PiStage) -> None:
    """An unknown format is named, and the camera is left to others."""
    stage.form = "SRGGB10"
    with pytest.raises(DeviceError, match="it gives SRGGB10 pictures where RGB888 was asked for"):
        opened(stage)
    assert stage.cameras[0].calls == ["close"]


def test_the_pictures_asked_for_are_fresh_and_without_flicker(stage: PiStage) -> None:
    """No picture is kept from before it was asked for; the lamps' period is told to the camera."""
    opened(stage, 0, CameraWish(mains_hz=60)).close()
    camera = stage.cameras[0]
    assert camera.camera_configuration()["queue"] is False
    assert camera.controls_set[0] == {
        "FrameDurationLimits": (33_333, 100_000),
        "AeFlickerMode": 1,
        "AeFlickerPeriod": 8_333,
    }


def test_frames_carry_the_sensors_own_time(stage: PiStage) -> None:
    """The stub exposes a picture every 33 ms."""
    with opened(stage) as source:
        frames = list(itertools.islice(source.frames(), 5))
    steps = np.diff([frame.at_s for frame in frames]) / 0.033
    assert np.allclose(steps, np.round(steps), atol=1e-6)
    assert (np.round(steps) >= 1).all()


def test_while_things_move_whole_pictures_are_taken_twice_a_second(stage: PiStage) -> None:
    """Two seconds of movement, then rest: few whole pictures, then one every tenth of a second."""

    def moving(size_wh: tuple[int, int], number: int) -> Picture:
        picture = flag(size_wh)
        if number < 100:
            x = 5 * number % (size_wh[0] - 40)
            picture[40:80, x : x + 40] = 255
        return picture

    stage.picture = moving
    with opened(stage) as source:
        for frame in source.frames():
            if frame.at_s > 6:
                break
    numbers = [number for stream, number in stage.taken if stream == "main"]
    first = numbers[0]
    in_motion = [number for number in numbers if first < number < 100]
    assert 3 <= len(in_motion) <= (100 - first) // 15
    at_rest = [number for number in numbers if 106 <= number < 196]
    assert len(at_rest) in range(18, 31)


def test_what_the_camera_found_is_locked_and_read_back(stage: PiStage) -> None:
    """The values are set once, free of flicker, and no control besides, in no certain order."""
    settings = settled(stage)
    locked = {"ExposureTime": 20_000, "AnalogueGain": 2.5, "ColourGains": (1.7, 1.9)}
    assert stage.cameras[0].controls_set[1:] == [locked]
    assert (settings.exposure_us, settings.analogue_gain) == (20_000, 2.5)
    assert settings.colour_gains == (1.7, 1.9)
    assert (settings.model, settings.camera_id) == ("imx219", stage.ids()[0])
    assert settings.crop_xywh == stage.crop
    assert settings.lens_position is None


def test_the_camera_is_locked_in_the_end_even_if_it_never_rests(
    stage: PiStage, caplog: pytest.LogCaptureFixture
) -> None:
    """A camera whose light never rests is locked after three seconds, with a warning."""
    stage.settles_after = 10_000
    stage.controls.remove("ColourGains")
    assert settled(stage).exposure_us is not None
    assert set(stage.cameras[0].controls_set[-1]) == {"ExposureTime", "AnalogueGain"}
    assert "did not come to rest" in caplog.text


def test_a_camera_that_does_not_keep_a_value_is_told_of(
    stage: PiStage, caplog: pytest.LogCaptureFixture
) -> None:
    """What was set but is not kept goes into no profile."""
    stage.stubborn = {"ExposureTime"}
    settings = settled(stage)
    assert settings.exposure_us is None
    assert settings.colour_gains == (1.7, 1.9)
    assert "ExposureTime is 25000, not 20000" in caplog.text


def test_only_a_camera_that_can_focuses_once_and_stays(stage: PiStage) -> None:
    """The Camera Module 3 focuses at the start, and its lens is held there."""
    stage.models, stage.controls = ["imx708"], stage.controls | {"AfMode", "LensPosition"}
    assert settled(stage).lens_position == 1.8
    camera = stage.cameras[0]
    assert camera.calls == ["start", "autofocus_cycle", "stop", "close"]
    assert camera.controls_set[-1]["AfMode"] == 0
    assert camera.controls_set[-1]["LensPosition"] == 1.8


def test_a_lens_that_finds_nothing_sharp_does_not_stop_the_game(
    stage: PiStage, caplog: pytest.LogCaptureFixture
) -> None:
    """A focusing that runs out of time leaves no job before the pictures."""
    stage.models, stage.controls = ["imx708"], stage.controls | {"AfMode", "LensPosition"}
    stage.focus = None
    with opened(stage) as source:
        assert next(source.frames()).size_wh == (WIDTH, HEIGHT)
    assert "pi:0 could not focus" in caplog.text
    assert "cancel_all_and_flush" in stage.cameras[0].calls


KEPT = CameraSettings(
    model="imx219", exposure_us=10_000, analogue_gain=4.0, colour_gains=(2.0, 1.5)
)


def test_a_profiles_values_are_restored_without_a_warm_up(stage: PiStage) -> None:
    """Exposure, gains and focus are those of calibration, whatever the light is now."""
    stage.models, stage.controls = ["imx708"], stage.controls | {"AfMode", "LensPosition"}
    wanted = replace(KEPT, model="imx708", lens_position=2.5)
    settings = settled(stage, CameraWish(wanted))
    assert stage.cameras[0].controls_set[1:] == [
        {
            "ExposureTime": 10_000, "AnalogueGain": 4.0, "ColourGains": (2.0, 1.5),
            "LensPosition": 2.5, "AfMode": 0,
        }
    ]  # fmt: skip
    assert replace(settings, camera_id="", crop_xywh=None) == wanted
    assert "autofocus_cycle" not in stage.cameras[0].calls


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (replace(KEPT, model="imx708_wide"), "made with a camera imx708_wide, this one is imx219"),
        (replace(KEPT, crop_xywh=(0, 0, 10, 10)), r"the part \(0, 0, 10, 10\) of the sensor"),
        (replace(KEPT, lens_position=1.0), "sets AfMode, LensPosition, which this camera cannot"),
    ],
    ids=["another camera", "another view", "no lens to move"],
)
def test_a_profile_made_otherwise_is_refused_with_the_reason(
    stage: PiStage, wanted: CameraSettings, why: str
) -> None:
    """Pictures of another camera or view cannot be compared with the profile's."""
    with pytest.raises(DeviceError, match=f"pi:0 does not fit: .*{why}.*calibrate again"):
        opened(stage, 0, CameraWish(wanted))
    assert not stage.cameras[0].is_open


def test_a_profile_that_the_camera_does_not_keep_to_is_refused(stage: PiStage) -> None:
    """Values are believed only once the camera's own pictures say them."""
    stage.stubborn = {"AnalogueGain"}
    with pytest.raises(DeviceError, match=r"AnalogueGain is 2\.0, not 4\.0"):
        opened(stage, 0, CameraWish(KEPT))


def test_several_cameras_are_told_apart_by_their_ids(stage: PiStage) -> None:
    """A profile finds its camera though the numbers have changed."""
    stage.models = ["imx219", "imx708"]
    wanted = replace(KEPT, model="imx708", camera_id=stage.ids()[1])
    opened(stage, 0, CameraWish(wanted)).close()
    opened(stage, 1).close()
    assert [camera.number for camera in stage.cameras] == [1, 1]


def test_kinds_of_modules_are_recognised(stage: PiStage, caplog: pytest.LogCaptureFixture) -> None:
    """NoIR and wide modules say what is to be minded; a tuning file is loaded by its name."""
    stage.models = ["imx708_wide_noir"]
    opened(stage, 0, CameraWish(tuning="imx708_wide_noir.json")).close()
    assert "no infrared filter" in caplog.text
    assert "lens is wide" in caplog.text
    assert stage.cameras[0].tuning == {"tuning": "imx708_wide_noir.json"}


def test_a_loose_cable_is_told_in_time_and_the_camera_comes_back_as_it_was(
    stage: PiStage, caplog: pytest.LogCaptureFixture
) -> None:
    """No capture waits for ever; a new loop opens the camera anew, with the values it had."""
    caplog.set_level(logging.INFO)
    with opened(stage) as source:
        settings = source.settings
        stage.frames = 60
        with pytest.raises(DeviceError, match=r"pi:0 has given no picture for 5 s"):
            list(source.frames())
        stage.exposure_us, stage.frames = 80_000, 10_000
        assert next(source.frames()).size_wh == (WIDTH, HEIGHT)
        assert source.settings == settings
    assert len(stage.cameras) == 2
    assert stage.cameras[0].held == 0
    assert "pi:0 is back" in caplog.text


def test_a_busy_camera_names_its_likely_holder(stage: PiStage) -> None:
    """The cause below picamera2's own words is found."""
    stage.busy = True
    with pytest.raises(DeviceError, match=r"resource busy\): .* uses it.*end that"):
        opened(stage)


def test_who_holds_a_device_is_found_among_the_processes(tmp_path: Path) -> None:
    """A process with the camera's file open is named with its number."""
    for number, name, target in ((812, "rpicam-hello", "/dev/media3"), (9, "bash", "/dev/null")):
        folder = tmp_path / str(number)
        (folder / "fd").mkdir(parents=True)
        (folder / "comm").write_text(f"{name}\n")
        (folder / "fd" / "3").symlink_to(target)
    (tmp_path / "77").mkdir()
    assert holder_text(["/dev/media"], tmp_path) == "rpicam-hello (812) uses it: end that first"
    assert "such as rpicam-hello" in holder_text(["/dev/video"], tmp_path)


def test_a_camera_that_is_not_there_says_which_are(stage: PiStage) -> None:
    """Cameras are counted before one is opened."""
    with pytest.raises(DeviceError, match="pi:2 is missing: pi:0 is a imx219; check the ribbon"):
        opened(stage, 2)
    stage.models = []
    with pytest.raises(DeviceError, match="pi:0 is missing: no camera is found"):
        opened(stage)


def test_missing_libraries_are_named_with_what_to_type() -> None:
    """Without picamera2, and with a numpy it was not built for."""

    def absent() -> object:
        raise ModuleNotFoundError("No module named 'libcamera'")

    def clash() -> object:
        raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    with pytest.raises(DeviceError, match=r"'libcamera'.*apt install -y python3-picamera2"):
        open_pi(0, load=absent, apart=False)
    with pytest.raises(DeviceError, match=r"does not fit this numpy.*numpy<2"):
        open_pi(0, load=clash, apart=False)


@pytest.mark.parametrize(
    ("exposure_us", "gain", "hz", "steady"),
    [
        (26_000, 2.0, 50, (20_000, 2.6)),
        (26_000, 2.0, 60, (25_000, 2.08)),
        (6_000, 4.0, 50, (10_000, 2.4)),
        (400, 1.0, 50, (400, 1.0)),
        (10_000, 1.0, 50, (10_000, 1.0)),
    ],
    ids=["50 Hz", "60 Hz", "too short for a half", "daylight", "just one half"],
)
def test_exposures_are_whole_halves_of_the_mains_period(
    exposure_us: int, gain: float, hz: int, steady: tuple[int, float]
) -> None:
    """The picture is as bright as before, and no brighter stripe wanders over it."""
    assert without_flicker(exposure_us, gain, hz) == steady


def test_a_camera_in_its_own_process_gives_the_same(stage: PiStage) -> None:
    """The pictures and the settings come through from a process of their own."""
    with open_pi(0, load=stage.load) as source:
        frame = next(source.frames())
        settings = source.settings
    assert np.array_equal(frame.pixels, flag())
    assert settings is not None
    assert settings.exposure_us == 20_000


def test_what_a_process_of_its_own_complains_of_comes_through(stage: PiStage) -> None:
    """An error in opening is the same as without the process."""
    stage.models = []
    with pytest.raises(DeviceError, match="pi:0 is missing: no camera is found"):
        open_pi(0, load=partial(stage.load))
