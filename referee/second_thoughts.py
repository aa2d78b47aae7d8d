"""Second thoughts: other readings of past casts, kept until the board tells which was right.

A die that leaned, or was read as leaning, decides whose turn it is; a mistake about it makes every
later move look like somebody else's. So beside the match as ruled the few matches are kept that
other readings of the last casts would have led to, and what is seen is weighed in each. When one
of them explains the table far better, the match goes back to where they part and follows it.
"""

import math
from dataclasses import dataclass, replace
from typing import Final, Self

from referee.events import (
    Answer,
    By,
    Corrected,
    Event,
    IllegalCleared,
    IllegalMove,
    Question,
    Unclear,
)
from referee.hypotheses import CastVoid, Step, Threw
from referee.judge import Ruling, Verdict, judge
from referee.match import EventError, Match
from referee.outcomes import lawful_events
from tabletop import Observation

LEAST_CHANCE: Final = 0.02
"""A reading of a cast less probable than this, against the one ruled on, is not kept."""
MOST_BRANCHES: Final = 4
MOST_LOOKS: Final = 24
"""So many scenes another reading is kept; by then the board has told, or never will."""
HOPELESS: Final = -12.0
FAR_BETTER: Final = 2.5
"""By so many nats another match must explain all that was seen since better than the one ruled."""
ANY_WRONG: Final = -3.0
"""There are some twenty times as many wrong things to do as lawful ones, so that what looks like a
certain wrong act, and is the lawful act of another match, is less likely by so many nats."""

WHY: Final = "the moves show that an earlier cast was read wrongly"
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
    """

    since: int
    match: Match
    events: tuple[Event, ...]
    gain: float
    looks: int = 0


@dataclass(frozen=True, slots=True)
class SecondThoughts:
    """The branches that are kept; begin with `SecondThoughts()`."""

    branches: tuple[Branch, ...] = ()

    def judge(
        self, match: Match, observation: Observation, *, last_look: bool = False
    ) -> tuple[Verdict, Self]:
        """Judge a scene as `referee.judge.judge` does, but with a mind that can be changed.

        Where a branch explains the table far better than *match*, the verdict's events go back to
        where they part, and on from there as the branch has it.
        """
        verdict = judge(match, observation, last_look=last_look)
        if not verdict.weighed:
            return verdict, self
        weighed = [
            (_weighed(branch, verdict, seen), seen)
            for branch in self.branches
            if (seen := judge(branch.match, observation, last_look=last_look)).weighed
        ]
        for branch, seen in weighed:
            if branch.gain > FAR_BETTER and seen.ruling in (Ruling.LAWFUL, Ruling.NOTHING):
                back = Corrected(By.BOARD, branch.since, WHY)
                events = (back, *branch.events)
                return replace(seen, events=events), type(self)()
        kept = [branch for branch, _ in weighed]
        kept = [b for b in kept if b.gain > HOPELESS and b.looks < MOST_LOOKS]
        kept += _other_readings(match, verdict)
        kept.sort(key=lambda branch: -branch.gain)
        return verdict, type(self)(tuple(kept[:MOST_BRANCHES]))


def _weighed(branch: Branch, ruled: Verdict, seen: Verdict) -> Branch:
    """Return *branch* after a scene in which it saw what *seen* says."""
    events = tuple(event for event in seen.events if not isinstance(event, _TALK))
    match = branch.match
    for event in seen.events:
        match = match.after(event)
    gain = branch.gain + _score(seen) - _score(ruled)
    return Branch(branch.since, match, (*branch.events, *events), gain, branch.looks + 1)


def _score(verdict: Verdict) -> float:
    first = verdict.weighed[0]
    return first.score + (ANY_WRONG if first.hypothesis.fault is not None else 0.0)


def _other_readings(match: Match, verdict: Verdict) -> list[Branch]:
    """Return the branches that begin with another reading of a cast just ruled on."""
    first = verdict.weighed[0]
    ruled = _casts(first.hypothesis.steps)
    if not verdict.die_counted or not ruled:
        return []
    found: dict[tuple[Step, ...], Branch] = {}
    for one in verdict.weighed[1:]:
        tale = one.hypothesis
        casts = _casts(tale.steps)
        chance = one.probability / first.probability
        if tale.fault is not None or tale.unfinished or len(casts) != len(ruled):
            continue
        if casts == ruled or casts in found or chance < LEAST_CHANCE:
            continue
        try:
            events = lawful_events(match, tale.steps)
        except EventError:
            continue
        other = match
        for event in events:
            other = other.after(event)
        found[casts] = Branch(match.sequence, other, events, math.log(chance))
    return list(found.values())


def _casts(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(step for step in steps if isinstance(step, Threw | CastVoid))
