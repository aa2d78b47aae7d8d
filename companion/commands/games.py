"""The commands for the logged games: list, show, verify, export, stats."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from companion.commands.arguments import games_dir, games_option, json_option
from companion.errors import CompanionError, ExitStatus, InputError
from companion.export import csv_text, jsonl_text
from companion.games import LoggedGame, RecordFile, find_game, game_json, list_games, summary
from companion.journal import JOURNAL_NAME, Line, read_journal
from companion.statistics import PlayerStatistics, statistics, statistics_json
from companion.verify import NO_TEXT, verification_json, verify
from companion.why import load_why, why_text
from referee.game_record import GameRecord
from referee.match import Match, replay
from referee.record import parse_record, record_text
from tabletop import seats_text

_WIDE = 1000
game_argument = click.argument("game", metavar="GAME")


@click.group()
def games() -> None:
    """Look after the logged games.

    A GAME is named by its id, by enough of its beginning, by its folder, or by the path of a
    record's text.
    """


@games.command("list")
@games_option
@json_option
def list_command(games: Path | None, as_json: bool) -> int:
    """Name the logged games, oldest first."""
    where = games_dir(games)
    found = list_games(where)
    if as_json:
        _echo_json(game_json(game) for game in found)
    elif found:
        _table(("game", "started", "players", "state"), [_list_row(game) for game in found])
    else:
        click.echo(f"there is no game in {where} yet: `pachisi demo` plays one")
    return ExitStatus.DONE


@games.command()
@game_argument
@click.option("--why", metavar="N", type=click.IntRange(min=1), help="Why event N was ruled so.")
@games_option
@json_option
def show(game: str, why: int | None, games: Path | None, as_json: bool) -> int:
    """Show a game: how it stands, and its record."""
    found = find_game(game, games_dir(games))
    if why is not None:
        return _show_why(found, why, as_json)
    if isinstance(found, RecordFile):
        record = _read_record(found.path)
        told: dict[str, Any] = {"record": record_text(record)}
    else:
        lines, torn = _lines(found)
        match = _replay(found, lines)
        text = record_text(match.record(date=f"{lines[0].at.astimezone():%Y.%m.%d}"))
        told = game_json(summary(found)) | _state_json(match) | {"torn": torn, "record": text}
    if as_json:
        _echo_json([told])
        return ExitStatus.DONE
    if told.get("torn"):
        click.echo(f"{found}: {told['torn']}", err=True)
    if "id" in told:
        click.echo(f"{told['id']}: {told['state']}, {told['bank']} {told['unit']} in the bank\n")
    click.echo(told["record"], nl=False)
    return ExitStatus.DONE


@games.command("verify")
@click.argument("games_named", metavar="GAME...", nargs=-1, required=True)
@games_option
@json_option
def verify_command(games_named: tuple[str, ...], games: Path | None, as_json: bool) -> int:
    """Prove games by the rules.

    Each event is played again, and the record is compared with what the events lead to. Ends with
    1 where a game is not right, and names the line.
    """
    status = ExitStatus.DONE
    for name in games_named:
        try:
            result = verify(find_game(name, games_dir(games)))
        except CompanionError as error:
            click.echo(str(error), err=True)
            status = ExitStatus.UNREADABLE
            continue
        if as_json:
            _echo_json([verification_json(name, result)])
        for note in result.notes:
            click.echo(f"{name}: {note}", err=True)
        for fault in result.faults:
            click.echo(str(fault), err=True)
            status = ExitStatus.UNREADABLE
        if result.right and not as_json:
            what = f"{result.events} events" if result.match else "a record"
            click.echo(f"{name}: right ({what})")
    return status


@games.command()
@game_argument
@click.option("--format", "form", type=click.Choice(["record", "jsonl", "csv"]), required=True,
              help="The record's text, the events as JSON lines, or the events as a table."
              )  # fmt: skip
@games_option
def export(game: str, form: str, games: Path | None) -> int:
    """Write a game to standard output."""
    found = find_game(game, games_dir(games))
    if isinstance(found, RecordFile):
        if form != "record":
            raise InputError(f"{found.path} is a record and has no events: only --format record")
        click.echo(record_text(_read_record(found.path)), nl=False)
        return ExitStatus.DONE
    lines, torn = _lines(found)
    if torn:
        click.echo(f"{found}: {torn}", err=True)
    if form == "record":
        date = f"{lines[0].at.astimezone():%Y.%m.%d}"
        text = record_text(_replay(found, lines).record(date=date))
    else:
        text = jsonl_text(lines) if form == "jsonl" else csv_text(lines)
    click.echo(text, nl=False)
    return ExitStatus.DONE


@games.command()
@click.argument("games_named", metavar="[GAME...]", nargs=-1)
@games_option
@json_option
def stats(games_named: tuple[str, ...], games: Path | None, as_json: bool) -> int:
    """Count what happened, by player.

    Throws, knock-outs, fines and wins over the games named, or over all.
    """
    where = games_dir(games)
    names = games_named or [str(game.folder) for game in list_games(where)]
    status, logs = ExitStatus.DONE, []
    for name in names:
        try:
            folder = find_game(name, where)
            if isinstance(folder, RecordFile):
                raise InputError(f"{folder.path} is a record: only logged games are counted")
            logs.append(_lines(folder)[0])
        except CompanionError as error:
            click.echo(str(error), err=True)
            status = ExitStatus.UNREADABLE
    players = statistics(logs)
    if as_json:
        everything = [statistics_json(player) for player in players]
        _echo_json([{"games": len(logs), "players": everything}])
    else:
        head = ("player", "games", "won", "1", "2", "3", "4", "5", "6", "dealt", "suffered",
                "fines", "passes", "illegal", "balance")  # fmt: skip
        _table(head, [_stats_row(player) for player in players])
    return status


def _show_why(game: Path | RecordFile, number: int, as_json: bool) -> int:
    """Show the tales weighed for an event, the squares that decided, and where the pictures are."""
    if isinstance(game, RecordFile):
        raise InputError(f"{game.path} is a record: why it was ruled so is kept beside a log")
    told = load_why(game, number)
    if as_json:
        _echo_json([told])
    else:
        click.echo(why_text(game, told))
    return ExitStatus.DONE


def _lines(folder: Path) -> tuple[tuple[Line, ...], str | None]:
    """Return the lines of the log in *folder*, at least one, and what was torn off."""
    lines, torn = read_journal(folder / JOURNAL_NAME)
    if not lines:
        raise InputError(f"{folder / JOURNAL_NAME}: there is no whole line in it")
    return lines, torn


def _replay(folder: Path, lines: tuple[Line, ...]) -> Match:
    try:
        return replay(line.event for line in lines)
    except ValueError as error:
        raise InputError(f"{folder / JOURNAL_NAME}: {error}") from error


def _read_record(path: Path) -> GameRecord:
    try:
        return parse_record(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no record: {NO_TEXT}") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error


def _state_json(match: Match) -> dict[str, Any]:
    return {
        "phase": match.phase.value,
        "to_move": match.to_move.value,
        "bank": match.bank.total,
        "paid": {seat.value: amount for seat, amount in match.bank.paid},
        "throws": len(match.throws),
    }


def _list_row(game: LoggedGame) -> tuple[str, ...]:
    if game.started is None or game.started_at is None:
        return (game.id, "?", "?", game.state)
    when = f"{game.started_at.astimezone():%d %b %Y %H:%M}"
    state = f"won by {game.winner}" if game.winner else game.state
    return (game.id, when, seats_text(game.started.seats), state)


def _stats_row(player: PlayerStatistics) -> tuple[str, ...]:
    sums = (
        player.games, player.wins, *(player.throws[value] for value in range(1, 7)),
        player.dealt, player.suffered, player.fines, player.passes, player.illegal, player.balance,
    )  # fmt: skip
    return (player.name, *(str(number) for number in sums))


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for number, name in enumerate(head):
        table.add_column(name, no_wrap=number == 0)
    for row in rows:
        table.add_row(*row)
    console = Console()
    if not console.is_terminal:
        console.width = _WIDE  # a file or a pipe has no edge to cut columns off at
    console.print(table)


def _echo_json(objects: Iterable[dict[str, Any]]) -> None:
    for one in objects:
        click.echo(json.dumps(one, ensure_ascii=False))
