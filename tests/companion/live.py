"""Live games on the simulated table, from pixels to the log, for tests and measurements."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from calibration.profile import TableProfile
from companion.calibrating import calibrate_from
from companion.game import Game, Listener
from companion.log.journal import Journal
from companion.loop import REMIND_S, Complaint, Inbox, Seen, referee_game
from companion.scripts.script import GameScript
from companion.seeing import TableWatch
from hardware.scene import CameraKnock, PlacedDie, Scene, TimedScene
from hardware.simulated import SimulatedTable, TableLook
from hardware.simulated.camera import hang, knocked
from referee.events import By, Event, GameStarted
from tabletop import Colour, Seat
from vision.frame import Frame

SIZE_WH = (640, 480)
FPS = 5
MOST_GLOSS = 0.2
AT = datetime(2026, 11, 30, 18, tzinfo=UTC)
SEATS = {
    2: {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE},
    3: {Seat.D4: Colour.RED, Seat.D3: Colour.GREEN, Seat.D2: Colour.BLUE},
    4: {
        Seat.D4: Colour.RED,
        Seat.D3: Colour.GREEN,
        Seat.D2: Colour.BLUE,
        Seat.D1: Colour.YELLOW,
    },
}


@dataclass(frozen=True, slots=True)
class Ruled:
    """An event, and when it was logged, in seconds of the table's clock."""

    event: Event
    at_s: float


def started(seats: dict[Seat, Colour]) -> GameStarted:
    """Return the start of the games that are played here."""
    return GameStarted(tuple(seats.items()), (), (), 10, 1, "points", "", "")


def table_look(seed: int, *, adapts_s: float = 0.0) -> TableLook:
    """Return a table seen in small pictures, by a camera that may follow the light.

    Board and checkers are rather matt: how a lamp's reflection on them is read is measured with
    single pictures.
    """
    look = TableLook.from_seed(seed, SIZE_WH)
    return replace(
        look,
        board=replace(look.board, gloss=min(look.board.gloss, MOST_GLOSS)),
        checkers=replace(look.checkers, gloss=min(look.checkers.gloss, MOST_GLOSS)),
        camera=replace(look.camera, adapts_s=adapts_s),
    )


def kept_in_view(script: GameScript, look: TableLook) -> GameScript:
    """Return *script* with its camera knocked so that the die stays in the picture.

    A die that leaves it is none, and asked for again.
    """
    kept: dict[CameraKnock, CameraKnock] = {}
    for knock in dict.fromkeys(one.scene.room.camera for one in script.scenes):
        seen = [one.scene for one in script.scenes if one.scene.room.camera == knock]
        dice = [scene.die for scene in seen if scene.die is not None]
        others = (_scaled(knock, *way) for way in product((1.0, 0.7, 0.4), *((1, -1),) * 3))
        kept[knock] = next((one for one in others if _shows_dice(look, one, dice)), knock)
    scenes = tuple(replace(one, scene=_knocked(one.scene, kept)) for one in script.scenes)
    return replace(script, scenes=scenes)


def play(
    script: GameScript,
    look: TableLook,
    seats: dict[Seat, Colour],
    *,
    scenes: Iterable[TimedScene] | None = None,
    inbox: Inbox | None = None,
    listeners: Sequence[Listener] = (),
    complain: Complaint | None = None,
    seen: Seen | None = None,
    settle_s: float = 1.0,
    fps: float = FPS,
    remind_s: float = REMIND_S,
) -> list[Ruled]:
    """Let the referee watch *script*, and return what he ruled of its scenes.

    Other *scenes* may be shown instead, and people may be heard, and put what they say in *inbox*.
    """
    profile = _profile(script.calibration, look, tuple(seats.items()))
    inbox = inbox or Inbox()
    shown = _said(script, inbox) if scenes is None else scenes
    source = SimulatedTable(shown, look, look.seed, 0, fps)
    clock = _Clock(source)
    folder = Path(tempfile.mkdtemp())
    try:
        with Journal.create(folder, started(seats), AT) as journal:
            for event in script.setting:
                journal.append(event, AT)
            game = Game.resume(journal, listeners, clock.now)
            first = len(journal.lines)
            watch = TableWatch(profile.model(), settle_s=settle_s)
            referee_game(
                clock,
                watch,
                game,
                inbox,
                complain=complain or _refuse,
                seen=seen,
                remind_s=remind_s,
            )
            lines = journal.lines[first:]
    finally:
        shutil.rmtree(folder)
    return [Ruled(line.event, (line.at - AT).total_seconds()) for line in lines]


def told(event: Event) -> tuple[str, dict[str, object]]:
    """Return what must agree of two events: all but how sure a throw is."""
    fields = {
        name: value for name in type(event).__slots__ if (value := getattr(event, name)) is not None
    }
    fields.pop("confidence", None)
    return event.kind, fields


def _scaled(knock: CameraKnock, share: float, *ways: int) -> CameraKnock:
    pan, tilt, roll = (share * way for way in ways)
    return CameraKnock(pan * knock.pan_deg, tilt * knock.tilt_deg, roll * knock.roll_deg)


def _knocked(scene: Scene, kept: Mapping[CameraKnock, CameraKnock]) -> Scene:
    return replace(scene, room=replace(scene.room, camera=kept[scene.room.camera]))


def _shows_dice(look: TableLook, knock: CameraKnock, dice: Iterable[PlacedDie]) -> bool:
    """Tell whether all of each of *dice* is in the picture of a camera that was knocked."""
    size, reach = look.die.size, look.die.size / 2**0.5
    camera = knocked(hang(look.camera), knock)
    for die in dice:
        box = [
            (die.x + a, die.y + b, h)
            for a in (-reach, reach)
            for b in (-reach, reach)
            for h in (0, size)
        ]
        seen = camera.project(np.array(box))
        if not np.all((seen >= 0) & (seen <= np.array(look.camera.size_wh) - 1)):
            return False
    return True


class _Clock:
    """A source that tells the time of its last frame as the time of day."""

    def __init__(self, source: SimulatedTable) -> None:
        self._source = source
        self._at_s = 0.0
        self.name, self.live = source.name, source.live

    def now(self) -> datetime:
        """Return when the last frame was taken."""
        return AT + timedelta(seconds=self._at_s)

    def frames(self) -> Iterator[Frame]:
        """Yield the frames."""
        for frame in self._source.frames():
            self._at_s = frame.at_s
            yield frame

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> "_Clock":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@lru_cache(maxsize=2)
def _profile(
    calibration: tuple[TimedScene, ...], look: TableLook, seats: tuple[tuple[Seat, Colour], ...]
) -> TableProfile:
    table = SimulatedTable(calibration, look, look.seed)
    profile = calibrate_from(table.frames(), dict(seats), "demo", lambda _: None)
    assert isinstance(profile, TableProfile), profile
    return profile


def _said(script: GameScript, inbox: Inbox) -> Iterator[TimedScene]:
    """Yield the scenes of *script*; what people say is in the inbox when its scene begins."""
    for number, timed in enumerate(script.scenes):
        for at, command in script.commands:
            if at == number:
                inbox.put(command, By.COMMAND)
        yield timed


def _refuse(why: str) -> None:
    raise AssertionError(f"a command was refused: {why}")
