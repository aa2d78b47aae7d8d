"""How fast the log is: a line with its sync, the list of a thousand games, a search in them.

Run as ``python -m benchmarks.log_speed [DIR]``. The logs are written into DIR, so that it is that
disk which is measured; by default here.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from companion.log.game_folder import JOURNAL_NAME
from companion.log.games import fits, list_games
from companion.log.importing import record_events
from companion.log.journal import Journal
from companion.log.verify import verify
from referee.events import Event, GameStarted
from referee.game_record import Action, GameRecord, Header
from referee.moves import legal_moves, play
from tabletop import Seat

GAMES = 1000
AT = datetime(2026, 11, 30, 18, tzinfo=UTC)


def main() -> None:
    """Measure, and print a table."""
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    events = played_game(Random(1))
    with tempfile.TemporaryDirectory(dir=where) as folder:
        games = Path(folder)
        times_ms, game = written(games, events)
        slow = statistics.quantiles(times_ms, n=20)[-1]
        print(f"a line with its sync: median {statistics.median(times_ms):.2f} ms, "
              f"95 % under {slow:.2f} ms, of {len(times_ms)}")  # fmt: skip
        whole = (game / JOURNAL_NAME).read_bytes()
        for number in range(GAMES - 1):
            other = games / f"2026-11-30-{number:06}-copy"
            other.mkdir()
            (other / JOURNAL_NAME).write_bytes(whole)
        print(f"{GAMES} games of {len(events)} lines, {GAMES * len(whole) / 1e6:.0f} MB:")
        print(f"  list: {seconds(lambda: list_games(games)):.2f} s")
        print(f"  search: {seconds(lambda: search(games)):.2f} s")
        print(f"  one proved: {seconds(lambda: verify(game)):.2f} s")
        shutil.rmtree(games / game.name)


def played_game(rng: Random) -> tuple[Event, ...]:
    """Return the events of a game of random moves, to its end."""
    header = Header((Seat.D4, Seat.D3, Seat.D2, Seat.D1))
    position, actions = header.start, []
    while position.winner is None:
        die = rng.randint(1, 6)
        moves = legal_moves(position, die, header.rules)
        move = rng.choice(moves) if moves else None
        actions.append(Action(die, move))
        position = play(position, die, move, header.rules).after
    return record_events(GameRecord(header, tuple(actions), position.winner))


def written(games: Path, events: tuple[Event, ...]) -> tuple[list[float], Path]:
    """Log *events* and return how many ms each took, and the game's folder."""
    first, *rest = events
    assert isinstance(first, GameStarted)
    times_ms = []
    with Journal.create(games, first, AT) as journal:
        for number, event in enumerate(rest, 1):
            begin = time.perf_counter()
            journal.append(event, AT + timedelta(seconds=number))
            times_ms.append(1000 * (time.perf_counter() - begin))
        return times_ms, journal.folder


def bare_syncs(path: Path, times: int) -> list[float]:
    """Return how many ms each of so many appended lines takes without any log."""
    times_ms = []
    with path.open("ab", buffering=0) as file:
        for _ in range(times):
            begin = time.perf_counter()
            file.write(bytes(250))
            os.fdatasync(file.fileno())
            times_ms.append(1000 * (time.perf_counter() - begin))
    path.unlink()
    return times_ms


def search(games: Path) -> int:
    """Return in how many games one player took part who is called so in none."""
    return sum(fits(game, "Anna", "red") for game in list_games(games))


def seconds(do: Callable[[], object]) -> float:
    """Return how long *do* takes, the files being in memory already."""
    do()
    begin = time.perf_counter()
    do()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
