"""What every source of frames promises, whatever it is made of."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import FrameSource, PlacedChecker, Scene, SimulatedTable, Stills, TableLook
from hardware import TimedScene as Timed
from hardware.network import open_network
from hardware.pi import open_pi
from hardware.usb import open_usb
from hardware.video import VideoFile
from tabletop import Colour
from tests.hardware.picamera2_stub import PiStage
from tests.hardware.stand_ins import StandInCapture, flag, mjpeg_server

Opened = AbstractContextManager[FrameSource]

_SMALL = (320, 240)


@contextmanager
def stills(folder: Path) -> Iterator[FrameSource]:
    """Open a folder of four pictures."""
    for i in range(4):
        cv2.imwrite(str(folder / f"{i}.png"), flag())
    yield Stills(folder)


@contextmanager
def video(folder: Path) -> Iterator[FrameSource]:
    """Open a video of eight frames."""
    path = folder / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, _SMALL)
    for _ in range(8):
        writer.write(flag())
    writer.release()
    yield VideoFile(path)


@contextmanager
def usb(_: Path) -> Iterator[FrameSource]:
    """Open a USB camera."""
    yield open_usb(0, capture=lambda _number: StandInCapture([flag()] * 50_000))


@contextmanager
def network(_: Path) -> Iterator[FrameSource]:
    """Open a stream over loopback."""
    with mjpeg_server(lambda: itertools.repeat(flag())) as address:
        yield open_network(address)


@contextmanager
def pi(_: Path) -> Iterator[FrameSource]:
    """Open a Pi camera."""
    yield open_pi(0, load=PiStage().load, apart=False)


def _table(speed: float) -> FrameSource:
    # Stands in for a red and blue flag: one red and one blue checker, as large as the picture.
    scene = Scene((PlacedChecker(Colour.RED, 1.5, 3.5), PlacedChecker(Colour.BLUE, 6.5, 3.5)))
    ticks = itertools.count()
    return SimulatedTable(
        [Timed(scene, 1.0)],
        TableLook.from_seed(1, _SMALL),
        1,
        speed,
        clock=lambda: next(ticks) / 100,
        sleep=lambda _: None,
    )


@contextmanager
def demo(_: Path) -> Iterator[FrameSource]:
    """Open a simulated table that waits for its consumer."""
    yield _table(0)


@contextmanager
def live_demo(_: Path) -> Iterator[FrameSource]:
    """Open a simulated table that does not wait."""
    yield _table(1)


ALL = [stills, video, usb, network, pi, demo, live_demo]
LIVE = {"usb", "network", "pi", "pi apart", "live_demo"}


@pytest.fixture(params=ALL, ids=lambda opener: opener.__name__)
def source(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FrameSource]:
    """Open each source in turn."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    opener: Callable[[Path], Opened] = request.param
    with opener(tmp_path) as opened:
        yield opened
        opened.close()


def test_frames_are_numbered_from_nought_and_times_never_fall(source: FrameSource) -> None:
    """Numbers count up from 0, times do not fall, and pictures are colour and read-only."""
    frames = list(itertools.islice(source.frames(), 4))
    numbers = [frame.number for frame in frames]
    assert numbers[0] == 0
    assert numbers == sorted(set(numbers))
    times = [frame.at_s for frame in frames]
    assert times == sorted(times)
    assert all(frame.size_wh == _SMALL for frame in frames)
    assert not any(frame.pixels.flags.writeable for frame in frames)


@pytest.fixture
def tolerance() -> int:
    """Return by how much a flag's colours may be off: JPEG and YUV round."""
    return 6


def test_channels_are_blue_green_red(source: FrameSource, tolerance: int) -> None:
    """A red thing on the left is red, a blue one on the right is blue."""
    if source.name == "demo":
        pixels = list(source.frames())[-1].pixels.astype(int)
        blueness = pixels[..., 0] - pixels[..., 2]
        y, x = np.unravel_index(blueness.argmax(), blueness.shape)
        red_y, red_x = np.unravel_index(blueness.argmin(), blueness.shape)
        assert pixels[y, x, 0] > pixels[y, x, 2] + 40
        assert pixels[red_y, red_x, 2] > pixels[red_y, red_x, 0] + 40
        return
    pixels = next(iter(source.frames())).pixels
    assert np.allclose(pixels[120, 40], (0, 0, 255), atol=tolerance)
    assert np.allclose(pixels[120, 280], (255, 0, 0), atol=tolerance)


def test_a_source_says_what_it_is(source: FrameSource, request: pytest.FixtureRequest) -> None:
    """The name is not empty, and live sources say that they are."""
    assert source.name
    assert source.live == (request.node.callspec.id in LIVE)


def test_looking_again_after_stopping_in_the_middle_gives_more_frames(source: FrameSource) -> None:
    """A loop that was left can be begun again."""
    assert len(list(itertools.islice(source.frames(), 2))) == 2
    assert len(list(itertools.islice(source.frames(), 2))) == 2


def test_closing_twice_is_harmless_and_ends_the_frames(source: FrameSource) -> None:
    """After `close` no frame comes, in a loop under way and in a new one."""
    frames = source.frames()
    next(frames)
    source.close()
    source.close()
    assert list(frames) == []
    assert list(source.frames()) == []


def test_a_with_statement_closes(source: FrameSource) -> None:
    """Leaving the block closes the source."""
    with source as same:
        assert same is source
    assert list(source.frames()) == []
