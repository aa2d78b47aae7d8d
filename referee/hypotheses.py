"""What could have happened: every tale that the position and the die allow, lawful or not.

A lawful tale is a few steps (a move, a throw, a mind changed) that end in a position. An unlawful
one is a lawful tale and squares that do not fit its end. Each predicts what all squares show; what
is seen then decides between them (`referee.weighing`).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

from referee.die_faults import log_same_face, wrong_about_the_die
from referee.differing import plausible_differences
from referee.events import About, IllegalMove
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, play
from referee.naming import Case, checkers_touched, is_victim_lifted, name_wrong
from referee.opening import Opening
from referee.position import Position
from referee.reasons import Reason
from tabletop import (
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Observation,
    Square,
)


@dataclass(frozen=True, slots=True)
class Moved:
    """The throw was played."""

    move: Move


@dataclass(frozen=True, slots=True)
class Passed:
    """The throw was left unused, by choice or for want of a move."""

    chosen: bool


@dataclass(frozen=True, slots=True)
class Threw:
    """The die was cast and shows *value*."""

    value: int
    confidence: float


@dataclass(frozen=True, slots=True)
class CastVoid:
    """The die was cast and lies so that it does not count."""

    state: DieState


@dataclass(frozen=True, slots=True)
class TookBack:
    """The player changed his mind: the last move is undone, its throw still owed."""


Step: TypeAlias = Moved | Passed | Threw | CastVoid | TookBack

# How often people do what, as natural logarithms against doing nothing or moving lawfully. Only
# their order of magnitude matters: a square that surely contradicts weighs about 9.
PRIOR_SECOND_STEP: Final = -0.7
PRIOR_CHOSEN_PASS: Final = -2.0
PRIOR_MIND_CHANGED: Final = -2.5
PRIOR_TAKEN_BACK: Final = -3.0
PRIOR_UNFINISHED: Final = -2.0
PRIOR_WRONG: Final = -4.0
PRIOR_EACH_FURTHER_CHECKER: Final = -1.5
PRIOR_PHANTOM_CAST: Final = -7.0
PRIOR_ASKED_CAST_AGAIN: Final = -5.0
PRIOR_DIE_TURNED: Final = -1.5

SURELY_LEANING: Final = 0.95
"""No reader is surer than this that a die leans."""
AGAIN: Final = "again"
"""How a void cast is written as a choice of a question."""
LEAST_VALUE: Final = 0.01
PLAUSIBLE: Final = 0.02
"""Values less probable than this tell no tale of their own."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One tale of what happened.

    Attributes:
        steps: what was done lawfully, in order.
        position: where that leads.
        log_prior: how likely people are to do it, and the die to show it.
        board: every square that is not empty, as the tale predicts it.
        fault: names what else is wrong on the table; None in a lawful tale. Naming takes longer
            than weighing, and only the likeliest tales are asked for it.
        unfinished: nothing is wrong yet, somebody is in the middle of a move.
    """

    steps: tuple[Step, ...]
    position: Position
    log_prior: float
    board: Mapping[Square, Contents]
    fault: Callable[[], IllegalMove] | None = field(default=None, compare=False, repr=False)
    unfinished: bool = False

    @property
    def wrong(self) -> IllegalMove | None:
        """What else is wrong on the table; None in a lawful tale."""
        return None if self.fault is None else self.fault()


@dataclass(frozen=True, slots=True)
class _Tale:
    """A lawful tale in the making.

    Attributes:
        case: where the table stands before somebody moves, by which wrongs are named; None where
            a move ends the tale.
        owed: the throw that is owed a move at its end.
        opening: the opening throws at its end; None where it is settled who begins.
    """

    steps: tuple[Step, ...]
    position: Position
    log_prior: float
    case: Case | None
    owed: int | None = None
    opening: Opening | None = None


_End: TypeAlias = tuple[tuple[Step, ...], frozenset[tuple[Square, Contents]]]


def hypotheses(match: Match, observation: Observation) -> Iterator[Hypothesis]:
    """Yield every tale worth weighing, each end only once."""
    ends: set[_End] = set()
    tales = list(_tales(match, observation.die))
    boards = [match.contents(tale.position) for tale in tales]
    for tale, board in zip(tales, boards, strict=True):
        yield Hypothesis(tale.steps, tale.position, tale.log_prior, board)
        ends.add(_end(tale.steps, board))
    if (turned := wrong_about_the_die(match, observation.die)) is not None:
        prior = PRIOR_DIE_TURNED if turned.reason is Reason.DIE_CHANGED else PRIOR_WRONG
        yield Hypothesis((), match.position, prior, match.contents(), partial(_said, turned))
    # A board that stands as before needs no tale of a move and a wrong that undoes it.
    now = match.contents()
    ends.update(_end(tale.steps, now) for tale in tales)
    for tale, board in zip(tales, boards, strict=True):
        if tale.case is not None:
            yield from _unlawful(observation, tale, tale.case, board, ends)


def _tales(match: Match, die: DieObservation | None) -> Iterator[_Tale]:
    """Yield the lawful tales: what may have been played, and then what was cast."""
    casts = _casts(die.reading) if die is not None and die.sign is DieSign.THROWN else []
    ignored = PRIOR_PHANTOM_CAST if casts else log_same_face(match, die)
    for tale in _with_asked_cast(match):
        if not casts:
            yield tale
        for cast, log_prior in casts:
            same = isinstance(cast, Threw) and cast.value in _asked_values(match)
            again = PRIOR_ASKED_CAST_AGAIN if same else 0.0
            yield from _with_cast(match, tale, cast, log_prior + again)
    for tale in _before_a_cast(match):
        yield replace(tale, log_prior=tale.log_prior + ignored)
        if match.phase is Phase.OVER:
            continue
        for before in _with_earlier_cast(match, tale, die):
            for cast, log_prior in casts:
                yield from _with_cast(match, before, cast, log_prior)


def _before_a_cast(match: Match) -> Iterator[_Tale]:
    """Yield what may have been done with the throw that was known already."""
    now, rules = match.position, match.rules
    if match.phase is Phase.MOVE and match.die is not None:
        case = Case(match, now, match.die, now.to_move)
        yield _Tale((), now, 0.0, case, owed=match.die)
        for move in legal_moves(now, match.die, rules):
            yield _Tale((Moved(move),), play(now, match.die, move, rules).after, 0.0, None)
        return
    last = None if match.phase is Phase.OVER else match.last
    if last is not None and last.played.move is None:
        # The turn has passed, but a wrong move is still his who threw, until the next cast.
        case = Case(match, last.played.before, last.played.die, last.seat, passed=True)
    else:
        case = Case(match, now, None, match.to_move)
    opening = match.opening if match.phase is Phase.OPENING else None
    yield _Tale((), now, 0.0, case, opening=opening)
    if last is not None and last.played.move is not None and not match.restoring:
        before, value = last.played.before, last.played.die
        case = Case(match, before, value, last.seat)
        yield _Tale((TookBack(),), before, PRIOR_TAKEN_BACK, case)
        for move in legal_moves(before, value, rules):
            if move != last.played.move:
                after = play(before, value, move, rules).after
                yield _Tale((TookBack(), Moved(move)), after, PRIOR_MIND_CHANGED, None)


def _with_earlier_cast(match: Match, tale: _Tale, die: DieObservation | None) -> Iterator[_Tale]:
    """Yield *tale* continued by the cast before this one, if there was one nobody ruled on."""
    if die is None or die.earlier is None:
        yield tale
        return
    for cast, log_prior in _casts(die.earlier):
        yield from _with_cast(match, tale, cast, log_prior)


def _with_asked_cast(match: Match) -> Iterator[_Tale]:
    """Yield what may have been played with a throw that was asked about and then picked up."""
    for value in _asked_values(match):
        threw = Threw(value, 1.0)
        for move in legal_moves(match.position, value, match.rules):
            after = play(match.position, value, move, match.rules).after
            yield _Tale((threw, Moved(move)), after, PRIOR_SECOND_STEP, None)


def _asked_values(match: Match) -> tuple[int, ...]:
    asked = match.question
    if asked is None or asked.about is not About.DIE or match.phase is not Phase.THROW:
        return ()
    return tuple(int(choice) for choice in asked.choices if choice != AGAIN)


def _with_cast(match: Match, tale: _Tale, cast: Step, log_prior: float) -> Iterator[_Tale]:
    """Yield *tale* continued by a cast, and by what may have been played with it."""
    start, rules = tale.position, match.rules
    prior = tale.log_prior + log_prior
    if TookBack() in tale.steps and tale.case is not None:
        return
    steps = tale.steps
    if tale.owed is not None:
        if not may_pass(start, tale.owed, rules):
            return
        steps = (*steps, Passed(chosen=True))
        start = play(start, tale.owed, None, rules).after
        prior += PRIOR_CHOSEN_PASS
    if start.winner is not None:
        return
    steps = (*steps, cast)
    if not isinstance(cast, Threw):
        yield _Tale(steps, start, prior, None, opening=tale.opening)
        return
    if tale.opening is not None:
        opening = tale.opening.after(cast.value)
        first = opening.first
        begun = start if first is None else Position.start(match.seats, first)
        yield _Tale(steps, begun, prior, None, opening=None if first else opening)
        return
    moves = legal_moves(start, cast.value, rules)
    case = Case(match, start, cast.value, start.to_move)
    if moves:
        yield _Tale(steps, start, prior, case, owed=cast.value)
    else:
        after = play(start, cast.value, None, rules).after
        yield _Tale((*steps, Passed(chosen=False)), after, prior, case)
    for move in moves:
        after = play(start, cast.value, move, rules).after
        yield _Tale((*steps, Moved(move)), after, prior + PRIOR_SECOND_STEP, None)


def _casts(reading: DieReading) -> list[tuple[Step, float]]:
    """Return what a die that was cast may show, each with its log probability.

    A die that may lean may yet be one that does not: what follows will show it.
    """
    if reading.state is DieState.SETTLED:
        found = _values(reading, 1.0) or [(CastVoid(DieState.UNREADABLE), 0.0)]
        if reading.cocked >= PLAUSIBLE:
            found.append((CastVoid(DieState.COCKED), math.log(reading.cocked)))
        return found
    total = sum(reading.probabilities)
    if reading.cocked == 0.0 or total <= 0.0:
        return [(CastVoid(reading.state), 0.0)]
    leans = min(reading.cocked, SURELY_LEANING)
    void = (CastVoid(reading.state), math.log(leans))
    return [*_values(reading, (1.0 - leans) / total), void]


def _values(reading: DieReading, scale: float) -> list[tuple[Step, float]]:
    return [
        (Threw(value, probability), math.log(probability * scale))
        for value, probability in enumerate(reading.probabilities, 1)
        if probability * scale >= LEAST_VALUE
    ]


def _unlawful(
    observation: Observation,
    tale: _Tale,
    case: Case,
    board: Mapping[Square, Contents],
    ends: set[_End],
) -> Iterator[Hypothesis]:
    """Yield what else the squares may show, and which rule it breaks."""
    for differences in plausible_differences(observation, board):
        shown = dict(board) | {one.square: one.seen for one in differences}
        shown = {at: there for at, there in shown.items() if there}
        if (end := _end(tale.steps, shown)) in ends:
            continue
        ends.add(end)
        if is_victim_lifted(case, differences):
            prior = tale.log_prior + PRIOR_UNFINISHED
            yield Hypothesis(tale.steps, tale.position, prior, shown, unfinished=True)
            continue
        further = checkers_touched(differences) - 1
        prior = tale.log_prior + PRIOR_WRONG + further * PRIOR_EACH_FURTHER_CHECKER
        fault = partial(name_wrong, case, differences)
        yield Hypothesis(tale.steps, tale.position, prior, shown, fault)


def _said(wrong: IllegalMove) -> IllegalMove:
    return wrong


def _end(steps: Iterable[Step], board: Mapping[Square, Contents]) -> _End:
    casts = tuple(step for step in steps if isinstance(step, Threw | CastVoid))
    return casts, frozenset(board.items())
