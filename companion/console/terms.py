"""What people agree on before a game, kept beside the table profile until the next one."""

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from calibration.profile import TableProfile
from companion.console.setting import Begin
from companion.console.state import Json
from companion.options import WatchOptions
from referee.rules import ALLOWED, Rules
from tabletop import Seat

_DEFAULTS: Final = Rules()


@dataclass(frozen=True, slots=True)
class SetTable:
    """A table that is set up, and the terms of the game to begin at it."""

    profile: TableProfile
    terms: Begin

    def agreed(self, options: WatchOptions) -> WatchOptions:
        """Return *options* with the seats and the terms in them."""
        return agreed(self.terms, replace(options, seats=self.profile.seats))


def agreed(terms: Begin, options: WatchOptions) -> WatchOptions:
    """Return *options* with the *terms* in them."""
    return replace(
        spoken_as(terms, options),
        names=tuple(
            (Seat(seat), plain)
            for seat, name in terms.names.items()
            if (plain := " ".join(name.split()))
        ),
        first=None if terms.first is None else Seat(terms.first),
        stake=terms.stake,
        fine=terms.fine,
        unit=terms.unit,
        rules=tuple(terms.rules.items()),
    )


def spoken_as(terms: Begin, options: WatchOptions) -> WatchOptions:
    """Return *options* with the language of the *terms*, if one was chosen."""
    if terms.language is None:
        return options
    return replace(options, outputs=replace(options.outputs, language=terms.language))


def terms_path(table: Path) -> Path:
    """Return where the terms of the last game are kept, beside the profile at *table*."""
    return table.with_name(f"{table.stem}.terms.json")


def keep_terms(terms: Begin, table: Path) -> None:
    """Keep *terms* for the next game at *table*; a folder that takes nothing is no harm."""
    with suppress(OSError):
        terms_path(table).write_text(terms.model_dump_json(indent=1), encoding="utf-8")


def kept_terms(table: Path) -> Begin | None:
    """Return the terms of the last game at *table*; None where none are kept, or none to trust."""
    try:
        kept = Begin.model_validate_json(terms_path(table).read_bytes())
        Rules().with_options(kept.rules)
    except (OSError, ValidationError, ValueError):
        return None
    return kept


def terms_json(terms: Begin | None) -> Json:
    """Return *terms* for the page's form."""
    return None if terms is None else terms.model_dump(mode="json")


def options_json() -> Json:
    """Return the options of the rules that are chosen by hand, their defaults and their values."""
    return {
        name: {
            "default": _plain(getattr(_DEFAULTS, name)),
            "values": [_plain(value) for value in values],
        }
        for name, values in ALLOWED.items()
        if name != "rotation"
    }


def _plain(value: object) -> Json:
    """Return an option's value as JSON has it."""
    return value if isinstance(value, bool | int) else str(value)
