"""The logged games for the page: listed, told step by step, their pictures and exports.

Nothing a visitor sends is ever made into a path: ids and names are looked up in what is there.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.console.state import Json, Tongues, board_json
from companion.errors import CompanionError, InputError
from companion.log.export import csv_text, jsonl_text
from companion.log.game_folder import JOURNAL_NAME, PICTURES_NAME
from companion.log.games import LoggedGame, State, game_json, list_games
from companion.log.journal import record_date
from companion.log.lines import Line
from companion.log.moments import Moment, moments
from companion.log.page import page_html, page_title
from companion.log.pictured import KeptPictures
from companion.log.reader import read_journal
from companion.log.statistics import statistics, statistics_json
from companion.phrases import LANGUAGES, Phrases
from referee.record import record_text
from tabletop import square_name

EXPORTS: Final = {
    "record": ("text/plain", "txt"),
    "jsonl": ("application/jsonl", "jsonl"),
    "csv": ("text/csv", "csv"),
    "html": ("text/html", "html"),
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
        there = _moments(found)
        if found is None or not there:
            return None
        if self._tongues is None:
            self._tongues = Tongues(by_place=self._by_place)
        kept = KeptPictures(found.folder)
        short = game_json(found)
        del short["folder"]
        return {**short, "steps": [self._step(one, kept) for one in there]}

    def picture(self, name: str, picture: str) -> bytes | None:
        """Return a picture of a game; None where there is none of that name."""
        found = self._find(name)
        if found is None:
            return None
        there = {path.name: path for path in _pictures(found.folder)}
        return there[picture].read_bytes() if picture in there else None

    def export(self, name: str, form: str, language: str) -> str | None:
        """Return a game in one of the `EXPORTS`; None where there is no such game or form.

        *language* is what people were told in, where that is in it.
        """
        found = self._find(name)
        there = _moments(found)
        if found is None or not there or language not in LANGUAGES:
            return None
        lines = tuple(line for moment in there for line in moment.lines)
        match form:
            case "jsonl":
                return jsonl_text(lines)
            case "csv":
                return csv_text(lines)
            case "html":
                phrases = Phrases(language, by_place=self._by_place)
                return page_html(found.folder, there, phrases, page_title(lines[0]))
            case "record":
                return record_text(there[-1].after.record(date=record_date(lines[0])))
            case _:
                return None

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

    def _step(self, moment: Moment, kept: KeptPictures) -> Json:
        assert self._tongues is not None
        after, wrong = moment.after, moment.after.wrong
        events = [line.event for line in moment.lines]
        return {
            "sequence": moment.number,
            "at": moment.lines[-1].at.isoformat(timespec="seconds"),
            "said": self._tongues.rulings(events, moment.before, after),
            "board": board_json(after),
            "to_move": after.to_move.value,
            "die": moment.die,
            "bank": self._tongues.amount(after, after.bank.total),
            "paid": {seat.value: amount for seat, amount in after.bank.paid},
            "wrong": [square_name(one.square) for one in wrong.differs] if wrong else [],
            "knock_out": moment.knock_out,
            "refused": moment.refused,
            "pictures": [path.name for path in kept.of(moment.first, moment.number)],
        }


def _moments(found: LoggedGame | None) -> tuple[Moment, ...]:
    """Return the moments of a game; none where there is no such game, or it cannot be read."""
    if found is None or found.state is State.BROKEN:
        return ()
    with suppress(CompanionError):
        return moments(found.folder, read_journal(found.folder / JOURNAL_NAME)[0])
    return ()


def _pictures(folder: Path) -> Sequence[Path]:
    place = folder / PICTURES_NAME
    there = place.iterdir() if place.is_dir() else ()
    return sorted(path for path in there if not path.is_symlink())
