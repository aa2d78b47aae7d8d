"""Branches: matches as other readings of a cast would have made them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

from referee.events import (
    Answer,
    Event,
    IllegalCleared,
    IllegalMove,
    Question,
    Unclear,
)
from referee.hypotheses import Step, casts_of
from referee.judge import Verdict
from referee.match import EventError, Match
from referee.outcomes import lawful_events

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
        events: what was played in it since.
        gain: by how many nats it explains all that was seen since better, its own chance included.
        looks: how many scenes it has been weighed in.
        asked: how many of its events there were when people were asked which reading is right.
    """

    since: int
    match: Match
    events: tuple[Event, ...]
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
        return cls(match.sequence, _after(match, events), events, gain)

    def weighed(self, ruled: Verdict, seen: Verdict) -> Self:
        """Return the branch after a scene in which it saw what *seen* says."""
        events = tuple(event for event in seen.events if not isinstance(event, _TALK))
        return replace(
            self,
            match=_after(self.match, seen.events),
            events=(*self.events, *events),
            gain=self.gain + _score(seen) - _score(ruled),
            looks=self.looks + 1,
        )


def other_readings(match: Match, verdict: Verdict) -> list[Branch]:
    """Return the branches that begin with another reading of a cast just ruled on."""
    first = verdict.weighed[0]
    ruled = casts_of(first.hypothesis.steps)
    if not verdict.die_counted or not ruled:
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


def _after(match: Match, events: Iterable[Event]) -> Match:
    for event in events:
        match = match.after(event)
    return match


def _score(verdict: Verdict) -> float:
    first = verdict.weighed[0]
    return first.score + (ANY_WRONG if first.hypothesis.fault is not None else 0.0)
