"""A logged game as text that other programs take: JSON lines, and a table."""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any, Final

from companion.log.lines import (
    UNPRINTABLE,
    Line,
    line_json,
    line_text,
    parse_json,
    parse_time,
    printable,
)
from referee.event_json import parse_event

COLUMNS: Final = (
    "sequence", "at", "kind", "seat", "colour", "value", "confidence", "from", "to", "steps",
    "square", "by", "amount", "bank", "at_home", "reason", "more",
)  # fmt: skip
"""Of the table; what has no column of its own stands as JSON under "more"."""

_NUMBERS: Final = {
    **dict.fromkeys(("value", "steps", "amount", "bank", "at_home"), int),
    "confidence": float,
}


def jsonl_text(lines: tuple[Line, ...]) -> str:
    """Write the events one JSON object a line, as the log has them."""
    return "".join(line_text(line) + "\n" for line in lines)


def csv_text(lines: tuple[Line, ...]) -> str:
    """Write the events as a table with a head line, one event a row; the twin of `parse_csv`."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for line in lines:
        data = line_json(line)
        event = data.pop("event")
        row = {key: event.pop(key) for key in COLUMNS if key in event}
        row["more"] = json.dumps(event, ensure_ascii=False) if event else ""
        writer.writerow(data | row)
    return out.getvalue()


def parse_csv(text: str) -> tuple[tuple[int, Line], ...]:
    """Return the events in a table, each with the number of the line on which its row ends.

    Raises:
        ValueError: a row is none; the message begins with its line.
    """
    reader = csv.DictReader(io.StringIO(text))
    lines: list[tuple[int, Line]] = []
    try:
        missing = {"sequence", "at", "kind"} - set(reader.fieldnames or ())
        if missing:
            raise ValueError(f"the head lacks {', '.join(sorted(missing))}")
        for row in reader:
            line = _parse_row(row)
            if line.sequence != len(lines) + 1:
                raise ValueError(f"its sequence is {line.sequence}, not {len(lines) + 1}")
            lines.append((reader.line_num, line))
    except (ValueError, csv.Error) as error:
        raise ValueError(f"line {max(reader.line_num, 1)}: {error}") from None
    return tuple(lines)


def _parse_row(row: Mapping[str | None, Any]) -> Line:
    if None in row or None in row.values():
        raise ValueError("it has not as many fields as the head")
    event: dict[str, Any] = {}
    for name, text in row.items():
        if text and name in COLUMNS[3:-1]:
            event[name] = _NUMBERS[name](text) if name in _NUMBERS else text
    if row.get("more"):
        more = parse_json(row["more"])
        if not isinstance(more, dict):
            raise ValueError("'more' is a JSON object")
        event |= more
    if not printable(event):
        raise ValueError(UNPRINTABLE)
    return Line(int(row["sequence"]), parse_time(row["at"]), parse_event(row["kind"], event))
