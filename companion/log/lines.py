"""The lines of a log: an event each, in an envelope that chains it to the line before.

The hash of a line is that of the hash before it and of the line's own text, so that nobody alters,
takes out or slips in a line without all later hashes giving him away. Logs of format 1 carry no
hashes; a chain that goes on from one begins with what their lines would have had.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Any, Final, NoReturn

from companion.log.commanded import Commanded, commanded_json, parse_commanded
from referee.event_json import event_json, parse_event
from referee.events import Event

FORMAT: Final = 2
"""Of the logs that are written now; format 1 had neither writers nor hashes."""

UNPRINTABLE: Final = "it holds what cannot be printed"
_SEALED: Final = re.compile(r'(.*), "hash": "([0-9a-f]{64})"\}', re.DOTALL)
_ENVELOPE: Final = (("sequence", int), ("at", str), ("kind", str), ("event", Mapping))


@dataclass(frozen=True, slots=True)
class Writer:
    """Which program wrote a line and those after it; told on the first line it writes.

    Attributes:
        format: of the log, as `FORMAT` counts.
        program: its version.
        libraries: the versions of what decides on what is seen, by their names.
        table: the fingerprint of the table profile in use; empty where none was.
        imported: the form of what the game was imported from; empty where it was refereed here.
    """

    format: int = FORMAT
    program: str = ""
    libraries: tuple[tuple[str, str], ...] = ()
    table: str = ""
    imported: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: an event, its number from 1, and when it was ruled.

    Attributes:
        writer: who writes from this line on, where that is told.
        commanded: what a person commanded, where this is the first event that came of it.
        hash: the line's place in the chain; empty in format 1, and until it is sealed.
    """

    sequence: int
    at: datetime
    event: Event
    writer: Writer | None = None
    hash: str = ""
    commanded: Commanded | None = None


def line_json(line: Line) -> dict[str, Any]:
    """Return *line* as JSON values; the twin of `parse_line`."""
    out: dict[str, Any] = {
        "sequence": line.sequence,
        "at": time_text(line.at),
        "kind": line.event.kind,
        "event": event_json(line.event),
    }
    if line.writer is not None:
        out["writer"] = writer_json(line.writer)
    if line.commanded is not None:
        out["command"] = commanded_json(line.commanded)
    if line.hash:
        out["hash"] = line.hash
    return out


def line_text(line: Line) -> str:
    """Return *line* as it stands in the log, without the line feed."""
    return json.dumps(line_json(line), ensure_ascii=False)


def sealed(line: Line, before: str) -> Line:
    """Return *line* with its hash, *before* being the one of the line before, or the empty text."""
    plain = replace(line, hash="")
    return replace(plain, hash=chained(before, line_text(plain)))


def chained(before: str, text: str) -> str:
    """Return the hash of a line's *text*, the hash itself left out, after the one *before*."""
    return hashlib.sha256((before + text).encode()).hexdigest()


def unsealed(text: str) -> tuple[str, str]:
    """Split a line's text into the one that was hashed, and the hash; empty where it has none."""
    found = _SEALED.fullmatch(text)
    return (found[1] + "}", found[2]) if found else (text, "")


def parse_line(text: str) -> Line:
    """Return the line written as *text*; keys that are not known are passed over.

    Raises:
        ValueError: it is no JSON, lacks something, or holds what cannot be.
    """
    data = parse_json(text)
    if not isinstance(data, Mapping):
        raise ValueError("a line of the log is a JSON object")
    for key, needed in _ENVELOPE:
        if not isinstance(data.get(key), needed):
            raise ValueError(f"{key!r} is missing or cannot be {data.get(key)!r}")
    if ("\\" in text or not text.strip().isprintable()) and not printable(data["event"]):
        raise ValueError(UNPRINTABLE)
    event = parse_event(data["kind"], data["event"])
    writer = parse_writer(data["writer"]) if "writer" in data else None
    commanded = parse_commanded(data["command"]) if "command" in data else None
    _, seal = unsealed(text.strip())
    return Line(data["sequence"], parse_time(data["at"]), event, writer, seal, commanded)


def check_printable(text: str) -> None:
    """Refuse a text of lines that would do something to a terminal in place of being shown on it.

    Raises:
        ValueError: a line does; it is named.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.replace("\t", " ").isprintable():
            raise ValueError(f"line {number}: {UNPRINTABLE}")


def printable(value: Any) -> bool:
    """Tell whether no text in a JSON *value* would do something to a terminal."""
    match value:
        case str():
            return value.isprintable()
        case Mapping():
            return all(printable(one) for pair in value.items() for one in pair)
        case list():
            return all(printable(one) for one in value)
        case _:
            return True


def time_text(at: datetime) -> str:
    """Write a time of day as the log has it; the twin of `parse_time`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Return the time written as *text*.

    Raises:
        ValueError: it is none, names no time zone, or is in a year that cannot be.
    """
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"'at' names no time zone: {text!r}")
    if not MINYEAR < at.year < MAXYEAR:  # its day elsewhere may be in a year that there is not
        raise ValueError(f"'at' cannot be {text!r}")
    return at


def writer_json(writer: Writer) -> dict[str, Any]:
    """Return *writer* as JSON values, what says nothing left out; the twin of `parse_writer`."""
    out: dict[str, Any] = {"format": writer.format, "program": writer.program}
    if writer.libraries:
        out["libraries"] = dict(writer.libraries)
    for name in ("table", "imported"):
        if getattr(writer, name):
            out[name] = getattr(writer, name)
    return out


def parse_writer(data: Any) -> Writer:
    """Return the writer that JSON values tell of; keys that are not known are passed over.

    Raises:
        ValueError: they tell of none, or of a format that is not known.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"'writer' is an object, not {data!r}")
    number = data.get("format")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ValueError(f"'format' is a whole number, not {number!r}")
    if number > FORMAT:
        raise ValueError(
            f"the log is of format {number}, and this version knows {FORMAT}: take a newer one"
        )
    libraries = data.get("libraries", {})
    if not isinstance(libraries, Mapping):
        raise ValueError(f"'libraries' is an object, not {libraries!r}")
    return Writer(
        number,
        str(data.get("program", "")),
        tuple((str(name), str(version)) for name, version in libraries.items()),
        str(data.get("table", "")),
        str(data.get("imported", "")),
    )


def parse_json(text: str) -> Any:
    """Return the value that *text* means.

    Raises:
        ValueError: it is no JSON, or nested deeper than anything that was ever written.
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
