"""Something wrong beside a cast that may be one value or another: what can be told of it."""

from dataclasses import replace
from typing import Final

from referee.blame import blamed
from referee.differing import board_differences
from referee.doubts import differ_in_a_cast, rivals
from referee.events import IllegalMove
from referee.match import Match
from referee.naming import Case
from referee.reasons import Reason
from referee.weighing import Weighed

_BY_ANY_THROW: Final = (
    Reason.UNKNOWN_CHECKER,
    Reason.REMOVED_WITHOUT_KNOCK_OUT,
    Reason.NOT_YOUR_CHECKER,
    Reason.OFF_PATH,
)
"""Reasons that are the same and told the same, whatever was thrown."""


def wrong_whatever_was_cast(
    match: Match, weighed: tuple[Weighed, ...], sure: float
) -> IllegalMove | None:
    """Return what is wrong on the squares, where nothing but the value of a cast is in doubt.

    It is told of no throw: none is known. None, where one of the casts would make it right, but for
    a knocked-out checker that is left on the board, or other checkers would be wrong by another.

    Args:
        match: the state, with all that was surely done before the cast.
        weighed: the tales of the scene.
        sure: how probable those must be together that matter.
    """
    tales = [one.hypothesis for one in rivals(weighed, sure)]
    wrongs = [wrong for tale in tales if (wrong := tale.wrong) is not None]
    if len(wrongs) < len(tales) or not differ_in_a_cast(tales):
        return None
    if wrongs[0].found is None or len({wrong.found for wrong in wrongs}) > 1:
        return None
    reasons = {wrong.reason for wrong in wrongs}
    if Reason.KNOCKED_OUT_LEFT_ON_BOARD in reasons:
        return None
    differs = board_differences(tales[0].board, match.contents())
    if reasons <= {*_BY_ANY_THROW} and len({(one.seat, one.reason) for one in wrongs}) == 1:
        return replace(wrongs[0], differs=differs, die=None, allowed=())
    named = blamed(Case.of(match), differs)
    return named if named.found == wrongs[0].found else None
