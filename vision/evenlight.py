"""Checkers' colours as they would be in the light that most of the board has.

A shadow takes a share of the light away, gloss adds the colour of a lamp or a window. The guessed
empty board tells both: where its squares are darker than usual there is a shadow, where its dark
squares are brighter there is gloss on everything.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.emptyboard import Floats

_DARKEST: Final = 0.6
"""No shadow is taken for deeper than this, in the cube root of light."""
_GLOSS_SHARES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
"""How much of the board's gloss a checker beside it may have: it is shinier or not, and curved."""
_SHADOW_SHARES: Final = (0.0, 1.0)
"""How much of what seems to be shadow is one: beside a haze of gloss plain light looks like it."""
_LEFT: Final = 0.15
"""At least this part of what is seen is the checker's own."""


def in_even_light(lab: Floats, seen_xy: NDArray[np.float64], empty: Floats) -> Floats:
    """Return colours brought to the light that most of the board has, (n, lights, 3).

    How much of the board's gloss and shadow lies on a checker is not known, so several lights are
    tried. Where the board shows neither all are the same.

    Args:
        lab: the colours, CIE L*a*b*, (n, 3).
        seen_xy: where they were seen, in board coordinates, (n, 2).
        empty: the guessed empty board, CIE L*a*b*.
    """
    square_px = len(empty) // 8
    cells = empty.reshape(8, square_px, 8, square_px, 3).mean(axis=(1, 3))
    near = _nearness(seen_xy)
    dull = _without_gloss(lab, cells, near)
    lightness = cells[..., 0] + 16.0
    dark = _dark_squares()
    usual = np.where(dark, np.median(lightness[dark]), np.median(lightness[~dark]))
    light = np.einsum("nij,ij->n", near, lightness / usual) / near.sum(axis=(1, 2))
    shadow = np.clip(light, _DARKEST, 1.0)[:, None] ** np.array(_SHADOW_SHARES)
    offset = np.array([16.0, 0.0, 0.0])
    even = (dull + offset)[:, None] / shadow[:, :, None, None] - offset
    lights = len(_SHADOW_SHARES) * len(_GLOSS_SHARES)
    return np.asarray(even.reshape(len(lab), lights, 3), dtype=np.float32)


def _without_gloss(lab: Floats, cells: Floats, near: NDArray[np.float64]) -> Floats:
    """Return the colours without what the dark squares nearby show too much of, (n, shares, 3)."""
    if not len(lab):
        return np.empty((0, len(_GLOSS_SHARES), 3), np.float32)
    dark = _dark_squares()
    board = _linear(cells.reshape(-1, 3)).reshape(8, 8, 3)
    too_much = np.maximum(board - np.median(board[dark], axis=0), 0.0) * dark[..., None]
    share = near * dark
    gloss = np.einsum("nij,ijc->nc", share, too_much) / share.sum(axis=(1, 2))[:, None]
    seen = _linear(lab)
    taken = np.array(_GLOSS_SHARES)[:, None] * gloss[:, None]
    dull = np.maximum(seen[:, None] - taken, _LEFT * seen[:, None]).astype(np.float32)
    return np.asarray(cv2.cvtColor(dull, cv2.COLOR_LBGR2Lab), dtype=np.float32)


def _linear(lab: Floats) -> Floats:
    """Return linear blue, green, red of colours (n, 3)."""
    linear = cv2.cvtColor(np.ascontiguousarray(lab[:, None]), cv2.COLOR_Lab2LBGR)
    return np.asarray(linear, dtype=np.float32).reshape(-1, 3)


def _nearness(seen_xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how near the middle of each square is to each place, (n, 8, 8), the top row first."""
    row, column = np.mgrid[0:8, 0:8] + 0.5
    x = np.clip(seen_xy[:, 0], 0.0, 8.0)[:, None, None]
    y = np.clip(8.0 - seen_xy[:, 1], 0.0, 8.0)[:, None, None]
    nearness: NDArray[np.float64] = np.exp(-((x - column) ** 2) - (y - row) ** 2)
    return nearness


def _dark_squares() -> NDArray[np.bool_]:
    row, column = np.mgrid[0:8, 0:8]
    return np.asarray((row + column) % 2 == 1)
