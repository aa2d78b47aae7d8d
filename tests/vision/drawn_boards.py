"""Boards drawn for the tests: known corners, simple light, as plain or as hard as asked."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.lens import to_ideal
from vision.pose import Pose

Bgr = tuple[float, float, float]

_TEXEL = 32  # pixels of the drawing for one square
_AROUND = 14  # squares drawn around the field


@dataclass(frozen=True, slots=True)
class Look:
    """How a board and its table look.

    Attributes:
        light: colour of the light squares.
        dark: colour of the dark squares.
        frame: colour of the frame.
        frame_squares: its width in squares; 0 for none.
        line: colour of a line between the squares, None for none.
        line_texels: how broad that line is, in 32nds of a square.
        table: colour of the table.
        cloth: colour of the table's checks, None for a plain table.
        across: how many squares a side has.
        gap: how far the two halves stand apart at a hinge, in squares; files d and e lie beside it.
    """

    light: Bgr = (170, 215, 235)
    dark: Bgr = (40, 60, 95)
    frame: Bgr = (60, 85, 125)
    frame_squares: float = 0.6
    line: Bgr | None = None
    line_texels: int = 2
    table: Bgr = (120, 125, 130)
    cloth: Bgr | None = None
    across: int = 8
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker drawn flat: its place in board coordinates, its diameter in squares, its colour."""

    x: float
    y: float
    diameter: float
    colour: Bgr


def camera(
    size_wh: tuple[int, int] = (640, 480),
    tilt_degrees: float = 25.0,
    turn_degrees: float = 10.0,
    distance: float = 13.0,
    aim: tuple[float, float] = (4.0, 4.0),
    distortion: float = 0.0,
) -> Pose:
    """Return a camera that looks at *aim* on the board from *distance* squares away."""
    tilt, turn = np.radians(180.0 - tilt_degrees), np.radians(turn_degrees)
    tilted = np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    )
    turned = np.array(
        [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    )
    rotation = tilted @ turned
    translation = np.array([0.0, 0.0, distance]) - rotation @ (aim[0], aim[1], 0.0)
    return Pose(0.85 * size_wh[0], rotation, translation, size_wh, distortion)


def corners(pose: Pose, across: int = 8, gap: float = 0.0) -> NDArray[np.float64]:
    """Return the true corners a1, h1, h8, a8 in pixels, shape (4, 2)."""
    low, high = -gap / 2, across + gap / 2
    return pose.project(((low, 0, 0), (high, 0, 0), (high, across, 0), (low, across, 0)))


def draw(pose: Pose, look: Look | None = None, discs: tuple[Disc, ...] = ()) -> Picture:
    """Return the picture that the camera takes of a board with checkers on it."""
    look = look or Look()
    flat = _table(look)
    for disc in discs:
        centre = _texels(disc.x, disc.y, look.across)
        radius = round(disc.diameter * _TEXEL / 2)
        cv2.circle(flat, centre, radius, disc.colour, -1, cv2.LINE_AA)
        rim = tuple(0.75 * part for part in disc.colour)
        cv2.circle(flat, centre, radius, rim, 2, cv2.LINE_AA)
    width, height = pose.size_wh
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    pixels = np.column_stack((columns.ravel(), rows.ravel()))
    x, y = _on_board(pose, pixels).T
    map_x = ((x + _AROUND) * _TEXEL - 0.5).astype(np.float32).reshape(height, width)
    map_y = ((look.across + _AROUND - y) * _TEXEL - 0.5).astype(np.float32).reshape(height, width)
    seen = cv2.remap(
        cv2.GaussianBlur(flat, (0, 0), 0.8),
        map_x,
        map_y,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, dtype=np.uint8)


def photographed(
    picture: Picture,
    random: np.random.Generator,
    noise: float = 4.0,
    blur_px: float = 0.8,
    gain: float = 1.0,
    slope: float = 0.0,
) -> Picture:
    """Return *picture* with light falling off to one side, blur and noise."""
    ramp = np.linspace(1.0 - slope, 1.0 + slope, picture.shape[1])[None, :, None]
    lit = cv2.GaussianBlur(picture.astype(np.float64) * gain * ramp, (0, 0), blur_px)
    grainy = np.asarray(lit) + random.normal(0.0, noise, picture.shape)
    return np.clip(grainy, 0, 255).astype(np.uint8)


def corner_error(true: NDArray[np.float64], found: object) -> float:
    """Return the largest corner error in squares, over both namings of the dark corners."""
    got = np.array(found, dtype=np.float64)
    side = np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean() / 8
    errors = [np.linalg.norm(true - np.roll(got, turn, axis=0), axis=1).max() for turn in (0, 2)]
    return float(min(errors) / side)


def _table(look: Look) -> NDArray[np.uint8]:
    """Return the table with the board from above, the first rank at the bottom."""
    side = (look.across + 2 * _AROUND) * _TEXEL
    flat = np.empty((side, side, 3), dtype=np.uint8)
    flat[:] = look.table
    if look.cloth is not None:
        stripe = (np.arange(side) // 23) % 2
        shade = (stripe[:, None] + stripe[None, :])[..., None] / 2
        flat[:] = shade * look.cloth + (1 - shade) * np.array(look.table)
    around, half = look.frame_squares, look.gap / 2
    _fill(
        flat,
        look,
        (-around - half, -around),
        (look.across + around + half, look.across + around),
        look.frame,
    )
    for x in range(look.across):
        for y in range(look.across):
            left = x + (half if x >= look.across / 2 else -half)
            colour = look.light if (x + y) % 2 else look.dark
            _fill(flat, look, (left, y), (left + 1, y + 1), colour)
    if look.line is not None:
        for k in range(look.across + 1):
            for start, end in (((k, 0), (k, look.across)), ((0, k), (look.across, k))):
                ends = _texels(*start, look.across), _texels(*end, look.across)
                cv2.line(flat, *ends, look.line, look.line_texels)
    return flat


def _fill(
    flat: NDArray[np.uint8],
    look: Look,
    low: tuple[float, float],
    high: tuple[float, float],
    colour: Bgr,
) -> None:
    left, bottom = _texels(*low, look.across)
    right, top = _texels(*high, look.across)
    flat[top:bottom, left:right] = colour


def _texels(x: float, y: float, across: int) -> tuple[int, int]:
    return round((x + _AROUND) * _TEXEL), round((across + _AROUND - y) * _TEXEL)


def _on_board(pose: Pose, pixels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return where rays through *pixels* meet the board's plane, in board coordinates."""
    ideal = to_ideal(pixels, pose.size_wh, pose.distortion)
    centre_xy = (np.array(pose.size_wh) - 1.0) / 2.0
    rays = np.column_stack(((ideal - centre_xy) / pose.focal_px, np.ones(len(ideal))))
    rays = rays @ pose.rotation
    origin = pose.camera_xyz
    # Rays above the horizon meet nothing; they are sent far away.
    reach = np.where(rays[:, 2] < -1e-6, -origin[2] / np.minimum(rays[:, 2], -1e-6), 1e4)
    met: NDArray[np.float64] = origin[:2] + rays[:, :2] * reach[:, None]
    return np.clip(met, -1e4, 1e4)
