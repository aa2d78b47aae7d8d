"""What a simulated table's look is made up of: board, table top, checkers, die, light, camera."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from hardware.scene import Lamp
from tabletop import Colour

Bgr: TypeAlias = tuple[float, float, float]
"""A colour as a screen shows it: blue, green, red from 0 to 255."""


class Texture(StrEnum):
    """What a surface is made of."""

    WOOD = "wood"
    VINYL = "vinyl"
    PRINT = "print"
    CLOTH = "cloth"
    CHECK = "check"
    STONE = "stone"


class Relief(StrEnum):
    """What the top of a checker is shaped like."""

    RINGS = "rings"
    DISHED = "dished"
    RIM = "rim"
    FLAT = "flat"


@dataclass(frozen=True, slots=True)
class BoardLook:
    """The board.

    Attributes:
        light: colour of the light squares.
        dark: colour of the dark squares.
        border: colour of the border round the 64 squares.
        texture: what it is made of.
        border_width: how wide the border is, in squares.
        thickness: how high its top lies above the table, in squares.
        line_width: of the line round the 64 squares, in squares; 0 for none.
        ruled: whether lines run between the squares too.
        coordinates: whether letters and numbers stand on the border.
        gloss: how much it mirrors the lamp, from 0.
    """

    light: Bgr
    dark: Bgr
    border: Bgr
    texture: Texture
    border_width: float
    thickness: float
    line_width: float
    ruled: bool
    coordinates: bool
    gloss: float


@dataclass(frozen=True, slots=True)
class TableTopLook:
    """What the board lies on, and the tray the die is thrown into."""

    texture: Texture
    colour: Bgr
    second: Bgr
    scale: float
    turn_deg: float
    tray_sides: int
    tray_wall: Bgr
    tray_floor: Bgr


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """The checkers; lengths in squares."""

    radius: float
    thickness: float
    relief: Relief
    gloss: float
    colours: tuple[tuple[Colour, Bgr], ...]

    def colour(self, of: Colour) -> Bgr:
        """Return what a checker called *of* looks like."""
        return dict(self.colours)[of]


@dataclass(frozen=True, slots=True)
class DieLook:
    """The die.

    Attributes:
        size: its edge, in squares.
        rounding: the radius of its edges, as a share of the edge.
        body: its colour.
        pips: the colour of its pips.
        pip_radius: as a share of the edge.
        gloss: how much it mirrors the lamp, from 0.
    """

    size: float
    rounding: float
    body: Bgr
    pips: Bgr
    pip_radius: float
    gloss: float


@dataclass(frozen=True, slots=True)
class LightLook:
    """The lamp and the light that comes from all round.

    Attributes:
        place: of the lamp over the board, in squares.
        ambient: the share of the light that comes from all round.
        cast: factors for blue, green and red.
        softness: how far a shadow's edge is blurred, in squares.
        exposure: how bright the picture is, 1 being usual.
        lamps: further lamps that are lit.
        balance: factors for blue, green and red by which the camera follows the light.
    """

    place: tuple[float, float, float]
    ambient: float
    cast: tuple[float, float, float]
    softness: float
    exposure: float
    lamps: tuple[Lamp, ...] = ()
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class CameraLook:
    """The camera.

    Attributes:
        size_wh: of its pictures, in pixels.
        view_deg: how wide it sees, horizontally.
        tilt_deg: how oblique it looks; 0 is straight down.
        from_deg: the side it hangs on: 0 beyond the h file, 90 beyond the eighth rank.
        roll_deg: how far it is turned about its own axis.
        distortion: of the lens: an ideal point at r focal lengths from the centre is seen at
            r (1 + distortion r²).
        blur_px: the spread of its blur.
        noise: the spread of its noise in grey levels.
        vignette: how much darker the corners are, as a share.
        adapts_s: the time in which its exposure and white balance follow the light two thirds of
            the way; 0 where they are locked.
    """

    size_wh: tuple[int, int]
    view_deg: float
    tilt_deg: float
    from_deg: float
    roll_deg: float
    distortion: float
    blur_px: float
    noise: float
    vignette: float
    adapts_s: float = 0.0
