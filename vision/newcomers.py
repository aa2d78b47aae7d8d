"""What came into the picture of a known table since it was empty.

A die whose colour hardly stands out from the cloth, as a green one on red, is hard to find by its
looks; against the picture of the empty table it is not. A hand is what reaches in from the edge of
the picture.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import Box
from vision.die_nets import Candidate
from vision.frame import Picture
from vision.light import quadratic, say
from vision.table import TableModel

SHRINK: Final = 2
"""The pictures are compared at this part of their size: a die of 14 pixels is 7 wide then."""
LEAST_CHANGE: Final = 16.0
"""Grey levels, in the channel that changed most."""
NOISE_FACTOR: Final = 4.5
LONGEST: Final = 2.0
"""A die and its shadow are at most so much longer than wide."""
LEAST_FILLED: Final = 0.45
"""A die fills so much of its box, turned as it may be; the edge of a nudged checker does not."""
AROUND: Final = 1.15
"""A die's box in sizes of what changed: its edges are blurred."""
ARM_SHARE: Final = 0.06
"""Of the picture's longer side: what reaches in from its edge so far is a hand or an arm."""
_EDGE_GAP: Final = 0.03
"""Of the same side: so near the edge what holds a die may begin, an arm as light as the cloth."""
NEAR_A_HAND: Final = 0.4
"""So far around a die, in sizes of its box, no hand may be: what lies untouched is read."""
TOUCHING: Final = 0.1
"""Of a die and what is around it: so much is a hand that holds it, or covers it."""
_MOST_BARE: Final = 0.02
"""Of the pixels of a bare place so many differ by chance; of a die one large pip is 0.03."""

MOSTLY: Final = 0.3
"""From this share on what is no shadow of what changed is the thing itself."""

# A thing of so many shrunk pixels is looked at by itself; smaller ones are specks.
_LARGEST_SPECK: Final = 60
_LEAST_SPECKLED: Final = 0.15
_MOST_SPECKLED: Final = 3
# A shadow leaves this share of the light at least, and takes alike from every channel.
_SHADED: Final = 0.4
_LIT: Final = 0.97
_COLOURLESS: Final = 0.12
_SAMPLED: Final = 4
_MOST_NOISE: Final = 1.5
_AROUND_SAMPLES: Final = (7, 7)
"""Noise is the mean of so many samples."""
_CELLS: Final = 40
"""The light is fitted to the means of so many cells along the longer side."""
_BAND_PX: Final = 16
# The fit of the light narrows from a doubling of it to the noise of a pixel, as logarithms.
_LIGHT_SCALES: Final = (0.7, 0.4, 0.2, 0.1, 0.1)
_LIGHT_LIMITS: Final = (-2.0, 2.0)
_LIGHT_RIDGE: Final = 1e-3
_DARK: Final = np.float32(8.0)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a picture of a known table differs from the empty one by more than light and noise.

    Attributes:
        labels: shape (height, width), shrunk by `SHRINK`: 0 where nothing changed, or the number of
            the thing that did; read-only.
        boxes: a row a thing, the first for what did not change: left, top, width, height, area, in
            shrunk pixels.
        differs: which single pixels differ, 0 or 1, shrunk; read-only.
        now, then: the picture, and the empty table in its light, shrunk; read-only.
    """

    labels: NDArray[np.uint16]
    boxes: NDArray[np.int32]
    differs: NDArray[np.uint8]
    now: NDArray[np.uint8]
    then: NDArray[np.uint8]

    def small_things(self, least_px: float, most_px: float) -> list[Candidate]:
        """Return the compact things from *least_px* to *most_px* wide, the largest first."""
        found = []
        for number in range(1, len(self.boxes)):
            if SHRINK * int(self.boxes[number, 2:4].max()) < least_px:
                continue
            # Shaded sides may look like shadow: where too little is left the whole thing counts.
            boxes = (self._without_shadow(number), self.boxes[number].tolist())
            compact = next((box for box in boxes if _is_compact(box, least_px, most_px)), None)
            if compact is None:
                continue
            left, top, wide, high, area = compact
            size = SHRINK * max(wide, high)
            middle = (SHRINK * (left + wide / 2) - 0.5, SHRINK * (top + high / 2) - 0.5)
            found.append((area, Candidate(middle, AROUND * size, 1.0)))
        found.sort(key=lambda pair: -pair[0])
        return [candidate for _, candidate in found]

    def _without_shadow(self, number: int) -> list[int]:
        """Return the box and area of a thing; without its shadow, where that is not most of it."""
        row: list[int] = self.boxes[number].tolist()
        rows, columns = self._itself(number)
        if len(rows) < MOSTLY * row[4]:
            return row
        x, y = int(columns.min()), int(rows.min())
        return [x, y, int(columns.max()) - x + 1, int(rows.max()) - y + 1, len(rows)]

    def _itself(self, number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows and the columns of the pixels of a thing that may not be its shadow."""
        left, top, wide, high = self.boxes[number, :4].tolist()
        part = (slice(top, top + high), slice(left, left + wide))
        here = self.labels[part] == number
        blue, green, red = cv2.split((self.now[part] + _DARK) / (self.then[part] + _DARK))
        most = np.maximum(np.maximum(blue, green), red)
        least = np.minimum(np.minimum(blue, green), red)
        dimmed = (most < _LIT) & (least > _SHADED) & (most - least < _COLOURLESS)
        rows, columns = np.nonzero(here & ~dimmed)
        return rows + top, columns + left

    def part(self, least_px: float, most_px: float) -> tuple[int, int, int, int] | None:
        """Return the box that holds whatever may hide a die, None where nothing does.

        A die that touches something else, or lies in a shadow's edge, is part of a larger thing:
        only what is narrower than *least_px*, or as compact and as large as *most_px* allows, was
        looked at by itself.
        """
        wide, high, area = (SHRINK * self.boxes[1:, at] for at in (2, 3, 4))
        small = np.maximum(wide, high) <= most_px
        compact = SHRINK * area >= LEAST_FILLED * wide * high
        thick = np.minimum(wide, high) >= least_px
        unclear = thick & ~(small & compact)
        if not unclear.any():  # what is too long to be a die may be the shaded side of one
            unclear = thick & (np.maximum(wide, high) > LONGEST * np.minimum(wide, high))
        if not unclear.any():
            return None
        left, top, wide, high = (SHRINK * self.boxes[1:][unclear, at] for at in range(4))
        x, y = int(left.min()), int(top.min())
        return x, y, int((left + wide).max()) - x, int((top + high).max()) - y

    def speckled(self, side_px: float) -> list[Candidate]:
        """Return the places *side_px* wide that hold the most specks, the fullest first.

        Specks are pixels that differ beside the larger things. Of a die as dark as what it lies on
        the pips are seen, and an edge.
        """
        side = max(3, round(side_px / SHRINK))
        large = 1 + np.flatnonzero(self.boxes[1:, 4] > _LARGEST_SPECK)
        things = np.isin(self.labels, large).astype(np.uint8)
        specks = np.where(cv2.dilate(things, np.ones((5, 5), np.uint8)) > 0, 0, self.differs)
        share = cv2.boxFilter(specks.astype(np.float32), -1, (side, side))
        found: list[Candidate] = []
        while len(found) < _MOST_SPECKLED:
            _, most, _, (x, y) = cv2.minMaxLoc(share)
            if most < _LEAST_SPECKLED:
                break
            middle = (SHRINK * (x + 0.5) - 0.5, SHRINK * (y + 0.5) - 0.5)
            found.append(Candidate(middle, side_px, 1.0))
            cv2.circle(share, (x, y), side, 0.0, -1)
        return found

    def share(self, box: Box) -> float:
        """Return what part of what *box* frames has changed."""
        x, y, wide, high = (at / SHRINK for at in box)
        part = self.labels[
            max(0, round(y)) : max(0, round(y + high)), max(0, round(x)) : max(0, round(x + wide))
        ]
        return float((part > 0).mean()) if part.size else 0.0

    def is_bare(self, box: Box) -> bool:
        """Tell whether the empty table is seen in *box*, and not even the pips of a die on it."""
        x, y, wide, high = (at / SHRINK for at in box)
        part = self.differs[
            max(0, round(y)) : max(0, round(y + high)), max(0, round(x)) : max(0, round(x + wide))
        ]
        return bool(part.size and part.mean() < _MOST_BARE)

    def arms(self) -> NDArray[np.bool_]:
        """Return where hands and arms are, shrunk: what reaches in, without their shadows."""
        mask = np.zeros(self.labels.shape, np.bool_)
        for number in self._arms():
            mask[self._itself(number)] = True
        return mask

    def in_a_hand(self, box: Box, near: float = NEAR_A_HAND, touching: float = TOUCHING) -> bool:
        """Tell whether what *box* frames is held, or covered, by something that reaches in.

        Args:
            box: of a die.
            near: how far around it is looked at, in its sizes.
            touching: which share of that is a hand at least.
        """
        arms = self._arms(round(_EDGE_GAP * max(self.labels.shape)))
        if not arms:
            return False
        x, y, box_wide, box_high = (at / SHRINK for at in box)
        rim = near * max(box_wide, box_high)
        part = self.labels[
            max(0, int(y - rim)) : max(0, int(y + box_high + rim) + 1),
            max(0, int(x - rim)) : max(0, int(x + box_wide + rim) + 1),
        ]
        return bool(np.isin(part, arms).mean() >= touching)

    def _arms(self, gap: int = 1) -> list[int]:
        return [number for number in range(1, len(self.boxes)) if self._reaches_in(number, gap)]

    def _reaches_in(self, number: int, gap: int) -> bool:
        """Tell whether a thing reaches in from *gap* off the edge; what lies there is short."""
        least: float = ARM_SHARE * max(self.labels.shape)
        box = self.boxes[number, :4].tolist()
        if not self._at_edge(gap, *box) or max(box[2:]) < least:
            return False
        if max(box[2:]) < 2 * least:
            gap = min(gap, 1)  # an arm that is seen in part is long
            # What is as short may throw a shadow to the edge and lie in the picture itself.
            rows, columns = self._itself(number)
            x, y = min(columns, default=0), min(rows, default=0)
            wide, high = max(columns, default=0) - x + 1, max(rows, default=0) - y + 1
            return self._at_edge(gap, x, y, wide, high) and max(wide, high) >= least
        return max(self._without_shadow(number)[2:4]) >= least

    def _at_edge(self, gap: int, left: int, top: int, wide: int, high: int) -> bool:
        height, width = self.labels.shape
        return bool(min(left, top, width - left - wide, height - top - high) <= gap)


def _is_compact(box: list[int], least_px: float, most_px: float) -> bool:
    """Tell whether a thing, its box and area shrunk, may be a die from *least_px* to *most_px*."""
    _, _, wide, high, area = box
    size = SHRINK * max(wide, high)
    slim = size > LONGEST * SHRINK * min(wide, high)
    return least_px <= size <= most_px and not slim and area >= LEAST_FILLED * wide * high


def see_changes(pixels: Picture, table: TableModel) -> Changes:
    """Return what *pixels*, of the same size as the table's reference, shows and that does not."""
    differs, now, then = _compared(pixels, table)
    kernel = np.ones((3, 3), np.uint8)
    opened = cv2.morphologyEx(differs, cv2.MORPH_OPEN, kernel)
    changed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel)
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(
        changed, connectivity=8, ltype=cv2.CV_16U
    )
    parts = (np.asarray(labels, np.uint16), np.asarray(boxes, np.int32), differs, now, then)
    for array in parts:
        array.flags.writeable = False
    return Changes(*parts)


def relit(picture: Picture, like: Picture) -> Picture:
    """Return *picture* in the light of *like*, another one of the same camera and table."""
    cells_now, cells_then = (_cells(_small(each)) for each in (like, picture))
    return _lit(picture + _DARK, _light(cells_now, cells_then))


def _compared(
    pixels: Picture, table: TableModel
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return which pixels differ by more than light and noise, as 0 and 1, and both pictures."""
    now, (raised, cells) = _small(pixels), _reference(table)
    lit = _lit(raised, _light(_cells(now), cells))
    blue, green, red = cv2.split(cv2.absdiff(now, lit))
    most = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
    return (most > _least_change(most)).view(np.uint8), now, lit


def _least_change(differences: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return by how many grey levels each pixel differs at most though nothing came.

    Where a lamp burns out a grained table that is more than elsewhere.
    """
    samples = differences[_SAMPLED // 2 :: _SAMPLED, _SAMPLED // 2 :: _SAMPLED]
    usual = 1.4826 * float(np.median(samples))
    noise = cv2.blur(np.minimum(samples, np.float32(_MOST_NOISE * usual)), _AROUND_SAMPLES)
    least = np.clip(NOISE_FACTOR * noise, LEAST_CHANGE, 255).astype(np.uint8)
    fine = cv2.resize(least, differences.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine, np.uint8)


def _light(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by what the light of every cell is multiplied, shape (rows, columns, 3).

    Light varies smoothly over a table: the logarithm of the gain is a quadratic that most of the
    cells agree on, so that things, hands and reflections have no say.

    Args:
        now: the cells of the picture, see `_cells`.
        then: those of the other one.
    """
    samples, squares = _samples(*now.shape[:2])
    ratios = (now - then).reshape(-1, 3)
    terms = samples.shape[1]
    ridge = _LIGHT_RIDGE * np.eye(terms, dtype=np.float32)
    fields = np.zeros((3, terms), np.float32)
    fields[:, 0] = np.median(ratios, axis=0)
    for scale in _LIGHT_SCALES:
        off = ratios - samples @ fields.T
        weights = say(off, scale)
        normals = (weights.T @ squares).reshape(3, terms, terms) + ridge
        wanted = (weights * ratios).T @ samples
        fields = np.linalg.solve(normals, wanted[..., None])[..., 0]
    logs = np.clip(samples @ fields.T, *_LIGHT_LIMITS)
    return np.asarray(np.exp(logs).reshape(now.shape), np.float32)


@lru_cache(maxsize=2)
def _samples(rows: int, columns: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the terms of a quadratic in each cell, (cells, 6), and their products, (cells, 36)."""
    samples = np.ascontiguousarray(quadratic(rows, columns).reshape(rows * columns, -1))
    squares = (samples[:, :, None] * samples[:, None, :]).reshape(len(samples), -1)
    for array in (samples, squares):
        array.flags.writeable = False
    return samples, squares


def _lit(raised: NDArray[np.float32], gain: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the picture of which *raised* is `_DARK` more, in a light of which cells tell."""
    height, width = raised.shape[:2]
    lit = np.empty(raised.shape, np.uint8)
    # Light varies so slowly that between cells it is a straight line.
    tall = cv2.resize(gain, (gain.shape[1], height), interpolation=cv2.INTER_LINEAR)
    for top in range(0, height, _BAND_PX):  # what is worked out of a band stays in the cache
        band = slice(top, top + _BAND_PX)
        wide = cv2.resize(tall[band], (width, len(tall[band])), interpolation=cv2.INTER_LINEAR)
        lit[band] = np.clip(cv2.multiply(raised[band], wide) - _DARK, 0, 255)
    return lit


@lru_cache(maxsize=2)
def _reference(table: TableModel) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the empty table, shrunk, `_DARK` more than it is, and its cells."""
    small = _small(table.reference)
    return small + _DARK, _cells(small)


def _cells(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logarithms of a shrunk picture's mean brightness in each cell."""
    height, width = small.shape[:2]
    cell_px = max(1, max(height, width) // _CELLS)
    size_wh = (max(1, width // cell_px), max(1, height // cell_px))
    means = cv2.resize(small, size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(means + _DARK), np.float32)


def _small(pixels: Picture) -> NDArray[np.uint8]:
    size_wh = (pixels.shape[1] // SHRINK, pixels.shape[0] // SHRINK)
    return np.asarray(cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
