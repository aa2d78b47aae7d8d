"""Live devices that stall, fail and come back: USB cameras, streams, and what they share."""

import itertools
import logging
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from hardware import DeviceError, SourceError
from hardware.camera_settings import CameraSettings, CameraWish
from hardware.capture import colour_picture, hush_opencv
from hardware.live import LiveSource, Shot
from hardware.network import open_network, without_password
from hardware.sources import open_source
from hardware.usb import open_usb
from tests.hardware.stand_ins import (
    HangingCapture,
    LockableCapture,
    StandInCapture,
    flag,
    mjpeg_server,
)
from vision.frame import Picture


@pytest.fixture(autouse=True)
def _short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let devices that hang be given up at once."""
    monkeypatch.setattr("hardware.live._STOPPING_S", 0.02)


class SteppedDevice:
    """A device that gives a numbered picture whenever it is told to."""

    def __init__(self) -> None:
        self.steps = threading.Semaphore(0)
        self.read_so_far = threading.Semaphore(0)
        self.given = 0
        self.closed = 0

    def read(self) -> Shot:
        """Wait to be told, and give the next picture."""
        self.read_so_far.release()
        if not self.steps.acquire(timeout=10) or self.closed:
            raise DeviceError("the device was closed")
        self.given += 1
        return Shot(np.full((2, 2, 3), self.given, np.uint8), 100.0 + self.given)

    def close(self) -> None:
        """Count how often it was closed."""
        self.closed += 1
        self.steps.release()


def test_a_slow_consumer_gets_the_newest_picture() -> None:
    """Of five pictures that came meanwhile only the last is shown, with its own time."""
    device = SteppedDevice()
    source = LiveSource("stepped", lambda: device)
    frames = source.frames()
    device.steps.release()
    assert next(frames).pixels[0, 0, 0] == 1
    device.steps.release(5)
    for _ in range(7):
        # The device is asked for a picture the seventh time once the sixth has been kept.
        assert device.read_so_far.acquire(timeout=10)
    frame = next(frames)
    assert (frame.pixels[0, 0, 0], frame.number, frame.at_s) == (6, 1, 5.0)
    source.close()
    assert device.closed == 1


def test_a_device_that_gives_nothing_counts_as_lost() -> None:
    """The wait has a limit, and the text says what to check."""
    device = SteppedDevice()
    source = LiveSource("stepped", lambda: device, stall_s=0.05)
    with pytest.raises(DeviceError, match=r"stepped has given no picture for 0\.05 s: check"):
        next(source.frames())
    assert device.closed == 1


def test_any_other_error_of_a_device_is_told_as_one() -> None:
    """What a driver raises never comes out raw."""

    class Broken(SteppedDevice):
        def read(self) -> Shot:
            raise MemoryError("no buffers")

    with pytest.raises(DeviceError, match="broken failed: no buffers"):
        next(LiveSource("broken", Broken).frames())


def test_a_device_that_does_not_close_is_given_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A driver that hangs in closing does not hang the game."""
    freed = threading.Event()

    class Stuck(SteppedDevice):
        def close(self) -> None:
            freed.wait(10)

    LiveSource("stuck", Stuck).close()
    freed.set()
    assert "stuck does not close: its driver hangs" in caplog.text


def test_a_lost_usb_camera_is_opened_anew_by_looking_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """After the loss the next loop opens the camera again; numbers and times go on."""
    caplog.set_level(logging.INFO)
    opened: list[StandInCapture] = []

    def capture(number: int) -> StandInCapture:
        assert number == 3
        opened.append(StandInCapture([flag()]))
        return opened[-1]

    with open_usb(3, capture=capture) as source:
        frames = source.frames()
        first = next(frames)
        with pytest.raises(DeviceError, match=r"usb:3 gives no more pictures.*plugged in"):
            next(frames)
        assert opened[0].released == 1
        second = next(source.frames())
    assert len(opened) == 2
    assert second.number == first.number + 1
    assert second.at_s >= first.at_s
    assert "usb:3 is back" in caplog.text


def test_a_usb_camera_that_hangs_counts_as_lost() -> None:
    """A driver that waits for ever is left alone after the time limit."""
    camera = HangingCapture([flag()])
    source = open_usb(0, capture=lambda _: camera, stall_s=0.05)
    frames = source.frames()
    next(frames)
    threading.Timer(0.1, camera.freed.set).start()
    with pytest.raises(DeviceError, match="has given no picture"):
        next(frames)


def test_a_usb_camera_is_asked_for_compressed_pictures_of_our_size() -> None:
    """The wishes are set before the first picture."""
    camera = StandInCapture([flag()])
    open_usb(0, capture=lambda _: camera).close()
    assert camera.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert camera.settings[cv2.CAP_PROP_FRAME_HEIGHT] == 960
    assert camera.settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_a_usb_camera_is_locked_at_what_it_chose_itself() -> None:
    """What the last program left is not kept: the camera chooses anew, and is held there."""
    camera = LockableCapture([flag()] * 60)
    with open_usb(0, capture=lambda _: camera) as source:
        settings = source.settings
    assert settings is not None
    assert (settings.exposure_us, settings.colour_temperature_k) == (20_000, 4600)
    assert camera.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert camera.settings[cv2.CAP_PROP_AUTO_WB] == 0.0
    assert camera.settings[cv2.CAP_PROP_EXPOSURE] == 200.0


def test_a_usb_camera_is_set_as_the_profile_has_it_or_refused() -> None:
    """A driver that does not keep the profile's values would show other colours."""
    wish = CameraWish(CameraSettings(exposure_us=5_000, colour_temperature_k=5_200))
    with open_usb(0, wish, capture=lambda _: LockableCapture([flag()] * 60)) as source:
        assert source.settings == wish.settings
    stubborn = LockableCapture([flag()] * 60, stubborn=True)
    with pytest.raises(DeviceError, match="usb:0 does not keep what the table profile was made"):
        open_usb(0, wish, capture=lambda _: stubborn)
    assert stubborn.released == 1


def test_a_camera_that_hangs_the_other_way_up_is_turned() -> None:
    """The flag's red half comes out on the right."""
    camera = StandInCapture([flag()])
    with open_usb(0, CameraWish(upside_down=True), capture=lambda _: camera) as source:
        assert tuple(next(source.frames()).pixels[10, 300]) == (0, 0, 255)


def test_a_missing_usb_camera_says_what_there_is() -> None:
    """The text says that it is missing or, where the device is there, that it cannot be opened."""
    with pytest.raises(DeviceError, match=r"usb:77 is missing: the computer knows"):
        open_usb(77, capture=lambda _: StandInCapture([], opened=False))


def test_a_stream_that_stalls_is_lost_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the server falls silent the loop ends in time; looking again connects anew."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    silent = threading.Event()

    def pictures() -> Iterator[Picture]:
        yield from itertools.repeat(flag(), 30)
        silent.wait(10)

    with mjpeg_server(pictures) as address, open_network(address, stall_s=0.3) as source:
        assert source.name == address
        with pytest.raises(DeviceError, match=r"no picture for|no more pictures"):
            list(source.frames())
        assert next(source.frames()).size_wh == (320, 240)
        silent.set()


def test_a_stream_that_comes_back_in_another_size_is_lost_until_it_is_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No picture of another size is judged; both sizes are told, and the old one is welcome."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    sizes = iter([(320, 240), (480, 360), (320, 240)])

    def pictures() -> Iterator[Picture]:
        return itertools.repeat(flag(next(sizes)), 40)

    with mjpeg_server(pictures) as address, open_network(address, stall_s=2) as source:
        with pytest.raises(DeviceError, match="no more pictures"):
            list(source.frames())
        with pytest.raises(DeviceError, match="480x360 now, and gave 320x240 before: set it back"):
            list(source.frames())
        assert next(source.frames()).size_wh == (320, 240)


def test_an_address_where_nothing_is_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong path and a wrong address are told when opened; a password is not told at all."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with mjpeg_server(lambda: itertools.repeat(flag(), 1)) as address:
        wrong = address.replace("stream", "nothing").replace("127", "me:secret@127")
        with pytest.raises(DeviceError, match="gives no pictures: is the address right") as error:
            open_network(wrong, stall_s=2)
    assert "secret" not in str(error.value)
    with pytest.raises(SourceError, match="is no address of a stream"):
        open_network("http:///stream")


@pytest.mark.parametrize(
    "address",
    [
        "rtsp://bob:secret@/x",
        "http://bob:se@cret@[::/x",
        "http://bob:hush/secret@camera/x",
        "htp://bob:secret@camera/x",
        "http:/bob:secret@camera/x",
        "bob:secret@camera/x",
    ],
)
def test_a_password_in_what_is_no_address_is_not_told_either(address: str) -> None:
    """Wherever somebody mistyped, in one line."""
    with pytest.raises(SourceError, match=r"is no (address|source)") as error:
        open_source(address)
    told = str(error.value)
    assert not any(part in told for part in ("hush", "se@", "cret", "\n"))


def test_a_cameras_name_is_its_address_without_who_asks() -> None:
    """And nothing else of it is changed."""
    assert without_password("http://bob:secret@camera:81/a@b?c=1") == "http://camera:81/a@b?c=1"
    assert without_password("rtsp://camera/1") == "rtsp://camera/1"


@pytest.mark.parametrize("shape", [(4, 6), (4, 6, 1), (4, 6, 3), (4, 6, 4)])
def test_grey_and_transparent_pictures_become_colour(shape: tuple[int, ...]) -> None:
    """Whatever a camera gives comes out as three channels."""
    picture = colour_picture(np.full(shape, 7, np.uint8))
    assert picture.shape == (4, 6, 3)
    assert (picture == 7).all()


def test_deep_colours_are_cut_to_eight_bits_and_what_is_no_picture_is_refused() -> None:
    """Sixteen bits keep their upper half; a list of numbers is no picture."""
    assert (colour_picture(np.full((4, 6, 3), 0x0712, np.uint16)) == 7).all()
    with pytest.raises(DeviceError, match="not as colours"):
        colour_picture(np.zeros(12, np.uint8))


def test_the_opencv_of_bookworm_is_hushed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV 4.11 has no `utils.logging`, and its function in another place."""
    levels: list[int] = []
    monkeypatch.delattr(cv2.utils, "logging", raising=False)
    monkeypatch.setattr(cv2, "setLogLevel", levels.append, raising=False)
    hush_opencv()
    assert levels == [0]
