"""How much of what is seen around a place runs round it, against the noise of that very place.

Around the middle of a checker everything is alike in all directions, but for the side the light
comes from: rim, rings and crown are circles, brighter here and darker there. So brightness is
sampled in polar coordinates and its change along the radii taken apart into waves around the
circle: none, one or two of them are the checker's, those with three to ten the grain's, the
noise's, a wrinkle's. The ratio of the two is an analysis of variance (Fisher's F): it needs no
threshold for what is faint, since the place brings its own measure of noise along, and averaging
whole circles sees rings that no pixel shows. In the dark, where edges are a few grey levels, that
is what an eye does.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.emptyboard import Floats

_TURNS: Final = 48
_OWN_WAVES: Final = 5
"""None, and one and two in either phase; the others come after."""
_STEP_PX: Final = 1.2
"""Between two circles; a ring is hardly narrower than two of them."""
_INNER, _RIM, _OUTER = 0.3, 0.85, 1.12
"""In radii: a disc's face is looked at from here, its rim from here, to here."""
_CLIP: Final = 1.5
"""Changes of more than about so many times the usual count no more: a glint is one glint."""
_CLIMB_PX: Final = (1.5, 1.5, 0.75)
"""The steps by which the middle is sought where a place seems a little round already."""
_CROSS: Final = np.array([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
_SEEMS_ROUND: Final = 0.4
_TINY: Final = 1e-3
_AT_ONCE: Final = 54
"""So many places at a time stay within a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Roundness:
    """How round n places are, each about its roundest middle: logarithms of F.

    Attributes:
        face: of all that is seen from `_INNER` to `_OUTER` radii, (n,).
        rim: of the outermost part of it, (n,).
        middles_xy: those middles, columns and rows, (n, 2).
    """

    face: NDArray[np.float64]
    rim: NDArray[np.float64]
    middles_xy: NDArray[np.float64]


def roundness(
    brightness: Floats, starts_xy: tuple[NDArray[np.float64], ...], radius_px: float
) -> Roundness:
    """Return how round the picture is about each of n places.

    Args:
        brightness: the rectified board, the empty board taken away, (side, side).
        starts_xy: where the middles may be, columns and rows, each (n, 2): all are tried.
        radius_px: of the checkers.
    """
    best, logs = _roundest_nearby(brightness, starts_xy[0], radius_px, _CLIMB_PX[0])
    for start_xy in starts_xy[1:]:
        _improve(brightness, start_xy, best, logs, radius_px, _CLIMB_PX[0])
    for step_px in _CLIMB_PX:
        _improve(brightness, best.copy(), best, logs, radius_px, step_px)
    face, rim = logs.T.astype(np.float64)
    return Roundness(face, rim, best)


def _improve(
    brightness: Floats,
    start_xy: NDArray[np.float64],
    best: NDArray[np.float64],
    logs: Floats,
    radius_px: float,
    step_px: float,
) -> None:
    """Put in *best* and *logs* what is rounder about *start_xy*, where it is worth looking."""
    again = np.flatnonzero((logs[:, 0] > _SEEMS_ROUND) | np.any(start_xy != best, axis=1))
    places, found = _roundest_nearby(brightness, start_xy[again], radius_px, step_px)
    rounder = found[:, 0] > logs[again, 0]
    best[again[rounder]], logs[again[rounder]] = places[rounder], found[rounder]


def _roundest_nearby(
    brightness: Floats, places_xy: NDArray[np.float64], radius_px: float, step_px: float
) -> tuple[NDArray[np.float64], Floats]:
    """Return the roundest of five middles about each place, (n, 2), and its logarithms, (n, 2)."""
    middles = places_xy[:, None] + step_px * _CROSS
    if not len(middles):
        return places_xy.copy(), np.empty((0, 2), np.float32)
    logs = _log_ratios(brightness, middles.reshape(-1, 2), radius_px).reshape(-1, len(_CROSS), 2)
    best = (np.arange(len(logs)), np.argmax(logs[..., 0], axis=1))
    return middles[best], logs[best]


def _log_ratios(brightness: Floats, middles: NDArray[np.float64], radius_px: float) -> Floats:
    """Return the logarithms of F of the face and the rim about each middle, (n, 2)."""
    radii = np.arange(_INNER * radius_px - _STEP_PX, _OUTER * radius_px + _STEP_PX, _STEP_PX)
    turns = np.arange(_TURNS) * (2.0 * np.pi / _TURNS)
    x = (radii[:, None] * np.cos(turns)).ravel().astype(np.float32)
    y = (radii[:, None] * np.sin(turns)).ravel().astype(np.float32)
    on_rim = radii[1:-1] >= _RIM * radius_px
    logs = []
    for start in range(0, len(middles), _AT_ONCE):
        at = middles[start : start + _AT_ONCE].astype(np.float32)
        seen = cv2.remap(
            brightness,
            at[:, :1] + x,
            at[:, 1:] + y,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        circles = np.asarray(seen, dtype=np.float32).reshape(len(at), len(radii), _TURNS)
        waves = _clipped(circles[:, 2:] - circles[:, :-2]) @ _WAVES
        # Light that falls off over the place is the same wave on every circle.
        energies = np.square(waves - waves.mean(axis=1, keepdims=True))
        face = _log_ratio(energies.mean(axis=1))
        rim = _log_ratio(energies[:, on_rim].mean(axis=1))
        logs.append(np.stack((face, rim), axis=-1))
    return np.concatenate(logs)


def _log_ratio(energies: Floats) -> Floats:
    """Return the logarithm of F of waves' energies, (..., 21): own ones over the others."""
    own = energies[..., :_OWN_WAVES].mean(axis=-1)
    other = energies[..., _OWN_WAVES:].mean(axis=-1)
    return np.asarray(np.log((own + _TINY) / (other + _TINY)), dtype=np.float32)


def _clipped(change: Floats) -> Floats:
    """Return changes (n, circles, turns) in units of each place's usual, large ones held down."""
    usual = np.abs(change).mean(axis=(1, 2), keepdims=True)
    size = np.square(change)
    size += np.square(_CLIP * usual) + _TINY
    return np.asarray(change / np.sqrt(size), dtype=np.float32)


def _waves() -> Floats:
    """Return orthonormal waves around a circle, (turns, 21): none, then one to ten, two phases."""
    turns = np.arange(_TURNS) * (2.0 * np.pi / _TURNS)
    waves = [np.full(_TURNS, np.sqrt(0.5))]
    for number in range(1, 11):
        waves += [np.cos(number * turns), np.sin(number * turns)]
    return np.asarray(np.sqrt(2.0 / _TURNS) * np.stack(waves, axis=-1), dtype=np.float32)


_WAVES: Final = _waves()
