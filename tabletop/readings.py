"""What the eyes tell the referee: probabilities, never certainties.

A *reading* is what one frame shows. An *observation* is a settled scene: one or several readings of
a still, unobscured table joined, together with what the die did since the last throw counted.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from tabletop.colours import Colour
from tabletop.squares import SQUARES, Square

Contents: TypeAlias = tuple[Colour, ...]
"""What stands on a square: the colours of its checkers, sorted; empty where none stands."""

EMPTY: Final[Contents] = ()

Point: TypeAlias = tuple[float, float]
"""A place in a picture in pixels, (x, y), the centre of its first pixel being (0, 0)."""

Box: TypeAlias = tuple[float, float, float, float]
"""An upright box in a picture in pixels: x, y of its first corner, width, height."""


def contents(*colours: Colour) -> Contents:
    """Return the contents made up of *colours*, in the sorted order that makes equal ones equal."""
    return tuple(sorted(colours))


@dataclass(frozen=True, slots=True)
class SquareReading:
    """What may stand on one square.

    Attributes:
        options: contents with their probabilities, the most probable first. They sum to 1 at most;
            what is missing is the chance of something not listed.
        hidden: the square could not be seen (a hand, a glare, the edge of the picture); it is then
            no evidence for or against anything.
        changed: the probability that the square looks other than it did in the scene last
            accepted, by which a checker taken from one stack to another shows; None where nothing
            was compared.
    """

    options: tuple[tuple[Contents, float], ...]
    hidden: bool = False
    changed: float | None = None

    @property
    def best(self) -> Contents:
        """The most probable contents."""
        return self.options[0][0] if self.options else EMPTY

    @property
    def confidence(self) -> float:
        """The probability of the most probable contents."""
        return self.options[0][1] if self.options else 0.0

    def probability(self, of: Contents) -> float:
        """Return the probability of the contents *of*, 0 where they are not listed."""
        for listed, probability in self.options:
            if listed == of:
                return probability
        return 0.0


class DieState(StrEnum):
    """How a die lies."""

    SETTLED = "settled"
    COCKED = "cocked"
    """Leaning or still rolling: no face is the top."""
    UNREADABLE = "unreadable"
    """It is there, and its top face cannot be told."""
    SEVERAL = "several"
    """Not one die was cast, but more: said of a cast only."""


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die in one frame.

    Attributes:
        box: where it is in the picture.
        probabilities: of the six values, for 1 first; they sum to 1 at most.
        state: how it lies.
        cocked: the probability that it leans, whatever the state says.
    """

    box: Box
    probabilities: tuple[float, float, float, float, float, float]
    state: DieState = DieState.SETTLED
    cocked: float = 0.0

    @property
    def value(self) -> int | None:
        """The most probable value of a settled die, else None."""
        if self.state is not DieState.SETTLED:
            return None
        return 1 + self.probabilities.index(max(self.probabilities))

    @property
    def confidence(self) -> float:
        """The probability of the most probable value."""
        return max(self.probabilities)


@dataclass(frozen=True, slots=True)
class BoardLocation:
    """Where the 64 squares are in a picture.

    Attributes:
        corners: the outer corners of the 64 squares in the order a1, h1, h8, a8.
        confidence: the probability that this is the board and no other lattice.
        distortion: the lens parameter of the one-parameter division model (Fitzgibbon 2001), with
            the picture's centre as the centre and half its diagonal as the unit of length; 0 is a
            lens without distortion. A point at radius r in the picture is at r / (1 + d r²)
            on an ideal one.
    """

    corners: tuple[Point, Point, Point, Point]
    confidence: float = 1.0
    distortion: float = 0.0


@dataclass(frozen=True, slots=True)
class NoBoard:
    """No board was found, and why, in words for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What one frame shows.

    Attributes:
        board: where the board is, or why there is none.
        squares: 64 readings, a1 first (`tabletop.squares`), or none where there is no board.
        dice: every die in the picture.
        obscured: a hand or another thing covers part of the board.
        elapsed_ms: how long each stage took, by its name.
        others: further boards in the picture, whose squares are not read.
    """

    board: BoardLocation | NoBoard
    squares: tuple[SquareReading, ...] = ()
    dice: tuple[DieReading, ...] = ()
    obscured: bool = False
    elapsed_ms: dict[str, float] = field(default_factory=dict, compare=False)
    others: tuple[BoardLocation, ...] = ()

    def __post_init__(self) -> None:
        if len(self.squares) not in (0, len(SQUARES)):
            raise ValueError(f"a reading has 64 squares or none, not {len(self.squares)}")


class DieSign(StrEnum):
    """What a die did since the last throw that counted."""

    THROWN = "thrown"
    """It was moved or out of sight, and lies still now."""
    SAME = "same"
    """It lies as it lay."""
    TURNED = "turned"
    """It lies where it lay, with another face up."""


@dataclass(frozen=True, slots=True)
class DieObservation:
    """The die of a settled scene, its probabilities joined over the frames.

    Attributes:
        sign: what it did since the last throw that counted.
        reading: how it lies.
        earlier: how it lay before this cast, if that was a cast too and nobody ruled on it.
    """

    sign: DieSign
    reading: DieReading
    earlier: DieReading | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A settled scene, ready to be judged.

    Attributes:
        squares: 64 readings, a1 first.
        die: the one die in play, or a cast of several; None where none is in sight.
        dice_count: how many dice lie in sight that somebody may have thrown.
        obscured: something covers part of the board: nothing may be judged.
        at_s: when the scene was seen, in seconds of the source's clock.
        frames: how many frames it was joined from.
    """

    squares: tuple[SquareReading, ...]
    die: DieObservation | None = None
    dice_count: int = 0
    obscured: bool = False
    at_s: float = 0.0
    frames: int = 1

    def __post_init__(self) -> None:
        if len(self.squares) != len(SQUARES):
            raise ValueError(f"an observation has 64 squares, not {len(self.squares)}")

    def square(self, at: Square) -> SquareReading:
        """Return what is seen on the square *at*."""
        return self.squares[at]
