"""The logged games: finding them, naming them, and saying in short what became of each."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, Final

from companion.errors import InputError
from companion.log.game_folder import JOURNAL_NAME, RECORD_NAME, game_folders
from companion.log.lines import Line, line_json, parse_line
from referee.events import Corrected, GameAbandoned, GameStarted, GameWon, PlayerRenamed
from tabletop import Seat

_ENDINGS: Final = (b'"game_won"', b'"game_abandoned"', b'"corrected"')
_RENAMED: Final = b'"player_renamed"'
_NUMBERED: Final = re.compile(r"player \S{1,2}")
_TAIL: Final = 4096
_PLAYED_LAST: Final = ".played-last"


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
        started: its first event, the names being the players' last; None where it cannot be read.
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
    try:
        folders = game_folders(games_dir)
    except OSError as error:
        raise InputError(f"{games_dir} cannot be read: {error.strerror}") from error
    return tuple(summary(folder) for folder in folders)


def note_played(folder: Path) -> None:
    """Note beside the games which of them is played now: a clock that jumps does not tell."""
    with suppress(OSError):
        (folder.parent / _PLAYED_LAST).write_text(f"{folder.name}\n", encoding="utf-8")


def newest_unfinished(games_dir: Path) -> LoggedGame | None:
    """Return the game, of those that nobody won or abandoned, that was played or begun last."""
    try:
        played = (games_dir / _PLAYED_LAST).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        played = ""
    unfinished = (game for game in list_games(games_dir) if game.state is State.UNFINISHED)
    return max(
        unfinished, key=lambda game: (game.id == played, game.started_at, game.id), default=None
    )


def summary(folder: Path) -> LoggedGame:
    """Return in short what the log in *folder* tells; only the lines that matter are read."""
    try:
        data = (folder / JOURNAL_NAME).read_bytes()
        first = parse_line(data[: data.find(b"\n") + 1 or None].decode("utf-8-sig"))
    except (OSError, ValueError):
        return LoggedGame(folder, State.BROKEN, None, None, None, 0)
    events = data.count(b"\n")
    if not isinstance(first.event, GameStarted):
        return LoggedGame(folder, State.BROKEN, None, first.at, None, events)
    state, winner = _ending(data)
    started = replace(first.event, names=_names(first.event, data))
    return LoggedGame(folder, state, started, first.at, winner, events)


def fits(game: LoggedGame, player: str | None, words: str | None) -> bool:
    """Tell whether *player* took part in *game*, and all *words* are found in what is known of it.

    Capitals do not matter; a player must be named in full, words may be parts.
    """
    names = [name.casefold() for _, name in game.started.names] if game.started else []
    if player is not None and player.strip().casefold() not in names:
        return False
    if not words:
        return True
    told = json.dumps(game_json(game), ensure_ascii=False).casefold()
    return all(word in told for word in words.casefold().split())


def find_same(games_dir: Path, started: GameStarted, at: datetime) -> str | None:
    """Return the id of a game in *games_dir* that began then and so; None where there is none."""
    for game in list_games(games_dir):
        same = game.started is not None and game.started.seats == started.seats
        if same and game.started_at == at:
            return game.id
    return None


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
            return _called(path)
        if (path / RECORD_NAME).is_file():
            return RecordFile(path / RECORD_NAME)
        raise InputError(f"{name} is no game's folder: there is no {JOURNAL_NAME} in it")
    if path.is_file():
        return _called(path.parent) if path.name == JOURNAL_NAME else RecordFile(path)
    there = game_folders(games_dir) if games_dir.is_dir() else []
    found = [one for one in there if one.name.startswith(name)]
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


def was_called(game: LoggedGame, player: str) -> bool:
    """Tell whether *player* is a name that anybody in *game* has, or had until he was renamed.

    Capitals do not matter. The numbers that players have until they are named name nobody.
    """
    if fits(game, player, None):
        return True
    wanted = player.strip().casefold()
    if game.started is None or _NUMBERED.fullmatch(wanted):
        return False
    with suppress(OSError, ValueError):
        data = (game.folder / JOURNAL_NAME).read_bytes()
        first = parse_line(_line_at(data, 0)).event
        given = [name for _, name in first.names] if isinstance(first, GameStarted) else []
        given += [event.name for event in _renamings(data)]
        return wanted in (name.casefold() for name in given)
    return False


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


def _called(folder: Path) -> Path:
    """Return *folder* by a path that ends with its name: the game's id, not a dot or two."""
    return folder.resolve() if folder.name in ("", "..") else folder


def _names(started: GameStarted, data: bytes) -> tuple[tuple[Seat, str], ...]:
    """Return how the players are called at the end of the log."""
    names = dict(started.names)
    names |= {event.seat: event.name for event in _renamings(data)}
    return tuple(names.items())


def _renamings(data: bytes) -> Iterator[PlayerRenamed]:
    at = data.find(_RENAMED)
    while at >= 0:
        with suppress(ValueError):
            event = parse_line(_line_at(data, at)).event
            if isinstance(event, PlayerRenamed):
                yield event
        at = data.find(_RENAMED, at + 1)


def _ending(data: bytes) -> tuple[State, Seat | None]:
    """Return how the last line that ends a game or takes that back leaves it."""
    # Most games end with their last lines, and what is found there is the last there is.
    tail = max(len(data) - _TAIL, 0)
    at = max(data.rfind(ending, tail) for ending in _ENDINGS)
    if at < 0:
        at = max(data.rfind(ending) for ending in _ENDINGS)
    while at >= 0:
        with suppress(ValueError):
            match parse_line(_line_at(data, at)).event:
                case GameWon(seat=seat):
                    return State.WON, seat
                case GameAbandoned():
                    return State.ABANDONED, None
                case Corrected():
                    return State.UNFINISHED, None
                case _:
                    pass
        at = max(data.rfind(ending, 0, at) for ending in _ENDINGS)
    return State.UNFINISHED, None


def _line_at(data: bytes, at: int) -> str:
    """Return the line of a log's *data* that holds the byte *at*."""
    start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
    return data[start : end if end >= 0 else None].decode("utf-8-sig")
