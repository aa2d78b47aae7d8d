"""Heat, power, clock and card by simulated readings, and the trials made on request."""

import shutil
from collections import namedtuple
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.appliance.camera_check import check_camera, judged
from companion.appliance.device_settings import StripSection
from companion.appliance.doctor import examine
from companion.appliance.health import HealthWatch, Readings
from companion.appliance.mounting import LENSES, mount, mounts
from companion.appliance.voice_check import heard, speak
from companion.settings import Settings
from hardware import DeviceError, OpenedVoice, Scene, TextVoice
from hardware.closing import Closing
from hardware.simulated import TableLook, render
from vision.frame import Frame, Picture

Usage = namedtuple("Usage", "total used free")
TODAY = datetime(2026, 11, 30, tzinfo=UTC)
LOOK = TableLook.from_seed(3)


class Board:
    """The kernel's files, as a Pi has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = TODAY
        self.write("sys/class/thermal/thermal_zone0/temp", "51000\n")
        self.write("sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
        self.write("sys/fs/ext4/mmcblk0p2/errors_count", "0\n")
        self.write("mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n/dev/sda1 /mnt ext4 ro 0 0\n")
        self.readings = Readings(folder / "sys", folder / "mounts", lambda: self.now)

    def write(self, name: str, text: str) -> None:
        """Let a file say something."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def bad(self) -> dict[str, tuple[str, str]]:
        """Return what doctor finds wrong with the computer."""
        names = {"heat", "power", "speed", "clock", "card", "disk"}
        found = examine(Settings(), self.folder, self.readings)
        return {
            one.name: (one.text, one.cure) for one in found if one.name in names and not one.good
        }


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """Build a Pi that fares well."""
    return Board(tmp_path)


def test_a_pi_that_fares_well_has_nothing_to_complain_of(board: Board) -> None:
    """All readings are told all the same."""
    assert board.bad() == {}
    good = {one.name: one.text for one in examine(Settings(), board.folder, board.readings)}
    assert good["heat"] == "51 degrees"
    assert good["power"] == "the voltage has been right since the start"
    assert good["clock"].startswith("2026-11-30")


@pytest.mark.parametrize(
    ("file", "text", "name", "told"),
    [
        ("sys/class/thermal/thermal_zone0/temp", "84300", "heat", "84 degrees hot"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50005", "power", "too low now"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "10000", "power", "has been too"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "80008", "speed", "slowed down"),
        ("sys/fs/ext4/mmcblk0p2/errors_count", "3", "card", "noted 3 errors"),
        ("mounts", "/dev/root / ext4 ro,relatime 0 0", "card", "may not be written to"),
    ],
    ids=["heat", "low voltage", "low voltage once", "slowed", "card errors", "read-only"],
)
def test_each_reading_that_is_wrong_is_told_with_a_cure(
    board: Board, file: str, text: str, name: str, told: str
) -> None:
    """In plain words, and one line."""
    board.write(file, text)
    said, cure = board.bad()[name]
    assert told in said
    assert cure


@pytest.mark.parametrize("year", [1970, 2106])
def test_a_clock_that_cannot_be_is_told(board: Board, year: int) -> None:
    """A Pi has no clock of its own that goes on without power; it may be far behind, or ahead."""
    board.now = datetime(year, 1, 1, 0, 1, tzinfo=UTC)
    assert f"{year}-01-01, which cannot be" in board.bad()["clock"][0]


@pytest.mark.parametrize(
    "folder", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware", "firmware"]
)
def test_the_firmware_is_asked_wherever_a_kernel_puts_it(tmp_path: Path, folder: str) -> None:
    """A Pi 5 and later kernels call its folder otherwise."""
    board = tmp_path / "sys/devices/platform" / folder
    board.mkdir(parents=True)
    (board / "get_throttled").write_text("50005\n")
    assert Readings(tmp_path / "sys").throttled() == 0x50005


def test_a_computer_that_tells_nothing_is_no_trouble(tmp_path: Path) -> None:
    """Elsewhere than on a Pi the files are not there."""
    nothing = Readings(tmp_path / "sys", tmp_path / "mounts", lambda: TODAY)
    names = {one.name for one in examine(Settings(), tmp_path, nothing) if not one.good}
    assert not names & {"heat", "power", "speed", "clock", "card"}


def test_during_a_game_each_trouble_is_told_once(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heat that passes and comes back is told twice; a card that fills up is told too."""
    told: list[str] = []
    watch = HealthWatch(board.readings, board.folder, told.append)
    hot = "sys/class/thermal/thermal_zone0/temp"
    for temperature in ("85000", "86000", "60000", "85000"):
        board.write(hot, temperature)
        watch.step()
    assert [line.split(" degrees")[0][-2:] for line in told] == ["85", "85"]
    board.write(hot, "50000")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 5_000_000))
    watch.step()
    assert told[2].startswith("only 5 MB are free for games: delete")
    with watch:
        pass


def test_a_strip_that_is_asked_for_needs_spi(board: Board) -> None:
    """Without SPI the line to type is told."""
    settings = Settings(strip=StripSection(leds_a_side=15))
    found = {one.name: one for one in examine(settings, board.folder, board.readings)}
    assert (found["spi"].good, found["spi"].cure) == (False, "sudo raspi-config nonint do_spi 0")


def test_the_pages_address_is_told(board: Board) -> None:
    """Or that there is none."""
    found = {one.name: one for one in examine(Settings(port=8123), board.folder, board.readings)}
    assert "http://localhost:8123" in found["page"].text
    found = {one.name: one for one in examine(Settings(web=False), board.folder, board.readings)}
    assert "switched off" in found["page"].text


class OneFrame(Closing):
    """A camera that shows one picture."""

    def __init__(self, frame: Frame | None) -> None:
        self.frame = frame
        self.name, self.live = "stub", True

    def frames(self) -> Iterator[Frame]:
        """Yield the picture."""
        if self.frame is not None:
            yield self.frame

    def close(self) -> None:
        """Nothing is open."""


def table_frame() -> Frame:
    """Return a picture of an empty table."""
    return Frame(render(Scene(), LOOK, np.random.default_rng(0)))


def test_a_good_picture_is_called_good() -> None:
    """The board is in view, sharp and well lit."""
    found = list(check_camera("usb", Settings(), lambda *_: OneFrame(table_frame())))
    assert [one.good for one in found] == [True, True]
    assert found[0].text == "stub gives 1280x960"


def mirrored_lamp(pixels: Picture) -> Picture:
    """Return a picture in which a lamp is mirrored in the middle of the board."""
    height, width = pixels.shape[:2]
    return np.asarray(cv2.circle(pixels, (width // 2, height // 2), 90, (255, 255, 255), -1))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda pixels: pixels // 8, "too dark"),
        (lambda pixels: np.full_like(pixels, 255), "overexposed"),
        (lambda pixels: np.full_like(pixels, 120), "blurred, or shows no board"),
        (lambda pixels: cv2.GaussianBlur(pixels, (0, 0), 9.0), "is blurred: focus the lens"),
        (lambda pixels: mirrored_lamp(pixels), "of the board shines: lamps are mirrored in it"),
        (lambda pixels: pixels[:, 300:].copy(), "no board was found"),
    ],
    ids=["dark", "overexposed", "no board", "out of focus", "glare", "board half in view"],
)
def test_what_is_wrong_with_a_picture_is_told(spoil: object, told: str) -> None:
    """Each with what to do."""
    assert callable(spoil)
    found = judged(Frame(spoil(table_frame().pixels.copy())))
    assert not found.good
    assert told in found.text
    assert found.cure


def test_a_camera_that_fails_is_told_in_its_own_words() -> None:
    """The other checks were made all the same."""

    def missing(*_: object) -> OneFrame:
        raise DeviceError("usb:0 is missing: plug the camera in")

    (found,) = check_camera("usb", Settings(), missing)
    assert (found.good, found.text) == (False, "usb:0 is missing: plug the camera in")
    (found,) = check_camera("usb", Settings(), lambda *_: OneFrame(None))
    assert found.text == "stub gives no picture"


def pulled_out(*_: str) -> None:
    """Behave as a loudspeaker that was there a moment ago."""
    raise DeviceError("the loudspeaker gives no sound")


def test_the_voice_is_tried_and_asked_for() -> None:
    """Something is said in the person's language; nobody hearing it is a fault with a cure."""
    said: list[str] = []
    found = speak(Settings(language="ru"), OpenedVoice(TextVoice(said.append)))
    assert said == ["У красных шесть. Вы меня слышите?"]
    assert found.good
    assert not heard(found, answer=False).good
    assert "alsamixer" in heard(found, answer=False).cure
    found = speak(Settings(), OpenedVoice(TextVoice(pulled_out)))
    assert (found.good, found.text) == (False, "the loudspeaker gives no sound")
    assert "[voice]" in found.cure
    mute = TextVoice(said.append)
    mute.prepare = pulled_out  # type: ignore[method-assign,assignment]
    assert "espeak-ng --voices" in speak(Settings(), OpenedVoice(mute)).cure
    silent = speak(Settings(), OpenedVoice(TextVoice(said.append), "there is no loudspeaker"))
    assert heard(silent, answer=False).text == "there is no loudspeaker"


def test_a_camera_hangs_as_high_as_its_lens_must() -> None:
    """Worked by hand: a lens of 90 by 90 degrees over 400 mm sees 644 mm at 322 mm."""
    square = mount(type(LENSES[0])("square", 90.0, 90.0), 400)
    assert square.height_mm == pytest.approx(400 * 1.61 / 2)
    assert square.square_px == pytest.approx(1280 / 644 * 50)
    heights = {each.lens.name: each.height_mm for each in mounts(400)}
    assert heights["Camera Module 3 Wide (imx708_wide)"] < heights["Camera Module 3 (imx708)"]
    with pytest.raises(ValueError, match="50 to 2000 mm"):
        list(mounts(10))
