"""A logged game in the forms that other programs and people want."""

import csv
import io
import json
from typing import Final

from companion.journal import Line, line_json, line_text

COLUMNS: Final = (
    "sequence", "at", "kind", "seat", "colour", "value", "confidence", "from", "to", "steps",
    "square", "by", "amount", "bank", "at_home", "reason", "more",
)  # fmt: skip
"""Of the table; what has no column of its own stands as JSON under "more"."""


def jsonl_text(lines: tuple[Line, ...]) -> str:
    """Write the events one JSON object a line, as the log has them."""
    return "".join(line_text(line) + "\n" for line in lines)


def csv_text(lines: tuple[Line, ...]) -> str:
    """Write the events as a table with a head line, one event a row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for line in lines:
        data = line_json(line)
        event = data.pop("event")
        row = {key: event.pop(key) for key in COLUMNS if key in event}
        row["more"] = json.dumps(event, ensure_ascii=False) if event else ""
        writer.writerow(data | row)
    return out.getvalue()
