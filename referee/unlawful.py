"""The unlawful tales: a lawful one, and squares that do not fit its end."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Final, NamedTuple, TypeAlias

from referee.blame import blamed
from referee.complaints import is_cast
from referee.die_faults import wrong_about_the_die
from referee.differing import Choice, Looks, Way, board_showing, differences_of
from referee.events import IllegalMove
from referee.hypotheses import Hypothesis, Moved, Step, casts_of
from referee.lawful import (
    PRIOR_EACH_FURTHER_CHECKER,
    PRIOR_WRONG,
    Board,
    LawfulTales,
)
from referee.match import Match, Phase
from referee.moves import may_pass
from referee.naming import Case, is_victim_lifted
from referee.reasons import Reason
from referee.sight import RARER_EACH, Sight
from referee.tales import Tale
from tabletop import CHECKERS_EACH, EMPTY, Colour, Contents, Square

PRIOR_UNFINISHED: Final = -2.0
PRIOR_DIE_TURNED: Final = -1.5
PRIOR_CAST_IN_VAIN: Final = 0.0
PRIOR_STILL_WRONG: Final = -1.0
"""What was said to be wrong is as likely left as it is as put right."""

MOST_DIFFERENCES: Final = 48
"""How many ways to differ are tried at most for one lawful tale,"""
MOST_UNLAWFUL: Final = 192
"""and about how many for all of them."""

_End: TypeAlias = tuple[int, Board]


class _Trace(NamedTuple):
    """What a move leaves on one of its squares: so many checkers of a colour, or more, or fewer."""

    square: Square
    colour: Colour
    number: int
    came: bool


class _Told(NamedTuple):
    """A lawful tale, and the number of the casts it has. In *vain* the die was cast after it."""

    tale: Tale
    casts: int
    vain: bool


@dataclass(frozen=True, slots=True)
class _Lawful:
    """What is known of the lawful tales of a scene.

    Attributes:
        least: what scores less is of no account.
        ends: how they end; no unlawful tale is to end so too.
        played: for the steps of a tale, the tales in which its throw is then played.
        restoring: the board has yet to follow a correction, so that much may differ.
        stand_wrongly: the boards that leave something as it was said to be wrong.
        looks: what the squares may show.
    """

    least: float
    ends: set[_End]
    played: Mapping[tuple[Step, ...], list[Tale]]
    restoring: bool
    stand_wrongly: frozenset[Board]
    looks: Looks


def hypotheses(match: Match, sight: Sight) -> Iterator[Hypothesis]:
    """Yield every tale worth weighing, each end only once."""
    lawful = LawfulTales(match, sight)
    now = match.contents()
    # A board that stands as before needs no tale of a move and a wrong that undoes it.
    same = frozenset(now.items())
    ends: set[_End] = set()
    played: dict[tuple[Step, ...], list[Tale]] = {}
    known: dict[tuple[Step, ...], int] = {}
    alike: dict[Board, list[_Told]] = {}
    for tale in lawful.tell():
        if tale.steps and isinstance(tale.steps[-1], Moved):
            played.setdefault(tale.steps[:-1], []).append(tale)
        err = _as_it_may_err(match, sight, tale, lawful.ignored)
        may_err = err is not None and err.log_prior + PRIOR_WRONG + sight.best >= lawful.least
        if tale.score < lawful.least and not may_err:
            continue
        yield Hypothesis(tale.steps, tale.position, tale.log_prior, tale.log_seen, tale.board)
        casts = known.setdefault(casts_of(tale.steps), len(known))
        board = frozenset(tale.board.items())
        ends |= {(casts, board), (casts, same)}
        if err is not None and may_err:
            told = _Told(err, casts, err is not tale)
            alike.setdefault(board, []).append(told)
    if (turned := wrong_about_the_die(match, sight.observation.die)) is not None:
        prior = PRIOR_DIE_TURNED if turned.reason is Reason.DIE_CHANGED else PRIOR_WRONG
        yield Hypothesis((), match.position, prior, sight.of(now), now, partial(_said, turned))
    most = MOST_UNLAWFUL // max(1, sum(map(len, alike.values())))
    told_of = _Lawful(
        lawful.least,
        ends,
        played,
        match.restoring,
        lawful.stand_wrongly,
        Looks(sight),
    )
    for tales in alike.values():
        yield from _unlawful(tales, now, min(most, MOST_DIFFERENCES), told_of)


def _as_it_may_err(match: Match, sight: Sight, tale: Tale, ignored: float) -> Tale | None:
    """Return *tale* as it may end in something wrong; None, where it cannot.

    While a move is owed, and something stands wrongly, nothing else is done than that: a die that
    is cast is cast in vain, and leaves no throw unused.

    Args:
        match: the state.
        sight: what is seen.
        tale: a lawful tale.
        ignored: the part of its prior that says that no cast was made.
    """
    if tale.case is None:
        return None
    if match.phase is not Phase.MOVE or match.die is None:
        return tale
    stands = match.wrong is not None and bool(match.wrong.differs)
    if tale.steps:
        return None if stands else tale
    die = sight.observation.die
    if is_cast(die) and (stands or not may_pass(match.position, match.die, match.rules)):
        return replace(tale, log_prior=tale.log_prior - ignored + PRIOR_CAST_IN_VAIN)
    return tale


def _unlawful(
    tales: list[_Told], now: Mapping[Square, Contents], most: int, lawful: _Lawful
) -> Iterator[Hypothesis]:
    """Yield what else the squares may show after *tales*, which all lead to the same board.

    *now* is what stood there before.
    """
    traces: list[tuple[_Trace, ...]] = []
    board, least = tales[0].tale.board, lawful.least
    each = 0.0 if lawful.restoring else PRIOR_EACH_FURTHER_CHECKER
    best_prior = max(told.tale.log_prior for told in tales)
    again_at_most = PRIOR_STILL_WRONG if lawful.stand_wrongly else -inf
    for way in lawful.looks.ways(board, most):
        choices, seen, lifted = way.choices, way.seen, way.lifted
        usual = PRIOR_UNFINISHED if lifted else _log_wrong_at_most(way, each)
        if best_prior + max(usual, again_at_most) + seen < least:
            continue
        shown = board_showing(board, choices)
        stands = frozenset(shown.items())
        traces = traces or [tuple(_traces(told.tale, now)) for told in tales]
        for (tale, casts, vain), left in zip(tales, traces, strict=True):
            if (end := (casts, stands)) in lawful.ends or not _are_seen(left, shown):
                continue
            lawful.ends.add(end)
            assert tale.case is not None
            so_far = (tale.steps, tale.position)
            if lifted and is_victim_lifted(tale.case, differences_of(choices)):
                prior = tale.log_prior + PRIOR_UNFINISHED
                yield Hypothesis(*so_far, prior, seen, shown, unfinished=True)
                continue
            # A right move beside which something is wrong was no cast in vain.
            played = () if vain else lawful.played.get(tale.steps, ())
            if stands in lawful.stand_wrongly:
                prior = tale.log_prior + PRIOR_STILL_WRONG
            else:
                beside = _beside_a_move(choices, shown, played)
                prior = tale.log_prior + _log_wrong(way if beside is choices else beside, each)
            if prior + seen >= least:
                fault = partial(_blamed, tale.case, choices)
                yield Hypothesis(*so_far, prior, seen, shown, fault)


def _beside_a_move(
    choices: tuple[Choice, ...], shown: Mapping[Square, Contents], played: Iterable[Tale]
) -> tuple[Choice, ...]:
    """Return the *choices* that are left if the throw was rightly played, as one of *played*.

    A right move and something wrong beside it are one wrong, not two.
    """
    if len(choices) < 2:
        return choices
    for tale in played:
        move = tale.steps[-1]
        assert isinstance(move, Moved)
        ends = (move.move.source, move.move.target)
        if all(at is None or shown.get(at) == tale.board.get(at) for at in ends):
            rest = tuple(one for one in choices if one.square not in ends)
            return rest or choices
    return choices


def _log_wrong(what: Way | tuple[Choice, ...], each: float) -> float:
    """Return how often people do such a thing, *each* checker but one costing so much."""
    if isinstance(what, Way):
        gone, came, taller = what.gone, what.came, what.taller
    else:
        gone, came = sum([one.gone for one in what]), sum([one.came for one in what])
        taller = sum([one.taller for one in what])
    # Nobody puts one too many upon another so often that a doubtful tower tells of it.
    return PRIOR_WRONG + (max(gone, came) - 1) * each - RARER_EACH * taller


def _log_wrong_at_most(way: Way, each: float) -> float:
    """Return how often people do what a *way* shows, at most: a right move may be part of it.

    Then one checker came, and gone are that one and those that it knocked out.
    """
    checkers = max(1, way.came - 1, way.gone - 1 - CHECKERS_EACH)
    taller = max(0, way.taller - 1)
    return PRIOR_WRONG + (checkers - 1) * each - RARER_EACH * taller


def _blamed(case: Case, choices: tuple[Choice, ...]) -> IllegalMove:
    """Return what is wrong by *choices*; putting their differences together takes a while."""
    return blamed(case, differences_of(choices))


def _said(wrong: IllegalMove) -> IllegalMove:
    return wrong


def _traces(tale: Tale, now: Mapping[Square, Contents]) -> Iterator[_Trace]:
    """Yield what the moves of *tale* leave on the squares, if *now* is what stood there."""
    moves = [step.move for step in tale.steps if isinstance(step, Moved)]
    for at in dict.fromkeys(at for move in moves for at in (move.source, move.target)):
        if at is None:
            continue
        due, stood = tale.board.get(at, EMPTY), now.get(at, EMPTY)
        for colour in {*due, *stood}:
            if (number := due.count(colour)) != stood.count(colour):
                yield _Trace(at, colour, number, came=number > stood.count(colour))


def _are_seen(traces: tuple[_Trace, ...], shown: Mapping[Square, Contents]) -> bool:
    """Tell whether moves that left such *traces* were made: none is made up beside a wrong."""
    for at, colour, number, came in traces:
        stand = shown.get(at, EMPTY).count(colour)
        if stand < number if came else stand > number:
            return False
    return True
