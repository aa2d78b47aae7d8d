"""Complaints: when a wrong is told, told again, and put right."""

from referee.die_faults import DIE_FAULTS, last_throw
from referee.events import Event, IllegalCleared, IllegalMove
from referee.match import Match, Phase
from referee.reasons import Reason
from tabletop import DieObservation, DieSign


def is_about_the_die(wrong: IllegalMove | None) -> bool:
    """Tell whether nothing but the die is *wrong*, so that the squares show nothing of it."""
    return wrong is not None and wrong.reason in DIE_FAULTS and not wrong.differs


def is_cast(die: DieObservation | None) -> bool:
    """Tell whether the *die* was cast, and not yet accounted for."""
    return die is not None and die.sign is DieSign.THROWN


def is_cast_in_vain(match: Match, wrong: IllegalMove, die: DieObservation | None) -> bool:
    """Tell whether the die was cast while something *wrong* stands, and can be no throw.

    So it is while a move is owed, in the opening, where nobody else would take a checker off, and
    after the end. Such a cast is void, and what is wrong is told again. Where but a knocked-out
    checker is yet to be taken off, the cast counts once it is.
    """
    unfinished = wrong.reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD
    return is_cast(die) and match.phase is not Phase.THROW and not unfinished


def is_news(said: IllegalMove | None, wrong: IllegalMove, die: DieObservation | None) -> bool:
    """Tell whether *wrong* is not what was *said* already, though it be seen a little otherwise."""
    if said is None or said.reason is not wrong.reason:
        return True
    if wrong.reason in (Reason.MUST_MOVE, Reason.GAME_OVER) and not wrong.differs:
        return is_cast(die)
    if (said.seat, said.found) != (wrong.seat, wrong.found):
        return True
    # More was moved, or some of it put right; how high a tower seems is no news.
    before, now = ({one.square: set(one.seen) for one in told.differs} for told in (said, wrong))
    left_on = wrong.reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD
    return before != now or (left_on and said.differs != wrong.differs)


def cleared_events(match: Match, die: DieObservation | None) -> tuple[Event, ...]:
    """Return that what was wrong is put right, where a scene as it should be can show that."""
    wrong = match.wrong
    if wrong is None:
        return ()
    if wrong.reason in DIE_FAULTS and wrong.reason is not Reason.GAME_OVER:
        turned_back = (
            wrong.reason is Reason.DIE_CHANGED
            and die is not None
            and die.sign is DieSign.TURNED
            and die.reading.value == last_throw(match)
        )
        return (IllegalCleared(wrong.seat),) if turned_back else ()
    return (IllegalCleared(wrong.seat),)
