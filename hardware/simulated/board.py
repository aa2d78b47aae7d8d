"""The board's top as one upright picture: squares, lines, border and coordinates."""

from typing import Final

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Pixels
from hardware.simulated.parts import BoardLook, Texture
from hardware.simulated.textures import surface
from tabletop import FILES, RANKS

SQUARE_PX: Final = 112

_FONT: Final = cv2.FONT_HERSHEY_DUPLEX


def board_top(rng: np.random.Generator, look: BoardLook) -> Pixels:
    """Return the board seen from straight above, a8's corner first, `SQUARE_PX` to a square."""
    margin = round(look.border_width * SQUARE_PX)
    size = 8 * SQUARE_PX + 2 * margin
    top = np.empty((size, size, 3), np.float32)
    top[:] = look.border
    for rank in range(8):
        for file in range(8):
            colour = look.dark if (file + rank) % 2 == 0 else look.light
            left, upper = margin + file * SQUARE_PX, margin + (7 - rank) * SQUARE_PX
            top[upper : upper + SQUARE_PX, left : left + SQUARE_PX] = colour
    texture = surface(rng, look.texture, (size, size))
    if look.texture is Texture.WOOD:
        texture = _inlaid(rng, texture, margin)
    drawn: Pixels = np.clip(top * texture[..., None], 0, 255).astype(np.uint8)
    _rule(drawn, look, margin)
    if look.coordinates:
        _letter(drawn, look, margin)
    return drawn


def _inlaid(rng: np.random.Generator, texture: Floats, margin: int) -> Floats:
    """Give each square a piece of wood of its own, a little lighter or darker."""
    own = texture.copy()
    size = texture.shape[0]
    for row in range(8):
        for column in range(8):
            upper, left = margin + row * SQUARE_PX, margin + column * SQUARE_PX
            y, x = rng.integers(0, size - SQUARE_PX, 2)
            piece = texture[y : y + SQUARE_PX, x : x + SQUARE_PX]
            own[upper : upper + SQUARE_PX, left : left + SQUARE_PX] = piece * rng.normal(1, 0.03)
    return own


def _rule(top: Pixels, look: BoardLook, margin: int) -> None:
    """Draw the line round the squares and those between them."""
    ink = _ink(look)
    last = margin + 8 * SQUARE_PX
    if look.ruled:
        for i in range(1, 8):
            at = margin + i * SQUARE_PX
            cv2.line(top, (at, margin), (at, last), ink, 2, cv2.LINE_AA)
            cv2.line(top, (margin, at), (last, at), ink, 2, cv2.LINE_AA)
    width = round(look.line_width * SQUARE_PX)
    if width:
        # Outside the squares: the line belongs to the border.
        gap = (width + 1) // 2
        cv2.rectangle(top, (margin - gap, margin - gap), (last + gap, last + gap), ink, width)


def _letter(top: Pixels, look: BoardLook, margin: int) -> None:
    """Write the files and ranks on the border, to be read from either side."""
    size = top.shape[0]
    for files, ranks in ((FILES, RANKS[::-1]), (FILES[::-1], RANKS)):
        for i in range(8):
            centre = margin + (i + 0.5) * SQUARE_PX
            _write(top, files[i].upper(), (centre, size - margin * 0.45), look)
            _write(top, ranks[i], (margin * 0.45, centre), look)
        top[...] = top[::-1, ::-1].copy()


def _write(top: Pixels, text: str, centre_xy: tuple[float, float], look: BoardLook) -> None:
    scale = look.border_width * 1.7
    (width, height), _ = cv2.getTextSize(text, _FONT, scale, 2)
    at = (round(centre_xy[0] - width / 2), round(centre_xy[1] + height / 2))
    cv2.putText(top, text, at, _FONT, scale, _ink(look), 2, cv2.LINE_AA)


def _ink(look: BoardLook) -> tuple[float, float, float]:
    """Return a colour that shows on the border."""
    return (40, 44, 50) if sum(look.border) > 330 else (150, 190, 210)
