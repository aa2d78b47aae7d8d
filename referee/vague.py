"""Vague squares: on which a tale rests, and which do not themselves show what it tells."""

from collections.abc import Mapping
from typing import Final

from referee.differing import board_differences
from referee.hypotheses import Hypothesis, casts_of
from referee.match import Match
from tabletop import EMPTY, SQUARES, Contents, Observation, Square, SquareReading

LEAST_SEEN: Final = 0.55
"""A square on which something was done must show it itself at least so probably."""

SURELY_CHANGED: Final = 0.9
PERHAPS_EMPTY: Final = 0.95
"""An empty square is doubted that is no surer than this, and so surely looks touched,"""
PERHAPS_TOUCHED: Final = 0.02
"""or looks touched and holds a checker with this probability,"""
PERHAPS_OTHERWISE: Final = 0.25
"""and checkers that look touched and are more, or fewer, of the same colours with this one."""
PERHAPS_GONE: Final = 0.1
"""A checker that surely looks touched, and is gone with this probability, may be gone."""
STILL_THERE: Final = 0.1
"""What was said to be wrong, and is more probable than this, may stand there still."""


def vague_squares(match: Match, tale: Hypothesis, observation: Observation) -> tuple[Square, ...]:
    """Return the squares on which a lawful *tale* rests, and that do not themselves show it.

    It rests on the squares it changes, on all where it is that nothing was done. What people
    usually do may decide how many checkers stand together, or what a glare hides, but not where a
    checker stands that lies across a border, nor that the one which is seen is none: a wrong move
    is never taken for the right one beside it, nor for no move. Nor is a move made up for a cast
    that came too early where no square shows it: one more on a tower that looks as high as before.
    Squares it leaves alone may also look touched, and as if something came there or was taken off.
    And of what was said to be wrong each square must show that it is put right.
    """
    due, square = tale.board, observation.square
    changed = {one.square for one in board_differences(due, match.contents())}
    speaking = changed if tale.steps else SQUARES
    vague = {at for at in speaking if not _shows(square(at), due.get(at, EMPTY))}
    if casts_of(tale.steps) and not any(_is_seen(square(at), due.get(at, EMPTY)) for at in changed):
        vague |= changed
    if not tale.steps:
        vague |= {at for at in SQUARES if at not in due and _may_hold_one(square(at))}
    for one in match.wrong.differs if match.wrong is not None else ():
        there = due.get(one.square, EMPTY)
        if set(one.seen) != set(there) and _may_stand(square(one.square), one.seen):
            vague.add(one.square)
    if not match.restoring and match.wrong is None:  # else people may touch them to put them right
        left = due.keys() - changed
        vague |= {
            at for at in left if _may_be_otherwise(square(at), due[at]) or _may_be_gone(square(at))
        }
    return tuple(sorted(vague))


def vague_beside(
    match: Match, board: Mapping[Square, Contents], observation: Observation
) -> tuple[Square, ...]:
    """Return the squares on which something more may be wrong than *board* shows.

    They look touched, and perhaps show other than what both the board and the match have there.
    """
    now, square = match.contents(), observation.square
    return tuple(
        at
        for at in SQUARES
        if (there := board.get(at, EMPTY)) == now.get(at, EMPTY)
        and (
            _may_be_otherwise(square(at), there, same_colours=False)
            if there
            else _may_hold_one(square(at))
        )
    )


def _may_stand(reading: SquareReading, there: Contents) -> bool:
    """Tell whether on a square that is seen that may still stand which was said to be wrong."""
    return not reading.hidden and reading.probability(there) > STILL_THERE


def _may_hold_one(reading: SquareReading) -> bool:
    """Tell whether a square that should be empty looks touched, and is not surely empty.

    What looks like no checker at all may be the side of one on the next square.
    """
    if reading.hidden or reading.changed is None:
        return False
    if reading.changed >= SURELY_CHANGED and reading.probability(EMPTY) <= PERHAPS_EMPTY:
        return True
    return reading.changed * sum(p for what, p in reading.options if what) >= PERHAPS_TOUCHED


def _may_be_gone(reading: SquareReading) -> bool:
    """Tell whether checkers that nobody should have touched may have been taken off."""
    if reading.hidden or reading.changed is None or reading.changed < SURELY_CHANGED:
        return False
    return reading.probability(EMPTY) >= PERHAPS_GONE


def _may_be_otherwise(
    reading: SquareReading, there: Contents, *, same_colours: bool = True
) -> bool:
    """Tell whether checkers that nobody should have touched may be others now.

    With the *same colours*: whether they may have become more or fewer.
    """
    if reading.hidden or reading.changed is None or reading.changed < PERHAPS_OTHERWISE:
        return False
    others = sum(
        chance
        for what, chance in reading.options
        if what != there and not (same_colours and set(what) != set(there))
    )
    return reading.changed * others >= PERHAPS_OTHERWISE


def _is_seen(reading: SquareReading, there: Contents) -> bool:
    """Tell whether a square rather shows just this than anything else."""
    return reading.hidden or reading.best == there


def _shows(reading: SquareReading, there: Contents) -> bool:
    """Tell whether a square, if it is seen, itself shows these colours."""
    return reading.hidden or _colours_seen(reading, there) >= LEAST_SEEN


def _colours_seen(reading: SquareReading, there: Contents) -> float:
    """Return how probable it is that these colours stand there, in whatever numbers."""
    if reading.best == there and reading.confidence >= LEAST_SEEN:
        return reading.confidence
    return sum(chance for what, chance in reading.options if set(what) == set(there))
