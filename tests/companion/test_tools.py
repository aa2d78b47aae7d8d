"""The commands that look after the program: evaluate and bench."""

import json
from pathlib import Path

import pytest

from companion.cli import run


@pytest.fixture
def labelled(table: Path, tmp_path: Path) -> Path:
    """Return a set of three entries: the empty board, a broken picture, no board to be judged."""
    picture = (table / "calibration" / "000.png").read_bytes()
    (tmp_path / "empty.png").write_bytes(picture)
    (tmp_path / "broken.png").write_bytes(picture[:50])
    (tmp_path / "labels.json").write_text(
        json.dumps(
            [
                {"image": "empty.png", "dice": [], "colours": ["red", "blue"]},
                {"image": "broken.png", "dice": []},
            ]
        )
    )
    return tmp_path


def test_a_set_is_scored(labelled: Path, profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Expect figures of what can be read, the broken picture named, and status 1 for it."""
    assert run(["evaluate", str(labelled), "--table", str(profile), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out, err
    told = json.loads(out)
    assert told["pictures"] == 1
    assert told["figures"]["dice seen where none is"] == 0
    assert told["worst"] == []
    assert "broken.png breaks off" in err


def test_a_set_is_scored_for_people_too(
    labelled: Path, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect a table of the same figures."""
    assert run(["evaluate", str(labelled), "--table", str(profile)]) == 1
    assert "dice seen where none is" in capsys.readouterr().out


def test_a_set_that_is_not_there_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and the file that was looked for."""
    assert run(["evaluate", str(tmp_path / "none")]) == 1
    assert "labels.json" in capsys.readouterr().err


def test_every_stage_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """Expect a line for each stage of both ways of seeing, for the rules and for the judge."""
    assert run(["bench", "--rounds", "1", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = {line["name"] for line in lines}
    assert {
        "photograph: board",
        "photograph: total",
        "known table: squares",
        "known table: total",
        "a frame at rest",
        "a random throw by the rules",
        "a scene judged",
        "a scene judged, all in doubt",
    } <= names
    assert all(line["median_ms"] > 0 for line in lines)
