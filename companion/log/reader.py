"""Reading a log, however it ends, and however old it is."""

from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path

from companion.errors import JournalError
from companion.log.lines import Line, chained, parse_json, parse_line, unsealed


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a log file holds.

    Attributes:
        lines: the events that are there whole, numbered without a gap.
        torn: what was left out at the end and why, in words; None where nothing was.
        sound_bytes: how many bytes from the start those lines take up.
        fault: what is wrong with the first line that is neither sound nor torn, the one after
            *lines*. None where all is well.
        seal: the hash after the last line, which the next one is chained to.
        altered: the number of the first line that the chain gives away; None where it is whole.
    """

    lines: tuple[Line, ...]
    torn: str | None
    sound_bytes: int
    fault: str | None
    seal: str = ""
    altered: int | None = None


def scan_journal(data: bytes) -> JournalContents:
    """Return what the bytes of a log hold, however they end.

    A tail is torn where its first line is no JSON and nothing after it is either; anything else
    that is wrong was not done by a power cut, and is a fault. What an editor may do to a file, a
    mark at its beginning or other ends of lines, is neither.
    """
    lines: list[Line] = []
    torn = fault = altered = None
    seal, sealing, last = "", False, ""
    start = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end + 1
        number = len(lines) + 1
        decoded = _decode(data[start:end])
        if decoded is None:
            if any(_decode(rest) is not None for rest in data[end:].splitlines()):
                empty = not data[start:end].strip()
                fault = "it is empty: take it out" if empty else "it is no JSON"
            else:
                torn = f"line {number} is torn: its {len(data) - start} bytes are left out"
            break
        try:
            line = parse_line(decoded)
            if decoded == last:
                raise ValueError("it is the line before once more: take it out")
            if line.sequence != number:
                raise ValueError(
                    f"its sequence is {line.sequence} and should be {number}: "
                    "lines were taken out, or stand elsewhere"
                )
        except ValueError as error:
            fault = str(error)
            break
        right = chained(seal, unsealed(decoded.rstrip("\r\n"))[0])
        sealing = sealing or bool(line.hash) or line.writer is not None
        if sealing and line.hash != right and altered is None:
            altered = number
        seal = line.hash or right
        lines.append(line)
        start, last = end, decoded
    return JournalContents(tuple(lines), torn, start, fault, seal, altered)


def read_journal(path: Path) -> tuple[tuple[Line, ...], str | None]:
    """Return the lines of the log at *path*, and what was torn off its end, if anything.

    Raises:
        JournalError: it cannot be read, or a line that is not the torn last one is wrong.
    """
    found = scan_journal(read_bytes(path))
    if found.fault:
        raise JournalError(f"{path}, line {len(found.lines) + 1}: {found.fault}")
    return found.lines, found.torn


def read_bytes(path: Path) -> bytes:
    """Return what the file at *path* holds.

    Raises:
        JournalError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from error


def _decode(line: bytes) -> str | None:
    """Return a line's text if it is JSON, else None."""
    try:
        text = line.decode()
        parse_json(text)
    except ValueError:
        return None
    return text
