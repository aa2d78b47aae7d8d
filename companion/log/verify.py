"""Proving a logged game: no line was altered, each can follow the one before, the record agrees.

Nothing is believed because it is written: each event is played again by the rules, what follows
from a move is worked out anew, and the record is compared with the one the log leads to.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.log.game_folder import JOURNAL_NAME, RECORD_NAME
from companion.log.games import RecordFile
from companion.log.lines import check_printable
from companion.log.reader import JournalContents, scan_journal
from companion.phrases.written import Written
from referee.event_json import event_json
from referee.events import (
    CheckerCameHome,
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    DieThrown,
    Event,
    ExtraThrow,
    FinePaid,
    FirstPlayer,
    GameAbandoned,
    GameStarted,
    GameWon,
    OpeningThrow,
    ThrowPassed,
)
from referee.game_record import GameRecord
from referee.match import Match
from referee.outcomes import follow_ups
from referee.record import parse_record, record_text

_FOLLOWS: Final = (CheckerKnockedOut, FinePaid, CheckerCameHome, ExtraThrow, GameWon)
"""Events that say what a move led to; the match itself does not need them."""
_PLAYS: Final = (CheckerEntered, CheckerMoved, ThrowPassed)
_COLOURED: Final = (OpeningThrow, FirstPlayer, DieThrown, *_PLAYS)
_AGREED: Final = (
    "seats",
    "names",
    "colours",
    "first",
    "rules",
    "stake",
    "fine",
    "unit",
    "setup",
    "left",
)
"""What a record's tags and the log must agree on."""
_SEAL_SHOWN: Final = 12
_BEHIND: Final = (
    "{} lacks the log's last events ({}), as after a power cut or on a full disk: "
    "`pachisi games export --format record` makes it anew"
)
NO_TEXT: Final = "it is not text in UTF-8, as records are"
_PLACE: Final = re.compile(r"line (\d+)(?:, column \d+)?: ")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, in which file, on which line (counted from 1; None for the whole file)."""

    file: Path
    line: int | None
    reason: str

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.file}{where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of proving a game.

    Attributes:
        faults: what is wrong, the first in each file; none where the game is right.
        notes: what is worth telling and not wrong.
        events: how many lines of the log were proved.
        match: the state they lead to; None for a record alone, or where none was proved.
        seal: the hash that the log's chain ends with; whoever noted it down can tell later that
            not even the whole log was written anew. Empty where there is no chain.
        scenes: how many scenes were read again from their pictures.
        alike: how many of them lead to the same events again.
    """

    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    events: int
    match: Match | None
    seal: str = ""
    scenes: int = 0
    alike: int = 0

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def text(self, words: Written) -> str:
        """Return in short, and in *words*, what was proved."""
        if self.match is None:
            return words("a-record")
        told = [words("events", count=self.events)]
        if self.seal:
            told.append(words("sealed", seal=self.seal[:_SEAL_SHOWN]))
        if self.scenes:
            told.append(words("seen-alike", alike=self.alike, scenes=self.scenes))
        return ", ".join(told)


def verify(game: Path | RecordFile) -> Verification:
    """Prove the game in a folder, or the record at a path alone.

    A torn last line is left out and noted; a record may then know more than the log.
    """
    if isinstance(game, RecordFile):
        _, fault = _read_record(game.path)
        return Verification((fault,) if fault else (), (), 0, None)
    path = game / JOURNAL_NAME
    try:
        found = scan_journal(path.read_bytes())
    except OSError as error:
        return Verification((Fault(path, None, f"cannot be read: {error}"),), (), 0, None)
    notes = [f"{JOURNAL_NAME}: {found.torn}"] if found.torn else []
    states, wrong = prove(line.event for line in found.lines)
    faults = list(_log_faults(path, found, len(states), wrong))
    if states and not faults:
        fault, note = _compare_record(game / RECORD_NAME, states, bool(found.torn))
        faults += [fault] if fault else []
        notes += [note] if note else []
    last = found.lines[len(states) - 1] if states else None
    seal = last.hash if last else ""
    if states and not seal:
        notes.append(f"{JOURNAL_NAME}: it is of format 1, which has no hashes to tell alterations")
    match = states[-1] if states else None
    return Verification(tuple(faults), tuple(notes), len(states), match, seal)


def _log_faults(
    path: Path, found: JournalContents, proved: int, wrong: str | None
) -> Iterator[Fault]:
    """Yield the first thing that is wrong with a log, of which *proved* lines can be."""
    if found.altered is not None and found.altered <= proved + 1:
        reason = "it is not as it was written, or the line before is not: the hashes do not fit"
        here = wrong if found.altered == proved + 1 else None
        yield Fault(path, found.altered, f"{here}; {reason}" if here else reason)
    elif wrong or found.fault:
        yield Fault(path, proved + 1, wrong or str(found.fault))
    elif not proved:
        yield Fault(path, None, "there is no whole line in it")


def prove(events: Iterable[Event]) -> tuple[list[Match], str | None]:
    """Return the state after each event that is right, and what is wrong with the next, if any."""
    states: list[Match] = []
    due: tuple[Event, ...] = ()
    for event in events:
        try:
            if due or isinstance(event, _FOLLOWS):
                due = _without_first(due, event)
            state = _next_state(states, event)
        except ValueError as error:
            return states, str(error)
        due = due or follow_ups(state, event)
        states.append(state)
    return states, None


def as_if_sure(event: Event) -> Event:
    """Return *event* as if the eyes had been sure of it: what counts when two are compared."""
    if isinstance(event, OpeningThrow | DieThrown):
        return replace(event, confidence=1.0)
    return event


def verification_json(name: str, found: Verification) -> dict[str, Any]:
    """Return what came of proving the game *name* as JSON values."""
    return {
        "game": name,
        "right": found.right,
        "events": found.events,
        "faults": [
            {"file": str(fault.file), "line": fault.line, "reason": fault.reason}
            for fault in found.faults
        ],
        "notes": list(found.notes),
        "seal": found.seal,
        "scenes": found.scenes,
        "seen_alike": found.alike,
    }


def _next_state(states: list[Match], event: Event) -> Match:
    if not states:
        if not isinstance(event, GameStarted):
            raise ValueError(f"a game begins with game_started, not {event.kind}")
        return Match.start(event)
    before = states[-1]
    after = before.after(event)
    if isinstance(event, CheckerMoved) and event.steps != after.throws[-1].played.steps:
        raise ValueError(f"the checker went {after.throws[-1].played.steps}, not {event.steps}")
    if isinstance(event, GameAbandoned) and dict(event.paid_back) != before.bank.refund():
        raise ValueError(f"paid back is {dict(event.paid_back)}, not what each paid in")
    if isinstance(event, _COLOURED) and event.colour is not before.colour(event.seat):
        raise ValueError(f"{event.seat} plays {before.colour(event.seat)}, not {event.colour}")
    return after


def _without_first(due: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
    """Take *event* off those that are *due* after a move, which it must be the first of."""
    if not due:
        raise ValueError(f"{event.kind} does not follow from the move before it")
    if event != due[0]:
        raise ValueError(f"after the move {_shown(due[0])} is due, not {_shown(event)}")
    return due[1:]


def _shown(event: Event) -> str:
    return f"{event.kind} {event_json(event)}"


def _compare_record(path: Path, states: list[Match], torn: bool) -> tuple[Fault | None, str | None]:
    """Return how the record differs from that of the last of *states*, and what to note."""
    if not path.exists():
        return None, f"{path.name} is missing: `pachisi games export --format record` makes it"
    record, fault = _read_record(path)
    if record is None:
        return fault, None
    due, written = states[-1].record(), _plain(record)
    for behind, state in enumerate(reversed(states)):
        if _plain(state.record()) == written:
            return None, _BEHIND.format(path.name, behind) if behind else None
    name = next(
        (name for name in _AGREED if getattr(record.header, name) != getattr(due.header, name)),
        None,
    )
    if name:
        got, want = getattr(record.header, name), getattr(due.header, name)
        return Fault(path, None, f"it says that {name} is {got}, and the log {want}"), None
    if torn and record.actions[: len(due.actions)] == due.actions:
        return None, f"{path.name} knows more than the log, whose last line was torn"
    return Fault(path, *_first_difference(path, due)), None


def _plain(record: GameRecord) -> tuple[object, ...]:
    """Return what must be equal in two records of a game: not the date, nor any comment."""
    header = record.header
    return (
        *(getattr(header, name) for name in _AGREED),
        tuple((action.die, action.move) for action in record.actions),
        record.result,
    )


def _first_difference(path: Path, due: GameRecord) -> tuple[int | None, str]:
    """Return the first line after the tags that is not as the log has it, and what is."""
    written = path.read_text(encoding="utf-8").splitlines()
    wanted = [line for line in record_text(due).splitlines() if not line.startswith("[")]
    moves = [pair for pair in enumerate(written, 1) if not pair[1].startswith("[")]
    for (number, got), want in zip(moves, wanted, strict=False):
        if got != want:
            return number, f"it says {got!r}, and the log {want!r}"
    return None, f"it ends after line {len(written)}, and the log goes on"


def _read_record(path: Path) -> tuple[GameRecord | None, Fault | None]:
    """Return the record at *path*, or what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
        check_printable(text)
        return parse_record(text), None
    except OSError as error:
        return None, Fault(path, None, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        return None, Fault(path, None, NO_TEXT)
    except ValueError as error:
        place = _PLACE.match(str(error))
        if place is None:
            return None, Fault(path, None, str(error))
        return None, Fault(path, int(place[1]), str(error)[place.end() :])
