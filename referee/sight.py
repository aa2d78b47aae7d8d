"""What a scene says of its squares: how well any contents fit what is seen, as logarithms.

All 64 squares count, not only those that changed, so a stray checker anywhere speaks. A square that
looks other than in the scene last accepted speaks for tales that touch it: so a checker taken from
one stack to another is seen although the colours stay the same.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from tabletop import EMPTY, Colour, Contents, Observation, Square, SquareReading

LEAST_PROBABILITY: Final = 1e-4
"""No reading is ever surer than this against something: eyes have unknown faults."""
UNLISTED_CONTENTS: Final = 20
"""Among how many things the probability is shared that a reading leaves to "something else"."""
LEAST_CHANGE: Final = 0.02
LEAST_STAY: Final = 0.04
"""A square may look changed for another reason (a nudge, a shadow): weak evidence that it moved."""
PLAINLY: Final = 0.98
"""A square is plainly empty from this probability on."""
_AS_LIKELY: Final = 0.5
"""A square that looks changed with less than this is rather unchanged."""
RARER_EACH: Final = 1.65
"""A reader holds each further checker of a tower for two or three nats less likely than one alone
(`vision.standing`). What people do is weighed here, so that most of that must not count twice."""

_Options: TypeAlias = tuple[tuple[Contents, float], ...]


class Sight:
    """How well boards fit a scene.

    Attributes:
        best: how well the board fits on which every square holds what it most probably shows.
        speaking: the squares that are seen and are not plainly empty.

    Args:
        observation: what is seen.
        accepted: what stood on the occupied squares of the scene last accepted, for the evidence
            of squares that look changed.
        mending: something is to be put right, so that a square that looks changed may have been.
        restoring: the board has yet to follow a correction: a square that shows something else
            than *accepted* may have done so in that scene already.
    """

    def __init__(
        self,
        observation: Observation,
        accepted: Mapping[Square, Contents],
        *,
        mending: bool = False,
        restoring: bool = False,
    ) -> None:
        self.observation: Final = observation
        stood = [accepted.get(at, EMPTY) for at in range(len(observation.squares))]
        self._fits = [
            _Fit(reading, None if _is_no_evidence(reading, there, mending, restoring) else there)
            for reading, there in zip(observation.squares, stood, strict=True)
        ]
        self._empty = [fit[EMPTY] for fit in self._fits]
        self._nothing = sum(self._empty)
        self.speaking: Final = frozenset(
            at
            for at, reading in enumerate(observation.squares)
            if not reading.hidden and (reading.best != EMPTY or reading.confidence <= PLAINLY)
        )
        self.best: Final = self._nothing + sum(
            self._fits[at][observation.squares[at].best] - self._empty[at] for at in self.speaking
        )

    def fits(self, at: Square) -> Mapping[Contents, float]:
        """Return how well any contents fit what is seen on *at*."""
        return self._fits[at]

    def fit(self, at: Square, there: Contents) -> float:
        """Return how well the contents *there* fit what is seen on *at*."""
        return self._fits[at][there]

    def at_most_with(self, at: Square, colour: Colour) -> float:
        """Return how well contents of *at* that have *colour* in them fit at most."""
        return self._fits[at].at_most_with(colour)

    def of(self, board: Mapping[Square, Contents]) -> float:
        """Return how well *board* fits."""
        fits, empty = self._fits, self._empty
        return self._nothing + sum(fits[at][there] - empty[at] for at, there in board.items())


def _is_no_evidence(
    reading: SquareReading, accepted: Contents, mending: bool, restoring: bool
) -> bool:
    """Tell whether how a square looks against the scene last accepted says nothing."""
    changed = reading.changed is not None and reading.changed >= _AS_LIKELY
    as_accepted = reading.best == accepted
    return mending and as_accepted if changed else restoring and not as_accepted


class _Fit(dict[Contents, float]):
    """How well contents fit one square, each worked out once."""

    __slots__ = ("_accepted", "_as_accepted", "_listed", "_most", "_otherwise", "_unlisted")

    def __init__(self, reading: SquareReading, accepted: Contents | None) -> None:
        self._listed: dict[Contents, float] = {}
        self._unlisted = 0.0
        if not reading.hidden:
            options = _without_prior(reading.options)
            for there, probability in options:
                self._listed.setdefault(there, math.log(max(probability, LEAST_PROBABILITY)))
            left = 1.0 - sum([probability for _, probability in options])
            self._unlisted = math.log(max(left / UNLISTED_CONTENTS, LEAST_PROBABILITY))
        self._accepted = accepted
        self._as_accepted = self._otherwise = 0.0
        if not reading.hidden and reading.changed is not None and accepted is not None:
            # What the look of the square says for "as it was", and for "something happened".
            self._as_accepted = math.log(max(1.0 - reading.changed, LEAST_STAY))
            self._otherwise = math.log(max(reading.changed, LEAST_CHANGE))
        self._most: dict[Colour, float] = {}

    def __missing__(self, there: Contents) -> float:
        change = self._as_accepted if there == self._accepted else self._otherwise
        fit = self[there] = self._listed.get(there, self._unlisted) + change
        return fit

    def at_most_with(self, colour: Colour) -> float:
        """Return how well contents with *colour* fit at most, be they listed or not."""
        if (most := self._most.get(colour)) is None:
            listed = [self[there] for there in self._listed if colour in there]
            most = self._most[colour] = max([self._unlisted, *listed])
        return most


def _without_prior(options: _Options) -> _Options:
    """Return what a square may hold with towers as likely as they look, whatever is usual."""
    factors = [_as_it_looks(there) for there, _ in options]
    if max(factors, default=1.0) == 1.0:
        return options
    weights = [chance * factor for factor, (_, chance) in zip(factors, options, strict=True)]
    scale = sum([chance for _, chance in options]) / sum(weights)
    return tuple(
        [(there, weight * scale) for weight, (there, _) in zip(weights, options, strict=True)]
    )


@lru_cache(maxsize=1024)
def _as_it_looks(there: Contents) -> float:
    """Return by what contents get as likely as they look: more than 1 for a tower."""
    highest = max(map(there.count, there), default=0)
    return math.exp(RARER_EACH * max(highest - 1, 0))
