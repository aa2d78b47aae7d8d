"""Glances at the die while hands are busy: what was cast, played and picked up again in haste.

A look needs a table at rest. Quick players cast, move and cast again before it is: of the first
cast only glances tell, taken while it lay and somebody's hand moved a checker.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from tabletop import BoardLocation, Box, DieReading, DieState
from vision.dice import read_dice
from vision.frame import Frame, Picture
from vision.furniture import lies_untouched
from vision.newcomers import Changes, see_changes
from vision.table import TableModel
from vision.throws import DieWatcher

GLANCE_S: Final = 0.4
"""So often the die is looked for while things move."""
HARDLY_S: Final = 0.01
"""Frames come in steps of hundredths of a second and more."""
APART_S: Final = 0.15
"""What looks alike so much later lies still; a die that rolls, or is shaken, does not."""
REMEMBERED: Final = 8
"""So many frames before are compared with."""
SURE: Final = 0.95
"""A value less sure than this is not taken from a glance."""
FREE: Final = 14.0
"""Grey levels by which a die's surroundings differ from the empty table where no hand is at it."""
SURROUNDINGS: Final = 0.6
"""How far around a die they reach, in sizes of its box."""

AT_HAND: Final = 0.01
"""Which share of them a hand may be: whose fingertips are as near may hold the die."""


class DieGlances:
    """Follows the die of a table on which things move; owned by who watches it."""

    def __init__(self, table: TableModel) -> None:
        self._table: Final = table
        self._next_s = 0.0
        self._before: deque[Frame] = deque(maxlen=REMEMBERED)

    def rest(self) -> None:
        """Forget the frames before: the table came to rest, and is looked at."""
        self._before.clear()

    def due(self, frame: Frame) -> bool:
        """Tell whether it is time for a glance."""
        return frame.at_s >= self._next_s - HARDLY_S

    def pass_by(self, frame: Frame) -> None:
        """Remember *frame*: the die of a later one may have lain so already."""
        if not self._before or frame.at_s - self._before[-1].at_s >= APART_S - HARDLY_S:
            self._before.append(frame)

    def step(self, frame: Frame, location: BoardLocation, watcher: DieWatcher) -> DieWatcher:
        """Return the watcher after *frame*, which may have shown a cast that lay still."""
        self._next_s = frame.at_s + GLANCE_S
        changes = see_changes(frame.pixels, self._table)
        dice = read_dice(frame.pixels, location, self._table, changes)
        dice = tuple(d for d in dice if not is_held(d.box, changes))
        before = [then for then in self._before if frame.at_s - then.at_s >= APART_S - HARDLY_S]
        lying = tuple(die for die in dice if self._lies(die, frame, before))
        return watcher.glimpsed(lying)

    def _lies(self, die: DieReading, frame: Frame, before: Sequence[Frame]) -> bool:
        """Tell whether a die lies as it lay in a frame before, and no hand is at it.

        In the last one an arm may have passed over it.
        """
        if die.state is not DieState.SETTLED or die.confidence < SURE:
            return False
        if not any(lies_untouched(frame.pixels, then.pixels, die.box) for then in before):
            return False
        return _free_around(frame.pixels, self._table.reference, die.box)


def is_held(box: Box, changes: Changes) -> bool:
    """Tell whether a hand is so near to *box* that it may hold the die there."""
    return changes.in_a_hand(box, SURROUNDINGS, AT_HAND)


def _free_around(pixels: Picture, reference: Picture, box: Box) -> bool:
    """Tell whether around *box* the table shows as it does in *reference*, the light aside."""
    height, width = pixels.shape[:2]
    x, y, wide, high = box
    left, top = max(int(x - SURROUNDINGS * wide), 0), max(int(y - SURROUNDINGS * high), 0)
    right = min(int(x + (1 + SURROUNDINGS) * wide) + 1, width)
    bottom = min(int(y + (1 + SURROUNDINGS) * high) + 1, height)
    now, empty = (
        np.asarray(cv2.cvtColor(one[top:bottom, left:right], cv2.COLOR_BGR2GRAY), np.float32)
        for one in (pixels, reference)
    )
    around = np.ones(now.shape, dtype=np.bool_)
    around[
        max(int(y) - 1 - top, 0) : int(y + high) + 2 - top,
        max(int(x) - 1 - left, 0) : int(x + wide) + 2 - left,
    ] = False
    if not around.any():
        return False
    seen, known = now[around] + 8.0, empty[around] + 8.0
    gain = float(np.median(seen / known))
    return float(np.median(np.abs(seen - gain * known))) <= FREE
