"""The simulated table: a camera over a game that follows a script."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from hardware.closing import Closing
from hardware.scene import Scene, TimedScene
from hardware.simulated.exposure import Exposure
from hardware.simulated.look import TableLook
from hardware.simulated.motion import between
from hardware.simulated.picture import expose, painter_of
from vision.frame import Frame, Picture

DEFAULT_FPS: Final = 10.0

_TICK_S: Final = 1e-6
"""What sums of durations may be off by."""


class SimulatedTable(Closing):
    """A source of frames that shows a script's scenes one after the other.

    Between two scenes things move: a hand comes or goes, the die rolls, checkers are carried. The
    last frames of each scene show it at rest. Frames are timed by the table's own clock, which
    starts at 0. The script is asked for its next scene only when that is to be shown.
    """

    def __init__(
        self,
        script: Iterable[TimedScene],
        look: TableLook,
        seed: int,
        speed: float = 0,
        fps: float = DEFAULT_FPS,
        *,
        name: str = "demo",
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Lay the table.

        Args:
            script: what is shown.
            look: how it looks.
            seed: of the noise and of how things move.
            speed: how many seconds of the table's clock pass in one of *clock*; 0 plays as fast as
                frames are fetched and leaves none out.
            fps: frames a second of the table's clock.
            name: what the source is called.
            clock: what paces a speed other than 0, in seconds.
            sleep: how to wait, in seconds.

        Raises:
            ValueError: the speed is negative or the rate of frames is none.
        """
        if speed < 0 or not math.isfinite(speed):
            raise ValueError(f"the speed is 0 or more, not {speed}")
        if not (fps > 0 and math.isfinite(fps)):
            raise ValueError(f"the frames a second are more than 0, not {fps}")
        self.look = look
        self.scene: TimedScene | None = None
        """The scene being shown; None before the first."""
        self._before = Scene()
        self._resting: Picture | None = None
        self._exposure = Exposure()
        self._scene_starts_s = 0.0
        self._script = iter(script)
        self._rng = np.random.default_rng((seed, 3))
        self._speed, self._fps, self._name = speed, fps, name
        self._clock, self._sleep = clock, sleep
        self._closed = False
        self._number = 0

    @property
    def name(self) -> str:
        """What the source is called."""
        return self._name

    @property
    def live(self) -> bool:
        """Whether the table goes on without us: it does at any speed but 0."""
        return self._speed > 0

    def frames(self) -> Iterator[Frame]:
        """Yield the frames until the script ends; going on where an earlier loop stopped."""
        started_s = self._clock()
        first = self._number
        while not self._closed:
            if self.live:
                passed = (self._clock() - started_s) * self._speed * self._fps
                self._number = max(self._number, first + int(passed))
                early = first + passed - self._number
                if early < 0:
                    self._sleep(-early / self._fps / self._speed)
            at_s = self._number / self._fps
            if not self._turn_to(at_s):
                return
            pixels = self._picture(at_s)
            self._number += 1
            yield Frame(pixels, at_s=at_s, number=self._number - 1, name=self._name)

    def close(self) -> None:
        """Show no more frames."""
        self._closed = True

    def _turn_to(self, at_s: float) -> bool:
        """Go on to the scene of a moment; tell whether there is one."""
        while self.scene is None or at_s > self._scene_starts_s + self.scene.lasts_s - _TICK_S:
            following = next(self._script, None)
            if following is None:
                return False
            if self.scene is None:
                # The first scene does not begin with a move: it lies there.
                self._before = following.scene
            else:
                self._before = self.scene.scene
                self._scene_starts_s += self.scene.lasts_s
            self.scene, self._resting = following, None
        return True

    def _picture(self, at_s: float) -> Picture:
        assert self.scene is not None
        timed = self.scene
        # A short scene still ends at rest.
        motion_s = min(timed.moving_s, timed.lasts_s / 2)
        share = (at_s - self._scene_starts_s) / motion_s
        if share < 1 and self._before != timed.scene:
            moment = between(self._before, timed.scene, max(share, 0), slid=timed.slid)
            steady = self._before.brightness == timed.scene.brightness
            return self._exposed(self._painted(moment, steady=steady), at_s)
        if self._resting is None:
            self._resting = self._painted(timed.scene, steady=True)
        return self._exposed(self._resting, at_s)

    def _painted(self, scene: Scene, *, steady: bool) -> Picture:
        """Return a picture of *scene* as the camera exposes it now.

        In a light that is not *steady* it is painted as in the usual one, and darkened: how much
        burns out while it changes nobody looks at.
        """
        light = scene.brightness if steady else 1.0
        look = self._exposure.exposing(self.look, light)
        painter = painter_of(look, scene.room)
        return painter.paint(replace(scene, brightness=scene.brightness / light))

    def _exposed(self, picture: Picture, at_s: float) -> Picture:
        if self.look.camera.adapts_s:
            before, adapts_s = self._exposure.exposed, self.look.camera.adapts_s
            picture, self._exposure = self._exposure.take(picture, at_s, adapts_s)
            if self._exposure.exposed is not before:
                self._resting = None
        return expose(picture, self.look, self._rng)
