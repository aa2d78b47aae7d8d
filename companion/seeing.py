"""From frames to observations: waits until the table is still, then looks.

Everything here is about one table and one camera. A folder of pictures vouches for its stillness
and is looked at picture by picture; a live camera is watched until nothing moves.
"""

import math
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from calibration.fit import average_frames
from companion.errors import InputError
from companion.glances import DieGlances, is_held
from companion.lighting import Lighting
from companion.lying import BoardPlace, BoardSense, Standing
from companion.viewpoint import seen_from_now
from referee.events import CheckerEntered, CheckerMoved, Corrected, DieThrown, OpeningThrow
from referee.verdict import Ruling, Verdict
from tabletop import (
    BoardLocation,
    Box,
    DieObservation,
    DieReading,
    DieSign,
    Observation,
    Reading,
)
from vision.die_size import DieSizes
from vision.die_view import view_table
from vision.frame import Frame
from vision.furniture import lies_untouched
from vision.known import AcceptedScene
from vision.newcomers import see_changes
from vision.reader import Clock, read_table
from vision.rectify import board_to_picture, picture_to_board
from vision.renewal import renewed
from vision.stillness import Stillness
from vision.table import TableModel
from vision.throws import DieWatch, DieWatcher

__all__ = ["AVERAGED_FRAMES", "BoardPlace", "Look", "TableWatch"]

AVERAGED_FRAMES: Final = 4
"""Frames of a still table that are averaged before it is read: noise falls to a half."""
LOOK_AGAIN_S: Final = 1.0
"""After this long a still scene that left a doubt, or lay under a hand, is looked at again."""
LOOK_LATER_S: Final = 5.0
"""After this long a board that was looked for often is looked for again."""
MOST_LOOKS: Final = 5
"""So often a doubtful scene is looked at; then what is unclear is said, and only movement brings
news."""
LOOKS_AT_REFLECTIONS: Final = 3
"""So many looks at a still table with a board that was moved tell a reflection from a hand."""
NOTICED_S: Final = 0.3
"""After so long a rest a board that was moved is noticed, before it is looked for."""

_MOVES: Final = (CheckerMoved, CheckerEntered, Corrected)
"""Events after which other squares hold checkers."""
_THROWS: Final = (DieThrown, OpeningThrow)


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
        self,
        table: TableModel,
        clock: Clock | None = None,
        settle_s: float = 1.0,
        die_sizes: DieSizes = DieSizes(),  # noqa: B008 - it is frozen
    ) -> None:
        self._table = table
        self._clock: Final = clock
        self._stillness = Stillness(settle_s)
        self._die: DieWatcher | None = None
        self._last_die: DieObservation | None = None
        self._cast: tuple[Frame, Box] | None = None
        self._die_sizes = die_sizes
        self._glances = DieGlances(table)
        self._board: Final = BoardSense(table)
        self._accepted: AcceptedScene | None = None
        self._standing: Standing | None = None
        self._frames: deque[Frame] = deque(maxlen=AVERAGED_FRAMES)
        self._next_look_s: float | None = None
        self._looks = 0
        self._noticed = False
        self._moved_since = False
        self._missing: BoardPlace | None = None
        self._light: Final = Lighting()

    def step(self, frame: Frame) -> Look | BoardPlace | None:
        """Return a look at the table if *frame* shows it settled and there may be news.

        Where the board is not to be seen, or cannot be named, just that is told.

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
        if self._light.step(frame, self._board.location):
            self._looks = 0
            self._look_at(frame.at_s)
        follows = self._light.follows(frame)
        if not self._stillness.settled or follows:
            return self._unsettled(frame, follows)
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
            if self._moved_since:
                self._renew(look)
            else:
                self._accepted = look.scene
            self._standing = Standing.of(look.observation.squares)
        elif any(isinstance(event, _MOVES) for event in verdict.events):
            # What was played has not been seen by itself.
            self._accepted = None
        die = look.observation.die
        if die is not None and self._die is not None:
            if verdict.die_counted:
                known = any(isinstance(event, _THROWS) for event in verdict.events)
                self._die = self._die.counted(die, known=known)
            else:
                self._die = self._die.unruled(die)
            if verdict.die_counted or die.sign is DieSign.THROWN:
                self._cast = (look.frame, die.reading.box)
            if verdict.die_counted and die.sign is DieSign.THROWN:
                self._measure(die.reading)
        doubtful = verdict.ruling in (Ruling.DOUBTFUL, Ruling.OBSCURED)
        if look.holds_back(verdict) or (doubtful and not look.last):
            self._look_at(look.frame.at_s + LOOK_AGAIN_S)

    def die_told(self) -> None:
        """Take note that people said what the die shows: as it lies it is no news any more."""
        if self._last_die is not None and self._die is not None:
            self._die = self._die.counted(self._last_die, known=True)

    def corner_told(self, *, turned: bool) -> None:
        """Take note that people said whether the board was turned by half."""
        self._board.tell_names(turned=turned)

    def look_again(self) -> None:
        """Look again though nothing moved: people said something.

        What the scene last accepted showed may not be what stands by the match any more.
        """
        self._accepted = None
        self._look_at(0.0)

    def _look_at(self, at_s: float) -> None:
        """Look again from *at_s* on, though nothing moved."""
        self._next_look_s = at_s

    def _unsettled(self, frame: Frame, follows: bool) -> BoardPlace | None:
        """Follow a table that moves, or did just now: the die, and whether the board is there.

        While the camera *follows* the light, a picture tells nothing.
        """
        self._frames.clear()
        self._looks = 0
        self._next_look_s = frame.at_s
        if follows:
            return None
        self._glance(frame)
        since_s = self._stillness.still_since_s
        if since_s is None:
            self._noticed = False
            return None
        if self._noticed or frame.at_s - since_s < NOTICED_S:
            return None
        self._noticed = True
        if not self._board.strayed(frame):
            return None
        self._missing = self._missing or BoardPlace.ASTRAY
        return BoardPlace.ASTRAY

    def _glance(self, frame: Frame) -> None:
        """Look for a cast that is made and picked up before the table comes to rest."""
        self._glances.pass_by(frame)
        if self._die is None or not self._glances.due(frame) or self._untouched(frame):
            return
        if self._board.astray(frame):  # and the die with it
            return
        before = self._die.doubted
        self._die = self._glances.step(frame, self._board.location, self._die)
        if self._die.doubted is not None and self._die.doubted is not before:
            self._cast = (frame, self._die.doubted.box)

    def _look(self, frame: Frame) -> Look | BoardPlace:
        self._glances.rest()
        location = self._board.location
        reading, scene = self._read(frame)
        place = BoardPlace.SAME
        astray = self._board.astray(frame)
        light = self._light.look(frame, location)
        if light is not None and (reading.obscured or astray):
            return self._seek(frame, BoardPlace(light))
        if reading.obscured and not astray:
            reading, scene = self._uncovered(frame, reading, scene)
        if not reading.obscured or astray:
            if not self._board.follow(frame):
                return self._seek(frame, BoardPlace.LOST)
            if self._board.location != location:
                self._accepted = None
                reading, scene = self._read(frame)
            if not reading.obscured:
                found = self._board.location
                if not self._board.settle_names(reading.squares, self._standing):
                    return self._seek(frame, BoardPlace.UNNAMED)
                if self._board.location != found:
                    reading, scene = self._read(frame)
            if self._board.location != location:
                self._look_from_now(location, frame)
                reading, scene = self._read(frame)
                place = self._moved(location, reading, frame)
        if reading.obscured and self._missing and self._still_missing(frame):
            return self._seek(frame, self._missing)
        self._missing = None
        watch = DieWatch(None, 0)
        # A die under a hand, or in it, says nothing; the watcher waits like the judge.
        if not reading.obscured and self._die is not None:
            if place is BoardPlace.MOVED:
                # What lies elsewhere now was not cast for that: a cast is what has a value.
                self._die = self._die.passing_over([die for die in reading.dice if not die.value])
            untouched = self._untouched(frame)
            bare = untouched is False and self._bare(frame)
            if untouched and self._die.glanced and self._held(frame):
                untouched = None
            watch, self._die = self._die.observe(reading.dice, untouched, bare=bare)
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
        last = self._last_look(frame)
        return Look(observation, reading, scene, frame, watch, place, still_s, last)

    def _uncovered(
        self, frame: Frame, reading: Reading, scene: AcceptedScene
    ) -> tuple[Reading, AcceptedScene]:
        """Look whether the board only seems covered, for it was turned on the spot or shoved."""
        for _ in self._board.other_ways(frame):
            tried = self._read(frame)
            if not tried[0].obscured:
                return tried
        return reading, scene

    def _still_missing(self, frame: Frame) -> bool:
        """Tell whether a board that was missing, and is covered now, is not yet found again.

        It is where it was if it seems so for long.
        """
        if self._missing is BoardPlace.UNNAMED or not self._last_look(frame):
            return True
        return not self._board.named or self._board.strayed(frame)

    def _last_look(self, frame: Frame) -> bool:
        return frame.still or self._looks >= MOST_LOOKS

    def _seek(self, frame: Frame, place: BoardPlace) -> BoardPlace:
        """Look for the board again, more seldom as time goes on."""
        if place in (BoardPlace.LOST, BoardPlace.UNNAMED):
            self._missing = place
        often = self._looks < MOST_LOOKS
        self._look_at(frame.at_s + (LOOK_AGAIN_S if often else LOOK_LATER_S))
        return place

    def _untouched(self, frame: Frame) -> bool | None:
        """Return whether the die that was cast last lies as it lay; None where there is none."""
        if self._cast is None:
            return None
        then, box = self._cast
        return lies_untouched(frame.pixels, then.pixels, box)

    def _bare(self, frame: Frame) -> bool:
        """Tell whether the empty table is seen where the die was that was cast last."""
        return self._cast is not None and see_changes(frame.pixels, self._table).is_bare(
            self._cast[1]
        )

    def _held(self, frame: Frame) -> bool:
        """Tell whether a hand is at the die that was cast last: it may not be cast yet."""
        return self._cast is not None and is_held(
            self._cast[1], see_changes(frame.pixels, self._table)
        )

    def _read(self, frame: Frame) -> tuple[Reading, AcceptedScene]:
        location = self._board.location
        reading, scene = read_table(frame, self._table, location, self._accepted, self._clock)
        if reading.obscured and self._moved_since and self._looks >= LOOKS_AT_REFLECTIONS:
            # No hand keeps so still: under lamps a board that was turned mirrors them elsewhere.
            reading = replace(reading, obscured=False)
        return reading, scene

    def _look_from_now(self, before: BoardLocation, frame: Frame) -> None:
        """Know the table as it is seen from where the camera looks now, if that was knocked."""
        self._know(seen_from_now(self._table, before, self._board.location, frame.pixels))

    def _renew(self, look: Look) -> None:
        """Know the empty board as it looks where it lies now, all on it being as the game says."""
        self._moved_since, self._accepted = False, None
        stood = {} if self._standing is None else self._standing.contents
        unseen = [at for at, square in enumerate(look.observation.squares) if square.hidden]
        unknown = [at for at in unseen if at in stood]
        location = self._board.location
        pixels, dice = look.frame.pixels, look.reading.dice
        self._know(renewed(self._table, location, pixels, look.scene, unknown, dice))
        # By what is known now, to compare with it what is played next.
        _, self._accepted = self._read(look.frame)

    def _measure(self, die: DieReading) -> None:
        """Learn from a throw that counted how large the die is."""
        view = view_table(self._board.location, self._table.size_wh)
        self._die_sizes = self._die_sizes.thrown(die, view)
        if self._die_sizes.known != self._table.die_side:
            self._know(replace(self._table, die_side=self._die_sizes.known))

    def _know(self, table: TableModel) -> None:
        """Look at the table with what is known of it now."""
        if table is not self._table:
            self._table, self._glances = table, DieGlances(table)

    def _moved(self, before: BoardLocation, reading: Reading, frame: Frame) -> BoardPlace:
        """Take note that the board, or the camera, is elsewhere than *before*.

        The die has stayed where it was in the picture if the board was moved, and gone along with
        the board if the camera was.
        """
        if self._die is not None and self._die.cast is not None:
            box = self._die.cast.box
            middle = [(box[0] + box[2] / 2, box[1] + box[3] / 2)]
            on_board = picture_to_board(before, frame.size_wh, middle)
            now = board_to_picture(self._board.location, frame.size_wh, on_board)[0]
            by_xy = (float(now[0] - middle[0][0]), float(now[1] - middle[0][1]))
            self._die = self._die.carried_along(reading.dice, by_xy)
            self._cast = None
        shifted = self._board.shifted(before, frame.size_wh)
        self._moved_since |= shifted
        return BoardPlace.MOVED if shifted else BoardPlace.SAME
