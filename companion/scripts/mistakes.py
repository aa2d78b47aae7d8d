"""The wrong moves that people of a scripted game make, and what the referee must call them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from referee.events import Found, Place
from referee.moves import Move, play, reason_against
from referee.naming import Case
from referee.paths import RESERVE, home_index, path, start_square
from referee.reasons import Reason
from tabletop import SQUARES, Colour, Square

MOST_MISCOUNTED: Final = 2
"""By so many squares people count wrong."""

_ASTRAY: Final = frozenset(
    {
        Reason.OFF_PATH,
        Reason.WRONG_START_SQUARE,
        Reason.LEFT_HOME,
        Reason.HOME_BACKWARDS,
        Reason.HOME_JUMP,
        Reason.FOREIGN_HOME,
        Reason.SECOND_LAP,
        Reason.OVERSHOOT,
    }
)

Carry = tuple[Colour, Place, Place]
"""A checker of a colour is carried from a place to another; None is the reserve."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong move: what the referee must call it, and the checkers that are carried.

    Attributes:
        reason: what it must be called.
        found: the checker that gives it away.
        further: what is carried beside that checker.
    """

    reason: Reason
    found: Found
    further: tuple[Carry, ...] = ()

    @property
    def carries(self) -> tuple[Carry, ...]:
        """What is carried where, in order."""
        return ((self.found.colour, self.found.source, self.found.target), *self.further)

    @property
    def back(self) -> tuple[Carry, ...]:
        """How all of it is put back."""
        return tuple((colour, target, source) for colour, source, target in self.carries[::-1])


def mistakes(case: Case) -> list[Mistake]:
    """Return the mistakes that can be made with the throw of *case*."""
    found = [
        *_miscounted(case),
        *_entered_too_early(case),
        *_victims_left(case),
        *_others_moved(case),
        *_taken_off(case),
        *_astray(case),
        *_two_moves(case),
    ]
    own = case.match.colour(case.mover)
    # A throw that passed no longer judges what is done with other people's checkers.
    return [one for one in found if one.found.colour is own or not case.passed]


def _miscounted(case: Case) -> Iterator[Mistake]:
    """Yield moves by another number, and backwards by the right one."""
    assert case.die is not None
    own, way = case.match.colour(case.mover), path(case.mover, case.match.rules)
    near = range(case.die - MOST_MISCOUNTED, case.die + MOST_MISCOUNTED + 1)
    for index in _on_ring(case):
        for steps in (*near, -case.die):
            if steps in (0, case.die) or not 0 <= index + steps < len(way):
                continue
            move = Move(way[index], way[index + steps])
            reason = _reason(case, move)
            fitting = Reason.WRONG_DISTANCE if steps > 0 else Reason.WRONG_DIRECTION
            if reason is fitting and _free(case, move.target):
                yield Mistake(reason, Found(own, move.source, move.target))


def _entered_too_early(case: Case) -> Iterator[Mistake]:
    start = start_square(case.mover, case.match.rules)
    waits = RESERVE in case.position.of(case.mover)
    if waits and _free(case, start) and _reason(case, Move(None, start)) is Reason.ENTRY_NEEDS_SIX:
        yield Mistake(Reason.ENTRY_NEEDS_SIX, Found(case.match.colour(case.mover), None, start))


def _victims_left(case: Case) -> Iterator[Mistake]:
    """Yield knock-outs after which the knocked-out checkers still stand there."""
    own = case.match.colour(case.mover)
    for move in _knocking(case):
        yield Mistake(Reason.KNOCKED_OUT_LEFT_ON_BOARD, Found(own, move.source, move.target))


def _others_moved(case: Case) -> Iterator[Mistake]:
    """Yield moves of somebody else's checker by the right number."""
    assert case.die is not None
    for seat in case.match.seats:
        way = path(seat, case.match.rules)
        for index in case.position.of(seat) if seat is not case.mover else ():
            if not 0 <= index < home_index(case.match.rules) - case.die:
                continue
            source, target = way[index], way[index + case.die]
            if _free(case, target):
                found = Found(case.match.colour(seat), source, target)
                yield Mistake(Reason.NOT_YOUR_CHECKER, found)


def _taken_off(case: Case) -> Iterator[Mistake]:
    """Yield checkers taken off the board although no legal move knocks them out."""
    hit = {move.target for move in _knocking(case)}
    for at, there in case.match.contents(case.position).items():
        if at not in hit:
            yield Mistake(Reason.REMOVED_WITHOUT_KNOCK_OUT, Found(there[0], at, None))


def _astray(case: Case) -> Iterator[Mistake]:
    """Yield own checkers carried to where they cannot come by any throw, or not by this one."""
    rules = case.match.rules
    way = path(case.mover, rules)
    for index in sorted(set(case.position.of(case.mover))):
        source = None if index == RESERVE else way[index]
        for target in SQUARES:
            if target == source or not _free(case, target):
                continue
            reason = _reason(case, Move(source, target))
            if reason in _ASTRAY:
                yield Mistake(reason, Found(case.match.colour(case.mover), source, target))


def _two_moves(case: Case) -> Iterator[Mistake]:
    """Yield pairs of moves, both right, where one was to be made."""
    own = case.match.colour(case.mover)
    plain = [
        move
        for move in case.legal
        if move.source is not None
        and _free(case, move.target)
        and len(case.match.contents(case.position)[move.source]) == 1
    ]
    for one, other in combinations(plain, 2):
        touched = {one.source, one.target, other.source, other.target}
        if len(touched) == 4:
            first, last = sorted((one, other), key=lambda move: move.source or 0)
            found = Found(own, first.source, min(first.target, last.target))
            missing = max(first.target, last.target)
            yield Mistake(Reason.TWO_MOVES, found, ((own, last.source, missing),))


def _on_ring(case: Case) -> list[int]:
    """Return the path indices of the mover's checkers on the ring."""
    own = case.position.of(case.mover)
    return sorted({index for index in own if 0 <= index < home_index(case.match.rules)})


def _knocking(case: Case) -> list[Move]:
    assert case.die is not None
    rules = case.match.rules
    return [move for move in case.legal if play(case.position, case.die, move, rules).knocked]


def _reason(case: Case, move: Move) -> Reason | None:
    return reason_against(case.position, case.die, move, case.match.rules, case.mover)


def _free(case: Case, at: Square) -> bool:
    return at not in case.match.contents(case.position)
