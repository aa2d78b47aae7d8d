"""Read the 64 squares of one photograph of a table that nothing is known of.

The board is seen straight from above and its empty look guessed (`vision.emptyboard`); round things
of one size are found by the edges that run round them (`vision.rims`, `vision.tops`), named by
colour together (`vision.palette`) and followed down to their feet (`vision.stacks`). What each
square holds is put together from all of them, with what is uncertain left uncertain.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import (
    EMPTY,
    SQUARES,
    BoardLocation,
    Colour,
    Contents,
    DieReading,
    SquareReading,
    contents,
)
from vision.boardview import view_board
from vision.burntout import BRIGHT, burnt_shares, doubted
from vision.evenlight import in_even_light
from vision.frame import Picture
from vision.obscured import covered_corners, reaching_in, squares_under
from vision.palette import name_colours
from vision.pose import estimate_pose
from vision.rectify import picture_to_board
from vision.stacks import MOST, Stacks, count_checkers
from vision.tops import Tops, find_tops, top_chances

_FOOT_SPREAD: Final = 0.04
"""How well a foot's place is known, in squares."""
_LEAST_CHANCE: Final = 0.02
_OVERLAP: Final = 0.9
_LEAST_DOUBT: Final = 0.02
"""However sure a die seems, it may be a checker after all."""
_REACH: Final = 1.15
"""In radii: so near to a checker's axis its rim, its wall or its shadow may hide the board."""
_UNDER: Final = 0.3
"""What is left of the probability of what is read under a hand."""


def read_squares(
    pixels: Picture,
    location: BoardLocation,
    colours: tuple[Colour, ...] | None = None,
    dice: tuple[DieReading, ...] = (),
) -> tuple[SquareReading, ...]:
    """Return what stands on the 64 squares, a1 first.

    Args:
        pixels: the picture.
        location: where the board is in it.
        colours: the colours of the checkers that may be there, or None where any may.
        dice: what was read of dice; where a sure one lies no checker does.
    """
    named = colours or tuple(Colour)
    view = view_board(pixels, location)
    tops = find_tops(view)
    size_wh = (pixels.shape[1], pixels.shape[0])
    chances = _beside_dice(tops, top_chances(tops), view.radius, _dice_on(location, size_wh, dice))
    tops, chances = _keep(tops, chances, chances > _LEAST_CHANCE)
    # Round things on the table beside the board are perhaps no checkers: they have no vote.
    on_board = np.all((tops.seen_xy > 0.0) & (tops.seen_xy < 8.0), axis=1)
    even = in_even_light(tops.lab, tops.seen_xy, view.empty)
    names = name_colours(even, chances * on_board, named)
    chances = _doubted(chances, names[:, -1])
    pose = estimate_pose(location, size_wh)
    stacks = count_checkers(view, pose, tops, chances)
    chances = _explain_away(tops, stacks, chances, view.radius)
    shares = names[:, :-1] / np.maximum(names[:, :-1].sum(axis=1, keepdims=True), 1e-12)
    readings = _assemble(chances, shares, stacks, named)
    if BRIGHT & set(named):
        blank = burnt_shares(pixels, location).tolist()
        readings = tuple(
            reading if reading.best else replace(reading, options=doubted(reading.options, part))
            for reading, part in zip(readings, blank, strict=True)
        )
    bare = covered_corners(pixels, location) & ~_beside_checkers(tops, stacks, chances, view.radius)
    under = squares_under(reaching_in(bare))
    return tuple(
        _hidden(reading) if covered else reading
        for reading, covered in zip(readings, under, strict=True)
    )


def _dice_on(
    location: BoardLocation, size_wh: tuple[int, int], dice: tuple[DieReading, ...]
) -> list[tuple[NDArray[np.float64], float]]:
    """Return where the middles of dice seem to be on the board, and how sure each is a die."""
    found = []
    for die in dice:
        x, y, wide, high = die.box
        middle = np.array([[x + wide / 2.0, y + high / 2.0]])
        sure = min(sum(die.probabilities), 1.0)
        found.append((picture_to_board(location, size_wh, middle)[0], sure))
    return found


def _beside_dice(
    tops: Tops,
    chances: NDArray[np.float64],
    radius: float,
    dice: list[tuple[NDArray[np.float64], float]],
) -> NDArray[np.float64]:
    """Return the chances with the odds lowered by how sure a die lies there instead."""
    left = chances.copy()
    for middle, sure in dice:
        there = np.linalg.norm(tops.seen_xy - middle, axis=1) < radius
        doubt = max(1.0 - sure, _LEAST_DOUBT)
        odds = doubt * left[there] / (1.0 - left[there])
        left[there] = odds / (1.0 + odds)
    return left


def _keep(
    tops: Tops, chances: NDArray[np.float64], kept: NDArray[np.bool_]
) -> tuple[Tops, NDArray[np.float64]]:
    """Return the tops that are *kept*, the likeliest first, and their chances."""
    order = np.flatnonzero(kept)[np.argsort(-chances[kept], kind="stable")]
    return Tops(tops.seen_xy[order], tops.evidence[order], tops.lab[order]), chances[order]


def _doubted(chances: NDArray[np.float64], strange: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chances lowered where the colour is no checker's; a fitting one raises none."""
    odds = chances / (1.0 - chances) * np.minimum(1.0, (1.0 - strange) / np.maximum(strange, 1e-9))
    doubted: NDArray[np.float64] = odds / (1.0 + odds)
    return doubted


def _explain_away(
    tops: Tops, stacks: Stacks, chances: NDArray[np.float64], radius: float
) -> NDArray[np.float64]:
    """Return the chances with those lowered that only see the wall of a likelier one."""
    left = chances.copy()
    feet = stacks.feet_xy[np.arange(len(left)), np.argmax(stacks.chances, axis=1)]
    for number in np.argsort(-chances, kind="stable"):
        top, foot = tops.seen_xy[number], feet[number]
        hidden = _gaps(tops.seen_xy, top, foot) < _OVERLAP * radius
        hidden &= chances < chances[number]
        left[hidden] *= 1.0 - left[number]
    return left


def _beside_checkers(
    tops: Tops, stacks: Stacks, chances: NDArray[np.float64], radius: float
) -> NDArray[np.bool_]:
    """Return which of the 9 x 9 corners of squares a sure checker, or its tower, may hide."""
    column, row = np.meshgrid(np.arange(9.0), np.arange(9.0))
    corners = np.stack((column, 8.0 - row), axis=-1)
    feet = stacks.feet_xy[np.arange(len(chances)), np.argmax(stacks.chances, axis=1)]
    hidden = np.zeros((9, 9), dtype=bool)
    for top, foot in zip(tops.seen_xy[chances > 0.5], feet[chances > 0.5], strict=True):
        hidden |= _gaps(corners, top, foot) < _REACH * radius
    return hidden


def _gaps(
    places: NDArray[np.float64], top: NDArray[np.float64], foot: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far places (..., 2) are from the line between a top and its foot."""
    along = foot - top
    part = np.clip((places - top) @ along / max(float(along @ along), 1e-9), 0.0, 1.0)
    return np.asarray(np.linalg.norm(places - top - part[..., None] * along, axis=-1))


def _hidden(reading: SquareReading) -> SquareReading:
    """Return a reading for a square that something lies over: what is read there is not sure."""
    left = tuple((stack, _UNDER * chance) for stack, chance in reading.options)
    return replace(reading, options=left, hidden=True)


def _assemble(
    chances: NDArray[np.float64],
    shares: NDArray[np.float64],
    stacks: Stacks,
    colours: tuple[Colour, ...],
) -> tuple[SquareReading, ...]:
    """Return what the squares hold when each top stands on its own squares with its chances."""
    held: list[dict[Contents, float]] = [{EMPTY: 1.0} for _ in SQUARES]
    for number, chance in enumerate(chances):
        added: dict[int, dict[Contents, float]] = {}
        for count in range(1, MOST + 1):
            likely = chance * stacks.chances[number, count - 1]
            for square, part in _standing_on(stacks.feet_xy[number, count - 1]):
                for colour, share in zip(colours, shares[number], strict=True):
                    if likely * part * share > 1e-4:
                        stack = contents(*(colour,) * count)
                        options = added.setdefault(square, {})
                        options[stack] = options.get(stack, 0.0) + likely * part * share
        for square, options in added.items():
            held[square] = _joined(held[square], options)
    return tuple(_reading(options) for options in held)


def _standing_on(foot_xy: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return the squares a foot may be on, with their chances."""
    files, ranks = (_shares(float(value)) for value in foot_xy)
    return [
        (8 * rank + file, file_share * rank_share)
        for file, file_share in files
        for rank, rank_share in ranks
        if file_share * rank_share > 0.01
    ]


def _shares(value: float) -> list[tuple[int, float]]:
    """Return the rows or columns that a coordinate may belong to, with their chances."""
    line = round(value)
    above = float(1.0 / (1.0 + np.exp(np.clip(-1.7 * (value - line) / _FOOT_SPREAD, -30, 30))))
    return [(at, share) for at, share in ((line - 1, 1.0 - above), (line, above)) if 0 <= at < 8]


def _joined(held: dict[Contents, float], added: dict[Contents, float]) -> dict[Contents, float]:
    """Return what a square holds after something was perhaps added to it."""
    missing = 1.0 - sum(added.values())
    joined = {stack: chance * missing for stack, chance in held.items()}
    for stack, chance in held.items():
        for more, likely in added.items():
            both = contents(*stack, *more)
            if len(both) <= MOST:
                joined[both] = joined.get(both, 0.0) + chance * likely
    return joined


def _reading(options: dict[Contents, float]) -> SquareReading:
    ordered = sorted(options.items(), key=lambda option: (-option[1], option[0]))
    return SquareReading(tuple((stack, float(min(chance, 1.0))) for stack, chance in ordered[:8]))
