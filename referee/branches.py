"""Branches: matches as other readings of a cast would have made them."""

import math
from dataclasses import dataclass, replace
from typing import Final, Self

from referee.events import (
    Answer,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    IllegalCleared,
    IllegalMove,
    OpeningThrow,
    Question,
    Unclear,
)
from referee.hypotheses import Step, casts_of
from referee.match import EventError, Match
from referee.outcomes import lawful_events
from referee.verdict import Verdict

LEAST_CHANCE: Final = 0.02
"""A reading of a cast less probable than this, against the likeliest, is not kept."""
MOST_BRANCHES: Final = 4
ANY_WRONG: Final = -3.0
"""There are some twenty times as many wrong things to do as lawful ones, so that what looks like a
certain wrong act, and is the lawful act of another match, is less likely by so many nats."""

_TALK: Final = (Answer, IllegalCleared, IllegalMove, Question, Unclear)


@dataclass(frozen=True, slots=True)
class Branch:
    """A match as another reading of a cast would have made it.

    Attributes:
        since: the number of the event up to which it is the match as ruled.
        match: its state.
        events: what was played in it since, and not taken back.
        numbers: of these events, as its own match counts them.
        gain: by how many nats it explains all that was seen since better, its own chance included.
        looks: how many scenes it has been weighed in.
        asked: how many of its events there were when people were asked which reading is right.
    """

    since: int
    match: Match
    events: tuple[Event, ...]
    numbers: tuple[int, ...]
    gain: float
    looks: int = 0
    asked: int = 0

    @classmethod
    def of(cls, match: Match, steps: tuple[Step, ...], gain: float) -> Self:
        """Return the branch of *match* in which *steps* were taken.

        Raises:
            EventError: they cannot follow.
        """
        events = lawful_events(match, steps)
        numbers = tuple(range(match.sequence + 1, match.sequence + 1 + len(events)))
        return cls(match.sequence, match.after_all(events), events, numbers, gain)

    def weighed(self, ruled: Verdict, seen: Verdict) -> Self:
        """Return the branch after a scene in which it saw what *seen* says.

        What was done and taken back within the branch is left out: the log that follows it counts
        its events otherwise, and could not say up to which to go back.
        """
        played = list(zip(self.numbers, self.events, strict=True))
        for number, event in enumerate(seen.events, self.match.sequence + 1):
            if isinstance(event, Corrected) and event.undo_to > self.since:
                played = [one for one in played if one[0] <= event.undo_to]
            elif not isinstance(event, _TALK):
                played.append((number, event))
        return replace(
            self,
            match=self.match.after_all(seen.events),
            events=tuple(event for _, event in played),
            numbers=tuple(number for number, _ in played),
            gain=self.gain + _score(seen) - _score(ruled),
            looks=self.looks + 1,
        )


def other_readings(match: Match, verdict: Verdict) -> list[Branch]:
    """Return the branches that begin with another reading of a cast just ruled on."""
    first = verdict.weighed[0]
    ruled = casts_of(first.hypothesis.steps)
    told = any(
        isinstance(event, OpeningThrow | DieThrown | DieUnreadable) for event in verdict.events
    )
    if not told or not ruled:
        return []
    found: dict[tuple[Step, ...], Branch] = {}
    for one in verdict.weighed[1:]:
        tale = one.hypothesis
        casts = casts_of(tale.steps)
        chance = one.probability / first.probability
        if tale.fault is not None or tale.unfinished or len(casts) != len(ruled):
            continue
        if casts == ruled or casts in found or chance < LEAST_CHANCE:
            continue
        try:
            found[casts] = Branch.of(match, tale.steps, math.log(chance))
        except EventError:
            continue
    return list(found.values())


def _score(verdict: Verdict) -> float:
    first = verdict.weighed[0]
    return first.score + (ANY_WRONG if first.hypothesis.fault is not None else 0.0)
