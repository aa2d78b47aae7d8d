"""A record's text cut into tags and tokens, each with its place for messages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


class RecordError(ValueError):
    """A record cannot be read.

    Attributes:
        line: where, counted from 1.
        column: where in the line, counted from 1; 0 means the whole line.
    """

    def __init__(self, message: str, line: int, column: int = 0) -> None:
        where = f"line {line}, column {column}" if column else f"line {line}"
        super().__init__(f"{where}: {message}")
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a record.

    Attributes:
        kind: tag, comment, turn, action or result.
        text: the piece as it is written.
        parts: what it is made of, by kind: name and text; text; number (or "") and seat; die, move
            and marks; seat or word.
        line: where it stands, counted from 1.
        column: where in the line it begins, counted from 1.
    """

    kind: str
    text: str
    parts: tuple[str, ...]
    line: int
    column: int

    def error(self, message: str) -> RecordError:
        """Return an error that names this place."""
        return RecordError(f"{message} ({self.text})", self.line, self.column)


_PATTERNS: Final = {
    "layout": r"[\s,\ufeff]+",
    # A tag ends with its line, so that its text may hold quotation marks.
    "tag": r'\[\s*(\w+)\s+"(.*)"\s*\][^\S\n]*(?=\n|$)',
    "comment": r"\{([^}]*)\}",
    "turn": r"(?:(\d+)\s*\.\s*)?(D[1-4])\s*:",
    "action": (
        r"(\d+)\s+(--|@[^\s,{}x^+#]*|[^\s,{}x^+#*]+)((?:\s*(?:x\s*D\d(?:\*\d)?|[\^+#]))*)(?=[\s,{}]|$)"
    ),
    "result": r"(D[1-4](?!\s*:)|abandoned|\*)(?=\s|\{|$)",
}
_TOKEN: Final = re.compile(
    "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items())
)
_PARTS: Final = {kind: re.compile(pattern).groups for kind, pattern in _PATTERNS.items()}


def scan(text: str) -> Iterator[Token]:
    """Yield the tokens of a record in order; commas, spaces and line ends are only layout.

    Raises:
        RecordError: a piece of the text is no token.
    """
    at = 0
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            piece = text[at:].split("\n", 1)[0][:40]
            raise RecordError(f"{piece!r} is no part of a record", line, column)
        kind = found.lastgroup
        if kind != "layout":
            first = _TOKEN.groupindex[kind]
            parts = found.groups("")[first : first + _PARTS[kind]]
            yield Token(kind, found[0], parts, line, column)
        at = found.end()
