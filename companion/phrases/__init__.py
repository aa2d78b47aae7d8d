"""What is said and shown: sentences made from the events of a game, in English and Russian."""

from companion.phrases.catalogue import LANGUAGES
from companion.phrases.rulings import Phrases
from companion.phrases.sentences import Importance, Sentence, Topic

__all__ = ["LANGUAGES", "Importance", "Phrases", "Sentence", "Topic"]
