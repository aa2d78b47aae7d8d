"""The commands that delete: a game, or everything of a player, for good."""

from collections.abc import Sequence
from pathlib import Path

import click

from companion.commands.arguments import games_dir, games_option
from companion.commands.game_arguments import game_argument, language_of, language_option
from companion.errors import ExitStatus, InputError
from companion.log.game_folder import delete_folder
from companion.log.games import LoggedGame, RecordFile, find_game, list_games, summary, was_called
from companion.phrases.written import Written

yes_option = click.option("--yes", is_flag=True, help="Do not ask before it is done.")


@click.command()
@game_argument
@yes_option
@language_option
@games_option
def delete(game: str, yes: bool, language: str | None, games: Path | None) -> int:
    """Delete a game for good: log, record, pictures and all."""
    found = find_game(game, games_dir(games))
    if isinstance(found, RecordFile):
        raise InputError(f"{found.path} is a file and no logged game: delete it yourself")
    return _delete([summary(found)], yes, Written(language_of(language)))


@click.command()
@click.argument("player", metavar="PLAYER")
@yes_option
@language_option
@games_option
def forget(player: str, yes: bool, language: str | None, games: Path | None) -> int:
    """Delete every game that a player took part in, for good.

    Those count too in which he was called so until he was renamed. What others did in those games
    goes with them.
    """
    where = games_dir(games)
    found = [game for game in list_games(where) if was_called(game, player)]
    if not found:
        raise InputError(f"nobody called {player!r} played in any game in {where}")
    return _delete(found, yes, Written(language_of(language)))


def _delete(found: Sequence[LoggedGame], yes: bool, words: Written) -> int:
    for game in found:
        names = ", ".join(name for _, name in game.started.names) if game.started else "?"
        click.echo(f"{game.id}  {names}  {words(game.state)}", err=True)
    if not yes:
        one = len(found) == 1
        question = words("delete-one") if one else words("delete-many", count=len(found))
        if not click.confirm(question, err=True):
            click.echo(words("nothing-deleted"), err=True)
            return ExitStatus.UNREADABLE
    for game in found:
        delete_folder(game.folder)
    return ExitStatus.DONE
