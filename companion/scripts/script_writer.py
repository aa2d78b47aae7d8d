"""Writes a game scene by scene: throws, moves, mistakes and how they are mended.

The players move as sensible people do: they knock out, come home and enter where they can.
"""

from random import Random
from typing import Final

from companion.scripts.habits import Habits
from companion.scripts.happenings import LOOKED_AT_S, Happening, Happenings, told_of
from companion.scripts.mistakes import Carry, Mistake, mistakes
from companion.scripts.pen import Pen
from companion.scripts.stage import Stage
from companion.scripts.style import SHOVED, Style
from referee.events import IllegalMove
from referee.hypotheses import CastVoid, Moved, Passed, Step, Threw
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, move_text, play
from referee.naming import Case, knocked_counts
from referee.reasons import Reason
from referee.verdict import DOUBT_S, LIFTED_S
from tabletop import DieState

GLIMPSED_S: Final = 0.9
"""How long a hasty player looks at his throw; too short for it to be called."""
MENDED_AT_ONCE: Final = 0.4
"""How often a wrong move is not put back before the right one is made."""
TAKEN_FIRST: Final = 0.3
"""How often a knocked-out checker is taken off well before the landing."""
PASSED: Final = 0.3
"""How often a player passes who may."""

_VICTIM_LEFT: Final = Reason.KNOCKED_OUT_LEFT_ON_BOARD
_FORGETS_VICTIM: Final = 4.0
"""How much oftener than another mistake this one is made, where there is a victim to forget."""
_LIKES_KNOCK_OUT, _LIKES_HOME, _LIKES_ENTRY, _LIKES_HEAP = 5.0, 4.0, 3.0, 0.02


class ScriptWriter:
    """Plays a game on a stage.

    Attributes:
        pen: what it is written down with.
    """

    def __init__(self, rng: Random, match: Match, stage: Stage, style: Style) -> None:
        self.pen: Final = Pen(rng, match, stage, style)
        self._rng: Final = rng
        self._stage: Final = stage
        self._style: Final = style
        self._habits: Final = Habits(self.pen)
        self._happenings: Final = Happenings(rng, stage)
        self._passing = False
        self._glimpsed = False
        self._called = True

    def play(self) -> None:
        """Play until the game is over."""
        self.pen.compare()
        self.pen.rest("before the game")
        while self.pen.match.phase is not Phase.OVER:
            if self.pen.match.phase is Phase.MOVE and not self._passing:
                self._move()
            else:
                self._throw()

    def _throw(self) -> None:
        """Cast the die, in vain now and then; the throw may turn out to be of no use."""
        pen = self.pen
        if pen.happens(SHOVED):
            self._stage.shove()
        if self._called:
            self._habits.before_throw()
        if pen.happens(self._style.cocked):
            pen.cast(self._value(), cocked=True)
            pen.rule(*self._pass_if_chosen(), CastVoid(DieState.COCKED))
            self._rest("cocked die", self._style.rest_s + DOUBT_S)
        value = self._value()
        mending = pen.match.wrong is not None
        pen.cast(value)
        pen.rule(*self._pass_if_chosen(), Threw(value, 1.0))
        match = pen.match
        stuck = match.phase is Phase.MOVE and not legal_moves(match.position, value, match.rules)
        if stuck:
            pen.rule(Passed(chosen=False))
        elif match.phase is Phase.MOVE:
            self._passing = may_pass(match.position, value, match.rules) and pen.chance(PASSED)
            patient = self._passing or self._glimpsed or mending
            if not patient and pen.chance(self._style.hurried):
                self._glimpsed = True
                if self._style.hasty:
                    pen.rest(f"throw {value}, in a hurry", GLIMPSED_S)
                return
        self._rest(f"throw {value}")
        if stuck and pen.happens(self._style.mistaken):
            last = pen.match.throws[-1]
            played = last.played
            erred = self._err(Case(pen.match, played.before, played.die, last.seat, passed=True))
            if erred is not None:
                self._put_back(erred)

    def _value(self) -> int:
        """Return what the die shows; in which order two sixes were played nobody could tell."""
        while True:
            (value,) = self._rng.choices(range(1, 7), self._style.die)
            throws = self.pen.match.throws
            if not self._glimpsed or not throws or value != throws[-1].played.die:
                return value

    def _pass_if_chosen(self) -> tuple[Step, ...]:
        """Return the pass that the next cast makes known."""
        passing, self._passing = self._passing, False
        return (Passed(chosen=True),) if passing else ()

    def _move(self) -> None:
        """Play the throw that is owed a move, perhaps wrongly first."""
        pen, match = self.pen, self.pen.match
        assert match.die is not None
        if not self._glimpsed:
            self._habits.after_throw()
            if pen.match.die is None:
                return
        move = self._chosen_move(match.die)
        erred = None
        if self._called and pen.match.wrong is None and pen.happens(self._style.mistaken):
            # An error is told of, and before it the throw.
            self._glimpsed = False
            erred = self._err(Case(match, match.position, match.die, match.to_move))
        if erred is not None and self._habits.declare_right():
            return
        if erred is None:
            self._carry_out(move)
        elif not pen.chance(MENDED_AT_ONCE):
            self._put_back(erred)
            self._carry_out(move)
        else:
            move = self._mend(erred, move)
        before = pen.match
        pen.rule(Moved(move))
        going_on = pen.match.phase is not Phase.OVER
        self._called = not (going_on and pen.chance(self._style.hasty))
        if not self._called:
            return
        self._rest(f"move {move_text(move)}")
        if going_on:
            self._habits.after_move(before, move)

    def _chosen_move(self, die: int) -> Move:
        """Choose as people do: knock out, come home and enter where one can."""
        match = self.pen.match
        moves = legal_moves(match.position, die, match.rules)
        return self._rng.choices(moves, [self._liking(move, die) for move in moves])[0]

    def _liking(self, move: Move, die: int) -> float:
        match = self.pen.match
        played = play(match.position, die, move, match.rules)
        if played.knocked:
            return _LIKES_KNOCK_OUT
        standing = len(match.contents(played.after).get(move.target, ()))
        if standing > 2:
            return _LIKES_HEAP
        liking = _LIKES_HOME if played.came_home else _LIKES_ENTRY if move.source is None else 1.0
        return liking * (self._style.sharing if standing > 1 else 1.0)

    def _carry_out(self, move: Move) -> None:
        """Make a lawful move with all that it takes, the knocked-out checkers first or last."""
        victims = self._victims(move)
        match = self.pen.match
        own = (match.colour(match.to_move), move.source, move.target)
        if not victims or not self.pen.happens(TAKEN_FIRST):
            self.pen.carry(own, *victims)
            return
        self.pen.carry(*victims)
        self._glimpsed = False
        self.pen.rest("knocked-out checker taken off")
        self.pen.carry(own)

    def _victims(self, move: Move) -> list[Carry]:
        knocked = knocked_counts(Case.of(self.pen.match), move)
        return [(colour, move.target, None) for colour in knocked.elements()]

    def _err(self, case: Case) -> Mistake | None:
        """Make a mistake, each kind about as likely as another; return it, if there is one."""
        pen = self.pen
        possible = mistakes(case)
        if not possible:
            return None
        reasons = sorted({one.reason for one in possible})
        weights = [_FORGETS_VICTIM if one is _VICTIM_LEFT else 1.0 for one in reasons]
        reason = self._rng.choices(reasons, weights)[0]
        mistake = self._rng.choice([one for one in possible if one.reason is reason])
        pen.carry(*mistake.carries)
        pen.write(
            IllegalMove(
                seat=case.mover,
                colour=pen.match.colour(case.mover),
                reason=reason,
                found=mistake.found,
                allowed=case.allowed,
                die=case.die,
                differs=pen.differences(),
            )
        )
        taken = reason is Reason.REMOVED_WITHOUT_KNOCK_OUT
        pen.rest(f"illegal {reason}", LIFTED_S + LOOKED_AT_S if taken else None)
        return mistake

    def _put_back(self, mistake: Mistake) -> None:
        self.pen.carry(*mistake.back)
        self.pen.clear()
        self._rest("put back")

    def _mend(self, mistake: Mistake, move: Move) -> Move:
        """Make the right move out of a wrong one, without putting things back before."""
        _, source, target = mistake.carries[0]
        if mistake.reason is _VICTIM_LEFT and target is not None:
            move = Move(source, target)
            self.pen.carry(*self._victims(move))
            return move
        self.pen.carry(*mistake.back)
        self._carry_out(move)
        return move

    def _rest(self, note: str, rest_s: float | None = None) -> None:
        """Let the table lie still until all is ruled on; then something may happen to it."""
        pen = self.pen
        self._glimpsed, self._called = False, True
        pen.rest(note, rest_s)
        if pen.match.phase is not Phase.OVER and pen.happens(self._style.happenings):
            what = self._rng.choice([one for one in Happening if self._happenings.may(one)])
            pen.write(*told_of(what))
            pen.show_all(self._happenings.scenes(what, pen.match.to_move))
