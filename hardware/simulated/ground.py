"""What stays while a game is played: table top, board and tray, lit, as the camera sees them."""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from hardware.scene import BOARD_MIDDLE, DIE_AREA, BoardLie
from hardware.simulated.arrays import Floats, Pixels, Points, floats, unit
from hardware.simulated.board import SQUARE_PX, board_top
from hardware.simulated.camera import Camera
from hardware.simulated.light import (
    GAMMA,
    lamp,
    linear,
    screen_factor,
    shade,
    shares,
    sources,
    to_screen,
)
from hardware.simulated.look import TableLook
from hardware.simulated.parts import Bgr, BoardLook, TableTopLook
from hardware.simulated.patch import cast, darken, fill, shadow_map, soften
from hardware.simulated.textures import TILE_PX, table_tile

_TILE_SQUARES: Final = 9.0  # how much of the table one tile covers at scale 1
_TRAY_ROOM: Final = 0.36  # between where a die may lie and the tray's wall, in squares
_TRAY_WALL: Final = 0.1
_TRAY_HEIGHT: Final = 0.24
_LIGHT_STEP: Final = 4  # pixels to a value of the light, which changes slowly
_LEAST_RISE: Final = 0.05  # of a ray to a lamp: shadows have an end

# Screen values 0 to 255 as linear light.
_LINEAR: Final = np.power(np.arange(256, dtype=np.float32) / 255, np.float32(2.2))


def on_board(look: TableLook, x: float, y: float) -> bool:
    """Tell whether a place is on the board or its border."""
    near, far = -look.board.border_width, 8 + look.board.border_width
    return near <= x <= far and near <= y <= far


def draw_ground(look: TableLook, lie: BoardLie, camera: Camera) -> Pixels:
    """Draw the table without anything that is moved in a game."""
    picture = draw_table(look, camera)
    outline_xy = _outline(look, lie)
    _draw_board_shadow(picture, outline_xy, look, camera)
    heights = (-look.board.thickness, 0.0)
    _draw_walls(picture, outline_xy, heights, look.board.border, look, camera)
    if look.table.tray_sides:
        _draw_tray(picture, look, camera)
    _draw_board(picture, lie, look, camera)
    return picture


def draw_table(look: TableLook, camera: Camera) -> Pixels:
    """Draw the bare table top."""
    low = -look.board.thickness
    x, y = camera.plane(low)
    turn = np.radians(look.table.turn_deg)
    scale = TILE_PX / (_TILE_SQUARES * look.table.scale)
    along = scale * (np.cos(turn) * x + np.sin(turn) * y)
    across = scale * (np.cos(turn) * y - np.sin(turn) * x)
    tile, _ = _surfaces(look.seed, look.table, look.board)
    flat = cv2.remap(
        tile,
        np.mod(along, TILE_PX).astype(np.float32),
        np.mod(across, TILE_PX).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_WRAP,
    )
    return _lit(np.asarray(flat, np.uint8), low, 0.0, look, camera)


@lru_cache(maxsize=4)
def _surfaces(seed: int, table: TableTopLook, board: BoardLook) -> tuple[Pixels, Pixels]:
    """Return a tile of the table top, and the top of the board, which are so in any light."""
    rng = np.random.default_rng((seed, 1))
    return table_tile(rng, table), board_top(rng, board)


def _outline(look: TableLook, lie: BoardLie) -> Points:
    """Return the corners of the board with its border, counter-clockwise from a1's, (4, 2)."""
    near, far = -look.board.border_width, 8 + look.board.border_width
    corners = ((near, near), (far, near), (far, far), (near, far))
    return np.array([lie.carried(x, y) for x, y in corners])


def vignette(camera: Camera, share: float) -> Floats:
    """Return what screen values are multiplied by for a lens, shape (height, width, 1)."""
    width, height = camera.size_wh
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    return floats(1 - share * (x**2 + y**2) / 2)[..., None]


def _draw_board(picture: Pixels, lie: BoardLie, look: TableLook, camera: Camera) -> None:
    _, top = _surfaces(look.seed, look.table, look.board)
    solid = np.full(top.shape[:2], 255, np.uint8)
    x, y = _on_moved_board(*camera.plane(0.0), lie)
    margin = round(look.board.border_width * SQUARE_PX)
    seen = cv2.remap(
        np.dstack([top, solid]),
        x * SQUARE_PX + margin - 0.5,
        (8 - y) * SQUARE_PX + margin - 0.5,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
    )
    lit = _lit(np.ascontiguousarray(seen[..., :3]), 0.0, look.board.gloss, look, camera)
    cover = seen[..., 3:].astype(np.float32) / 255
    picture[...] = (picture * (1 - cover) + lit * cover).astype(np.uint8)


def _on_moved_board(x: Floats, y: Floats, lie: BoardLie) -> tuple[Floats, Floats]:
    """Return what place on a board that was moved is where the table's (x, y) is."""
    if lie == BoardLie():
        return x, y
    turn = np.radians(lie.turn_deg)
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    middle_x, middle_y = (np.float32(one) for one in BOARD_MIDDLE)
    from_x, from_y = x - middle_x - np.float32(lie.x), y - middle_y - np.float32(lie.y)
    return middle_x + cos * from_x + sin * from_y, middle_y + cos * from_y - sin * from_x


def _lit(flat: Pixels, height: float, gloss: float, look: TableLook, camera: Camera) -> Pixels:
    """Return a level surface, given in screen values, as the lamp shows it."""
    albedo = cv2.LUT(flat, _LINEAR)
    x, y = camera.plane(height, 1 / _LIGHT_STEP)
    point = np.stack([x, y, np.full_like(x, height)], axis=-1)
    to_eye = unit(floats(camera.place) - point)
    upward = floats([0, 0, 1])
    white = shade(floats([1, 1, 1]), upward, point, to_eye, look.light, 0.0)
    mirrored = (
        shade(floats([0, 0, 0]), upward, point, to_eye, look.light, gloss) if gloss else 0 * white
    )
    shown = albedo * cv2.resize(white, camera.size_wh) + cv2.resize(mirrored, camera.size_wh)
    # A lens darkens what is seen before the sensor burns it out.
    return to_screen(shown * np.power(vignette(camera, look.camera.vignette), np.float32(GAMMA)))


def _draw_board_shadow(
    picture: Pixels, outline_xy: Points, look: TableLook, camera: Camera
) -> None:
    low = -look.board.thickness
    corners = np.column_stack([outline_xy, np.zeros(4)])
    base = camera.project(np.column_stack([outline_xy, np.full(4, low)]))
    for fallen, depth in zip(fall(corners, low, look), shadow_depths(look), strict=True):
        shadow = shadow_map(camera)
        cast(shadow, np.concatenate([camera.project(fallen), base]), depth)
        darken(picture, soften(shadow, look.light.softness * pixels_a_square(camera)))


def fall(points: Points, height: float, look: TableLook) -> list[Points]:
    """Return where the shadows of *points* (n, 3) fall on the level *height*, for each lamp."""
    fallen = []
    for source in sources(look.light):
        to_lamp, _ = lamp(points.astype(np.float32), source.place)
        down = (points[:, 2:] - height) / np.maximum(to_lamp[:, 2:], _LEAST_RISE)
        fallen.append(np.asarray(points - down * to_lamp, np.float64))
    return fallen


def shadow_depths(look: TableLook) -> list[float]:
    """Return the share of the screen values that is lost in the shadow of each lamp."""
    return [float(1 - screen_factor(1 - share)) for share in shares(look.light)]


def pixels_a_square(camera: Camera) -> float:
    """Return how long a square of the board is in the picture, at its middle."""
    ends = camera.project(np.array([(0, 4, 0), (8, 4, 0)], np.float64))
    return float(np.linalg.norm(ends[1] - ends[0])) / 8


def _draw_walls(
    picture: Pixels,
    outline_xy: Points,
    heights: tuple[float, float],
    colour: Bgr,
    look: TableLook,
    camera: Camera,
    inward: bool = False,
) -> None:
    """Draw the upright walls over a counter-clockwise outline that face the camera."""
    for start, end in zip(outline_xy, np.roll(outline_xy, -1, axis=0), strict=True):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
        normal = np.array([along[1], -along[0], 0.0]) * (-1 if inward else 1)
        middle = np.array([*((start + end) / 2), sum(heights) / 2])
        to_eye = camera.place - middle
        if float(normal @ to_eye) <= 0:
            continue
        quad = np.array(
            [
                (*p, z)
                for z, ps in zip(heights, ((start, end), (end, start)), strict=True)
                for p in ps
            ]
        )
        fill(picture, camera.project(quad), _flat(colour, normal, middle, look, camera))


def _flat(
    colour: Bgr,
    normal: Points,
    middle: Points,
    look: TableLook,
    camera: Camera,
) -> Pixels:
    """Return the screen colour of a flat piece."""
    to_eye = unit(floats(camera.place - middle))
    shown = shade(linear(colour), floats(normal), floats(middle), to_eye, look.light, 0.0)
    return to_screen(shown)


def _draw_tray(picture: Pixels, look: TableLook, camera: Camera) -> None:
    low = -look.board.thickness
    high = low + _TRAY_HEIGHT
    inner, outer = _tray(look.table.tray_sides, 0.0), _tray(look.table.tray_sides, _TRAY_WALL)
    rim = np.column_stack([outer, np.full(len(outer), high)])
    foot = np.column_stack([outer, np.full(len(outer), low)])
    for fallen, depth in zip(fall(rim, low, look), shadow_depths(look), strict=True):
        shadow = shadow_map(camera)
        cast(shadow, camera.project(np.concatenate([fallen, foot])), depth)
        darken(picture, soften(shadow, look.light.softness * pixels_a_square(camera)))
    upward = np.array([0.0, 0.0, 1.0])
    middle = np.array([*inner.mean(axis=0), low])
    floor = camera.project(np.column_stack([inner, np.full(len(inner), low)]))
    fill(picture, floor, _flat(look.table.tray_floor, upward, middle, look, camera))
    _shade_tray_floor(picture, inner, look, camera)
    _draw_walls(picture, inner, (low, high), look.table.tray_wall, look, camera, inward=True)
    top = _flat(look.table.tray_wall, upward, middle, look, camera)
    for i in range(len(inner)):
        j = (i + 1) % len(inner)
        quad = np.array([(*p, high) for p in (inner[i], inner[j], outer[j], outer[i])])
        fill(picture, camera.project(quad), top)
    _draw_walls(picture, outer, (low, high), look.table.tray_wall, look, camera)


def _shade_tray_floor(picture: Pixels, inner: Points, look: TableLook, camera: Camera) -> None:
    """Let the tray's walls throw their shadow on its floor."""
    low = -look.board.thickness
    rim = np.column_stack([inner, np.full(len(inner), low + _TRAY_HEIGHT)])
    softness_px = look.light.softness * pixels_a_square(camera)
    for fallen, depth in zip(fall(rim, low, look), shadow_depths(look), strict=True):
        dark, lit = shadow_map(camera), shadow_map(camera)
        cast(dark, camera.project(np.column_stack([inner, np.full(len(inner), low)])), depth)
        cast(lit, camera.project(fallen), depth)
        darken(picture, soften(np.clip(dark - lit, 0, 1), softness_px))


def _tray(sides: int, wall: float) -> Points:
    """Return the outline of the tray, *wall* outside of its inner one, (n, 2)."""
    x0, y0, x1, y1 = DIE_AREA
    half = np.array([(x1 - x0) / 2, (y1 - y0) / 2]) + _TRAY_ROOM + wall
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    if sides == 4:
        return np.asarray(middle + half * [(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    angle = (np.arange(sides) + 0.5) / sides * 2 * np.pi
    round_xy = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # A superellipse, so that a die in the corner of its area is still inside.
    return np.asarray(middle + half * np.sign(round_xy) * np.abs(round_xy) ** 0.5, np.float64)
