"""How things get from one scene to the next."""

from collections import Counter
from dataclasses import replace
from typing import Final

from hardware.scene import BoardLie, Hand, PlacedChecker, PlacedDie, Room, Scene

_ARM_LENGTH: Final = 8.0  # how far off a hand starts, in squares
_GONE: Final = 0.95  # the share of its way after which a hand is out of sight
_ROLL_LENGTH: Final = 1.6
_ROLL_TURN_DEG: Final = 420.0


def between(before: Scene, after: Scene, share: float, *, slid: bool = False) -> Scene:
    """Return the scene when *share* of the way from one to the next is done, above 0 to 1.

    Checkers are lifted on their way unless they are *slid*. A lamp is lit, and a camera knocked, at
    once.
    """
    if share >= 1:
        return after
    eased = share * share * (3 - 2 * share)
    return Scene(
        checkers=_carried(before.checkers, after.checkers, eased, lift=0 if slid else 1),
        die=_rolling(before.die, after.die, share),
        hand=_reaching(before.hand, after.hand, eased),
        brightness=_mix(before.brightness, after.brightness, eased),
        room=_shoved(before.room, after.room, eased),
        cup=after.cup,
    )


def _shoved(before: Room, after: Room, share: float) -> Room:
    first, last = before.board, after.board
    turn = (last.turn_deg - first.turn_deg + 180) % 360 - 180
    lie = BoardLie(
        _mix(first.x, last.x, share),
        _mix(first.y, last.y, share),
        first.turn_deg + share * turn,
    )
    return replace(after, board=lie if first != last else last)


def _carried(
    before: tuple[PlacedChecker, ...], after: tuple[PlacedChecker, ...], share: float, lift: int
) -> tuple[PlacedChecker, ...]:
    """Carry each checker that moved straight to its new place; others come and go at once."""
    taken, put = Counter(before), Counter(after)
    resting = tuple((taken & put).elements())
    leaving = sorted((taken - put).elements(), key=_order)
    under_way = []
    for target in sorted((put - taken).elements(), key=_order):
        origin = next((c for c in leaving if c.colour is target.colour), None)
        if origin is None:
            under_way.append(target)
            continue
        leaving.remove(origin)
        under_way.append(
            PlacedChecker(
                target.colour,
                _mix(origin.x, target.x, share),
                _mix(origin.y, target.y, share),
                max(origin.layer, target.layer) + lift,
            )
        )
    return resting + tuple(under_way)


def _order(checker: PlacedChecker) -> tuple[str, int, float, float]:
    return checker.colour, checker.layer, checker.x, checker.y


def _rolling(before: PlacedDie | None, after: PlacedDie | None, share: float) -> PlacedDie | None:
    """Let a die that lies elsewhere now roll in from the h file's side, tumbling."""
    if after is None or after == before:
        return after
    if before is not None and (before.x, before.y) == (after.x, after.y):
        return before if share < 0.5 else after
    left = 1 - share
    return PlacedDie(
        value=1 + (after.value + round(4 * left)) % 6,
        x=after.x + 0.6 * _ROLL_LENGTH * left * left,
        y=after.y - _ROLL_LENGTH * left * left,
        turn_deg=after.turn_deg + _ROLL_TURN_DEG * left,
        cocked=True,
    )


def _reaching(before: Hand | None, after: Hand | None, share: float) -> Hand | None:
    if before is None:
        return replace(after, drawn_back=(1 - share) * _ARM_LENGTH) if after else None
    if after is None:
        return replace(before, drawn_back=share * _ARM_LENGTH) if share < _GONE else None
    turn = (after.from_deg - before.from_deg + 180) % 360 - 180
    return Hand(
        _mix(before.x, after.x, share),
        _mix(before.y, after.y, share),
        before.from_deg + share * turn,
    )


def _mix(first: float, second: float, share: float) -> float:
    return first + share * (second - first)
