import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.log.games import RecordFile
from companion.log.journal import JOURNAL_NAME, RECORD_NAME, Journal
from companion.log.lines import chained
from companion.log.verify import verify
from referee.match import replay
from tests.companion.journals import knock_out, write


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the folder of a right game of 29 events, a knock-out among them."""
    folder = write(tmp_path, knock_out())
    with Journal.open(folder) as journal:
        journal.write_record(replay(line.event for line in journal.lines))
    return folder


def alter(game: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the JSON objects of a game's log, and forge all its hashes."""
    path = game / JOURNAL_NAME
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    seal, texts = "", []
    for line in lines:
        line.pop("hash")
        seal = chained(seal, json.dumps(line, ensure_ascii=False))
        texts.append(json.dumps(line | {"hash": seal}, ensure_ascii=False) + "\n")
    path.write_text("".join(texts))


def test_a_right_game_is_right(game: Path) -> None:
    """Expect no fault, no note, and every event proved."""
    result = verify(game)
    assert (result.faults, result.notes) == ((), ())
    assert result.events == len(knock_out())
    assert result.match
    assert result.match.bank.total == 21


@pytest.mark.parametrize(
    ("number", "change", "words"),
    [
        (2, {"value": 2}, "D4 is said to begin"),
        (5, {"value": 5}, "D4 cannot move @b1"),
        (6, {"to": "h2"}, "D4 cannot move @h2"),
        (6, {"colour": "blue"}, "D4 plays red"),
        (7, {"reason": "knock_out"}, "extra_throw"),
        (9, {"steps": 2}, "the checker went 1, not 2"),
        (10, {"seat": "D4"}, "D4 throws"),
        (23, {"square": "e1"}, "checker_knocked_out"),
        (24, {"bank": 22}, "fine_paid"),
        (24, {"amount": 2}, "fine_paid"),
    ],
)
def test_an_altered_event_is_found(
    game: Path, number: int, change: dict[str, Any], words: str
) -> None:
    """Expect the line that cannot be, or the next one that cannot follow, and why."""
    alter(game, lambda lines: lines[number - 1]["event"].update(change))
    (fault,) = verify(game).faults
    assert fault.file.name == JOURNAL_NAME
    assert fault.line is not None
    assert number <= fault.line <= number + 2
    assert words in fault.reason


def test_a_missing_consequence_is_found(game: Path) -> None:
    """Expect the line after a fine that was left out to be named, with what is due."""

    def leave_out_the_fine(lines: list[dict[str, Any]]) -> None:
        del lines[23]
        for number, line in enumerate(lines, 1):
            line["sequence"] = number

    alter(game, leave_out_the_fine)
    (fault,) = verify(game).faults
    assert fault.line == 24
    assert "fine_paid" in fault.reason


def test_a_name_that_was_altered_is_found(game: Path) -> None:
    """Expect the very line to be named, though the rules have nothing against it."""
    path = game / JOURNAL_NAME
    lines = path.read_text().splitlines(keepends=True)
    for number, was, now in ((1, "Anna", "Eve"), (4, "18:02:17", "18:02:16"), (29, "2", "3")):
        spoilt = [*lines]
        spoilt[number - 1] = spoilt[number - 1].replace(was, now, 1)
        path.write_text("".join(spoilt))
        (fault,) = verify(game).faults
        assert fault.line == number
        assert "not as it was written" in fault.reason or number == 29


@pytest.mark.parametrize("number", [2, 11, 29])
def test_every_altered_byte_is_found(game: Path, number: int) -> None:
    """Expect a fault on the line for each of its bytes, whichever is flipped."""
    path = game / JOURNAL_NAME
    lines = path.read_bytes().splitlines(keepends=True)
    for at in range(len(lines[number - 1]) - 1):
        line = bytearray(lines[number - 1])
        line[at] ^= 1
        path.write_bytes(b"".join([*lines[: number - 1], bytes(line), *lines[number:]]))
        result = verify(game)
        named = [fault.line for fault in result.faults]
        torn = number == len(lines) and not result.faults and result.notes
        assert named == [number] or torn, line


def test_a_line_that_was_taken_out_is_found(game: Path) -> None:
    """Expect the gap to show even where the lines after it were numbered anew."""
    path = game / JOURNAL_NAME
    lines = path.read_text().splitlines()
    kept = [*lines[:4], *lines[7:]]
    path.write_text("\n".join(kept) + "\n")
    (fault,) = verify(game).faults
    assert fault.line == 5
    numbered = [
        re.sub(r'"sequence": \d+', f'"sequence": {number}', line)
        for number, line in enumerate(kept, 1)
    ]
    path.write_text("\n".join(numbered) + "\n")
    (fault,) = verify(game).faults
    assert fault.line == 5


def test_hashes_that_were_taken_out_are_missed(game: Path) -> None:
    """Expect a log whose writer says that it is chained not to be right without its chain."""
    path = game / JOURNAL_NAME
    path.write_text(re.sub(r', "hash": "[0-9a-f]+"', "", path.read_text()))
    (fault,) = verify(game).faults
    assert fault.line == 1


def test_the_seal_is_the_last_hash(game: Path) -> None:
    """Expect what a person can note down to change with any line of the log."""
    seal = verify(game).seal
    assert (game / JOURNAL_NAME).read_text().rstrip().endswith(f'"hash": "{seal}"}}')


def test_a_torn_tail_is_noted_and_the_rest_proved(game: Path) -> None:
    """Expect a game cut at any byte of its last line to be right, with a note of the tear."""
    path = game / JOURNAL_NAME
    data = path.read_bytes()
    last = data.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(last + 1, len(data) - 1):
        path.write_bytes(data[:cut])
        result = verify(game)
        assert result.right, result.faults
        assert any("torn" in note for note in result.notes)
        assert result.events == len(knock_out()) - 1


def test_an_altered_record_is_found(game: Path) -> None:
    """Expect the record's line, whether the move in it is unlawful or only not the logged one."""
    path = game / RECORD_NAME
    right = path.read_text()
    path.write_text(right.replace("d1-f1", "d1-g1"))
    (fault,) = verify(game).faults
    assert fault.file == path
    assert fault.line
    assert "d1-f1" in right.splitlines()[fault.line - 1]
    path.write_text(right.replace("2 --", "3 --"))
    (fault,) = verify(game).faults
    assert fault.line == len(right.splitlines()) - 1
    path.write_text(right.replace('[D4 "Anna"]', '[D4 "Eve"]'))
    (fault,) = verify(game).faults
    assert "Eve" in fault.reason


def test_a_record_with_other_layout_and_comments_is_the_same_record(game: Path) -> None:
    """Expect a record that was annotated by hand to agree with its log."""
    path = game / RECORD_NAME
    path.write_text(path.read_text().replace("6 @b1+", "6 @b1 {a lucky start}"))
    assert verify(game).right


@pytest.mark.parametrize("count", [1, 5, 14])
def test_a_record_behind_its_log_is_noted(tmp_path: Path, count: int) -> None:
    """Expect what a power cut or a full disk leaves to be right, and what makes it anew."""
    folder = write(tmp_path, knock_out())
    with Journal.open(folder) as journal:
        journal.write_record(replay(knock_out()[:count]))
    result = verify(folder)
    assert result.right
    (note,) = result.notes
    assert "as after a power cut or on a full disk" in note
    assert "`pachisi games export --format record` makes it anew" in note


def test_a_record_alone_is_proved_by_the_rules(tmp_path: Path, game: Path) -> None:
    """Expect a record's text to be right, and one with an unlawful move not, with its line."""
    path = tmp_path / "shared.txt"
    text = (game / RECORD_NAME).read_text()
    path.write_text(text)
    assert verify(RecordFile(path)).right
    path.write_text(text.replace("6 @g8+", "5 @g8+"))
    (fault,) = verify(RecordFile(path)).faults
    assert fault.line
    assert "@g8" in text.splitlines()[fault.line - 1]


def test_an_empty_log_is_no_right_game(game: Path) -> None:
    """Expect a fault where there is nothing to prove."""
    (game / JOURNAL_NAME).write_bytes(b"")
    assert not verify(game).right
