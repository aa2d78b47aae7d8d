"""Games from elsewhere: records, JSON lines and tables, every move of them checked.

Nothing is taken of a game in which anything is wrong; the first wrong line is named.
"""

import re
import shutil
import zipfile
from codecs import BOM_UTF8
from collections.abc import Callable
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from companion.errors import InputError
from companion.log.disk import replace_file, unwritable
from companion.log.export import parse_csv
from companion.log.game_folder import JOURNAL_NAME, RECORD_NAME, new_folder
from companion.log.games import find_same
from companion.log.journal import Journal, Writer, record_date
from companion.log.lines import Line, check_printable
from companion.log.reader import scan_journal
from companion.log.verify import NO_TEXT, prove
from companion.settings import PACKAGE
from referee.events import (
    By,
    Event,
    FirstPlayer,
    GameAbandoned,
    GameStarted,
    PlayerLeft,
    PositionSet,
    Source,
)
from referee.game_record import Ending, GameRecord
from referee.hypotheses import Moved, Passed
from referee.match import Match
from referee.outcomes import follow_ups, lawful_events, thrown_events
from referee.position import position_text
from referee.record import parse_record, record_text
from referee.rules import changed_options
from tabletop import Colour

USUAL_COLOURS: Final = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
"""Of the players of a record that names none, in their order."""
_BUNDLED: Final = re.compile(
    r"game/(journal\.jsonl|torn\.bin|(?:pictures|why|tables|clips)/\w[\w.-]*)", re.ASCII
)
"""What is taken out of a bundle, and where it goes; no other name may lead anywhere."""
BEGUN_WITH: Final = "the record begins with this position"


def import_game(path: Path, games_dir: Path, now: datetime) -> Path:
    """Take the game in the file at *path* into *games_dir* and return its folder.

    It may be a record, a log or its JSON lines, a table as `companion.log.export.csv_text` writes,
    or a bundle, of which all that belongs to the game is taken. *now* is when a record without a
    date was played.

    Raises:
        InputError: it cannot be read, or is wrong; the line is named. Or it is there already.
        JournalError: it cannot be written.
    """
    bundled = _bundled_files(path)
    try:
        data = bundled.pop(JOURNAL_NAME, None)
        data = (path.read_bytes() if data is None else data).removeprefix(BOM_UTF8)
        text = data.decode()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be imported: {NO_TEXT}: save it in that coding") from error
    if not text.strip():
        raise InputError(f"{path} is empty: there is no game in it")
    form, read = _form(text)
    lines = read(path, text, now)
    setup = lines[0].event
    assert isinstance(setup, GameStarted)  # or it would not have been proved
    there = find_same(games_dir, setup, lines[0].at)
    if there is not None:
        raise InputError(f"{path} is there already, as the game {there}")
    if form == "jsonl":
        return _copy(data, bundled, lines, games_dir)
    writer = Writer(program=metadata.version(PACKAGE), imported=form)
    with Journal.create(games_dir, setup, lines[0].at, writer) as journal:
        try:
            for line in lines[1:]:
                journal.append(line.event, line.at)
            journal.write_record(_proved(path, lines, range(1, len(lines) + 1)))
        except BaseException:
            journal.discard()  # half of a game would be listed as one that goes on
            raise
        return journal.folder


def record_lines(record: GameRecord, now: datetime | None = None) -> tuple[Line, ...]:
    """Return a recorded game as lines of a log, all at noon of its day; without one, *now*."""
    at = _day(record.header.date) or now or datetime.fromtimestamp(0).astimezone()
    return tuple(Line(number, at, event) for number, event in enumerate(record_events(record), 1))


def record_events(record: GameRecord) -> tuple[Event, ...]:
    """Return the events of a recorded game, as if people had said every throw."""
    header = record.header
    colours = header.colours or USUAL_COLOURS[: len(header.seats)]
    setup = GameStarted(
        seats=tuple(zip(header.seats, colours, strict=True)),
        names=tuple(zip(header.seats, header.names, strict=True)),
        rules=tuple(sorted(changed_options(header.rules).items())),
        stake=header.stake,
        fine=header.fine,
        unit=header.unit,
        program=metadata.version(PACKAGE),
        table="",
    )
    match = Match.start(setup)
    events: list[Event] = [setup]

    def play(*further: Event) -> None:
        nonlocal match
        for event in further:
            events.append(event)
            match = match.after(event)

    if header.setup is not None:
        play(PositionSet(By.COMMAND, position_text(header.setup, header.rules), BEGUN_WITH))
    else:
        first = header.start.to_move
        play(FirstPlayer(first, match.colour(first)))
    for action in record.actions:
        play(*thrown_events(match, action.die, 1.0, Source.PERSON))
        step = Moved(action.move) if action.move else Passed(chosen=bool(match.legal))
        play(*lawful_events(match, (step,)))
    for seat in header.left:
        left = PlayerLeft(seat, match.colour(seat))
        play(left)
        play(*follow_ups(match, left))
    if record.result is Ending.ABANDONED:
        play(GameAbandoned(tuple(match.bank.refund().items())))
    return tuple(events)


Reader = Callable[[Path, str, datetime], tuple[Line, ...]]


def _form(text: str) -> tuple[str, Reader]:
    """Tell by how it begins what *text* is, and what reads it."""
    begin = text.lstrip()
    if begin.startswith("{") and '"sequence"' in begin[:200]:
        return "jsonl", _read_jsonl
    if begin.startswith("sequence,"):
        return "csv", _read_csv
    return "record", _read_record


def _read_jsonl(path: Path, text: str, _: datetime) -> tuple[Line, ...]:
    found = scan_journal(text.encode())
    if found.fault or found.torn:
        raise InputError(f"{path}, line {len(found.lines) + 1}: {found.fault or found.torn}")
    if found.altered is not None:
        raise InputError(f"{path}, line {found.altered}: it, or the one before, was altered")
    _proved(path, found.lines, range(1, len(found.lines) + 1))
    return found.lines


def _read_csv(path: Path, text: str, _: datetime) -> tuple[Line, ...]:
    try:
        numbered = parse_csv(text)
    except ValueError as error:
        raise InputError(f"{path}, {error}") from error
    lines = tuple(line for _, line in numbered)
    _proved(path, lines, [number for number, _ in numbered])
    return lines


def _read_record(path: Path, text: str, now: datetime) -> tuple[Line, ...]:
    try:
        check_printable(text)
        return record_lines(parse_record(text), now)
    except ValueError as error:
        raise InputError(f"{path}, {error}") from error


def _proved(path: Path, lines: tuple[Line, ...], numbers: "range | list[int]") -> Match:
    """Return the state that *lines* lead to, which stand on the *numbers* of a file's lines.

    Raises:
        InputError: a line cannot follow those before it, or there is none.
    """
    states, wrong = prove(line.event for line in lines)
    if wrong:
        raise InputError(f"{path}, line {numbers[len(states)]}: {wrong}")
    if not states:
        raise InputError(f"{path} holds no game")
    return states[-1]


def _day(date: str) -> datetime | None:
    """Return noon, here, of a record's date; None where it is not wholly known."""
    try:
        return datetime.strptime(date, "%Y.%m.%d").replace(hour=12).astimezone()
    except ValueError:
        return None


def _bundled_files(path: Path) -> dict[str, bytes]:
    """Return what a bundle holds of its game, by the names in the game's folder; else nothing.

    Raises:
        InputError: it is an archive, but no bundle that can be read.
    """
    if not zipfile.is_zipfile(path):
        return {}
    from hardware.archives import open_archive  # it brings OpenCV with it

    try:
        with open_archive(path) as bundle:
            names = [(name, _BUNDLED.fullmatch(name)) for name in bundle.namelist()]
            found = {within[1]: bundle.read(name) for name, within in names if within}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is a bundle that cannot be read: {error}") from error
    if JOURNAL_NAME not in found:
        raise InputError(f"{path} is an archive, and no bundle of a game: it has no log in it")
    return found


def _copy(data: bytes, beside: dict[str, bytes], lines: tuple[Line, ...], games_dir: Path) -> Path:
    """Put a log into a new folder as it is, so that its chain stays what it was."""
    folder = new_folder(games_dir, lines[0].at)
    match = prove(line.event for line in lines)[0][-1]
    text = record_text(match.record(date=record_date(lines[0])))
    try:
        for name, content in beside.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        replace_file(folder / RECORD_NAME, text.encode())
        replace_file(folder / JOURNAL_NAME, data)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)  # nobody would find what is there of it
        if isinstance(error, OSError):
            raise unwritable(folder, error) from error
        raise
    return folder
