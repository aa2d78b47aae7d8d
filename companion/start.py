"""How a game begins, or goes on where its log ends: on the same table or on another."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import metadata
from typing import Final

import cv2
import numpy as np

from calibration.profile import TableProfile, profile_text
from companion.errors import ArgumentError, InputError, JournalError
from companion.log.disk import replace_file
from companion.log.game_folder import TABLES_NAME, is_being_played
from companion.log.games import LoggedGame, newest_unfinished, note_played
from companion.log.journal import Journal, Writer
from companion.options import WatchOptions
from companion.settings import PACKAGE
from referee.events import GameStarted
from referee.rules import changed_options, rules_from
from tabletop import Colour, Seat

log = logging.getLogger(__name__)

DEFAULT_STAKE: Final = 10
DEFAULT_FINE: Final = 1
BOTH_WAYS: Final = (
    "the board is compared with the log first: where they differ, put the board as is said, or "
    "type board, and the log follows it"
)

GO_ON: Final = "pachisi watch SOURCE --resume"
"""What goes on with a game, whichever command it was begun with."""

Ask = Callable[[str], bool]
"""Asks a person something that is answered by yes or no."""


@dataclass(frozen=True, slots=True)
class Start:
    """A game about to be refereed.

    Attributes:
        journal: its log, open.
        resumed: it goes on; the board is to be compared with the log first.
        profile: the table, its squares called as in the log.
    """

    journal: Journal
    resumed: bool
    profile: TableProfile


def start_game(
    profile: TableProfile, options: WatchOptions, at: datetime, tell: Callable[[str], None],
    ask: Ask | None = None,
) -> Start:  # fmt: skip
    """Begin a new game at the table of *profile*, or go on with the newest that is not over.

    Args:
        profile: the table.
        options: how the game is asked for; with ``resume`` one that is not over goes on.
        at: the time of day.
        tell: tells people what they should know.
        ask: asks whether an unfinished game goes on; None where nobody is there to answer.

    Raises:
        InputError: there is none to go on with.
        ArgumentError: a game cannot be played as asked for, or not at this table.
        JournalError: the log cannot be written.
    """
    where = options.outputs.games_dir
    found = newest_unfinished(where) if where.is_dir() else None
    if options.resume and found is None:
        raise InputError(f"there is no unfinished game in {where}: start one without --resume")
    if found is not None and (options.resume or _wanted(found, tell, ask)):
        if ask is not None:
            tell(BOTH_WAYS)
        return _go_on(found, profile, options, tell)
    journal = Journal.create(where, game_setup(profile, options), at, writer_here(profile))
    note_played(journal.folder)
    _keep_table(journal, profile, 1)
    return Start(journal, False, profile)


def game_setup(profile: TableProfile, options: WatchOptions) -> GameStarted:
    """Return how a game is started, by the options and the profile.

    Raises:
        ArgumentError: the seats or the rotation asked for are not those of the profile, or there
            are none.
    """
    seats = options.seats or profile.seats
    if not seats:
        raise ArgumentError("the table profile names no seats: say who plays, --seats D4=red,...")
    given = dict(options.rules)
    if given.get("rotation", profile.rotation) != profile.rotation:
        raise ArgumentError(
            f"the table profile says rotation = {profile.rotation}: change it there, or calibrate "
            "again with the seats where they are now"
        )
    _check_colours(seats, profile)
    if options.first is not None and options.first not in dict(seats):
        raise ArgumentError(f"{options.first} cannot begin: nobody sits there")
    rules = rules_from(given | {"rotation": profile.rotation})
    return GameStarted(
        seats=tuple(seats),
        names=tuple(
            (seat, dict(options.names).get(seat) or f"Player {number}")
            for number, (seat, _) in enumerate(seats, 1)
        ),
        rules=tuple(sorted(changed_options(rules).items())),
        stake=DEFAULT_STAKE if options.stake is None else options.stake,
        fine=DEFAULT_FINE if options.fine is None else options.fine,
        unit=options.unit or "points",
        program=metadata.version(PACKAGE),
        table=profile.fingerprint,
    )


def writer_here(profile: TableProfile) -> Writer:
    """Return what a log says of this program, at the table of *profile*."""
    libraries = (("opencv", cv2.__version__), ("numpy", np.__version__))
    version = metadata.version(PACKAGE)
    return Writer(program=version, libraries=libraries, table=profile.fingerprint)


def turned(profile: TableProfile, rotation: int) -> TableProfile:
    """Return *profile* with its squares called so that the seats are rotated by *rotation*.

    From another side of the table the board's two dark corners may have changed names; the seats
    tell which is which.

    Raises:
        ArgumentError: the board lies otherwise under the seats than it did.
    """
    steps = (profile.rotation - rotation) % 4
    if steps % 2:
        raise ArgumentError(
            "the board was turned by a quarter since the game was begun, and its dark corners are "
            "at other seats: turn it back, and calibrate again"
        )
    corners = profile.location.corners
    a1, h1, h8, a8 = corners[steps:] + corners[:steps]
    location = replace(profile.location, corners=(a1, h1, h8, a8))
    return replace(profile, location=location, rotation=rotation)


def _wanted(found: LoggedGame, tell: Callable[[str], None], ask: Ask | None) -> bool:
    """Offer to go on with an unfinished game; where nobody can answer, tell of it."""
    names = ", ".join(name for _, name in found.started.names) if found.started else "?"
    when = f"{found.started_at.astimezone():%d %b %Y %H:%M}" if found.started_at else "?"
    if is_being_played(found.folder):
        tell(f"the game of {when} ({names}) is being played by another pachisi")
        return False
    if ask is None:
        tell(f"the game of {when} ({names}) is not over; to go on with it type {GO_ON}")
        return False
    return ask(f"The game of {when} ({names}) is not over. Go on with it?")


def _go_on(
    found: LoggedGame, profile: TableProfile, options: WatchOptions, tell: Callable[[str], None]
) -> Start:
    asked = (options.seats, options.rules, options.unit, options.stake, options.fine)
    if asked != ((), (), None, None, None):
        tell(
            f"game {found.id} goes on as it was begun: --seats, --stake, --fine, --unit and "
            "--rule are for new games"
        )
    assert found.started is not None  # or it would count as broken
    _check_colours(found.started.seats, profile)
    profile = turned(profile, rules_from(dict(found.started.rules)).rotation)
    journal = Journal.open(found.folder, writer_here(profile))
    if journal.torn:
        tell(f"game {journal.id}: {journal.torn}; nobody had heard of it, and the rest is whole")
    if journal.altered:
        tell(f"game {journal.id}: line {journal.altered} is not as it was written")
    note_played(journal.folder)
    _keep_table(journal, profile, len(journal.lines) + 1)
    return Start(journal, True, profile)


def _check_colours(seats: tuple[tuple[Seat, Colour], ...], profile: TableProfile) -> None:
    colours = {look.colour for look in profile.looks}
    for seat, colour in seats:
        if colour not in colours:
            known = ", ".join(sorted(colours))
            raise ArgumentError(
                f"the table profile knows no {colour} checkers for {seat}, only {known}: "
                "calibrate with them, or seat these"
            )


def _keep_table(journal: Journal, profile: TableProfile, number: int) -> None:
    """Put the profile beside the log, named by the *number* of the line from which it is in use."""
    folder = journal.folder / TABLES_NAME
    try:
        folder.mkdir(exist_ok=True)
        replace_file(folder / f"{number:05}.toml", profile_text(profile).encode())
    except (JournalError, OSError) as error:
        log.warning("the table profile is not kept beside the log: %s", error)
