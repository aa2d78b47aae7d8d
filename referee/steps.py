"""The steps of a seat: every move that has the right distance, and what may close it.

Distances, bounces and corners are worked out once for each set of rules and kept. What is left
for every throw is to look up the steps of the checkers and to ask their guards.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from referee.paths import (
    HOME_SQUARES,
    RESERVE,
    corner,
    home_index,
    path,
    path_indices,
)
from referee.position import Checkers
from referee.reasons import Reason
from referee.rules import Corner, EntryRule, HomeDirection, HomeInternal, Overshoot, Rules, Stack
from tabletop import SEATS, Seat, Square

Spot = tuple[int, int]
"""A seat's number (D4 is 0) and an index on its path."""


class Move(NamedTuple):
    """One checker goes from a square, or from the reserve (None), to a square."""

    source: Square | None
    target: Square


class Guard(NamedTuple):
    """Something that may close a step, and what it is called."""

    reason: Reason
    closes: Callable[[Checkers], bool]


class Step(NamedTuple):
    """A move of the right distance, with what may close it in the order of the reasons."""

    move: Move
    guards: tuple[Guard, ...]


Row = tuple[tuple[Step, ...], ...]
"""The steps from each path index; the last entry, reached by the index -1, is the reserve."""


class _Rows(dict[int, Row]):
    """The rows of the six values of a die."""

    def __missing__(self, die: int) -> Row:
        raise ValueError(f"a die shows 1 to 6, not {die!r}")


@dataclass(frozen=True, slots=True)
class SeatSteps:
    """What one seat can do under one set of rules.

    Attributes:
        number: the seat's place in the order of play, D4 being 0.
        rows: for each value of the die, the steps from each path index.
        indices: the path index of every square of the path, and of the reserve (None).
        victims: for each path index, where other seats' checkers stand that a landing there knocks
            out.
        home: the path index of the corner.
        order: the seats after this one with their numbers, in the order of play, itself last.
        demanding: the options may narrow the choice among right moves.
    """

    number: int
    rows: dict[int, Row]
    indices: dict[Square | None, int]
    victims: tuple[tuple[Spot, ...], ...]
    home: int
    order: tuple[tuple[Seat, int], ...]
    demanding: bool


@cache
def all_steps(rules: Rules) -> dict[Seat, SeatSteps]:
    """Return the steps of every seat under *rules*; not to be changed."""
    return {seat: _seat_steps(seat, rules) for seat in SEATS}


def jumps_at_home(number: int, over: tuple[int, ...], home: int) -> Guard:
    """Return the guard against passing over own checkers at home, on the way over *over*."""
    spots = [(number, index) for index in over if index >= home]
    return Guard(Reason.HOME_JUMP, partial(_any_stands, spots))


def _seat_steps(seat: Seat, rules: Rules) -> SeatSteps:
    way = path(seat, rules)
    number = SEATS.index(seat)
    places = [*range(len(way)), RESERVE]
    turn = SEATS[number + 1 :] + SEATS[: number + 1]
    return SeatSteps(
        number=number,
        rows=_Rows(
            (die, tuple(tuple(_steps(seat, index, die, rules)) for index in places))
            for die in range(1, 7)
        ),
        indices=dict(((None, RESERVE), *path_indices(seat, rules).items())),
        victims=tuple(tuple(_victims(seat, at, rules)) for at in way),
        home=home_index(rules),
        order=tuple((other, SEATS.index(other)) for other in turn),
        demanding=rules.must_hit or rules.entry is EntryRule.COMPULSORY,
    )


def _steps(seat: Seat, index: int, die: int, rules: Rules) -> Iterator[Step]:
    """Yield the steps of *seat* from *index* by *die*."""
    way = path(seat, rules)
    if index == RESERVE:
        if die == 6:
            yield Step(Move(None, way[0]), tuple(_guards(seat, RESERVE, 0, 1, rules)))
        return
    targets = [_landing(index, die, rules)]
    if rules.home_dir is HomeDirection.BOTH and index - die >= home_index(rules):
        targets.append(index - die)
    for target in targets:
        if target < len(way):
            guards = tuple(_guards(seat, index, target, die, rules))
            yield Step(Move(way[index], way[target]), guards)


def _guards(seat: Seat, index: int, target: int, die: int, rules: Rules) -> Iterator[Guard]:
    """Yield what may close a step, in the order of the reasons."""
    number = SEATS.index(seat)
    home = home_index(rules)
    at = path(seat, rules)[target]
    over = _passed(index, target, die, rules)
    if not rules.home_jump and any(between >= home for between in over):
        yield jumps_at_home(number, over, home)
    if rules.home_internal is HomeInternal.FORBIDDEN and index >= home:
        yield Guard(Reason.BLOCKED, _always)
    if rules.stack is Stack.BLOCK:
        spots = [spot for between in (*over, target) for spot in _others(seat, between, rules)]
        yield Guard(Reason.BLOCKED, partial(_any_pair, spots))
    if not rules.track_stack and target < home:
        yield Guard(Reason.OWN_OCCUPIED, partial(_any_stands, [(number, target)]))
    owner = next((other for other in SEATS if corner(other, rules) == at), seat)
    if owner is not seat and rules.corner is Corner.BLOCK:
        spots = [(SEATS.index(owner), home)]
        yield Guard(Reason.CORNER_OCCUPIED_BY_OWNER, partial(_any_stands, spots))
    if owner is not seat and rules.corner is Corner.PASS:
        yield Guard(Reason.CORNER_RESERVED, _always)
    if rules.home_capacity and target >= home:
        yield Guard(Reason.HOME_SQUARE_FULL, partial(_any_stands, [(number, target)]))


def _landing(index: int, die: int, rules: Rules) -> int:
    """Return where *die* carries a checker forward from *index*, or an index beyond the path."""
    last = home_index(rules) + HOME_SQUARES - 1
    target = index + die
    if target > last and index < home_index(rules) and rules.overshoot is Overshoot.BOUNCE:
        return 2 * last - target
    return target


def _passed(index: int, target: int, die: int, rules: Rules) -> tuple[int, ...]:
    """Return the path indices passed over on the way from *index* to *target* by *die*.

    A bouncing checker passes over its target too, on the way in.
    """
    last = home_index(rules) + HOME_SQUARES - 1
    if index < target < index + die:
        return tuple(range(index + 1, last + 1))
    return tuple(range(min(index, target) + 1, max(index, target)))


def _others(seat: Seat, index: int, rules: Rules) -> Iterator[Spot]:
    """Yield where on their own ring other seats stand on the square of a path index."""
    at = path(seat, rules)[index]
    for number, other in enumerate(SEATS):
        there = path_indices(other, rules).get(at)
        if other is not seat and there is not None and there < home_index(rules):
            yield number, there


def _victims(seat: Seat, at: Square, rules: Rules) -> Iterator[Spot]:
    """Yield where other seats' checkers stand that a landing of *seat* on *at* knocks out."""
    for number, other in enumerate(SEATS):
        there = path_indices(other, rules).get(at)
        at_home = there is not None and there >= home_index(rules)
        if other is not seat and there is not None and (not at_home or rules.corner is Corner.HIT):
            yield number, there


def _always(_: Checkers) -> bool:
    return True


def _any_stands(spots: list[Spot], checkers: Checkers) -> bool:
    return any(index in checkers[number] for number, index in spots)


def _any_pair(spots: list[Spot], checkers: Checkers) -> bool:
    return any(checkers[number].count(index) > 1 for number, index in spots)
