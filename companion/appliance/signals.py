"""What the lamps show for what happened; people may change the mapping from kinds of events."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from companion.phrases.beside import beside
from hardware.ports import Signal
from referee.events import EVENT_TYPES, Event, Obscured
from referee.match import Match, Phase
from referee.moves import parse_move
from referee.naming import story
from tabletop import Square, square_name

Signals = Mapping[str, Signal]
"""The signal of each kind of event that has one."""

USUAL_SIGNALS: Final[Signals] = MappingProxyType(
    {
        "checker_entered": Signal.LEGAL,
        "checker_moved": Signal.LEGAL,
        "checker_knocked_out": Signal.KNOCK_OUT,
        "extra_throw": Signal.EXTRA_THROW,
        "illegal_move": Signal.ILLEGAL,
        "die_unreadable": Signal.ILLEGAL,
        "question": Signal.QUESTION,
        "game_won": Signal.WON,
        "board_lost": Signal.CAMERA_LOST,
        "camera_lost": Signal.CAMERA_LOST,
    }
)

_STRONGEST: Final = (
    Signal.WON,
    Signal.CAMERA_LOST,
    Signal.ILLEGAL,
    Signal.QUESTION,
    Signal.KNOCK_OUT,
    Signal.EXTRA_THROW,
    Signal.LEGAL,
    Signal.WAITING_FOR_MOVE,
    Signal.WAITING_FOR_THROW,
    Signal.OFF,
)
"""Of several things that happen at once the first of these is shown."""


def signals_with(changes: Mapping[str, str]) -> Signals:
    """Return the usual signals with *changes*: kinds of events to names of signals.

    Raises:
        ValueError: a kind of event or a signal is unknown.
    """
    changed = dict(USUAL_SIGNALS)
    for kind, name in changes.items():
        if kind not in EVENT_TYPES:
            raise ValueError(f"{kind!r} is no kind of event: choose from {', '.join(EVENT_TYPES)}")
        try:
            changed[kind] = Signal(name)
        except ValueError:
            known = ", ".join(Signal)
            raise ValueError(f"{name!r} is no signal for {kind}: choose from {known}") from None
    return MappingProxyType(changed)


def signal_of(events: Iterable[Event], match: Match, signals: Signals = USUAL_SIGNALS) -> Signal:
    """Return what to show for the *events* of a verdict that led to *match*."""
    shown = {signals[event.kind] for event in events if event.kind in signals}
    return min(shown, key=_STRONGEST.index, default=resting_signal(match))


def resting_signal(match: Match) -> Signal:
    """Return what to show while nothing happens: what is awaited, or what is wrong."""
    if any(not isinstance(one, Obscured) for one in match.hindrances):
        return Signal.CAMERA_LOST
    if match.wrong is not None:
        return Signal.ILLEGAL
    if match.question is not None:
        return Signal.QUESTION
    if match.winner is not None:
        return Signal.WON
    if match.paused or match.phase is Phase.OVER:
        return Signal.OFF
    return Signal.WAITING_FOR_MOVE if match.phase is Phase.MOVE else Signal.WAITING_FOR_THROW


def marked_squares(match: Match) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the squares that stand wrongly, and those where their checkers belong.

    A checker belongs where a legal move would have taken it, or else where it came from; what is
    wrong beside it is marked too. Without a checker to name, all squares are wrong that differ from
    the log. While the board is to follow a correction, all that differs is marked.
    """
    wrong = match.wrong
    if wrong is None:
        left = story(match.differs)
        return _named(at for _, at in left.came), _named(at for _, at in left.gone)
    found = wrong.found
    if found is None:
        return tuple(sorted(square_name(each.square) for each in wrong.differs)), ()
    moves = [move for text in wrong.allowed if (move := parse_move(text)) is not None]
    right = [move.target for move in moves if move.source == found.source]
    if not right and found.source is not None:
        right = [found.source]
    stands = [] if found.target is None else [found.target]
    came = {at for _, at in story(wrong.differs).came}
    for at in beside(wrong, match).squares:
        (stands if at in came else right).append(at)
    return _named(stands), _named(at for at in right if at not in stands)


def lit_seat(match: Match) -> str | None:
    """Return the seat whose lamp is lit: whose turn it is, or who has won."""
    if match.winner is not None:
        return match.winner.value
    if match.paused or match.phase is Phase.OVER:
        return None
    return match.to_move.value


def _named(squares: Iterable[Square]) -> tuple[str, ...]:
    return tuple(sorted({square_name(at) for at in squares}))
