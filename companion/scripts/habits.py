"""What people do that need not be done: change their minds, throw too early, command, interrupt."""

from typing import Final

from companion.scripts.happenings import LOOKED_AT_S
from companion.scripts.pen import Pen
from referee.commands import (
    BoardIsRight,
    CommandError,
    OutOfTurn,
    Pause,
    Resume,
    TakeBack,
)
from referee.events import Found, IllegalMove, Place
from referee.hypotheses import Moved, TookBack
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, play
from referee.naming import Case
from referee.paths import home_index, path
from referee.reasons import Reason
from referee.verdict import LIFTED_S
from tabletop import Seat


class Habits:
    """Lets people do such things, with the pen of the script."""

    def __init__(self, pen: Pen) -> None:
        self._pen: Final = pen

    def before_throw(self) -> None:
        """Perhaps let the next player move before he has thrown, and put it back."""
        pen = self._pen
        match = pen.match
        if match.phase is not Phase.THROW or match.wrong is not None or not self._happens():
            return
        last = match.throws[-1].seat if match.throws else match.to_move
        early = None if last is match.to_move else self._early_move(match)
        if early is None:
            return
        colour = match.colour(match.to_move)
        source, target = early
        pen.carry((colour, source, target))
        self._accuse(Reason.MOVED_BEFORE_THROW, Found(colour, source, target))
        pen.carry((colour, target, source))
        pen.clear()
        pen.rest("put back")

    def after_throw(self) -> None:
        """Perhaps throw again before the move, turn the die, or say that it was out of turn."""
        pen, match = self._pen, self._pen.match
        if match.die is None or match.wrong is not None or not self._happens():
            return
        way = pen.rng.choice(
            (self._throw_too_early, self._turn_die, self._out_of_turn, self._pause)
        )
        way()

    def after_move(self, before: Match, move: Move) -> None:
        """Perhaps take the move back, by hand or by command, or make another one instead."""
        pen = self._pen
        if not self._happens() or before.die is None:
            return
        others = list(legal_moves(before.position, before.die, before.rules))
        others.remove(move)
        ways = [self._take_back, self._command_back]
        if others:
            ways.append(self._change_mind)
        pen.rng.choice(ways)(before, move)

    def declare_right(self) -> bool:
        """Perhaps let people say that what was called wrong is right; tell whether they do."""
        pen = self._pen
        if not self._happens():
            return False
        try:
            pen.say(BoardIsRight())
        except CommandError:
            return False
        pen.compare()
        pen.rest("the board is right")
        return True

    def _happens(self) -> bool:
        return self._pen.happens(self._pen.style.habits)

    def _accuse(self, reason: Reason, found: Found | None = None) -> None:
        """Write what is wrong, and show it for a while."""
        pen, match = self._pen, self._pen.match
        case = Case(match, match.position, match.die, match.to_move)
        pen.write(
            IllegalMove(
                seat=match.to_move,
                colour=match.colour(match.to_move),
                reason=reason,
                found=found,
                allowed=case.allowed,
                die=match.die,
                differs=pen.differences(),
            )
        )
        pen.rest(f"illegal {reason}")

    def _early_move(self, match: Match) -> tuple[Place, int] | None:
        """Return a move on the ring to a free square, whatever the throw would be."""
        way, there = path(match.to_move, match.rules), match.contents()
        found = [
            (way[index], way[index + steps])
            for index in match.position.of(match.to_move)
            for steps in range(1, 7)
            if 0 <= index < home_index(match.rules) - steps and way[index + steps] not in there
        ]
        return self._pen.rng.choice(found) if found else None

    def _throw_too_early(self) -> None:
        """Throw although a move is owed; the throw before it still counts."""
        pen, match = self._pen, self._pen.match
        assert match.die is not None
        if may_pass(match.position, match.die, match.rules):
            return
        pen.cast(pen.rng.randint(1, 6))
        self._accuse(Reason.MUST_MOVE)

    def _turn_die(self) -> None:
        """Turn the die to a better number, and perhaps back again."""
        pen, match = self._pen, self._pen.match
        value = match.die
        assert value is not None
        pen.show(pen.stage.hand_at_die(match.to_move))
        pen.stage.turn_die(pen.rng.choice([other for other in range(1, 7) if other != value]))
        pen.show(pen.stage.hand_at_die(match.to_move))
        self._accuse(Reason.DIE_CHANGED)
        if pen.chance(0.5):
            pen.show(pen.stage.hand_at_die(match.to_move))
            pen.stage.turn_die(value)
            pen.clear()
            pen.rest("die turned back")

    def _out_of_turn(self) -> None:
        """Say who threw out of turn: the throw is void."""
        pen, match = self._pen, self._pen.match
        others = [seat for seat in match.playing if seat is not match.to_move]
        seat: Seat = pen.rng.choice(others)
        pen.say(OutOfTurn(seat))
        pen.compare()
        pen.rest("thrown out of turn")

    def _pause(self) -> None:
        """Interrupt the game for a while."""
        pen = self._pen
        pen.say(Pause())
        pen.rest("paused")
        pen.say(Resume())
        pen.compare()
        pen.rest("resumed")

    def _change_mind(self, before: Match, move: Move) -> None:
        """Play another legal move instead of the one just called."""
        pen = self._pen
        self._undo(before, move)
        assert before.die is not None
        others = list(legal_moves(before.position, before.die, before.rules))
        others.remove(move)
        other = pen.rng.choice(others)
        played = play(before.position, before.die, other, before.rules)
        colour = before.colour(before.to_move)
        victims = [
            (before.colour(seat), other.target, None)
            for seat, count in played.knocked
            for _ in range(count)
        ]
        pen.carry((colour, other.source, other.target), *victims)
        pen.rule(TookBack(), Moved(other))
        pen.rest("another move instead")

    def _take_back(self, before: Match, move: Move) -> None:
        """Take the move back by hand; its throw is still owed."""
        self._undo(before, move)
        self._pen.rule(TookBack())
        entered = move.source is None
        # A checker that is taken off may be in somebody's hand; he is given time.
        self._pen.rest("taken back by hand", LIFTED_S + LOOKED_AT_S if entered else None)

    def _command_back(self, before: Match, move: Move) -> None:
        """Say that the throw is taken back, and put the board as it was when told."""
        pen = self._pen
        pen.say(TakeBack())
        pen.compare()
        pen.rest("taken back by command")
        self._undo(before, move)
        pen.compare()
        pen.rest("put as it was")

    def _undo(self, before: Match, move: Move) -> None:
        """Carry back what *move* moved."""
        assert before.die is not None
        colour = before.colour(before.to_move)
        played = play(before.position, before.die, move, before.rules)
        victims = [
            (before.colour(seat), None, move.target)
            for seat, count in played.knocked
            for _ in range(count)
        ]
        self._pen.carry((colour, move.target, move.source), *victims)
