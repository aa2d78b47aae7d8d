"""Whole games as people play them, watched by a reader that errs, and what the referee made of it.

Players hurry, hesitate, lift checkers, take victims off first or last, change their minds, cock the
die, err in every way the rules have a name for, answer questions or go on, and mend what the
referee took down wrongly. Everything is drawn from a seed.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from referee.commands import Choose, Command, SayThrow, SetPosition, TakeBack, obey
from referee.events import (
    About,
    By,
    DieUnreadable,
    Event,
    GameStarted,
    IllegalMove,
    Question,
    Unclear,
)
from referee.hypotheses import CastVoid, Moved, Passed, Step, Threw, TookBack
from referee.judge import LIFTED_S, Ruling, judge
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, play
from referee.outcomes import lawful_events
from referee.position import position_text
from referee.reasons import Reason
from referee.rules import Rules, changed_options
from tabletop import SEATS, Colour, Contents, DieSign, DieState, Seat, Square
from tests.referee.noisy_reader import Board, Cast, Noise, Reader
from tests.referee.random_positions import VARIANTS, random_rules
from tests.referee.wrong_acts import WrongAct, moved_rightly, without, wrong_acts

COLOURS = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
STILL_S = 1.0
"""How long a table lies still before it is looked at."""
MOST_LOOKS = 5
LONG_S = 12.0
SHORT_S = 1.6
DIE = (2, 2, 2, 2, 2, 4)
"""Sixes come oftener than from a real die, so that games are not too long."""

HURRIED, HURRIED_ON = 0.08, 0.08
WRONG, PUT_BACK = 0.08, 0.6
VICTIM_FIRST, LIFTED, SHOVED, HAND = 0.3, 0.1, 0.03, 0.1
MIND_CHANGED, TAKEN_BACK, PASSED, COCKED, DIE_GONE = 0.03, 0.01, 0.4, 0.02, 0.1
TAKE_BACK_SAID = 0.004


@dataclass(slots=True)
class Tally:
    """What was counted over games."""

    games: int = 0
    moves: int = 0
    looks: int = 0
    wrong: Counter[Reason] = field(default_factory=Counter)
    accepted: int = 0
    unflagged: int = 0
    misnamed: list[tuple[Reason, Reason, str]] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)
    asked: int = 0
    unclear: int = 0
    questions: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    misruled: list[str] = field(default_factory=list)
    mended: int = 0
    lost: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        self.games += other.games
        self.moves += other.moves
        self.looks += other.looks
        self.wrong += other.wrong
        self.accepted += other.accepted
        self.unflagged += other.unflagged
        self.misnamed += other.misnamed
        self.false_alarms += other.false_alarms
        self.asked += other.asked
        self.unclear += other.unclear
        self.questions += other.questions
        self.missed += other.missed
        self.misruled += other.misruled
        self.mended += other.mended
        self.lost += other.lost


class NoisyGame:
    """One game, played to its end."""

    def __init__(self, rng: Random, noise: Noise, rules: Rules, seats: Mapping[Seat, Colour]):
        setup = GameStarted(
            tuple(seats.items()),
            tuple((seat, seat.value) for seat in seats),
            tuple(changed_options(rules).items()),
            10,
            1,
            "points",
            "1.0.0",
            "none",
        )
        self.rng = rng
        self.truth = Match.start(setup)
        self.match = self.truth
        self.reader = Reader(rng, noise, tuple(seats.values()))
        self.board: Board = {}
        self.accepted: Board = {}
        self.die: Cast | None = None
        self.counted: Cast | None = None
        self.casts = 0
        self.unseen_cast = self.hurried = False
        self.tally = Tally(games=1)

    def play(self, most_throws: int) -> Tally:
        """Play on until somebody has won, or so many throws were made."""
        while self.truth.phase is not Phase.OVER and self.casts < most_throws:
            if self.truth.phase is Phase.MOVE:
                self.move()
            else:
                self.cast()
        if self.truth.winner is not None and not self.hurried:
            self.settle()
            self.err()
        return self.tally

    # What the players do.

    def cast(self) -> None:
        """Cast the die, and see what comes of it."""
        if not self.hurried:
            self.settle()
            if self.happens(WRONG / 2):
                self.err()
            if self.happens(TAKE_BACK_SAID) and len(self.truth.acts) > 3:
                self.take_back()
        if self.happens(COCKED):
            self.casts += 1
            self.die = Cast(self.casts, 1, cocked=True)
            self.do(*self.pass_chosen(), CastVoid(DieState.COCKED))
            self.show()
            self.settle()
        value = self.rng.choices(range(1, 7), DIE)[0]
        self.casts += 1
        self.die = Cast(self.casts, value)
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

    def pass_chosen(self) -> tuple[Step, ...]:
        """Return the pass that the cast makes known."""
        return (Passed(chosen=True),) if self.truth.phase is Phase.MOVE else ()

    def move(self) -> None:
        """Play the throw that is owed a move, perhaps wrongly first."""
        truth, rng = self.truth, self.rng
        assert truth.die is not None
        if not self.unseen_cast:
            if self.happens(DIE_GONE):
                self.die = None
            elif self.happens(WRONG / 8) and not may_pass(truth.position, truth.die, truth.rules):
                self.cast_too_early()
            elif self.happens(WRONG / 8):
                self.turn_die()
            elif self.happens(WRONG):
                self.err()
            if may_pass(truth.position, truth.die, truth.rules) and self.happens(PASSED):
                self.cast()
                return
        move = rng.choice(truth.legal)
        self.make(move)
        if not self.unseen_cast and self.happens(HURRIED_ON) and self.truth.winner is None:
            self.hurried = True
            return
        self.unseen_cast = False
        self.show()
        if self.truth.phase is Phase.THROW and self.happens(MIND_CHANGED):
            self.change_mind(move)

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
        self.put(after)
        self.do(Moved(move))
        self.tally.moves += 1
        if not self.unseen_cast and self.happens(SHOVED):
            self.shove(move.target)

    def shove(self, at: Square) -> None:
        """Let a checker lie on the border of its square, and put it right again."""
        there = self.board[at]
        away = at + (1 if at % 8 < 7 else -1)
        if away not in self.board:
            unsure = {at: ((there, 0.5), ((), 0.5)), away: (((), 0.5), (there, 0.5))}
            self.show(seconds=SHORT_S, unsure=unsure)

    def change_mind(self, move: Move) -> None:
        """Take the last move back, and perhaps show another."""
        last = self.truth.throws[-1].played
        others = [m for m in legal_moves(last.before, last.die, self.truth.rules) if m != move]
        self.settle()
        self.put(self.truth.contents(last.before))
        self.do(TookBack())
        if others and self.rng.random() < 0.7:
            self.make_plainly(self.rng.choice(others))
        self.show()
        if self.truth.phase is Phase.MOVE:
            self.settle()

    def make_plainly(self, move: Move) -> None:
        """Make a lawful move and nothing else."""
        assert self.truth.die is not None
        self.put(moved_rightly(self.truth, self.truth.position, self.truth.die, move))
        self.do(Moved(move))

    def err(self) -> None:
        """Do something wrong, hear what it is called, and put it back or go on from there."""
        acts = wrong_acts(self.truth, self.rng)
        if not acts:
            return
        reason = self.rng.choice(sorted({act.reason for act in acts}))
        act = self.rng.choice([one for one in acts if one.reason is reason])
        before = dict(self.board)
        self.put(act.board)
        self.flagged(act.reason, self.show(wrong=act))
        self.put(before)
        if self.rng.random() < PUT_BACK:
            self.show()
            self.settle()

    def cast_too_early(self) -> None:
        """Cast the die while a move is owed."""
        self.casts += 1
        self.die = Cast(self.casts, self.rng.randint(1, 6))
        self.flagged(Reason.MUST_MOVE, self.show(wrong=WrongAct(Reason.MUST_MOVE, self.board)))

    def turn_die(self) -> None:
        """Turn the die over with a finger."""
        if self.die is None or self.counted != self.die or self.truth.die != self.die.value:
            return
        value = self.rng.choice([one for one in range(1, 7) if one != self.die.value])
        self.die = Cast(self.die.number, value)
        act = WrongAct(Reason.DIE_CHANGED, self.board)
        self.flagged(Reason.DIE_CHANGED, self.show(wrong=act))

    def take_back(self) -> None:
        """Ask for throws to be taken back, and put the board right, one square after another."""
        back = self.rng.randint(1, 3)
        before = self.board
        for match in ("truth", "match"):
            state: Match = getattr(self, match)
            for event in obey(state, TakeBack(back), By.COMMAND):
                state = state.after(event)
            setattr(self, match, state)
        due = self.truth.contents()
        for at in sorted(before.keys() | due.keys()):
            if before.get(at) != due.get(at):
                self.board = {k: v for k, v in {**self.board, at: due.get(at, ())}.items() if v}
                self.put(self.board)
                if self.rng.random() < 0.5:
                    self.show(seconds=SHORT_S)
        self.show()
        self.settle()
        self.tally.mended += 1

    # What the referee makes of it.

    def do(self, *steps: Step) -> None:
        """Let the truth follow what was done."""
        for event in lawful_events(self.truth, steps):
            self.truth = self.truth.after(event)

    def put(self, board: Board) -> None:
        """Let the table stand so."""
        self.board = dict(board)
        self.reader.new_scene()

    def show(
        self,
        *,
        seconds: float = LONG_S,
        hand: bool = False,
        unsure: Mapping[Square, tuple[tuple[Contents, float], ...]] | None = None,
        wrong: WrongAct | None = None,
    ) -> list[Event]:
        """Let the table lie still for so long; return the events that came of it."""
        events: list[Event] = []
        number, at_s = 0, STILL_S
        while at_s <= seconds and number < MOST_LOOKS and not hand:
            number += 1
            scene = self.reader.look(self.board, self.accepted, self.lying(), unsure or {})
            verdict = judge(self.match, scene, last_look=number == MOST_LOOKS)
            self.tally.looks += 1
            at_s += STILL_S
            if verdict.patience_s > number * STILL_S:
                continue
            for event in verdict.events:
                self.match = self.match.after(event)
            events += verdict.events
            if verdict.die_counted:
                self.counted = self.die
            if verdict.accepted:
                self.accepted = dict(self.board)
            if verdict.ruling not in (Ruling.DOUBTFUL, Ruling.ASKED):
                break
        self.hear(events, wrong)
        if any(isinstance(event, Unclear) for event in events):
            self.reader.new_scene()  # people put the checkers into the middle of their squares
            events += self.show(seconds=seconds, wrong=wrong)
        return events

    def hear(self, events: list[Event], wrong: WrongAct | None) -> None:
        """Count what was said, and answer what was asked."""
        self.tally.unclear += sum(isinstance(event, Unclear) for event in events)
        self.tally.questions += [self.told() for event in events if isinstance(event, Question)]
        self.tally.asked += sum(isinstance(event, Question) for event in events)
        if wrong is None:
            self.tally.false_alarms += [
                f"{event.reason} {event.found} {self.told()}"
                for event in events
                if isinstance(event, IllegalMove)
            ]
        question = self.match.question
        about_die = question is not None and question.about is About.DIE and self.die is not None
        if question is not None and about_die and self.happens(0.5):
            assert self.die is not None
            if str(self.die.value) in question.choices:
                self.command(Choose(str(self.die.value)))
                self.counted = self.die
        misread = any(isinstance(event, DieUnreadable) for event in events)
        if misread and self.die is not None and not self.die.cocked:
            self.command(SayThrow(self.die.value))

    def lying(self) -> tuple[Cast, DieSign] | None:
        """Return the die as it lies, and what it did."""
        if self.die is None:
            return None
        if self.counted is None or self.counted.number != self.die.number:
            return self.die, DieSign.THROWN
        same = self.counted.value == self.die.value
        return self.die, DieSign.SAME if same else DieSign.TURNED

    def flagged(self, reason: Reason, events: list[Event]) -> None:
        """Count how a wrong act was ruled on."""
        self.tally.wrong[reason] += 1
        named = [event.reason for event in events if isinstance(event, IllegalMove)]
        played = any(event.kind in ("checker_moved", "checker_entered") for event in events)
        asked = any(isinstance(event, Question) for event in events)
        if played and not asked:
            self.tally.accepted += 1
        if not named:
            self.tally.unflagged += 1
            self.tally.missed.append(f"{reason} {self.told()}")
        elif named != [reason]:
            self.tally.misnamed.append((reason, named[-1], self.told()))

    def told(self) -> str:
        """Return how the truth stands, for a person who looks into a failure."""
        where = position_text(self.truth.position, self.truth.rules)
        return f"{where} die {self.truth.die} board {self.board}"

    def settle(self) -> None:
        """See that the log is right, and mend it where it is not, as people would."""
        if self.agrees():
            return
        self.show()
        if self.agrees():
            return
        self.tally.misruled.append(f"{self.told()} but {self.match.phase} {self.match.die}")
        self.tally.mended += 1
        truth, match = self.truth, self.match
        if truth.die is not None and match.die is not None and truth.position == match.position:
            self.command(SayThrow(truth.die))
        elif truth.phase is Phase.OPENING or not truth.throws:
            # Nothing was played yet: the throws are said anew from the first.
            if match.acts:
                self.command(TakeBack(len(match.acts)))
            for act in truth.acts:
                if act.value is not None:
                    self.command(SayThrow(act.value))
        elif truth.phase is not Phase.OVER:
            self.command(SetPosition(position_text(truth.position, truth.rules)))
            if truth.die is not None:
                self.command(SayThrow(truth.die))
        self.counted = self.die
        self.show()
        if not self.agrees():
            self.tally.lost.append(f"{self.told()} but {self.match.phase} {self.match.position}")
            self.match = self.truth

    def command(self, command: Command) -> None:
        """Say something to the referee."""
        for event in obey(self.match, command, By.COMMAND):
            self.match = self.match.after(event)

    def agrees(self) -> bool:
        """Tell whether the log says what is true."""
        one, other = self.match, self.truth
        if (one.phase, one.die, one.position[:3]) != (other.phase, other.die, other.position[:3]):
            return False
        return one.opening == other.opening or one.phase is not Phase.OPENING

    def happens(self, probability: float) -> bool:
        """Tell whether something happens now."""
        return self.rng.random() < probability


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
