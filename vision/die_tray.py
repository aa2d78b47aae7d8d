"""How the table lies where no board tells it: a round tray's rim is seen as an ellipse.

A rim has an inner and an outer edge: two ellipses about the same middle and of the same shape. On
a carpet or a cloth full of edges one alone is often seen where none is.
"""

from dataclasses import dataclass
from itertools import combinations
from math import acos, atan2, cos, degrees, dist, radians, sin, sqrt
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Point
from vision.die_view import Upright
from vision.frame import Picture

_LONG_SIDE_PX: Final = 320
_CANNY: Final = (40, 100)
_LEAST_CHAIN_PX: Final = 60
_SIZES: Final = (0.35, 1.2)
"""Of the picture's longer side: how wide a tray's rim may be seen."""
_RATIOS: Final = (0.5, 0.95)
"""Of an ellipse's axes; of a rounder one a few pixels are many degrees of obliqueness."""
_LEAST_SEEN: Final = 0.75
"""So much of an ellipse must lie on edges."""
_ON_EDGE_PX: Final = 1.6
_CONCENTRIC: Final = 0.06
_ALIKE: Final = 0.05
_LEAST_APART: Final = 0.01
"""Of its width: so far at most do the middles, and the ratios, of a rim's edges differ, and so far
at least do their widths."""
_UPRIGHT_DEG: Final = 25.0
"""Cameras are seldom rolled more; what leans farther is no rim."""
_FOCAL: Final = 1.1
"""Of the picture's longer side: what cameras' focal lengths are about."""


@dataclass(frozen=True, slots=True)
class Tray:
    """A round tray in a picture.

    Attributes:
        centre_xy: the middle of its rim.
        size_wh: the longer and the shorter axis.
        turn_deg: where the table's normal points, clockwise from straight up.
        picture_wh: the picture's size.
    """

    centre_xy: Point
    size_wh: tuple[float, float]
    turn_deg: float
    picture_wh: tuple[int, int]

    def upright(self, at_xy: Point) -> Upright:
        """Return how the table lies at the pixel *at_xy*: not known outside the tray."""
        x, y = at_xy[0] - self.centre_xy[0], at_xy[1] - self.centre_xy[1]
        angle = radians(self.turn_deg)
        across, along = x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)
        wide, high = self.size_wh
        if (2 * across / wide) ** 2 + (2 * along / high) ** 2 > 1:
            return Upright()
        sight, middle = self._ray(at_xy), self._ray(self.centre_xy)
        up = np.array([sin(angle), -cos(angle), 0.0])
        up -= up @ middle * middle
        slant = min(1.0, high / wide)
        normal = sqrt(1 - slant**2) * up / np.linalg.norm(up) - slant * middle
        right, low, away = normal - normal @ sight * sight
        right, low = right - sight[0] / sight[2] * away, low - sight[1] / sight[2] * away
        oblique = acos(float(np.clip(-normal @ sight, -1.0, 1.0)))
        return Upright(degrees(atan2(right, -low)), degrees(oblique))

    def _ray(self, at_xy: Point) -> NDArray[np.float64]:
        """Return the direction to what is seen at a pixel: right, down, away from the camera."""
        wide, high = self.picture_wh
        focal = _FOCAL * max(wide, high)
        ray = np.array([(at_xy[0] - wide / 2) / focal, (at_xy[1] - high / 2) / focal, 1.0])
        return ray / float(np.linalg.norm(ray))


def find_tray(pixels: Picture) -> Tray | None:
    """Return the round tray in the picture, the widest rim of it; None where none is seen."""
    height, width = pixels.shape[:2]
    scale = min(1.0, _LONG_SIDE_PX / max(height, width))
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 1)
    edges = np.asarray(cv2.max(cv2.max(*_edges(soft, (0, 1))), _edges(soft, (2,))[0]), np.uint8)
    apart = np.asarray(cv2.distanceTransform(255 - edges, cv2.DIST_L2, 3), np.float32)
    chains, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    rims = [
        tray
        for chain in chains
        if len(chain) >= _LEAST_CHAIN_PX and (tray := _ellipse(chain, apart)) is not None
    ]
    best: Tray | None = None
    for one, other in combinations(rims, 2):
        outer = max(one, other, key=lambda tray: tray.size_wh[0])
        if _same_rim(one, other) and (best is None or outer.size_wh[0] > best.size_wh[0]):
            best = outer
    if best is None:
        return None
    x, y = ((v + 0.5) / scale - 0.5 for v in best.centre_xy)
    wide, high = (v / scale for v in best.size_wh)
    return Tray((x, y), (wide, high), best.turn_deg, (width, height))


def _edges(picture: cv2.typing.MatLike, channels: tuple[int, ...]) -> list[cv2.typing.MatLike]:
    return [cv2.Canny(np.ascontiguousarray(picture[..., k]), *_CANNY) for k in channels]


def _ellipse(chain: cv2.typing.MatLike, apart: NDArray[np.float32]) -> Tray | None:
    """Return the ellipse through a chain of edges if it lies on edges all around."""
    (x, y), (short, long), lean_deg = cv2.fitEllipse(chain)
    least, most = (share * max(apart.shape) for share in _SIZES)
    if not (least < long < most and _RATIOS[0] < short / long < _RATIOS[1]):
        return None
    # The longer axis leans from straight up by lean_deg, the normal points along the shorter one.
    turn = lean_deg % 180 - 90
    if abs(turn) > _UPRIGHT_DEG:
        return None
    turns = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    a, b = np.cos(turns) * long / 2, np.sin(turns) * short / 2
    angle = radians(turn)
    columns = np.round(x + a * cos(angle) - b * sin(angle)).astype(int)
    rows = np.round(y + a * sin(angle) + b * cos(angle)).astype(int)
    high, wide = apart.shape
    inside = (columns >= 0) & (columns < wide) & (rows >= 0) & (rows < high)
    seen = apart[rows[inside], columns[inside]] < _ON_EDGE_PX
    if seen.sum() < _LEAST_SEEN * len(turns):
        return None
    return Tray((x, y), (long, short), turn, (wide, high))


def _same_rim(one: Tray, other: Tray) -> bool:
    long, ratio = one.size_wh[0], one.size_wh[1] / one.size_wh[0]
    return (
        dist(one.centre_xy, other.centre_xy) < _CONCENTRIC * long
        and abs(other.size_wh[1] / other.size_wh[0] - ratio) < _ALIKE
        and abs(other.size_wh[0] - long) > _LEAST_APART * long
    )
