"""From frames to observations: waits until the table is still, then looks.

Everything here is about one table and one camera. A folder of pictures vouches for its stillness
and is looked at picture by picture; a live camera is watched until nothing moves.
"""

import math
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from calibration.drift import BoardWatch
from calibration.fit import average_frames
from calibration.quality import shift_squares
from companion.errors import InputError
from referee.judge import Ruling, Verdict
from tabletop import Box, DieObservation, DieSign, Observation, Reading
from vision.board import board_fit
from vision.frame import Frame
from vision.furniture import lies_untouched
from vision.known import AcceptedScene
from vision.reader import Clock, read_table
from vision.stillness import Stillness
from vision.table import TableModel
from vision.throws import DieWatch, DieWatcher

AVERAGED_FRAMES: Final = 4
"""Frames of a still table that are averaged before it is read: noise falls to a half."""
LOOK_AGAIN_S: Final = 1.0
"""After this long a still scene that left a doubt, or lay under a hand, is looked at again."""
MOST_LOOKS: Final = 5
"""So often a doubtful scene is looked at; then what is unclear is said, and only movement brings
news."""
BUMPED_SQUARES: Final = 0.25
"""A board that lies so far from where it lay was bumped; a smaller drift is followed silently."""
LEAST_FIT: Final = 0.4
"""Under a hand less of the pattern than this is seen only where the board itself is elsewhere."""


class BoardPlace(StrEnum):
    """Where the board is, against the look before."""

    SAME = "same"
    MOVED = "moved"
    """It was bumped or turned, and found again."""
    LOST = "lost"


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One look at a settled table, with all it was made from.

    Attributes:
        place: where the board is.
        still_s: for how long nothing has moved; for ever, where the source vouches for it.
        last: this scene is not looked at again unless somebody asks.
    """

    observation: Observation
    reading: Reading
    scene: AcceptedScene
    frame: Frame
    watch: DieWatch
    place: BoardPlace = BoardPlace.SAME
    still_s: float = math.inf
    last: bool = False

    def holds_back(self, verdict: Verdict) -> bool:
        """Tell whether *verdict* must wait, for somebody may be in the middle of a move."""
        return verdict.patience_s > self.still_s


class TableWatch:
    """Watches one table; owned by the thread that owns the match."""

    def __init__(
        self, table: TableModel, clock: Clock | None = None, settle_s: float = 1.0
    ) -> None:
        self._table: Final = table
        self._clock: Final = clock
        self._stillness = Stillness(settle_s)
        self._die: DieWatcher | None = None
        self._last_die: DieObservation | None = None
        self._cast: tuple[Frame, Box] | None = None
        self._board = BoardWatch.begin(table)
        self._accepted: AcceptedScene | None = None
        self._frames: deque[Frame] = deque(maxlen=AVERAGED_FRAMES)
        self._next_look_s: float | None = None
        self._looks = 0

    def step(self, frame: Frame) -> Look | None:
        """Return a look at the table if *frame* shows it settled and there may be news.

        Raises:
            InputError: the frame has another size than the camera had at calibration.
        """
        try:
            self._table.check_frame(frame)
        except ValueError as error:
            raise InputError(str(error)) from error
        if self._die is None:
            self._die = DieWatcher(live=not frame.still)
        if frame.still:
            return self._look(frame)
        self._stillness = self._stillness.step(frame)
        if not self._stillness.settled:
            self._frames.clear()
            self._looks = 0
            self._next_look_s = frame.at_s
            return None
        self._frames.append(frame)
        due = self._next_look_s is not None and frame.at_s >= self._next_look_s
        if not due or len(self._frames) < AVERAGED_FRAMES:
            return None
        self._looks += 1
        self._next_look_s = None
        return self._look(average_frames(tuple(self._frames)))

    def ruled(self, look: Look, verdict: Verdict) -> None:
        """Take note of what was ruled on *look*."""
        if verdict.accepted:
            self._accepted = look.scene
        die = look.observation.die
        if die is not None and self._die is not None:
            told = self._die.counted if verdict.die_counted else self._die.unruled
            self._die = told(die)
            if verdict.die_counted or die.sign is DieSign.THROWN:
                self._cast = (look.frame, die.reading.box)
        doubtful = verdict.ruling in (Ruling.DOUBTFUL, Ruling.OBSCURED)
        if look.holds_back(verdict) or (doubtful and not look.last):
            self.look_again(look.frame.at_s + LOOK_AGAIN_S)

    def die_told(self) -> None:
        """Take note that people said what the die shows: as it lies it is no news any more."""
        if self._last_die is not None and self._die is not None:
            self._die = self._die.counted(self._last_die)

    def look_again(self, at_s: float = 0.0) -> None:
        """Look again from *at_s* on, though nothing moved: the match changed, or doubt is left."""
        self._next_look_s = at_s

    def _look(self, frame: Frame) -> Look:
        reading, scene = self._read(frame)
        place = BoardPlace.SAME
        location = self._board.location
        if not reading.obscured or board_fit(frame.pixels, location) < LEAST_FIT:
            place = self._follow_board(frame)
            if self._board.location != location:
                reading, scene = self._read(frame)
        watch = DieWatch(None, 0)
        # A die under a hand, or in it, says nothing; the watcher waits like the judge.
        if not reading.obscured and self._die is not None:
            watch, self._die = self._die.observe(reading.dice, self._untouched(frame))
        self._last_die = watch.observation
        observation = Observation(
            squares=reading.squares,
            die=watch.observation,
            dice_count=watch.count,
            obscured=reading.obscured,
            at_s=frame.at_s,
            frames=max(len(self._frames), 1),
        )
        since_s = self._stillness.still_since_s
        still_s = math.inf if frame.still or since_s is None else frame.at_s - since_s
        last = frame.still or self._looks >= MOST_LOOKS
        return Look(observation, reading, scene, frame, watch, place, still_s, last)

    def _untouched(self, frame: Frame) -> bool | None:
        """Return whether the die that was cast last lies as it lay; None where there is none."""
        if self._cast is None:
            return None
        then, box = self._cast
        return lies_untouched(frame.pixels, then.pixels, box)

    def _read(self, frame: Frame) -> tuple[Reading, AcceptedScene]:
        location = self._board.location
        return read_table(frame, self._table, location, self._accepted, self._clock)

    def _follow_board(self, frame: Frame) -> BoardPlace:
        """Look where the board lies now; what looked changed before a bump says nothing after."""
        before = self._board.location
        self._board = self._board.step(frame)
        if self._board.lost:
            return BoardPlace.LOST
        if not self._board.moved:
            return BoardPlace.SAME
        self._accepted = None
        shift = shift_squares(before, self._board.location, frame.size_wh)
        return BoardPlace.MOVED if shift >= BUMPED_SQUARES else BoardPlace.SAME
