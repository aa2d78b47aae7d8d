"""No event is lost: killed at any moment, with a full disk, in a folder that may not be written."""

import json
import random
import shutil
import time
from pathlib import Path

import pytest

from companion.game import Game, News
from companion.log.journal import JOURNAL_NAME, Journal, read_journal
from companion.log.verify import verify
from referee.match import Match, replay
from tests.companion import killing
from tests.companion.journals import STARTED_AT

IN_THE_SUITE = 20
IN_SHORT = 4  # pictures of the eight
TO_PROVE = 500


class Hearer:
    """Keeps the state that it was last told of."""

    match: Match | None = None

    def hear(self, news: News) -> None:
        """Take note."""
        self.match = news.after


def watch(table: Path, profile: Path, games: Path, *more: str) -> list[str]:
    """Return the words that watch the pictures of a table and log into *games*."""
    return [
        "watch", f"stills:{table / 'frames'}", "--table", str(profile), "--json", "--mute",
        "--no-web", "--games", str(games), *more,
    ]  # fmt: skip


def announced(out: Path) -> list[dict[str, object]]:
    """Return the lines that were told whole."""
    text = out.read_text() if out.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def check_resumable(games: Path, told: list[dict[str, object]]) -> int:
    """Check that all that was *told* is in the only game's log, and that the game goes on there.

    Returns:
        How many lines the log has; 0 where no game was begun yet, and then nothing was told.
    """
    logs = sorted(games.glob(f"2*/{JOURNAL_NAME}")) if games.is_dir() else []
    whole = [log for log in logs if log.read_bytes().count(b"\n")]
    if not whole:
        assert told == []
        return 0
    (log,) = whole
    lines, _ = read_journal(log)
    written = [json.loads(text) for text in log.read_text().splitlines()[: len(lines)]]
    assert told == written[: len(told)]
    hearer = Hearer()
    with Journal.open(log.parent) as journal:
        game = Game.resume(journal, [hearer], lambda: STARTED_AT)
        assert game.match == hearer.match
        assert game.match.at(len(lines)) == replay(line.event for line in lines)
        journal.write_record(game.match)
    assert verify(log.parent).right
    return len(lines)


def kill_and_check(table: Path, profile: Path, folder: Path, times: int) -> list[int]:
    """Kill a watching companion *times* times and return how long the logs had become."""
    rng = random.Random(times)
    begin = time.monotonic()
    killing.start(watch(table, profile, folder / "whole"), folder / "whole.out").join()
    took_s = time.monotonic() - begin
    lengths = []
    for _ in range(times):
        games, out = folder / "games", folder / "out"
        shutil.rmtree(games, ignore_errors=True)
        out.unlink(missing_ok=True)
        process = killing.start(watch(table, profile, games), out)
        process.join(rng.uniform(0.0, took_s))
        process.kill()
        process.join()
        lengths.append(check_resumable(games, announced(out)))
    return lengths


def test_a_killed_companion_loses_nothing(table: Path, profile: Path, tmp_path: Path) -> None:
    """Expect every event that was told in the log, and the game to go on from the last."""
    beginning = tmp_path / "beginning"
    (beginning / "frames").mkdir(parents=True)
    for picture in sorted((table / "frames").iterdir())[:IN_SHORT]:
        (beginning / "frames" / picture.name).symlink_to(picture)
    lengths = kill_and_check(beginning, profile, tmp_path, IN_THE_SUITE)
    assert len(lengths) == IN_THE_SUITE
    assert max(lengths) > 1


@pytest.mark.proof
def test_a_companion_killed_often_loses_nothing(table: Path, profile: Path, tmp_path: Path) -> None:
    """Expect the same five hundred times, and the moments to have been of all kinds."""
    lengths = kill_and_check(table, profile, tmp_path, TO_PROVE)
    assert len(lengths) == TO_PROVE
    assert len(set(lengths)) > 5


def test_a_log_cut_at_any_byte_goes_on(table: Path, profile: Path, tmp_path: Path) -> None:
    """Expect a game cut at every byte of its last lines to go on from its last whole line."""
    process = killing.start(watch(table, profile, tmp_path / "games"), tmp_path / "out")
    process.join()
    (log,) = (tmp_path / "games").glob(f"2*/{JOURNAL_NAME}")
    data = log.read_bytes()
    ends = [at + 1 for at in range(len(data)) if data[at : at + 1] == b"\n"]
    states = [line.event for line in read_journal(log)[0]]
    for cut in range(ends[-3], len(data)):
        log.write_bytes(data[:cut])
        whole = sum(end <= cut for end in ends) + (cut + 1 in ends)
        with Journal.open(log.parent) as journal:
            assert [line.event for line in journal.lines] == states[:whole]
            assert bool(journal.torn) == (cut not in ends and cut + 1 not in ends)
            assert journal.altered is None


def test_a_full_disk_stops_the_game_and_loses_nothing(
    table: Path, profile: Path, tmp_path: Path
) -> None:
    """Expect status 1, a line that says what to do, and a game that goes on once there is room."""
    games, out = tmp_path / "games", tmp_path / "out"
    process = killing.start(watch(table, profile, games), out, hinder=killing.small_files)
    process.join()
    assert process.exitcode == 1
    err = Path(f"{out}.err").read_text()
    assert "free some space" in err
    assert "Traceback" not in err
    assert check_resumable(games, announced(out)) > 1
    (log,) = games.glob(f"2*/{JOURNAL_NAME}")
    logged = len(read_journal(log)[0])
    again = killing.start(watch(table, profile, games, "--resume"), tmp_path / "again")
    again.join()
    assert again.exitcode == 0
    assert announced(tmp_path / "again")[0]["sequence"] == logged + 1


def test_a_folder_that_may_not_be_written_is_told_of(
    table: Path, profile: Path, tmp_path: Path
) -> None:
    """Expect status 1 and the folder's name, with a new game and with one to go on with."""
    games, out = tmp_path / "games", tmp_path / "out"
    killing.start(watch(table, profile, games), out).join()
    before = {path: path.read_bytes() for path in games.rglob("*") if path.is_file()}
    for path in (games, *games.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for more in ((), ("--resume",)):
        told = tmp_path / f"told{len(more)}"
        process = killing.start(
            watch(table, profile, games, *more), told, hinder=killing.no_superuser
        )
        process.join()
        assert process.exitcode == 1
        assert announced(told) == []
        err = Path(f"{told}.err").read_text()
        assert str(games) in err
        assert "Permission denied" in err
    assert before == {path: path.read_bytes() for path in before}
    for path in (games, *games.rglob("*")):
        path.chmod(0o755)
