"""The state of a match: what was agreed, what stands where, what is awaited, what is wrong."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from referee.bank import Bank
from referee.events import Difference, GameStarted, IllegalMove, Question
from referee.game_record import Action, Ending, GameRecord, Header
from referee.hindrances import Hindrance
from referee.moves import Move, Played, legal_moves
from referee.opening import Opening
from referee.position import Position, standing
from referee.rules import Rules
from referee.steps import all_steps
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


@dataclass(frozen=True, slots=True)
class Act:
    """Something that can be taken back: a throw with all that was played with it, or a setting.

    Attributes:
        after: the number of the event it came after.
        value: what was thrown; None where a position was set, a player left, or the game was
            abandoned.
    """

    after: int
    value: int | None


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a game after so many events.

    Attributes:
        setup: how the game was started, the players' names being those of now.
        rules: the rules it is played by.
        sequence: the number of the last event.
        phase: what is awaited.
        opening: the opening throws so far.
        position: what stands where and who is to throw or move.
        bank: what everybody paid in.
        die: the throw that is owed a move.
        thrown_at: the number of the event of the last throw that counted.
        throws: all throws used or passed since the game, or the position set last, began;
            taken-back ones are not among them.
        acts: what can be taken back, oldest first.
        base: the position set last in the middle of the game, with which its record begins.
        left: who left the game.
        wrong: what is wrong on the table and was said.
        question: the open question.
        denied: the choices of which people said that none was played yet.
        unreadable: the last cast was void; the same player casts again.
        unclear: the squares that could not be made out, where that was said.
        restoring: the board has yet to be put as the log says, or to be seen to stand so.
        differs: the squares that were said to differ while restoring.
        hindrances: why the table cannot be seen, the newest last.
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
    acts: tuple[Act, ...] = ()
    base: Position | None = None
    left: tuple[Seat, ...] = ()
    wrong: IllegalMove | None = None
    question: Question | None = None
    denied: tuple[str, ...] = ()
    unreadable: bool = False
    unclear: tuple[Square, ...] | None = None
    restoring: bool = False
    differs: tuple[Difference, ...] = ()
    hindrances: tuple[Hindrance, ...] = ()
    paused: bool = False
    abandoned: bool = False
    previous: Self | None = field(default=None, compare=False, repr=False)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that began the game, in their order."""
        return tuple(seat for seat, _ in self.setup.seats)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats whose players have not left, in their order."""
        return tuple(seat for seat in self.seats if seat not in self.left)

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
    def taken_back(self) -> bool:
        """Whether the throw that is owed a move had been played, and its move was taken back."""
        state = self.previous if self.phase is Phase.MOVE else None
        while state is not None and state.sequence > self.thrown_at:
            if state.throws and state.throws[-1].thrown_at == self.thrown_at:
                return True
            state = state.previous
        return False

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

    def contents_of(self, at: Square, position: Position) -> Contents:
        """Return what must stand on one square in *position*."""
        there: list[Colour] = []
        steps = all_steps(self.rules)
        for seat, colour in self.setup.seats:
            index = steps[seat].indices.get(at)
            if index is not None:
                there += [colour] * position.checkers[steps[seat].number].count(index)
        return contents(*there)

    def record(self, event: str = "?", date: str = "????.??.??") -> GameRecord:
        """Return what was played so far, taken-back throws left out, as a record."""
        first = self.throws[0].played.before if self.throws else self.base or self.position
        seats = self.position.seats
        header = Header(
            seats=seats,
            first=first.to_move,
            names=tuple(self.name(seat) for seat in seats),
            colours=tuple(self.colour(seat) for seat in seats),
            rules=self.rules,
            stake=self.setup.stake,
            fine=self.setup.fine,
            unit=self.setup.unit,
            event=event,
            date=date,
            setup=self.base,
            left=tuple(seat for seat in self.left if seat in seats),
        )
        actions = tuple(Action(throw.played.die, throw.played.move) for throw in self.throws)
        ending = Ending.ABANDONED if self.abandoned else Ending.UNFINISHED
        return GameRecord(header, actions, self.winner or ending)
