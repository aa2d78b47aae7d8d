"""Sources by name."""

from pathlib import Path

import pytest

from hardware import Scene, SourceError, SourceKind, TimedScene, open_source, parse_source


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("pi", SourceKind.PI, 0),
        ("pi:1", SourceKind.PI, 1),
        ("usb", SourceKind.USB, 0),
        ("usb:2", SourceKind.USB, 2),
        ("demo", SourceKind.DEMO, 0),
        ("demo:7", SourceKind.DEMO, 7),
        ("http://table.local:8081/stream", SourceKind.NETWORK, 0),
        ("https://table.local/stream", SourceKind.NETWORK, 0),
        ("rtsp://table.local/1", SourceKind.NETWORK, 0),
        ("stills:pictures", SourceKind.STILLS, 0),
        ("bundle:game.zip", SourceKind.BUNDLE, 0),
    ],
)
def test_every_source_has_its_name(text: str, kind: SourceKind, number: int) -> None:
    """Each form of the command line is understood without opening anything."""
    source = parse_source(text)
    assert (source.kind, source.number, source.text) == (kind, number, text)


def test_a_file_that_is_there_is_a_video(tmp_path: Path) -> None:
    """The path of a file needs no prefix."""
    path = tmp_path / "evening.mp4"
    path.write_bytes(b"x")
    assert parse_source(str(path)).kind is SourceKind.VIDEO


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("webcam", "'webcam' is no source, and no file of that name is there: choose from pi"),
        ("", "'' is no source"),
        ("usb:first", "'usb:first' needs a whole number after the colon, as in usb:0"),
        ("pi:-1", "needs a whole number"),
        ("demo:", "needs a whole number"),
        ("stills:", "'stills:' names no path: write stills:PATH"),
        ("stills:/not/there", "there is no folder /not/there"),
        ("http:table", "is no source"),
        ("http://", "is no address of a stream"),
        ("demo:3", "'demo:3' needs a script"),
        ("bundle:x", "is no bundle of a game"),
    ],
)
def test_a_wrong_source_is_refused_in_words(text: str, complaint: str) -> None:
    """The error names what was typed and what could have been."""
    with pytest.raises(SourceError, match="^.*" + complaint.replace("(", r"\(")):
        open_source(text)


def test_a_folder_without_its_prefix_is_explained(tmp_path: Path) -> None:
    """A bare folder is not guessed to be stills: the right form is shown."""
    with pytest.raises(SourceError, match=f"for its pictures write stills:{tmp_path}"):
        open_source(str(tmp_path))


def test_a_demo_shows_the_script_it_is_handed() -> None:
    """A demo's table plays the script once, named as it was typed."""
    with open_source("demo:3", [TimedScene(Scene(), 0.2)]) as table:
        assert table.name == "demo:3"
        assert not table.live
        assert len(list(table.frames())) == 2
