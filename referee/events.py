"""The events of a game: what the referee rules, one frozen value each, and their JSON form.

A match is the fold of its events, so an event holds all that the state needs; the words for people
are made from it elsewhere. The JSON keys are a promise to people who script against the log.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from referee.reasons import Reason
from tabletop import Colour, Contents, Seat, Square

Place: TypeAlias = Square | None
"""A square, or None for the reserve."""

RESERVE_NAME: Final = "reserve"


class Source(StrEnum):
    """Who read a throw."""

    CAMERA = "camera"
    PERSON = "person"


class By(StrEnum):
    """Where an answer or a correction came from."""

    BOARD = "board"
    CONSOLE = "console"
    BUTTON = "button"
    COMMAND = "command"


class ExtraThrowReason(StrEnum):
    """Why another throw is due."""

    SIX = "six"
    KNOCK_OUT = "knock_out"


class PassReason(StrEnum):
    """Why a throw was not used."""

    NO_MOVE = "no_move"
    CHOSEN = "chosen"


class About(StrEnum):
    """What a question is about."""

    MOVE = "move"
    DIE = "die"


@dataclass(frozen=True, slots=True)
class Found:
    """A checker found where no rule puts it; from or to the reserve where it came or went."""

    colour: Colour
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class Difference:
    """A square on which the board and the log differ."""

    square: Square
    seen: Contents
    due: Contents


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins; all that must be known to judge it."""

    kind: ClassVar[str] = "game_started"
    seats: tuple[tuple[Seat, Colour], ...]
    names: tuple[tuple[Seat, str], ...]
    rules: tuple[tuple[str, str | int | bool], ...]
    stake: int
    fine: int
    unit: str
    program: str
    table: str


@dataclass(frozen=True, slots=True)
class OpeningThrow:
    """A throw for who begins."""

    kind: ClassVar[str] = "opening_throw"
    seat: Seat
    colour: Colour
    value: int
    confidence: float = 1.0
    source: Source = Source.CAMERA


@dataclass(frozen=True, slots=True)
class FirstPlayer:
    """Who begins is settled."""

    kind: ClassVar[str] = "first_player"
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class DieThrown:
    """A throw that counts."""

    kind: ClassVar[str] = "die_thrown"
    seat: Seat
    colour: Colour
    value: int
    confidence: float = 1.0
    source: Source = Source.CAMERA


@dataclass(frozen=True, slots=True)
class DieUnreadable:
    """A throw that cannot be read and is to be repeated."""

    kind: ClassVar[str] = "die_unreadable"
    seat: Seat
    state: str


@dataclass(frozen=True, slots=True)
class CheckerEntered:
    """A checker came from the reserve to its start square."""

    kind: ClassVar[str] = "checker_entered"
    seat: Seat
    colour: Colour
    target: Square


@dataclass(frozen=True, slots=True)
class CheckerMoved:
    """A checker moved along its path."""

    kind: ClassVar[str] = "checker_moved"
    seat: Seat
    colour: Colour
    source: Square
    target: Square
    steps: int


@dataclass(frozen=True, slots=True)
class CheckerKnockedOut:
    """A checker of *seat* went back to the reserve."""

    kind: ClassVar[str] = "checker_knocked_out"
    seat: Seat
    colour: Colour
    square: Square
    by: Seat


@dataclass(frozen=True, slots=True)
class FinePaid:
    """A player paid for a knocked-out checker; *bank* is the new total."""

    kind: ClassVar[str] = "fine_paid"
    seat: Seat
    amount: int
    bank: int


@dataclass(frozen=True, slots=True)
class CheckerCameHome:
    """A checker turned from the ring into its home."""

    kind: ClassVar[str] = "checker_came_home"
    seat: Seat
    square: Square
    at_home: int


@dataclass(frozen=True, slots=True)
class ExtraThrow:
    """The player throws again."""

    kind: ClassVar[str] = "extra_throw"
    seat: Seat
    reason: ExtraThrowReason


@dataclass(frozen=True, slots=True)
class ThrowPassed:
    """A throw was not used."""

    kind: ClassVar[str] = "throw_passed"
    seat: Seat
    colour: Colour
    reason: PassReason


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """The table shows what the rules forbid, or what is not finished.

    Attributes:
        seat: who is addressed.
        colour: his colour.
        reason: which rule.
        found: the checker that stands or is missing, where one can be named.
        allowed: the moves that would be right, as texts; "--" is a pass.
        die: the throw it was judged by; None where none was due.
        differs: the squares on which the board and the log differ.
    """

    kind: ClassVar[str] = "illegal_move"
    seat: Seat
    colour: Colour
    reason: Reason
    found: Found | None = None
    allowed: tuple[str, ...] = ()
    die: int | None = None
    differs: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalCleared:
    """What was wrong is put right."""

    kind: ClassVar[str] = "illegal_cleared"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Question:
    """The picture cannot tell; a person or a later picture may.

    Attributes:
        id: its number.
        about: a move, or the die.
        choices: moves, values, or "again" for a cast that does not count.
        throw: the number of the event of an earlier throw, if it is asked what that really showed;
            of a cast nobody ruled on yet, that of the question in which it was first asked about.
    """

    kind: ClassVar[str] = "question"
    id: int
    about: About
    choices: tuple[str, ...]
    throw: int | None = None

    @property
    def first_asked(self) -> int:
        """What `throw` is where it is asked again."""
        return self.id if self.throw is None else self.throw


@dataclass(frozen=True, slots=True)
class Answer:
    """A question is settled."""

    kind: ClassVar[str] = "answer"
    id: int
    choice: str
    by: By


@dataclass(frozen=True, slots=True)
class Corrected:
    """The state goes back to what it was right after the event numbered *undo_to*."""

    kind: ClassVar[str] = "corrected"
    by: By
    undo_to: int
    why: str


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The players set a position in the middle of the game; *position* is its one-line text."""

    kind: ClassVar[str] = "position_set"
    by: By
    position: str
    why: str


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player is called *name* from now on."""

    kind: ClassVar[str] = "player_renamed"
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player gives up: his checkers are taken off, what he paid in stays in the bank."""

    kind: ClassVar[str] = "player_left"
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class BoardDiffers:
    """After a correction or a pause the board is not yet as the log says."""

    kind: ClassVar[str] = "board_differs"
    differs: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class BoardAgrees:
    """After a correction or a pause the board stands as the log says."""

    kind: ClassVar[str] = "board_agrees"


@dataclass(frozen=True, slots=True)
class Unclear:
    """What stands on *squares* cannot be made out, however often one looks; none: it is the die."""

    kind: ClassVar[str] = "unclear"
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board is not where it was."""

    kind: ClassVar[str] = "board_lost"
    reason: str


@dataclass(frozen=True, slots=True)
class BoardFound:
    """The board is found again."""

    kind: ClassVar[str] = "board_found"


@dataclass(frozen=True, slots=True)
class CameraLost:
    """No pictures come."""

    kind: ClassVar[str] = "camera_lost"


@dataclass(frozen=True, slots=True)
class CameraFound:
    """Pictures come again."""

    kind: ClassVar[str] = "camera_found"


@dataclass(frozen=True, slots=True)
class Obscured:
    """Something stays over the board."""

    kind: ClassVar[str] = "obscured"


@dataclass(frozen=True, slots=True)
class Visible:
    """The board is free again."""

    kind: ClassVar[str] = "visible"


@dataclass(frozen=True, slots=True)
class Paused:
    """The players interrupt the game."""

    kind: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed:
    """The players go on."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class GameWon:
    """All four checkers of *seat* are home; *net* is what each player gains or loses."""

    kind: ClassVar[str] = "game_won"
    seat: Seat
    colour: Colour
    bank: int
    net: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The game ends without a winner; each is paid back what he paid in."""

    kind: ClassVar[str] = "game_abandoned"
    paid_back: tuple[tuple[Seat, int], ...]


Event: TypeAlias = (
    GameStarted
    | OpeningThrow
    | FirstPlayer
    | DieThrown
    | DieUnreadable
    | CheckerEntered
    | CheckerMoved
    | CheckerKnockedOut
    | FinePaid
    | CheckerCameHome
    | ExtraThrow
    | ThrowPassed
    | IllegalMove
    | IllegalCleared
    | Question
    | Answer
    | Corrected
    | PositionSet
    | PlayerRenamed
    | PlayerLeft
    | BoardDiffers
    | BoardAgrees
    | Unclear
    | BoardLost
    | BoardFound
    | CameraLost
    | CameraFound
    | Obscured
    | Visible
    | Paused
    | Resumed
    | GameWon
    | GameAbandoned
)

EVENT_TYPES: Final[MappingProxyType[str, type[Event]]] = MappingProxyType(
    {event.kind: event for event in Event.__args__}
)
