"""A table watched by a reader that errs, with the truth beside what the referee made of it."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from referee.commands import (
    Choose,
    Command,
    CommandError,
    SayThrow,
    SetPosition,
    TakeBack,
    obey,
)
from referee.events import (
    About,
    Answer,
    By,
    CheckerEntered,
    CheckerMoved,
    DieUnreadable,
    Event,
    GameStarted,
    IllegalMove,
    Question,
    Unclear,
)
from referee.hypotheses import AGAIN, Step
from referee.match import Match, Phase
from referee.moves import move_text
from referee.outcomes import lawful_events
from referee.position import position_text
from referee.reasons import Reason
from referee.rules import Rules, changed_options
from referee.second_thoughts import SecondThoughts
from referee.verdict import Ruling
from tabletop import EMPTY, Colour, DieReading, DieSign, Observation, Seat, Square
from tests.referee.noisy_reader import Board, Cast, Noise, Options, Reader
from tests.referee.tally import Tally

STILL_S = 1.0
"""How long a table lies still before it is looked at."""
MOST_LOOKS = 5
LONG_S = 12.0
SHORT_S = 1.6
ANSWERED = 0.5
"""How many questions are answered; the rest are left to what happens next."""
GO_ON = 0.7
"""So often people go on though they were asked and have not answered."""
PEOPLE = (By.CONSOLE, By.BUTTON, By.COMMAND)


class NoisyTable:
    """What stands on a table, what is true, and what the referee takes for true."""

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
        self.thoughts = SecondThoughts()
        self.reader = Reader(rng, noise, tuple(seats.values()))
        self.board: Board = {}
        self.accepted: Board = {}
        self.die: Cast | None = None
        self.counted: Cast | None = None
        self.asked: Cast | None = None
        self.doubts: set[int] = set()
        self.unruled: tuple[Cast, DieReading] | None = None
        self.tally = Tally(games=1)

    def happens(self, probability: float) -> bool:
        """Tell whether something happens now."""
        return self.rng.random() < probability

    def do(self, *steps: Step) -> None:
        """Let the truth follow what was done."""
        for event in lawful_events(self.truth, steps):
            self.truth = self.truth.after(event)

    def put(self, board: Board) -> None:
        """Let the table stand so."""
        self.board = {at: there for at, there in board.items() if there}
        self.reader.new_scene()

    def show(
        self,
        *,
        seconds: float = LONG_S,
        hand: bool = False,
        unsure: Mapping[Square, Options] | None = None,
        wrong: Reason | None = None,
    ) -> list[Event]:
        """Let the table lie still for so long; return the events that came of it."""
        events: list[Event] = []
        number, at_s = 0, STILL_S
        while at_s <= seconds and number < MOST_LOOKS and not hand:
            number += 1
            scene = self.look(unsure or {})
            last = number == MOST_LOOKS
            verdict, further = self.thoughts.judge(self.match, scene, last_look=last)
            self.tally.looks += 1
            at_s += STILL_S
            if verdict.patience_s > number * STILL_S:
                continue
            self.thoughts = further
            self.rule(verdict.events)
            events += verdict.events
            if verdict.die_counted:
                self.counted, self.unruled = self.die, None
            elif self.die is not None and scene.die and scene.die.sign is DieSign.THROWN:
                self.unruled = self.die, scene.die.reading
            if verdict.accepted:
                self.accepted = dict(self.board)
            if verdict.ruling not in (Ruling.DOUBTFUL, Ruling.ASKED):
                break
        self.hear(events, wrong)
        again = any(isinstance(event, Unclear) for event in events)
        if again:
            self.reader.new_scene()  # people put the checkers into the middle of their squares
        if self.match.question is not None and self.happens(ANSWERED):
            again |= self.answer(self.match.question)
        if again:
            events += self.show(seconds=seconds, wrong=wrong)
        return events

    def look(self, unsure: Mapping[Square, Options]) -> Observation:
        """Return one look, with the cast before this one if nobody ruled on that."""
        scene = self.reader.look(self.board, self.accepted, self.lying(), unsure)
        if self.unruled is None or scene.die is None or self.unruled[0] == self.die:
            return scene
        return replace(scene, die=replace(scene.die, earlier=self.unruled[1]))

    def rule(self, events: tuple[Event, ...]) -> None:
        """Carry the match on."""
        for event in events:
            self.match = self.match.after(event)

    def hear(self, events: list[Event], wrong: Reason | None) -> None:
        """Count what was said, and answer what was asked."""
        self.tally.unclear += sum(isinstance(event, Unclear) for event in events)
        if any(isinstance(event, Question) for event in events) and not self.thoughts.waiting:
            self.asked = self.die
        for event in events:
            # What is asked again for a cast over it is the doubt that was counted already.
            if isinstance(event, Question) and event.first_asked not in self.doubts:
                self.doubts.add(event.first_asked)
                self.tally.questions.append(self.told())
        if wrong is None:
            self.tally.false_alarms += [
                f"{event.reason} {event.found} {self.told()}"
                for event in events
                if isinstance(event, IllegalMove)
            ]
        unread = any(isinstance(event, DieUnreadable) for event in events)
        if unread and self.die is not None and not self.die.cocked:
            self.tally.thrown_again += 1
            self.say(SayThrow(self.die.value))

    def answer(self, question: Question) -> bool:
        """Answer a question with the truth, if that is among the choices, by any of the ways."""
        if question.throw is not None and not self.thoughts.waiting:
            choice = str(self.truth.die or self.truth.throws[-1].played.die)
        elif question.about is About.DIE:
            if self.asked is None:
                return False
            choice = AGAIN if self.asked.cocked else str(self.asked.value)
        elif self.truth.throws:
            choice = move_text(self.truth.throws[-1].played.move)
        else:
            return False
        if choice not in question.choices:
            return False
        self.say(Choose(choice))
        self.tally.habits["question answered"] += 1
        self.counted, self.unruled = self.die, None
        return True

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
        played = any(isinstance(event, CheckerMoved | CheckerEntered) for event in events)
        asked = any(isinstance(event, Question | Answer) for event in events)
        if played and not asked:
            self.tally.accepted.append(f"{reason} {self.told()}")
        if not named and not asked and not any(isinstance(event, Unclear) for event in events):
            missed = self.tally.misled if self.is_misled() else self.tally.missed
            missed.append(f"{reason} {self.told()} {events}")
        elif named != [reason]:
            called = ", ".join(named) or "doubtful"
            self.tally.misnamed.append(f"{reason} called {called} {self.told()}")

    def is_misled(self) -> bool:
        """Tell whether something that stands wrongly was read, surely, as it should be."""
        due = self.truth.contents()
        return any(
            there == due.get(at, EMPTY) != self.board.get(at, EMPTY)
            for at, there in self.reader.misled
        )

    def told(self) -> str:
        """Return how the truth stands, for a person who looks into a failure."""
        truth = self.truth
        stands = {at: [one.value for one in there] for at, there in self.board.items()}
        return f"{position_text(truth.position, truth.rules)} die {truth.die} board {stands}"

    def settle(self) -> None:
        """See that the log is right, and mend it where it is not, as people would."""
        if self.agrees():
            return
        self.show()
        if self.agrees() or (self.awaits_answer() and self.happens(GO_ON)):
            return
        if self.awaits_answer() and self.match.question is not None:
            self.answer(self.match.question)
            if self.agrees():
                return
        self.tally.misruled.append(f"{self.told()} but {self.match.phase} {self.match.die}")
        truth, match = self.truth, self.match
        if truth.die is not None and match.die is not None and truth.position == match.position:
            self.say(SayThrow(truth.die))
        elif truth.phase is Phase.OPENING or not truth.acts:
            # Nothing was played yet: the throws are said anew from the first.
            if match.acts:
                self.say(TakeBack(len(match.acts)))
            for act in truth.acts:
                if act.value is not None:
                    self.say(SayThrow(act.value))
        elif truth.phase is not Phase.OVER:
            self.say(SetPosition(position_text(truth.position, truth.rules)))
            if truth.die is not None:
                self.say(SayThrow(truth.die))
        self.counted = self.die
        self.show()
        if not self.agrees():
            self.tally.lost.append(f"{self.told()} but {self.match.phase} {self.match.position}")
            self.match = self.truth

    def awaits_answer(self) -> bool:
        """Tell whether it is asked what a cast shows that is owed no move."""
        asked = self.match.question
        return (
            asked is not None
            and asked.about is About.DIE
            and (asked.throw is None or self.thoughts.waiting)
            and self.truth.phase is not Phase.MOVE
        )

    def say(self, command: Command) -> tuple[Event, ...]:
        """Say something to the referee; return what follows, nothing where it cannot be obeyed."""
        if not isinstance(command, Choose | SayThrow):
            self.rule(self.thoughts.likeliest(self.match))
        try:
            events = obey(self.match, command, self.rng.choice(PEOPLE))
        except CommandError:
            return ()
        self.rule((*events, *self.thoughts.since(events)))
        self.thoughts = SecondThoughts()
        return events

    def agrees(self) -> bool:
        """Tell whether the log says what is true, and is not waiting for the board."""
        one, other = self.match, self.truth
        if (one.phase, one.die, one.position[:3]) != (other.phase, other.die, other.position[:3]):
            return False
        return not one.restoring and (
            one.opening == other.opening or one.phase is not Phase.OPENING
        )
