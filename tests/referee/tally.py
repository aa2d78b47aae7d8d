"""What is counted over games that a reader watches who errs."""

from collections import Counter
from dataclasses import dataclass, field, fields

from referee.reasons import Reason


@dataclass(slots=True)
class Tally:
    """What was counted; where a text is kept, it tells the position for who looks into it.

    Attributes:
        games: how many were played.
        moves: lawful moves, which all had to be judged.
        looks: how often a scene was judged.
        habits: what people did besides moving, and how often.
        wrong: the wrong acts, by their right names.
        accepted: wrong acts that were ruled lawful moves without a question.
        missed: wrong acts that were not flagged before the next throw.
        misled: those of which a square was read, surely, as if it were right: that nobody can see.
        misnamed: those called otherwise, by both names.
        false_alarms: lawful scenes that were called wrong.
        questions: what was asked.
        unclear: how often squares or the die could not be made out.
        thrown_again: how often people had to throw again, or say it, for the die was not read.
        misruled: where the log was not as the table, and people said so.
        lost: where even that did not make it right.
    """

    games: int = 0
    moves: int = 0
    looks: int = 0
    habits: Counter[str] = field(default_factory=Counter)
    wrong: Counter[Reason] = field(default_factory=Counter)
    accepted: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    misled: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    unclear: int = 0
    thrown_again: int = 0
    misruled: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))
