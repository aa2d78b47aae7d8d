"""How a simulated table looks, chosen by one number."""

import math
from dataclasses import dataclass
from typing import Final, Self, TypeVar

import numpy as np

from hardware.simulated.parts import (
    Bgr,
    BoardLook,
    CameraLook,
    CheckerLook,
    DieLook,
    LightLook,
    Relief,
    TableTopLook,
    Texture,
)
from tabletop import Colour

_Choice = TypeVar("_Choice")


@dataclass(frozen=True, slots=True)
class TableLook:
    """How a simulated table looks, all of it following from one number.

    Attributes:
        seed: the number; grain and noise of the surfaces follow from it too.
        board: the board.
        table: what it lies on.
        checkers: the checkers.
        die: the die.
        light: the light.
        camera: the camera.
    """

    seed: int
    board: BoardLook
    table: TableTopLook
    checkers: CheckerLook
    die: DieLook
    light: LightLook
    camera: CameraLook

    @classmethod
    def from_seed(cls, seed: int, size_wh: tuple[int, int] = (1280, 960)) -> Self:
        """Choose a table by *seed*; the camera takes pictures of *size_wh* pixels."""
        rng = np.random.default_rng(seed)
        return cls(
            seed=seed,
            board=_board(rng),
            table=_table(rng),
            checkers=_checkers(rng),
            die=_die(rng),
            light=_light(rng),
            camera=_camera(rng, size_wh),
        )


# Light square, dark square, border, texture: as boards are sold.
_BOARDS: Final[tuple[tuple[Bgr, Bgr, Bgr, Texture], ...]] = (
    ((150, 196, 228), (52, 84, 138), (40, 62, 104), Texture.WOOD),
    ((172, 208, 232), (44, 58, 86), (36, 46, 70), Texture.WOOD),
    ((140, 186, 220), (60, 76, 112), (150, 190, 220), Texture.WOOD),
    ((206, 230, 238), (70, 112, 62), (206, 230, 238), Texture.VINYL),
    ((214, 232, 236), (48, 66, 110), (186, 214, 226), Texture.VINYL),
    ((226, 232, 232), (118, 92, 64), (226, 232, 232), Texture.VINYL),
    ((232, 236, 236), (44, 42, 42), (228, 232, 232), Texture.PRINT),
    ((196, 214, 222), (96, 92, 90), (70, 66, 64), Texture.PRINT),
)

# First and second colour of a table top, texture.
_TABLES: Final[tuple[tuple[Bgr, Bgr, Texture], ...]] = (
    ((92, 136, 178), (62, 98, 140), Texture.WOOD),
    ((56, 74, 104), (40, 52, 76), Texture.WOOD),
    ((150, 178, 200), (120, 148, 172), Texture.WOOD),
    ((128, 126, 124), (112, 110, 108), Texture.PRINT),
    ((196, 200, 202), (180, 184, 186), Texture.PRINT),
    ((74, 96, 60), (64, 84, 52), Texture.CLOTH),
    ((96, 70, 58), (84, 60, 50), Texture.CLOTH),
    ((226, 228, 230), (110, 128, 80), Texture.CHECK),
    ((222, 226, 228), (150, 110, 86), Texture.CHECK),
    ((74, 72, 70), (104, 102, 100), Texture.STONE),
    ((196, 198, 200), (150, 152, 156), Texture.STONE),
)

_CHECKER_COLOURS: Final[tuple[tuple[Colour, Bgr], ...]] = (
    (Colour.RED, (44, 36, 190)),
    (Colour.ORANGE, (28, 112, 226)),
    (Colour.YELLOW, (46, 190, 234)),
    (Colour.GREEN, (66, 124, 30)),
    (Colour.BLUE, (168, 72, 32)),
    (Colour.PURPLE, (128, 48, 100)),
    (Colour.WHITE, (214, 228, 234)),
    (Colour.BLACK, (38, 36, 36)),
    (Colour.BROWN, (52, 88, 142)),
)

_DICE: Final[tuple[tuple[Bgr, Bgr], ...]] = (
    ((222, 232, 236), (30, 28, 28)),
    ((222, 232, 236), (30, 28, 28)),
    ((190, 216, 230), (26, 30, 40)),
    ((40, 34, 178), (232, 236, 238)),
    ((36, 34, 34), (228, 232, 234)),
    ((150, 70, 30), (232, 236, 238)),
)


def _board(rng: np.random.Generator) -> BoardLook:
    light, dark, border, texture = _one_of(rng, _BOARDS)
    wooden = texture is Texture.WOOD
    return BoardLook(
        light=_varied(rng, light, 6),
        dark=_varied(rng, dark, 6),
        border=_varied(rng, border, 4),
        texture=texture,
        border_width=float(rng.uniform(0.35, 0.62)),
        thickness=float(rng.uniform(0.18, 0.32) if wooden else rng.uniform(0.02, 0.06)),
        line_width=float(rng.choice((0.0, 0.03, 0.05))),
        ruled=bool(rng.random() < 0.25),
        coordinates=bool(rng.random() < 0.75),
        gloss=float(rng.uniform(0.05, 0.3) if wooden else rng.uniform(0.0, 0.15)),
    )


def _table(rng: np.random.Generator) -> TableTopLook:
    colour, second, texture = _one_of(rng, _TABLES)
    return TableTopLook(
        texture=texture,
        colour=_varied(rng, colour, 8),
        second=_varied(rng, second, 8),
        scale=float(rng.uniform(0.8, 1.3)),
        turn_deg=float(rng.uniform(0, 180)),
        tray_sides=int(rng.choice((0, 4, 8, 48))),
        tray_wall=_varied(rng, _one_of(rng, ((44, 64, 104), (40, 38, 38), (70, 104, 150))), 6),
        tray_floor=_varied(rng, _one_of(rng, ((56, 84, 40), (44, 36, 110), (88, 58, 40))), 6),
    )


def _checkers(rng: np.random.Generator) -> CheckerLook:
    return CheckerLook(
        radius=float(rng.uniform(0.34, 0.41)),
        thickness=float(rng.uniform(0.15, 0.24)),
        relief=_one_of(rng, tuple(Relief)),
        gloss=float(rng.uniform(0.15, 0.8)),
        colours=tuple((colour, _varied(rng, bgr, 9)) for colour, bgr in _CHECKER_COLOURS),
    )


def _die(rng: np.random.Generator) -> DieLook:
    body, pips = _one_of(rng, _DICE)
    return DieLook(
        size=float(rng.uniform(0.4, 0.48)),
        rounding=float(rng.uniform(0.1, 0.2)),
        body=_varied(rng, body, 5),
        pips=pips,
        pip_radius=float(rng.uniform(0.088, 0.108)),
        gloss=float(rng.uniform(0.2, 0.7)),
    )


def _light(rng: np.random.Generator) -> LightLook:
    bearing, reach = rng.uniform(0, math.tau), rng.uniform(3, 11)
    warmth = float(rng.uniform(-0.05, 0.1))
    return LightLook(
        place=(
            float(4 + reach * math.cos(bearing)),
            float(4 + reach * math.sin(bearing)),
            float(rng.uniform(11, 18)),
        ),
        ambient=float(rng.uniform(0.4, 0.65)),
        cast=(1 - warmth, 1.0, 1 + warmth / 2),
        softness=float(rng.uniform(0.03, 0.1)),
        exposure=float(rng.uniform(0.85, 1.15)),
    )


def _camera(rng: np.random.Generator, size_wh: tuple[int, int]) -> CameraLook:
    return CameraLook(
        size_wh=size_wh,
        view_deg=float(rng.uniform(58, 68)),  # Pi cameras 2 and 3: 62 and 66
        tilt_deg=float(rng.uniform(0, 38)),
        from_deg=float(rng.choice((270, 270, 0, 90, 180)) + rng.normal(0, 4)),
        roll_deg=float(rng.normal(0, 2)),
        distortion=float(rng.uniform(-0.05, 0.01)),
        blur_px=float(rng.uniform(0.55, 0.9)),
        noise=float(rng.uniform(1.0, 3.0)),
        vignette=float(rng.uniform(0.05, 0.25)),
    )


def _one_of(rng: np.random.Generator, choices: tuple[_Choice, ...]) -> _Choice:
    return choices[int(rng.integers(len(choices)))]


def _varied(rng: np.random.Generator, bgr: Bgr, spread: float) -> Bgr:
    """Shift a colour, each channel a little and all together a little more."""
    together = rng.normal(0, spread)
    blue, green, red = (
        float(np.clip(c + together + rng.normal(0, spread / 2), 8, 245)) for c in bgr
    )
    return blue, green, red
