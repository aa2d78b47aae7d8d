"""How a game begins, and how it goes on: offered, compared with the board, on another table too."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import TableProfile, load_profile
from companion.cli import run
from companion.errors import ArgumentError
from companion.log.games import list_games
from companion.log.journal import JOURNAL_NAME, read_journal
from companion.options import Outputs, WatchOptions
from companion.scripts.script import write_game
from companion.start import start_game, turned
from hardware.scene import PlacedChecker, Scene
from hardware.simulated import TableLook, render
from tabletop import Colour, Seat
from tests.companion.conftest import SEATS
from tests.companion.journals import opening, write

NOW = datetime(2026, 12, 1, 19, 0, tzinfo=UTC)
ELSEWHERE = 4
"""The seed of a table that is seen from another place, in another light."""


def wanted(games: Path, *, resume: bool = False) -> WatchOptions:
    """Return a wish for a game in *games*."""
    return WatchOptions("usb", None, Outputs(games), resume=resume)


def test_an_unfinished_game_is_offered(tmp_path: Path, profile: Path) -> None:
    """Expect the question to name when and who, and a yes or a no to be followed."""
    old = write(tmp_path, opening())
    asked: list[str] = []

    def say(answer: bool) -> bool:
        asked.append("")
        return answer

    table = load_profile(profile)
    for answer in (False, True):
        start = start_game(table, wanted(tmp_path), NOW, asked.append, lambda _, a=answer: say(a))  # type: ignore[misc]
        assert start.resumed is answer
        start.journal.close()
        if not answer:
            assert start.journal.folder != old
            start.journal.discard()
    assert start.journal.folder == old
    assert "type board" in asked[-1]


def test_nobody_at_the_terminal_is_told(tmp_path: Path, profile: Path) -> None:
    """Expect a new game, and a line with the way to go on with the old one."""
    write(tmp_path, opening())
    told: list[str] = []
    with start_game(load_profile(profile), wanted(tmp_path), NOW, told.append).journal as journal:
        assert len(journal.lines) == 1
    (line,) = told
    assert "Anna, Борис" in line
    assert "pachisi watch SOURCE --resume" in line


def test_a_game_that_another_program_plays_is_not_offered(tmp_path: Path, profile: Path) -> None:
    """Expect a new game, and a line that the old one is being played, whoever may answer."""
    table, told = load_profile(profile), list[str]()
    with start_game(table, wanted(tmp_path), NOW, told.append).journal as played:
        second = start_game(table, wanted(tmp_path), NOW, told.append, lambda _: True)
        second.journal.close()
        assert second.journal.folder != played.folder
    assert [line for line in told if "is being played by another pachisi" in line] == told


def test_a_torn_tail_is_told_of(tmp_path: Path, profile: Path) -> None:
    """Expect word of what a power cut left, and of a line that somebody altered."""
    path = write(tmp_path, opening()) / JOURNAL_NAME
    path.write_text(path.read_text().replace("Anna", "Emma") + '{"sequence"')
    told: list[str] = []
    start = start_game(load_profile(profile), wanted(tmp_path, resume=True), NOW, told.append)
    start.journal.close()
    assert any("line 8 is torn" in line for line in told)
    assert any("line 1 is not as it was written" in line for line in told)


def test_the_writer_and_the_table_are_kept(tmp_path: Path, profile: Path) -> None:
    """Expect the first line of each program run to tell of it, and its table beside the log."""
    table = load_profile(profile)
    for resume in (False, True):
        start = start_game(table, wanted(tmp_path, resume=resume), NOW, print)
        with start.journal as journal:
            journal.append(opening()[1], NOW) if not resume else journal.append(opening()[2], NOW)
            folder = journal.folder
    lines, _ = read_journal(folder / JOURNAL_NAME)
    writers = [line.writer for line in lines]
    assert [writer is not None for writer in writers] == [True, False, True]
    for writer in (writers[0], writers[2]):
        assert writer
        assert writer.table == table.fingerprint
        assert dict(writer.libraries).keys() == {"opencv", "numpy"}
    tables = sorted((folder / "tables").iterdir())
    assert [path.name for path in tables] == ["00001.toml", "00003.toml"]
    assert load_profile(tables[0]) == table


def test_from_the_other_side_squares_keep_their_names(profile: Path) -> None:
    """Expect a board calibrated from the other side to be called as the log calls it."""
    here = load_profile(profile)
    a1, h1, h8, a8 = here.location.corners
    there = replace(here, location=replace(here.location, corners=(h8, a8, a1, h1)), rotation=2)
    assert turned(there, 0).location.corners == (a1, h1, h8, a8)
    assert turned(here, 0) == here
    with pytest.raises(ArgumentError, match="quarter"):
        turned(replace(here, rotation=1), 0)


def test_a_table_without_the_colours_is_refused(tmp_path: Path, profile: Path) -> None:
    """Expect the missing colour to be named, and the log to stay as it was."""
    folder = write(tmp_path, opening())
    before = (folder / JOURNAL_NAME).read_bytes()
    known = load_profile(profile)
    table: TableProfile = replace(known, looks=known.looks[:1])
    missing = ({Colour.RED, Colour.BLUE} - {known.looks[0].colour}).pop()
    with pytest.raises(ArgumentError, match=f"no {missing} checkers"):
        start_game(table, wanted(tmp_path, resume=True), NOW, print)
    assert (folder / JOURNAL_NAME).read_bytes() == before


def test_a_game_goes_on_on_another_table(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect a game begun before one camera to go on before another, the board compared first.

    A checker that was put elsewhere in the meantime is told of, with the squares.
    """
    games = tmp_path / "games"
    options = ["--mute", "--no-web", "--json", "--games", str(games)]
    command = ["watch", f"stills:{table / 'frames'}", "--table", str(profile), *options]
    assert run(command) == 0
    script = write_game(1, {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}, short=True)
    at_rest = [timed.scene for timed in script.scenes if timed.scene.hand is None]
    agrees = replace(at_rest[7], die=None)
    *others, last = agrees.checkers
    strays = replace(agrees, checkers=(*others, PlacedChecker(last.colour, 3.5, 0.5)))
    scenes: dict[str, list[Scene]] = {
        "calibration": [timed.scene for timed in script.calibration],
        "frames": [strays, agrees],
    }
    look, rng = TableLook.from_seed(ELSEWHERE), np.random.default_rng(1)
    for name, shown in scenes.items():
        (tmp_path / name).mkdir()
        for number, scene in enumerate(shown):
            cv2.imwrite(str(tmp_path / name / f"{number}.png"), render(scene, look, rng))
    out = str(tmp_path / "other.toml")
    calibration = f"stills:{tmp_path / 'calibration'}"
    assert run(["calibrate", calibration, "--seats", SEATS, "--out", out, "--mute"]) == 0
    capsys.readouterr()
    again = ["watch", f"stills:{tmp_path / 'frames'}", "--table", out, "--resume", *options]
    assert run(again) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["kind"] for one in told] == ["resumed", "board_differs", "board_agrees"]
    assert told[0]["writer"]["table"] == load_profile(Path(out)).fingerprint
    assert [one["square"] for one in told[1]["event"]["differs"]] == ["d1"]
    assert len(list_games(games)) == 1
