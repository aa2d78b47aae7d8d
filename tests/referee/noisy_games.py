"""Whole games as people play them, watched by a reader that errs, and what the referee made of it.

Players hurry, hesitate, lift checkers, take victims off first or last, shove checkers aside, change
their minds, cock the die, throw out of turn, err in every way the rules have a name for, pause,
correct what was said, leave, answer questions or go on, and mend what the referee took down
wrongly. Everything is drawn from a seed.
"""

from random import Random

from referee.commands import (
    Abandon,
    BoardIsRight,
    Command,
    CommandError,
    CorrectThrow,
    Leave,
    LeaveThrow,
    OutOfTurn,
    Pause,
    Resume,
    SayThrow,
    TakeBack,
    obey,
)
from referee.events import BoardDiffers, By, IllegalMove
from referee.hypotheses import CastVoid, Moved, Passed, Step, Threw, TookBack
from referee.match import Phase
from referee.moves import Move, legal_moves, may_pass, play
from referee.reasons import Reason
from referee.rules import Rules
from referee.verdict import LIFTED_S
from tabletop import SEATS, Colour, DieState, Square
from tests.referee.noisy_reader import Board, Cast, Noise
from tests.referee.noisy_table import SHORT_S, NoisyTable
from tests.referee.random_positions import VARIANTS, random_rules
from tests.referee.tally import Tally
from tests.referee.wrong_acts import (
    WrongAct,
    beside,
    boards_after,
    both,
    lies_beside,
    moved_rightly,
    shoved_aside,
    without,
    wrong_acts,
)

COLOURS = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
DIE = (2, 2, 2, 2, 2, 4)
"""Sixes come oftener than from a real die, so that games are not too long."""

HURRIED, HURRIED_ON = 0.08, 0.08
WRONG, PUT_BACK, BOARD_IS_RIGHT, CAST_ON, SECOND_WRONG = 0.08, 0.6, 0.04, 0.15, 0.15
CAST_WHILE_MENDING, CASTS_AFTER_THE_END = 0.3, 2
VICTIM_FIRST, LIFTED, SHOVED, HAND = 0.3, 0.1, 0.03, 0.1
MIND_CHANGED, PASSED, COCKED, DIE_GONE = 0.03, 0.4, 0.02, 0.1
OUT_OF_TURN, PAUSED, TAKEN_BACK, CORRECTED, LEFT = 0.01, 0.005, 0.004, 0.004, 0.001

BESIDE_A_MOVE = (Reason.TWO_MOVES, Reason.NOT_YOUR_CHECKER, Reason.REMOVED_WITHOUT_KNOCK_OUT)
"""What may be done beside a right move: with the next cast, seen at once, it is the next's."""


class NoisyGame(NoisyTable):
    """One game, played to its end."""

    casts = 0
    unseen_cast = False
    """The throw was not looked at before it was played,"""
    hurried = False
    """nor the move before the next throw."""

    def play(self, most_throws: int) -> Tally:
        """Play on until somebody has won, or give up after so many throws."""
        while self.truth.phase is not Phase.OVER and self.casts < most_throws:
            if self.truth.phase is Phase.MOVE:
                self.move()
            else:
                self.cast()
        if self.hurried:
            return self.tally
        self.settle()
        if self.truth.phase is Phase.OVER:
            self.err()
            self.cast_after_the_end()
        else:
            self.say(Abandon())
            if not self.match.abandoned:
                self.tally.lost.append(f"not abandoned: {self.told()}")
        return self.tally

    # Lawful play.

    def cast(self) -> None:
        """Cast the die, and see what comes of it."""
        if not self.hurried:
            self.settle()
            if self.truth.phase is not Phase.MOVE:
                self.between_throws()
                if self.truth.phase not in (Phase.OPENING, Phase.THROW):
                    return
        if self.happens(COCKED):
            self.throw(1, cocked=True)
            self.do(*self.pass_chosen(), CastVoid(DieState.COCKED))
            self.show()
            self.settle()
        value = self.rng.choices(range(1, 7), DIE)[0]
        self.throw(value)
        passed = self.pass_chosen()
        self.do(*passed, Threw(value, 1.0))
        if self.truth.phase is Phase.MOVE and not self.truth.legal:
            self.do(Passed(chosen=False))
        # A six not used and then a six used look like a six used and then a six: nobody can tell.
        owed = self.truth.phase is Phase.MOVE and not passed
        self.unseen_cast = owed and self.happens(HURRIED)
        self.hurried = False
        if not self.unseen_cast:
            self.show()
            if self.truth.phase is Phase.MOVE:
                self.settle()

    def throw(self, value: int, *, cocked: bool = False) -> None:
        """Let the die roll to a new place."""
        self.casts += 1
        self.die = Cast(self.casts, value, cocked)

    def pass_chosen(self) -> tuple[Step, ...]:
        """Return the pass that the cast makes known."""
        return (Passed(chosen=True),) if self.truth.phase is Phase.MOVE else ()

    def move(self) -> None:
        """Play the throw that is owed a move, perhaps wrongly first."""
        truth = self.truth
        assert truth.die is not None
        may_leave = may_pass(truth.position, truth.die, truth.rules)
        if not self.unseen_cast:
            if self.happens(DIE_GONE):
                self.die = None
            elif self.happens(WRONG / 8) and not may_leave:
                self.cast_too_early()
            elif self.happens(WRONG / 8):
                self.turn_die()
            elif self.happens(WRONG) and self.err():
                return
            if may_leave and self.happens(PASSED):
                self.leave_throw()
                return
        move = self.rng.choice(truth.legal)
        self.make(move)
        if not self.unseen_cast and self.happens(HURRIED_ON) and self.truth.winner is None:
            self.tally.habits["hurried on"] += 1
            self.hurried = True
            return
        self.unseen_cast = False
        self.show()
        if self.truth.phase is Phase.THROW and self.happens(MIND_CHANGED):
            self.change_mind(move)

    def leave_throw(self) -> None:
        """Leave the throw unused: say so, or just let the next die be cast."""
        self.tally.habits["pass chosen"] += 1
        if self.happens(0.5):
            self.cast()
        else:
            self.say(LeaveThrow())
            self.do(Passed(chosen=True))
            self.settle()

    def make(self, move: Move) -> None:
        """Carry a lawful move out, with what people do on the way."""
        truth = self.truth
        assert truth.die is not None
        own = truth.colour(truth.to_move)
        after = moved_rightly(truth, truth.position, truth.die, move)
        knocked = play(truth.position, truth.die, move, truth.rules).knocked
        if self.happens(HAND):
            self.show(hand=True)
        if not self.unseen_cast and knocked and self.happens(VICTIM_FIRST):
            board = dict(self.board)
            for seat, count in knocked:
                for _ in range(count):
                    board = without(board, move.target, truth.colour(seat))
            self.put(board)
            self.show(seconds=SHORT_S)
        elif not self.unseen_cast and move.source is not None and self.happens(LIFTED):
            self.put(without(self.board, move.source, own))
            self.show(seconds=LIFTED_S - 1)
        if not self.unseen_cast and self.happens(SHOVED):
            self.shove_aside(after, move)
        self.put(after)
        self.do(Moved(move))
        self.tally.moves += 1
        if not self.unseen_cast and self.happens(SHOVED):
            self.lie_across(move.target)

    def lie_across(self, at: Square) -> None:
        """Let a checker lie on the border of its square, and put it right again."""
        there = self.board[at]
        away = at + (1 if at % 8 < 7 else -1)
        if away not in self.board:
            unsure = {at: ((there, 0.5), ((), 0.5)), away: (((), 0.5), (there, 0.5))}
            self.show(seconds=SHORT_S, unsure=unsure)

    def change_mind(self, move: Move) -> None:
        """Take the last move back, and perhaps show another."""
        self.tally.habits["mind changed"] += 1
        last = self.truth.throws[-1].played
        others = [m for m in legal_moves(last.before, last.die, self.truth.rules) if m != move]
        self.settle()
        self.put(self.truth.contents(last.before))
        self.do(TookBack())
        if others and self.happens(0.7):
            assert self.truth.die is not None
            other = self.rng.choice(others)
            self.put(moved_rightly(self.truth, self.truth.position, self.truth.die, other))
            self.do(Moved(other))
        self.show()
        if self.truth.phase is Phase.MOVE:
            self.settle()

    # What is wrong.

    def err(self) -> bool:
        """Do something wrong, and hear what it is called.

        Mostly it is put back, seen or unseen; or people let the board be right, which is returned.
        """
        acts = wrong_acts(self.truth, self.rng)
        if not acts:
            return False
        reason = self.rng.choice(sorted({act.reason for act in acts}))
        act = self.rng.choice([one for one in acts if one.reason is reason])
        before = dict(self.board)
        agreed = self.agrees()
        self.put(act.board)
        if agreed and self.truth.phase is Phase.THROW and self.happens(CAST_ON):
            self.cast_on_and_play(act)
            self.put(before)
            self.show()
            self.settle()
            return False
        if agreed and self.happens(SECOND_WRONG) and (other := beside(act, acts, before, self.rng)):
            self.err_twice(act, other, before)
        cast_on = self.may_cast_on(act.reason) and self.happens(CAST_ON)
        value = self.rng.randint(1, 6)
        told_first = act.reason in BESIDE_A_MOVE or self.may_be_right(act.board, value)
        if not cast_on or told_first or self.happens(0.5):
            self.flagged(act.reason, self.show(wrong=act.reason))
        if cast_on:
            self.tally.habits["cast on"] += 1
            self.throw(value)
            self.flagged(act.reason, self.show(wrong=act.reason))
        if agreed and self.match.wrong is not None and self.happens(BOARD_IS_RIGHT):
            setting = self.say(BoardIsRight())
            if setting:
                self.tally.habits["board is right"] += 1
                for event in setting:
                    self.truth = self.truth.after(event)
                self.put(self.truth.contents())
                self.show()
                self.settle()
                return True
        self.put(before)
        if self.happens(PUT_BACK):
            self.show()
            self.settle()
        return False

    def cast_on_and_play(self, act: WrongAct) -> None:
        """Let the next player throw, and the one after him, though something is wrong already.

        The throws count, and with each it is told of the wrong as it was at first.
        """
        first = self.show(wrong=act.reason)
        self.flagged(act.reason, first)
        blamed = [event.seat for event in first if isinstance(event, IllegalMove)]
        while blamed and self.truth.phase is Phase.THROW:
            value = self.rng.randint(1, 6)
            if any(lies_beside(act.board, one) for one in boards_after(self.truth, value)):
                return
            self.tally.habits["cast on before a throw"] += 1
            self.throw(value)
            self.do(Threw(value, 1.0))
            if not self.truth.legal:
                self.do(Passed(chosen=False))
            events = self.show(wrong=act.reason)
            self.flagged(act.reason, events)
            seats = [event.seat for event in events if isinstance(event, IllegalMove)]
            if seats and seats != blamed:
                self.tally.misnamed.append(f"{act.reason} of {blamed} told {seats} {self.told()}")

    def err_twice(self, act: WrongAct, other: WrongAct, before: Board) -> None:
        """Do another wrong beside the one that is told, and put one of the two right.

        Where the other could not be made out, what is left when it is put right was told already.
        """
        self.tally.habits["two wrongs"] += 1
        self.flagged(act.reason, self.show(wrong=act.reason))
        self.put(both(act, other, before))
        second = self.show(wrong=other.reason)
        self.flagged(other.reason, second)
        left = self.rng.choice((act, other))
        self.put(left.board)
        events = self.show(wrong=left.reason)
        if left is other or any(isinstance(event, IllegalMove) for event in second):
            self.flagged(left.reason, events)
        self.put(before)
        self.show()
        self.put(act.board)

    def cast_after_the_end(self) -> None:
        """Cast on when the game is over: each time that is told, and it does not stand for ever."""
        self.put(self.truth.contents())
        self.show()
        for _ in range(CASTS_AFTER_THE_END):
            self.throw(self.rng.randint(1, 6))
            self.flagged(Reason.GAME_OVER, self.show(wrong=Reason.GAME_OVER))
        self.show()
        if self.match.wrong is not None:
            self.tally.missed.append(f"stands for ever {self.match.wrong} {self.told()}")

    def may_cast_on(self, reason: Reason) -> bool:
        """Tell whether the die can be cast though something is wrong, as if nothing were.

        Not where the cast may tell of a pass, repeat one that leaned, or count once a checker is
        taken off.
        """
        truth = self.truth
        if truth.die is None or reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD:
            return False
        return not may_pass(truth.position, truth.die, truth.rules) and not self.reader.may_lean

    def may_be_right(self, board: Board, value: int) -> bool:
        """Tell whether a right move may lie beside what is wrong on *board*, or nothing is wrong.

        A right move leaves it so but for one square, or two do, the second by the *value* cast.
        """
        truth = self.truth
        if truth.die is None:
            return False
        for move in legal_moves(truth.position, truth.die, truth.rules):
            then = play(truth.position, truth.die, move, truth.rules).after
            due = truth.contents(then)
            if sum(due.get(at) != board.get(at) for at in due.keys() | board.keys()) == 1:
                return True
            for further in legal_moves(then, value, truth.rules):
                if truth.contents(play(then, value, further, truth.rules).after) == board:
                    return True
        return False

    def cast_too_early(self) -> None:
        """Cast the die while a move is owed.

        Where it may have leaned, nobody can tell that from casting it again for that reason.
        """
        if self.reader.may_lean:
            return
        self.throw(self.rng.randint(1, 6))
        self.flagged(Reason.MUST_MOVE, self.show(wrong=Reason.MUST_MOVE))

    def turn_die(self) -> None:
        """Turn the die over with a finger."""
        if self.die is None or self.counted != self.die or self.truth.die != self.die.value:
            return
        value = self.rng.choice([one for one in range(1, 7) if one != self.die.value])
        self.die = Cast(self.die.number, value)
        self.flagged(Reason.DIE_CHANGED, self.show(wrong=Reason.DIE_CHANGED))

    def throw_out_of_turn(self) -> None:
        """Let somebody else cast the die, which the others say: that cast is void."""
        known = len(self.match.acts)
        value = self.rng.randint(1, 6)
        self.throw(value)
        self.show()
        if len(self.match.acts) == known:
            self.say(SayThrow(value))
        others = [seat for seat in self.truth.playing if seat is not self.truth.to_move]
        self.flagged(Reason.OUT_OF_TURN, list(self.say(OutOfTurn(self.rng.choice(others)))))
        self.counted = self.die

    def shove_aside(self, after: Board, move: Move) -> None:
        """Shove a checker to another square in passing; it is put right with the move."""
        act = shoved_aside(self.truth, after, move, self.rng)
        if act is not None:
            self.tally.habits["shoved aside"] += 1
            self.put(act.board)
            self.flagged(act.reason, self.show(wrong=act.reason))

    # What is said.

    def between_throws(self) -> None:
        """Do now and then what people do between two throws."""
        if self.happens(WRONG / 2):
            self.err()
        if self.happens(OUT_OF_TURN) and self.truth.phase is Phase.THROW:
            self.throw_out_of_turn()
        if self.happens(PAUSED):
            self.pause()
        if self.happens(TAKEN_BACK):
            self.mend("taken back", TakeBack(self.rng.randint(1, 3)))
        if self.happens(CORRECTED) and self.truth.phase is Phase.THROW:
            again = CorrectThrow(self.rng.randint(1, 6), self.rng.randint(1, 3))
            self.mend("throw corrected", again)
        if self.happens(LEFT) and len(self.truth.playing) > 2:
            self.mend("left", Leave(self.rng.choice(self.truth.playing)))

    def mend(self, habit: str, command: Command) -> None:
        """Have something mended, and put the board right, one square after another."""
        if not self.in_step():
            return
        try:
            events = obey(self.truth, command, By.COMMAND)
        except CommandError:
            return
        for event in events:
            self.truth = self.truth.after(event)
        self.say(command)
        self.tally.habits[habit] += 1
        before, due = self.board, self.truth.contents()
        for at in sorted(before.keys() | due.keys()):
            if before.get(at) != due.get(at):
                self.put({**self.board, at: due.get(at, ())})
                if self.happens(CAST_WHILE_MENDING):
                    self.cast_while_mending()
                elif self.happens(0.5):
                    self.show(seconds=SHORT_S)
        self.show()
        self.settle()

    def cast_while_mending(self) -> None:
        """Cast before the board is as it was said to be, nor as if the cast had been played."""
        value, truth = self.rng.randint(1, 6), self.truth
        if truth.phase is Phase.MOVE or self.board == truth.contents() or not self.match.restoring:
            return
        played = boards_after(truth, value) if truth.phase is Phase.THROW else []
        if not any(lies_beside(self.board, board) for board in played):
            self.tally.habits["cast while mending"] += 1
            self.throw(value)
            self.show()

    def in_step(self) -> bool:
        """Tell whether log and truth have the same last few throws."""
        lasts = [
            [(act.value, match.at(act.after).position[:3]) for act in match.acts[-4:]]
            for match in (self.truth, self.match)
        ]
        return len(lasts[0]) == 4 and lasts[0] == lasts[1]

    def pause(self) -> None:
        """Interrupt the game; perhaps a checker is lost meanwhile, and put back when told."""
        self.tally.habits["paused"] += 1
        self.say(Pause())
        taken = sorted(self.board)
        if taken and self.happens(0.5):
            at = self.rng.choice(taken)
            self.put(without(self.board, at, self.board[at][0]))
            self.show()
            self.say(Resume())
            if not any(isinstance(event, BoardDiffers) for event in self.show()):
                self.tally.missed.append(f"lost in a pause: {self.told()}")
            self.put(self.truth.contents())
        else:
            self.say(Resume())
        self.show()
        self.settle()


def noisy_game(seed: str, noise: Noise, rules: Rules, players: int, throws: int = 160) -> Tally:
    """Play and watch one game."""
    rng = Random(seed)
    seats = {2: SEATS[::2], 3: SEATS[:3], 4: SEATS}[players]
    game = NoisyGame(rng, noise, rules, dict(zip(seats, COLOURS, strict=False)))
    return game.play(throws)


def noisy_games(seed: str, games: int, noise: Noise) -> Tally:
    """Play and watch games of two to four players.

    A third each is played by the usual rules, by one other option, and by several at once.
    """
    tally = Tally()
    for number in range(games):
        name = f"{seed} {number}"
        rules = (Rules(), VARIANTS[number % len(VARIANTS)], random_rules(Random(name)))[number % 3]
        tally.add(noisy_game(name, noise, rules, 2 + number // 3 % 3))
    return tally
