"""Blame: what was said to be wrong, and still stands, is called as it was at first.

Whoever did something wrong did it, though others have cast since. And where several things are
wrong, each is named in its turn: the newest first, and what is left when that is put right.
"""

from dataclasses import replace
from typing import Final

from referee.differing import board_showing
from referee.events import Difference, IllegalMove
from referee.match import Match
from referee.moves import play
from referee.naming import Case, is_victim_lifted, name_wrong, story
from referee.reasons import Reason
from tabletop import Contents, Square

_Squares = dict[tuple[Square, Contents], int]
_UNSAID: Final = -1


def blamed(case: Case, differences: tuple[Difference, ...]) -> IllegalMove:
    """Return what the *differences* from the case's position break, and who is told.

    What was said before is told as it was. What is new beside it is named by itself, if by all the
    differences together the old would be named again; and so is what is left of several wrongs, by
    the state in which they were first seen.
    """
    said = said_wrong(case.match)
    for _, wrong in said:
        if wrong.differs == differences:
            return _as_said(wrong, case)
    if not said:
        return name_wrong(case, differences)
    first = _first_said(said)
    parts: dict[int, list[Difference]] = {}
    for one in differences:
        parts.setdefault(first.get((one.square, one.seen), _UNSAID), []).append(one)
    fresh = tuple(parts.pop(_UNSAID, ()))
    if fresh:
        # A checker that goes on from where it was told to stand wrongly left a square told before.
        fresh = _with_sources(case, fresh, [one for ones in parts.values() for one in ones])
        rest = {n: [one for one in ones if one not in fresh] for n, ones in parts.items()}
        parts = {number: ones for number, ones in rest.items() if ones}
        whole = name_wrong(case, differences)
        both = whole.reason is Reason.TWO_MOVES and not _is_among(whole, said)
        if not parts or both or _concerns(whole, fresh):
            return whole
        if not _is_right(case, fresh):
            return replace(name_wrong(case, fresh), differs=differences)
    newest = max(parts)
    before, wrong = said[newest]
    if sum(number == newest for number in first.values()) == len(parts[newest]):
        return replace(_as_said(wrong, case), differs=differences)
    return replace(name_wrong(Case.of(before), tuple(parts[newest])), differs=differences)


def said_wrong(match: Match) -> list[tuple[Match, IllegalMove]]:
    """Return what was said to be wrong on the squares since all was right, the oldest first.

    Each with the match before it was said.
    """
    said: list[tuple[Match, IllegalMove]] = []
    state: Match | None = match
    while state is not None and state.wrong is not None:
        before = state.previous
        if before is not None and before.wrong is not state.wrong and state.wrong.differs:
            said.append((before, state.wrong))
        state = before
    return said[::-1]


def _as_said(wrong: IllegalMove, case: Case) -> IllegalMove:
    """Return *wrong* as it was said; what might be done with a throw since gone is left out."""
    same = (wrong.seat, wrong.die) == (case.mover, case.die)
    return wrong if same else replace(wrong, allowed=())


def _first_said(said: list[tuple[Match, IllegalMove]]) -> _Squares:
    """Return by which of what was *said* each square was first told, with what is seen on it."""
    first: _Squares = {}
    for number, (_, wrong) in enumerate(said):
        for one in wrong.differs:
            first.setdefault((one.square, one.seen), number)
    return first


def _is_among(wrong: IllegalMove, said: list[tuple[Match, IllegalMove]]) -> bool:
    """Tell whether *wrong* was *said* already, whatever stands wrongly besides."""
    return any((one.reason, one.found) == (wrong.reason, wrong.found) for _, one in said)


def _concerns(wrong: IllegalMove, differences: tuple[Difference, ...]) -> bool:
    """Tell whether the checker found to be *wrong* is one of those that make *differences*."""
    if wrong.found is None:
        return True
    return any(one.square in (wrong.found.source, wrong.found.target) for one in differences)


def _with_sources(
    case: Case, fresh: tuple[Difference, ...], told: list[Difference]
) -> tuple[Difference, ...]:
    """Return *fresh* differences with those *told* before from which their checkers came.

    Of several, that from which the move is right.
    """
    moved, before = story(fresh), story(told)
    for colour in moved.colours:
        (gone, came), (left, stand) = moved.of(colour), before.of(colour)
        if len(came) != len(gone) + 1 or len(left) <= len(stand):
            continue
        ways = [(*fresh, one) for one in told if one.square in left]
        fresh = next((way for way in ways if _is_right(case, way)), ways[0])
    return tuple(sorted(fresh, key=lambda one: one.square))


def _is_right(case: Case, differences: tuple[Difference, ...]) -> bool:
    """Tell whether the *differences* alone are a lawful move by the case's throw, or begin one."""
    if case.die is None:
        return False
    if is_victim_lifted(case, differences):
        return True
    match = case.match
    board = board_showing(match.contents(case.position), differences)
    return any(
        match.contents(play(case.position, case.die, move, match.rules).after) == board
        for move in case.legal
    )
