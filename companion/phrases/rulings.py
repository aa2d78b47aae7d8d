"""From the events of a verdict to the few sentences that tell them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.phrases.catalogue import Catalogue, Wording, Words
from companion.phrases.prompts import prompt_text
from companion.phrases.sentences import Importance, Sentence, Topic
from companion.phrases.speaker import Speaker
from companion.phrases.wrong import put_right, wrong_move
from referee.events import (
    About,
    Answer,
    BoardAgrees,
    BoardDiffers,
    BoardFound,
    BoardLost,
    CameraFound,
    CameraLost,
    CheckerCameHome,
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    ExtraThrow,
    FinePaid,
    FirstPlayer,
    GameAbandoned,
    GameStarted,
    GameWon,
    IllegalCleared,
    IllegalMove,
    Obscured,
    OpeningThrow,
    PassReason,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Question,
    Resumed,
    ThrowPassed,
    Unclear,
    Visible,
)
from referee.match import Match, Phase
from tabletop import Seat

_DEEDS: Final = (OpeningThrow, DieThrown, CheckerEntered, CheckerMoved)
_CONSEQUENCES: Final = (CheckerKnockedOut, FinePaid, CheckerCameHome, ExtraThrow, GameWon)
_REMINDERS: Final = (
    Resumed,
    BoardFound,
    CameraFound,
    Corrected,
    IllegalCleared,
    PositionSet,
    PlayerLeft,
    BoardAgrees,
)
"""After these people want to hear what is awaited, even though that did not change."""

_SAID_BY: Final = (ExtraThrow, FirstPlayer, DieUnreadable)
"""Their sentences say whose throw it is."""

_PLAIN: Final[dict[type[Event], tuple[str, Importance]]] = {
    CameraLost: ("camera-lost", Importance.RULING),
    CameraFound: ("camera-found", Importance.RULING),
    BoardFound: ("board-found", Importance.RULING),
    Obscured: ("obscured", Importance.NORMAL),
    Visible: ("visible", Importance.CHATTER),
    Paused: ("paused", Importance.RULING),
    Resumed: ("resumed", Importance.RULING),
}
"""Events of the table and the game that are told in the same words each time."""

_STALE: Final[dict[Topic, tuple[Topic, ...]]] = {
    Topic.THROW: (Topic.TURN, Topic.WRONG, Topic.QUESTION),
    Topic.MOVE: (Topic.TURN, Topic.THROW, Topic.WRONG, Topic.QUESTION),
    Topic.WRONG: (Topic.TURN,),
    Topic.QUESTION: (Topic.TURN,),
}


class Phrases:
    """Sentences in one language.

    Squares are called by their names, or by their place: "Red 3" is the third square after Red's
    corner, for boards without letters.

    Raises:
        ValueError: there is no phrase table for the language.
    """

    def __init__(self, language: str, *, by_place: bool = False) -> None:
        self._catalogue = Catalogue(language)
        self._by_place = by_place
        self.language = language

    def rulings(
        self, events: Sequence[Event], before: Match | None, after: Match
    ) -> tuple[Sentence, ...]:
        """Return what to say of *events*, all of one verdict, that led from *before* to *after*.

        What belongs to one happening (a move, the knock-out, the fine, the extra throw) becomes
        one or two sentences. Whose turn it is follows where that is new and not said yet.
        """
        speaker = self._speaker(after)
        told = _told(events, before)
        said: list[Sentence] = []
        corrects = False
        for happening in _happenings(told):
            if isinstance(happening[0], Corrected):
                corrects = True
                continue
            if isinstance(happening[0], BoardDiffers):
                said.append(_restore(speaker, happening[0], before))
            else:
                said += _tell(speaker, happening, after, corrects)
            corrects = False
        if corrects:
            said.append(_sentence(speaker.say("taken-back"), Importance.RULING, Topic.MOVE))
        if _calls_for_prompt(told, before, after):
            said.append(self.prompt(after))
        return tuple(said)

    def prompt(self, match: Match) -> Sentence:
        """Return what is awaited of whom."""
        speaker = self._speaker(match)
        if match.wrong is not None:
            return _sentence(
                wrong_move(speaker, match.wrong, match), Importance.RULING, Topic.WRONG
            )
        if match.differs:
            return _restore(speaker, BoardDiffers(match.differs), None)
        if match.question is not None:
            return _question(speaker, match.question)
        return _sentence(prompt_text(speaker, match), Importance.CHATTER, Topic.TURN)

    def page_code(self, code: str) -> Sentence:
        """Return what lets a phone see the console page, digit by digit."""
        said = self._catalogue.format("page-code", code=Wording(code, ", ".join(code)))
        return _sentence(said, Importance.RULING, Topic.GAME)

    def label(self, name: str) -> str:
        """Return the heading *name* of the terminal's view."""
        return self._catalogue.format(f"label-{name}").shown

    def player(self, match: Match, seat: Seat) -> str:
        """Return what the player on *seat* is called, with a capital."""
        name = self._speaker(match).player(seat)["who"].shown
        return name[:1].upper() + name[1:]

    def amount(self, match: Match, count: int) -> str:
        """Return a sum in the unit of the game."""
        return self._speaker(match).amount(count)["amount"].shown

    def _speaker(self, match: Match) -> Speaker:
        return Speaker(self._catalogue, match.setup, by_place=self._by_place)


def _told(events: Sequence[Event], before: Match | None) -> tuple[Event, ...]:
    """Leave out what the rest of the verdict says as well: mended or answered, and so played.

    That the board agrees is no news where nobody was told that it does not.
    """
    played = any(isinstance(event, (*_DEEDS, Corrected, IllegalMove)) for event in events)
    implied: tuple[type[Event], ...] = (IllegalCleared, Answer, BoardAgrees) if played else ()
    if before is None or not before.differs:
        implied = (*implied, BoardAgrees)
    return tuple(event for event in events if not isinstance(event, implied))


def _happenings(events: Sequence[Event]) -> list[list[Event]]:
    """Group a deed with its consequences; everything else stands alone."""
    groups: list[list[Event]] = []
    for event in events:
        follows = isinstance(event, _CONSEQUENCES) or (
            isinstance(event, ThrowPassed) and event.reason is PassReason.NO_MOVE
        )
        clausal = groups and isinstance(groups[-1][0], (*_DEEDS, *_CONSEQUENCES, ThrowPassed))
        if follows and clausal:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def _tell(
    speaker: Speaker, happening: Sequence[Event], match: Match, corrects: bool
) -> list[Sentence]:
    head = happening[0]
    if isinstance(head, (*_DEEDS, *_CONSEQUENCES, ThrowPassed)):
        return _tell_deed(speaker, happening, corrects)
    return [_tell_other(speaker, head, match)]


def _tell_deed(speaker: Speaker, happening: Sequence[Event], corrects: bool) -> list[Sentence]:
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
        said.append(_sentence(what, importance, Topic.THROW if thrown else Topic.MOVE))
    for paid in (_fines(speaker, happening), _winnings(speaker, happening)):
        if paid is not None:
            said.append(_sentence(paid, Importance.RULING, Topic.BANK))
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
            return speaker.say("clause-enters", **who, to=speaker.square(event.target))
        case CheckerMoved():
            ends = {"from": speaker.square(event.source), "to": speaker.square(event.target)}
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


def _tell_other(speaker: Speaker, event: Event, match: Match) -> Sentence:
    """Return the sentence of an event that is no player's deed."""
    if type(event) in _PLAIN:
        message, importance = _PLAIN[type(event)]
        return _sentence(speaker.say(message), importance, Topic.TABLE)
    match event:
        case IllegalMove():
            wrong = wrong_move(speaker, event, match)
            return _sentence(wrong, Importance.RULING, Topic.WRONG)
        case IllegalCleared() | BoardAgrees():
            return _sentence(speaker.say("cleared"), Importance.NORMAL, Topic.WRONG)
        case DieUnreadable():
            message = f"unreadable-{event.state}"
            known = message if speaker.has(message) else "unreadable"
            void = speaker.say(known, **speaker.player(event.seat))
            return _sentence(void, Importance.RULING, Topic.THROW)
        case Question():
            return _question(speaker, event)
        case Unclear():
            return _sentence(_unclear(speaker, event), Importance.RULING, Topic.QUESTION)
        case Answer():
            answered = speaker.say("answered", choice=speaker.choice(event.choice))
            return _sentence(answered, Importance.NORMAL, Topic.QUESTION)
        case BoardLost():
            message = f"board-lost-{event.reason}"
            known = message if speaker.has(message) else "board-lost"
            return _sentence(speaker.say(known), Importance.RULING, Topic.TABLE)
        case _:
            return _sentence(_about_the_game(speaker, event), Importance.RULING, Topic.GAME)


def _about_the_game(speaker: Speaker, event: Event) -> Wording:
    """Return how the game begins, or ends without a winner."""
    match event:
        case GameStarted():
            players = [speaker.player(seat)["who"] for seat, _ in event.seats]
            return speaker.say(
                "game-started",
                players=speaker.joined(players, "and"),
                stake=speaker.amount(event.stake)["amount"],
                fine=speaker.amount(event.fine)["amount"],
            )
        case FirstPlayer():
            return speaker.say("first-player", **speaker.player(event.seat))
        case PositionSet():
            return speaker.say("position-set")
        case PlayerRenamed():
            return speaker.say("renamed", **speaker.player(event.seat))
        case PlayerLeft():
            return speaker.say("left", **speaker.player(event.seat))
        case GameAbandoned():
            back = [
                speaker.say("gets-back", **speaker.player(seat), **speaker.amount(amount))
                for seat, amount in event.paid_back
            ]
            return speaker.say("abandoned", payments=speaker.joined(back, "and"))
        case _:
            raise ValueError(f"nobody knows how to tell {event.kind}")


def _question(speaker: Speaker, question: Question) -> Sentence:
    choices = speaker.joined((speaker.choice(one) for one in question.choices), "or")
    message = "question-die" if question.about is About.DIE else "question-move"
    asked = speaker.say(message, choices=choices)
    return _sentence(asked, Importance.RULING, Topic.QUESTION, end="?")


def _unclear(speaker: Speaker, event: Unclear) -> Wording:
    """Return what cannot be made out, and what helps."""
    if not event.squares:
        return speaker.say("unclear-die")
    squares = speaker.joined((speaker.square(at) for at in event.squares), "and")
    return speaker.say("unclear-squares", squares=squares)


def _restore(speaker: Speaker, event: BoardDiffers, before: Match | None) -> Sentence:
    """Return what must stand where, of what was not said *before*."""
    known = before.differs if before is not None else ()
    fresh = tuple(one for one in event.differs if one not in known) or event.differs
    words = speaker.say("restore", cure=put_right(speaker, fresh))
    return _sentence(words, Importance.RULING, Topic.WRONG)


def _sentence(words: Wording, importance: Importance, topic: Topic, end: str = ".") -> Sentence:
    """Return *words* with a capital at the beginning and a mark at the *end*."""
    shown, spoken = (text[:1].upper() + text[1:] + end for text in (words.shown, words.spoken))
    return Sentence(shown, spoken, importance, topic, _STALE.get(topic, ()))


def _calls_for_prompt(told: Sequence[Event], before: Match | None, after: Match) -> bool:
    """Tell whether to say what is awaited: where that is new, or was interrupted."""
    if after.phase is Phase.OVER or after.paused:
        return False
    if before is None or any(isinstance(event, _REMINDERS) for event in told):
        return True
    if after.wrong is not None or after.question is not None or after.phase is Phase.MOVE:
        return False
    if any(isinstance(event, _SAID_BY) for event in told):
        return False
    return (before.phase, before.to_move) != (after.phase, after.to_move)
