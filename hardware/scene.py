"""What the simulated table is told to show: checkers, a die, a hand, the light, and for how long.

Places are in board coordinates, the unit being one square: x along the files from 0 to 8, y along
the ranks from 0 to 8, the outer corner of a1 at (0, 0). Beside the board go on counting. Where the
board was moved, what lies on it has gone along and keeps its coordinates; what lies beside it, and
everything that is over it, is where it would be if the board had stayed.
"""

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

from tabletop import Colour

Area: TypeAlias = tuple[float, float, float, float]
"""A rectangle of the table in board coordinates: least x, least y, greatest x, greatest y."""

IN_VIEW: Final[Area] = (-2.2, -1.2, 11.2, 9.2)
"""What the camera of every look sees at least: the board, a reserve beside it, the die's tray."""

DIE_AREA: Final[Area] = (9.35, 2.65, 10.85, 5.35)
"""Where a die thrown beside the board comes to lie, inside the tray where a look has one."""

MOTION_S: Final = 0.45
"""How long a hand takes to come or go and a die to roll, usually."""

BOARD_MIDDLE: Final = (4.0, 4.0)


@dataclass(frozen=True, slots=True)
class PlacedChecker:
    """A checker, its centre at (x, y).

    Attributes:
        colour: its colour.
        x: along the files, in squares.
        y: along the ranks, in squares.
        layer: how many checkers it stands on; 0 is on the board or the table.
    """

    colour: Colour
    x: float
    y: float
    layer: int = 0

    def __post_init__(self) -> None:
        if self.layer < 0:
            raise ValueError(f"a checker stands on no fewer than 0 others, not {self.layer}")


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """The die, its centre at (x, y), on the board or beside it.

    Attributes:
        value: the face that is up.
        x: along the files, in squares.
        y: along the ranks, in squares.
        turn_deg: how far it is turned about the upright, counter-clockwise seen from above.
        cocked: it leans on something, with two faces up.
        height: how high it is held over what is below it, in squares.
    """

    value: int
    x: float
    y: float
    turn_deg: float = 0.0
    cocked: bool = False
    height: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.value <= 6:
            raise ValueError(f"a die shows 1 to 6, not {self.value}")


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table, its fingertips at (x, y).

    Attributes:
        x: along the files, in squares.
        y: along the ranks, in squares.
        from_deg: the side its arm comes from: 0 is beyond the h file, 90 beyond the eighth rank,
            180 beyond the a file, 270 below the first rank.
        drawn_back: how far it is still, or again, drawn back along its arm, in squares.
    """

    x: float
    y: float
    from_deg: float
    drawn_back: float = 0.0

    @property
    def tips_xy(self) -> tuple[float, float]:
        """Where its fingertips are, drawn back as they may be."""
        side = math.radians(self.from_deg)
        return (
            self.x + self.drawn_back * math.cos(side),
            self.y + self.drawn_back * math.sin(side),
        )


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup that somebody put down, its middle at (x, y); sizes in squares."""

    x: float
    y: float
    radius: float = 0.62
    height: float = 1.5
    bgr: tuple[float, float, float] = (170, 165, 60)


@dataclass(frozen=True, slots=True)
class BoardLie:
    """How the board lies, against where it lay at first.

    Attributes:
        x: how far its middle was shoved along the files, in squares.
        y: how far along the ranks.
        turn_deg: how far it was turned about its middle, counter-clockwise seen from above.
    """

    x: float = 0.0
    y: float = 0.0
    turn_deg: float = 0.0

    def carried(self, x: float, y: float) -> tuple[float, float]:
        """Return where a place on the board has come to, in coordinates of the table."""
        turn = math.radians(self.turn_deg)
        from_x, from_y = x - BOARD_MIDDLE[0], y - BOARD_MIDDLE[1]
        return (
            BOARD_MIDDLE[0] + self.x + from_x * math.cos(turn) - from_y * math.sin(turn),
            BOARD_MIDDLE[1] + self.y + from_x * math.sin(turn) + from_y * math.cos(turn),
        )


@dataclass(frozen=True, slots=True)
class CameraKnock:
    """How the camera looks, against how it looked at first; in degrees about its own axes.

    Attributes:
        pan_deg: turned to the right of its picture.
        tilt_deg: turned towards the bottom of its picture.
        roll_deg: turned about where it looks, so that the picture turns counter-clockwise.
    """

    pan_deg: float = 0.0
    tilt_deg: float = 0.0
    roll_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Lamp:
    """A further lamp that is lit: one in the room, or one of the companion's own.

    Attributes:
        place: where it is, in squares, z up from the top of the board.
        strength: what it gives at the middle of the board; the light that is there without it
            gives about 1.
        cast: factors for blue, green and red.
    """

    place: tuple[float, float, float]
    strength: float
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Room:
    """What stays from move to move: how the board lies, how the camera hangs, what lamps are lit.

    Attributes:
        board: how the board lies.
        camera: how the camera hangs.
        lamps: the lamps that are lit beside the usual light.
    """

    board: BoardLie = BoardLie()
    camera: CameraKnock = CameraKnock()
    lamps: tuple[Lamp, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of the table.

    Attributes:
        checkers: every checker in sight.
        die: the die, where one is in sight.
        hand: a hand over the table, where there is one.
        brightness: the light on it, as a factor of the usual.
        room: all that seldom changes.
        cup: a cup, where one was put down.
    """

    checkers: tuple[PlacedChecker, ...] = ()
    die: PlacedDie | None = None
    hand: Hand | None = None
    brightness: float = 1.0
    room: Room = Room()
    cup: Cup | None = None

    def __post_init__(self) -> None:
        if self.brightness <= 0:
            raise ValueError(f"a scene's brightness is a factor above 0, not {self.brightness}")


@dataclass(frozen=True, slots=True)
class TimedScene:
    """A scene and how long it stays.

    Attributes:
        scene: what is shown.
        lasts_s: for how many seconds of the table's clock.
        note: what it stands for, for logs and tests.
        moving_s: for how long of that things are on their way from the scene before; half of
            `lasts_s` at most, so that every scene ends at rest.
        slid: checkers are pushed along the board, not lifted.
    """

    scene: Scene
    lasts_s: float
    note: str = ""
    moving_s: float = MOTION_S
    slid: bool = False

    def __post_init__(self) -> None:
        if self.lasts_s <= 0:
            raise ValueError(f"a scene lasts longer than 0 s, not {self.lasts_s}")
