"""The logged games: finding them, naming them, and saying in short what became of each."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, Final

from companion.errors import InputError
from companion.journal import JOURNAL_NAME, RECORD_NAME, Line, line_json, parse_line
from referee.events import Corrected, GameAbandoned, GameStarted, GameWon
from tabletop import Seat

_ENDINGS: Final = (b'"game_won"', b'"game_abandoned"', b'"corrected"')


class State(StrEnum):
    """What became of a game."""

    UNFINISHED = "unfinished"
    WON = "won"
    ABANDONED = "abandoned"
    BROKEN = "broken"
    """Its log cannot be read from the start; `pachisi games verify` says why."""


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A logged game in short.

    Attributes:
        folder: where it is.
        state: what became of it.
        started: its first event; None where that cannot be read.
        started_at: when it was; None likewise.
        winner: who won, if anybody.
        events: how many lines its log has.
    """

    folder: Path
    state: State
    started: GameStarted | None
    started_at: datetime | None
    winner: Seat | None
    events: int

    @property
    def id(self) -> str:
        """What the game is called: its folder's name."""
        return self.folder.name


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A game of which only the record's text is given."""

    path: Path


def list_games(games_dir: Path) -> tuple[LoggedGame, ...]:
    """Return the games in the folder *games_dir*, oldest first; none where there is no folder.

    Raises:
        InputError: *games_dir* is no folder, or cannot be read.
    """
    if not games_dir.exists():
        return ()
    try:
        folders = sorted(path for path in games_dir.iterdir() if (path / JOURNAL_NAME).is_file())
    except OSError as error:
        raise InputError(f"{games_dir} cannot be read: {error.strerror}") from error
    return tuple(summary(folder) for folder in folders)


def newest_unfinished(games_dir: Path) -> LoggedGame | None:
    """Return the game that was begun last of those that nobody won or abandoned."""
    unfinished = (game for game in list_games(games_dir) if game.state is State.UNFINISHED)
    return max(unfinished, key=lambda game: (game.started_at, game.id), default=None)


def summary(folder: Path) -> LoggedGame:
    """Return in short what the log in *folder* tells; only the lines that matter are read."""
    try:
        lines = (folder / JOURNAL_NAME).read_bytes().splitlines()
        first = parse_line(lines[0].decode())
    except (OSError, ValueError, IndexError):
        return LoggedGame(folder, State.BROKEN, None, None, None, 0)
    if not isinstance(first.event, GameStarted):
        return LoggedGame(folder, State.BROKEN, None, first.at, None, len(lines))
    state, winner = _ending(lines)
    return LoggedGame(folder, state, first.event, first.at, winner, len(lines))


def find_game(name: str, games_dir: Path) -> Path | RecordFile:
    """Return the folder of the game called *name*, or the record's text that it is the path of.

    A game may be named by its id, by enough of the beginning of it to be the only one, by its
    folder, by a file in it, or by the path of a record's text anywhere.

    Raises:
        InputError: there is no such game, or there are several.
    """
    path = Path(name)
    if not name:
        raise InputError("the empty text names no game: `pachisi games list` names them all")
    if path.is_dir():
        if (path / JOURNAL_NAME).is_file():
            return path
        if (path / RECORD_NAME).is_file():
            return RecordFile(path / RECORD_NAME)
        raise InputError(f"{name} is no game's folder: there is no {JOURNAL_NAME} in it")
    if path.is_file():
        return path.parent if path.name == JOURNAL_NAME else RecordFile(path)
    found = [one for one in _folders(games_dir) if one.name.startswith(name)]
    exact = [one for one in found if one.name == name]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        ids = ", ".join(one.name for one in islice(found, 4))
        raise InputError(f"{name!r} may be any of {len(found)} games ({ids}, ...): say more of it")
    raise InputError(
        f"there is no game {name!r} in {games_dir}, and no file or folder of that name: "
        "`pachisi games list` names them all"
    )


def game_json(game: LoggedGame) -> dict[str, Any]:
    """Return a game in short as JSON values."""
    started = game.started
    out: dict[str, Any] = {
        "id": game.id,
        "folder": str(game.folder),
        "state": game.state.value,
        "events": game.events,
        "winner": game.winner.value if game.winner else None,
    }
    if started and game.started_at:
        first = line_json(Line(1, game.started_at, started))
        out |= {"started_at": first["at"], **first["event"]}
    return out


def _folders(games_dir: Path) -> list[Path]:
    if not games_dir.is_dir():
        return []
    return sorted(path for path in games_dir.iterdir() if (path / JOURNAL_NAME).is_file())


def _ending(lines: list[bytes]) -> tuple[State, Seat | None]:
    """Return how the last line that ends a game or takes that back leaves it."""
    for raw in reversed(lines):
        if not any(ending in raw for ending in _ENDINGS):
            continue
        try:
            event = parse_line(raw.decode()).event
        except ValueError:
            continue
        match event:
            case GameWon():
                return State.WON, event.seat
            case GameAbandoned():
                return State.ABANDONED, None
            case Corrected():
                return State.UNFINISHED, None
            case _:
                continue
    return State.UNFINISHED, None
