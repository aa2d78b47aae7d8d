"""The tops of checkers on one rectified board: where they are, and how sure that is.

Every place around which the edges run is a candidate (`vision.rims`). What is seen there is put
into a few numbers, edges around and rings inside, what differs from the empty board and how evenly,
and a logistic model makes a probability of them. Its weights were fitted on boards drawn by
`training.drawn_boards` (`training.learn_squares`), never on photographs.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation
from vision.emptyboard import EmptyBoard, Floats, guess_empty, shade_distance
from vision.frame import Picture
from vision.rectify import rectify
from vision.rims import COARSE, FINE, Edges, common_radius, find_edges, is_peak, rim_scores

SQUARE_PX: Final = 64
"""The side of a square on the rectified board, in pixels; more where checkers are small."""
MARGIN: Final = 1.5
"""Around the field, in squares: the top of a tower at the edge is seen beyond it."""

_RINGS_FROM: Final = 0.3
_RADIUS_PX: Final = 25.0
_FINEST_PX: Final = 96.0
_LEAST_SCORE: Final = 0.05
_LEAST_LEVEL: Final = 0.05
_DIM: Final = 35.0
_IN_THE_DARK: Final = 0.3
_LEAST_LIKE: Final = 12
_SURE_ODDS: Final = 2.0
_RINGED: Final = 1.2
_LEAST_SPREAD: Final = 0.8
_FAR_ABOVE, _MOST_ABOVE = 2.5, 3.0
_RAISE: Final = 1.5
"""How far above the usual, in spreads, counts, and up to how much more; what each adds in nats."""
_APART: Final = 1.6
"""Two tops are at least this many radii apart: nearer peaks are rings, walls or shadows of one."""
_INSIDE: Final = 0.85
_SHADES: Final = (0.25, 1.05)
"""The light that a shadow leaves of what is there, from the least to none taken."""
_FINER: Final = 1.3
"""How much finer than the rectified board a picture is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """One rectified board and what its edges say.

    Attributes:
        lab: CIE L*a*b* with a margin of `MARGIN` squares, a1 at the bottom left, float32.
        residual: the same minus the guessed empty board; in the margin nothing is taken away.
        empty: the guessed empty board.
        shade: 1 for dark squares, else 0, going on into the margin.
        square_px: the side of a square.
        edges: fine ones.
        radius: of the checkers, in squares.
        rim: how well a circle of that radius is seen around each pixel; grain counts little.
        fine_rim: the same where weak edges count as well.
        rings: the same for edges all over the disc.
    """

    lab: Floats
    residual: Floats
    empty: EmptyBoard
    shade: NDArray[np.uint8]
    square_px: int
    edges: Edges
    radius: float
    rim: Floats
    fine_rim: Floats
    rings: Floats

    @property
    def margin_px(self) -> int:
        """The margin in pixels."""
        return round(MARGIN * self.square_px)


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """The candidates for checkers' tops, the likeliest first.

    Attributes:
        seen_xy: where each seems to be on the board, in board coordinates, (n, 2).
        evidence: what is seen there, (n, 15), see `EVIDENCE`.
        lab: the median colour, CIE L*a*b*, (n, 3).
    """

    seen_xy: NDArray[np.float64]
    evidence: NDArray[np.float64]
    lab: Floats


_WEIGHTS: Final = (
    2.04,
    10.48,
    -0.98,
    1.85,
    0.39,
    -0.47,
    0.37,
    -0.73,
    0.49,
    0.94,
    0.85,
    -0.5,
    -0.29,
    0.65,
    0.91,
)
_BIAS: Final = -10.48
EVIDENCE: Final = (
    "rim",
    "fine rim",
    "rings",
    "above shade",
    "change",
    "clear",
    "part",
    "uneven",
    "no shadow",
    "radius",
    "fine rim standing out",
    "rings standing out",
    "dark",
    "fine rim standing out in the dark",
    "rings standing out in the dark",
)


def view_board(pixels: Picture, location: BoardLocation) -> BoardView:
    """Return what is to be known of the board at *location* before looking for checkers."""
    flat = _flatten(pixels, location, SQUARE_PX)
    coarse = find_edges(_halved(flat.residual), flat.shade[::2, ::2], SQUARE_PX // 2, COARSE)
    radius, rim = common_radius(coarse)
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
        rim=np.asarray(cv2.resize(rim, flat.shade.shape), dtype=np.float32),
        fine_rim=rim_scores(edges, radius),
        rings=rim_scores(edges, radius, _RINGS_FROM),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    lab: Floats
    residual: Floats
    empty: EmptyBoard
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
    residual[inner, inner] -= empty.lab
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
    side_px = float(np.sqrt(cv2.contourArea(corners))) / 8.0
    factor = _FINER * square_px / side_px
    if factor > 1.0 / _FINER:
        return pixels, location
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    moved = (corners + 0.5) * (small.shape[1] / pixels.shape[1]) - 0.5
    places = [(float(x), float(y)) for x, y in moved]
    return np.asarray(small, dtype=np.uint8), replace(
        location, corners=(places[0], places[1], places[2], places[3])
    )


def find_tops(view: BoardView) -> Tops:
    """Return every place that may be a checker's top, with what is seen there."""
    mixed: Floats = 0.5 * view.fine_rim + 0.5 * view.rings
    x, y = _candidates(mixed, view.radius, view.square_px)
    lab, evidence = _look(view, mixed, x, y)
    seen = np.column_stack((x + 0.5, -y - 0.5)) / view.square_px + (-MARGIN, 8.0 + MARGIN)
    return Tops(seen, evidence, lab)


def _candidates(
    scores: Floats, radius: float, square_px: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return x and y of the peaks of *scores*, the highest first, none near a higher one."""
    half = square_px // 2
    field = np.full_like(scores, -1.0)
    field[half:-half, half:-half] = scores[half:-half, half:-half]
    y, x = np.nonzero(is_peak(field, square_px // 4) & (field > _LEAST_SCORE))
    order = np.argsort(-field[y, x], kind="stable")
    y, x = y[order], x[order]
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < (_APART * radius * square_px) ** 2
    kept: list[int] = []
    for number in range(len(x)):
        if not near[number, kept].any():
            kept.append(number)
    return x[kept], y[kept]


def _look(
    view: BoardView, mixed: Floats, x: NDArray[np.intp], y: NDArray[np.intp]
) -> tuple[Floats, NDArray[np.float64]]:
    """Return the colours at the candidates, (n, 3), and their evidence, (n, 15)."""
    reach = int(_INSIDE * view.radius * view.square_px)
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = down**2 + right**2 <= reach**2
    last = len(view.lab) - 1
    rows = np.clip(y[:, None] + down[disc], 0, last)
    columns = np.clip(x[:, None] + right[disc], 0, last)
    inside, change = view.lab[rows, columns], view.residual[rows, columns]
    spread = np.array(view.empty.spread)[view.shade[rows, columns]]
    clear = np.linalg.norm(change / spread, axis=-1)
    lab = _without_gloss(inside)
    middle = np.median(inside, axis=1)
    uneven = np.median(np.linalg.norm(inside - middle[:, None], axis=-1), axis=1)
    levels = _shade_levels(view, mixed)[view.shade[y, x]]
    rim_out = _standing_out(view, view.fine_rim, x, y)
    rings_out = _standing_out(view, view.rings, x, y)
    # In the dark edges are faint, but so is the grain: what runs round there tells more.
    dark = np.clip(1.0 - lab[:, 0] / _DIM, 0.0, 1.0)
    evidence = np.column_stack(
        (
            view.rim[y, x],
            view.fine_rim[y, x],
            view.rings[y, x],
            np.log(np.maximum(mixed[y, x], _LEAST_LEVEL) / levels),
            np.log1p(np.linalg.norm(np.median(change, axis=1), axis=-1)),
            np.log1p(np.median(clear, axis=1)),
            np.mean(clear > 3.0, axis=1),
            np.log1p(uneven),
            np.log1p(np.median(shade_distance(inside, inside - change, *_SHADES), axis=1)),
            np.full(len(x), np.log(view.radius / 0.4)),
            rim_out,
            rings_out,
            dark,
            dark * rim_out,
            dark * rings_out,
        )
    )
    return lab.astype(np.float32), evidence.astype(np.float64)


def _without_gloss(inside: Floats) -> Floats:
    """Return the median colour of the darker half of each top, (n, 3): gloss only adds light."""
    darker = np.argsort(inside[..., 0], axis=1)[:, : inside.shape[1] // 2 + 1]
    kept = np.take_along_axis(inside, darker[..., None], axis=1)
    return np.asarray(np.median(kept, axis=1), dtype=np.float32)


def _shade_levels(view: BoardView, mixed: Floats) -> NDArray[np.float64]:
    """Return what the emptiest eighth of the light and of the dark squares score at best."""
    best = _best_of_squares(view, mixed)
    rank, file = np.mgrid[0:8, 0:8]
    dark = (rank + file) % 2 == 1
    levels = np.array([np.quantile(best[~dark], 0.125), np.quantile(best[dark], 0.125)])
    return np.asarray(np.maximum(levels, _LEAST_LEVEL), dtype=np.float64)


def _standing_out(
    view: BoardView, scores: Floats, x: NDArray[np.intp], y: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return how far scores are above what the emptier squares of this board differ by, (n,).

    On an even board little is much, on one with lively grain it is nothing.
    """
    best = _best_of_squares(view, scores)
    low, usual = np.quantile(best, (0.1, 0.3))
    above = (scores[y, x] - usual) / (usual - low + 0.01)
    return np.asarray(np.log1p(np.clip(above, 0.0, 20.0)), dtype=np.float64)


def _best_of_squares(view: BoardView, scores: Floats) -> Floats:
    """Return the highest score on each square, (8, 8), the top row first."""
    inner = scores[view.margin_px : -view.margin_px, view.margin_px : -view.margin_px]
    best: Floats = inner.reshape(8, view.square_px, 8, view.square_px).max(axis=(1, 3))
    return best


def top_chances(tops: Tops) -> NDArray[np.float64]:
    """Return the probability that each candidate is a checker's top, (n,)."""
    odds: NDArray[np.float64] = tops.evidence @ np.array(_WEIGHTS) + _BIAS
    odds = odds + _raised_in_the_dark(tops, odds)
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), dtype=np.float64)


def _raised_in_the_dark(tops: Tops, odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is added to the log odds of dark candidates that stand out among their like.

    A black checker on a black square is faint on every board; what tells it is that the empty
    squares of this very board are fainter still.
    """
    raised: NDArray[np.float64] = np.zeros(len(odds))
    on_board = np.all((tops.seen_xy > 0.0) & (tops.seen_xy < 8.0), axis=1)
    like = on_board & (tops.evidence[:, EVIDENCE.index("dark")] > _IN_THE_DARK)
    # Where no checker is sure their radius is not known, and rings of it mean nothing.
    if np.count_nonzero(odds[on_board] > _SURE_ODDS) >= 2 and np.count_nonzero(like) >= _LEAST_LIKE:
        low, usual = np.quantile(odds[like], (0.05, 0.3))
        above = (odds - usual) / max(usual - low, _LEAST_SPREAD)
        ringed = tops.evidence[:, EVIDENCE.index("rings standing out")] > _RINGED
        raise_by = _RAISE * np.clip(above - _FAR_ABOVE, 0.0, _MOST_ABOVE)
        raised = np.where(like & ringed, raise_by, 0.0)
    return raised
