"""What players did and earned, each happening as one sentence of clauses and one of payments."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.phrases.catalogue import Wording, Words
from companion.phrases.sentences import Importance, Sentence, Topic, sentence
from companion.phrases.speaker import Speaker
from referee.events import (
    CheckerCameHome,
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    DieThrown,
    Event,
    ExtraThrow,
    FinePaid,
    GameWon,
    OpeningThrow,
    PassReason,
    ThrowPassed,
)
from tabletop import Seat

DEEDS: Final = (OpeningThrow, DieThrown, CheckerEntered, CheckerMoved)
"""What players do; all else of a happening follows from it."""
CONSEQUENCES: Final = (CheckerKnockedOut, FinePaid, CheckerCameHome, ExtraThrow, GameWon)


def tell_deed(speaker: Speaker, happening: Sequence[Event], corrects: bool) -> list[Sentence]:
    """Return a sentence for what a player did and earned, and one for what is paid."""
    said = []
    clauses = _clauses(speaker, happening)
    if clauses:
        what = speaker.say(
            "did", **speaker.player(_doer(happening)), clauses=speaker.joined(clauses, "and")
        )
        if corrects:
            what = speaker.say("corrected", what=what)
        weighty = any(isinstance(one, CheckerKnockedOut | GameWon) for one in happening)
        importance = Importance.RULING if weighty or corrects else Importance.NORMAL
        thrown = isinstance(happening[0], OpeningThrow | DieThrown)
        said.append(sentence(what, importance, Topic.THROW if thrown else Topic.MOVE))
    for paid in (_fines(speaker, happening), _winnings(speaker, happening)):
        if paid is not None:
            said.append(sentence(paid, Importance.RULING, Topic.BANK))
    return said


def _doer(happening: Sequence[Event]) -> Seat:
    """Return who did what a happening tells; fines and knock-outs name the sufferer too."""
    head = happening[0]
    if isinstance(head, CheckerKnockedOut):
        return head.by
    seat: Seat = head.seat  # type: ignore[union-attr]  # only deeds and consequences come here
    return seat


def _clauses(speaker: Speaker, happening: Sequence[Event]) -> list[Wording]:
    """Return the predicates of one sentence whose subject is the player."""
    who = speaker.player(_doer(happening))
    clauses = [
        clause for event in happening if (clause := _clause(speaker, event, who)) is not None
    ]
    knocked = [event for event in happening if isinstance(event, CheckerKnockedOut)]
    if knocked:
        # The knock-out comes right after the move, the order in which events are written.
        moved = 0 if isinstance(happening[0], CheckerKnockedOut) else 1
        victims = speaker.joined(_victims(speaker, knocked), "and")
        clauses.insert(moved, speaker.say("clause-knocks-out", **who, victims=victims))
    extra = [event for event in happening if isinstance(event, ExtraThrow)]
    if len(extra) > 1:
        clauses.append(speaker.say("clause-throws-twice-more", **who))
    elif extra:
        reason = extra[0].reason.value.replace("_", "-")
        clauses.append(speaker.say(f"clause-throws-again-{reason}", **who))
    if any(isinstance(event, GameWon) for event in happening):
        clauses.append(speaker.say("clause-wins", **who))
    return clauses


def _clause(speaker: Speaker, event: Event, who: Words) -> Wording | None:
    """Return the predicate of one event that has its own."""
    match event:
        case OpeningThrow() | DieThrown():
            return speaker.say("clause-throws", **who, value=speaker.value(event.value))
        case CheckerEntered():
            return speaker.say("clause-enters", **who, **speaker.square("to", event.target))
        case CheckerMoved():
            ends = speaker.square("from", event.source) | speaker.square("to", event.target)
            return speaker.say("clause-moves", **who, **ends)
        case ThrowPassed(reason=PassReason.NO_MOVE):
            return speaker.say("clause-cannot-move", **who)
        case ThrowPassed():
            return speaker.say("clause-passes", **who)
        case CheckerCameHome():
            return speaker.say("clause-brings-home", **who, count=event.at_home)
        case _:
            return None


def _victims(speaker: Speaker, knocked: Sequence[CheckerKnockedOut]) -> Iterator[Wording]:
    counts = Counter(event.seat for event in knocked)
    for seat, count in counts.items():
        yield speaker.say("victim", **speaker.player(seat), count=count)


def _fines(speaker: Speaker, happening: Sequence[Event]) -> Wording | None:
    """Return who pays what and what the bank holds then."""
    fines = [event for event in happening if isinstance(event, FinePaid) and event.amount]
    sums: Counter[Seat] = Counter()
    for fine in fines:
        sums[fine.seat] += fine.amount
    if not fines:
        return None
    payments = [
        speaker.say("pays", **speaker.player(seat), **speaker.amount(amount))
        for seat, amount in sums.items()
    ]
    return speaker.say("fines", payments=speaker.joined(payments, "and"), bank=fines[-1].bank)


def _winnings(speaker: Speaker, happening: Sequence[Event]) -> Wording | None:
    """Return what the bank pays the winner."""
    for event in happening:
        if isinstance(event, GameWon) and event.bank:
            return speaker.say(
                "bank-pays", **speaker.player(event.seat), **speaker.amount(event.bank)
            )
    return None
