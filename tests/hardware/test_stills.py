"""Folders of pictures."""

from pathlib import Path

import cv2
import pytest

from hardware import SourceError, Stills, read_picture
from tests.hardware.stand_ins import flag


def test_pictures_come_in_the_order_of_their_names_two_seconds_apart(tmp_path: Path) -> None:
    """Names decide the order, endings in either case count, other files do not."""
    for name in ("b.JPG", "a.png", "c.bmp"):
        cv2.imwrite(str(tmp_path / name), flag())
    (tmp_path / "notes.txt").write_text("not a picture")
    frames = list(Stills(tmp_path).frames())
    assert [Path(frame.name).name for frame in frames] == ["a.png", "b.JPG", "c.bmp"]
    assert [frame.at_s for frame in frames] == [0.0, 2.0, 4.0]
    assert all(frame.still for frame in frames)


def test_a_picture_that_is_none_is_named_and_the_others_come(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One broken file costs a warning that names it, not the game."""
    cv2.imwrite(str(tmp_path / "1.png"), flag())
    (tmp_path / "2.png").write_bytes(b"not a picture at all")
    (tmp_path / "3.png").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "4.png"), flag())
    source = Stills(tmp_path)
    frames = list(source.frames())
    assert [frame.number for frame in frames] == [0, 1]
    assert [Path(frame.name).name for frame in frames] == ["1.png", "4.png"]
    assert source.unreadable == (
        f"{tmp_path / '2.png'} is no picture: JPEG, PNG and the like can be read",
        f"{tmp_path / '3.png'} is empty, not a picture",
    )
    assert [record.message for record in caplog.records] == list(source.unreadable)


def test_a_folder_without_one_readable_picture_is_an_error(tmp_path: Path) -> None:
    """Nothing to look at is no game."""
    (tmp_path / "1.jpg").write_bytes(b"\xff\xd8 torn")
    with pytest.raises(SourceError, match=r"no picture in the folder .* can be read"):
        list(Stills(tmp_path).frames())


def test_an_empty_or_missing_folder_is_an_error_at_once(tmp_path: Path) -> None:
    """The text says which folder and what it should hold."""
    with pytest.raises(SourceError, match="holds no picture"):
        Stills(tmp_path)
    with pytest.raises(SourceError, match="there is no folder"):
        Stills(tmp_path / "elsewhere")


def test_a_picture_keeps_its_colours_and_grey_ones_become_colour(tmp_path: Path) -> None:
    """A lossless picture comes back as it was; a grey one with three equal channels."""
    cv2.imwrite(str(tmp_path / "flag.png"), flag())
    assert (read_picture(tmp_path / "flag.png") == flag()).all()
    cv2.imwrite(str(tmp_path / "grey.png"), flag()[..., 0])
    assert read_picture(tmp_path / "grey.png").shape == (240, 320, 3)


def test_reading_a_missing_picture_says_why(tmp_path: Path) -> None:
    """The system's reason is passed on."""
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        read_picture(tmp_path / "none.png")
