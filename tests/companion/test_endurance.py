"""A day and a night at the table: who watches for long takes no more memory in the end.

The table's clock goes as fast as its pictures are dealt with. Most of the time nothing happens, as
on any day; every few minutes a hand passes over the board, and the table is looked at anew.
"""

import itertools
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Final

import pytest

from calibration.profile import TableProfile
from companion.calibrating import calibrate_from
from companion.game import Game
from companion.log.journal import Journal
from companion.loop import Inbox, referee_game
from companion.scripts.stage import calibration_scenes
from companion.seeing import Look, TableWatch
from hardware.closing import Closing
from hardware.scene import Hand, PlacedDie, Scene, TimedScene
from hardware.simulated import SimulatedTable
from referee.match import Match
from referee.rules import Rules
from referee.verdict import Verdict
from tests.companion.live import AT, SEATS, started, table_look
from vision.frame import Frame, Picture

HOUR_S: Final = 3600
DAY_S: Final = 24 * HOUR_S
HAND_EVERY_S: Final = 600
HAND_S: Final = 1
AWAKE_S: Final = 8  # after a hand pictures come closely; later one now and then will do
CLOSELY_S: Final = 0.2
SELDOM_S: Final = 1.8
MOST_MB: Final = 4.0
"""What the memory at the end may lie over that after the second hour, of some 200 in all."""

LOOK = table_look(3)
EMPTY, HOMES = calibration_scenes(Random(0), SEATS[4], Rules())
TABLE: Final = replace(HOMES, die=PlacedDie(3, 10.0, 4.0))


class Day(Closing):
    """A source of frames: a day at a table where little happens."""

    name, live = "day", True

    def __init__(self) -> None:
        """Draw the pictures that are shown over and over, each with noise of its own."""
        self._rest = drawn(TABLE)
        self._hand = drawn(replace(TABLE, hand=Hand(4.0, 4.0, 270.0)))
        self.at_s = 0.0
        self.memory_mb: list[float] = []

    def frames(self) -> Iterator[Frame]:
        """Yield the frames of a day, and take note of the memory every hour."""
        for number in itertools.count():
            if self.at_s >= DAY_S:
                return
            if self.at_s >= HOUR_S * (len(self.memory_mb) + 1):
                self.memory_mb.append(resident_mb())
            since_s = self.at_s % HAND_EVERY_S
            kinds = self._hand if since_s < HAND_S else self._rest
            yield Frame(kinds[number % len(kinds)], self.at_s, number)
            self.at_s += CLOSELY_S if since_s < AWAKE_S else SELDOM_S

    def close(self) -> None:
        """Nothing is open."""


def drawn(scene: Scene) -> list[Picture]:
    """Return pictures of a scene at rest."""
    table = SimulatedTable([TimedScene(scene, 2.0)], LOOK, 3, 0, 5)
    return [frame.pixels for frame in table.frames()][-5:]


def profile() -> TableProfile:
    """Return what calibrating the table gives."""
    scenes = [TimedScene(EMPTY, 2.4), TimedScene(HOMES, 2.4)]
    table = SimulatedTable(scenes, LOOK, 3, 0, 5)
    fitted = calibrate_from(table.frames(), SEATS[4], "day", lambda _: None)
    assert isinstance(fitted, TableProfile)
    return fitted


def resident_mb() -> float:
    """Return how much memory this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.proof
def test_a_day_takes_no_more_memory_than_its_second_hour(tmp_path: Path) -> None:
    """What stands wrongly is told once, looks are taken, and what is held does not grow."""
    day, looks = Day(), 0

    def seen(_: Look, __: Verdict, ___: Match) -> None:
        nonlocal looks
        looks += 1

    with Journal.create(tmp_path, started(SEATS[4]), AT) as journal:
        game = Game.start(journal, (), lambda: AT + timedelta(seconds=day.at_s))
        watch = TableWatch(profile().model())
        referee_game(day, watch, game, Inbox(), complain=pytest.fail, seen=seen)
        ruled = [line.event.kind for line in journal.lines]
    assert ruled == ["game_started", "illegal_move"]
    assert looks >= DAY_S // HAND_EVERY_S
    print("memory, MB:", *(round(each, 1) for each in day.memory_mb))
    assert day.memory_mb[-1] - day.memory_mb[1] < MOST_MB, day.memory_mb
