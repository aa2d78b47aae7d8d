"""Where the board lies, and which of its corners is a1 after it was bumped or turned.

The finder tells where the 64 squares are, and which of them are dark; two corners may then be a1.
What speaks for one of them is added up, in nats: how far the board seems turned, what the picture
around and on it shows, and what stands on it.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from calibration.drift import BoardWatch
from calibration.quality import shift_squares
from tabletop import EMPTY, SQUARES, BoardLocation, Contents, Square, SquareReading
from vision.board import LEAST_FIT, board_fit
from vision.frame import Frame
from vision.rectify import picture_to_board
from vision.table import TableModel

BUMPED_SQUARES: Final = 0.25
"""A board that lies so far from where it lay was bumped; a smaller drift is followed silently."""

_SURE: Final = 3.0
"""So many nats decide which corner is a1."""
_PICTURE: Final = 9.0
"""What the picture weighs where it can tell."""
_HARDLY_TURNED: Final = ((20.0, 5.0), (60.0, 2.0))
"""A board that seems turned by less than so many degrees was rather bumped than turned by half."""
_IN_PLACE: Final = 20.0
"""A board that was not seen to move must be contradicted by so much to have been turned by half."""
_LEAST_PROBABILITY: Final = 1e-3


class BoardPlace(StrEnum):
    """Where the board is, against the look before."""

    SAME = "same"
    MOVED = "moved"
    """It was bumped or turned, and found again."""
    ASTRAY = "astray"
    """It is not where it was, and has yet to be looked for."""
    LOST = "lost"
    UNNAMED = "unnamed"
    """It was turned and found again, but which corner is a1 cannot be told."""
    DARK = "dark"
    """It is too dark to read it, or to see whether it is where it was."""
    BRIGHT = "bright"
    """So much of it is burnt out that it cannot be read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stood on the board when it was last seen to be as the game says."""

    contents: Mapping[Square, Contents]

    @classmethod
    def of(cls, squares: tuple[SquareReading, ...]) -> "Standing":
        """Return what stands by a reading of all squares."""
        return cls({at: squares[at].best for at in SQUARES if squares[at].best})

    def against_turned(self, squares: tuple[SquareReading, ...]) -> float:
        """Return by how many nats *squares* fit better as they are than turned by half."""
        return self._fit(squares) - self._fit(squares[::-1])

    def _fit(self, squares: tuple[SquareReading, ...]) -> float:
        return sum(
            math.log(max(reading.probability(self.contents.get(at, EMPTY)), _LEAST_PROBABILITY))
            for at, reading in enumerate(squares)
            if not reading.hidden
        )


@dataclass(frozen=True, slots=True)
class NameCorner:
    """What people say when they are asked which corner is a1.

    Attributes:
        turned: it is the one opposite to where a1 seems to be.
        unasked: people say so by themselves, for they see that it is taken for another.
    """

    turned: bool
    unasked: bool = False


class BoardSense:
    """Follows the board of one table; owned by who watches it."""

    def __init__(self, table: TableModel) -> None:
        self._watch = BoardWatch.begin(table)
        self._named = self._watch.location
        self._told = False

    @property
    def location(self) -> BoardLocation:
        """Where the board lies, as far as is known."""
        return self._watch.location

    @property
    def named(self) -> bool:
        """Whether the picture told which corner is a1 when the board was found there."""
        return self._watch.names_sure

    def astray(self, frame: Frame) -> bool:
        """Tell, for less than a millisecond, whether the board is not where it lay."""
        return board_fit(frame.pixels, self.location) < LEAST_FIT

    def strayed(self, frame: Frame) -> bool:
        """Tell in some 15 ms whether it is not where it lay, or lies there the other way round."""
        return self.astray(frame) or self._watch.elsewhere(frame.pixels)

    def follow(self, frame: Frame) -> bool:
        """Look for the board where it lay and elsewhere; tell whether it is in the picture."""
        self._watch = self._watch.step(frame)
        return not self._watch.lost

    def other_ways(self, frame: Frame) -> Iterator[None]:
        """Try where else, and which other way, the board may lie; it ends as it was before.

        Whoever looks may stop at any of them, and the board then lies so.
        """
        before = self._watch
        self._watch = before.step(frame)
        if self._watch.location != before.location:
            yield
            self._watch = self._watch.told(other_way=True)
            yield
        self._watch = before

    def settle_names(self, squares: tuple[SquareReading, ...], standing: Standing | None) -> bool:
        """Settle which corner is a1 and turn the names if need be; tell whether that can be told.

        Args:
            squares: what stands on the board by the names that its corners have now.
            standing: what should.
        """
        nats = math.inf if self._told else self._evidence(squares, standing)
        if abs(nats) < _SURE:
            return False
        if nats < 0.0 or not self._watch.names_sure:
            self._watch = self._watch.told(other_way=nats < 0.0)
        self._named, self._told = self.location, False
        return True

    def tell_names(self, *, turned: bool) -> None:
        """Take note that people said whether the names must be turned by half."""
        self._watch = self._watch.told(other_way=turned)
        self._told = True

    def shifted(self, before: BoardLocation, size_wh: tuple[int, int]) -> bool:
        """Tell whether the board lies elsewhere than *before* by more than goes unsaid."""
        return shift_squares(before, self.location, size_wh) >= BUMPED_SQUARES

    def _evidence(self, squares: tuple[SquareReading, ...], standing: Standing | None) -> float:
        """Return by how many nats the corners are rather named rightly than turned by half."""
        stands = standing.against_turned(squares) if standing is not None else 0.0
        if self.location == self._named:
            # Nothing was seen to move: either way is taken without asking.
            return math.inf if stands > -_IN_PLACE else -math.inf
        turned_deg = _turned_deg(self._named, self.location, self._watch.table.size_wh)
        off_deg = min(abs(turned_deg), 180.0 - abs(turned_deg))
        prior = next((nats for most, nats in _HARDLY_TURNED if off_deg < most), 0.0)
        picture = _PICTURE if self._watch.names_sure else 0.0
        return stands + picture + (prior if abs(turned_deg) <= 90.0 else -prior)


def _turned_deg(before: BoardLocation, now: BoardLocation, size_wh: tuple[int, int]) -> float:
    """Return how far the board was turned, counter-clockwise, between -180 and 180 degrees."""
    (from_x, from_y), (to_x, to_y) = picture_to_board(before, size_wh, now.corners[:2])
    return math.degrees(math.atan2(to_y - from_y, to_x - from_x))
