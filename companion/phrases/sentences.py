"""A sentence for people, with what a queue must know to keep it fresh."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from companion.phrases.catalogue import Wording


class Importance(IntEnum):
    """How much a sentence matters; a higher one is the last to be left out."""

    CHATTER = 0
    """What is awaited of whom, and other reminders."""
    NORMAL = 1
    """Throws and lawful moves: what the players just did themselves."""
    RULING = 2
    """What they must know: a wrong move, a knock-out, a question, the end."""


class Topic(StrEnum):
    """What a sentence is about; of two on one topic the newer makes the older stale."""

    GAME = "game"
    TURN = "turn"
    THROW = "throw"
    MOVE = "move"
    BANK = "bank"
    WRONG = "wrong"
    QUESTION = "question"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or two short ones that belong together.

    Attributes:
        text: for the eye.
        spoken: for a synthesiser, with squares and numbers as it must say them.
        importance: how much it matters.
        topic: what it is about.
        drops: further topics on which it makes what waits stale.
    """

    text: str
    spoken: str
    importance: Importance
    topic: Topic
    drops: tuple[Topic, ...] = ()


_STALE: Final[dict[Topic, tuple[Topic, ...]]] = {
    Topic.THROW: (Topic.TURN, Topic.WRONG, Topic.QUESTION),
    Topic.MOVE: (Topic.TURN, Topic.THROW, Topic.WRONG, Topic.QUESTION),
    Topic.WRONG: (Topic.TURN,),
    Topic.QUESTION: (Topic.TURN,),
}


def sentence(words: Wording, importance: Importance, topic: Topic, end: str = ".") -> Sentence:
    """Return *words* with a capital at the beginning and a mark at the *end*."""
    shown, spoken = (text[:1].upper() + text[1:] + end for text in (words.shown, words.spoken))
    return Sentence(shown, spoken, importance, topic, _STALE.get(topic, ()))
