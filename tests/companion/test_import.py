"""Games from elsewhere: what was exported comes back, and what is wrong is named."""

import json
import re
import zipfile
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import run
from companion.log.disk import unwritable
from companion.log.export import csv_text, jsonl_text, parse_csv
from companion.log.games import list_games
from companion.log.importing import record_lines
from companion.log.journal import JOURNAL_NAME, RECORD_NAME, Journal, read_journal
from companion.log.lines import Line
from companion.log.moments import moments
from companion.log.verify import prove, verify
from referee.events import GameAbandoned
from referee.match import replay
from referee.record import parse_record, record_text
from tabletop import Seat
from tests.companion.journals import STARTED_AT, knock_out, write
from tests.referee.test_events import PROMISED

ABANDONED = GameAbandoned(((Seat.D4, 10), (Seat.D2, 11)))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the folder of a right game with a knock-out."""
    folder = write(tmp_path / "here", knock_out())
    with Journal.open(folder) as journal:
        journal.write_record(replay(line.event for line in journal.lines))
    return folder


def exported(game: Path, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a game is exported as."""
    capsys.readouterr()
    assert run(["games", "export", str(game), "--format", form]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["record", "jsonl", "csv"])
def test_what_was_exported_comes_back(
    game: Path, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the same game in another place, proved, and exported to the same text again."""
    text = exported(game, form, capsys)
    (tmp_path / "file").write_text(text)
    there = tmp_path / "there"
    assert run(["games", "import", str(tmp_path / "file"), "--games", str(there)]) == 0
    (found,) = list_games(there)
    assert verify(found.folder).right
    assert (found.folder / RECORD_NAME).read_text() == (game / RECORD_NAME).read_text()
    assert exported(found.folder, form, capsys) == text
    again = ["games", "import", str(tmp_path / "file"), "--games", str(there)]
    assert run(again) == 1
    assert "there already" in capsys.readouterr().err


def test_an_imported_log_keeps_its_seal(game: Path, tmp_path: Path) -> None:
    """Expect the very bytes of a log, so that whoever noted its seal knows it again."""
    assert run(["games", "import", str(game / JOURNAL_NAME), "--games", str(tmp_path / "x")]) == 0
    (found,) = list_games(tmp_path / "x")
    assert verify(found.folder).seal == verify(game).seal


@pytest.mark.parametrize(
    ("form", "was", "now", "words"),
    [
        ("record", "1 c1-d1", "2 c1-d1", "line 17, column 8"),
        ("record", "xD2+", "xD3+", "the marks are wrong"),
        ("record", "[Fine", "[Stake", "stands twice"),
        ("jsonl", '"to": "c1"', '"to": "e1"', "line 9"),
        ("jsonl", '"Anna"', '"Eve"', "line 1: it, or the one before, was altered"),
        ("jsonl", '"sequence": 3', '"sequence": 4', "line 3"),
        ("csv", "b1,c1,1", "b1,e1,1", "line 10: D4 cannot move b1-e1"),
        ("csv", "b1,c1,1", "b1,c1,one", "line 10"),
        ("csv", "fine_paid", "fine_pad", "line 25"),
        ("csv", "\n4,", "\n5,", "line 5: its sequence is 5"),
        ("csv", "sequence,at", "sequence,when", "line 1: the head lacks at"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_taken(
    game: Path,
    form: str,
    was: str,
    now: str,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect status 1, the file, the line and what is wrong, and no game."""
    text = exported(game, form, capsys)
    assert was in text
    path = tmp_path / "spoilt"
    path.write_text(text.replace(was, now, 1))
    assert run(["games", "import", str(path), "--games", str(tmp_path / "there")]) == 1
    err = capsys.readouterr().err
    assert str(path) in err
    assert words in err
    assert "Traceback" not in err
    assert list_games(tmp_path / "there") == ()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"PK\x03\x04", b"[1, 2]", b"hello\n"])
def test_what_is_no_game_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1 and the file's name for anything else."""
    (tmp_path / "file").write_bytes(content)
    for name in ("file", "missing"):
        assert run(["games", "import", str(tmp_path / name), "--games", str(tmp_path / "x")]) == 1
        err = capsys.readouterr().err
        assert str(tmp_path / name) in err
        assert "should not" not in err


def test_a_table_holds_all_of_every_event() -> None:
    """Expect each kind of event to come back from a row as it was written."""
    lines = tuple(Line(number, STARTED_AT, event) for number, (event, _) in enumerate(PROMISED, 1))
    assert tuple(line for _, line in parse_csv(csv_text(lines))) == lines


@pytest.mark.parametrize("ending", [[], [ABANDONED]])
def test_a_record_becomes_the_game_it_tells(ending: list[GameAbandoned]) -> None:
    """Expect events that the rules allow and that lead to the same record, its result included."""
    record = replay([*knock_out(), *ending]).record()
    states, wrong = prove(line.event for line in record_lines(record))
    assert wrong is None
    assert record_text(states[-1].record()) == record_text(record)


def test_a_record_that_begins_in_the_middle_is_taken() -> None:
    """Expect the position set, and the moves after it."""
    text = '[Seats "D4 D2"]\n[Setup "b1,f1,R*2/~/g8,R*3/~ D4 1"]\n1. D4: 4 b1-f1\n'
    record = parse_record(text)
    lines = record_lines(record)
    assert moments(Path("x"), lines)[-1].after.record().actions == record.actions


def test_a_mixed_lot_is_taken_as_far_as_it_goes(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the good file's game although the other is wrong."""
    (tmp_path / "bad").write_text("1. D4: 5 @b1")
    files = [str(tmp_path / "bad"), str(game / RECORD_NAME)]
    assert run(["games", "import", *files, "--games", str(tmp_path / "there")]) == 1
    assert len(list_games(tmp_path / "there")) == 1
    lines, _ = read_journal(list_games(tmp_path / "there")[0].folder / JOURNAL_NAME)
    assert lines[0].writer
    assert lines[0].writer.imported == "record"
    assert json.loads(game.joinpath(JOURNAL_NAME).read_text().splitlines()[0])["writer"]
    assert "bad" in capsys.readouterr().err


def test_a_log_from_another_system_is_listed_and_goes_on(game: Path, tmp_path: Path) -> None:
    """Expect a byte order mark to be left out, and other line ends to change no seal."""
    data = (game / JOURNAL_NAME).read_bytes()
    (tmp_path / "file").write_bytes(BOM_UTF8 + data.replace(b"\n", b"\r\n"))
    there = tmp_path / "there"
    assert run(["games", "import", str(tmp_path / "file"), "--games", str(there)]) == 0
    (found,) = list_games(there)
    assert found.started
    assert verify(found.folder).seal == verify(game).seal
    with Journal.open(found.folder) as journal:
        journal.append(ABANDONED, STARTED_AT)
    assert len(journal.lines) == len(read_journal(found.folder / JOURNAL_NAME)[0])


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_full_disk_leaves_no_half_of_a_game(
    form: str, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Expect status 1, a line, and nothing in the folder where only the record cannot be kept."""

    def full(path: Path, _: bytes) -> None:
        raise unwritable(path, OSError(28, "No space left on device"))

    (tmp_path / "file").write_text(exported(game, form, capsys))
    for place in ("companion.log.importing.replace_file", "companion.log.journal.replace_file"):
        monkeypatch.setattr(place, full)
    there = tmp_path / "there"
    assert run(["games", "import", str(tmp_path / "file"), "--games", str(there)]) == 1
    assert "No space left" in capsys.readouterr().err
    assert list(there.iterdir()) == []


@pytest.mark.parametrize("name", ["\x1b[2J", "\u202eanna"])
def test_a_name_that_acts_on_the_terminal_is_refused(
    name: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect status 1, the line, and nothing taken or shown: of a record, a table and a log."""
    file, there = tmp_path / "file", tmp_path / "there"
    lines = Journal.open(game).lines
    known = (game / RECORD_NAME).read_text(), csv_text(lines), jsonl_text(lines)
    for text in known:
        escaped = name if text is known[0] else json.dumps(name)[1:-1]
        file.write_text(text.replace("Anna", escaped))
        assert run(["games", "import", str(file), "--games", str(there)]) == 1
        assert re.search(r", line \d+: it holds what cannot be printed", capsys.readouterr().err)
        assert run(["games", "show", str(file)]) == 1
        assert name not in "".join(capsys.readouterr())
    assert list_games(there) == ()


def _cut(data: bytes) -> bytes:
    return data[:60] + bytes(40) + data[100:]


def _locked(data: bytes) -> bytes:
    """Set the bit of every entry that says a password is needed."""
    return data.replace(b"PK\x03\x04\x14\0\0", b"PK\x03\x04\x14\0\1").replace(
        b"PK\x01\x02\x14\x03\x14\0\0", b"PK\x01\x02\x14\x03\x14\0\1"
    )


def _huge(data: bytes) -> bytes:
    """Say that the log would unpack to more than 4 GB."""
    at = data.index(b"PK\x01\x02") + 24
    return data[:at] + b"\xfe\xff\xff\xff" + data[at + 4 :]


@pytest.mark.parametrize(("harm", "words"), [(_cut, ""), (_locked, "password"), (_huge, "4294 MB")])
def test_a_hostile_bundle_is_refused(
    harm: Callable[[bytes], bytes], words: str, game: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Expect a line that names the file and what is wrong with it, to import and to watch."""
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.write(game / JOURNAL_NAME, f"game/{JOURNAL_NAME}")
    path.write_bytes(harm(path.read_bytes()))
    for command in (["games", "import", str(path)], ["watch", f"bundle:{path}", "--mute"]):
        assert run([*command, "--games", str(tmp_path / "there")]) == 1
        err = capsys.readouterr().err
        assert str(path) in err
        assert words in err
        assert "should not" not in err
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("more", ["[1]", "[" * 100_000])
def test_a_table_whose_rest_is_no_object_is_refused(more: str) -> None:
    """Expect the row's line to be named."""
    with pytest.raises(ValueError, match="line 2"):
        parse_csv(f"sequence,at,kind,more\n1,2026-11-30T18:00:00Z,paused,{more}\n")
