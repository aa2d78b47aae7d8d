"""Writes a game scene by scene: throws, moves, mistakes and how they are mended.

The players move as sensible people do: they knock out, come home and enter where they can.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from companion.mistakes import Carry, Mistake, mistakes
from companion.stage import Stage
from hardware.scene import Hand, TimedScene
from referee.events import Difference, Event, IllegalCleared, IllegalMove
from referee.hypotheses import CastVoid, Moved, Passed, Step, Threw
from referee.judge import LIFTED_S
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, move_text, play
from referee.naming import Case
from referee.outcomes import lawful_events
from referee.reasons import Reason
from tabletop import EMPTY, DieState

REST_S: Final = 2.4
"""How long the table lies still after something was done: the half second in which a hand draws
back, and 1.6 s and more of stillness, which a live camera needs to be sure."""
LOOKED_AT_S: Final = 2.0
"""After this long more a live camera has looked again at what it was patient with."""
HAND_S: Final = 0.5
"""How long a hand is over the table; too short for anything to be taken for settled."""

COCKED: Final = 0.05
"""How often a die comes to lean on something."""
SHOVED: Final = 0.15
"""How often somebody shoves a checker in passing."""
MISTAKEN: Final = 0.12
"""How often a throw is played wrongly at first."""
MENDED_AT_ONCE: Final = 0.4
"""How often a wrong move is not put back before the right one is made."""
TAKEN_FIRST: Final = 0.3
"""How often a knocked-out checker is taken off well before the landing."""
PASSED: Final = 0.3
"""How often a player passes who may."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is played.

    Attributes:
        die: how often each value is thrown, for 1 first.
        hurried: how often a player moves before his throw can have been called.
        slow_hands: whether a hand is seen where it takes a checker, and not only where it puts it.
        with_mistakes: whether people play wrongly, cock the die and shove checkers.
    """

    die: tuple[int, ...] = (1, 1, 1, 1, 1, 1)
    hurried: float = 0.1
    slow_hands: bool = True
    with_mistakes: bool = True


_VICTIM_LEFT: Final = Reason.KNOCKED_OUT_LEFT_ON_BOARD
_FORGETS_VICTIM: Final = 4.0
"""How much oftener than another mistake this one is made, where there is a victim to forget."""
_LIKES_KNOCK_OUT, _LIKES_HOME, _LIKES_ENTRY, _LIKES_HEAP = 5.0, 4.0, 3.0, 0.02


class ScriptWriter:
    """Plays a game on a stage and writes down what is seen and what must be ruled."""

    def __init__(
        self,
        rng: Random,
        match: Match,
        stage: Stage,
        style: Style,
    ) -> None:
        self._rng = rng
        self._match = match
        self._stage = stage
        self._style = style
        self._passing = False
        self.scenes: list[TimedScene] = []
        self.truth: list[Event] = []

    def play(self) -> None:
        """Play until the game is over."""
        self._rest("before the game")
        while self._match.phase is not Phase.OVER:
            if self._match.phase is Phase.MOVE and not self._passing:
                self._move()
            else:
                self._throw()

    def _throw(self) -> None:
        """Cast the die, in vain now and then; the throw may turn out to be of no use."""
        if self._happens(SHOVED):
            self._stage.shove()
        if self._happens(COCKED):
            self._cast(self._value(), cocked=True)
            self._rule(*self._pass_if_chosen(), CastVoid(DieState.COCKED))
            self._rest("cocked die")
        value = self._value()
        self._cast(value)
        self._rule(*self._pass_if_chosen(), Threw(value, 1.0))
        match = self._match
        stuck = match.phase is Phase.MOVE and not legal_moves(match.position, value, match.rules)
        if stuck:
            self._rule(Passed(chosen=False))
        elif match.phase is Phase.MOVE:
            self._passing = may_pass(match.position, value, match.rules) and self._chance(PASSED)
            if not self._passing and self._chance(self._style.hurried):
                return
        self._rest(f"throw {value}")
        if stuck and self._happens(MISTAKEN):
            last = self._match.throws[-1]
            played = last.played
            erred = self._err(Case(self._match, played.before, played.die, last.seat, passed=True))
            if erred is not None:
                self._put_back(erred)

    def _value(self) -> int:
        (value,) = self._rng.choices(range(1, 7), self._style.die)
        return value

    def _cast(self, value: int, cocked: bool = False) -> None:
        """Take the die up and let it fall elsewhere."""
        seat = self._match.to_move
        self._stage.lift_die()
        self._show(self._stage.hand_at_die(seat))
        self._stage.throw(value, cocked)

    def _pass_if_chosen(self) -> tuple[Step, ...]:
        """Return the pass that the next cast makes known."""
        passing, self._passing = self._passing, False
        return (Passed(chosen=True),) if passing else ()

    def _move(self) -> None:
        """Play the throw that is owed a move, perhaps wrongly first."""
        match = self._match
        assert match.die is not None
        move = self._chosen_move(match.die)
        erred = None
        if self._happens(MISTAKEN):
            erred = self._err(Case(match, match.position, match.die, match.to_move))
        if erred is None:
            self._carry_out(move)
        elif not self._chance(MENDED_AT_ONCE):
            self._put_back(erred)
            self._carry_out(move)
        else:
            move = self._mend(erred, move)
        self._rule(Moved(move))
        self._rest(f"move {move_text(move)}")

    def _chosen_move(self, die: int) -> Move:
        """Choose as people do: knock out, come home and enter where one can."""
        match = self._match
        moves = legal_moves(match.position, die, match.rules)
        return self._rng.choices(moves, [self._liking(move, die) for move in moves])[0]

    def _liking(self, move: Move, die: int) -> float:
        match = self._match
        played = play(match.position, die, move, match.rules)
        if played.knocked:
            return _LIKES_KNOCK_OUT
        if len(match.contents(played.after).get(move.target, ())) > 2:
            return _LIKES_HEAP
        if played.came_home:
            return _LIKES_HOME
        return _LIKES_ENTRY if move.source is None else 1.0

    def _carry_out(self, move: Move) -> None:
        """Make a lawful move with all that it takes, the knocked-out checkers first or last."""
        victims = self._victims(move)
        own = (self._match.colour(self._match.to_move), move.source, move.target)
        if not victims or not self._happens(TAKEN_FIRST):
            self._carry(own, *victims)
            return
        self._carry(*victims)
        self._rest("knocked-out checker taken off")
        self._carry(own)

    def _victims(self, move: Move) -> list[Carry]:
        match = self._match
        assert match.die is not None
        knocked = play(match.position, match.die, move, match.rules).knocked
        return [
            (match.colour(seat), move.target, None) for seat, count in knocked for _ in range(count)
        ]

    def _err(self, case: Case) -> Mistake | None:
        """Make a mistake, each kind about as likely as another; return it, if there is one."""
        possible = mistakes(case)
        if not possible:
            return None
        reasons = sorted({one.reason for one in possible})
        weights = [_FORGETS_VICTIM if one is _VICTIM_LEFT else 1.0 for one in reasons]
        reason = self._rng.choices(reasons, weights)[0]
        mistake = self._rng.choice([one for one in possible if one.reason is reason])
        self._carry(mistake.carry)
        self._write(
            IllegalMove(
                seat=case.mover,
                colour=self._match.colour(case.mover),
                reason=reason,
                found=mistake.found,
                allowed=case.allowed,
                die=case.die,
                differs=self._differences(),
            )
        )
        taken = reason is Reason.REMOVED_WITHOUT_KNOCK_OUT
        self._rest(f"illegal {reason}", LIFTED_S + LOOKED_AT_S if taken else REST_S)
        return mistake

    def _put_back(self, mistake: Mistake) -> None:
        colour, source, target = mistake.carry
        self._carry((colour, target, source))
        self._clear()
        self._rest("put back")

    def _mend(self, mistake: Mistake, move: Move) -> Move:
        """Make the right move out of a wrong one, without putting things back before."""
        colour, source, target = mistake.carry
        self._clear()
        if mistake.reason is _VICTIM_LEFT and target is not None:
            move = Move(source, target)
            self._carry(*self._victims(move))
            return move
        self._carry((colour, target, source))
        self._carry_out(move)
        return move

    def _clear(self) -> None:
        assert self._match.wrong is not None
        self._write(IllegalCleared(self._match.wrong.seat))

    def _differences(self) -> tuple[Difference, ...]:
        seen, due = self._stage.contents(), self._match.contents()
        return tuple(
            Difference(at, seen.get(at, EMPTY), due.get(at, EMPTY))
            for at in sorted({*seen, *due})
            if seen.get(at, EMPTY) != due.get(at, EMPTY)
        )

    def _carry(self, *carries: Carry) -> None:
        """Carry checkers by hand, one after another."""
        seat = self._match.to_move
        for colour, source, target in carries:
            if self._style.slow_hands:
                self._show(self._stage.hand_at(seat, source))
            self._stage.carry(colour, source, target)
            self._show(self._stage.hand_at(seat, target))

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _happens(self, probability: float) -> bool:
        """Tell whether something happens that happens to imperfect people."""
        return self._chance(probability) and self._style.with_mistakes

    def _rule(self, *steps: Step) -> None:
        for event in lawful_events(self._match, steps):
            self._write(event)

    def _write(self, event: Event) -> None:
        self._match = self._match.after(event)
        self.truth.append(event)

    def _show(self, hand: Hand) -> None:
        self.scenes.append(TimedScene(self._stage.scene(hand), HAND_S, "hand"))

    def _rest(self, note: str, rest_s: float = REST_S) -> None:
        self.scenes.append(TimedScene(self._stage.scene(), rest_s, note))
