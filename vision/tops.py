"""The tops of checkers on one rectified board: where they are, and how sure that is.

Every place around which the edges run is a candidate (`vision.rims`). What is seen there is put
into a few numbers: edges around and rings inside, how round it is (`vision.roundness`), how even
and how dark; and a logistic model makes a probability of them. Its weights were fitted on boards
drawn by formula and on the simulated table (`training.learn_squares`), never on photographs.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.boardview import MARGIN, BoardView
from vision.emptyboard import Floats, shade_distance
from vision.rims import is_peak
from vision.roundness import Roundness, roundness

_LEAST_SCORE: Final = 0.05
_LEAST_LEVEL: Final = 0.05
_DIM: Final = 35.0
"""Lightness below which a thing is the more in the dark, the darker it is."""
_APART: Final = 1.6
"""Two tops are at least this many radii apart: nearer peaks are rings, walls or shadows of one."""
_NEAR: Final = 0.5
"""In radii: a shadow draws the rim's middle aside, rings have theirs up to so far away."""
_INSIDE: Final = 0.85
_SHADES: Final = (0.25, 1.05)
"""The light that a shadow leaves of what is there, from the least to none taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """The candidates for checkers' tops, the likeliest first.

    Attributes:
        seen_xy: where each seems to be on the board, in board coordinates, (n, 2).
        evidence: what is seen there, (n, 10), see `EVIDENCE`.
        lab: the median colour, CIE L*a*b*, (n, 3).
    """

    seen_xy: NDArray[np.float64]
    evidence: NDArray[np.float64]
    lab: Floats


_WEIGHTS: Final = (9.29, 1.7, -1.02, 0.33, 2.4, 0.86, 0.76, 0.86, 1.49, 1.34)
_BIAS: Final = -11.0
EVIDENCE: Final = (
    "fine rim",
    "above shade",
    "uneven",
    "no shadow",
    "radius",
    "dark",
    "round face",
    "round rim",
    "round face standing out",
    "round face in the dark",
)


def find_tops(view: BoardView) -> Tops:
    """Return every place that may be a checker's top, with what is seen there."""
    mixed: Floats = 0.5 * view.fine_rim + 0.5 * view.rings
    x, y = _candidates(mixed, view.radius, view.square_px)
    around = _roundness(view, x, y)
    lab, evidence = _look(view, mixed, x, y, around)
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


def _roundness(view: BoardView, x: NDArray[np.intp], y: NDArray[np.intp]) -> Roundness:
    """Return how round it is about candidates, or about the rings nearest to each."""
    reach = round(_NEAR * view.radius * view.square_px)
    steps = np.arange(-reach, reach + 1)
    windows = view.rings[y[:, None, None] + steps[:, None], x[:, None, None] + steps]
    down, right = np.divmod(np.argmax(windows.reshape(len(x), len(steps) ** 2), axis=1), len(steps))
    starts = np.column_stack((x, y)).astype(np.float64)
    ringed = starts + np.column_stack((right, down)) - reach
    brightness = np.ascontiguousarray(view.residual[..., 0])
    return roundness(brightness, (starts, ringed), view.radius * view.square_px)


def _look(
    view: BoardView,
    mixed: Floats,
    x: NDArray[np.intp],
    y: NDArray[np.intp],
    around: Roundness,
) -> tuple[Floats, NDArray[np.float64]]:
    """Return the colours at the candidates, (n, 3), and their evidence, (n, 10)."""
    reach = int(_INSIDE * view.radius * view.square_px)
    # Every other row and column tells enough.
    down, right = np.mgrid[-reach : reach + 1 : 2, -reach : reach + 1 : 2]
    disc = down**2 + right**2 <= reach**2
    last = len(view.lab) - 1
    rows = np.clip(y[:, None] + down[disc], 0, last)
    columns = np.clip(x[:, None] + right[disc], 0, last)
    inside, change = view.lab[rows, columns], view.residual[rows, columns]
    lab = _without_gloss(inside)
    middle = np.median(inside, axis=1)
    uneven = np.median(np.linalg.norm(inside - middle[:, None], axis=-1), axis=1)
    levels = _shade_levels(view, mixed)[view.shade[y, x]]
    usual = np.median(around.face) if len(x) else 0.0
    # In the dark edges are faint, but so is the grain: what runs round there tells more.
    dark = np.clip(1.0 - lab[:, 0] / _DIM, 0.0, 1.0)
    evidence = np.column_stack(
        (
            view.fine_rim[y, x],
            np.log(np.maximum(mixed[y, x], _LEAST_LEVEL) / levels),
            np.log1p(uneven),
            np.log1p(np.median(shade_distance(inside, inside - change, *_SHADES), axis=1)),
            np.full(len(x), np.log(view.radius / 0.4)),
            dark,
            around.face,
            around.rim,
            around.face - usual,
            dark * around.face,
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


def _best_of_squares(view: BoardView, scores: Floats) -> Floats:
    """Return the highest score on each square, (8, 8), the top row first."""
    inner = scores[view.margin_px : -view.margin_px, view.margin_px : -view.margin_px]
    best: Floats = inner.reshape(8, view.square_px, 8, view.square_px).max(axis=(1, 3))
    return best


def top_chances(tops: Tops) -> NDArray[np.float64]:
    """Return the probability that each candidate is a checker's top, (n,)."""
    odds: NDArray[np.float64] = tops.evidence @ np.array(_WEIGHTS) + _BIAS
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), dtype=np.float64)
