"""A reader of the table that errs as a real one does, at a rate that can be multiplied.

Where its rates come from is told in docs/noise.md. What is read on one look is mostly read on the
next look at the same scene too, for frames of a still scene share their errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Self

from tabletop import (
    EMPTY,
    SQUARES,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Observation,
    Square,
    SquareReading,
    contents,
)

Board = dict[Square, Contents]
Options = tuple[tuple[Contents, float], ...]
NOTHING_THERE = ((EMPTY, 0.9995),)
SURELY = 0.97
BOX = (0.0, 0.0, 20.0, 20.0)


@dataclass(frozen=True, slots=True)
class Noise:
    """How often a reader errs.

    Attributes:
        occupied: an occupied square is misread.
        empty: something is seen on an empty square.
        surely: a misreading is given for sure.
        changed: whether a square looks changed is told wrongly, or not surely.
        die_unclear: the top of the die is told, but not surely.
        die_doubtful: two values of the die are both possible.
        die_leans: a die that lies flat perhaps leans,
        die_surely_leans: or is surely taken for one that does.
        die_wrong: the die is read wrongly, and surely.
        kept: an error stays at the next look at the same scene.
    """

    occupied: float = 1e-3
    empty: float = 5e-5
    surely: float = 0.05
    changed: float = 5e-3
    die_unclear: float = 1e-3
    die_doubtful: float = 1e-3
    die_leans: float = 1e-3
    die_surely_leans: float = 1e-3
    die_wrong: float = 2e-4
    kept: float = 0.7

    def times(self, factor: float) -> Self:
        """Return the noise at so many times these rates."""
        return replace(
            self,
            **{
                part.name: getattr(self, part.name) * factor
                for part in fields(self)
                if part.name not in ("surely", "kept")
            },
        )


UNCLEAR = (
    (0.658, 0.000, 0.188),
    (0.546, 0.001, 0.222),
    (0.558, 0.000, 0.252),
    (0.630, 0.001, 0.205),
    (0.694, 0.000, 0.167),
    (0.568, 0.000, 0.207),
    (0.473, 0.000, 0.191),
    (0.528, 0.030, 0.189),
    (0.567, 0.032, 0.160),
    (0.694, 0.037, 0.123),
    (0.530, 0.000, 0.271),
    (0.706, 0.000, 0.115),
    (0.661, 0.000, 0.187),
    (0.677, 0.000, 0.177),
    (0.472, 0.000, 0.312),
    (0.494, 0.029, 0.173),
    (0.714, 0.000, 0.155),
    (0.686, 0.000, 0.172),
    (0.638, 0.071, 0.112),
)
"""All unclear readings of 307 dice in single pictures: for the right value, the next, and that it
leans."""
AS_MEASURED = replace(
    Noise(), die_unclear=0.062, die_doubtful=0.0, die_leans=0.029, die_surely_leans=0.007
)
"""With the die read as badly as in single pictures of the rendered games; see docs/noise.md."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A die as it lies: the number of its cast, its value, and what it did since it counted."""

    number: int
    value: int
    cocked: bool = False


class Reader:
    """Reads boards and dice with errors drawn from a seed."""

    def __init__(self, rng: Random, noise: Noise, colours: tuple[Colour, ...]) -> None:
        self._rng = rng
        self._noise = noise
        self._colours = colours
        self._slips: dict[Square, Options] = {}
        self._die: tuple[Cast, DieReading] | None = None
        self.misled: set[tuple[Square, Contents]] = set()
        """What was surely taken for something on a square since something moved, and is not."""

    @property
    def may_lean(self) -> bool:
        """Whether the die, as it was last read, may lean."""
        return self._die is not None and self._die[1].cocked >= 0.02

    def new_scene(self) -> None:
        """Something moved: what was misread before is read anew."""
        self._slips = {}
        self.misled = set()

    def look(
        self,
        board: Mapping[Square, Contents],
        accepted: Mapping[Square, Contents],
        die: tuple[Cast, DieSign] | None,
        unsure: Mapping[Square, Options],
    ) -> Observation:
        """Return one look at a still scene; *unsure* squares are read as given."""
        rng, noise = self._rng, self._noise
        self._slips = {at: slip for at, slip in self._slips.items() if rng.random() < noise.kept}
        seen = tuple(
            SquareReading(
                unsure.get(at) or self._square(at, board.get(at, EMPTY)),
                changed=self._change(board.get(at, EMPTY), accepted.get(at, EMPTY)),
            )
            for at in SQUARES
        )
        observed = None if die is None else DieObservation(die[1], self._read_die(die[0]))
        return Observation(seen, observed, 0 if die is None else 1)

    def _square(self, at: Square, there: Contents) -> Options:
        if at in self._slips:
            return self._slips[at]
        rng, noise = self._rng, self._noise
        if rng.random() < (noise.occupied if there else noise.empty):
            self._slips[at] = self._misread(there)
            wrong, confidence = self._slips[at][0]
            if confidence >= SURELY:
                self.misled.add((at, wrong))
            return self._slips[at]
        if not there:
            return NOTHING_THERE
        left = 0.2 * rng.random() ** 2.6
        more = contents(*there, there[0])
        other = contents(rng.choice(self._colours), *there[1:])
        # A checker is hardly ever taken for none: what is left is mostly how many there are.
        options = [(there, 1 - left), (more, 0.3 * left), (EMPTY, 0.1 * left)]
        if other != there:
            options.append((other, 0.2 * left))
        return tuple(options)

    def _misread(self, there: Contents) -> Options:
        rng = self._rng
        colour = rng.choice(self._colours)
        wrong: Contents = (colour,)
        if there:
            choices = [there[1:], contents(*there, there[0])]
            choices += [contents(colour, *there[1:])] if colour is not there[0] else []
            wrong = rng.choice(choices)
        confidence = SURELY if rng.random() < self._noise.surely else rng.uniform(0.4, 0.9)
        options = ((wrong, confidence), (there, 0.9 * (1 - confidence)))
        return tuple(sorted(options, key=lambda one: -one[1]))

    def _change(self, there: Contents, before: Contents) -> float:
        truth = 0.9975 if there != before else 0.0025
        if self._rng.random() >= self._noise.changed:
            return truth
        return abs(truth - self._rng.uniform(0.0, 0.7))

    def _read_die(self, cast: Cast) -> DieReading:
        """Return the die's reading, mostly the same as at the last look."""
        if self._die is not None and self._die[0] == cast and self._rng.random() < 0.9:
            return self._die[1]
        reading = self._fresh_die(cast)
        self._die = (cast, reading)
        return reading

    def _fresh_die(self, cast: Cast) -> DieReading:
        rng, noise = self._rng, self._noise
        if cast.cocked:
            return DieReading(BOX, _shares({}), DieState.COCKED)
        other = rng.choice([value for value in range(1, 7) if value != cast.value])
        kinds = {
            self._unclear: noise.die_unclear,
            self._doubtful: noise.die_doubtful,
            self._leaning: noise.die_leans,
            self._surely_leaning: noise.die_surely_leans,
            self._wrong: noise.die_wrong,
        }
        drawn = rng.random()
        for read, rate in kinds.items():
            if drawn < rate:
                return read(cast.value, other)
            drawn -= rate
        return DieReading(BOX, _shares({cast.value: 1 - 0.08 * rng.random() ** 3}))

    def _unclear(self, value: int, other: int) -> DieReading:
        right, wrong, leans = self._rng.choice(UNCLEAR)
        shares = _shares({value: right, other: wrong}, right + wrong)
        return DieReading(BOX, shares, DieState.UNREADABLE, leans)

    def _doubtful(self, value: int, other: int) -> DieReading:
        share = self._rng.uniform(0.2, 0.8)
        return DieReading(BOX, _shares({value: share, other: 0.99 - share}))

    def _leaning(self, value: int, _: int) -> DieReading:
        leans = self._rng.uniform(0.37, 0.48)
        shares = _shares({value: 0.58 * (1 - leans)}, 0.6 * (1 - leans))
        return DieReading(BOX, shares, DieState.COCKED, leans)

    def _surely_leaning(self, value: int, _: int) -> DieReading:
        leans = self._rng.uniform(0.69, 1.0)
        shares = _shares({value: 0.3 * (1 - leans)}, 0.3 * (1 - leans))
        return DieReading(BOX, shares, DieState.COCKED, leans)

    def _wrong(self, _: int, other: int) -> DieReading:
        return DieReading(BOX, _shares({other: 0.97}))


def _shares(
    given: Mapping[int, float], total: float = 1.0
) -> tuple[float, float, float, float, float, float]:
    """Return the probabilities of the six values; what is not given is everybody's."""
    left = (total - sum(given.values())) / (6 - len(given))
    one, two, three, four, five, six = (given.get(value, left) for value in range(1, 7))
    return one, two, three, four, five, six
