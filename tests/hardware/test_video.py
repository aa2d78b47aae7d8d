"""Video files."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import SourceError
from hardware.video import VideoFile
from tests.hardware.stand_ins import flag


def _write(path: Path, code: str, fps: float, frames: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, (320, 240))
    rng = np.random.default_rng(1)
    for _ in range(frames):
        # A still video would be so small that half of it is hardly a cut.
        writer.write(cv2.add(flag(), rng.integers(0, 60, (240, 320, 3), np.uint8)))
    writer.release()


@pytest.mark.parametrize(("name", "code"), [("a.avi", "MJPG"), ("a.mp4", "mp4v")])
def test_frames_keep_the_files_own_times(tmp_path: Path, name: str, code: str) -> None:
    """At ten frames a second each comes a tenth of a second after the one before, all of them."""
    _write(tmp_path / name, code, 10, 12)
    source = VideoFile(tmp_path / name)
    frames = list(source.frames())
    assert [frame.number for frame in frames] == list(range(12))
    assert np.allclose(np.diff([frame.at_s for frame in frames]), 0.1, atol=1e-3)
    assert not any(frame.still for frame in frames)
    assert source.name == str(tmp_path / name)


def test_a_second_look_begins_again(tmp_path: Path) -> None:
    """Each loop plays the file from its beginning."""
    _write(tmp_path / "a.avi", "MJPG", 10, 3)
    source = VideoFile(tmp_path / "a.avi")
    assert len(list(source.frames())) == len(list(source.frames())) == 3


def test_a_file_that_breaks_off_is_played_as_far_as_it_goes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Half a file gives its frames, and a warning."""
    _write(tmp_path / "whole.avi", "MJPG", 10, 20)
    content = (tmp_path / "whole.avi").read_bytes()
    (tmp_path / "half.avi").write_bytes(content[: len(content) // 2])
    frames = list(VideoFile(tmp_path / "half.avi").frames())
    assert 5 <= len(frames) <= 12
    assert "breaks off after" in caplog.text


def test_only_our_own_words_are_said_of_broken_videos(tmp_path: Path) -> None:
    """FFmpeg's and OpenCV's lines stay away, in a program that opens a video first of all."""
    for name, code in (("a.avi", "MJPG"), ("a.mp4", "mp4v"), ("a.mkv", "mp4v")):
        _write(tmp_path / name, code, 10, 20)
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content[: len(content) // 2])
        (tmp_path / f"head.{name}").write_bytes(content[:400])
    watch = (
        "import sys; from pathlib import Path; from hardware.video import VideoFile\n"
        "for name in sys.argv[1:]:\n"
        "    try: print(len(list(VideoFile(Path(name)).frames())))\n"
        "    except ValueError as error: print(error)"
    )
    names = sorted(path.name for path in tmp_path.iterdir())
    python = [sys.executable, "-c", watch, *names]
    paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(python, cwd=tmp_path, env=paths, capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == len(names) == 6
    assert "a.mp4 is no video that can be read" in done.stdout
    assert all("breaks off after" in line for line in done.stderr.splitlines()), done.stderr


@pytest.mark.parametrize("content", [b"", b"this is no video"])
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    """An empty and a wrong file are named when opened."""
    path = tmp_path / "no.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"no\.mp4 is no video that can be read"):
        VideoFile(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The path stands in the text."""
    with pytest.raises(SourceError, match=r"there is no video file .*gone\.mp4"):
        VideoFile(tmp_path / "gone.mp4")
