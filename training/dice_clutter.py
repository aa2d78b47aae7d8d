"""Draw what stands on tables beside dice and is none."""

from collections.abc import Callable
from math import cos, radians, sin
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from training.dice_paints import BODIES, PAINTS, Canvas, Colour3, Placed, View, dice_paints, paint

Draw: TypeAlias = Callable[[np.random.Generator, Canvas, float, View], list[Placed]]


def spin(degrees: float) -> NDArray[np.float64]:
    """Return the turn by *degrees*, clockwise in a picture."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return np.array([[c, -s], [s, c]])


def _somewhere(rng: np.random.Generator, canvas: Canvas) -> tuple[float, float]:
    return float(rng.uniform(0, canvas.shape[1])), float(rng.uniform(0, canvas.shape[0]))


def _oval(
    canvas: Canvas,
    centre: tuple[float, float],
    radius: float,
    view: View,
    colour: Colour3,
    thick: int = -1,
) -> None:
    squash = max(0.45, cos(radians(view.oblique_deg)))
    axes = (max(1, round(radius * 16)), max(1, round(radius * squash * 16)))
    where = (round(centre[0] * 16), round(centre[1] * 16))
    points = np.array(cv2.ellipse2Poly(where, axes, int(view.up_deg), 0, 360, 6))
    if thick < 0:
        cv2.fillPoly(canvas, [points], colour.tolist(), cv2.LINE_AA, shift=4)
    else:
        cv2.polylines(canvas, [points], True, colour.tolist(), thick, cv2.LINE_AA, shift=4)


def _checker(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Paint a flat checker, plain, ringed, dotted or crowned, sometimes a few on each other."""
    x, y = _somewhere(rng, canvas)
    radius = side_px * rng.uniform(0.45, 1.6)
    colour = paint(rng, str(rng.choice(BODIES)))
    thickness = radius * rng.uniform(0.15, 0.5)
    lift = thickness * sin(radians(view.oblique_deg))
    shadow = canvas.copy()
    offset = rng.normal(0, 0.25 * radius, 2)
    _oval(shadow, (x + offset[0], y + offset[1]), radius, view, np.zeros(3, np.float32))
    blend = np.float32(rng.uniform(0.1, 0.6))
    canvas[:] = canvas * (1 - blend) + shadow * blend
    nx, ny = view.normal_xy
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        for step in np.linspace(0, 1, max(2, int(lift) + 1)):
            _oval(canvas, (x + nx * lift * step, y + ny * lift * step), radius, view, colour * 0.6)
        x, y = x + nx * lift, y + ny * lift
        _oval(canvas, (x, y), radius, view, colour)
    for share in sorted(rng.uniform(0.15, 0.95, int(rng.integers(0, 4))), reverse=True):
        tone = colour * np.float32(rng.uniform(0.5, 1.6))
        _oval(
            canvas, (x, y), radius * share, view, tone, max(1, int(rng.uniform(0.02, 0.1) * radius))
        )
    if rng.random() < 0.35:
        ink = paint(rng, str(rng.choice(list(PAINTS))))
        count = int(rng.integers(1, 7))
        ring = radius * rng.uniform(0.3, 0.6) if count > 1 else 0.0
        for k in range(count):
            angle = 2 * np.pi * k / count + rng.normal(0, 0.05)
            dot = (x + ring * cos(angle), y + ring * sin(angle) * cos(radians(view.oblique_deg)))
            _oval(canvas, dot, radius * rng.uniform(0.08, 0.2), view, ink)
    if rng.random() < 0.4:
        spot = (x + rng.normal(0, radius / 3), y + rng.normal(0, radius / 3))
        _oval(canvas, spot, radius * rng.uniform(0.05, 0.3), view, np.ones(3, np.float32))
    return [Placed((x - radius, y - radius, 2 * radius, 2 * radius), 0)]


def _wall(rng: np.random.Generator, canvas: Canvas, side_px: float, _view: View) -> list[Placed]:
    """Paint the wall of a tray: a straight bar with a lit top and a shaded flank."""
    x, y = _somewhere(rng, canvas)
    angle = rng.uniform(0, np.pi)
    along = np.array([cos(angle), sin(angle)]) * canvas.shape[0] * 2
    colour = paint(rng, str(rng.choice(list(PAINTS))))
    width = max(1, int(side_px * rng.uniform(0.1, 0.7)))
    offset = np.array([-sin(angle), cos(angle)]) * width
    inside = paint(rng, str(rng.choice(list(PAINTS))))
    if rng.random() < 0.4:
        far = offset / width * canvas.shape[0] * 2
        spot = np.array([x, y])
        corners = np.array([spot - along, spot + along, spot + along + far, spot - along + far])
        cv2.fillPoly(canvas, [corners.astype(np.int32)], inside.tolist(), cv2.LINE_AA)
    for shift, tone in ((0.0, 0.5), (1.0, 1.0)):
        a = np.array([x, y]) - along + offset * shift
        b = np.array([x, y]) + along + offset * shift
        cv2.line(
            canvas,
            (int(a[0]), int(a[1])),
            (int(b[0]), int(b[1])),
            (colour * np.float32(tone)).tolist(),
            width,
            cv2.LINE_AA,
        )
    return [Placed((x - side_px, y - side_px, 2 * side_px, 2 * side_px), 0)]


def _bowl(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Paint a round tray seen at the table's angle."""
    x, y = _somewhere(rng, canvas)
    radius = side_px * rng.uniform(2.5, 6)
    colour = paint(rng, str(rng.choice(list(PAINTS))))
    nx, ny = view.normal_xy
    lift = side_px * rng.uniform(0.3, 1.3) * sin(radians(view.oblique_deg))
    floor = paint(rng, str(rng.choice(list(PAINTS))))
    _oval(canvas, (x, y), radius, view, colour * 0.7)
    _oval(canvas, (x - nx * lift, y - ny * lift), radius * 0.93, view, floor)
    _oval(canvas, (x, y), radius, view, colour, max(1, int(0.15 * side_px)))
    return []


def _letters(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Print letters or digits, thin or bold: a closed one with its hole is much like a one."""
    x, y = _somewhere(rng, canvas)
    letters = _CLOSED if rng.random() < 0.6 else _OPEN
    text = "".join(rng.choice(list(letters), int(rng.choice([1, 1, 1, 2, 3]))))
    ink = paint(rng, str(rng.choice(list(PAINTS))))
    height = side_px * rng.uniform(0.5, 1.8)
    font = int(rng.choice([0, 0, 2, 3, 4]))
    scale = float(height / 22)
    thick = max(1, round(height * rng.uniform(0.06, 0.3)))
    large = np.zeros((canvas.shape[0], canvas.shape[1]), np.uint8)
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    start = (int(x - wide / 2), int(y + high / 2))
    cv2.putText(large, text, start, font, scale, 255, thick, cv2.LINE_AA)
    turn = rng.choice([0, 90, 180, 270]) + rng.normal(0, 12) if rng.random() < 0.6 else 0.0
    squash = np.diag([1, max(0.45, cos(radians(view.oblique_deg)))])
    linear = squash @ spin(float(turn))
    offset = np.array([x, y]) - linear @ np.array([x, y])
    matrix = np.hstack([linear, offset[:, None]])
    printed = cv2.warpAffine(large, matrix, (canvas.shape[1], canvas.shape[0]))
    share = (printed.astype(np.float32) / 255)[..., None]
    if rng.random() < 0.4:
        _plate(rng, canvas, (x, y), (wide, high))
    canvas[:] = canvas * (1 - share) + ink * share
    box = max(wide, high)
    return [Placed((x - box / 2, y - box / 2, box, box), 0)]


_CLOSED: Final = "ABDOPQR04689abdegopq"
_OPEN: Final = "CEFGHIJKLMNSTUVWXYZ12357cfhijklmnrstuvwxyz"


def _plate(
    rng: np.random.Generator,
    canvas: Canvas,
    centre_xy: tuple[float, float],
    size_wh: tuple[float, float],
) -> None:
    """Lay a plain border or label under a print."""
    x, y = centre_xy
    half = max(size_wh) * rng.uniform(0.6, 1.5)
    long = half if rng.random() < 0.4 else 4 * max(canvas.shape[:2])
    corners = np.array([(-long, -half), (long, -half), (long, half), (-long, half)])
    corners = corners @ spin(float(rng.choice([0, 90]) + rng.normal(0, 5))).T + (x, y)
    tone = paint(rng, str(rng.choice(list(PAINTS))))
    cv2.fillPoly(canvas, [(corners * 16).astype(np.int32)], tone.tolist(), cv2.LINE_AA, shift=4)


def _rings(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Turn a thing on a lathe: a grooved checker, a pawn from above, a coin, a knob, a screw.

    Every groove gleams towards the lamp and opposite it: two pips, seemingly.
    """
    x, y = _somewhere(rng, canvas)
    radius = side_px * rng.uniform(0.4, 1.5)
    squash = max(0.45, cos(radians(view.oblique_deg)))
    colour = paint(rng, str(rng.choice(BODIES)))
    reach = int(radius * 1.6) + 2
    left, top = int(x) - reach, int(y) - reach
    part = canvas[max(0, top) : top + 2 * reach, max(0, left) : left + 2 * reach]
    if part.size == 0:
        return []
    rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]].astype(np.float32)
    right, low = columns + max(0, left) - x, (rows + max(0, top) - y) / squash
    apart, around = np.hypot(right, low) / radius, np.arctan2(low, right)
    knots = np.sort(rng.uniform(0, 1, int(rng.integers(2, 8))))
    slope = np.interp(apart, knots, rng.normal(0, 1, len(knots)))
    lamp = rng.uniform(0, 2 * np.pi)
    lit = 0.75 + rng.uniform(0.1, 0.5) * slope * np.cos(around - lamp)
    gleam = np.clip(np.abs(slope) * np.cos(around - lamp), 0, 1)
    opposite = np.clip(np.abs(slope) * np.cos(around - lamp + np.pi), 0, 1)
    power = 10 ** rng.uniform(0.5, 1.6)
    shine = rng.choice([0, 1]) * rng.uniform(0, 1.3) * (gleam**power + 0.7 * opposite**power)
    hole = rng.random() < 0.3
    albedo = np.broadcast_to(colour, (*apart.shape, 3)).copy()
    if hole:  # a hole, a dot or a crown's middle
        albedo[apart < rng.uniform(0.08, 0.3)] = paint(rng, str(rng.choice(list(PAINTS))))
    shown = albedo * np.clip(lit, 0.1, 1.4)[..., None] + shine[..., None]
    cover = np.clip((1 - apart) * radius * 0.8 + 0.5, 0, 1)[..., None]
    shadow = np.clip(1.35 - np.hypot(right - 0.15 * radius, low - 0.15 * radius) / radius, 0, 0.5)
    part[:] = part * (1 - 0.8 * shadow[..., None])
    part[:] = part * (1 - cover) + shown.astype(np.float32) * cover
    return [Placed((x - radius, y - radius, 2 * radius, 2 * radius), 0)]


def _pawn(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Stand a turned piece there, taller than wide: a chess piece, a cork, a bottle's neck."""
    x, y = _somewhere(rng, canvas)
    base = side_px * rng.uniform(0.5, 1.3)
    colour = paint(rng, str(rng.choice(BODIES)))
    levels = np.linspace(0, 1, int(rng.integers(8, 22)))
    knots = np.sort(np.append(rng.uniform(0, 1, 3), (0.0, 1.0)))
    widths = np.interp(levels, knots, np.append(1.0, rng.uniform(0.25, 0.9, 4)))
    nx, ny = view.normal_xy
    lift = base * rng.uniform(0.8, 3.0) * max(0.1, sin(radians(view.oblique_deg)))
    _oval(canvas, (x + 0.2 * base, y + 0.2 * base), base * 1.05, view, colour * 0.25)
    for level, width in zip(levels, widths, strict=True):
        tone = np.float32(0.45 + 0.55 * level + rng.normal(0, 0.05))
        _oval(
            canvas,
            (x + nx * lift * level, y + ny * lift * level),
            base * width,
            view,
            colour * tone,
        )
    head = (x + nx * lift, y + ny * lift)
    _oval(canvas, head, base * widths[-1] * 0.8, view, np.clip(colour * 1.1, 0, 1.1))
    if rng.random() < 0.6:  # a hole, a dot or a gleam on its head
        ink = np.ones(3, np.float32) if rng.random() < 0.4 else colour * np.float32(0.3)
        _oval(canvas, head, base * widths[-1] * rng.uniform(0.15, 0.45), view, ink)
    box = 2 * base * max(float(widths[-1]), 0.3) * rng.uniform(1.0, 1.8)
    return [Placed((head[0] - box / 2, head[1] - box / 2, box, box), 0)]


def _button(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Lay a round thing with holes in a layout of pips: a button, a socket, a plug's end."""
    x, y = _somewhere(rng, canvas)
    radius = side_px * rng.uniform(0.35, 0.9)
    body, pips, _ = dice_paints(rng)
    _oval(canvas, (x + 0.1 * radius, y + 0.15 * radius), radius, view, body * 0.3)
    _oval(canvas, (x, y), radius, view, body)
    _oval(canvas, (x, y), radius * 0.8, view, body * np.float32(rng.uniform(0.7, 1.2)), 1)
    count = int(rng.choice([1, 2, 3, 4, 4, 5]))
    ring = 0.0 if count == 1 else radius * rng.uniform(0.25, 0.5)
    start = rng.uniform(0, 2 * np.pi)
    squash = cos(radians(view.oblique_deg))
    for k in range(count):
        angle = start + 2 * np.pi * k / count
        dot = (x + ring * cos(angle), y + ring * sin(angle) * squash)
        _oval(canvas, dot, radius * rng.uniform(0.1, 0.2), view, pips)
    return [Placed((x - radius, y - radius, 2 * radius, 2 * radius), 0)]


def _domino(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Paint a flat card or tile, with or without dots that are in no face's layout alone."""
    x, y = _somewhere(rng, canvas)
    half = side_px * rng.uniform(0.4, 1.0)
    long = half * rng.uniform(1.0, 2.4)
    body, pips, _ = dice_paints(rng)
    squash = np.diag([1, max(0.45, cos(radians(view.oblique_deg)))])
    linear = spin(view.up_deg) @ squash @ spin(rng.uniform(0, 360))
    corners = np.array([(-long, -half), (long, -half), (long, half), (-long, half)]) @ linear.T + (
        x,
        y,
    )
    cv2.fillPoly(canvas, [(corners * 16).astype(np.int32)], body.tolist(), cv2.LINE_AA, shift=4)
    for _ in range(int(rng.choice([0, 0, int(rng.integers(1, 14))]))):
        dot = linear @ np.array([rng.uniform(-long, long), rng.uniform(-half, half)]) * 0.8 + (x, y)
        _oval(canvas, (float(dot[0]), float(dot[1])), half * rng.uniform(0.1, 0.2), view, pips)
    if long > 1.7 * half:
        ends = linear @ np.array([[0, 0], [-half, half]]) + np.array([[x], [y]])
        cv2.line(
            canvas,
            tuple(int(v) for v in ends[:, 0]),
            tuple(int(v) for v in ends[:, 1]),
            pips.tolist(),
            1,
        )
    return [Placed((x - half, y - half, 2 * half, 2 * half), 0)]


def _dots(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Paint a few dots straight on the table: knots, crumbs, printed marks."""
    x, y = _somewhere(rng, canvas)
    ink = paint(rng, str(rng.choice(list(PAINTS))))
    for _ in range(int(rng.integers(1, 6))):
        dot = (x + rng.normal(0, 0.4) * side_px, y + rng.normal(0, 0.4) * side_px)
        _oval(canvas, dot, side_px * rng.uniform(0.05, 0.2), view, ink)
    return [Placed((x - side_px * 0.6, y - side_px * 0.6, side_px * 1.2, side_px * 1.2), 0)]


def _cube(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Paint a plain block, without pips."""
    x, y = _somewhere(rng, canvas)
    half = side_px * rng.uniform(0.3, 1.2)
    colour = paint(rng, str(rng.choice(BODIES)))
    squash = np.diag([1, max(0.45, cos(radians(view.oblique_deg)))])
    linear = spin(view.up_deg) @ squash @ spin(rng.uniform(0, 360))
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ linear.T
    lift = np.array(view.normal_xy) * 2 * half * sin(radians(view.oblique_deg))
    foot = square + np.array([x, y])
    head = foot + lift
    for k in range(4):
        side = np.array([foot[k], foot[k - 1], head[k - 1], head[k]])
        tone = np.float32(rng.uniform(0.3, 0.9))
        cv2.fillPoly(
            canvas, [(side * 16).astype(np.int32)], (colour * tone).tolist(), cv2.LINE_AA, shift=4
        )
    cv2.fillPoly(canvas, [(head * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, shift=4)
    return [Placed((x - half, y - half, 2 * half, 2 * half), 0)]


def _skin(rng: np.random.Generator, canvas: Canvas, side_px: float, _view: View) -> list[Placed]:
    """Paint something like a finger or a sleeve."""
    x, y = _somewhere(rng, canvas)
    colour = np.array([0.45, 0.6, 0.85], np.float32) * np.float32(rng.uniform(0.3, 1.05))
    angle = rng.uniform(0, 2 * np.pi)
    length = side_px * rng.uniform(1, 6)
    end = (int(x + cos(angle) * length), int(y + sin(angle) * length))
    width = max(2, int(side_px * rng.uniform(0.5, 1.6)))
    cv2.line(canvas, (int(x), int(y)), end, (colour * 0.8).tolist(), width, cv2.LINE_AA)
    cv2.line(canvas, (int(x), int(y)), end, colour.tolist(), max(1, width // 2), cv2.LINE_AA)
    return [Placed((x - width / 2, y - width / 2, width, width), 0)]


def _shade(rng: np.random.Generator, canvas: Canvas, side_px: float, _view: View) -> list[Placed]:
    """Cast a shadow's edge or a pool of light over part of the table."""
    height, width = canvas.shape[:2]
    mask = np.zeros((height, width), np.float32)
    x, y = _somewhere(rng, canvas)
    points = np.array([(x, y)]) + rng.normal(0, height * 0.5, (4, 2))
    cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.float32)).astype(np.int32)], 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, float(side_px * rng.uniform(0.02, 0.6))))
    canvas *= 1 + np.asarray(soft, np.float32)[..., None] * np.float32(rng.uniform(-0.7, 0.7))
    return []


def _glare(rng: np.random.Generator, canvas: Canvas, side_px: float, _view: View) -> list[Placed]:
    height, width = canvas.shape[:2]
    x, y = _somewhere(rng, canvas)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = side_px * rng.uniform(0.2, 2.5)
    spot = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * reach**2))
    canvas += spot[..., None] * np.float32(rng.uniform(0.2, 1.0))
    return [Placed((x - side_px / 2, y - side_px / 2, side_px, side_px), 0)]


CLUTTER: Final[tuple[Draw, ...]] = (
    _checker,
    _checker,
    _rings,
    _rings,
    _rings,
    _wall,
    _wall,
    _bowl,
    _letters,
    _letters,
    _letters,
    _domino,
    _dots,
    _button,
    _pawn,
    _pawn,
    _cube,
    _skin,
    _shade,
    _shade,
    _glare,
)
