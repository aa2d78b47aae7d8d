import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import Camera, ProfileError, TableProfile, load_profile, save_profile
from calibration.profile import encode_picture, parse_profile, profile_text
from tabletop import BoardLocation, Colour, Seat
from vision.frame import Frame
from vision.table import CheckerLook, Tint


def a_profile() -> TableProfile:
    """Return a small profile with every field set."""
    pixels = np.random.default_rng(1).integers(0, 255, (48, 64, 3)).astype(np.uint8)
    tints = (
        Tint(0.7, (40.0, 50.0, 30.0), (4.0, 3.5, 3.5)),
        Tint(0.3, (20.0, 30.0, 10.0), (6.0, 4.0, 4.0)),
    )
    return TableProfile(
        seats=((Seat.D4, Colour.RED), (Seat.D2, Colour.BLUE)),
        rotation=1,
        location=BoardLocation(
            ((10.5, 40.0), (50.0, 41.25), (48.0, 5.0), (12.0, 4.0)), 0.99, -0.02
        ),
        looks=(CheckerLook(Colour.RED, tints), CheckerLook(Colour.BLUE, tints[:1])),
        checker_diameter=0.78,
        checker_height=0.2,
        camera=Camera(
            "pi:0",
            64,
            48,
            12000,
            1.5,
            (1.8, 1.4),
            4600,
            1.75,
            (0, 0, 64, 48),
            "/base/i2c@1a",
            "imx708",
        ),
        reference_jpeg=encode_picture(pixels),
        throwing_zone=((1.0, 1.0), (20.0, 1.0), (20.0, 20.0)),
    )


def test_a_profile_round_trips(tmp_path: Path) -> None:
    """What is saved is loaded, to the last digit, and has the same fingerprint."""
    profile = a_profile()
    path = tmp_path / "folder" / "table.toml"
    save_profile(profile, path)
    loaded = load_profile(path)
    assert loaded == profile
    assert loaded.fingerprint == profile.fingerprint
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", profile.fingerprint)
    assert [item.name for item in path.parent.iterdir()] == ["table.toml"]


def test_optional_parts_may_be_absent() -> None:
    """Seats, camera settings and the throwing zone need not be there."""
    profile = replace(a_profile(), seats=(), throwing_zone=None, camera=Camera("", 64, 48))
    assert parse_profile(profile_text(profile)) == profile


def test_the_file_is_readable() -> None:
    """People find units and names in the file, and the picture at its end."""
    text = profile_text(a_profile())
    assert "version = 1" in text
    assert 'D4 = "red"' in text
    assert "diameter_squares = 0.78" in text
    assert text.index("[reference]") > text.index("[[checkers.looks]]")
    assert max(len(line) for line in text.splitlines()) <= 120


def test_a_changed_profile_has_another_fingerprint() -> None:
    """A table is told from every other."""
    profile = a_profile()
    assert replace(profile, rotation=0).fingerprint != profile.fingerprint


def test_the_model_holds_what_vision_needs() -> None:
    """The reference picture is decoded, the rest taken over."""
    model = a_profile().model()
    assert model.size_wh == (64, 48)
    assert model.reference.shape == (48, 64, 3)
    assert model.colours == (Colour.RED, Colour.BLUE)
    assert model.throwing_zone == ((1.0, 1.0), (20.0, 1.0), (20.0, 20.0))


def test_frames_of_another_size_are_refused() -> None:
    """Both sizes and the cure are said."""
    frame = Frame(np.zeros((480, 640, 3), np.uint8), name="usb:0")
    with pytest.raises(
        ValueError, match="usb:0 is 640x480 pixels, the table profile was made at 64x48"
    ):
        a_profile().model().check_frame(frame)


def test_a_missing_file_names_the_command(tmp_path: Path) -> None:
    """Who has no profile is told how to make one."""
    with pytest.raises(ProfileError, match=r"no table profile .*pachisi calibrate"):
        load_profile(tmp_path / "table.toml")


def without(key: str, text: str) -> str:
    """Return *text* without the line of a key."""
    return re.sub(rf"(?m)^{key} = .*\n", "", text)


BROKEN = [
    ("seats = [", "is not TOML"),
    (lambda text: without("version", text), "has no version"),
    (lambda text: text.replace("version = 1", "version = 2"), "is of version 2.*calibrate again"),
    (lambda text: without("width_px", text), "camera.width_px is missing"),
    (lambda text: without("a1", text), "board.corners_px.a1 is missing"),
    (lambda text: text.replace("width_px = 64", 'width_px = "wide"'), "camera.width_px is 'wide'"),
    (lambda text: text.replace("rotation = 1", "rotation = 7"), "board.rotation is 7"),
    (lambda text: text.replace("a1 = [10.5, 40.0]", "a1 = [10.5]"), "board.corners_px.a1"),
    (lambda text: text.replace("a1 = [10.5, 40.0]", "a1 = [10.5, nan]"), "board.corners_px.a1"),
    (lambda text: re.sub(r"(h1|h8) = \[.*?\]", r"\1 = [9.0, 9.0]", text), "counter-clockwise"),
    (lambda text: re.sub(r"(?m)^a1 = (.*)\nh1 = (.*)$", r"a1 = \2\nh1 = \1", text), "clockwise"),
    (lambda text: re.sub(r"(?m)^h1 = (.*)\nh8 = (.*)$", r"h1 = \2\nh8 = \1", text), "clockwise"),
    (lambda text: text.replace("a1 = [10.5, 40.0]", "a1 = [-999.0, 999.0]"), "far outside"),
    ("version = 1\na = " + "[" * 20_000, "is not TOML"),
    (lambda text: without("D4", text), "two to four play"),
    (lambda text: text.replace('D4 = "red"', 'D4 = "pink"'), "seats.D4 is 'pink'"),
    (lambda text: text.replace('D4 = "red"', 'D7 = "red"'), "seats.D7"),
    (lambda text: text.replace('D4 = "red"', 'D4 = "blue"'), "blue to two players"),
    (lambda text: text.replace('D4 = "red"', 'D4 = "green"'), "seats.D4 is green"),
    (lambda text: text.replace("rotation = 1", "rotation = 1\nturn = 2"), "board.turn is unknown"),
    (lambda text: text.replace("diameter_squares = 0.78", "diameter_squares = 8"), "diameter"),
    (lambda text: text.replace('jpeg_base64 = """\n', 'jpeg_base64 = """\n*'), "not base64"),
    (
        lambda text: re.sub(r'(?s)jpeg_base64 = """.*"""', 'jpeg_base64 = "AAAA"', text),
        "no picture",
    ),
    (lambda text: re.sub(r'(?s)jpeg_base64 = """.*"""', 'jpeg_base64 = ""', text), "no picture"),
    (
        lambda text: text.replace("width_px = 64", "width_px = 80"),
        "64x48 pixels and its camera 80x48",
    ),
]


@pytest.mark.parametrize(("breaking", "message"), BROKEN)
def test_a_broken_profile_says_where(breaking: object, message: str, tmp_path: Path) -> None:
    """The file, the key and what is wrong with it are named."""
    text = profile_text(a_profile())
    broken = breaking(text) if callable(breaking) else str(breaking)
    assert broken != text
    path = tmp_path / "table.toml"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(ProfileError, match=message) as caught:
        load_profile(path)
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """A picture given for a profile is no crash."""
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(ProfileError, match="is no text"):
        load_profile(path)


def test_a_profile_that_an_editor_marked_is_read(tmp_path: Path) -> None:
    """The mark that some editors put before UTF-8 says nothing."""
    path = tmp_path / "table.toml"
    path.write_text(profile_text(a_profile()), encoding="utf-8-sig")
    assert load_profile(path) == a_profile()


def test_an_unwritable_place_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    """Where the folder is a file nothing is written, and the error says so."""
    (tmp_path / "file").write_text("here", encoding="utf-8")
    with pytest.raises(ProfileError, match="cannot be written"):
        save_profile(a_profile(), tmp_path / "file" / "table.toml")


def test_a_failed_save_keeps_the_old_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk is full the profile that was there is still whole."""
    path = tmp_path / "table.toml"
    save_profile(a_profile(), path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("calibration.profile.os.fsync", full)
    with pytest.raises(ProfileError, match="No space left"):
        save_profile(replace(a_profile(), rotation=3), path)
    assert load_profile(path) == a_profile()
    assert [item.name for item in tmp_path.iterdir()] == ["table.toml"]
