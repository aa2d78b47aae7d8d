"""One board seen straight from above, and what its edges say of round things on it."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.emptyboard import Floats, guess_empty
from vision.frame import Picture
from vision.rectify import rectify, square_side_px
from vision.rims import COARSE, FINE, Edges, common_radius, find_edges, rim_scores

SQUARE_PX: Final = 64
"""The side of a square on the rectified board, in pixels; more where checkers are small."""
MARGIN: Final = 1.5
"""Around the field, in squares: the top of a tower at the edge is seen beyond it."""

_RINGS_FROM: Final = 0.3
"""The part of the radius outside of which edges are a top's rings and rim."""
_RADIUS_PX: Final = 25.0
_FINEST_PX: Final = 96.0
_FINER: Final = 1.3
"""How much finer than the rectified board a picture is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """One rectified board and what its edges say.

    Attributes:
        lab: CIE L*a*b* with a margin of `MARGIN` squares, a1 at the bottom left, float32.
        residual: the same minus the guessed empty board; in the margin nothing is taken away.
        empty: the guessed empty board, CIE L*a*b*.
        shade: 1 for dark squares, else 0, going on into the margin.
        square_px: the side of a square.
        edges: fine ones.
        radius: of the checkers, in squares.
        fine_rim: how well a circle of that radius is seen around each pixel.
        rings: the same for edges all over the disc.
    """

    lab: Floats
    residual: Floats
    empty: Floats
    shade: NDArray[np.uint8]
    square_px: int
    edges: Edges
    radius: float
    fine_rim: Floats
    rings: Floats

    @property
    def margin_px(self) -> int:
        """The margin in pixels."""
        return round(MARGIN * self.square_px)


def view_board(pixels: Picture, location: BoardLocation) -> BoardView:
    """Return what is to be known of the board at *location* before looking for checkers."""
    flat = _flatten(pixels, location, SQUARE_PX)
    # How large checkers are is told by those on the field; their rims end half a square beside it.
    near = slice(round((MARGIN - 0.5) * SQUARE_PX), -round((MARGIN - 0.5) * SQUARE_PX))
    halved = _halved(flat.residual[near, near])
    coarse = find_edges(halved, flat.shade[near, near][::2, ::2], SQUARE_PX // 2, COARSE)
    radius, _ = common_radius(coarse)
    # Small checkers have fine rings: they are looked at from as near as large ones.
    square_px = 2 * round(min(_RADIUS_PX / radius, _FINEST_PX) / 2.0)
    if square_px > SQUARE_PX:
        flat = _flatten(pixels, location, square_px)
    else:
        square_px = SQUARE_PX
    fine = replace(
        FINE, blur=FINE.blur * SQUARE_PX / square_px, rim=FINE.rim * SQUARE_PX / square_px
    )
    edges = find_edges(flat.residual, flat.shade, square_px, fine)
    return BoardView(
        lab=flat.lab,
        residual=flat.residual,
        empty=flat.empty,
        shade=flat.shade,
        square_px=square_px,
        edges=edges,
        radius=radius,
        fine_rim=rim_scores(edges, radius),
        rings=rim_scores(edges, radius, _RINGS_FROM),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    lab: Floats
    residual: Floats
    empty: Floats
    shade: NDArray[np.uint8]


def _flatten(pixels: Picture, location: BoardLocation, square_px: int) -> _Flat:
    """Return the board seen straight from above, and what is on it without the board."""
    small, location = _shrink(pixels, location, square_px)
    flat = rectify(small, location, square_px, MARGIN).pixels
    lab = np.asarray(
        cv2.cvtColor(flat.astype(np.float32) / 255.0, cv2.COLOR_BGR2LAB), dtype=np.float32
    )
    margin_px = round(MARGIN * square_px)
    inner = slice(margin_px, -margin_px)
    empty = guess_empty(np.ascontiguousarray(lab[inner, inner]), square_px)
    residual = lab.copy()
    residual[inner, inner] -= empty
    number = np.floor((np.arange(len(lab)) - margin_px) / square_px).astype(int)
    shade = ((number[:, None] + number) % 2).astype(np.uint8)
    return _Flat(lab, residual, empty, shade)


def _halved(field: Floats) -> Floats:
    """Return *field* at half the resolution."""
    size = (field.shape[1] // 2, field.shape[0] // 2)
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _shrink(
    pixels: Picture, location: BoardLocation, square_px: int
) -> tuple[Picture, BoardLocation]:
    """Return the picture about as fine as the rectified board will be, and the board in it.

    Averaging many pixels into one keeps faint edges and drops the noise; sampling would not.
    """
    corners = np.array(location.corners, dtype=np.float32)
    factor = _FINER * square_px / square_side_px(location)
    if factor > 1.0 / _FINER:
        return pixels, location
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    moved = (corners + 0.5) * (small.shape[1] / pixels.shape[1]) - 0.5
    places = [(float(x), float(y)) for x, y in moved]
    return np.asarray(small, dtype=np.uint8), replace(
        location, corners=(places[0], places[1], places[2], places[3])
    )
