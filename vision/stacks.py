"""How many checkers a top stands on, and where their foot is.

Below a top, towards the camera, its wall shows. Going down it level by level one meets the
checker's own colour, in more or less light, then the board; where the wall ends there is an edge,
and so there is between the checkers of a tower. All checkers of a board are equally thick, so all
tops together tell how thick they may be, and counts are weighed for each thickness. From straight
above no wall shows, but a higher top is nearer and seems larger than those of single checkers.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.boardview import MARGIN, BoardView
from vision.emptyboard import Floats, shade_distance
from vision.pose import Pose
from vision.tops import Tops

MOST: Final = 4
"""A player has four checkers: no tower is higher."""

_STEP: Final = 0.04
_LEVELS: Final = 60
"""How far down one looks: so many steps of 0.04 squares."""
_ARC: Final = np.radians(np.linspace(-60.0, 60.0, 25))
_FAR_ARC: Final = np.radians(np.linspace(70.0, 290.0, 60))
_THICKNESSES: Final = np.linspace(0.25, 1.6, 28)
"""Of a checker, in its radii."""
_USUAL_THICKNESS: Final = 0.55
_THICKNESS_LOG_SPREAD: Final = 0.3
_TOGETHER: Final = 0.3
_NEGLIGIBLE: Final = 1e-3
_FOOT_BLUR, _MOST_BLUR = 0.02, 0.15
"""In squares on the board, and in height at most."""
_HOW_OFTEN: Final = np.array([0.87, 0.08, 0.03, 0.02])
_LOG_HOW_OFTEN: Final = np.log(_HOW_OFTEN)
_MISJUDGED: Final = 0.05
"""So seldom a wall tells nothing of a tower: what is seen there is something else."""
_LEAST_LIKELY: Final = 6.0
"""No single top speaks against a thickness more than so many nats."""
_COLOUR_SCALE: Final = 5.0
_OTHER: Final = 35.0
_STRANGE: Final = 12.0
"""A wall reflects its surroundings: it may be this far from the checker's colour, in Lab; what is
further than `_OTHER` is of something else."""
_DEEPEST: Final = 0.1
"""The light that a low sun's cast shadow leaves of the board's."""
_NEITHER, _MOST_LEANING = 0.6, 2.5
_WALL_WEIGHT: Final = 0.35
_EDGE_WEIGHT: Final = 4.0
_ELBOW_ROOM: Final = 1.7
_MOST_CROWDED: Final = 8.0
"""Two checkers' feet are hardly nearer than so many radii; so many nats speak against it."""
_IN_LINE: Final = 0.35
_SAME: Final = 4.0
_SURELY_A_TOP: Final = 0.9
"""Two tops of one colour, side by side in one light, are mostly less apart than this in Lab; walls
may be too, but what is seen on a wall is seldom so surely a top."""
_SIZE_SPREAD: Final = 0.03
_MOVES: Final = np.linspace(-0.04, 0.24, 15)
_RATIOS: Final = np.linspace(1.04, 0.8, 13)
_OVERHANG: Final = 0.3
_SHRUNK: Final = np.linspace(0.7, 1.3, 49)


@dataclass(frozen=True, slots=True, eq=False)
class Stacks:
    """What stands below each of n tops.

    Attributes:
        chances: of one checker, two, three, four, shape (n, 4); rows sum to 1.
        feet_xy: where the foot is in each case, in board coordinates, (n, 4, 2).
        thickness: of a checker, in squares.
    """

    chances: NDArray[np.float64]
    feet_xy: NDArray[np.float64]
    thickness: float


def count_checkers(view: BoardView, pose: Pose, tops: Tops, weights: NDArray[np.float64]) -> Stacks:
    """Return how many checkers are below each top.

    Args:
        view: the rectified board.
        pose: the camera's pose over it.
        tops: what may be checkers' tops.
        weights: the probability that each is one, (n,).
    """
    on_board = np.all((tops.seen_xy > -_OVERHANG) & (tops.seen_xy < 8.0 + _OVERHANG), axis=1)
    votes = weights * on_board
    tops, radius = _settle(view, pose, tops, votes)
    below, same = _below_in_line(pose, tops, radius), _same(tops.lab) & (weights > _SURELY_A_TOP)
    walls = _walls(view, pose, tops, radius, np.where(below & same, weights, 0.0))
    blurred = _blurred(pose, tops)
    sizes = _sizes(view, pose, tops, radius)
    other = _alien(tops.lab) | same | ~below
    levels = np.arange(1.0, MOST + 1.0)
    thicknesses = _THICKNESSES * radius
    shares = _thickness_shares(thicknesses, walls, blurred, votes)
    # How many fit into a wall hangs on how thick they are: where that is not sure no count is.
    thickness = float(shares @ thicknesses)
    chances = np.full((len(walls), MOST), _NEGLIGIBLE**2)
    heights_so = chances * thickness * levels
    for share, thick in zip(shares, thicknesses, strict=True):
        if share > _NEGLIGIBLE:
            heights = thick * levels
            scores = _LOG_HOW_OFTEN + _at(walls, heights + blurred)
            scores += _size_scores(sizes, votes, pose, heights)
            feet = _below(pose, tops.seen_xy, heights)
            scores -= _MOST_CROWDED * _crowded(feet, weights, radius, other)
            likely = np.exp(scores - scores.max(axis=1, keepdims=True))
            likely *= share / likely.sum(axis=1, keepdims=True)
            chances += likely
            heights_so += likely * heights
    feet = _below(pose, tops.seen_xy, heights_so / chances)
    chances = (1.0 - _MISJUDGED) * chances + _MISJUDGED * _HOW_OFTEN
    return Stacks(chances, feet, thickness)


def _blurred(pose: Pose, tops: Tops) -> NDArray[np.float64]:
    """Return by how much each wall seems higher than it is, in squares, (n, 1).

    Its foot melts into the shadow beside it: that is as much on the board wherever the camera is,
    and the more in height the less the wall shows.
    """
    shown = np.linalg.norm(pose.camera_xyz[:2] - tops.seen_xy, axis=1) / pose.camera_xyz[2]
    seeming = np.minimum(_FOOT_BLUR / np.maximum(shown, 1e-3), _MOST_BLUR)
    return np.asarray(seeming[:, None])


def _crowded(
    feet: NDArray[np.float64],
    weights: NDArray[np.float64],
    radius: float,
    other: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return how surely another checker stands where a foot would be, 0 to 1, (n, 4).

    A ring or an edge on its own wall is no *other* checker, (n, n): that has its colour, is in
    line, and looks less like a top.
    """
    gaps = np.linalg.norm(feet[:, :, None] - feet[:, 0], axis=-1)
    apart = other & ~np.eye(len(other), dtype=bool)
    touched = (gaps < _ELBOW_ROOM * radius) & apart[:, None]
    return np.asarray(np.max(np.where(touched, weights, 0.0), axis=-1, initial=0.0))


def _below_in_line(pose: Pose, tops: Tops, radius: float) -> NDArray[np.bool_]:
    """Tell for each top, (n, n), which others are where its own wall would be."""
    towards = pose.camera_xyz[:2] - tops.seen_xy
    towards /= np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-9)
    offset = tops.seen_xy - tops.seen_xy[:, None]
    along = np.einsum("ijk,ik->ij", offset, towards)
    aside = offset[..., 0] * towards[:, None, 1] - offset[..., 1] * towards[:, None, 0]
    return np.asarray((along > 0.0) & (np.abs(aside) < _IN_LINE * radius))


def _alien(lab: Floats) -> NDArray[np.bool_]:
    """Tell which tops have another colour than each, in whatever light, (n, n)."""
    own = np.broadcast_to(lab[:, None], (len(lab), len(lab), 3))
    return np.asarray(shade_distance(np.swapaxes(own, 0, 1), own, 0.2, 1.1) > _STRANGE)


def _same(lab: Floats) -> NDArray[np.bool_]:
    """Tell which tops have one colour in one light, (n, n)."""
    return np.asarray(np.linalg.norm(lab[:, None] - lab, axis=-1) < _SAME)


def _below(
    pose: Pose, seen_xy: NDArray[np.float64], heights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the board under each place if it is at each of the heights, (n, heights, 2).

    The heights, (heights,), are the same for all places, or each place has its own, (n, heights).
    """
    camera = pose.camera_xyz
    shrink = 1.0 - heights / camera[2]
    places: NDArray[np.float64] = camera[:2] + (seen_xy[:, None] - camera[:2]) * shrink[..., None]
    return places


def _settle(
    view: BoardView, pose: Pose, tops: Tops, weights: NDArray[np.float64]
) -> tuple[Tops, float]:
    """Return the tops moved to where their far rims say, and the radius these share.

    Where the wall shows, the circle that was found may lie between a top and its foot and be larger
    than both; the side away from the camera is the top's alone.
    """
    away = tops.seen_xy - pose.camera_xyz[:2]
    far = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    moves = _MOVES[None] * np.minimum(far / pose.camera_xyz[2], 1.0)
    places = tops.seen_xy[:, None] + moves[..., None] * (away / far)[:, None]
    turns = np.arctan2(away[:, 1], -away[:, 0])[:, None] + _FAR_ARC[::2]
    best, chosen, radius = -np.inf, places[:, 0], view.radius
    for ratio in _RATIOS:
        radii = np.full(len(_MOVES), ratio * view.radius)
        energy = _rim_energy(view, places, radii, turns)
        gain = float(weights @ energy.max(axis=1)) * (1.0 - (ratio - 1.0) ** 2)
        if gain > best:
            best, radius = gain, ratio * view.radius
            chosen = places[np.arange(len(places)), np.argmax(energy, axis=1)]
    return replace(tops, seen_xy=chosen), radius


def _walls(
    view: BoardView, pose: Pose, tops: Tops, radius: float, others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a log-likelihood for each top to stand each level high, (n, `_LEVELS` + 1).

    *Others*, (n, n), is how surely each of the other tops looks the same: it may stand where the
    wall would be and says nothing of it.
    """
    levels = _STEP * np.arange(_LEVELS + 1.0)
    feet = _below(pose, tops.seen_xy, levels)
    towards = pose.camera_xyz[:2] - tops.seen_xy
    facing = np.arctan2(-towards[:, 1], towards[:, 0])
    turns = facing[:, None] + _ARC
    radii = radius * (1.0 - levels / pose.camera_xyz[2])
    edge = _rim_energy(view, feet, radii, turns)
    parts = _own_parts(view, feet, radii - 0.03, turns, tops.lab)
    arcs = _arcs(feet, radii - 0.03, turns)
    for number, other in zip(*np.nonzero(others > 0.0), strict=True):
        gaps = np.linalg.norm(arcs[number] - tops.seen_xy[other], axis=-1)
        half = others[number, other] * (gaps < radius)
        parts[number] += half * (0.5 - parts[number])
    colour = np.clip(np.mean(parts, axis=-1), 0.02, 0.98)
    # Neighbouring levels that the camera sees at one place are one piece of evidence.
    apart = np.linalg.norm(feet[:, 1] - feet[:, 0], axis=1) / 0.02
    say = _WALL_WEIGHT * np.minimum(apart, 1.0)[:, None]
    # What is about as like the one as like the other says nothing, however often.
    leaning = np.log(colour / (1.0 - colour))
    leaning = np.sign(leaning) * np.clip(np.abs(leaning) - _NEITHER, 0.0, _MOST_LEANING)
    wall = np.zeros_like(edge)
    wall[:, 1:] = np.cumsum(leaning[:, :-1], axis=1)
    shown = np.minimum(apart[:, None] * levels / _STEP * 0.02 / 0.12, 1.0)
    scores: NDArray[np.float64] = say * wall + _EDGE_WEIGHT * shown * edge
    return scores


def _rim_energy(
    view: BoardView,
    centres: NDArray[np.float64],
    radii: NDArray[np.float64],
    turns: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how the edges run along arcs, -1 to 1, for centres (n, m, 2): shape (n, m)."""
    total = np.zeros(centres.shape[:2])
    cos2, sin2 = np.cos(2.0 * turns)[:, None], np.sin(2.0 * turns)[:, None]
    for aside in (-0.02, 0.0, 0.02):
        rows, columns = _pixels(view, centres, radii + aside, turns)
        along = view.edges.difference[rows, columns] * cos2
        across = 2.0 * view.edges.mixed[rows, columns] * sin2
        say = view.edges.weight[rows, columns]
        total += np.sum(say * (along + across), axis=-1) / np.maximum(
            np.sum(say, axis=-1), 0.3 * turns.shape[1]
        )
    energy: NDArray[np.float64] = total / 3.0
    return energy


def _own_parts(
    view: BoardView,
    centres: NDArray[np.float64],
    radii: NDArray[np.float64],
    turns: NDArray[np.float64],
    lab: Floats,
) -> NDArray[np.float64]:
    """Return how far pixels on arcs look like the checker and not like the board, 0 to 1."""
    rows, columns = _pixels(view, centres, radii, turns)
    inner = view.margin_px
    side = 8 * view.square_px
    inside = (rows >= inner) & (rows < inner + side) & (columns >= inner) & (columns < inner + side)
    seen = view.lab[rows, columns]
    board = view.empty[np.clip(rows - inner, 0, side - 1), np.clip(columns - inner, 0, side - 1)]
    to_checker = shade_distance(seen, np.broadcast_to(lab[:, None, None], seen.shape), 0.3, 1.1)
    to_board = shade_distance(seen, board, _DEEPEST, 1.05)
    nearest = np.minimum(to_checker, _STRANGE)
    part = 1.0 / (1.0 + np.exp(np.clip((nearest - to_board) / _COLOUR_SCALE, -30.0, 30.0)))
    part = np.where(to_checker > _OTHER, np.minimum(part, 0.2), part)
    # Outside the field the board is not known.
    return np.asarray(np.where(inside, part, 0.5), dtype=np.float64)


def _pixels(
    view: BoardView,
    centres: NDArray[np.float64],
    radii: NDArray[np.float64],
    turns: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns on arcs of the rectified board, (n, m, turns)."""
    x, y = np.moveaxis(_arcs(centres, radii, turns), -1, 0)
    last = len(view.lab) - 1
    columns = np.rint((x + MARGIN) * view.square_px - 0.5)
    rows = np.rint((8.0 + MARGIN - y) * view.square_px - 0.5)
    return np.clip(rows, 0, last).astype(np.intp), np.clip(columns, 0, last).astype(np.intp)


def _arcs(
    centres: NDArray[np.float64], radii: NDArray[np.float64], turns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the places on arcs about centres (n, m, 2), in board coordinates, (n, m, turns, 2)."""
    x = centres[..., :1] + radii[:, None] * np.cos(turns)[:, None]
    y = centres[..., 1:] - radii[:, None] * np.sin(turns)[:, None]
    return np.stack((x, y), axis=-1)


def _at(walls: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores of each wall at its heights, (n, heights)."""
    place = np.clip(heights / _STEP, 0.0, _LEVELS - 1e-6)
    low = place.astype(int)
    part = place - low
    below = np.take_along_axis(walls, low, axis=1)
    above = np.take_along_axis(walls, low + 1, axis=1)
    scores: NDArray[np.float64] = below * (1.0 - part) + above * part
    return scores


def _thickness_shares(
    thicknesses: NDArray[np.float64],
    walls: NDArray[np.float64],
    blurred: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how probable each thickness is by all tops together, (thicknesses,).

    All walls are measured in one light by one camera and err together: each says the less.
    """
    totals = []
    best = walls.max(axis=1)
    for thickness, ratio in zip(thicknesses, _THICKNESSES, strict=True):
        scores = _LOG_HOW_OFTEN + _at(walls, thickness * np.arange(1.0, MOST + 1.0) + blurred)
        likely = np.logaddexp.reduce(scores, axis=1)
        likely = np.maximum(likely, best - _LEAST_LIKELY)
        unusual = np.log(ratio / _USUAL_THICKNESS) / _THICKNESS_LOG_SPREAD
        totals.append(float(np.sum(weights * likely)) - 0.5 * unusual**2)
    shares = np.exp(_TOGETHER * (np.array(totals) - max(totals)))
    return np.asarray(shares / shares.sum())


def _sizes(view: BoardView, pose: Pose, tops: Tops, radius: float) -> NDArray[np.float64]:
    """Return the radius each top seems to have, from its far side where no wall joins it, (n,).

    Along each ray from inside the top to outside, what has the checker's colour is added up.
    """
    towards = pose.camera_xyz[:2] - tops.seen_xy
    turns = np.arctan2(-towards[:, 1], towards[:, 0])[:, None] + _FAR_ARC
    radii = radius * _SHRUNK
    centres = np.repeat(tops.seen_xy[:, None], len(radii), axis=1)
    own = _own_parts(view, centres, radii, turns, tops.lab)
    step = radii[1] - radii[0]
    sizes: NDArray[np.float64] = radii[0] + step * np.median(np.sum(own, axis=1), axis=-1)
    return sizes


def _size_scores(
    sizes: NDArray[np.float64],
    weights: NDArray[np.float64],
    pose: Pose,
    heights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return a log-likelihood of each count from how large a top seems, (n, 4)."""
    if not len(sizes):
        return np.zeros((0, MOST))
    order = np.argsort(sizes)
    share = np.cumsum(weights[order])
    single = sizes[order[np.searchsorted(share, share[-1] / 2.0)]]
    stretch = (pose.camera_xyz[2] - heights[0]) / (pose.camera_xyz[2] - heights)
    off = (sizes[:, None] / single - stretch) / _SIZE_SPREAD
    scores: NDArray[np.float64] = -np.log1p(0.5 * off**2)
    return scores
