"""Scripts for the simulated table: a game as people play it, and what the referee must say of it.

The players throw a fair die, move as sensible people do, and make mistakes and mend them. A script
follows from its seed alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.mistakes import Carry, Mistake, mistakes
from companion.stage import Stage, calibration_scenes
from hardware.scene import Hand, Scene, TimedScene
from referee.events import (
    Difference,
    Event,
    GameStarted,
    IllegalCleared,
    IllegalMove,
)
from referee.hypotheses import CastVoid, Moved, Passed, Step, Threw
from referee.judge import lawful_events
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, move_text, play
from referee.naming import Case
from referee.reasons import Reason
from referee.rules import Rules, changed_options
from tabletop import EMPTY, Colour, DieState, Seat

REST_S: Final = 2.4
"""How long the table lies still after something was done: the half second in which a hand draws
back, and 1.6 s and more of stillness, which a live camera needs to be sure."""
HAND_S: Final = 0.6
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

_LIKES_KNOCK_OUT, _LIKES_HOME, _LIKES_ENTRY = 5.0, 4.0, 3.0


@dataclass(frozen=True, slots=True)
class GameScript:
    """A game for the simulated table.

    Attributes:
        calibration: the empty board, and everybody's checkers on his home.
        scenes: the game from before the first opening throw.
        truth: what must be ruled, in order; the start of the game is left out.
    """

    calibration: tuple[Scene, Scene]
    scenes: tuple[TimedScene, ...]
    truth: tuple[Event, ...]


def write_game(
    seed: int,
    seats: Mapping[Seat, Colour],
    rules: Rules | None = None,
    *,
    stake: int = 10,
    fine: int = 1,
    throws: int | None = None,
    with_mistakes: bool = True,
) -> GameScript:
    """Return the script of a game.

    Args:
        seed: what everything follows from.
        seats: who plays what.
        rules: what they play by; the default rules by default.
        stake: what each pays in; stake and fine show in what is ruled.
        fine: what a knocked-out checker costs.
        throws: stop after so many throws have been played; None plays to the end.
        with_mistakes: let people play wrongly, cock the die and shove checkers.
    """
    rules = rules or Rules()
    rng = Random(seed)
    playing = {seat: seats[seat] for seat in Seat if seat in seats}
    setup = GameStarted(
        tuple(playing.items()), (), tuple(changed_options(rules).items()), stake, fine, "", "", ""
    )
    calibration = calibration_scenes(rng, playing, rules)
    writer = _Writer(rng, Match.start(setup), Stage(rng, playing, rules), with_mistakes)
    writer.play(throws)
    return GameScript(calibration, tuple(writer.scenes), tuple(writer.truth))


class _Writer:
    """Plays a game on a stage and writes down what is seen and what must be ruled."""

    def __init__(self, rng: Random, match: Match, stage: Stage, with_mistakes: bool) -> None:
        self._rng = rng
        self._match = match
        self._stage = stage
        self._with_mistakes = with_mistakes
        self._passing = False
        self.scenes: list[TimedScene] = []
        self.truth: list[Event] = []

    def play(self, throws: int | None) -> None:
        """Play until the game is over or so many *throws* were played."""
        self._rest("before the game")
        while self._match.phase is not Phase.OVER:
            if self._match.phase is Phase.MOVE and not self._passing:
                self._move()
            elif throws is not None and len(self._match.throws) >= throws:
                return
            else:
                self._throw()

    def _throw(self) -> None:
        """Cast the die, in vain now and then; the throw may turn out to be of no use."""
        if self._happens(SHOVED):
            self._stage.shove()
        if self._happens(COCKED):
            self._cast(self._rng.randint(1, 6), cocked=True)
            self._rule(*self._pass_if_chosen(), CastVoid(DieState.COCKED))
            self._rest("cocked die")
        value = self._rng.randint(1, 6)
        self._cast(value)
        self._rule(*self._pass_if_chosen(), Threw(value, 1.0))
        match = self._match
        stuck = match.phase is Phase.MOVE and not legal_moves(match.position, value, match.rules)
        if stuck:
            self._rule(Passed(chosen=False))
        self._rest(f"throw {value}")
        if stuck and self._happens(MISTAKEN):
            last = self._match.throws[-1]
            erred = self._err(Case(self._match, last.played.before, last.played.die, last.seat))
            if erred is not None:
                self._put_back(erred)

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
        """Play the throw that is owed a move, perhaps wrongly first, or choose to pass."""
        match = self._match
        assert match.die is not None
        if may_pass(match.position, match.die, match.rules) and self._rng.random() < PASSED:
            self._passing = True
            return
        move = self._chosen_move(match.die)
        erred = None
        if self._happens(MISTAKEN):
            erred = self._err(Case(match, match.position, match.die, match.to_move))
        if erred is None:
            self._carry_out(move)
        elif self._rng.random() >= MENDED_AT_ONCE:
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
        played = play(self._match.position, die, move, self._match.rules)
        if played.knocked:
            return _LIKES_KNOCK_OUT
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
        """Make a mistake, each kind as likely as another; return it, if there was one to make."""
        possible = mistakes(case)
        if not possible:
            return None
        reason = self._rng.choice(sorted({one.reason for one in possible}))
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
        self._rest(f"illegal {reason}")
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
        if mistake.reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD and target is not None:
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
            self._show(self._stage.hand_at(seat, source))
            self._stage.carry(colour, source, target)
            self._show(self._stage.hand_at(seat, target))

    def _happens(self, chance: float) -> bool:
        return self._rng.random() < chance and self._with_mistakes

    def _rule(self, *steps: Step) -> None:
        for event in lawful_events(self._match, steps):
            self._write(event)

    def _write(self, event: Event) -> None:
        self._match = self._match.after(event)
        self.truth.append(event)

    def _show(self, hand: Hand) -> None:
        self.scenes.append(TimedScene(self._stage.scene(hand), HAND_S, "hand"))

    def _rest(self, note: str) -> None:
        self.scenes.append(TimedScene(self._stage.scene(), REST_S, note))
