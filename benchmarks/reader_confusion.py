"""How often the reader errs on a live table: the measured rates in docs/noise.md.

Games and casts of the die are drawn, watched as a camera watches them, and every look is compared
with what was drawn. Folders with pictures of a game, its calibration and labels may be read
instead, each picture by itself.

python -m benchmarks.reader_confusion [TABLES] [FIRST_SEED]
python -m benchmarks.reader_confusion FOLDER...
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from pathlib import Path
from random import Random
from typing import TypeAlias

from calibration.profile import TableProfile
from companion.calibrating import calibrate_from
from companion.loop import Inbox
from companion.pictures import load_frame
from companion.scripts.happenings import HAND_S, REST_S
from companion.scripts.script import GameScript, write_game
from companion.scripts.stage import Stage, calibration_scenes
from companion.scripts.style import LIVELY
from companion.seeing import Look
from hardware.scene import Scene, TimedScene
from hardware.sources import open_source
from referee.events import By
from referee.match import Match
from referee.rules import Rules
from referee.verdict import Ruling, Verdict
from tabletop import (
    EMPTY,
    SQUARES,
    Colour,
    Contents,
    DieReading,
    DieSign,
    DieState,
    Seat,
    Square,
    SquareReading,
    contents,
    parse_seats,
    parse_square,
)
from tests.companion.live import SEATS, kept_in_view, play, table_look
from vision.reader import read_table

Seen: TypeAlias = Sequence[SquareReading]

TABLES, FIRST_SEED = 10, 2001
CASTS = 40
SURE = 0.9
POSSIBLE = 0.1
SURELY_LEANS = 0.69


@dataclass
class Confusion:
    """What was read of what was drawn.

    Attributes:
        counts: how often what was read of squares and dice.
        confidences: how sure right readings of occupied squares were.
    """

    counts: Counter[str] = field(default_factory=Counter)
    confidences: list[float] = field(default_factory=list)

    def add_squares(self, squares: Seen, stands: dict[Square, Contents]) -> None:
        """Count what is said of all squares."""
        for at in SQUARES:
            seen, there = squares[at], stands.get(at, EMPTY)
            kind = "occupied" if there else "empty"
            if seen.hidden:
                self.counts[f"{kind} hidden"] += 1
                continue
            self.counts[kind] += 1
            if seen.best == there:
                if there:
                    self.confidences.append(seen.confidence)
            else:
                self.counts[f"{kind} misread"] += 1
                self.counts[f"{kind} surely misread"] += seen.confidence >= SURE

    def add_changes(
        self, look: Look, stands: dict[Square, Contents], stood: dict[Square, Contents]
    ) -> None:
        """Count what a look says of whether squares look changed."""
        for at in SQUARES:
            changed = look.observation.square(at).changed
            if changed is not None:
                self.counts["change told"] += 1
                truth = stands.get(at, EMPTY) != stood.get(at, EMPTY)
                self.counts["change told wrongly"] += (changed >= 0.5) != truth

    def add_die(self, die: DieReading | None, value: int) -> None:
        """Count what is read of a die that lies flat."""
        self.counts["dice"] += 1
        self.counts[_told_of(die, value)] += 1


def main() -> None:
    """Watch a game and many casts at each table, and print what was misread."""
    confusion = Confusion()
    given = sys.argv[1:]
    if given and not given[0].isdecimal():
        for folder in given:
            read_pictures(Path(folder), confusion)
    else:
        tables, first, *_ = (*map(int, given), *(TABLES, FIRST_SEED)[len(given) :])
        for seed in range(first, first + tables):
            watch(a_game(seed), seed, confusion)
            watch(casts(seed), seed, confusion)
            print(f"table {seed}: {dict(confusion.counts)}", file=sys.stderr, flush=True)
    for name, count in sorted(confusion.counts.items()):
        print(f"{name:28} {count}")
    sure = sorted(confusion.confidences)
    for share in (0.01, 0.1, 0.5):
        print(f"{share:.0%} of right ones less sure than {sure[int(share * len(sure))]:.3f}")


def a_game(seed: int) -> GameScript:
    """Return a late game in which something happens all the time."""
    style = replace(LIVELY, cocked=0.0)
    return write_game(seed, SEATS[2 + seed % 3], style=style, late=True)


def casts(seed: int) -> GameScript:
    """Return the script of people who only cast the die, which always lies flat."""
    rng, seats = Random(seed), SEATS[2 + seed % 3]
    stage = Stage(rng, seats, Rules())
    scenes = [TimedScene(stage.scene(), REST_S)]
    for _ in range(CASTS):
        stage.lift_die()
        scenes.append(TimedScene(stage.scene(stage.hand_at_die(Seat.D4)), HAND_S))
        stage.throw(rng.randint(1, 6))
        scenes.append(TimedScene(stage.scene(), REST_S))
    empty, homes = calibration_scenes(Random(seed), seats, Rules())
    return GameScript((TimedScene(empty, REST_S), TimedScene(homes, REST_S)), tuple(scenes), ())


def watch(script: GameScript, seed: int, confusion: Confusion) -> None:
    """Let a script be watched, and count what is read."""
    seats = SEATS[2 + seed % 3]
    look = table_look(seed, adapts_s=0.8 if seed % 2 else 0.0)
    shown = _Shown(kept_in_view(script, look))
    stood: dict[Square, Contents] | None = None
    counted = 0

    def seen(one: Look, verdict: Verdict, _: Match) -> None:
        nonlocal stood, counted
        scene, cast = shown.scene, shown.cast
        if verdict.ruling is Ruling.OBSCURED or scene.hand is not None:
            return
        stands = _standing(scene)
        confusion.add_squares(one.observation.squares, stands)
        if stood is not None:
            confusion.add_changes(one, stands, stood)
        if cast != counted and scene.die is not None:
            counted = cast
            cast_now = one.observation.die
            thrown = cast_now is not None and cast_now.sign is DieSign.THROWN
            confusion.add_die(cast_now.reading if cast_now and thrown else None, scene.die.value)
        if verdict.accepted:
            stood = stands

    play(shown.script, look, seats, scenes=shown.scenes(), inbox=shown.inbox, seen=seen)


def read_pictures(folder: Path, confusion: Confusion) -> None:
    """Read the pictures of a game that was played before a camera, each by itself."""
    seats = dict(parse_seats(json.loads((folder / "game.json").read_text())["seats"]))
    source = open_source(f"stills:{folder / 'calibration'}")
    fitted = calibrate_from(source.frames(), seats, folder.name, lambda _: None)
    assert isinstance(fitted, TableProfile), fitted
    table = fitted.model()
    for label in json.loads((folder / "states.json").read_text())["frames"]:
        if label["hand"]:
            continue
        reading, _ = read_table(load_frame(str(folder / "frames" / label["image"])), table)
        stands = {
            parse_square(name): contents(*map(Colour, colours))
            for name, colours in label["squares"].items()
        }
        confusion.add_squares(reading.squares, stands)
        if label["die"] and label["why"] != "cocked die":
            confusion.add_die(next(iter(reading.dice), None), label["die"])


class _Shown:
    """What is shown at the moment, and which cast it is."""

    def __init__(self, script: GameScript) -> None:
        self.inbox = Inbox()
        self.scene = script.scenes[0].scene
        self.cast = 0
        self.script = script
        self._lay: tuple[float, float] | None = None

    def scenes(self) -> Iterator[TimedScene]:
        """Yield the script's scenes, with what people say before each."""
        for number, timed in enumerate(self.script.scenes):
            for at, command in self.script.commands:
                if at == number:
                    self.inbox.put(command, By.COMMAND)
            self.scene = timed.scene
            die = timed.scene.die
            if die is not None and (die.x, die.y) != self._lay:
                self._lay, self.cast = (die.x, die.y), self.cast + 1
            yield timed


def _standing(scene: Scene) -> dict[Square, Contents]:
    """Return what stands on each occupied square of a drawn scene."""
    found: dict[Square, Contents] = {}
    for one in scene.checkers:
        if 0 <= one.x < 8 and 0 <= one.y < 8:
            at = 8 * floor(one.y) + floor(one.x)
            found[at] = contents(*found.get(at, EMPTY), one.colour)
    return found


def _told_of(die: DieReading | None, value: int) -> str:
    """Return what was read of a die that lies flat with *value* up."""
    if die is None:
        return "dice not seen"
    if die.state is DieState.COCKED:
        return "dice surely lean" if die.cocked >= SURELY_LEANS else "dice perhaps lean"
    if die.state is DieState.UNREADABLE:
        return "dice unclear"
    if die.value != value:
        return "dice surely misread" if die.confidence >= SURE else "dice misread"
    others = sorted(die.probabilities)[-2]
    return "dice doubtful" if others >= POSSIBLE else "dice right"


if __name__ == "__main__":
    main()
