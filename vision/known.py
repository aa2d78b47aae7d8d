"""Read the squares of a known table: with the empty board and the players' checkers to hand."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop import (
    EMPTY,
    SQUARES,
    BoardLocation,
    Contents,
    Square,
    SquareReading,
    contents,
    square,
)
from vision.burntout import BRIGHT, doubted
from vision.evidence import Backdrop, backdrop_of, differences
from vision.frame import Picture
from vision.scene import TableScene, see_table
from vision.standing import HIGHEST, Found
from vision.table import TableModel
from vision.towers import outline

# A checker is expected on one square in ten; of each colour in play alike.
_LOG_PRIOR: Final = float(np.log(0.1 / 0.9))
# The standard deviation of a found foot, in squares, along the files and along the ranks.
_FOOT_SPREAD: Final = 0.035
# Options less probable than this are not worth a line.
_LEAST: Final = 1e-4
# From this part of a square covered by something unexplained on, it is not read.
_HIDDEN_SHARE: Final = 0.3
_MOST_DOUBT: Final = 0.9
# How many changed pixels, in squares, make it even odds that the square was changed; and how fast
# certainty grows about that.
_CHANGE_AREA: Final = 0.1
_CHANGE_SLOPE: Final = 35.0
_ENOUGH_ALIKE: Final = 4
"""So many checkers that stand still tell of the light."""
_LOOKS_EMPTY: Final = 0.8
# A checker's contact shadow counts for its own square, up to here, in squares.
_AURA: Final = 0.12

Distribution: TypeAlias = dict[Contents, float]

AcceptedScene: TypeAlias = TableScene
"""The scene that was last ruled on; kept to tell what changed since."""


def read_known_squares(
    pixels: Picture,
    table: TableModel,
    location: BoardLocation | None = None,
    previous: AcceptedScene | None = None,
) -> tuple[SquareReading, ...]:
    """Return what stands on each of the 64 squares of a calibrated table, a1 first.

    Args:
        pixels: a picture of the table's camera.
        table: what is known of it.
        location: where the board lies now, if not where it lay at calibration.
        previous: the scene last accepted; with it each reading tells whether its square changed.
    """
    return square_readings(see_table(pixels, table, location), previous)


def square_readings(
    scene: TableScene, previous: AcceptedScene | None = None
) -> tuple[SquareReading, ...]:
    """Return what stands on each of the 64 squares of a *scene*, a1 first."""
    readings = _readings(scene)
    if previous is None:
        return readings
    before = _readings(previous)
    alike = [at for at in SQUARES if readings[at].best and readings[at].best == before[at].best]
    looks_changed = _change_probabilities(scene, previous, alike)
    return tuple(
        replace(now, changed=_changed(float(looks), now, then))
        for now, then, looks in zip(readings, before, looks_changed, strict=True)
    )


@lru_cache(maxsize=2)
def _readings(scene: TableScene) -> tuple[SquareReading, ...]:
    """Return what stands on each square, whatever stood there before."""
    covered = _shares(scene, scene.unexplained)
    # What is not explained may be something not listed, up to where nothing is known any more.
    known = 1.0 - np.minimum(covered / _HIDDEN_SHARE, 1.0) * _MOST_DOUBT
    standing: dict[Square, list[Distribution]] = {at: [] for at in SQUARES}
    for item in scene.found:
        for at, alone in _distributions(item).items():
            standing[at].append(alone)
    blank = _shares(scene, scene.blank) if BRIGHT & set(scene.colours) else np.zeros(64)
    readings = []
    for at in SQUARES:
        options = _options(standing[at], float(known[at]))
        if not options[0][0]:
            options = doubted(options, float(blank[at]))
        readings.append(SquareReading(options, hidden=bool(covered[at] > _HIDDEN_SHARE)))
    return tuple(readings)


def _distributions(item: Found) -> dict[Square, Distribution]:
    """Return the probabilities of what stands on each square that something found may be on.

    The higher a tower the nearer its foot is to the camera for a top that is seen at one place, so
    where it stands depends on how many it is.
    """
    counts = np.exp(np.array(item.by_count) - max(item.by_count))
    counts /= counts.sum()
    prior = _LOG_PRIOR - np.log(len(item.by_colour))
    odds = {colour: float(np.exp(min(score, 60.0) + prior)) for colour, score in item.by_colour}
    total = 1.0 + sum(odds.values())
    result: dict[Square, Distribution] = {}
    for number, (foot_xy, likely) in enumerate(zip(item.feet, counts, strict=True), start=1):
        for at, share in _squares_under(foot_xy):
            if share * likely > _LEAST:
                alone = result.setdefault(at, {})
                for colour, weight in odds.items():
                    alone[contents(*[colour] * number)] = weight / total * share * float(likely)
    for alone in result.values():
        alone[EMPTY] = 1.0 - sum(alone.values())
    return result


def _squares_under(foot_xy: tuple[float, float]) -> Iterable[tuple[Square, float]]:
    """Return the squares that a foot may stand on, with their probabilities."""
    files, ranks = (_along(value) for value in foot_xy)
    for (file, file_share), (rank, rank_share) in product(files, ranks):
        if 0 <= file < 8 and 0 <= rank < 8:
            yield square(file, rank), file_share * rank_share


def _along(value: float) -> tuple[tuple[int, float], ...]:
    """Return in which interval between whole numbers a value lies, and in which perhaps."""
    border = round(value)
    above = 1.0 / (1.0 + float(np.exp(-1.702 * (value - border) / _FOOT_SPREAD)))
    return (border - 1, 1.0 - above), (border, above)


def _options(towers: list[Distribution], known: float) -> tuple[tuple[Contents, float], ...]:
    """Return what stands on one square, the most probable first; *known* is their sum."""
    joined: Distribution = {contents(): 1.0}
    for tower in towers:
        fresh: Distribution = {}
        for (some, first), (more, second) in product(joined.items(), tower.items()):
            both = contents(*some, *more)
            if first * second > _LEAST / 10.0 and all(both.count(one) <= HIGHEST for one in both):
                fresh[both] = fresh.get(both, 0.0) + first * second
        # What more than a player's checkers would make up leaves its share to the others.
        total = sum(fresh.values())
        joined = {what: chance / total for what, chance in fresh.items()}
    ordered = sorted(joined.items(), key=lambda option: -option[1])
    return tuple((what, chance * known) for what, chance in ordered if chance > _LEAST)


def _shares(scene: TableScene, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return what part of each square a mask over the rectified board covers, (64,), a1 first."""
    return np.asarray(scene.view.shares(mask)[::-1].ravel(), dtype=np.float64)


@lru_cache(maxsize=2)
def _as_backdrop(accepted: TableScene) -> Backdrop:
    return backdrop_of(accepted.lab, accepted.view.square_px)


def _changed(looks: float, now: SquareReading, then: SquareReading) -> float:
    """Return the probability that another checker stands on a square, or fewer or more, than did.

    What looks empty was compared with the empty board itself; against an earlier scene shadows and
    gleams come and go.
    """
    if min(now.probability(EMPTY), then.probability(EMPTY)) > _LOOKS_EMPTY:
        return _came_or_went(now, then)
    return max(looks, _came_or_went(now, then))


def _came_or_went(now: SquareReading, then: SquareReading) -> float:
    """Return the probability that a square was filled or emptied, as far as both are read."""
    if now.hidden or then.hidden:
        return 0.0
    empty_now, empty_then = now.probability(EMPTY), then.probability(EMPTY)
    filled_now, filled_then = (sum(p for what, p in item.options if what) for item in (now, then))
    return empty_now * filled_then + filled_now * empty_then


def _change_probabilities(
    scene: TableScene, previous: TableScene, alike: Sequence[Square]
) -> NDArray[np.float64]:
    """Return for each square the probability that it looks other than in *previous*.

    What a checker hides counts for the square on which it stands, now or then: a tall one leans
    over its neighbour, which has not changed. Where most of the squares that hold *alike* what they
    held look changed, it is the light that has: a lamp shades and lights all checkers anew.
    """
    # What is burnt out looks otherwise in another light, and tells nothing.
    left = differences(scene.lab, _as_backdrop(previous)) & ~(scene.burnt | previous.burnt)
    areas = np.zeros(64)
    for item in (*scene.found, *previous.found):
        file, rank = (math.floor(value) for value in item.tower.foot_xy)
        if item.score < 0.0 or not (0 <= file < 8 and 0 <= rank < 8):
            continue
        part = outline(scene.view, item.tower.foot_xy, item.tower.count, grow=_AURA)
        around = left[part.rows, part.columns]
        own = around & (part.cover > 0.5)
        areas[square(file, rank)] += own.sum() / scene.view.square_px**2
        around &= ~own
    areas += _shares(scene, left)
    if len(alike) >= _ENOUGH_ALIKE:
        areas -= np.median(areas[list(alike)])
    return np.asarray(1.0 / (1.0 + np.exp(-_CHANGE_SLOPE * (areas - _CHANGE_AREA))))
