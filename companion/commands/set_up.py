"""The command that sets a table up on the console page."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from companion.commands.arguments import (
    EXISTING_OR_NEW,
    SEATS,
    Within,
    output_options,
    outputs,
    source_argument,
)
from companion.commands.play import configure_logging
from companion.options import WatchOptions
from tabletop import Colour, Seat


@click.command("set-up")
@source_argument
@click.option("--table", type=EXISTING_OR_NEW, metavar="FILE",
              help="Where to write the table profile; without it where `watch` looks for it."
              )  # fmt: skip
@click.option("--seats", type=SEATS, default=(), help="Who plays what, if it is known.")
@click.option("--speed", type=Within(min=0), default=1.0, metavar="X",
              help="How many times faster than real a simulated table's clock runs."
              )  # fmt: skip
@output_options
def set_up(
    source: str,
    table: Path | None,
    seats: tuple[tuple[Seat, Colour], ...],
    speed: float,
    **given: Any,
) -> int:
    """Set a table up on the console page and play.

    The page guides: aim the camera, show the empty board, put the checkers on their homes, throw
    the die, agree on the terms. SOURCE is as for `watch`.
    """
    from companion import compose

    where = outputs(given)
    configure_logging(where.verbose)
    console = Console(stderr=where.json)
    return compose.run_set_up(WatchOptions(source, table, where, seats), console, speed)
