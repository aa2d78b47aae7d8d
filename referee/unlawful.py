"""The unlawful tales: a lawful one, and squares that do not fit its end."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from referee.die_faults import wrong_about_the_die
from referee.differing import plausible_differences
from referee.events import Difference, IllegalMove, Place
from referee.hypotheses import Hypothesis, Moved, Step, casts_of
from referee.lawful import (
    PRIOR_EACH_FURTHER_CHECKER,
    PRIOR_WRONG,
    LawfulTales,
)
from referee.match import Match
from referee.naming import checkers_touched, is_victim_lifted, name_wrong
from referee.reasons import Reason
from referee.sight import RARER_EACH, Sight
from referee.tales import Tale
from tabletop import EMPTY, Contents, Square

PRIOR_UNFINISHED: Final = -2.0
PRIOR_DIE_TURNED: Final = -1.5

MOST_DIFFERENCES: Final = 48
"""How many ways to differ are tried at most for one lawful tale,"""
MOST_UNLAWFUL: Final = 192
"""and about how many for all of them."""

_Board: TypeAlias = frozenset[tuple[Square, Contents]]
_End: TypeAlias = tuple[int, _Board]
_Moves: TypeAlias = tuple[tuple[Place, Square], ...]


class _Told(NamedTuple):
    """A lawful tale, the number of the casts it has, and between which squares it moves."""

    tale: Tale
    casts: int
    moved: _Moves


@dataclass(frozen=True, slots=True)
class _Lawful:
    """What is known of the lawful tales of a scene.

    Attributes:
        now: what stands on the squares before any of them.
        least: what scores less is of no account.
        ends: how they end; no unlawful tale is to end so too.
        played: for the steps of a tale, the tales in which its throw is then played.
    """

    now: Mapping[Square, Contents]
    least: float
    ends: set[_End]
    played: Mapping[tuple[Step, ...], list[Tale]]


def hypotheses(match: Match, sight: Sight) -> Iterator[Hypothesis]:
    """Yield every tale worth weighing, each end only once."""
    lawful = LawfulTales(match, sight)
    now = match.contents()
    # A board that stands as before needs no tale of a move and a wrong that undoes it.
    same = frozenset(now.items())
    ends: set[_End] = set()
    played: dict[tuple[Step, ...], list[Tale]] = {}
    known: dict[tuple[Step, ...], int] = {}
    alike: dict[_Board, list[_Told]] = {}
    for tale in lawful.tell():
        if tale.steps and isinstance(tale.steps[-1], Moved):
            played.setdefault(tale.steps[:-1], []).append(tale)
        may_err = (
            tale.case is not None and tale.log_prior + PRIOR_WRONG + sight.best >= lawful.least
        )
        if tale.score < lawful.least and not may_err:
            continue
        yield Hypothesis(tale.steps, tale.position, tale.log_prior, tale.log_seen, tale.board)
        casts = known.setdefault(casts_of(tale.steps), len(known))
        told = _Told(tale, casts, _ends_of_moves(tale.steps))
        board = frozenset(tale.board.items())
        ends |= {(told.casts, board), (told.casts, same)}
        if may_err:
            alike.setdefault(board, []).append(told)
    if (turned := wrong_about_the_die(match, sight.observation.die)) is not None:
        prior = PRIOR_DIE_TURNED if turned.reason is Reason.DIE_CHANGED else PRIOR_WRONG
        yield Hypothesis((), match.position, prior, sight.of(now), now, partial(_said, turned))
    most = MOST_UNLAWFUL // max(1, sum(map(len, alike.values())))
    told_of = _Lawful(now, lawful.least, ends, played)
    for tales in alike.values():
        yield from _unlawful(sight, tales, min(most, MOST_DIFFERENCES), told_of)


def _unlawful(sight: Sight, tales: list[_Told], most: int, lawful: _Lawful) -> Iterator[Hypothesis]:
    """Yield what else the squares may show after *tales*, which all lead to the same board."""
    board, least = tales[0].tale.board, lawful.least
    best_prior = max(told.tale.log_prior for told in tales)
    for differences, seen in plausible_differences(sight, board, most):
        lifted = all(len(one.seen) < len(one.due) for one in differences)
        # A move and a checker are three squares, and naming takes longer than such a glance.
        further = max(0, len(differences) - 3) // 2 * PRIOR_EACH_FURTHER_CHECKER
        usual = PRIOR_UNFINISHED if lifted else PRIOR_WRONG + further
        if best_prior + usual + seen < least:
            continue
        shown = {**board, **{one.square: one.seen for one in differences}}
        shown = {at: there for at, there in shown.items() if there}
        stands = frozenset(shown.items())
        for tale, casts, moved in tales:
            if (end := (casts, stands)) in lawful.ends or _unmade(moved, lawful.now, shown):
                continue
            lawful.ends.add(end)
            assert tale.case is not None
            so_far = (tale.steps, tale.position)
            if lifted and is_victim_lifted(tale.case, differences):
                prior = tale.log_prior + PRIOR_UNFINISHED
                yield Hypothesis(*so_far, prior, seen, shown, unfinished=True)
                continue
            beside = _beside_a_move(differences, shown, lawful.played.get(tale.steps, ()))
            if (prior := tale.log_prior + _log_wrong(beside)) + seen >= least:
                fault = partial(name_wrong, tale.case, differences)
                yield Hypothesis(*so_far, prior, seen, shown, fault)


def _beside_a_move(
    differences: tuple[Difference, ...], shown: Mapping[Square, Contents], played: Iterable[Tale]
) -> tuple[Difference, ...]:
    """Return the *differences* that are left if the throw was rightly played, as one of *played*.

    A right move and something wrong beside it are one wrong, not two.
    """
    if len(differences) < 2:
        return differences
    for tale in played:
        move = tale.steps[-1]
        assert isinstance(move, Moved)
        ends = (move.move.source, move.move.target)
        if all(at is None or shown.get(at) == tale.board.get(at) for at in ends):
            rest = tuple(one for one in differences if one.square not in ends)
            return rest or differences
    return differences


def _log_wrong(differences: tuple[Difference, ...]) -> float:
    """Return how often people make such *differences*."""
    further = (checkers_touched(differences) - 1) * PRIOR_EACH_FURTHER_CHECKER
    # Nobody puts one too many upon another so often that a doubtful tower tells of it.
    return PRIOR_WRONG + further - RARER_EACH * sum(_taller(one) for one in differences)


def _taller(one: Difference) -> int:
    """Return by how many checkers of a colour a tower is seen higher than it is due."""
    return sum(max(0, one.seen.count(c) - max(1, one.due.count(c))) for c in set(one.seen))


def _said(wrong: IllegalMove) -> IllegalMove:
    return wrong


def _unmade(
    moved: _Moves, now: Mapping[Square, Contents], shown: Mapping[Square, Contents]
) -> bool:
    """Tell whether a move of the tale is not to be seen: both its squares show what they did."""
    return any(
        shown.get(target, EMPTY) == now.get(target, EMPTY)
        and (source is None or shown.get(source, EMPTY) == now.get(source, EMPTY))
        for source, target in moved
    )


def _ends_of_moves(steps: tuple[Step, ...]) -> _Moves:
    return tuple((step.move.source, step.move.target) for step in steps if isinstance(step, Moved))
