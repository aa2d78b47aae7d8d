"""What the die alone says is wrong: cast too early, or turned by a finger."""

import math
from typing import Final

from referee.events import IllegalMove
from referee.match import Match, Phase
from referee.moves import may_pass
from referee.naming import Case
from referee.reasons import Reason
from tabletop import DieObservation, DieSign, DieState, Seat

DIE_FAULTS: Final = frozenset(
    {Reason.MUST_MOVE, Reason.DIE_CHANGED, Reason.GAME_OVER, Reason.OUT_OF_TURN}
)
"""Wrongs that the squares do not show, so that a rightly standing board does not clear them."""
LEAST_SAME_FACE: Final = 1e-3
SURELY_SAME: Final = 0.9
"""A die that seems turned must show the face that was read before so probably to be as it was."""


def wrong_about_the_die(match: Match, die: DieObservation | None) -> IllegalMove | None:
    """Return what is wrong about *die* while the squares stand as they should."""
    reason = _reason(match, die)
    return None if reason is None else die_fault(match, reason)


def die_fault(match: Match, reason: Reason, seat: Seat | None = None) -> IllegalMove:
    """Return the wrong *reason* about the die, told to *seat*; by default to whose turn it is."""
    case = Case(match, match.position, match.die, match.to_move)
    told = seat or case.mover
    return IllegalMove(told, match.colour(told), reason, allowed=case.allowed, die=match.die)


def last_throw(match: Match) -> int | None:
    """Return the value of the last throw that counted, played or not."""
    if match.die is not None:
        return match.die
    return match.throws[-1].played.die if match.throws else None


def log_same_face(match: Match, die: DieObservation | None) -> float:
    """Return what a die that seems turned says for the face that was read before."""
    known = last_throw(match)
    if die is None or die.sign is not DieSign.TURNED or known is None:
        return 0.0
    total = sum(die.reading.probabilities)
    if die.reading.state is DieState.COCKED or total <= 0.0:
        return 0.0
    return math.log(max(die.reading.probabilities[known - 1] / total, LEAST_SAME_FACE))


def is_turned_in_doubt(match: Match, die: DieObservation | None) -> bool:
    """Tell whether a die seems turned, and to no face that could be named: it may lean now.

    That is no fault to be told, and it is not as it was either.
    """
    known = last_throw(match)
    if die is None or die.sign is not DieSign.TURNED or known is None:
        return False
    if match.phase is Phase.OVER or (match.wrong and match.wrong.reason is Reason.DIE_CHANGED):
        return False
    reading = die.reading
    seen = sum(reading.probabilities) + reading.cocked
    return reading.probabilities[known - 1] < SURELY_SAME * seen


def _reason(match: Match, die: DieObservation | None) -> Reason | None:
    if die is None or die.sign is DieSign.SAME:
        return None
    if die.sign is DieSign.TURNED:
        known = last_throw(match)
        # A die turned back to the face that was read is as it should be.
        face = 1 + die.reading.probabilities.index(die.reading.confidence)
        seen = die.reading.state is not DieState.COCKED and die.reading.confidence > 0.0
        changed = seen and known not in (None, face) and match.phase is not Phase.OVER
        return Reason.DIE_CHANGED if changed else None
    if match.phase is Phase.OVER:
        return Reason.GAME_OVER
    if match.phase is Phase.MOVE and match.die is not None:
        free = may_pass(match.position, match.die, match.rules)
        return None if free else Reason.MUST_MOVE
    return None
