"""Checkers of the colour of their square, and what is none."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop import BoardLocation, Colour
from vision.evidence import backdrop_of, board_fits
from vision.faint import doubt_paint, find_faint
from vision.pose import estimate_pose
from vision.standing import Found
from vision.table import CheckerLook, Tint
from vision.towers import Tower, View

ABOVE = BoardLocation(((160.0, 560.0), (640.0, 560.0), (640.0, 80.0), (160.0, 80.0)))
VIEW = View(estimate_pose(ABOVE, (800, 640)), 0.38, 0.18, 24, 1.0)
WHITE = CheckerLook(Colour.WHITE, (Tint(1.0, (88.0, 0.0, 4.0), (3.0, 2.5, 2.5)),))
RED = CheckerLook(Colour.RED, (Tint(1.0, (45.0, 58.0, 36.0), (3.0, 2.5, 2.5)),))
Lab = NDArray[np.float32]


def empty_board() -> Lab:
    """Return squares of white and brown in L*a*b*, (side, side, 3)."""
    rows, columns = np.mgrid[0 : VIEW.side_px, 0 : VIEW.side_px] // VIEW.square_px
    white = ((rows + columns) % 2 == 1)[..., None]
    return np.asarray(np.where(white, (86.0, 0.0, 5.0), (38.0, 14.0, 22.0)), np.float32)


def found_on(lightness: NDArray[np.float64], seed: int = 3) -> tuple[Found, ...]:
    """Return what is found where the board is so much lighter or darker than it was."""
    board = empty_board()
    seen = board + np.random.default_rng(seed).normal(0.0, 1.2, board.shape)
    seen[..., 0] += lightness
    lab, behind = seen.astype(np.float32), backdrop_of(board, VIEW.square_px)
    hidden = np.zeros(lab.shape[:2], dtype=np.bool_)
    _, unlike = board_fits(lab, behind)
    return find_faint(lab, behind.lab, unlike, hidden, VIEW, (WHITE, RED))


def away_from(x: float, y: float) -> NDArray[np.float64]:
    """Return how far each pixel is from a place on the board, in squares."""
    column, row = VIEW.to_px((x, y))
    rows, columns = np.mgrid[0 : VIEW.side_px, 0 : VIEW.side_px]
    return np.asarray(np.hypot(rows - row, columns - column) / VIEW.square_px)


@pytest.mark.parametrize("dimmed", [-5.0, 0.0, 4.0])
def test_white_on_white_shows_by_its_rim_and_rings(dimmed: float) -> None:
    """A checker no lighter nor darker than its square, or a little: rim and ring are circles."""
    far = away_from(3.55, 3.45)
    edge = -16.0 * np.exp(-np.square((far - 0.36) / 0.04))
    ring = -6.0 * np.exp(-np.square((far - 0.2) / 0.03))
    found = found_on(np.where(far < 0.42, edge + ring + dimmed, 0.0))
    assert found
    assert found[0].tower.colour is Colour.WHITE
    assert found[0].score > 0.0
    assert found[0].tower.foot_xy == pytest.approx((3.55, 3.45), abs=0.12)


def test_a_soft_shadow_over_two_squares_is_no_checker() -> None:
    """It is dimmer there, and no circle of a checker's size."""
    rows, columns = np.mgrid[0 : VIEW.side_px, 0 : VIEW.side_px]
    band = np.abs(rows - columns + 15.0) / VIEW.square_px < 0.5
    soft = cv2.GaussianBlur(-12.0 * band.astype(np.float64), (0, 0), 5.0)
    assert all(item.score < 0.0 for item in found_on(np.asarray(soft)))


def test_a_square_that_is_dimmed_as_a_whole_is_empty() -> None:
    """A fold of the board may dim one square: square edges do not run round."""
    dimmed = np.zeros((VIEW.side_px, VIEW.side_px))
    dimmed[96:120, 96:120] = -9.0
    assert all(item.score < 0.0 for item in found_on(dimmed))


def test_an_unchanged_board_has_none() -> None:
    """Noise alone is not worth a look."""
    assert found_on(np.zeros((VIEW.side_px, VIEW.side_px))) == ()


def held(lab: Lab, colour: Colour, foot_xy: tuple[float, float]) -> float:
    """Return the score that is left of 20 nats for a checker on a board that looks like *lab*."""
    noisy = lab + np.random.default_rng(4).normal(0.0, 1.2, lab.shape)
    certain = Found(Tower(colour, 1, foot_xy), 20.0, ((colour, 20.0),), (20.0,), (foot_xy,))
    (item,) = doubt_paint((certain,), noisy.astype(np.float32), empty_board(), VIEW)
    assert item.by_colour == ((colour, item.score),)
    return item.score


@pytest.mark.parametrize("dimmed", [-25.0, 20.0])
def test_paint_in_another_light_is_no_sure_checker(dimmed: float) -> None:
    """A straight shadow's edge over a white square, or a gleam without a rim, is not round."""
    board = empty_board()
    _, columns = np.mgrid[0 : VIEW.side_px, 0 : VIEW.side_px]
    straight = columns > VIEW.to_px((4.5, 4.5))[0] - 3.0
    board[..., 0] += dimmed * straight
    assert held(board, Colour.WHITE, (4.5, 4.5)) < 4.0


def test_a_round_checker_of_the_squares_paint_is_believed() -> None:
    """Rim and ring tell it from the paint it stands on."""
    board, far = empty_board(), away_from(4.5, 4.5)
    edge = -16.0 * np.exp(-np.square((far - 0.36) / 0.04))
    ring = -6.0 * np.exp(-np.square((far - 0.2) / 0.03))
    board[..., 0] += np.where(far < 0.42, edge + ring, 0.0)
    assert held(board, Colour.WHITE, (4.5, 4.5)) > 6.0


def test_a_colour_that_no_light_gives_the_board_is_believed_without_a_rim() -> None:
    """Red is no light's work on white paint."""
    board = empty_board()
    board[away_from(4.5, 4.5) < 0.42] = RED.lab
    assert held(board, Colour.RED, (4.5, 4.5)) == 20.0
