"""The group of the commands for the logged games."""

import click

from companion.commands.deleting import delete, forget
from companion.commands.looking import list_command, show, verify_command
from companion.commands.sharing import bundle, export, import_command
from companion.commands.stats import stats


@click.group()
def games() -> None:
    """Look after the logged games.

    A GAME is named by its id, by enough of its beginning, by its folder, or by the path of a
    record's text.
    """


for command in (
    list_command, show, verify_command, stats, export, import_command, bundle, delete, forget,
):  # fmt: skip
    games.add_command(command)
