"""What else the squares show beside the checker that a ruling on a wrong names."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from referee.events import IllegalMove
from referee.match import Match
from referee.moves import Move
from referee.naming import Case, knocked_counts, story
from referee.reasons import Reason
from tabletop import Colour, Square

_Checkers = Counter[tuple[Colour, Square]]


@dataclass(frozen=True, slots=True)
class Beside:
    """What else the squares show.

    Attributes:
        move: that with which the throw that is owed one was rightly played, if it was.
        squares: what else stands wrongly: where a checker came to, or is gone from.
    """

    move: Move | None
    squares: tuple[Square, ...]


def beside(event: IllegalMove, match: Match) -> Beside:
    """Return what the squares by which *event* was told show beside it, *match* being after it."""
    told = story(event.differs)
    gone, came = Counter(told.gone), Counter(told.came)
    _leave_out_what_is_named(event, gone, came)
    own = match.colour(match.to_move)
    made = next((move for move in match.legal if _is_made(move, own, gone, came)), None)
    squares: list[Square] = []
    # A checker that a move knocks out may be taken off before it.
    hit = {move.target for move in match.legal if made in (None, move)}
    if made is not None:
        came[own, made.target] -= 1
        if made.source is not None:
            gone[own, made.source] -= 1
        squares += _left_on_board(match, made, gone)
    for colour in dict.fromkeys(colour for colour, _ in (*+came, *+gone)):
        stands = _squares_of(colour, came)
        missing = [at for at in _squares_of(colour, gone) if colour is own or at not in hit]
        squares += [*stands, *missing[len(stands) :]]
    named = () if event.found is None else (event.found.source, event.found.target)
    return Beside(made, tuple(at for at in dict.fromkeys(squares) if at not in named))


def is_captive(event: IllegalMove, made: Move | None, match: Match) -> bool:
    """Tell whether the checker that *event* names was knocked out by the move *made* beside it.

    It was set down elsewhere on the board, and is to be taken off.
    """
    found = event.found
    if made is None or found is None or found.target is None or match.die is None:
        return False
    hit = found.colour in knocked_counts(Case.of(match), made)
    return event.reason is Reason.NOT_YOUR_CHECKER and found.source == made.target and hit


def _leave_out_what_is_named(event: IllegalMove, gone: _Checkers, came: _Checkers) -> None:
    found = event.found
    if event.reason is Reason.TWO_MOVES:
        for checkers in (gone, came):
            for one in [one for one in checkers if one[0] is event.colour]:
                del checkers[one]
    elif found is not None:
        if found.source is not None:
            gone[found.colour, found.source] -= 1
        if found.target is not None:
            came[found.colour, found.target] -= 1
    if event.reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD and found is not None:
        for one in [one for one in gone if one[1] == found.target]:
            del gone[one]


def _is_made(move: Move, own: Colour, gone: _Checkers, came: _Checkers) -> bool:
    left = move.source is None or gone[own, move.source] > 0
    return left and came[own, move.target] > 0


def _left_on_board(match: Match, made: Move, gone: _Checkers) -> Iterable[Square]:
    """Return the square of the move that was *made*, if what it knocks out still stands there."""
    knocked = knocked_counts(Case.of(match), made)
    still = any(gone[colour, made.target] < count for colour, count in knocked.items())
    return (made.target,) if still else ()


def _squares_of(colour: Colour, checkers: _Checkers) -> list[Square]:
    return [at for one, at in (+checkers).elements() if one is colour]
