"""What the commands about logged games share: naming one, reading it, printing tables."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.errors import InputError
from companion.log.game_folder import JOURNAL_NAME
from companion.log.games import RecordFile
from companion.log.lines import Line, check_printable
from companion.log.reader import read_journal
from companion.log.verify import NO_TEXT
from companion.settings import load_settings, settings_path
from referee.game_record import GameRecord
from referee.match import Match, replay
from referee.record import parse_record

_WIDE: Final = 1000

game_argument: Final = click.argument("game", metavar="GAME")
language_option: Final = click.option(
    "--language", type=click.Choice(["en", "ru"]), help="Of tables, and of what people were told."
)


def language_of(given: str | None) -> str:
    """Return the language given, else the settings'.

    Raises:
        ArgumentError: the settings file is wrong.
    """
    return given or load_settings(settings_path()).language


def whole_lines(folder: Path) -> tuple[tuple[Line, ...], str | None]:
    """Return the lines of the log in *folder*, at least one, and what was torn off.

    Raises:
        InputError: there is no whole line.
        JournalError: it cannot be read, or a line is wrong.
    """
    lines, torn = read_journal(folder / JOURNAL_NAME)
    if not lines:
        raise InputError(f"{folder / JOURNAL_NAME}: there is no whole line in it")
    return lines, torn


def logged_lines(game: Path | RecordFile, what: str) -> tuple[Path, tuple[Line, ...]]:
    """Return the folder and the lines of a logged game, and tell of a torn end.

    Raises:
        InputError: *game* is a record alone, which has no *what*.
    """
    if isinstance(game, RecordFile):
        raise InputError(f"{game.path} is a record and has no {what}: only --format record")
    lines, torn = whole_lines(game)
    if torn:
        click.echo(f"{game}: {torn}", err=True)
    return game, lines


def replayed(folder: Path, lines: tuple[Line, ...]) -> Match:
    """Return the state that *lines* lead to.

    Raises:
        InputError: a line cannot follow those before it.
    """
    try:
        return replay(line.event for line in lines)
    except ValueError as error:
        raise InputError(f"{folder / JOURNAL_NAME}: {error}") from error


def read_record(path: Path) -> GameRecord:
    """Return the record at *path*.

    Raises:
        InputError: it cannot be read, or is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
        check_printable(text)
        return parse_record(text)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no record: {NO_TEXT}") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error


def print_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print a table without lines; where there is no terminal, with all its columns."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for number, name in enumerate(head):
        table.add_column(name, no_wrap=number == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # a name in brackets is no markup
    console = Console()
    if not console.is_terminal:
        console.width = _WIDE  # a file or a pipe has no edge to cut columns off at
    console.print(table)


def echo_json(objects: Iterable[dict[str, Any]]) -> None:
    """Print each object as a line of JSON."""
    for one in objects:
        click.echo(json.dumps(one, ensure_ascii=False))
