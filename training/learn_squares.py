"""Learn the weights by which `vision.tops` judges candidates, from drawn and simulated boards.

Run as ``python -m training.learn_squares 170``; prints what to put into `vision.tops`. A logistic
model fitted by Newton's method with a little shrinkage.
"""

import sys
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Colour
from training.board_checkers import Checkers
from training.board_scenes import Look
from training.drawn_boards import DrawnBoard, draw_board
from training.simulated_boards import simulate_board
from vision.boardview import view_board
from vision.tops import find_tops

_FIRST_SEED: Final = 5000
_SHRINKAGE: Final = 1e-3
_ROUNDS: Final = 40
_DARK_BOARDS: Final = (0, 3, 4, 6)
_BLACK_BOARDS: Final = (3, 4, 6)
_BLACK_WHITE: Final = (Colour.BLACK, Colour.WHITE)
_SAME, _TOUCHING = 0.3, 1.3
"""In radii: nearer to a true top a candidate is one; nearer to a wall it counts for nothing."""

Numbers = NDArray[np.float64]


def samples(drawn: DrawnBoard) -> tuple[Numbers, Numbers]:
    """Return the evidence of a board's candidates, (n, k), and which of them are tops, (n,)."""
    view = view_board(drawn.pixels, drawn.location)
    if drawn.checkers and abs(view.radius - 1.03 * drawn.radius) > 0.05:
        return np.empty((0, 0)), np.empty(0)
    found = find_tops(view)
    kept, answers = [], []
    for number, seen in enumerate(found.seen_xy):
        answer = _answer(drawn, seen)
        # Under a hand a checker may be seen or not.
        if answer is not None and not (answer and len(drawn.unknown) == len(drawn.squares)):
            kept.append(number)
            answers.append(answer)
    return found.evidence[kept], np.array(answers, dtype=np.float64)


def fit(evidence: Numbers, answers: Numbers) -> tuple[Numbers, float]:
    """Return the weights and the bias of the logistic model, by Newton's method."""
    middle, spread = evidence.mean(axis=0), evidence.std(axis=0) + 1e-6
    design = np.column_stack(((evidence - middle) / spread, np.ones(len(evidence))))
    ridge = _SHRINKAGE * len(design) * np.append(np.ones(evidence.shape[1]), 0.0)
    weights = np.zeros(design.shape[1])
    for _ in range(_ROUNDS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(design @ weights, -30.0, 30.0)))
        curvature = chances * (1.0 - chances) + 1e-9
        normal = (design * curvature[:, None]).T @ design + np.diag(ridge)
        weights += np.linalg.solve(normal, design.T @ (answers - chances) - ridge * weights)
    scaled: Numbers = weights[:-1] / spread
    return scaled, float(weights[-1] - scaled @ middle)


def balance(odds: Numbers, answers: Numbers) -> float:
    """Return what to add to log odds so that as many tops are missed as are seen for nothing.

    The model is linear and what is faint is not: left alone it misses too many.
    """
    shifts = np.linspace(-2.0, 2.0, 81)
    missed = np.array([np.sum(odds[answers == 1.0] + shift < 0.0) for shift in shifts])
    false = np.array([np.sum(odds[answers == 0.0] + shift > 0.0) for shift in shifts])
    return float(shifts[np.argmin(np.abs(missed - false))])


def main(boards: int) -> None:
    """Draw *boards* boards, fit, and print the weights and the bias."""
    cv2.setNumThreads(1)
    parts = [samples(_board(_FIRST_SEED + number)) for number in range(boards)]
    parts = [part for part in parts if len(part[1])]
    evidence = np.concatenate([evidence for evidence, _ in parts])
    answers = np.concatenate([answers for _, answers in parts])
    weights, bias = fit(evidence, answers)
    bias += balance(evidence @ weights + bias, answers)
    print("_WEIGHTS =", tuple(round(float(weight), 2) for weight in weights))
    print("_BIAS =", round(bias, 2))


def _board(number: int) -> DrawnBoard:
    """Return every fourth board from the simulated table, the others drawn."""
    rng = np.random.default_rng(number)
    return simulate_board(rng, number) if number % 4 == 0 else draw_board(rng, look=_look(number))


def _look(number: int) -> Look:
    """Return a random look; of two boards in four black checkers on dark squares, the hard case.

    On one of the two they are as black as the squares.
    """
    if number % 4 == 1:
        return Look()
    if number % 4 == 2:
        return Look(board=_BLACK_BOARDS[number // 4 % 3], colours=_BLACK_WHITE, alike=True)
    others = [colour for colour in Colour if colour is not Colour.BLACK]
    board = _DARK_BOARDS[number // 4 % len(_DARK_BOARDS)]
    return Look(board=board, colours=(Colour.BLACK, others[number // 4 % len(others)]))


def _answer(drawn: DrawnBoard, seen_xy: Numbers) -> float | None:
    """Return 1 for a top, 0 for none, None for what is beside the question."""
    if not np.all((seen_xy > -0.2) & (seen_xy < 8.2)):
        near_any = any(_is_top(drawn, one, seen_xy) for one in drawn.checkers)
        return 1.0 if near_any else None
    answer = 0.0
    for one in drawn.checkers:
        if _is_top(drawn, one, seen_xy):
            return 1.0
        foot, top = np.array(one.at_xy), _top(drawn, one)
        along = top - foot
        part = np.clip((seen_xy - foot) @ along / max(float(along @ along), 1e-9), 0.0, 1.0)
        if np.linalg.norm(seen_xy - foot - part * along) < _TOUCHING * drawn.radius:
            answer = np.nan
    return None if np.isnan(answer) else answer


def _is_top(drawn: DrawnBoard, one: Checkers, seen_xy: Numbers) -> bool:
    return bool(np.linalg.norm(seen_xy - _top(drawn, one)) < _SAME * drawn.radius)


def _top(drawn: DrawnBoard, one: Checkers) -> Numbers:
    """Return where the top of a checker or tower seems to be on the board."""
    camera = np.array(drawn.camera_xyz)
    stretch = camera[2] / (camera[2] - drawn.height * one.count)
    place: Numbers = camera[:2] + (np.array(one.at_xy) - camera[:2]) * stretch
    return place


if __name__ == "__main__":
    main(int(sys.argv[1]))
