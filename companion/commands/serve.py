"""The command that a Pi runs by itself: set up, go on, or begin, whichever is due."""

from dataclasses import replace
from typing import Any

import click
from rich.console import Console

from companion.commands.arguments import output_options, outputs, source_argument
from companion.commands.play import configure_logging
from companion.options import WatchOptions
from companion.settings import table_path


@click.command()
@source_argument
@output_options
def serve(source: str, **given: Any) -> int:
    """Do what is due at this table.

    Sets it up on the console page where it has no profile yet, goes on with an unfinished game, or
    begins a new one on the terms of the last that was set up. The service on a Pi runs this.
    """
    from companion import compose
    from companion.console.terms import agreed, kept_terms
    from companion.log.games import newest_unfinished

    where = outputs(given)
    configure_logging(where.verbose)
    console = Console(stderr=where.json)
    if not table_path().is_file():
        return compose.run_set_up(WatchOptions(source, None, where), console)
    options = WatchOptions(source, None, where)
    if newest_unfinished(where.games_dir) is not None:
        return compose.run_watch(replace(options, resume=True), console)
    terms = kept_terms(table_path())
    return compose.run_watch(options if terms is None else agreed(terms, options), console)
