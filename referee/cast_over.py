"""A cast that people were asked about and that was cast over: what it may have been.

None of it is written before it is known; `referee.second_thoughts` lets the match wait meanwhile.
"""

import math

from referee.branches import LEAST_CHANCE, MOST_BRANCHES, Branch
from referee.events import About, Answer, By, DieThrown, Event, OpeningThrow, Question
from referee.hypotheses import AGAIN, Moved, Step, casts_of
from referee.match import Match, Phase
from referee.vague import vague_squares
from referee.verdict import SURE, Verdict
from referee.weighing import Weighed
from tabletop import Observation


def cast_over(match: Match, observation: Observation, verdict: Verdict) -> tuple[Branch, ...]:
    """Return what the cast may have been that was asked about and cast over, and was since done.

    None, where that is as good as told, where more than casts was done, or the last cast is in
    doubt as well.
    """
    asked, die = match.question, observation.die
    if asked is None or asked.about is not About.DIE or match.phase is Phase.MOVE:
        return ()
    if die is None or die.earlier is None:
        return ()
    tales: dict[Step, list[Weighed]] = {}
    for one in verdict.weighed:
        tale = one.hypothesis
        casts = casts_of(tale.steps)
        lawful = tale.fault is None and not tale.unfinished
        if lawful and len(casts) == 2 and not any(isinstance(s, Moved) for s in tale.steps):
            tales.setdefault(casts[0], []).append(one)
    chances = {cast: sum(one.probability for one in ones) for cast, ones in tales.items()}
    most = max(chances.values(), default=0.0)
    if most >= SURE or sum(chances.values()) < SURE:
        return ()
    told = [(chances[cast], ones[0]) for cast, ones in tales.items()]
    told = [(chance, one) for chance, one in told if chance >= LEAST_CHANCE * most]
    told.sort(key=lambda one: -one[0])
    if any(one.probability < SURE * chance for chance, one in told):
        return ()
    if vague_squares(match, told[0][1].hypothesis, observation):
        return ()
    return tuple(
        Branch.of(match, one.hypothesis.steps, math.log(chance / most))
        for chance, one in told[:MOST_BRANCHES]
    )


def asked_again(match: Match, branches: tuple[Branch, ...]) -> Question:
    """Return the question what the cast showed at which *match* waits, as far as it is open."""
    asked = match.question
    assert asked is not None
    total = sum(math.exp(one.gain) for one in branches)
    choices: list[str] = []
    covered = 0.0
    for one in branches:
        if covered < SURE * total:
            choices.append(_choice(one))
            covered += math.exp(one.gain)
    return Question(match.sequence + 1, About.DIE, tuple(choices), asked.first_asked)


def written(match: Match, branch: Branch) -> tuple[Event, ...]:
    """Return what is written when the match that waits follows *branch*."""
    asked = match.question
    if asked is None or _choice(branch) not in asked.choices:
        return branch.events
    return (Answer(asked.id, _choice(branch), By.BOARD), *branch.events)


def _choice(branch: Branch) -> str:
    """Return how the cast that a branch begins with is written as a choice."""
    value = value_of(branch.events[0])
    return AGAIN if value is None else str(value)


def value_of(event: Event) -> int | None:
    """Return what a cast showed, by its event; None where it was void."""
    return event.value if isinstance(event, DieThrown | OpeningThrow) else None
