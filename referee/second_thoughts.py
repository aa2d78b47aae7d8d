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
    About,
    Answer,
    By,
    Corrected,
    DieThrown,
    Event,
    IllegalCleared,
    IllegalMove,
    Question,
    Unclear,
)
from referee.hypotheses import CastVoid, Step, Threw
from referee.judge import Against, Ruling, Verdict, judge
from referee.match import EventError, Match
from referee.outcomes import lawful_events
from referee.reasons import Reason
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
        asked: how many of its events there were when people were asked which reading is right.
    """

    since: int
    match: Match
    events: tuple[Event, ...]
    gain: float
    looks: int = 0
    asked: int = 0


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
        kept = [branch for branch, _ in weighed]
        for branch, seen in () if _is_die_turned(verdict) else weighed:
            if branch.gain > FAR_BETTER and seen.ruling in (Ruling.LAWFUL, Ruling.NOTHING):
                if _is_to_be_asked(match, branch, verdict):
                    return self._asking(match, branch, verdict)
                back = Corrected(By.BOARD, branch.since, WHY)
                events = (back, *branch.events)
                against = Against(verdict.weighed[0], branch.since, branch.gain)
                return replace(seen, events=events, against=against), type(self)()
        kept = [b for b in kept if b.gain > HOPELESS and b.looks < MOST_LOOKS]
        kept += _other_readings(match, verdict)
        kept.sort(key=lambda branch: -branch.gain)
        return verdict, type(self)(tuple(kept[:MOST_BRANCHES]))

    def _asking(self, match: Match, branch: Branch, verdict: Verdict) -> tuple[Verdict, Self]:
        """Ask which reading is right, if that is not asked already, and keep the branches."""
        question = _question(match, branch)
        asked = match.question is not None and match.question.throw == question.throw
        kept = tuple(
            replace(one, asked=len(branch.events)) if one.since == branch.since else one
            for one in self.branches
        )
        events = () if asked else (question,)
        return Verdict(Ruling.ASKED, events, verdict.weighed), type(self)(kept)


def _is_to_be_asked(match: Match, branch: Branch, verdict: Verdict) -> bool:
    """Tell whether people are to say which reading of the last throw is right.

    That is so where a move is wrong by the value that was ruled, and right by another that the die
    may have shown; until they say it, or do something more that is right by the branch alone. A
    die that may have leaned and is cast again did lean; nobody is asked.
    """
    last = match.acts[-1] if match.acts else None
    parts = last is not None and last.value is not None and last.after == branch.since
    more_done = 0 < branch.asked < len(branch.events)
    other_value = isinstance(branch.events[0], DieThrown)
    return verdict.ruling is Ruling.WRONG and parts and other_value and not more_done


def _is_die_turned(verdict: Verdict) -> bool:
    """Tell whether all that is wrong is a turned die, which says nothing of earlier casts."""
    wrong = verdict.weighed[0].hypothesis.wrong if verdict.ruling is Ruling.WRONG else None
    return wrong is not None and wrong.reason is Reason.DIE_CHANGED and not wrong.differs


def _question(match: Match, branch: Branch) -> Question:
    """Return the question what the last throw showed."""
    cast = branch.events[0]
    assert isinstance(cast, DieThrown)
    choices = (str(match.acts[-1].value), str(cast.value))
    return Question(match.sequence + 1, About.DIE, choices, branch.since + 1)


def _weighed(branch: Branch, ruled: Verdict, seen: Verdict) -> Branch:
    """Return *branch* after a scene in which it saw what *seen* says."""
    events = tuple(event for event in seen.events if not isinstance(event, _TALK))
    match = branch.match
    for event in seen.events:
        match = match.after(event)
    gain = branch.gain + _score(seen) - _score(ruled)
    return replace(
        branch, match=match, events=(*branch.events, *events), gain=gain, looks=branch.looks + 1
    )


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
