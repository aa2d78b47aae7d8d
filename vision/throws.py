"""What the die did since the last throw that counted.

A watcher is a value: observing a settled scene gives what is to be told and the next watcher. It
remembers the place of the last throw that *counted*, so that a scene in which the die was not seen
never makes a throw of a die that has not moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist, exp, log
from typing import Final

from tabletop import Box, DieObservation, DieReading, DieSign, DieState

MOVED_SIDES: Final = 0.33
"""A die that lies farther than this share of its side from where it lay has been moved."""

TURNED_SIDES: Final = 0.08
"""A die that looks otherwise than before and lies farther than this from there was cast again."""
FINGER_SIDES: Final = 0.25
"""A die with another face that lies no farther than this from there was turned by a finger: of
casts into a tray four squares large one in a hundred comes to rest so near."""
_BOX_SIDES: Final = 1.25
"""A die's box is 1.0 to 1.5 of its sides wide, by its turn and the camera's slant."""
_SURE_TURN: Final = 0.75
_SURE_NEWCOMER: Final = 0.8
_FLOOR: Final = 1e-3


@dataclass(frozen=True, slots=True)
class DieWatch:
    """What a scene shows of the dice.

    Attributes:
        observation: the one die in play, or a cast of several; None where none is in sight.
        count: how many dice lie in sight that somebody may have thrown.
    """

    observation: DieObservation | None
    count: int


@dataclass(frozen=True, slots=True)
class DieWatcher:
    """A fold over settled scenes.

    Attributes:
        live: whether scenes come from a camera that watches all the time, so that a die lying
            there at first was thrown by nobody; in a folder of pictures it is a throw.
        last: the reading of the throw that counted last, or None.
        resting: where dice lie that are not in play, having lain there already when the last
            throw counted.
        seen: where the dice of the last scene lay.
        begun: whether a scene was observed.
        doubted: a cast since then that nobody ruled on.
        known: whether what that throw showed is known, read or not.
        glanced: whether the doubted cast was only seen in passing: a hand may have held it.
        gone: whether the cast die was seen to lie no more where it lay.
    """

    live: bool = False
    last: DieReading | None = None
    resting: tuple[Box, ...] = ()
    seen: tuple[Box, ...] = ()
    begun: bool = False
    doubted: DieReading | None = None
    known: bool = False
    glanced: bool = False
    gone: bool = False

    @property
    def cast(self) -> DieReading | None:
        """The die that was cast last, as it lay then."""
        return self.doubted or self.last

    def observe(
        self,
        dice: Sequence[DieReading],
        untouched: bool | None = None,
        *,
        bare: bool = False,
    ) -> tuple[DieWatch, "DieWatcher"]:
        """Return what the dice of a settled scene did, and the watcher for the next scene.

        Args:
            dice: what the scene shows.
            untouched: whether the die that was cast last looks there as it did; None where nobody
                compared, or where a hand is at what was only seen in passing.
            bare: whether where it lay the empty table is seen.
        """
        boxes = tuple(die.box for die in dice)
        if self.live and not self.begun:
            return DieWatch(None, 0), replace(self, resting=boxes, seen=boxes, begun=True)
        # What lies there as it lay was never gone: a hand of the table's colour was over it.
        gone = (self.gone or bare) and not untouched
        watcher = replace(self, seen=boxes, begun=True, gone=gone)
        loose = [d for d in dice if not any(_same_place(box, d.box) for box in self.resting)]
        still, fresh = watcher._parted(loose, untouched)
        if still is not None:  # while the die in play lies there, another must be one for sure
            fresh = [d for d in fresh if d.confidence >= _SURE_NEWCOMER]
        fresh = _surest(fresh)
        if len(fresh) > 1:
            return watcher._of_several(fresh, first=not self.begun)
        if fresh:
            thrown = DieObservation(DieSign.THROWN, fresh[0], self.doubted)
            return DieWatch(thrown, 1), watcher
        if still is None:
            return DieWatch(None, 0), watcher
        if self.doubted is not None:
            return DieWatch(DieObservation(DieSign.THROWN, still), 1), watcher
        if untouched and self.last is not None:
            return DieWatch(DieObservation(DieSign.SAME, self.last), 1), watcher
        return DieWatch(self._resting_still(still), 1), watcher

    def _parted(
        self, dice: list[DieReading], untouched: bool | None
    ) -> tuple[DieReading | None, list[DieReading]]:
        """Return the die that lies where the last cast lay, and those that do not."""
        cast = self.cast
        if cast is None or self.gone:  # whatever lies there now was cast again
            return None, dice
        there: list[DieReading] = []
        fresh: list[DieReading] = []
        for die in dice:
            sides = MOVED_SIDES
            if untouched is False:
                sides = TURNED_SIDES if die.value == cast.value else FINGER_SIDES
            (there if _same_place(cast.box, die.box, sides) else fresh).append(die)
        if untouched and not there:
            return cast, fresh
        return (there[0] if there else None), fresh

    def _of_several(self, dice: list[DieReading], *, first: bool) -> tuple[DieWatch, "DieWatcher"]:
        """Return that several *dice* were cast; in the *first* scene they only lie there.

        Whichever of them moves next is the one that is thrown.
        """
        if first:
            places = self.resting + tuple(die.box for die in dice)
            return DieWatch(None, len(dice)), replace(self, resting=places)
        several = DieReading(dice[0].box, (0.0,) * 6, DieState.SEVERAL)
        return DieWatch(DieObservation(DieSign.THROWN, several, self.doubted), len(dice)), self

    def counted(self, observation: DieObservation, *, known: bool = False) -> "DieWatcher":
        """Return the watcher for which the throw of *observation* counted.

        What it showed may be *known* though nobody could read it: a move told it, or a person.
        """
        box = observation.reading.box
        others = tuple(seen for seen in self.seen if not _same_place(seen, box))
        return replace(
            self,
            last=observation.reading,
            resting=others,
            doubted=None,
            known=known,
            glanced=False,
            gone=self.gone and observation.sign is not DieSign.THROWN,
        )

    def unruled(self, observation: DieObservation) -> "DieWatcher":
        """Return the watcher that remembers a cast of which nobody said yet what it is.

        Should the die be cast again before that, both casts are told.
        """
        if observation.sign is not DieSign.THROWN or observation.reading.state is DieState.SEVERAL:
            return self
        return replace(self, doubted=observation.reading, glanced=False, gone=False)

    def glimpsed(self, dice: Sequence[DieReading]) -> "DieWatcher":
        """Return the watcher that remembers a cast seen lying still while other things moved.

        Args:
            dice: dice that lay still, were surely read, and had no hand at them.
        """
        if not self.begun or self.doubted is not None:
            return self
        loose = [d for d in dice if not any(_same_place(box, d.box) for box in self.resting)]
        _, fresh = self._parted(loose, None)
        if len(fresh) != 1:
            return self
        return replace(self, doubted=fresh[0], glanced=True, gone=False)

    def passing_over(self, things: Sequence[DieReading]) -> "DieWatcher":
        """Return the watcher for which *things* that look like dice lie there for good."""
        cast = self.cast
        boxes = [one.box for one in things if cast is None or not _same_place(cast.box, one.box)]
        return replace(self, resting=(*self.resting, *boxes))

    def carried_along(self, dice: Sequence[DieReading], by_xy: tuple[float, float]) -> "DieWatcher":
        """Return the watcher after board and picture were moved against each other.

        Args:
            dice: what is seen now.
            by_xy: how far what lies on the board has come in the picture, in pixels. All dice
                have come as far if one is seen there that shows what the last one showed.
        """
        cast = self.cast
        if cast is None:
            return self
        here = [die for die in dice if _same_place(cast.box, die.box)]
        there = [die for die in dice if _same_place(_shifted(cast.box, by_xy), die.box)]
        if here or not any(die.value == cast.value for die in there):
            return self
        return replace(
            self,
            last=_shifted_die(self.last, by_xy),
            resting=tuple(_shifted(box, by_xy) for box in self.resting),
            doubted=_shifted_die(self.doubted, by_xy),
        )

    def _resting_still(self, die: DieReading) -> DieObservation:
        """Return the observation of a die that lies where the last throw lay."""
        last = self.last
        if last is None or die.state is DieState.UNREADABLE or die.value == last.value:
            return DieObservation(DieSign.SAME, die)
        if last.state is DieState.SEVERAL:  # one of them was taken away
            return DieObservation(DieSign.SAME, last)
        if last.value is None and self.known:
            return DieObservation(DieSign.SAME, die)
        # What could not be read, and can now, is the throw that was cast there.
        if last.value is None and die.confidence >= _SURE_NEWCOMER:
            return DieObservation(DieSign.THROWN, die)
        # Another face is told only for sure: one doubtful reading must not undo a throw.
        if die.state is DieState.COCKED or last.value is None or die.confidence >= _SURE_TURN:
            return DieObservation(DieSign.TURNED, die)
        return DieObservation(DieSign.SAME, join_dice((last, die)))


def _surest(dice: list[DieReading]) -> list[DieReading]:
    """Return the dice that surely are some; where none is, the likeliest alone.

    What has no value, or a doubtful one, beside a die may be no die.
    """
    sure = [die for die in dice if die.value is not None and die.confidence >= _SURE_NEWCOMER]
    if sure or not dice:
        return sure
    return [max(dice, key=lambda die: (die.value is not None, die.confidence))]


def join_dice(readings: Sequence[DieReading]) -> DieReading:
    """Return one reading of the same die from those of several frames.

    Log-probabilities are averaged, not added: frames of a still scene share their errors. The most
    frequent state counts; of equally frequent ones the first.

    Raises:
        ValueError: there are no readings.
    """
    if not readings:
        raise ValueError("no readings of a die to join: pass those of one frame at least")
    states = [reading.state for reading in readings]
    state = max(dict.fromkeys(states), key=states.count)
    weights = [
        exp(sum(log(max(r.probabilities[k], _FLOOR)) for r in readings) / len(readings))
        for k in range(6)
    ]
    told = sum(sum(r.probabilities) for r in readings) / len(readings)
    one, two, three, four, five, six = (told * w / sum(weights) for w in weights)
    x, y, wide, high = (sum(r.box[k] for r in readings) / len(readings) for k in range(4))
    return DieReading((x, y, wide, high), (one, two, three, four, five, six), state)


def _same_place(one: Box, other: Box, sides: float = MOVED_SIDES) -> bool:
    side = (max(one[2:]) + max(other[2:])) / 2 / _BOX_SIDES
    return dist(_centre(one), _centre(other)) <= sides * max(side, 1.0)


def _shifted_die(die: DieReading | None, by_xy: tuple[float, float]) -> DieReading | None:
    return None if die is None else replace(die, box=_shifted(die.box, by_xy))


def _shifted(box: Box, by_xy: tuple[float, float]) -> Box:
    return (box[0] + by_xy[0], box[1] + by_xy[1], *box[2:])


def _centre(box: Box) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2
