"""The commands by which games come and go: export, import, bundle."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from companion.commands.arguments import EXISTING_OR_NEW, games_dir, games_option
from companion.commands.game_arguments import (
    game_argument,
    language_of,
    language_option,
    logged_lines,
    read_record,
    replayed,
)
from companion.errors import ArgumentError, CompanionError, ExitStatus, InputError
from companion.log.export import csv_text, jsonl_text
from companion.log.games import RecordFile, find_game
from companion.log.importing import import_game
from companion.log.journal import record_date
from companion.log.lines import Line
from referee.record import record_text

_EVENTS: Final[dict[str, Callable[[tuple[Line, ...]], str]]] = {
    "jsonl": jsonl_text,
    "csv": csv_text,
}


@click.command()
@game_argument
@click.option("--format", "form", type=click.Choice(["record", "jsonl", "csv", "html", "film"]),
              required=True, help="The record's text, the events as JSON lines or as a table, one "
              "page to step through, or a film of the board.")  # fmt: skip
@click.option("--out", type=EXISTING_OR_NEW, metavar="FILE",
              help="Where to write it; a film's name ends with .mp4, .avi or .webm.")  # fmt: skip
@language_option
@games_option
def export(game: str, form: str, out: Path | None, language: str | None, games: Path | None) -> int:
    """Write a game to standard output, or to a file."""
    found = find_game(game, games_dir(games))
    if form == "film":
        return _export_film(found, out)
    if form == "html":
        text = _page(found, language_of(language))
    elif form == "record":
        text = _record_text(found)
    else:
        text = _EVENTS[form](logged_lines(found, "events")[1])
    if out is None:
        click.echo(text.encode(), nl=False)  # in UTF-8, whatever the terminal speaks
    else:
        _write(out, text.encode())
    return ExitStatus.DONE


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=EXISTING_OR_NEW)
@games_option
def import_command(files: tuple[Path, ...], games: Path | None) -> int:
    """Take games from elsewhere among the logged ones.

    A FILE is a record, a log or its JSON lines, a table, or a bundle. Every move is checked; of a
    game in which a line is wrong nothing is taken.
    """
    where, status = games_dir(games), ExitStatus.DONE
    for path in files:
        try:
            folder = import_game(path, where, datetime.now(UTC))
        except CompanionError as error:
            click.echo(str(error), err=True)
            status = ExitStatus.UNREADABLE
            continue
        click.echo(folder.name)
    return status


@click.command()
@game_argument
@click.option("--out", type=EXISTING_OR_NEW, metavar="FILE",
              help="Where to write it; without it here, named by the game.")  # fmt: skip
@click.option("--whole-picture", is_flag=True,
              help="Keep what is seen beside board and throwing zone, too.")  # fmt: skip
@games_option
def bundle(game: str, out: Path | None, whole_picture: bool, games: Path | None) -> int:
    """Put all of a game into one file, to report a fault.

    Log, pictures, the last frames, table profile, what `pachisi doctor` finds, and versions.
    What is seen beside the board and the throwing zone is blackened. The players' names are in it.
    """
    from companion.log.bundle import write_bundle  # it brings OpenCV with it

    found = find_game(game, games_dir(games))
    if isinstance(found, RecordFile):
        raise InputError(f"{found.path} is a record: only of a logged game is more known")
    path = out or Path(f"{found.name}.zip")
    _write(path, write_bundle(found, whole_picture=whole_picture))
    click.echo(str(path))
    return ExitStatus.DONE


def _record_text(found: Path | RecordFile) -> str:
    if isinstance(found, RecordFile):
        return record_text(read_record(found.path))
    folder, lines = logged_lines(found, "events")
    return record_text(replayed(folder, lines).record(date=record_date(lines[0])))


def _page(found: Path | RecordFile, language: str) -> str:
    from companion.log.moments import moments
    from companion.log.page import page_html, page_title  # it brings OpenCV with it
    from companion.phrases import Phrases

    folder, lines = logged_lines(found, "moments")
    there = moments(folder, lines)
    return page_html(folder, there, Phrases(language), page_title(lines[0]))


def _export_film(found: Path | RecordFile, out: Path | None) -> int:
    from companion.log.film import write_film  # it brings OpenCV with it
    from companion.log.moments import moments

    if out is None:
        raise ArgumentError("a film is no text: say where to write it, --out game.mp4")
    folder, lines = logged_lines(found, "pictures")
    scenes = write_film(folder, moments(folder, lines), out)
    click.echo(f"{out}: {scenes} scenes")
    return ExitStatus.DONE


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
