"""Pictures of simulated tables for calibration: small, and the same at every run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration import TableProfile, fit_table
from calibration.orientation import HOMES
from hardware.scene import PlacedChecker, Scene
from hardware.simulated.look import TableLook
from hardware.simulated.picture import render
from tabletop import SEATS, Colour, Seat
from vision.frame import Frame, Picture

SIZE_WH = (800, 600)
TWO = {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}
FOUR = {
    Seat.D4: Colour.RED,
    Seat.D3: Colour.GREEN,
    Seat.D2: Colour.BLUE,
    Seat.D1: Colour.YELLOW,
}


@dataclass(frozen=True)
class SimulatedPair:
    """The two pictures of a calibration, and how to take more of the same table."""

    look: TableLook
    empty: Frame
    homes: Frame

    def frame(self, *checkers: PlacedChecker, scene: Scene | None = None, noise: int = 7) -> Frame:
        """Return a still picture of *checkers*, or of a whole *scene*."""
        shown = Scene(checkers) if scene is None else scene
        return Frame(picture(shown, self.look, noise), still=True)


def picture(scene: Scene, look: TableLook, noise: int) -> Picture:
    """Return a picture of *scene* with the noise that its number stands for."""
    return render(scene, look, np.random.default_rng(noise))


def at_home(
    seats: Mapping[Seat, Colour], rotation: int = 0, without: tuple[tuple[int, int], ...] = ()
) -> tuple[PlacedChecker, ...]:
    """Return every player's checkers on his own home, but for the squares *without*."""
    return tuple(
        PlacedChecker(colour, file + 0.5, rank + 0.5)
        for seat, colour in seats.items()
        for file, rank in HOMES[(SEATS.index(seat) + rotation) % 4]
        if (file, rank) not in without
    )


@lru_cache(maxsize=8)
def look_of(seed: int) -> TableLook:
    """Return a simulated table with a small camera."""
    return TableLook.from_seed(seed, SIZE_WH)


def pair(
    seed: int,
    seats: Mapping[Seat, Colour],
    rotation: int = 0,
    without: tuple[tuple[int, int], ...] = (),
    extra: tuple[PlacedChecker, ...] = (),
) -> SimulatedPair:
    """Return the two pictures of the simulated table *seed*, where *seats* play."""
    look = look_of(seed)
    homes = Scene((*at_home(seats, rotation, without), *extra))
    return SimulatedPair(look, Frame(picture(Scene(), look, 1)), Frame(picture(homes, look, 2)))


@lru_cache(maxsize=4)
def calibrated(seed: int, four: bool = False) -> tuple[SimulatedPair, TableProfile]:
    """Return a simulated table with two players, or four, and its profile."""
    seats = FOUR if four else TWO
    pictures = pair(seed, seats)
    profile = fit_table(pictures.empty, pictures.homes, seats)
    assert isinstance(profile, TableProfile)
    return pictures, profile


def changed(frame: Frame, pixels: NDArray[Any]) -> Frame:
    """Return *frame* with other pixels."""
    return replace(frame, pixels=np.ascontiguousarray(pixels, dtype=np.uint8))
