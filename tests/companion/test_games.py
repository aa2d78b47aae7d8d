import time
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.log.export import csv_text, jsonl_text
from companion.log.games import (
    RecordFile,
    State,
    find_game,
    fits,
    list_games,
    newest_unfinished,
)
from companion.log.journal import JOURNAL_NAME, RECORD_NAME, read_journal
from companion.log.statistics import statistics, statistics_json
from referee.events import By, Corrected, GameAbandoned, GameWon, PlayerRenamed
from tabletop import Colour, Seat
from tests.companion.journals import knock_out, opening, write

WON = GameWon(Seat.D4, Colour.RED, 21, ((Seat.D4, 11), (Seat.D2, -11)))


def test_games_are_listed_with_what_became_of_them(tmp_path: Path) -> None:
    """Expect each game's state; a win that was taken back is none; other folders are no games."""
    won = write(tmp_path, [*opening(), WON])
    undone = write(tmp_path, [*opening(), WON, Corrected(By.CONSOLE, 7, "misread")])
    left = write(tmp_path, [*opening(), GameAbandoned(((Seat.D4, 10), (Seat.D2, 10)))])
    broken = write(tmp_path, opening())
    (broken / JOURNAL_NAME).write_text("?\n")
    (tmp_path / "notes").mkdir()
    found = {game.id: game for game in list_games(tmp_path)}
    assert {name: game.state for name, game in found.items()} == {
        won.name: State.WON,
        undone.name: State.UNFINISHED,
        left.name: State.ABANDONED,
        broken.name: State.BROKEN,
    }
    assert found[won.name].winner is Seat.D4
    newest = newest_unfinished(tmp_path)
    assert newest
    assert newest.folder == undone


def test_no_folder_means_no_games(tmp_path: Path) -> None:
    """Expect an empty list where nothing was ever logged."""
    assert list_games(tmp_path / "games") == ()
    assert newest_unfinished(tmp_path / "games") is None


def test_a_game_is_found_by_any_of_its_names(tmp_path: Path) -> None:
    """Expect id, beginning of it, folder, log and record to lead to the game."""
    folder = write(tmp_path, opening())
    record = tmp_path / "shared.txt"
    record.write_text("")
    assert find_game(folder.name, tmp_path) == folder
    assert find_game(folder.name[:13], tmp_path) == folder
    assert find_game(str(folder), Path("elsewhere")) == folder
    assert find_game(str(folder / JOURNAL_NAME), Path("elsewhere")) == folder
    assert find_game(str(record), tmp_path) == RecordFile(record)


def test_a_folder_with_a_record_alone_is_a_record(tmp_path: Path) -> None:
    """Expect the record where there is no log beside it."""
    (tmp_path / RECORD_NAME).write_text("")
    assert find_game(str(tmp_path), tmp_path) == RecordFile(tmp_path / RECORD_NAME)


def test_a_name_that_fits_none_or_several_is_refused(tmp_path: Path) -> None:
    """Expect words about what is there."""
    write(tmp_path, opening())
    write(tmp_path, opening())
    with pytest.raises(InputError, match="any of 2 games"):
        find_game("2026-11-30", tmp_path)
    with pytest.raises(InputError, match="games list"):
        find_game("2027", tmp_path)
    with pytest.raises(InputError, match=r"no journal\.jsonl"):
        find_game(str(tmp_path), tmp_path)


def test_a_thousand_games_are_searched_within_a_second(tmp_path: Path) -> None:
    """Expect so much of the processor at most, whatever else it has to do: logs of usual length."""
    whole = (write(tmp_path / "one", knock_out()) / JOURNAL_NAME).read_bytes()
    whole += b"\n".join([whole.splitlines()[-1]] * 400) + b"\n"
    for number in range(1000):
        folder = tmp_path / "games" / f"2026-11-30-{number:06}-abcd"
        folder.mkdir(parents=True)
        (folder / JOURNAL_NAME).write_bytes(whole)
    begin = time.process_time()
    found = [game for game in list_games(tmp_path / "games") if fits(game, "anna", "red")]
    assert len(found) == 1000
    assert time.process_time() - begin < 1.0


def test_statistics_count_what_stands(tmp_path: Path) -> None:
    """Expect throws, knock-outs, fines, wins and balances of what was not taken back."""
    lines, _ = read_journal(write(tmp_path, [*knock_out(), WON]) / JOURNAL_NAME)
    anna, boris = (statistics_json(player) for player in statistics([lines, lines[:7]]))
    assert anna == {
        "name": "Anna",
        "games": 2,
        "wins": 1,
        "throws": {"1": 2, "2": 1, "3": 0, "4": 0, "5": 2, "6": 2},
        "knock_outs_dealt": 1,
        "knock_outs_suffered": 0,
        "fines": 0,
        "extra_throws": 3,
        "passes": 0,
        "illegal_moves": 0,
        "throws_a_six": 1,
        "longest_wait": 1,
        "move_s": 2.0,
        "comebacks": 0,
        "greatest_comeback": None,
        "balance": 11,
        "balances": {"points": 11},
    }
    assert (boris["name"], boris["fines"], boris["passes"], boris["balance"]) == (
        "Борис", 1, 1, -11,
    )  # fmt: skip
    assert boris["throws"] == {"1": 0, "2": 1, "3": 2, "4": 1, "5": 0, "6": 3}


def test_a_renamed_player_is_counted_under_his_last_name(tmp_path: Path) -> None:
    """Expect the whole game under the name that a player was given in the middle of it."""
    events = [*opening(), PlayerRenamed(Seat.D4, "Vera")]
    lines, _ = read_journal(write(tmp_path, events) / JOURNAL_NAME)
    vera, _ = statistics([lines])
    assert (vera.name, vera.throws) == ("Vera", {5: 1, 6: 1})


def test_a_correction_takes_events_out_of_the_statistics(tmp_path: Path) -> None:
    """Expect a throw that was taken back not to be counted."""
    events = [*opening(), Corrected(By.BOARD, 4, "misread")]
    lines, _ = read_journal(write(tmp_path, events) / JOURNAL_NAME)
    anna, _ = statistics([lines])
    assert anna.throws == {5: 1}
    assert anna.extra_throws == 0


def test_exports_hold_every_event(tmp_path: Path) -> None:
    """Expect the JSON lines of the log, and a table with a row for each."""
    path = write(tmp_path, knock_out()) / JOURNAL_NAME
    lines, _ = read_journal(path)
    assert jsonl_text(lines) == path.read_text()
    head, *rows = csv_text(lines).splitlines()
    assert head.startswith("sequence,at,kind,seat,colour,value")
    assert len(rows) == len(knock_out())
    assert rows[8].split(",")[:10] == [
        "9", "2026-11-30T18:02:27.250Z", "checker_moved", "D4", "red", "", "", "b1", "c1", "1",
    ]  # fmt: skip
