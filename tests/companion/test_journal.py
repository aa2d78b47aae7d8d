import errno
import json
import os
import re
import subprocess
import sys
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.log.game_folder import PICTURES_NAME
from companion.log.games import newest_unfinished, summary
from companion.log.journal import (
    JOURNAL_NAME,
    RECORD_NAME,
    TORN_NAME,
    Journal,
    line_text,
    parse_line,
    read_journal,
    scan_journal,
)
from companion.log.statistics import statistics
from companion.log.verify import verify
from referee.events import CheckerMoved, DieThrown, Paused
from referee.match import replay
from tabletop import Colour, Seat, parse_square
from tests.companion.journals import SETUP, STARTED_AT, knock_out, opening, write

THROW = DieThrown(Seat.D4, Colour.RED, 4)
MOVE = CheckerMoved(Seat.D4, Colour.RED, parse_square("b1"), parse_square("f1"), 4)


def test_a_new_game_has_its_folder_and_its_first_line(tmp_path: Path) -> None:
    """Expect a folder named by the time, with a log of one line as the contract writes it."""
    with Journal.create(tmp_path / "games", SETUP, STARTED_AT) as journal:
        assert re.fullmatch(r"2026-11-30-180211-[0-9a-f]{4}", journal.id)
        assert (journal.folder / PICTURES_NAME).is_dir()
        text = (journal.folder / JOURNAL_NAME).read_text()
    told = json.loads(text)
    assert re.fullmatch("[0-9a-f]{64}", told.pop("hash"))
    assert told == {
        "sequence": 1,
        "at": "2026-11-30T18:02:11.250Z",
        "kind": "game_started",
        "event": {
            "seats": {"D4": "red", "D2": "blue"},
            "names": {"D4": "Anna", "D2": "Борис"},
            "rules": {},
            "stake": 10,
            "fine": 1,
            "unit": "points",
            "program": "1.0.0",
            "table": "sha256:0",
        },
        "writer": {"format": 2, "program": "1.0.0"},
    }


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    """Expect the same events, numbers and times from the file."""
    folder = write(tmp_path, opening())
    lines, torn = read_journal(folder / JOURNAL_NAME)
    assert torn is None
    assert [line.event for line in lines] == opening()
    assert [line.sequence for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert lines[0].at == STARTED_AT


def test_keys_of_later_versions_are_passed_over() -> None:
    """Expect a line with further keys in its envelope to read like one without."""
    line = parse_line(
        '{"sequence": 1, "at": "2026-11-30T18:02:11.250Z", "kind": "paused", "event": {}, "h": 1}'
    )
    assert line.event.kind == "paused"


@pytest.mark.parametrize("tail", [b"", b"\0" * 700, b"\xff\xfegarbage\n\x00\n"])
def test_a_log_cut_anywhere_keeps_every_whole_line(tmp_path: Path, tail: bytes) -> None:
    """Expect the lines before a cut, at each byte of the last two lines, and word of the tear."""
    folder = write(tmp_path, opening())
    data = (folder / JOURNAL_NAME).read_bytes()
    ends = [match.end() for match in re.finditer(rb"\n", data)]
    for cut in range(ends[-3], len(data)):
        whole = sum(end <= cut for end in ends)
        complete = cut + 1 in ends  # all of the line but its line feed
        found = scan_journal(data[:cut] + tail)
        assert found.fault is None
        if tail:
            assert len(found.lines) == whole
            assert found.torn
            assert f"line {whole + 1}" in found.torn
        else:
            assert len(found.lines) == whole + complete
            assert bool(found.torn) == (cut not in ends and not complete)


def test_a_torn_tail_is_moved_aside_when_the_game_goes_on(tmp_path: Path) -> None:
    """Expect the tail in a file of its own and the next event on a line of its own."""
    folder = write(tmp_path, opening())
    path = folder / JOURNAL_NAME
    path.write_bytes(path.read_bytes() + b'{"sequence": 8, "at"')
    with Journal.open(folder) as journal:
        assert journal.torn
        assert journal.append(THROW, STARTED_AT).sequence == 8
    assert (folder / TORN_NAME).read_bytes() == b'{"sequence": 8, "at"'
    lines, torn = read_journal(path)
    assert torn is None
    assert lines[-1].event == THROW


def test_a_last_line_that_lost_only_its_end_is_kept(tmp_path: Path) -> None:
    """Expect a line without its line feed to count, and the next one not to run into it."""
    folder = write(tmp_path, opening())
    path = folder / JOURNAL_NAME
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    with Journal.open(folder) as journal:
        journal.append(THROW, STARTED_AT)
    assert len(read_journal(path)[0]) == 8


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda lines: lines[:2] + lines[3:], "line 3: its sequence is 4 and should be 3"),
        (
            lambda lines: [*lines[:3], lines[2], *lines[3:]],
            "line 4: it is the line before",
        ),
        (lambda lines: [lines[0], "xx", *lines[2:]], "line 2: it is no JSON"),
        (lambda lines: [lines[0], "[]", *lines[2:]], "line 2: a line of the log is a JSON object"),
        (lambda lines: [lines[0], "", *lines[1:]], "line 2: it is empty: take it out"),
        (
            lambda lines: [lines[0], lines[1].replace('"value": 5', '"value": 7'), *lines[2:]],
            "line 2: opening_throw: 'value' cannot be 7",
        ),
        (
            lambda lines: [lines[0], lines[1].replace("opening_throw", "opened"), *lines[2:]],
            "line 2: 'opened' is no kind of event",
        ),
        (
            lambda lines: [lines[0], lines[1].replace(".250Z", "").replace("2026", "then", 1)],
            "line 2",
        ),
        (lambda lines: [lines[0], lines[1].replace("2026", "0001", 1)], "line 2: 'at' cannot be"),
        (lambda lines: [lines[0], lines[1].replace("2026", "9999", 1)], "line 2: 'at' cannot be"),
        (
            lambda lines: [lines[0].replace("Anna", "\u202eAnna"), *lines[1:]],
            "line 1: it holds what",
        ),
        (
            lambda lines: [lines[0].replace("Anna", "\\u001b[2J"), *lines[1:]],
            "line 1: it holds what",
        ),
        (lambda lines: [lines[0], "[" * 100_000, *lines[2:]], "line 2: it is no JSON"),
        (
            lambda lines: [lines[0], lines[1].replace('"value": 5', '"value": NaN'), *lines[2:]],
            "line 2: it is no JSON",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, spoil, words: str) -> None:  # type: ignore[no-untyped-def]
    """Expect the number of the first wrong line and what is wrong with it."""
    path = write(tmp_path, opening()) / JOURNAL_NAME
    path.write_text("\n".join(spoil(path.read_text().splitlines())) + "\n")
    with pytest.raises(JournalError, match=re.escape(words)):
        read_journal(path)


@pytest.mark.parametrize(
    ("spoil", "torn"),
    [
        (lambda data: BOM_UTF8 + data, None),
        (lambda data: data.replace(b"\n", b"\r\n"), None),
        (lambda data: data + bytes(4096), "line 8 is torn: its 4096 bytes"),
        (lambda data: data[:-20] + bytes(4096), "line 7 is torn"),
        (lambda data: data + b"\n\n", "line 8 is torn"),
    ],
    ids=["mark", "ends of lines", "zeros", "zeros in a line", "empty lines"],
)
def test_what_editors_and_power_cuts_do_to_a_file(  # type: ignore[no-untyped-def]
    tmp_path: Path, spoil, torn: str | None
) -> None:
    """Expect every line to be read, in short too; and the game to go on unaltered.

    What a file system leaves after a power cut, a block of zeros, is torn off.
    """
    folder = write(tmp_path, opening())
    path = folder / JOURNAL_NAME
    path.write_bytes(spoil(path.read_bytes()))
    whole = 6 if torn and "line 7" in torn else 7
    assert summary(folder).started == SETUP
    with Journal.open(folder) as journal:
        assert (journal.torn or "").startswith(torn or "")
        assert bool(journal.torn) == bool(torn)
        assert journal.altered is None
        assert len(journal.lines) == whole
        journal.append(Paused(), STARTED_AT)
    found = scan_journal(path.read_bytes())
    assert (len(found.lines), found.torn, found.fault, found.altered) == (
        whole + 1,
        None,
        None,
        None,
    )


def test_a_clock_may_go_back_by_years(tmp_path: Path) -> None:
    """Expect a game that went on before it was begun, by its clock, to be right all the same."""
    folder = write(tmp_path, opening())
    before = STARTED_AT.replace(year=1970)
    with Journal.open(folder) as journal:
        journal.append(THROW, before)
        journal.append(MOVE, before)
    assert verify(folder).right
    (player, _) = statistics([read_journal(folder / JOURNAL_NAME)[0]])
    assert player.move_s == [2.0]
    assert newest_unfinished(tmp_path) == summary(folder)


def test_a_game_is_written_by_one_at_a_time(tmp_path: Path) -> None:
    """Expect a second writer to be turned away while the first is there, and let in after."""
    with (
        Journal.create(tmp_path, SETUP, STARTED_AT) as journal,
        pytest.raises(JournalError, match="being written by another pachisi"),
    ):
        Journal.open(journal.folder)
    with Journal.open(journal.folder) as again:
        assert len(again.lines) == 1


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """Expect the path and a cure where a file stands in the way."""
    (tmp_path / "games").write_text("")
    with pytest.raises(JournalError, match="--games"):
        Journal.create(tmp_path / "games", SETUP, STARTED_AT)
    with pytest.raises(JournalError, match="--games"):
        Journal.create(tmp_path / "games" / "deeper", SETUP, STARTED_AT)


def test_a_game_that_cannot_begin_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect no folder of a game whose first line found no room."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(JournalError, match="No space left on device"):
        Journal.create(tmp_path, SETUP, STARTED_AT)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_loses_nothing_that_was_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect an error, the half-written line gone, no more lines taken, and the rest readable."""
    write_bytes = os.write

    def fills_up(descriptor: int, data: memoryview) -> int:
        write_bytes(descriptor, data[:20])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Journal.create(tmp_path, SETUP, STARTED_AT) as journal:
        path = journal.folder / JOURNAL_NAME
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", fills_up)
        with pytest.raises(JournalError, match="No space left on device"):
            journal.append(THROW, STARTED_AT)
        monkeypatch.undo()
        assert path.read_bytes() == before
        with pytest.raises(JournalError, match="closed"):
            journal.append(THROW, STARTED_AT)
    with Journal.open(path.parent) as journal:
        assert journal.append(THROW, STARTED_AT).sequence == 2


def test_every_event_is_synced_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect, for each line, the whole line to be in the file when the disk is told to keep it."""
    kept: list[bytes] = []
    sync = os.fdatasync

    def note(descriptor: int) -> None:
        kept.append(path.read_bytes())
        sync(descriptor)

    with Journal.create(tmp_path, SETUP, STARTED_AT) as journal:
        path = journal.folder / JOURNAL_NAME
        monkeypatch.setattr(os, "fdatasync", note)
        line = journal.append(THROW, STARTED_AT)
        assert kept[-1].endswith((line_text(line) + "\n").encode())


def test_the_record_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect the old record where the new one cannot be written, and nothing left lying about."""
    with Journal.create(tmp_path, SETUP, STARTED_AT) as journal:
        journal.write_record(replay(opening()[:4]))
        journal.write_record(replay(opening()))
        record = journal.folder / RECORD_NAME

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(JournalError, match="No space left"):
            journal.write_record(replay(knock_out()))
        monkeypatch.undo()
        assert record.read_text().endswith("\n1. D4: 6 @b1+\n*\n")
        assert sorted(path.name for path in journal.folder.iterdir()) == [
            JOURNAL_NAME,
            "pictures",
            RECORD_NAME,
        ]


KILLED = """
import sys
from pathlib import Path
from companion.log.journal import Journal
from tests.companion.journals import SETUP, STARTED_AT
from tests.companion.test_journal import THROW

with Journal.create(Path(sys.argv[1]), SETUP, STARTED_AT) as journal:
    while True:
        print(journal.append(THROW, STARTED_AT).sequence, flush=True)
"""


def test_a_killed_writer_leaves_all_it_announced(tmp_path: Path) -> None:
    """Expect every event whose number was printed to be in the log after SIGKILL."""
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout
    announced = [int(next(writer.stdout)) for _ in range(50)]
    writer.kill()
    announced += [int(line) for line in writer.stdout if line.endswith("\n")]
    writer.stdout.close()
    writer.wait()
    (folder,) = tmp_path.iterdir()
    with Journal.open(folder) as journal:
        assert len(journal.lines) >= announced[-1]
