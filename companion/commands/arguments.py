"""Arguments and options that several commands share, checked before anything is opened."""

import math
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from companion.options import Outputs
from companion.settings import load_settings, settings_path
from referee.rules import parse_option
from tabletop import Colour, Seat, parse_colours, parse_seat, parse_seats

Command = TypeVar("Command", bound=Callable[..., Any])

SOURCE_KINDS: Final = ("pi", "usb", "http", "https", "rtsp", "stills", "demo", "bundle")
"""What a source may begin with, before a colon; else it is a file."""
_CAMERAS: Final = ("pi", "usb", "demo")
"""What needs nothing after it."""


class _Parsed(click.ParamType[Any]):
    """An argument that a function of ours turns from text into a value."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that the text means, or fail as a wrong argument."""
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Within(click.FloatRange):
    """A range of numbers, in which neither infinity nor what is no number lies."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or fail as a wrong argument."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{number} is not in the range {self._describe_range()}.", param, ctx)
        return number


class _Place(click.Path):
    """The path of a file or folder; nothing at all would mean the folder one happens to be in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or fail as a wrong argument."""
        if value == "":
            self.fail("it is empty: name a path, or leave the option out", param, ctx)
        return super().convert(value, param, ctx)


def _seats(text: str) -> tuple[tuple[Seat, Colour], ...]:
    return tuple(parse_seats(text).items())


def _source(text: str) -> str:
    """Return *text* if it may name a source of frames; whether it is there is seen on opening.

    Raises:
        ValueError: it begins with a kind of source that there is none of, or its number is none.
    """
    kind, colon, _ = text.partition(":")
    if not text or (
        kind in SOURCE_KINDS and (colon or kind in _CAMERAS or not Path(text).exists())
    ):
        # Imported here: it brings OpenCV with it, which most commands do without.
        from hardware.sources import parse_source

        parse_source(text)
        return text
    near = get_close_matches(kind, SOURCE_KINDS if colon else _CAMERAS, n=1)
    if Path(text).exists() or not (colon or near):
        return text
    advice = f"did you mean {near[0]}?" if near else "it is none of " + ", ".join(SOURCE_KINDS)
    raise ValueError(f"{text!r} is no source of frames, and no file: {advice}")


def _unit(text: str) -> str:
    """Return *text* if it can stand for what the bank counts, in a record and aloud.

    Raises:
        ValueError: it is empty, or holds what cannot be printed or ends a tag.
    """
    unit = text.strip()
    if not unit or not unit.isprintable() or '"' in unit:
        raise ValueError(f"{text!r} is no unit: write a word such as points, chips or EUR")
    return unit


SEATS: Final = _Parsed("SEAT=COLOUR,...", _seats)
SEAT: Final = _Parsed("SEAT", parse_seat)
COLOURS: Final = _Parsed("COLOUR,...", parse_colours)
UNIT: Final = _Parsed("WORD", _unit)
RULE: Final = _Parsed("NAME=VALUE", parse_option)
SOURCE: Final = _Parsed("SOURCE", _source)
EXISTING_OR_NEW: Final = _Place(readable=False, path_type=Path)
"""Whether it may be read is seen on opening: an input that cannot be is no wrong argument."""

source_argument: Final = click.argument("source", type=SOURCE)
json_option: Final = click.option(
    "--json", "as_json", is_flag=True, help="Write JSON lines on standard output, nothing else."
)
games_option: Final = click.option(
    "--games", type=EXISTING_OR_NEW, metavar="DIR", help="The folder of the logged games."
)
verbose_option: Final = click.option(
    "-v", "--verbose", count=True, help="Say more on standard error; twice, still more."
)


def output_options(command: Command) -> Command:
    """Add the options of where rulings go; `outputs` makes one value of them."""
    for option in (
        verbose_option,
        click.option("--lan", is_flag=True, help="Let phones in the local network see the page."),
        click.option("--port", type=click.IntRange(1, 65535), help="The console page's port."),
        games_option,
        click.option("--language", type=click.Choice(["en", "ru"]), help="Of voice and terminal."),
        click.option("--no-web", is_flag=True, help="Serve no console page."),
        click.option("--mute", is_flag=True, help="Say nothing aloud."),
        json_option,
    ):
        command = option(command)
    return command


def outputs(given: dict[str, Any]) -> Outputs:
    """Take the options of `output_options` out of *given*; the settings file fills the gaps.

    Raises:
        ArgumentError: the settings file is wrong.
    """
    settings = load_settings(settings_path())
    mute, no_web = given.pop("mute"), given.pop("no_web")
    return Outputs(
        games_dir=given.pop("games") or settings.games_dir,
        language=given.pop("language") or settings.language,
        json=given.pop("as_json"),
        mute=mute or settings.mute,
        web=settings.web and not no_web,
        port=given.pop("port") or settings.port,
        lan=given.pop("lan") or settings.lan,
        verbose=given.pop("verbose"),
        settings=settings,
    )


def games_dir(given: Path | None) -> Path:
    """Return the folder of the logged games: the one given, else the settings'.

    Raises:
        ArgumentError: the settings file is wrong.
    """
    return given or load_settings(settings_path()).games_dir
