"""The commands that look at logged games: list, show, verify."""

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from companion.commands.arguments import games_dir, games_option, json_option
from companion.commands.game_arguments import (
    echo_json,
    game_argument,
    language_of,
    language_option,
    print_table,
    read_record,
    replayed,
    whole_lines,
)
from companion.errors import CompanionError, ExitStatus, InputError
from companion.log.games import (
    LoggedGame,
    RecordFile,
    find_game,
    fits,
    game_json,
    list_games,
    summary,
)
from companion.log.importing import record_lines
from companion.log.journal import record_date
from companion.log.moments import Moment, moment_at, moments, told
from companion.log.pictured import KeptPictures
from companion.log.stepping import moment_view, step_through
from companion.log.verify import verification_json, verify
from companion.log.why import load_why, why_text
from companion.phrases import Phrases
from companion.phrases.written import Written
from referee.match import Match
from referee.position import position_text
from referee.record import record_text
from tabletop import seats_text


@click.command("list")
@click.option("--player", metavar="NAME", help="Only games that this player took part in.")
@click.option("--search", metavar="WORDS", help="Only games in whose row, names or rules they are.")
@language_option
@games_option
@json_option
def list_command(
    player: str | None,
    search: str | None,
    language: str | None,
    games: Path | None,
    as_json: bool,
) -> int:
    """Name the logged games, oldest first."""
    where, words = games_dir(games), Written(language_of(language))
    there = list_games(where)
    found = [game for game in there if fits(game, player, search)]
    if as_json:
        echo_json(game_json(game) for game in found)
    elif found:
        head = tuple(words(name) for name in ("game", "started", "players", "state"))
        print_table(head, [_list_row(game, words) for game in found])
    else:
        click.echo(words("no-game-fits") if there else words("no-games", where=str(where)))
    return ExitStatus.DONE


@click.command()
@game_argument
@click.option("--step", is_flag=True, help="Step through the game, moment by moment.")
@click.option("--at", metavar="N", type=click.IntRange(min=1), help="The moment of event N.")
@click.option("--knock-outs", is_flag=True, help="Only the moments of knock-outs.")
@click.option("--refused", is_flag=True, help="Only the moments of refused moves.")
@click.option("--why", metavar="N", type=click.IntRange(min=1), help="Why event N was ruled so.")
@language_option
@games_option
@json_option
def show(
    game: str,
    step: bool,
    at: int | None,
    knock_outs: bool,
    refused: bool,
    why: int | None,
    language: str | None,
    games: Path | None,
    as_json: bool,
) -> int:
    """Show a game: how it stands, and its record.

    Or moment by moment: the board, the die, the bank, what people were told, and the pictures that
    show it. With --step at a terminal, keys lead on, back, and to knock-outs and refused moves;
    else all moments are listed.
    """
    found = find_game(game, games_dir(games))
    if why is not None:
        return _show_why(found, why, as_json)
    if not (step or at or knock_outs or refused):
        return _show_whole(found, as_json, Written(language_of(language)))
    phrases = Phrases(language_of(language))
    folder, there = _moments(found)
    wanted = tuple(
        one
        for one in there
        if not (knock_outs or refused)
        or (one.knock_out and knock_outs)
        or (one.refused and refused)
    )
    if at is not None and not step:
        wanted = (there[moment_at(there, at)],)
    console, kept = Console(), KeptPictures(folder) if folder else None
    if as_json:
        echo_json(_moment_json(kept, one, phrases) for one in wanted)
    elif step and console.is_terminal and sys.stdin.isatty():
        begin = moment_at(there, at or (wanted[0].number if wanted else 1))
        step_through(folder, there, phrases, console, click.getchar, begin)
    elif at is not None:
        console.print(moment_view(kept, wanted[0], phrases))
    else:
        for one in wanted:
            line = f"{one.number:>5}  {' '.join(told(one, phrases))}"
            console.print(Text(line), soft_wrap=True)
    return ExitStatus.DONE


@click.command("verify")
@click.argument("games_named", metavar="GAME...", nargs=-1, required=True)
@click.option("--no-pictures", is_flag=True, help="Do not read the kept pictures again.")
@language_option
@games_option
@json_option
def verify_command(
    games_named: tuple[str, ...],
    no_pictures: bool,
    language: str | None,
    games: Path | None,
    as_json: bool,
) -> int:
    """Prove games by the rules.

    No line was altered, each event is played again, the record is compared with what the events
    lead to, and the kept pictures are read again. Ends with 1 where a game is not right, and names
    the line; that this version sees a picture otherwise is told, and no fault.
    """
    status, words = ExitStatus.DONE, Written(language_of(language))
    for name in games_named:
        try:
            found = find_game(name, games_dir(games))
            result = verify(found)
        except CompanionError as error:
            click.echo(str(error), err=True)
            status = ExitStatus.UNREADABLE
            continue
        if result.right and isinstance(found, Path) and not no_pictures:
            result = _with_pictures(found, result)
        if as_json:
            echo_json([verification_json(name, result)])
        for note in result.notes:
            click.echo(f"{name}: {note}", err=True)
        for fault in result.faults:
            click.echo(str(fault), err=True)
            status = ExitStatus.UNREADABLE
        if result.right and not as_json:
            click.echo(words("right", game=name, what=result.text(words)))
    return status


def _with_pictures(folder: Path, result: Any) -> Any:
    """Read the pictures of a game again that is right so far."""
    from companion.log.rereading import reread  # it brings OpenCV with it

    return reread(folder, result)


def _show_whole(found: Path | RecordFile, as_json: bool, words: Written) -> int:
    if isinstance(found, RecordFile):
        record = read_record(found.path)
        shown: dict[str, Any] = {"record": record_text(record)}
    else:
        lines, torn = whole_lines(found)
        match = replayed(found, lines)
        text = record_text(match.record(date=record_date(lines[0])))
        shown = game_json(summary(found)) | _state_json(match) | {"torn": torn, "record": text}
    if as_json:
        echo_json([shown])
        return ExitStatus.DONE
    if shown.get("torn"):
        click.echo(f"{found}: {shown['torn']}", err=True)
    if "id" in shown:
        state, bank, unit = words(shown["state"]), str(shown["bank"]), shown["unit"]
        head = words("in-the-bank", game=shown["id"], state=state, amount=bank, unit=unit)
        click.echo(f"{head}\n")
    click.echo(shown["record"], nl=False)
    return ExitStatus.DONE


def _show_why(game: Path | RecordFile, number: int, as_json: bool) -> int:
    """Show the tales weighed for an event, the squares that decided, and where the pictures are."""
    if isinstance(game, RecordFile):
        raise InputError(f"{game.path} is a record: why it was ruled so is kept beside a log")
    shown = load_why(game, number)
    if as_json:
        echo_json([shown])
    else:
        click.echo(why_text(game, shown))
    return ExitStatus.DONE


def _moments(found: Path | RecordFile) -> tuple[Path | None, tuple[Moment, ...]]:
    """Return a game's folder, if it has one, and its moments."""
    if isinstance(found, RecordFile):
        return None, moments(found.path, record_lines(read_record(found.path)))
    lines, torn = whole_lines(found)
    if torn:
        click.echo(f"{found}: {torn}", err=True)
    return found, moments(found, lines)


def _moment_json(kept: KeptPictures | None, moment: Moment, phrases: Phrases) -> dict[str, Any]:
    match = moment.after
    pictures = kept.of(moment.first, moment.number) if kept else ()
    return {
        "number": moment.number,
        "events": [line.sequence for line in moment.lines],
        "told": list(told(moment, phrases)),
        "knock_out": moment.knock_out,
        "refused": moment.refused,
        "position": position_text(match.position, match.rules),
        "pictures": [str(path) for path in pictures],
        **_state_json(match),
    }


def _state_json(match: Match) -> dict[str, Any]:
    return {
        "phase": match.phase.value,
        "to_move": match.to_move.value,
        "bank": match.bank.total,
        "paid": {seat.value: amount for seat, amount in match.bank.paid},
        "throws": len(match.throws),
    }


def _list_row(game: LoggedGame, words: Written) -> tuple[str, ...]:
    if game.started is None or game.started_at is None:
        return (game.id, "?", "?", words(game.state))
    when = game.started_at.astimezone().strftime(words("date"))
    state = words("won-by", seat=game.winner) if game.winner else words(game.state)
    return (game.id, when, seats_text(game.started.seats), state)
