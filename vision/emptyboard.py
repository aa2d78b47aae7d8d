"""How the board would look without anything on it, guessed from the squares themselves.

Around the corners of a square the board shows even where a checker stands in its middle. So each
square is sampled near its four corners; the samples of one shade are compared with those nearby,
and where one disagrees (a checker reaches there, a die, a hand) the others speak for it. Between
its corners a square's colour is interpolated, so light that falls off, shadows and glare are
followed as far as a square shows them.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

_INSET: Final = 0.13
"""Where a square is sampled: this far from two of its edges, in squares. A centred checker nine
tenths of a square wide leaves it free."""
_PATCH: Final = 0.06
_REACH: Final = 1.0
"""How far neighbours have a say: the standard deviation of their weight, in squares."""
_LEAST_SPREAD: Final = 1.0
_ROUNDS: Final = 3


def guess_empty(lab: Floats, square_px: int) -> Floats:
    """Return what the board would look like without checkers.

    Args:
        lab: the 64 squares seen straight from above, a1 at the bottom left, CIE L*a*b*, shape
            (8 * square_px, 8 * square_px, 3).
        square_px: the side of a square in pixels.

    Returns:
        CIE L*a*b*, of the same shape; read-only.
    """
    samples, places = _corner_samples(lab, square_px)
    rows, columns = np.mgrid[0:8, 0:8]
    # The top row is the eighth rank: a8 is light.
    dark = (rows + columns) % 2 == 1
    guessed = samples.copy()
    for shade in (~dark, dark):
        flat = samples[shade].reshape(-1, 3)
        smooth = _smooth(flat, places[shade].reshape(-1, 2))
        strays = flat - smooth
        trust = _trust(strays, 2.5 * _spread(strays))[:, None]
        guessed[shade] = (trust * flat + (1.0 - trust) * smooth).reshape(-1, 2, 2, 3)
    field = _interpolate(guessed, square_px)
    field.flags.writeable = False
    return field


def shade_distance(seen: Floats, paint: Floats, least: float, most: float) -> NDArray[np.float64]:
    """Return how far colours are from a paint in whatever light makes it most like them.

    In less light L* + 16, a* and b* shrink alike, by the cube root.

    Args:
        seen: CIE L*a*b*, shape (..., 3).
        paint: the same, of the paint in full light.
        least: the least light there may be, full light being 1.
        most: the most light.

    Returns:
        Distances in units of Lab, shape (...).
    """
    offset = np.array([16.0, 0.0, 0.0], dtype=np.float32)
    point, ray = seen + offset, paint + offset
    scale = np.sum(point * ray, axis=-1) / np.maximum(np.sum(ray * ray, axis=-1), 1.0)
    nearest = np.clip(scale, least ** (1 / 3), most ** (1 / 3))[..., None] * ray
    return np.asarray(np.linalg.norm(point - nearest, axis=-1), dtype=np.float64)


def _corner_samples(lab: Floats, square_px: int) -> tuple[Floats, Floats]:
    """Return the median colour near each corner of each square, and where: (8, 8, 2, 2, ...)."""
    at = np.array([_INSET, 1.0 - _INSET], dtype=np.float32)
    along = (np.arange(8, dtype=np.float32)[:, None] + at).reshape(-1)
    half = max(1, round(_PATCH * square_px))
    first = np.round(along * square_px - 0.5).astype(int)
    near = first[:, None] + np.arange(-half, half + 1)
    patches = lab[near][:, :, near]
    medians = np.median(patches.transpose(0, 2, 1, 3, 4).reshape(16, 16, -1, 3), axis=2)
    samples = medians.reshape(8, 2, 8, 2, 3).transpose(0, 2, 1, 3, 4)
    x, y = np.meshgrid(along, along)
    places = np.stack((x, y), axis=-1).reshape(8, 2, 8, 2, 2).transpose(0, 2, 1, 3, 4)
    return samples.astype(np.float32), places.astype(np.float32)


def _smooth(samples: Floats, places: Floats) -> Floats:
    """Return a field through *samples* (n, 3) at *places* (n, 2) that outliers do not bend.

    A weighted median of the neighbours to begin with, then local linear regression (Cleveland
    1979) with weights that fall with the residual.
    """
    squared = np.sum((places[:, None] - places[None]) ** 2, axis=-1)
    nearness = np.exp(-squared / (2.0 * _REACH**2)).astype(np.float32)
    smooth = _weighted_medians(samples, nearness)
    design = np.concatenate((np.ones((len(places), 1), np.float32), places), axis=1)
    steady = np.diag([0.0, 1e-3, 1e-3]).astype(np.float32)
    for _ in range(_ROUNDS):
        strays = samples - smooth
        spread = _spread(strays)
        weights = nearness * _trust(strays, 2.0 * spread)
        normal = np.einsum("qn,ni,nj->qij", weights, design, design, optimize=True) + steady
        right = np.einsum("qn,ni,nc->qic", weights, design, samples, optimize=True)
        fitted = np.linalg.solve(normal.astype(np.float64), right.astype(np.float64))
        smooth = np.einsum("qi,qic->qc", design, fitted).astype(np.float32)
    return smooth


def _weighted_medians(samples: Floats, weights: Floats) -> Floats:
    """Return the medians of each channel under each row of *weights* (n, n); shape (n, 3)."""
    medians = np.empty_like(samples)
    for channel in range(samples.shape[1]):
        order = np.argsort(samples[:, channel])
        risen = np.cumsum(weights[:, order], axis=1)
        middle = np.argmax(risen >= risen[:, -1:] / 2.0, axis=1)
        medians[:, channel] = samples[order[middle], channel]
    return medians


def _spread(strays: Floats) -> float:
    """Return a typical length of *strays*, (n, 3), that outliers do not move."""
    return max(_LEAST_SPREAD, 1.48 * float(np.median(np.linalg.norm(strays, axis=1))))


def _trust(strays: Floats, scale: float) -> Floats:
    """Return 1 for a sample that fits, towards 0 for one that strays far over *scale*."""
    trust: Floats = 1.0 / (1.0 + (np.linalg.norm(strays, axis=1) / scale) ** 4)
    return trust


def _interpolate(corners: Floats, square_px: int) -> Floats:
    """Return the squares filled in between their corners' colours (8, 8, 2, 2, 3), bilinearly."""
    along = ((np.arange(square_px, dtype=np.float32) + 0.5) / square_px - _INSET) / (
        1.0 - 2.0 * _INSET
    )
    weights = np.stack((1.0 - along, along))
    filled = np.einsum("ay,bx,ijabc->iyjxc", weights, weights, corners, optimize=True)
    side = 8 * square_px
    return np.ascontiguousarray(filled.reshape(side, side, 3), dtype=np.float32)
