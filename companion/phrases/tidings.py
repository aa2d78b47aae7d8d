"""What is told of a game and its table besides what players do."""

from typing import Final

from companion.phrases.catalogue import Wording
from companion.phrases.cures import MOST_NAMED, put_right
from companion.phrases.sentences import Importance, Sentence, Topic, sentence
from companion.phrases.speaker import Speaker
from companion.phrases.wrong import wrong_move
from referee.events import (
    About,
    Answer,
    BoardAgrees,
    BoardDiffers,
    BoardFound,
    BoardLost,
    CameraFound,
    CameraLost,
    DieUnreadable,
    Event,
    FirstPlayer,
    GameAbandoned,
    GameStarted,
    IllegalCleared,
    IllegalMove,
    Obscured,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Question,
    Resumed,
    Unclear,
    Visible,
)
from referee.match import Match, Phase
from referee.reasons import Reason

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


def tell_event(speaker: Speaker, event: Event) -> Sentence:
    """Return the sentence of an event that is no player's deed."""
    if type(event) in _PLAIN:
        message, importance = _PLAIN[type(event)]
        return sentence(speaker.say(message), importance, Topic.TABLE)
    match event:
        case IllegalCleared() | BoardAgrees():
            return sentence(speaker.say("cleared"), Importance.NORMAL, Topic.WRONG)
        case DieUnreadable():
            message = f"unreadable-{event.state}"
            known = message if speaker.has(message) else "unreadable"
            void = speaker.say(known, **speaker.player(event.seat))
            return sentence(void, Importance.RULING, Topic.THROW)
        case Question():
            return tell_question(speaker, event)
        case Unclear():
            return sentence(_unclear(speaker, event), Importance.RULING, Topic.QUESTION)
        case Answer():
            answered = speaker.say("answered", choice=speaker.choice(event.choice))
            return sentence(answered, Importance.NORMAL, Topic.QUESTION)
        case BoardLost():
            message = f"board-lost-{event.reason}"
            known = message if speaker.has(message) else "board-lost"
            return sentence(speaker.say(known), Importance.RULING, Topic.TABLE)
        case _:
            return sentence(_about_the_game(speaker, event), Importance.RULING, Topic.GAME)


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


def tell_question(speaker: Speaker, question: Question) -> Sentence:
    """Return what is asked, with its choices."""
    choices = speaker.joined((speaker.choice(one) for one in question.choices), "or")
    message = "question-die" if question.about is About.DIE else "question-move"
    if question.throw is not None:
        message = "question-throw"
    asked = speaker.say(message, choices=choices)
    return sentence(asked, Importance.RULING, Topic.QUESTION, end="?")


def _unclear(speaker: Speaker, event: Unclear) -> Wording:
    """Return what cannot be made out, and what helps."""
    if not event.squares:
        return speaker.say("unclear-die")
    more = len(event.squares) > MOST_NAMED
    named = (speaker.square("at", at)["at"] for at in event.squares[:MOST_NAMED])
    squares = speaker.joined(named, "comma" if more else "and")
    return speaker.say("unclear-squares.more" if more else "unclear-squares", squares=squares)


def tell_wrong(
    speaker: Speaker, event: IllegalMove, before: Match | None, after: Match
) -> Sentence:
    """Return what is wrong; where just that was told *before*, that a cast changes nothing of it.

    While the throw still counts that the wrong was judged by, what is told anew just as it was is
    told for a cast that does not count.
    """
    told = before.wrong if before is not None else None
    void = (
        before is not None
        and bool(event.differs)
        and told == event
        and event.reason is not Reason.KNOCKED_OUT_LEFT_ON_BOARD
        and after.phase is not Phase.THROW
        and (before.phase, before.die, before.thrown_at)
        == (after.phase, after.die, after.thrown_at)
        and before.opening == after.opening
    )
    words = wrong_move(speaker, event, after, void=void)
    return sentence(words, Importance.RULING, Topic.WRONG)


def tell_differences(speaker: Speaker, event: BoardDiffers, before: Match | None) -> Sentence:
    """Return what must stand where, of what was not said *before*."""
    known = before.differs if before is not None else ()
    fresh = tuple(one for one in event.differs if one not in known) or event.differs
    cure = put_right(speaker, fresh)
    if known == event.differs:
        # Told anew just as it was: the die was cast, and nobody is to throw yet.
        void = speaker.say("wrong", what=speaker.say("void-cast"), cure=cure)
        return sentence(void, Importance.RULING, Topic.WRONG)
    return sentence(speaker.say("restore", cure=cure), Importance.RULING, Topic.WRONG)
