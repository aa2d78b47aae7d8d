"""What a person asked for on the command line, checked and ready: one frozen value a command."""

from dataclasses import dataclass, field
from pathlib import Path

from companion.settings import Settings
from tabletop import Colour, Seat


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where rulings go.

    Attributes:
        games_dir: the folder that holds a folder for each logged game.
        language: of voice and terminal, "en" or "ru".
        json: write events as JSON lines on standard output, and nothing else there.
        mute: say nothing aloud.
        web: serve the console page.
        port: the console page's.
        lan: everybody in the local network may reach the page, with a code.
        verbose: how often -v was given.
        settings: the rest of what the settings file says: lamps, voice.
    """

    games_dir: Path
    language: str = "en"
    json: bool = False
    mute: bool = False
    web: bool = True
    port: int = 8000
    lan: bool = False
    verbose: int = 0
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """A game on the simulated table.

    Attributes:
        seed: decides the game and the looks of the table.
        speed: how many times faster than real the table's clock runs; 0 as fast as can be.
        players: how many play.
    """

    seed: int
    speed: float
    players: int
    outputs: Outputs


@dataclass(frozen=True, slots=True)
class CalibrateOptions:
    """The making of a table profile, written to *out*."""

    source: str
    seats: tuple[tuple[Seat, Colour], ...]
    out: Path
    outputs: Outputs


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """A live game.

    Attributes:
        source: where the frames come from, as typed.
        table: the table profile's path; None for the usual one, or for the simulated table's own.
        seats: who plays what; empty where the profile says it.
        names: what players are called; who is not named gets a number.
        first: who begins; None where opening throws settle it.
        stake, fine, unit: of the bank; None leaves the game's default.
        rules: the rule options given, by their names, with their values as typed and checked.
        resume: go on with the newest unfinished game.
    """

    source: str
    table: Path | None
    outputs: Outputs
    seats: tuple[tuple[Seat, Colour], ...] = ()
    names: tuple[tuple[Seat, str], ...] = ()
    first: Seat | None = None
    stake: int | None = None
    fine: int | None = None
    unit: str | None = None
    rules: tuple[tuple[str, str | int | bool], ...] = ()
    resume: bool = False


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Pictures to be read; *table* and *colours* are None where not given."""

    images: tuple[str, ...]
    table: Path | None = None
    colours: tuple[Colour, ...] | None = None
    json: bool = False
    language: str = "en"
