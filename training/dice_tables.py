"""Draw tables on which no die lies yet, and what may stand on them."""

from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.dice_paints import (
    BODIES,
    PAINTS,
    Canvas,
    Colour3,
    Placed,
    View,
    blobs,
    dice_paints,
    paint,
    streaks,
)


def draw_table(
    rng: np.random.Generator, size_px: int, side_px: float, view: View, clutter: float = 1.0
) -> tuple[Canvas, list[Placed]]:
    """Return a table without dice and what stands on it; a die's side would be *side_px* long."""
    canvas = _ground(rng, size_px, side_px, view)
    things: list[Placed] = []
    for _ in range(int(rng.poisson(1.6 * clutter))):
        draw = _CLUTTER[int(rng.integers(len(_CLUTTER)))]
        things += draw(rng, canvas, side_px, view)
    return canvas, things


def _ground(rng: np.random.Generator, size_px: int, side_px: float, view: View) -> Canvas:
    size = int(size_px * 1.6)
    kind = int(rng.integers(9))
    first = np.clip(rng.beta(0.8, 0.9, 3) * 0.9 + 0.03, 0, 1).astype(np.float32)
    if rng.random() < 0.55:
        first = paint(rng, str(rng.choice(list(PAINTS))))
    if rng.random() < 0.25:
        grey = rng.uniform(0.03, 0.9) * (1 + rng.normal(0, 0.05, 3))
        first = np.asarray(grey, np.float32)
    second = paint(rng, str(rng.choice(list(PAINTS))))
    ground: Canvas = np.broadcast_to(first, (size, size, 3)).copy()
    if kind == 0:
        ground *= 1 + 0.1 * blobs(rng, size, side_px)[..., None]
    elif kind == 1:  # cloth
        ground *= 1 + rng.uniform(0.1, 0.5) * blobs(rng, size, max(1, 0.05 * side_px))[..., None]
        ground *= 1 + 0.25 * blobs(rng, size, 2 * side_px)[..., None]
    elif kind == 2:  # carpet
        ground *= (
            1
            + rng.uniform(0.3, 0.9) * blobs(rng, size, rng.uniform(0.05, 0.3) * side_px)[..., None]
        )
    elif kind == 3:  # wood
        grain = streaks(rng, size, rng.uniform(0.05, 0.7) * side_px)
        ground *= 1 + rng.uniform(0.1, 0.6) * grain[..., None]
    elif kind in (4, 5, 6):  # squares of a board, two woods or two prints
        cell = side_px * rng.uniform(1.6, 4.2)
        ground = _checked(rng, ground, second, cell)
        ground *= 1 + rng.uniform(0, 0.35) * streaks(rng, size, 0.1 * side_px + 1)[..., None]
    elif kind == 7:  # gingham, stripes
        cell = side_px * rng.uniform(0.3, 1.5)
        y, x = np.mgrid[0:size, 0:size]
        weight = ((x // cell) % 2 + ((y // cell) % 2 if rng.random() < 0.7 else 0)) / 2
        ground = ground * (1 - weight[..., None]) + second * weight[..., None]
        ground = ground.astype(np.float32)
    else:  # stone, or a cloth with dots
        if rng.random() < 0.6:
            ground *= 1 + 0.6 * np.abs(blobs(rng, size, rng.uniform(0.3, 2) * side_px))[..., None]
        else:
            gap, radius = side_px * rng.uniform(0.4, 1.5), side_px * rng.uniform(0.07, 0.2)
            for y in np.arange(0, size, gap):
                for x in np.arange(0, size, gap):
                    centre = (int(x + rng.normal(0, gap * 0.1)), int(y))
                    cv2.circle(
                        ground, centre, max(1, int(radius)), second.tolist(), -1, cv2.LINE_AA
                    )
    middle = (size - 1) / 2
    turn = _spin(rng.uniform(0, 360))
    squash = np.diag([1, max(0.45, cos(radians(view.oblique_deg)))])
    linear = _spin(view.up_deg) @ squash @ turn
    offset = np.array([(size_px - 1) / 2] * 2) - linear @ np.array([middle, middle])
    matrix = np.hstack([linear, offset[:, None]])
    flat = cv2.warpAffine(
        ground, matrix, (size_px, size_px), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    )
    return np.clip(flat, 0, 1.2).astype(np.float32)


def _spin(degrees: float) -> NDArray[np.float64]:
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return np.array([[c, -s], [s, c]])


def _checked(rng: np.random.Generator, ground: Canvas, second: Colour3, cell: float) -> Canvas:
    size = len(ground)
    start = rng.uniform(0, 2 * cell, 2)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    odd = (np.floor((x + start[0]) / cell) + np.floor((y + start[1]) / cell)) % 2
    edge = rng.uniform(-0.3, 1.0) * size
    odd[x > edge if edge > 0 else x < -1] = int(rng.random() < 0.5)
    if rng.random() < 0.3:
        line = (x + start[0]) % cell < max(1, 0.03 * cell)
        odd[line] = 0.5
    return np.asarray(ground * (1 - odd[..., None]) + second * odd[..., None], np.float32)


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


def _letters(rng: np.random.Generator, canvas: Canvas, side_px: float, _view: View) -> list[Placed]:
    x, y = _somewhere(rng, canvas)
    text = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(1, 4))))
    ink = paint(rng, str(rng.choice(list(PAINTS))))
    scale = float(side_px / 22 * rng.uniform(0.5, 1.6))
    thick = max(1, int(scale * rng.uniform(1, 3)))
    cv2.putText(
        canvas,
        text,
        (int(x), int(y)),
        int(rng.integers(0, 8)),
        scale,
        ink.tolist(),
        thick,
        cv2.LINE_AA,
    )
    return [Placed((x, y - 22 * scale, 22 * scale, 22 * scale), 0)]


def _domino(rng: np.random.Generator, canvas: Canvas, side_px: float, view: View) -> list[Placed]:
    """Paint a flat card or tile, with or without dots that are in no face's layout alone."""
    x, y = _somewhere(rng, canvas)
    half = side_px * rng.uniform(0.4, 1.0)
    long = half * rng.uniform(1.0, 2.4)
    body, pips, _ = dice_paints(rng)
    squash = np.diag([1, max(0.45, cos(radians(view.oblique_deg)))])
    linear = _spin(view.up_deg) @ squash @ _spin(rng.uniform(0, 360))
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
    linear = _spin(view.up_deg) @ squash @ _spin(rng.uniform(0, 360))
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


_CLUTTER: Final = (
    _checker,
    _checker,
    _checker,
    _wall,
    _wall,
    _bowl,
    _letters,
    _domino,
    _dots,
    _cube,
    _skin,
    _shade,
    _shade,
    _glare,
)
