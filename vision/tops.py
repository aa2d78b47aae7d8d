"""The tops of checkers on one rectified board: where they are, and how sure that is.

Every place around which the edges run is a candidate (`vision.rims`). What is seen there is put
into a few numbers, edges around and rings inside, what differs from the empty board and how evenly,
and a logistic model makes a probability of them. Its weights were fitted on boards drawn by formula
and on the simulated table (`training.learn_squares`), never on photographs.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.boardview import MARGIN, BoardView
from vision.emptyboard import Floats, shade_distance
from vision.rims import is_peak

_LEAST_SCORE: Final = 0.05
_LEAST_LEVEL: Final = 0.05
_DIM: Final = 35.0
"""Lightness below which a thing is the more in the dark, the darker it is."""
# Which are dark, how many it takes to compare them, what is sure, what has rings.
_IN_THE_DARK, _LEAST_LIKE, _SURE_ODDS, _RINGED = 0.3, 12, 2.0, 1.2
_LEAST_SPREAD: Final = 0.8
_FAR_ABOVE, _MOST_ABOVE = 2.5, 3.0
_RAISE: Final = 1.5
"""How far above the usual, in spreads, counts, and up to how much more; what each adds in nats."""
_APART: Final = 1.6
"""Two tops are at least this many radii apart: nearer peaks are rings, walls or shadows of one."""
_INSIDE: Final = 0.85
_SHADES: Final = (0.25, 1.05)
"""The light that a shadow leaves of what is there, from the least to none taken."""


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
    1.68,
    12.68,
    4.41,
    1.97,
    0.16,
    -0.18,
    -1.37,
    -0.27,
    0.07,
    2.48,
    0.57,
    -0.35,
    1.81,
    0.83,
    -0.05,
)
_BIAS: Final = -11.82
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
