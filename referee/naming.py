"""Naming what is wrong: from squares that differ to the first reason code that fits.

A *difference* is a square that shows something else than the position says. All differences
together are a story: checkers that are gone from squares, checkers that came to squares.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from referee.differing import exchanged
from referee.events import Difference, Found, IllegalMove
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, move_text, play, reason_against
from referee.position import Position, reserve_count
from referee.reasons import Reason
from tabletop import CHECKERS_EACH, Colour, Seat, Square

PASS: Final = "--"


@dataclass(frozen=True, slots=True)
class Case:
    """What a table is judged by: a position, the throw to be played if one is, and whose it is.

    A throw that *passed* for want of a move still judges what the mover's own checkers do, until
    the next cast.
    """

    match: Match
    position: Position
    die: int | None
    mover: Seat
    passed: bool = False

    @classmethod
    def of(cls, match: Match) -> Self:
        """Return the case of whatever is done next in *match*, the die not being cast."""
        if match.phase is Phase.MOVE and match.die is not None:
            return cls(match, match.position, match.die, match.position.to_move)
        last = None if match.phase is Phase.OVER else match.last
        if last is not None and last.played.move is None:
            before, die = last.played.before, last.played.die
            if not legal_moves(before, die, match.rules):
                # The turn has passed, but a wrong move is still his who threw, until the next cast.
                return cls(match, before, die, last.seat, passed=True)
        return cls(match, match.position, None, match.to_move)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw."""
        return () if self.die is None else legal_moves(self.position, self.die, self.match.rules)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The texts of all that may be done with the throw."""
        if self.die is None:
            return ()
        passing = (PASS,) if may_pass(self.position, self.die, self.match.rules) else ()
        return (*(move_text(move) for move in self.legal), *passing)


@dataclass(frozen=True, slots=True)
class Story:
    """Which checkers are gone from where, and which came to where, against a position."""

    gone: tuple[tuple[Colour, Square], ...]
    came: tuple[tuple[Colour, Square], ...]

    def of(self, colour: Colour) -> tuple[list[Square], list[Square]]:
        """Return the squares that checkers of *colour* left, and those they came to."""
        return (
            [at for own, at in self.gone if own is colour],
            [at for own, at in self.came if own is colour],
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that take part."""
        return tuple(dict.fromkeys(colour for colour, _ in (*self.gone, *self.came)))


def story(differences: Iterable[Difference]) -> Story:
    """Return which checkers are gone and which came, by the *differences*."""
    gone: list[tuple[Colour, Square]] = []
    came: list[tuple[Colour, Square]] = []
    for one in differences:
        left, more = exchanged(one.due, one.seen)
        gone += [(colour, one.square) for colour in left]
        came += [(colour, one.square) for colour in more]
    return Story(tuple(gone), tuple(came))


def name_wrong(case: Case, differences: tuple[Difference, ...]) -> IllegalMove:
    """Return what the *differences* from the case's position break, by the first reason that fits.

    The differences must not be those of a finished legal move.
    """
    told = story(differences)
    if case.passed and case.match.colour(case.mover) not in told.colours:
        case = Case(case.match, case.match.position, None, case.match.to_move)
    reason, found = _name(case, told)
    return IllegalMove(
        seat=_addressed(case, reason, found),
        colour=case.match.colour(_addressed(case, reason, found)),
        reason=reason,
        found=found,
        allowed=tuple(text for text in case.allowed if not _only_restores(text, case, found)),
        die=case.die,
        differs=differences,
    )


def is_victim_lifted(case: Case, differences: tuple[Difference, ...]) -> bool:
    """Tell whether nothing but checkers that a legal move knocks out were taken off.

    That is a move begun at its end, and no fault.
    """
    if any(len(one.seen) >= len(one.due) for one in differences):
        return False
    told = story(differences)
    if told.came or not told.gone:
        return False
    return any(
        all(
            at == move.target and case.match.seat(colour) is not case.mover
            for colour, at in told.gone
        )
        and knocked_counts(case, move) >= Counter(colour for colour, _ in told.gone)
        for move in case.legal
    )


def only_lifted(wrong: IllegalMove) -> bool:
    """Tell whether checkers are gone and none came anywhere: somebody may hold them."""
    return wrong.reason is Reason.REMOVED_WITHOUT_KNOCK_OUT and not story(wrong.differs).came


def _name(case: Case, told: Story) -> tuple[Reason, Found | None]:
    if case.position.winner is not None:
        return Reason.GAME_OVER, _first(told)
    if extra := _unknown(case, told):
        return Reason.UNKNOWN_CHECKER, extra
    if case.die is None and told.came:
        return Reason.MOVED_BEFORE_THROW, _first(told)
    own = case.match.colour(case.mover)
    own_gone, own_came = told.of(own)
    if len(own_came) >= 2:
        return Reason.TWO_MOVES, _first(told, own)
    if missing := _missing(case, told):
        return Reason.REMOVED_WITHOUT_KNOCK_OUT, missing
    strangers = [c for c in told.colours if c is not own and told.of(c)[1]]
    if strangers:
        return Reason.NOT_YOUR_CHECKER, _first(told, strangers[0])
    source = own_gone[0] if own_gone else None
    if not own_came:
        # Only victims are gone, and in a way that no single legal move explains.
        return Reason.REMOVED_WITHOUT_KNOCK_OUT, _first(told)
    move = Move(source, own_came[0])
    reason = reason_against(case.position, case.die, move, case.match.rules, case.mover)
    return reason or Reason.KNOCKED_OUT_LEFT_ON_BOARD, Found(own, source, move.target)


def _only_restores(text: str, case: Case, found: Found | None) -> bool:
    """Tell whether a move, written as *text*, puts a missing checker back where it was, no more."""
    if found is None or found.source is None or found.target is not None:
        return False
    own = case.match.colour(case.mover)
    return found.colour is own and text == move_text(Move(None, found.source))


def _unknown(case: Case, told: Story) -> Found | None:
    """Return a checker that cannot be there: of a foreign colour, or a fifth of its own."""
    for colour in told.colours:
        gone, came = told.of(colour)
        seat = case.match.seat(colour)
        free = len(gone) + (reserve_count(case.position, seat) if seat else 0)
        if len(came) > min(free, CHECKERS_EACH):
            return Found(colour, None, came[-1])
    return None


def _missing(case: Case, told: Story) -> Found | None:
    """Return a checker that is gone, nowhere else, and knocked out by no legal move."""
    own = case.match.colour(case.mover)
    own_gone, own_came = told.of(own)
    if len(own_gone) > len(own_came):
        return Found(own, own_gone[-1], None)
    hits: Counter[tuple[Colour, Square]] = Counter()
    for move in _landed(case, told) or case.legal:
        for colour, count in knocked_counts(case, move).items():
            hits[colour, move.target] = count
    for colour in told.colours:
        gone, came = told.of(colour)
        if colour is own or len(gone) <= len(came):
            continue
        spare = len(gone) - len(came)
        covered = sum(min(hits[colour, at], gone.count(at)) for at in set(gone))
        if spare > covered:
            at = next((at for at in gone if not hits[colour, at]), gone[0])
            return Found(colour, at, None)
    return None


def _landed(case: Case, told: Story) -> tuple[Move, ...]:
    """Return the legal move that was made as far as the mover's own checkers go, if one was."""
    own_gone, own_came = told.of(case.match.colour(case.mover))
    if len(own_came) != 1 or len(own_gone) > 1:
        return ()
    made = Move(own_gone[0] if own_gone else None, own_came[0])
    return (made,) if made in case.legal else ()


def knocked_counts(case: Case, move: Move) -> Counter[Colour]:
    """Return how many checkers of each colour a legal move knocks out."""
    assert case.die is not None
    knocked = play(case.position, case.die, move, case.match.rules).knocked
    return Counter({case.match.colour(seat): count for seat, count in knocked})


def _first(told: Story, colour: Colour | None = None) -> Found | None:
    """Return one checker of the story, of *colour* or any, as found."""
    for one in (colour,) if colour else told.colours:
        gone, came = told.of(one)
        return Found(one, gone[0] if gone else None, came[0] if came else None)
    return None


def _addressed(case: Case, reason: Reason, found: Found | None) -> Seat:
    """Return who is told: the mover; where none is due to move, whoever's checker it is."""
    if found and reason in (Reason.MOVED_BEFORE_THROW, Reason.GAME_OVER):
        return case.match.seat(found.colour) or case.mover
    return case.mover
