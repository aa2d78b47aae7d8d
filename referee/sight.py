"""What a scene says of its squares: how well any contents fit what is seen, as logarithms.

All 64 squares count, not only those that changed, so a stray checker anywhere speaks. A square that
looks other than in the scene last accepted speaks for tales that touch it: so a checker taken from
one stack to another is seen although the colours stay the same.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

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

    def __init__(self, reading: SquareReading, accepted: Contents | None) -> None:
        self._reading = reading if reading.hidden else _without_prior(reading)
        self._accepted = accepted
        self._most: dict[Colour, float] = {}

    def __missing__(self, there: Contents) -> float:
        reading = self._reading
        if reading.hidden:
            fit = 0.0
        else:
            fit = _log_probability(reading, there)
            if reading.changed is not None and self._accepted is not None:
                fit += _log_change(reading.changed, there != self._accepted)
        self[there] = fit
        return fit

    def at_most_with(self, colour: Colour) -> float:
        """Return how well contents with *colour* fit at most, be they listed or not."""
        if (most := self._most.get(colour)) is None:
            listed = (self[there] for there, _ in self._reading.options if colour in there)
            most = max((0.0 if self._reading.hidden else _log_unlisted(self._reading), *listed))
            self._most[colour] = most
        return most


def _without_prior(reading: SquareReading) -> SquareReading:
    """Return *reading* with towers as likely as they look, whatever is usual."""
    heights = [max(map(there.count, there), default=0) for there, _ in reading.options]
    if max(heights, default=0) < 2:
        return reading
    weights = [
        chance * math.exp(RARER_EACH * max(high - 1, 0))
        for high, (_, chance) in zip(heights, reading.options, strict=True)
    ]
    scale = sum(chance for _, chance in reading.options) / sum(weights)
    options = (
        (there, weight * scale) for weight, (there, _) in zip(weights, reading.options, strict=True)
    )
    return replace(reading, options=tuple(options))


def _log_probability(reading: SquareReading, there: Contents) -> float:
    for listed, probability in reading.options:
        if listed == there:
            return math.log(max(probability, LEAST_PROBABILITY))
    return _log_unlisted(reading)


def _log_unlisted(reading: SquareReading) -> float:
    left = 1.0 - sum(probability for _, probability in reading.options)
    return math.log(max(left / UNLISTED_CONTENTS, LEAST_PROBABILITY))


def _log_change(changed: float, moved: bool) -> float:
    """Return what the look of a square says for "something happened", or for "as it was"."""
    if moved:
        return math.log(max(changed, LEAST_CHANGE))
    return math.log(max(1.0 - changed, LEAST_STAY))
