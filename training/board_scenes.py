"""Tables with empty boards, painted at random, and the camera that takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Colour, Point
from training.board_canvas import MARGIN, PX, SIDE, Canvas, blend, circle, covered, mixed, pixel
from vision.frame import Picture

_SIZE_WH: Final = (1280, 960)
_BOARDS: Final = (
    ((232, 205, 160), (110, 65, 40)),
    ((215, 170, 110), (90, 55, 35)),
    ((235, 225, 185), (45, 100, 65)),
    ((235, 235, 230), (25, 25, 28)),
    ((190, 25, 25), (25, 25, 28)),
    ((225, 230, 235), (40, 60, 120)),
    ((240, 215, 150), (35, 33, 34)),
    ((200, 160, 120), (120, 80, 60)),
)


@dataclass(frozen=True, slots=True)
class Look:
    """How a drawn board looks; what is None is left to chance.

    Attributes:
        board: which of the eight boards.
        radius: of the checkers, in squares.
        thickness: of a checker, in its radii.
        tilt: of the camera, in degrees from straight above.
        glare: lamps may be reflected.
        foil: there may be a foil over the board, under the checkers.
        mess: shadows and dice may lie on the board.
        colours: of the checkers; empty is left to chance.
        noise: standard deviation in grey levels.
        plain: no grain, no blur, no compression, even light.
        alike: checkers have the paint of the squares where they may, and only rims and rings show.
    """

    board: int | None = None
    radius: float | None = None
    thickness: float | None = None
    tilt: float | None = None
    glare: bool = True
    foil: bool = True
    mess: bool = True
    colours: tuple[Colour, ...] = ()
    noise: float | None = None
    plain: bool = False
    alike: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where the camera is, and how it puts the board into the picture.

    Attributes:
        xyz: its pinhole, on the board's axes.
        matrix: from board coordinates to pixels, (3, 3).
        location: where the board is in the picture.
    """

    xyz: NDArray[np.float64]
    matrix: NDArray[np.float64]
    location: BoardLocation

    @classmethod
    def over_board(cls, rng: np.random.Generator, tilt: float | None) -> "Camera":
        """Return a camera that sees the board from a random side."""
        slant = np.radians(rng.uniform(0.0, 50.0) if tilt is None else tilt)
        side = rng.uniform(0.0, 2.0 * np.pi)
        far = rng.uniform(11.0, 16.0)
        target = np.array([4.0, 4.0, 0.0]) + np.append(rng.normal(0.0, 0.2, 2), 0.0)
        away = np.array([np.sin(slant) * np.cos(side), np.sin(slant) * np.sin(side), np.cos(slant)])
        eye = target + far * away
        forward = -away
        # Up in the picture is away from the camera along the board, or any way from above.
        up = np.array([-np.cos(side), -np.sin(side), 0.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        rotation = np.stack((right, down, forward))
        focal = 0.9 * _SIZE_WH[1] / 9.5 * far * rng.uniform(0.85, 1.05)
        lens = np.array(
            [[focal, 0, (_SIZE_WH[0] - 1) / 2], [0, focal, (_SIZE_WH[1] - 1) / 2], [0, 0, 1.0]]
        )
        shift = -rotation @ eye
        matrix = lens @ np.column_stack((rotation[:, 0], rotation[:, 1], shift))
        corners = np.array([[0, 0, 1], [8, 0, 1], [8, 8, 1], [0, 8, 1.0]]) @ matrix.T
        places = [(float(x / w), float(y / w)) for x, y, w in corners]
        return cls(eye, matrix, BoardLocation((places[0], places[1], places[2], places[3])))

    def seen(self, at_xy: Point, height: float) -> tuple[NDArray[np.float64], float]:
        """Return where a point above *at_xy* covers the board, and how much larger it seems."""
        stretch = self.xyz[2] / (self.xyz[2] - height)
        return self.xyz[:2] + (np.array(at_xy) - self.xyz[:2]) * stretch, float(stretch)

    def take(self, rng: np.random.Generator, canvas: Canvas, look: Look) -> Picture:
        """Return the picture of the table that *canvas* shows from above."""
        to_board = np.array(
            [[1 / PX, 0, 0.5 / PX - MARGIN], [0, -1 / PX, 8 + MARGIN - 0.5 / PX], [0, 0, 1]]
        )
        seen = cv2.warpPerspective(
            canvas, self.matrix @ to_board, _SIZE_WH, borderMode=cv2.BORDER_REPLICATE
        )
        if not look.plain:
            seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 2.0)))
            seen = seen * float(rng.uniform(0.6, 1.25)) * rng.uniform(0.88, 1.12, 3)
        tones = 255.0 * np.clip(seen, 0.0, 1.0) ** (1 / 2.2)
        noise = float(rng.choice([1.0, 2.0, 4.0, 9.0])) if look.noise is None else look.noise
        grains = rng.normal(0.0, 1.0, tones.shape)
        if not look.plain and rng.random() < 0.5:
            # Cameras smooth noise away, leave coarser grains, and sharpen what they smoothed.
            grains = 1.8 * cv2.GaussianBlur(grains, (0, 0), float(rng.uniform(0.5, 1.0)))
            tones = tones + rng.uniform(0.0, 1.0) * (tones - cv2.GaussianBlur(tones, (0, 0), 1.5))
        tones = tones + grains * noise
        pixels = np.clip(tones, 0, 255).astype(np.uint8)
        if not look.plain:
            quality = int(rng.integers(60, 96))
            _, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
            pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
        return pixels


def draw_squares(rng: np.random.Generator, look: Look) -> tuple[Canvas, Canvas, Canvas]:
    """Return the empty board on its table, and the linear colours of its two shades."""
    light_paint, dark_paint = _BOARDS[
        rng.integers(len(_BOARDS)) if look.board is None else look.board
    ]
    light, dark = mixed(rng, light_paint), mixed(rng, dark_paint)
    table = mixed(rng, rng.integers(20, 230, 3).tolist())
    canvas = np.empty((SIDE, SIDE, 3), np.float32)
    canvas[:] = table
    if rng.random() < 0.2:
        tile = rng.integers(20, 90)
        rows, columns = np.mgrid[0:SIDE, 0:SIDE] // tile
        canvas[(rows + columns) % 2 == 1] *= rng.uniform(0.5, 0.9)
    frame = rng.uniform(0.0, 0.9)
    first, last = round((MARGIN - frame) * PX), round((MARGIN + 8 + frame) * PX)
    paint = [light, dark, mixed(rng, rng.integers(10, 230, 3).tolist())][rng.integers(3)]
    canvas[first:last, first:last] = paint * rng.uniform(0.8, 1.1)
    grain = 0.0 if look.plain else float(rng.choice([0.0, 0.02, 0.06, 0.12, 0.22]))
    for rank in range(8):
        for file in range(8):
            top, left = round((MARGIN + 7 - rank) * PX), round((MARGIN + file) * PX)
            base = dark if (rank + file) % 2 == 0 else light
            texture = 1.0 + grain * _wood(rng) * (1 if rng.random() < 0.9 else 2)
            own = rng.normal(1.0, grain * 0.5, 3).astype(np.float32)
            canvas[top : top + PX, left : left + PX] = base * own * texture[..., None]
    if rng.random() < 0.3:
        _draw_lines(rng, canvas)
    if rng.random() < 0.4:
        for number in range(8):
            at = (round((MARGIN + number + 0.35) * PX), round((MARGIN + 8.4) * PX))
            ink = [float(value) for value in rng.choice([0.02, 0.8]) * np.ones(3)]
            cv2.putText(canvas, "abcdefgh"[number], at, 0, 0.8, ink, 2, cv2.LINE_AA)
    return canvas, light, dark


def _draw_lines(rng: np.random.Generator, canvas: Canvas) -> None:
    ink = [float(value) for value in mixed(rng, rng.integers(10, 240, 3).tolist())]
    for number in range(9):
        at, first, last = (round((MARGIN + step) * PX) for step in (number, 0, 8))
        width = int(rng.integers(1, 4))
        cv2.line(canvas, (at, first), (at, last), ink, width)
        cv2.line(canvas, (first, at), (last, at), ink, width)


def _wood(rng: np.random.Generator) -> Canvas:
    """Return the grain of one square, about -1 to 1."""
    y, x = np.mgrid[0:PX, 0:PX].astype(np.float32) / PX
    if rng.random() < 0.5:
        x, y = y, x
    bend = rng.uniform(0.02, 0.25) * np.sin(2 * np.pi * (x * rng.uniform(0.3, 1.5) + rng.random()))
    if rng.random() < 0.15:
        centre = rng.uniform(0.2, 0.8, 2)
        bend = bend + 0.3 * np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / 0.03)
    lines = np.sin(2 * np.pi * (y + bend) * rng.uniform(3, 14))
    grain = 0.7 * lines + 0.3 * rng.normal(0, 1, (PX, PX))
    return np.asarray(grain, dtype=np.float32)


def shade(rng: np.random.Generator, canvas: Canvas, look: Look) -> Canvas:
    """Return the table under uneven light with hard and soft shadows on it."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE - 0.5
    turn = rng.uniform(0, 2 * np.pi)
    fall = rng.uniform(0.0, 0.2 if look.plain else 0.9)
    light = 1.0 + fall * (x * np.cos(turn) + y * np.sin(turn))
    if look.mess and rng.random() < 0.35:
        shape = (rng.uniform(-0.2, 1.2, (4, 2)) * SIDE).astype(np.int32)
        mask = np.zeros((SIDE, SIDE), np.float32)
        cv2.fillConvexPoly(mask, cv2.convexHull(shape), 1.0)
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.choice([2, 6, 25])))
        light *= 1.0 - rng.uniform(0.2, 0.7) * soft
    return np.asarray(canvas * light[..., None], dtype=np.float32)


def add_foil(rng: np.random.Generator, canvas: Canvas) -> None:
    """Lay a foil or thick varnish over the board: patches of a veil, wrinkles that gleam."""
    waves = rng.normal(0.0, 1.0, (int(rng.integers(4, 12)),) * 2).astype(np.float32)
    height = cv2.resize(waves, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    ripple = cv2.resize(rng.normal(0.0, 1.0, (60, 60)).astype(np.float32), (SIDE, SIDE))
    height = height + rng.uniform(0.0, 0.3) * ripple
    edge = float(rng.choice([0.02, 0.1, 0.5]))
    veil = 1.0 / (1.0 + np.exp(np.clip((height - rng.uniform(-0.5, 1.0)) / edge, -30.0, 30.0)))
    canvas += (rng.uniform(0.005, 0.08) * veil)[..., None].astype(np.float32)
    for _ in range(int(rng.integers(0, 30))):
        start, turn = rng.uniform(MARGIN, MARGIN + 8, 2), rng.uniform(0.0, 2.0 * np.pi)
        bends = turn + np.cumsum(rng.normal(0.0, 0.4, 8))
        steps = rng.uniform(0.05, 0.25) * np.column_stack((np.cos(bends), np.sin(bends)))
        line = np.zeros((SIDE, SIDE), np.float32)
        points = (16 * PX * (start + np.cumsum(steps, axis=0))).astype(np.int32)
        cv2.polylines(line, [points], False, 1.0, int(rng.integers(1, 4)), cv2.LINE_AA, 4)
        wrinkle = cv2.GaussianBlur(line, (0, 0), float(rng.uniform(0.6, 3.0)))
        canvas += (rng.uniform(-0.02, 0.3) * wrinkle)[..., None]
    np.maximum(canvas, 0.001, out=canvas)


def lightness(canvas: Canvas, light: Canvas, dark: Canvas) -> Canvas:
    """Return how bright the light is everywhere, from what it makes of the two shades."""
    small = cv2.resize(canvas.mean(axis=-1), (24, 24), interpolation=cv2.INTER_AREA)
    smooth: Canvas = cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.5), (SIDE, SIDE))
    return np.asarray(np.clip(smooth * 2.0 / (light.mean() + dark.mean()), 0.3, 1.5), np.float32)


def add_glare(rng: np.random.Generator, canvas: Canvas) -> None:
    """Add the reflection of a lamp or a window to everything."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / PX - MARGIN
    for _ in range(int(rng.integers(1, 3))):
        at, wide = rng.uniform(0, 8, 2), rng.uniform(0.25, 1.5)
        turn = rng.uniform(0, np.pi)
        along = (x - at[0]) * np.cos(turn) + (y - at[1]) * np.sin(turn)
        across = (y - at[1]) * np.cos(turn) - (x - at[0]) * np.sin(turn)
        along = along / rng.uniform(1.0, 2.0)
        # A lamp is round, a window has corners.
        round_far, square_far = np.hypot(along, across), np.maximum(np.abs(along), np.abs(across))
        far = (round_far if rng.random() < 0.6 else square_far) / wide
        edge = rng.uniform(0.1, 0.9)
        spot = rng.uniform(0.1, 1.2) / (1.0 + np.exp(np.clip((far - 1.0) / (0.25 * edge), -30, 30)))
        canvas += spot[..., None].astype(np.float32)


def draw_dice(
    rng: np.random.Generator, canvas: Canvas, keep_clear: Sequence[Point], radius: float
) -> None:
    """Draw up to two dice on the board, clear of the checkers there."""
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        at = rng.uniform(0.3, 7.7, 2)
        if any(np.hypot(*(at - place)) < radius + 0.35 for place in keep_clear):
            continue
        half = rng.uniform(0.12, 0.22) * PX
        turn = rng.uniform(0, np.pi / 2)
        axes = half * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ axes
        middle = pixel(at)
        paint = mixed(rng, rng.integers(20, 250, 3).tolist())
        shift = rng.normal(0, 0.6, 2) * half
        for offset, tone in ((shift, 0.6), (np.zeros(2), 1.0)):
            rows, columns, mask = covered(middle + offset + corners)
            blend(canvas, rows, columns, mask, paint * np.float32(tone))
        pip = 0.9 if paint.mean() < 0.4 else 0.03
        for spot in ((0, 0), (-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)):
            if rng.random() < 0.7:
                rows, columns, mask = covered(circle(middle + np.array(spot) @ axes, half * 0.17))
                blend(canvas, rows, columns, mask, np.full(3, pip, np.float32))
