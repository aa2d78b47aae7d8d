"""The model of the turn: whatever is thrown, moved, covered, said or cut off, something is awaited.

The states and their arrows are drawn in docs/turns.md.
"""

import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from companion.phrases import Phrases
from referee.commands import (
    Abandon,
    BoardIsRight,
    Choose,
    Command,
    CommandError,
    CorrectThrow,
    Leave,
    LeaveThrow,
    LogIsRight,
    OutOfTurn,
    Pause,
    Rename,
    Restore,
    Resume,
    SayAgain,
    SayThrow,
    SetPosition,
    TakeBack,
    obey,
)
from referee.event_json import event_json, parse_event
from referee.events import By, Event, FirstPlayer, PositionSet
from referee.match import Match, Phase, replay
from referee.moves import legal_moves, play
from referee.outcomes import unsaid
from referee.position import position_text
from referee.record import parse_record, record_text
from referee.second_thoughts import SecondThoughts
from tabletop import (
    EMPTY,
    SQUARES,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    Seat,
    Square,
    square_name,
)
from tests.builders import FOUR, cocked, game_started, lying, seen, thrown

VALUES = st.integers(1, 6)
WHICH = st.integers(0, 63)
PHRASES = {language: Phrases(language) for language in ("en", "ru")}
STARTS = (
    "",
    "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1",
    "R,a2,b2,c3/R*3,b1/R*2,a1,h4/R*4 D4 2",
    "b1*2,c3,d4/h2,h3,h4,h1/g8*4/a7,a6,a5,a8 D2 1",
    "a1,b2,c3,a2/R*4/R*3,b8/R*3,d1 D4 1",
)
DOUBTS = st.sampled_from((*[None] * 12, *range(1, 7)))
DRAWN = {
    (Phase(one.lower()), kind, Phase(other.lower()))
    for one, other, kinds in re.findall(
        r"^    (\w+) --> (\w+): (.+)$",
        (Path(__file__).parents[2] / "docs" / "turns.md").read_text("utf-8"),
        re.M,
    )
    for kind in re.findall(r"[a-z]+_[a-z]+", kinds)
}
"""The ways from state to state that the document draws, each with the event that leads there."""
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.builds(SayThrow, VALUES),
    st.builds(CorrectThrow, VALUES, st.integers(1, 4)),
    st.builds(TakeBack, st.integers(1, 5)),
    st.builds(Choose, st.sampled_from(("5", "6", "b1-c1", "none"))),
    st.builds(Restore, st.integers(0, 40)),
    st.builds(SetPosition, st.sampled_from((*STARTS, "R*4/R*4/~/R*4 D3 1"))),
    st.builds(OutOfTurn, st.sampled_from((None, *Seat))),
    st.builds(BoardIsRight, st.sampled_from((None, *Seat))),
    st.builds(Rename, st.sampled_from(Seat), st.text(max_size=5)),
    st.builds(Leave, st.sampled_from(Seat)),
    st.sampled_from((LeaveThrow(), LogIsRight(), Pause(), Resume(), SayAgain())),
)


class Table(RuleBasedStateMachine):
    """A table at which anything happens; the log is kept as the lines of a file."""

    def __init__(self) -> None:
        super().__init__()
        started = game_started(FOUR)
        self.match = Match.start(started)
        self.events: list[Event] = [started]
        self.thoughts = SecondThoughts()
        self.cast_before: DieReading | None = None
        self.board: dict[Square, Contents] = {}

    @initialize(start=st.sampled_from(STARTS))
    def begin(self, start: str) -> None:
        """Begin with the opening throws, or in the middle of a game."""
        if start:
            self.ruled((FirstPlayer(Seat.D4, Colour.RED),))
            self.ruled(obey(self.match, SetPosition(start), By.COMMAND))
            self.put_right()

    def ruled(self, events: tuple[Event, ...]) -> None:
        """Carry the match on, and keep the log."""
        for event in events:
            before, self.match = self.match, self.match.after(event)
            self.events.append(event)
            way = (before.phase, event.kind, self.match.phase)
            assert before.phase is self.match.phase or event.kind == "corrected" or way in DRAWN

    def look(
        self, die: DieObservation | None = None, *, obscured: bool = False, last: bool = False
    ) -> None:
        """Let the referee look at the board; a cast is told with one before it nobody ruled on."""
        board = {square_name(at): there for at, there in self.board.items() if there}
        if die is not None and die.sign is DieSign.THROWN:
            die = replace(die, earlier=self.cast_before)
        scene = seen(board, die, obscured=obscured)
        verdict, self.thoughts = self.thoughts.judge(self.match, scene, last_look=last)
        if verdict.die_counted:
            self.cast_before = None
        elif die is not None and die.sign is DieSign.THROWN:
            self.cast_before = die.reading
        self.ruled(verdict.events)

    @rule(value=VALUES, doubt=DOUBTS)
    def cast(self, value: int, doubt: int | None) -> None:
        """Cast the die, read surely or not."""
        sure = doubt in (None, value)
        self.look(thrown(value, 0.99 if sure else 0.55, None if sure else doubt))

    @rule(value=st.integers(0, 6))
    def spoil(self, value: int) -> None:
        """Cast the die so that it leans, or turn it over."""
        self.look(lying(value, DieSign.TURNED) if value else cocked())

    @rule(value=VALUES, which=WHICH)
    def play_on(self, value: int, which: int) -> None:
        """Cast the die, and move as one may."""
        self.put_right()
        self.look(thrown(value))
        self.move_rightly(which)

    @rule(which=WHICH)
    def move_rightly(self, which: int) -> None:
        """Make a legal move with all that belongs to it."""
        match = self.match
        if match.phase is Phase.MOVE and match.die is not None and match.legal:
            moves = legal_moves(match.position, match.die, match.rules)
            move = moves[which % len(moves)]
            after = play(match.position, match.die, move, match.rules).after
            self.board = dict(match.contents(after))
            self.look()

    @rule(source=WHICH, goal=WHICH)
    def carry(self, source: int, goal: int) -> None:
        """Carry any checker anywhere, or put one from beside the board."""
        taken = sorted(at for at, there in self.board.items() if there)
        colour = self.match.setup.seats[source % len(self.match.setup.seats)][1]
        if taken and source % 3:
            at = taken[source % len(taken)]
            colour, *rest = self.board[at]
            self.board[at] = tuple(rest)
        there = (*self.board.get(SQUARES[goal], EMPTY), colour)
        self.board[SQUARES[goal]] = tuple(sorted(there))
        self.look()

    @rule(which=WHICH, last=st.booleans())
    def take_off(self, which: int, last: bool) -> None:
        """Take a checker off the board."""
        taken = sorted(at for at, there in self.board.items() if there)
        if taken:
            self.board[taken[which % len(taken)]] = EMPTY
            self.look(last=last)

    @rule()
    def put_right(self) -> None:
        """Put the board as the log has it."""
        self.board = dict(self.match.contents())
        self.look()

    @rule()
    def cover(self) -> None:
        """Hold a hand over the board: nothing is ruled."""
        before = self.match
        self.look(obscured=True)
        assert self.match is before

    @rule(command=COMMANDS)
    def say(self, command: Command) -> None:
        """Tell the referee something; what cannot be obeyed changes nothing."""
        if not isinstance(command, SayThrow | Choose | SayAgain):
            self.ruled(self.thoughts.likeliest(self.match))
            self.thoughts = SecondThoughts()
        with suppress(CommandError):
            events = obey(self.match, command, By.COMMAND)
            self.ruled((*events, *self.thoughts.since(events)))
            self.thoughts, self.cast_before = SecondThoughts(), None

    @precondition(lambda self: self.match.question is not None)
    @rule(which=WHICH)
    def answer(self, which: int) -> None:
        """Answer the open question, whatever was done since it was asked."""
        assert self.match.question is not None
        choices = self.match.question.choices
        self.say(Choose(choices[which % len(choices)]))

    @rule()
    def abandon(self) -> None:
        """Abandon the game, and think better of it."""
        self.say(Abandon())
        self.say(TakeBack())

    @rule()
    def set_as_it_is(self) -> None:
        """Set the position in which the game stands."""
        if self.match.phase in (Phase.THROW, Phase.MOVE):
            text = position_text(self.match.position, self.match.rules)
            self.ruled(obey(self.match, SetPosition(text), By.COMMAND))
            assert isinstance(self.events[-1], PositionSet)

    @rule(lost=st.integers(0, 3))
    def crash(self, lost: int) -> None:
        """Lose the end of the log, and go on from what is left of it."""
        kept = self.events[: max(1, len(self.events) - lost)]
        lines = [json.dumps([event.kind, event_json(event)]) for event in kept]
        self.events = [parse_event(*json.loads(line)) for line in lines]
        self.match = replay(self.events)
        self.thoughts, self.cast_before = SecondThoughts(), None
        self.ruled(unsaid(self.events))

    @invariant()
    def something_is_awaited(self) -> None:
        """Every state tells people what to do, in both languages, as one short sentence."""
        for phrases in PHRASES.values():
            assert phrases.prompt(self.match).text.endswith((".", "?"))

    @invariant()
    def the_log_proves_itself(self) -> None:
        """Replayed, the log leads to this state, and the record is sound."""
        assert replay(self.events) == self.match
        record = self.match.record()
        assert record_text(parse_record(record_text(record))) == record_text(record)

    @invariant()
    def a_throw_with_no_move_is_never_owed_one(self) -> None:
        """The states of the model have no dead end."""
        match = self.match
        if match.phase is Phase.MOVE:
            assert match.legal
        if match.phase is not Phase.OVER:
            assert match.to_move in match.playing
        assert match.bank.total >= 10 * len(match.seats)


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
