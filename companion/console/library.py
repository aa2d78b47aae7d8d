"""The logged games for the page: listed, told step by step, their pictures and exports.

Nothing a visitor sends is ever made into a path: ids and names are looked up in what is there.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from companion.console.state import Json, Tongues, board_json
from companion.errors import CompanionError, InputError
from companion.log.export import csv_text, jsonl_text
from companion.log.game_folder import JOURNAL_NAME, PICTURES_NAME
from companion.log.games import LoggedGame, State, game_json, list_games
from companion.log.journal import record_date
from companion.log.lines import Line
from companion.log.reader import read_journal
from companion.log.statistics import statistics, statistics_json
from referee.events import (
    CheckerCameHome,
    CheckerKnockedOut,
    ExtraThrow,
    FinePaid,
    FirstPlayer,
    GameWon,
    PassReason,
    ThrowPassed,
)
from referee.match import Match, replay
from referee.record import record_text

_FOLLOWS: Final = (CheckerKnockedOut, FinePaid, CheckerCameHome, ExtraThrow, FirstPlayer, GameWon)
"""What belongs to the event before it and makes no step of its own."""
_PICTURED_LATER: Final = 6
"""A picture's number is that of the last event ruled on its scene; a step may be a little older."""

EXPORTS: Final = {
    "record": ("text/plain", "txt"),
    "jsonl": ("application/jsonl", "jsonl"),
    "csv": ("text/csv", "csv"),
}
"""What a game may be had as: each form's media type and the end of a file's name."""


class Library:
    """The folder of games, as the page sees it."""

    def __init__(self, games_dir: Path, *, by_place: bool = False) -> None:
        self._games_dir: Final = games_dir
        self._by_place: Final = by_place
        self._tongues: Tongues | None = None

    def games(self) -> Json:
        """Return all games in short, the newest first."""
        listed = [game_json(game) for game in self._listed()]
        for game in listed:
            del game["folder"]
        return listed[::-1]

    def game(self, name: str) -> Json | None:
        """Return a game step by step; None where there is none of that id."""
        found = self._find(name)
        if found is None or found.state is State.BROKEN:
            return None
        lines, _ = read_journal(found.folder / JOURNAL_NAME)
        if self._tongues is None:
            self._tongues = Tongues(by_place=self._by_place)
        steps = list(self._steps(lines, _boards(found.folder)))
        short = game_json(found)
        del short["folder"]
        return {**short, "steps": steps}

    def picture(self, name: str, picture: str) -> bytes | None:
        """Return a picture of a game; None where there is none of that name."""
        found = self._find(name)
        if found is None:
            return None
        there = {path.name: path for path in _pictures(found.folder)}
        return there[picture].read_bytes() if picture in there else None

    def export(self, name: str, form: str) -> str | None:
        """Return a game in one of the `EXPORTS`; None where there is no such game or form."""
        found = self._find(name)
        if found is None or found.state is State.BROKEN or form not in EXPORTS:
            return None
        lines, _ = read_journal(found.folder / JOURNAL_NAME)
        match form:
            case "jsonl":
                return jsonl_text(lines)
            case "csv":
                return csv_text(lines)
            case _:
                match = replay(line.event for line in lines)
                return record_text(match.record(date=record_date(lines[0])))

    def statistics(self) -> Json:
        """Return the sums of every player over all games that can be read."""
        return [statistics_json(player) for player in statistics(self._readable())]

    def _readable(self) -> Iterator[tuple[Line, ...]]:
        for game in self._listed():
            if game.state is not State.BROKEN:
                try:
                    yield read_journal(game.folder / JOURNAL_NAME)[0]
                except CompanionError:
                    continue

    def _listed(self) -> Sequence[LoggedGame]:
        try:
            return list_games(self._games_dir)
        except InputError:
            return ()

    def _find(self, name: str) -> LoggedGame | None:
        return next((game for game in self._listed() if game.id == name), None)

    def _steps(self, lines: Sequence[Line], pictured: Sequence[str]) -> Iterator[Json]:
        assert self._tongues is not None
        before: Match | None = None
        for group in _grouped(lines):
            after = before
            for line in group:
                after = replay([line.event]) if after is None else after.after(line.event)
            assert after is not None
            events = [line.event for line in group]
            last = group[-1]
            picture = next((name for name in pictured if int(name[:5]) >= last.sequence), None)
            near = picture is not None and int(picture[:5]) - last.sequence <= _PICTURED_LATER
            yield {
                "sequence": last.sequence,
                "at": last.at.isoformat(timespec="seconds"),
                "kind": group[0].event.kind,
                "said": self._tongues.rulings(events, before, after),
                "board": board_json(after),
                "to_move": after.to_move.value,
                "die": after.die,
                "picture": picture if near else None,
            }
            before = after


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield an event with all that follows from it, one group after another."""
    group: list[Line] = []
    for line in lines:
        event: Any = line.event
        follows = isinstance(event, _FOLLOWS) or (
            isinstance(event, ThrowPassed) and event.reason is PassReason.NO_MOVE
        )
        if group and not follows:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _pictures(folder: Path) -> Sequence[Path]:
    place = folder / PICTURES_NAME
    return sorted(place.iterdir()) if place.is_dir() else ()


def _boards(folder: Path) -> Sequence[str]:
    """Return the names of the pictures of the board, oldest first."""
    names = (path.name for path in _pictures(folder))
    return sorted(name for name in names if name[:5].isdecimal() and name[5:] == "-board.jpg")
