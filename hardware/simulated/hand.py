"""A hand with its sleeve: rounded limbs melted together, traced ray by ray."""

import math
from typing import Final

import cv2
import numpy as np

from hardware.scene import Hand
from hardware.simulated.arrays import Flags, Floats, Pixels, Points, floats, unit
from hardware.simulated.camera import Camera, PixelBox
from hardware.simulated.light import linear, shade, to_screen
from hardware.simulated.parts import Bgr, LightLook
from hardware.simulated.patch import Patch, box_round

# Limbs from and to (out along the arm, to its left, up; squares), with the radius at both ends.
_SKIN_LIMBS: Final = np.array(
    [
        (0.02, -0.12, 0.24, 0.75, -0.22, 0.95, 0.16, 0.20),  # index finger
        (0.75, -0.22, 0.95, 1.75, -0.42, 1.28, 0.20, 0.25),
        (0.10, 0.16, 0.22, 0.78, 0.14, 1.05, 0.17, 0.21),  # middle finger
        (0.78, 0.14, 1.05, 1.80, 0.02, 1.36, 0.21, 0.26),
        (0.42, 0.46, 0.36, 0.98, 0.50, 1.08, 0.16, 0.20),  # ring finger
        (0.98, 0.50, 1.08, 1.90, 0.44, 1.30, 0.20, 0.25),
        (0.80, 0.80, 0.50, 1.28, 0.84, 1.02, 0.14, 0.17),  # little finger
        (1.28, 0.84, 1.02, 2.05, 0.80, 1.20, 0.17, 0.22),
        (0.10, -0.46, 0.28, 0.82, -0.82, 0.72, 0.18, 0.22),  # thumb
        (0.82, -0.82, 0.72, 2.10, -0.62, 1.08, 0.22, 0.36),
        (1.75, -0.36, 1.22, 3.20, -0.22, 1.28, 0.30, 0.44),  # palm
        (1.85, 0.10, 1.26, 3.20, 0.05, 1.32, 0.32, 0.44),
        (2.00, 0.60, 1.16, 3.20, 0.30, 1.28, 0.28, 0.42),
        (3.20, 0.04, 1.30, 4.40, 0.02, 1.50, 0.46, 0.52),  # wrist
    ],
    np.float32,
)
_SLEEVE_LIMBS: Final = np.array(
    [
        (4.00, 0.02, 1.45, 6.00, 0.10, 1.75, 0.72, 0.86),
        (6.00, 0.10, 1.75, 16.0, 0.60, 3.40, 0.86, 1.20),
    ],
    np.float32,
)
_MELT: Final = 0.1  # how far limbs flow into each other, in squares
_STEPS: Final = 16
_CLOSE: Final = 0.015
_COARSE: Final = 3  # pixels to a ray: a hand moves and is out of focus
_NEAREST: Final = 2.5  # how near the camera a limb is drawn, in squares
_PROBE: Final = 0.02


def limbs(hand: Hand, camera: Camera) -> Floats:
    """Return the limbs of a hand as balls at both ends, (n, 2, 4): x, y, z and radius.

    An arm that reaches past the camera is cut off in front of it; a hand that does has no limbs.
    """
    side = math.radians(hand.from_deg)
    out, left = (math.cos(side), math.sin(side)), (-math.sin(side), math.cos(side))
    tip_x, tip_y = hand.tips_xy
    own = np.concatenate([_SKIN_LIMBS, _SLEEVE_LIMBS])
    placed = np.empty((len(own), 2, 4), np.float32)
    for end in (0, 1):
        along, across, up = (own[:, 3 * end + i] for i in range(3))
        placed[:, end, 0] = tip_x + along * out[0] + across * left[0]
        placed[:, end, 1] = tip_y + along * out[1] + across * left[1]
        placed[:, end, 2] = up
        placed[:, end, 3] = own[:, 6 + end]
    room = camera.depth(placed[..., :3].astype(np.float64)).reshape(-1, 2) - _NEAREST
    if room[: len(_SKIN_LIMBS)].min() <= 0:
        return placed[:0]
    cut = np.flatnonzero(room[:, 1] <= 0)
    kept = floats(room[cut, 0] / (room[cut, 0] - room[cut, 1]))[:, None]
    placed[cut, 1] = placed[cut, 0] + kept * (placed[cut, 1] - placed[cut, 0])
    return placed[room[:, 0] > 0]


def draw_hand(hand: Hand, skin: Bgr, sleeve: Bgr, light: LightLook, camera: Camera) -> Patch | None:
    """Draw a hand as the camera sees it; None where it is outside the picture."""
    balls = limbs(hand, camera)
    box = box_round(outlines(balls, camera).reshape(-1, 2), camera) if len(balls) else None
    if box is None:
        return None
    rays = camera.rays(box, 1 / _COARSE)
    shape = rays.shape[:2]
    to_eye = unit(-rays).reshape(-1, 3)
    seen = _mask(balls, box, shape, camera).ravel() > 0
    point, hit = _trace(balls, -to_eye, seen, camera)
    shown = np.zeros_like(point)
    albedo = _albedo(point[hit], balls, (skin, sleeve))
    shown[hit] = shade(albedo, _normals(point[hit], balls), point[hit], to_eye[hit], light, 0.06)
    return _enlarged(box, shown.reshape(*shape, 3), hit.reshape(shape))


def outlines(balls: Floats, camera: Camera) -> Points:
    """Return points round each limb in pixels, (limbs, points, 2); their hull is what is seen."""
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    round_xyz = np.cos(angle)[:, None] * camera.axes[0] + np.sin(angle)[:, None] * camera.axes[1]
    ends = balls[:, :, None, :3] + balls[:, :, None, 3:] * 1.03 * round_xyz
    return camera.project(ends).reshape(len(balls), 2 * len(angle), 2)


def _albedo(points: Floats, balls: Floats, skin_and_sleeve: tuple[Bgr, Bgr]) -> Floats:
    """Return the linear colours of points of a hand: skin, or a sleeve with folds."""
    skin, sleeve = (linear(bgr) for bgr in skin_and_sleeve)
    split = len(_SKIN_LIMBS)
    bare = (_gap(points, balls[:split]) < _gap(points, balls[split:]))[:, None]
    fold = 1 + 0.12 * np.sin(7 * points[:, :1] + 5 * points[:, 1:2])
    return floats(np.where(bare, skin, sleeve * fold))


def _enlarged(box: PixelBox, shown: Floats, hit: Flags) -> Patch:
    """Make a patch of coarse linear colours, its edge as soft as that of a moving hand."""
    cover = hit.astype(np.float32)[..., None]
    both = np.dstack([to_screen(shown).astype(np.float32) * cover, cover])
    soft = cv2.GaussianBlur(both, (0, 0), 0.8)
    large = cv2.resize(soft, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_LINEAR)
    large = large[: box[3], : box[2]]
    return Patch(box, floats(large[..., :3]), floats(large[..., 3:]))


def _trace(balls: Floats, rays: Floats, seen: Flags, camera: Camera) -> tuple[Floats, Flags]:
    """Follow unit *rays* (n, 3), those that are *seen* to matter, to the hand (Hart 1996)."""
    eye = camera.place.astype(np.float32)
    ceiling = float((balls[..., 2] + balls[..., 3]).max()) + _MELT
    reach = np.maximum((np.float32(ceiling) - eye[2]) / rays[:, 2], 0)
    hit = np.zeros(len(rays), bool)
    going = np.flatnonzero(seen)
    for _ in range(_STEPS):
        gap = _gap(eye + reach[going, None] * rays[going], balls)
        reach[going] += gap
        close = gap < _CLOSE
        hit[going[close]] = True
        low = eye[2] + reach[going] * rays[going, 2] < -0.5
        going = going[~close & ~low]
        if not going.size:
            break
    return floats(eye + reach[:, None] * rays), hit


def _gap(points: Floats, balls: Floats) -> Floats:
    """Return how far points (n, 3) are from limbs that melt into each other (Quilez 2013)."""
    gap = np.full(len(points), 9, np.float32)
    for (ax, ay, az, start_radius), (bx, by, bz, end_radius) in balls:
        dx, dy, dz = bx - ax, by - ay, bz - az
        x, y, z = points[:, 0] - ax, points[:, 1] - ay, points[:, 2] - az
        share = (x * dx + y * dy + z * dz) / (dx * dx + dy * dy + dz * dz)
        share = np.minimum(np.maximum(share, 0), 1)  # in half the time that `clip` takes
        x, y, z = x - share * dx, y - share * dy, z - share * dz
        radius = start_radius + share * (end_radius - start_radius)
        limb = np.sqrt(x * x + y * y + z * z) - radius
        melted = np.maximum(_MELT - np.abs(gap - limb), 0)
        gap = np.minimum(gap, limb) - melted * melted / np.float32(4 * _MELT)
    return gap


def _normals(points: Floats, balls: Floats) -> Floats:
    steps = np.eye(3, dtype=np.float32) * _PROBE
    here = _gap(points, balls)
    normal = np.stack([_gap(points + step, balls) - here for step in steps], axis=1)
    return unit(floats(normal))


def _mask(balls: Floats, box: PixelBox, shape: tuple[int, int], camera: Camera) -> Pixels:
    """Return which coarse pixels of a box any limb may cover."""
    mask = np.zeros(shape, np.uint8)
    for points in outlines(balls + floats([0, 0, 0, _MELT / 3]), camera):
        hull = cv2.convexHull(((points - box[:2]) / _COARSE).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255)
    return mask
