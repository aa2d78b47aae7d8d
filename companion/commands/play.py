"""The commands that look at a table: demo, calibrate, watch, read."""

import logging
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from companion.commands.arguments import (
    COLOURS,
    EXISTING_OR_NEW,
    RULE,
    SEAT,
    SEATS,
    UNIT,
    Within,
    json_option,
    output_options,
    outputs,
    source_argument,
    verbose_option,
)
from companion.errors import ArgumentError, InputError
from companion.options import CalibrateOptions, DemoOptions, Outputs, ReadOptions, WatchOptions
from companion.settings import load_settings, settings_path, table_path
from hardware.network import without_password
from tabletop import Colour, Seat


@click.command()
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
              help="Decides the game and the looks of the table.")  # fmt: skip
@click.option("--speed", type=Within(min=0), metavar="X",
              help="How many times faster than real the table's clock runs; 0 as fast as can be. "
              "Without it: 1 at a terminal, 0 elsewhere.")  # fmt: skip
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True,
              help="How many play.")  # fmt: skip
@output_options
def demo(seed: int, speed: float | None, players: int, **given: Any) -> int:
    """Play a game on the simulated table.

    It is rendered, seen, refereed, announced and logged; no device and no set-up is needed.
    """
    from companion import compose

    where = outputs(given)
    if speed is None:
        speed = 1.0 if sys.stdout.isatty() else 0.0
    return compose.run_demo(DemoOptions(seed, speed, players, where), _console(where))


@click.command()
@source_argument
@click.option("--seats", type=SEATS, required=True, help="Who plays what: D4=red,D3=blue,...")
@click.option("--out", type=EXISTING_OR_NEW, metavar="FILE",
              help="Where to write the table profile; without it where `watch` looks for it."
              )  # fmt: skip
@output_options
def calibrate(
    source: str, seats: tuple[tuple[Seat, Colour], ...], out: Path | None, **given: Any
) -> int:
    """Make a table profile.

    Finds the board, the way it lies and the players' colours.

    Show first the empty board, then the same board with each player's four checkers on the four
    squares of his own home. SOURCE is one of pi[:N], usb[:N], http(s)://..., rtsp://..., a video
    file, stills:DIR, demo[:SEED].
    """
    from companion import compose

    where = outputs(given)
    options = CalibrateOptions(source, seats, out or table_path(), where)
    return compose.run_calibrate(options, _console(where))


@click.command()
@source_argument
@click.option("--table", type=EXISTING_OR_NEW, metavar="FILE", help="The table profile.")
@click.option(
    "--seats", type=SEATS, default=(), help="Who plays what, if the profile does not say."
)
@click.option("--first", type=SEAT, help="Who begins; the opening throws are skipped.")
@click.option("--stake", type=click.IntRange(min=0), help="What each player pays in.")
@click.option("--fine", type=click.IntRange(min=0), help="What a knocked-out checker costs.")
@click.option("--unit", type=UNIT, help="What the bank counts: points, chips, a currency.")
@click.option("--rule", "rules", type=RULE, multiple=True,
              help="An option of the rules; may be repeated.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the newest unfinished game.")
@output_options
def watch(
    source: str,
    table: Path | None,
    seats: tuple[tuple[Seat, Colour], ...],
    first: Seat | None,
    stake: int | None,
    fine: int | None,
    unit: str | None,
    rules: tuple[tuple[str, str | int | bool], ...],
    resume: bool,
    **given: Any,
) -> int:
    """Referee a live game.

    Every throw and move is judged, announced and logged.

    SOURCE is one of pi[:N], usb[:N], http(s)://..., rtsp://..., a video file, stills:DIR,
    demo[:SEED], bundle:FILE. The frames of a bundle are played again: nothing is logged, and it
    ends with 1 where anything is ruled otherwise than it was.
    """
    names = [name for name, _ in rules]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"the rule {name!r} is given twice")
    if first is not None and seats and first not in dict(seats):
        raise ArgumentError(f"{first} cannot begin: it is not among --seats")
    where = outputs(given)
    if source.partition(":")[0] not in ("demo", "bundle"):
        _need_profile(table or table_path(), source)
    from companion import compose

    options = WatchOptions(source, table, where, seats, (), first, stake, fine, unit, rules, resume)
    return compose.run_watch(options, _console(where))


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...")
@click.option("--table", type=EXISTING_OR_NEW, metavar="FILE", help="The table profile.")
@click.option("--colours", type=COLOURS, help="The colours that may be on the board.")
@click.option("--language", type=click.Choice(["en", "ru"]), help="Of what is told.")
@json_option
@verbose_option
def read(
    images: tuple[str, ...],
    table: Path | None,
    colours: tuple[Colour, ...] | None,
    language: str | None,
    as_json: bool,
    verbose: int,
) -> int:
    """Tell what is seen in pictures."""
    from companion import compose

    configure_logging(verbose)
    console = Console(stderr=as_json)
    spoken = language or load_settings(settings_path()).language
    return compose.run_read(ReadOptions(images, table, colours, as_json, spoken), console)


def configure_logging(verbose: int) -> None:
    """Send the program's own notes to standard error: warnings, or more if asked for."""
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logging.basicConfig(level=level, format="%(levelname)s: %(message)s", force=True)


def _console(where: Outputs) -> Console:
    """Return the terminal for people: standard output, or standard error beside JSON."""
    configure_logging(where.verbose)
    return Console(stderr=where.json)


def _need_profile(profile: Path, source: str) -> None:
    if not profile.is_file():
        raise InputError(
            f"there is no table profile at {profile}: make one with\n"
            f"  pachisi calibrate {without_password(source)} --seats D4=red,D2=blue --out {profile}"
        )
