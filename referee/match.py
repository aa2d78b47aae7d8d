"""A match: the fold of its events.

`Match.after` is the only way forward; it checks that an event can follow, so replaying a log proves
it. Corrections are events too: the state they go back to is found through the chain of states.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from referee.bank import Bank
from referee.events import (
    Answer,
    CheckerEntered,
    CheckerMoved,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    FirstPlayer,
    GameAbandoned,
    GameStarted,
    IllegalCleared,
    IllegalMove,
    OpeningThrow,
    Paused,
    Question,
    Resumed,
    ThrowPassed,
)
from referee.game_record import Action, Ending, GameRecord, Header
from referee.moves import (
    Move,
    Played,
    legal_moves,
    may_pass,
    move_text,
    play,
    reason_against,
)
from referee.opening import Opening
from referee.position import Position, standing
from referee.rules import Rules, rules_from
from tabletop import Colour, Contents, Seat, Square, contents


class Phase(StrEnum):
    """What is awaited."""

    OPENING = "opening"
    """An opening throw."""
    THROW = "throw"
    """A throw."""
    MOVE = "move"
    """The move a throw is owed."""
    OVER = "over"
    """Nothing: the game is won or abandoned."""


class EventError(ValueError):
    """An event cannot follow: the log is wrong, or was put together wrongly."""


@dataclass(frozen=True, slots=True)
class PlayedThrow:
    """A throw that was used or passed, and who threw it."""

    seat: Seat
    played: Played
    thrown_at: int
    """The number of the event of its throw."""
    reason_to_pass: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a game after so many events.

    Attributes:
        setup: how the game was started.
        rules: the rules it is played by.
        sequence: the number of the last event.
        phase: what is awaited.
        opening: the opening throws so far.
        position: what stands where and who is to throw or move.
        bank: what everybody paid in.
        die: the throw that is owed a move.
        thrown_at: the number of the event of the last throw that counted.
        throws: all throws used or passed so far; taken-back ones are not among them.
        wrong: what is wrong on the table and was said.
        question: the open question.
        unreadable: the last cast was void; the same player casts again.
        paused: the players interrupted the game.
        abandoned: the game ended without a winner.
        previous: the state before the last event.
    """

    setup: GameStarted
    rules: Rules
    sequence: int
    phase: Phase
    opening: Opening
    position: Position
    bank: Bank
    die: int | None = None
    thrown_at: int = 0
    throws: tuple[PlayedThrow, ...] = ()
    wrong: IllegalMove | None = None
    question: Question | None = None
    unreadable: bool = False
    paused: bool = False
    abandoned: bool = False
    previous: Self | None = field(default=None, compare=False, repr=False)

    @classmethod
    def start(cls, setup: GameStarted) -> Self:
        """Return the state after *setup*, the first event of every game.

        Raises:
            ValueError: the setup's rules, seats or sums cannot be.
        """
        rules = rules_from(dict(setup.rules))
        seats = tuple(seat for seat, _ in setup.seats)
        return cls(
            setup=setup,
            rules=rules,
            sequence=1,
            phase=Phase.OPENING,
            opening=Opening.start(seats),
            position=Position.start(seats, seats[0]),
            bank=Bank.open(seats, setup.stake, setup.fine),
        )

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in play, in their order."""
        return tuple(seat for seat, _ in self.setup.seats)

    @property
    def to_move(self) -> Seat:
        """The seat that is to throw or to move."""
        if self.phase is Phase.OPENING and self.opening.next is not None:
            return self.opening.next
        return self.position.to_move

    @property
    def winner(self) -> Seat | None:
        """The seat that has won."""
        return self.position.winner

    @property
    def last(self) -> PlayedThrow | None:
        """What was played last, as long as the player may still change his mind."""
        return self.throws[-1] if self.throws and self.phase is not Phase.MOVE else None

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw that is owed one; none where no throw is."""
        return () if self.die is None else legal_moves(self.position, self.die, self.rules)

    def colour(self, seat: Seat) -> Colour:
        """Return the colour of a seat in play."""
        return dict(self.setup.seats)[seat]

    def seat(self, colour: Colour) -> Seat | None:
        """Return the seat that plays *colour*."""
        return next((seat for seat, own in self.setup.seats if own is colour), None)

    def name(self, seat: Seat) -> str:
        """Return the name of the player on *seat*."""
        return dict(self.setup.names).get(seat, seat.value)

    def contents(self, position: Position | None = None) -> dict[Square, Contents]:
        """Return what must stand on each occupied square, in *position* or now."""
        colours = dict(self.setup.seats)
        return {
            at: contents(*(colours[seat] for seat, count in owners for _ in range(count)))
            for at, owners in standing(position or self.position, self.rules).items()
        }

    def record(self, event: str = "?", date: str = "????.??.??") -> GameRecord:
        """Return what was played so far, taken-back throws left out, as a record."""
        first = self.throws[0].seat if self.throws else self.position.to_move
        header = Header(
            seats=self.seats,
            first=first,
            names=tuple(self.name(seat) for seat in self.seats),
            colours=tuple(colour for _, colour in self.setup.seats),
            rules=self.rules,
            stake=self.setup.stake,
            fine=self.setup.fine,
            unit=self.setup.unit,
            event=event,
            date=date,
        )
        actions = tuple(Action(throw.played.die, throw.played.move) for throw in self.throws)
        ending = Ending.ABANDONED if self.abandoned else Ending.UNFINISHED
        return GameRecord(header, actions, self.winner or ending)

    def after(self, event: Event) -> Self:
        """Return the state after *event*.

        Raises:
            EventError: the event cannot follow here.
        """
        match event:
            case GameStarted():
                raise EventError("a game starts once")
            case OpeningThrow():
                new = self._after_opening_throw(event)
            case FirstPlayer():
                new = self._after_first_player(event)
            case DieThrown():
                new = self._after_throw(event)
            case CheckerEntered():
                new = self._after_move(event.seat, Move(None, event.target))
            case CheckerMoved():
                new = self._after_move(event.seat, Move(event.source, event.target))
            case ThrowPassed():
                new = self._after_pass(event)
            case Corrected():
                new = self._after_correction(event)
            case GameAbandoned():
                new = replace(self, phase=Phase.OVER, abandoned=True, question=None, die=None)
            case DieUnreadable():
                new = replace(self, unreadable=True)
            case IllegalMove():
                new = replace(self, wrong=event)
            case IllegalCleared():
                new = replace(self, wrong=None)
            case Question():
                new = replace(self, question=event)
            case Answer():
                new = replace(self, question=None)
            case Paused():
                new = replace(self, paused=True)
            case Resumed():
                new = replace(self, paused=False)
            case _:
                new = self
        return replace(new, sequence=self.sequence + 1, previous=self)

    def at(self, sequence: int) -> Self:
        """Return the state right after the event numbered *sequence*.

        Raises:
            EventError: there is no such state to go back to.
        """
        state: Self | None = self
        while state is not None and state.sequence > sequence:
            state = state.previous
        if state is None or state.sequence != sequence:
            raise EventError(f"there is no state after event {sequence} to go back to")
        return state

    def _after_opening_throw(self, event: OpeningThrow) -> Self:
        self._expect(Phase.OPENING, event)
        if event.seat is not self.opening.next:
            raise EventError(f"{event.seat} throws, and {self.opening.next} is to throw")
        return replace(self, opening=self.opening.after(event.value), unreadable=False)

    def _after_first_player(self, event: FirstPlayer) -> Self:
        self._expect(Phase.OPENING, event)
        if event.seat not in self.seats:
            raise EventError(f"{event.seat} does not play")
        if self.opening.first not in (None, event.seat):
            raise EventError(f"{event.seat} is said to begin, and {self.opening.first} threw best")
        start = Position.start(self.seats, event.seat)
        return replace(self, phase=Phase.THROW, position=start)

    def _after_throw(self, event: DieThrown) -> Self:
        self._expect(Phase.THROW, event)
        if event.seat is not self.position.to_move:
            raise EventError(f"{event.seat} throws, and {self.position.to_move} is to throw")
        return replace(
            self,
            phase=Phase.MOVE,
            die=event.value,
            thrown_at=self.sequence + 1,
            unreadable=False,
        )

    def _after_move(self, seat: Seat, move: Move) -> Self:
        if self.phase is not Phase.MOVE or self.die is None:
            raise EventError(f"{seat} moves {move_text(move)}, and no throw is owed a move")
        reason = reason_against(self.position, self.die, move, self.rules)
        if reason is not None or seat is not self.position.to_move:
            why = reason.value if reason else f"{self.position.to_move} is to move"
            raise EventError(f"{seat} cannot move {move_text(move)} with a {self.die}: {why}")
        return self._played(PlayedThrow(seat, self._play(self.die, move), self.thrown_at))

    def _after_pass(self, event: ThrowPassed) -> Self:
        if self.phase is not Phase.MOVE or self.die is None:
            raise EventError(f"{event.seat} passes, and no throw is owed a move")
        if event.seat is not self.position.to_move:
            raise EventError(f"{event.seat} passes, and {self.position.to_move} is to move")
        if not may_pass(self.position, self.die, self.rules):
            raise EventError(f"{event.seat} passes a {self.die}, and a move is owed")
        played = self._play(self.die, None)
        return self._played(PlayedThrow(event.seat, played, self.thrown_at, event.reason.value))

    def _play(self, die: int, move: Move | None) -> Played:
        return play(self.position, die, move, self.rules)

    def _played(self, throw: PlayedThrow) -> Self:
        bank = self.bank
        for seat, count in throw.played.knocked:
            bank = bank.after_knock_out(seat, count)
        over = throw.played.after.winner is not None
        return replace(
            self,
            phase=Phase.OVER if over else Phase.THROW,
            position=throw.played.after,
            bank=bank,
            die=None,
            throws=(*self.throws, throw),
            wrong=None,
            question=None,
        )

    def _after_correction(self, event: Corrected) -> Self:
        back = self.at(event.undo_to)
        # Later corrections may go back beyond this one, through the state it restored.
        return replace(back, wrong=None, question=None, unreadable=False, paused=self.paused)

    def _expect(self, phase: Phase, event: Event) -> None:
        if self.phase is not phase:
            raise EventError(f"{event.kind} cannot follow here: the game awaits {self.phase.value}")


def replay(events: Iterable[Event]) -> Match:
    """Return the state after all *events*, of which the first starts the game.

    Raises:
        EventError: an event cannot follow; its number is named.
    """
    state: Match | None = None
    for number, event in enumerate(events, 1):
        try:
            if state is None:
                if not isinstance(event, GameStarted):
                    raise EventError(f"a game begins with game_started, not {event.kind}")
                state = Match.start(event)
            else:
                state = state.after(event)
        except ValueError as error:
            raise EventError(f"event {number}: {error}") from error
    if state is None:
        raise EventError("no event: a game begins with game_started")
    return state
