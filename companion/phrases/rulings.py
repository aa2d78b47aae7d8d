"""From the events of a verdict to the few sentences that tell them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.phrases.catalogue import Catalogue, Wording
from companion.phrases.corrections import news_of
from companion.phrases.deeds import CONSEQUENCES, DEEDS, tell_deed
from companion.phrases.prompts import no_die_text, prompt_text
from companion.phrases.sentences import Importance, Sentence, Topic, sentence
from companion.phrases.speaker import Speaker
from companion.phrases.tidings import (
    tell_differences,
    tell_event,
    tell_question,
    tell_wrong,
)
from referee.complaints import is_about_the_die
from referee.events import (
    Answer,
    BoardAgrees,
    BoardDiffers,
    BoardFound,
    CameraFound,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    ExtraThrow,
    FirstPlayer,
    IllegalCleared,
    IllegalMove,
    OpeningThrow,
    PassReason,
    PlayerLeft,
    PositionSet,
    Question,
    Resumed,
    ThrowPassed,
    Unclear,
)
from referee.match import Match, Phase
from tabletop import Seat

_REMINDERS: Final = (
    Resumed,
    BoardFound,
    CameraFound,
    Corrected,
    IllegalCleared,
    PositionSet,
    PlayerLeft,
    BoardAgrees,
    Answer,
)
"""After these people want to hear what is awaited, even though that did not change."""

_TELL_WHAT_TO_DO: Final = (IllegalMove, BoardDiffers, Question, Unclear)
"""Their sentences say what is awaited."""

_THROWS: Final = (OpeningThrow, DieThrown)
_ALWAYS_SAID_BY: Final = (FirstPlayer, DieUnreadable)
_SAID_BY: Final = (ExtraThrow, *_ALWAYS_SAID_BY)
"""Their sentences say whose throw it is; that of an extra throw is part of another, which is left
out where it was told before."""


class Phrases:
    """Sentences in one language.

    Squares are called by their names, or by their place ("the third square after your corner"), for
    boards without letters.

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
        corrects, known = False, before
        news = list(news_of(_happenings(told), before))
        for happening in news:
            if isinstance(happening[0], Corrected):
                corrects = True
                continue
            said += _tell(speaker, happening, known, after, corrects)
            if known is not None and isinstance(happening[0], IllegalMove):
                known = replace(known, wrong=happening[0])
            if known is not None and isinstance(happening[0], BoardDiffers):
                known = replace(known, differs=happening[0].differs)
            corrects = False
        if corrects:
            message = "taken-back" if _undoes(events, before) else "log-right"
            said.append(sentence(speaker.say(message), Importance.RULING, Topic.MOVE))
        if _calls_for_thrower(told, before, after):
            said.append(sentence(prompt_text(speaker, after), Importance.CHATTER, Topic.TURN))
        elif not _says_who_throws(told, news) and _calls_for_prompt(told, before, after):
            said.append(self.prompt(after))
        return tuple(said)

    def prompt(self, match: Match, *, no_die: bool = False) -> Sentence:
        """Return what is awaited of whom; *no_die* is in sight to be thrown."""
        speaker = self._speaker(match)
        if match.paused:
            return sentence(speaker.say("paused"), Importance.CHATTER, Topic.TURN)
        if match.hindrances and match.phase is not Phase.OVER:
            return tell_event(speaker, match.hindrances[-1])
        if match.wrong is not None:
            return tell_wrong(speaker, match.wrong, None, match)
        if match.differs:
            return tell_differences(speaker, BoardDiffers(match.differs), None)
        if match.question is not None:
            return tell_question(speaker, match.question)
        if match.unclear is not None:
            return tell_event(speaker, Unclear(match.unclear))
        if no_die and match.phase in (Phase.OPENING, Phase.THROW):
            return sentence(no_die_text(speaker, match), Importance.RULING, Topic.TURN)
        return sentence(prompt_text(speaker, match), Importance.CHATTER, Topic.TURN)

    def page_code(self, code: str) -> Sentence:
        """Return what lets a phone see the console page, digit by digit."""
        said = self._catalogue.format("page-code", code=Wording(code, ", ".join(code)))
        # What the game or its set-up says next must not take its place.
        return sentence(said, Importance.RULING, Topic.TABLE)

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

    A void cast that was repeated already is not asked for again. That the board agrees is no news
    where nobody was told that it does not, or is not clear; nor that all is in place again where
    nothing was wrong but a cast after the end.
    """
    played = any(isinstance(event, (*DEEDS, Corrected, IllegalMove)) for event in events)
    implied: tuple[type[Event], ...] = (IllegalCleared, Answer, BoardAgrees) if played else ()
    if any(isinstance(event, DieUnreadable) for event in events):
        implied = (*implied, Answer)
    if before is None or not (before.differs or before.unclear):
        implied = (*implied, BoardAgrees)
    if before is not None and before.phase is Phase.OVER and is_about_the_die(before.wrong):
        implied = (*implied, IllegalCleared)
    thrown = max((n for n, event in enumerate(events) if isinstance(event, _THROWS)), default=-1)
    return tuple(
        event
        for n, event in enumerate(events)
        if not isinstance(event, implied) and not (isinstance(event, DieUnreadable) and n < thrown)
    )


def _undoes(events: Sequence[Event], before: Match | None) -> bool:
    """Tell whether something was taken back; a log declared right only goes back to itself."""
    backs = [event.undo_to for event in events if isinstance(event, Corrected)]
    return before is None or any(back < before.sequence for back in backs)


def _happenings(events: Sequence[Event]) -> list[list[Event]]:
    """Group a deed with its consequences; everything else stands alone."""
    groups: list[list[Event]] = []
    for event in events:
        follows = isinstance(event, CONSEQUENCES) or (
            isinstance(event, ThrowPassed) and event.reason is PassReason.NO_MOVE
        )
        clausal = groups and isinstance(groups[-1][0], (*DEEDS, *CONSEQUENCES, ThrowPassed))
        if follows and clausal:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def _tell(
    speaker: Speaker,
    happening: Sequence[Event],
    before: Match | None,
    after: Match,
    corrects: bool,
) -> list[Sentence]:
    head = happening[0]
    if isinstance(head, (*DEEDS, *CONSEQUENCES, ThrowPassed)):
        return tell_deed(speaker, happening, corrects)
    if isinstance(head, BoardDiffers):
        return [tell_differences(speaker, head, before)]
    if isinstance(head, IllegalMove):
        return [tell_wrong(speaker, head, before, after)]
    return [tell_event(speaker, head)]


def _says_who_throws(told: Sequence[Event], news: Sequence[Sequence[Event]]) -> bool:
    """Tell whether a correction ends in an extra throw, and just that is told of it."""
    return bool(told and news) and isinstance(told[-1], ExtraThrow) and told[-1] in news[-1]


def _calls_for_thrower(told: Sequence[Event], before: Match | None, after: Match) -> bool:
    """Tell whether to say whose throw it is though something stands wrongly.

    In the opening, and where no move can use what is thrown, one throws after another, and what is
    wrong was told already or is told as well.
    """
    thrown = any(isinstance(event, OpeningThrow | ThrowPassed) for event in told)
    news = before is not None and before.to_move is not after.to_move
    wrong = after.wrong is not None or after.differs or after.unclear
    awaited = after.phase in (Phase.OPENING, Phase.THROW) and not after.paused
    return bool(wrong) and awaited and thrown and news


def _calls_for_prompt(told: Sequence[Event], before: Match | None, after: Match) -> bool:
    """Tell whether to say what is awaited: where that is new, or was interrupted."""
    if after.phase is Phase.OVER or after.paused:
        return False
    if any(isinstance(event, _TELL_WHAT_TO_DO) for event in told):
        return False
    if told and isinstance(told[-1], _ALWAYS_SAID_BY):
        return False
    if before is None:
        # A game that goes on is resumed next, and what is awaited is told then.
        return bool(told)
    if any(isinstance(event, _REMINDERS) for event in told):
        return True
    if after.wrong is not None or after.question is not None or after.phase is Phase.MOVE:
        return False
    if any(isinstance(event, _SAID_BY) for event in told):
        return False
    return (before.phase, before.to_move) != (after.phase, after.to_move)
