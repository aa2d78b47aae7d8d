"""What a person commanded, as it stands in the log beside the first event that came of it."""

import re
from dataclasses import asdict, dataclass
from typing import Any, Final, get_args, get_type_hints

from referee.commands import Command
from referee.events import By
from tabletop import Seat, parse_seat


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command, and where it came from."""

    command: Command
    by: By


_KINDS: Final[dict[str, type[Any]]] = {
    re.sub(r"(?<=.)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in get_args(Command)
}
"""By their names in the log: "say_throw" for `SayThrow`."""


def commanded_json(given: Commanded) -> dict[str, Any]:
    """Return *given* as JSON values, what says nothing left out; the twin of `parse_commanded`."""
    name = next(name for name, kind in _KINDS.items() if isinstance(given.command, kind))
    said = {
        key: value.value if isinstance(value, Seat) else value
        for key, value in asdict(given.command).items()
        if value is not None
    }
    return {"do": name, **said, "by": given.by.value}


def parse_commanded(data: Any) -> Commanded | None:
    """Return the command that JSON values tell of; None where a newer version may know it."""
    try:
        said = {key: value for key, value in data.items() if key not in ("do", "by")}
        said |= {key: parse_seat(said[key]) for key in ("seat", "to_throw") if key in said}
        kind = _KINDS[data["do"]]
        hints = get_type_hints(kind)
        if not all(isinstance(value, hints[key]) for key, value in said.items()):
            return None
        return Commanded(kind(**said), By(data["by"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
