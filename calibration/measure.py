"""Measure checkers against an empty board: where they stand, how wide and thick, how coloured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Colour, Point
from vision.evidence import (
    Backdrop,
    Plane,
    backdrop,
    board_log_likelihood,
    look_log_likelihoods,
    to_lab,
)
from vision.frame import Picture
from vision.light import take_out_light
from vision.pose import Pose, estimate_pose
from vision.rectify import rectify
from vision.standing import CAP, Paint, covered, refine
from vision.table import DEFAULT_HEIGHT, CheckerLook, Tint
from vision.towers import Tower, View, outline

SQUARE_PX: Final = 32
MARGIN: Final = 1.0
_RADII: Final = np.arange(0.24, 0.491, 0.01)
# What is tried for height and radius: first anywhere, then around what is known so far.
_HEIGHTS: Final = np.arange(0.08, 0.361, 0.04)
_WIDER: Final = np.arange(-0.1, 0.021, 0.02)
_HIGHER_AGAIN: Final = np.arange(-0.06, 0.061, 0.02)
_WIDER_AGAIN: Final = np.arange(-0.03, 0.031, 0.01)
# Flat checkers of the usual makes are a fifth of a square thick, give or take.
_HEIGHT_SPREAD: Final = 0.06
_NATS_A_CHECKER: Final = 6.0
# What stands out around a checker, its shadow above all, reaches this far, in squares.
_AURA: Final = 0.1
_SOFT_EDGE: Final = 0.04
_OFF_CENTRE: Final = 0.28
_TINTS: Final = 4
# The least standard deviation of a tint: what another place on the board and another minute's light
# change although nothing else does.
_LEAST_SPREAD: Final = (3.0, 2.5, 2.5)

Places: TypeAlias = dict[Colour, Sequence[Point]]
"""For each colour where its checkers are, in board coordinates."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A rectified picture of the board with checkers, set against the empty one.

    Attributes:
        lab: under the light of the empty board, shape (side, side, 3).
        behind: the empty board.
        board_fit: the log density of each pixel if the board is empty there.
        pose: the camera's pose over the board.
    """

    lab: NDArray[np.float32]
    behind: Backdrop
    board_fit: Plane
    pose: Pose

    def view(self, radius: float, height: float = DEFAULT_HEIGHT) -> View:
        """Return how checkers of this size appear here."""
        return View(self.pose, radius, height, SQUARE_PX, MARGIN)

    def mean_lab(self, radius: float, seen: Sequence[Point]) -> tuple[float, float, float]:
        """Return the mean colour inside the checkers *seen* at places in board coordinates."""
        flat = self.view(0.8 * radius, height=0.0)
        parts = [outline(flat, place, 1) for place in seen]
        pixels = [self.lab[part.rows, part.columns][part.cover > 0.5] for part in parts]
        lightness, green_red, blue_yellow = np.concatenate(pixels).mean(axis=0)
        return float(lightness), float(green_red), float(blue_yellow)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a checker may stand on a square.

    Attributes:
        seen_xy: the middle of what is seen, in board coordinates.
        share: how much of a checker there is foreign to the board, from -1 (nothing) to 1 (all).
    """

    seen_xy: Point
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The checkers of all players.

    Attributes:
        view: their size, and how they appear.
        looks: their colours.
        apart: for each two colours, in nats a pixel, how much more the checkers of one look like
            themselves than like the other, at the least.
    """

    view: View
    looks: tuple[CheckerLook, ...]
    apart: Mapping[tuple[Colour, Colour], float]


def compare(
    empty: Picture, homes: Picture, before: BoardLocation, after: BoardLocation
) -> Comparison:
    """Set a picture of the board with checkers against one of the empty board.

    Args:
        empty: the empty board.
        homes: the board with checkers, of the same size.
        before: where the board is in *empty*.
        after: where it is in *homes*.
    """
    size_wh = (empty.shape[1], empty.shape[0])
    reference = rectify(empty, before, SQUARE_PX, MARGIN).pixels
    board = rectify(homes, after, SQUARE_PX, MARGIN).pixels
    lab = to_lab(take_out_light(board, reference, SQUARE_PX).pixels)
    behind = backdrop(reference, SQUARE_PX)
    pose = estimate_pose(after, size_wh)
    return Comparison(lab, behind, board_log_likelihood(lab, behind), pose)


def presence(comparison: Comparison) -> Plane:
    """Return for each pixel whether something stands there, from -1 (the board) to 1 (surely)."""
    # The nats by which the board explains a pixel worse than it would explain itself.
    deficit = cv2.blur(comparison.behind.itself - comparison.board_fit, (3, 3))
    return np.asarray(np.clip(deficit / 4.0 - 1.0, -1.0, 1.0), dtype=np.float32)


def find_checkers(
    comparison: Comparison, squares: Sequence[tuple[int, int]]
) -> tuple[float, dict[tuple[int, int], Spot]]:
    """Return the radius of the checkers, in squares, and the likeliest place on each of *squares*.

    Args:
        comparison: the picture with checkers.
        squares: (file, rank) of the squares where most of them stand.
    """
    plane = presence(comparison)
    best_total, best_radius = -np.inf, 0.0
    best: dict[tuple[int, int], Spot] = {}
    for radius in _RADII:
        view = comparison.view(float(radius))
        scores = _disc_scores(plane, view)
        spots = {at: _best_in_square(scores, view, at) for at in squares}
        total = sum(max(spot.share, 0.0) for spot in spots.values()) * radius**2
        if total > best_total:
            best_total, best_radius, best = total, float(radius), spots
    return best_radius, best


def look_again(
    comparison: Comparison, radius: float, sure: Sequence[Spot], squares: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Spot]:
    """Return the likeliest place on each of *squares*, what is *sure* and its shadow left out.

    So a dark checker on a dark square shows, which differs little from it.
    """
    plane = presence(comparison)
    view = comparison.view(radius, height=0.0)
    for spot in sure:
        part = outline(view, spot.seen_xy, 1, grow=_AURA)
        plane[part.rows, part.columns][part.cover > 0.0] = -1.0
    scores = _disc_scores(plane, view)
    return {at: _best_in_square(scores, view, at) for at in squares}


def _disc_scores(plane: Plane, view: View) -> Plane:
    """Return for each pixel the mean of *plane* over the disc around it."""
    radius_px = view.radius * view.square_px
    reach = int(np.ceil(radius_px))
    along = np.arange(-reach, reach + 1, dtype=np.float32)
    inside = radius_px - np.hypot(*np.meshgrid(along, along))
    kernel = np.clip(inside + 0.5, 0.0, 1.0).astype(np.float32)
    kernel /= kernel.sum()
    return np.asarray(cv2.filter2D(plane, cv2.CV_32F, kernel), dtype=np.float32)


def _best_in_square(scores: Plane, view: View, at: tuple[int, int]) -> Spot:
    middle = view.to_px((at[0] + 0.5, at[1] + 0.5))
    reach = round(_OFF_CENTRE * view.square_px)
    row, column = round(middle[1]), round(middle[0])
    part = scores[row - reach : row + reach + 1, column - reach : column + reach + 1]
    _, share, _, (best_column, best_row) = cv2.minMaxLoc(part)
    place = view.from_px(best_column + column - reach, best_row + row - reach)
    return Spot(place, float(share))


def measure_checkers(
    comparison: Comparison, radius: float, places: Mapping[Colour, Sequence[Point]]
) -> Measured:
    """Return the size and the looks of the checkers seen at *places*.

    First the outlines of whatever is not the board tell both roughly; then, the colours being
    known, contact shadows and gleams fall away and the outlines tell the size again.

    Args:
        comparison: the picture with checkers.
        radius: roughly, in squares.
        places: for each colour, where its checkers are seen, in board coordinates.
    """
    rough = presence(comparison)
    sizes = (radius + _WIDER, _HEIGHTS)
    view, feet = _measure_size(comparison, sizes, places, dict.fromkeys(places, rough))
    for _ in range(2):
        looks = _measure_looks(comparison, view, feet)
        planes = _excesses(comparison, looks)
        sizes = (view.radius + _WIDER_AGAIN, np.maximum(view.height + _HIGHER_AGAIN, 0.02))
        view, feet = _measure_size(comparison, sizes, feet, planes)
    looks = _measure_looks(comparison, view, feet)
    return Measured(view, looks, _apart(comparison, view, feet, looks))


def _apart(
    comparison: Comparison, view: View, feet: Places, looks: Sequence[CheckerLook]
) -> dict[tuple[Colour, Colour], float]:
    fits = look_log_likelihoods(comparison.lab, looks)
    nats: dict[tuple[Colour, Colour], float] = {}
    for (one, other), (own, foreign) in product(combinations(fits, 2), ((0, 1), (1, 0))):
        pair = (one, other)
        gained = np.clip(fits[pair[own]] - fits[pair[foreign]], -CAP, CAP)
        parts = [outline(view, foot_xy, 1, grow=-_SOFT_EDGE) for foot_xy in feet[pair[own]]]
        least = min(
            float(np.average(gained[part.rows, part.columns], weights=part.cover)) for part in parts
        )
        nats[pair] = min(nats.get(pair, least), least)
    return nats


def _excesses(comparison: Comparison, looks: Sequence[CheckerLook]) -> dict[Colour, Plane]:
    """Return how much better each look explains each pixel than the empty board, -1 to 1."""
    return {
        colour: np.asarray(np.clip((fit - comparison.board_fit) / CAP, -1.0, 1.0), np.float32)
        for colour, fit in look_log_likelihoods(comparison.lab, looks).items()
    }


def _measure_size(
    comparison: Comparison,
    sizes: tuple[NDArray[np.float64], NDArray[np.float64]],
    places: Mapping[Colour, Sequence[Point]],
    planes: Mapping[Colour, Plane],
) -> tuple[View, Places]:
    """Return the size that fills its outlines best on *planes*, and where the feet stand.

    Args:
        comparison: the picture with checkers.
        sizes: the radii and the heights to try, in squares.
        places: for each colour, where its checkers are thought to be.
        planes: for each colour, how surely it is seen at each pixel, -1 to 1.
    """
    radii, heights = sizes
    paints = {colour: Paint.without_wall(plane) for colour, plane in planes.items()}
    # Every size is weighed alike, as if checkers had the middle one.
    pixels = np.pi * (radii.mean() * SQUARE_PX) ** 2
    best_total, best = -np.inf, (comparison.view(float(radii.mean())), dict(places))
    for height in heights:
        for radius in radii:
            view = comparison.view(float(radius), float(height))
            total = -0.5 * ((float(height) - DEFAULT_HEIGHT) / _HEIGHT_SPREAD) ** 2
            feet: Places = {}
            for colour, seen in places.items():
                towers = [refine(paints[colour], view, Tower(colour, 1, at))[0] for at in seen]
                feet[colour] = [tower.foot_xy for tower in towers]
                filled = sum(covered(planes[colour], view, tower) for tower in towers)
                total += _NATS_A_CHECKER * filled / pixels
            if total > best_total:
                best_total, best = total, (view, feet)
    return best


def _measure_looks(
    comparison: Comparison, view: View, places: Mapping[Colour, Sequence[Point]]
) -> tuple[CheckerLook, ...]:
    """Return how the checkers look, top and wall, whose feet stand on *places*."""
    looks = []
    for colour, feet in places.items():
        pixels = np.concatenate([_inside(comparison, view, foot_xy) for foot_xy in feet])
        looks.append(CheckerLook(colour, cluster_tints(pixels)))
    return tuple(looks)


def _inside(comparison: Comparison, view: View, foot_xy: Point) -> NDArray[np.float32]:
    """Return the pixels that a checker hides, its soft edge left out, shape (n, 3)."""
    part = outline(view, foot_xy, 1, grow=-_SOFT_EDGE)
    return comparison.lab[part.rows, part.columns][part.cover > 0.99]


def cluster_tints(pixels: NDArray[np.float32]) -> tuple[Tint, ...]:
    """Return the tints that *pixels*, shape (n, 3) in L*a*b*, are made up of (k-means)."""
    order = np.argsort(pixels[:, 0], kind="stable")
    starts = order[((np.arange(_TINTS) + 0.5) / _TINTS * len(order)).astype(int)]
    centres = pixels[starts].astype(np.float64)
    nearest = np.zeros(len(pixels), dtype=np.intp)
    for _ in range(12):
        distances = np.linalg.norm(pixels[:, None, :] - centres[None], axis=2)
        nearest = np.argmin(distances, axis=1)
        for index in range(_TINTS):
            if np.any(nearest == index):
                centres[index] = pixels[nearest == index].mean(axis=0)
    tints = []
    for index in range(_TINTS):
        own = pixels[nearest == index]
        if len(own) < 0.02 * len(pixels):
            continue
        spread = np.hypot(own.std(axis=0), _LEAST_SPREAD)
        lightness, green_red, blue_yellow = (round(float(value), 1) for value in own.mean(axis=0))
        tints.append(
            Tint(
                round(len(own) / len(pixels), 3),
                (lightness, green_red, blue_yellow),
                (
                    round(float(spread[0]), 1),
                    round(float(spread[1]), 1),
                    round(float(spread[2]), 1),
                ),
            )
        )
    return tuple(sorted(tints, key=lambda tint: -tint.weight))
