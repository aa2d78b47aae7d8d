"""How the board may differ from what it should show, by what is seen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from referee.events import Difference
from referee.sight import PLAINLY, Sight
from tabletop import EMPTY, Colour, Contents, Square, SquareReading

PLAUSIBLE: Final = 0.02
"""Contents less probable than this, against the best, are not considered."""
MOST_CONTENTS: Final = 3


def board_differences(
    shown: Mapping[Square, Contents], due: Mapping[Square, Contents]
) -> tuple[Difference, ...]:
    """Return where two boards differ, by the order of the squares."""
    return tuple(
        Difference(at, shown.get(at, EMPTY), due.get(at, EMPTY))
        for at in sorted(shown.keys() | due.keys())
        if shown.get(at, EMPTY) != due.get(at, EMPTY)
    )


class Choice(NamedTuple):
    """What a square may show instead of what is due on it, and what that means.

    Attributes:
        gain: by how much better it fits what is seen.
        difference: from what is due; None where it is that.
        gone, came: how many checkers went from there, and came to it.
        taller: by how many checkers of a colour a tower is seen higher than it is due.
        lifted: checkers were taken off, and none was put down.
    """

    gain: float
    difference: Difference | None
    gone: int = 0
    came: int = 0
    taller: int = 0
    lifted: bool = False


class Way(NamedTuple):
    """One way in which a board may differ from what is due.

    Attributes:
        choices: those that differ.
        seen: how well it fits.
        gone, came, taller, lifted: of all the choices together.
    """

    choices: tuple[Choice, ...]
    seen: float
    gone: int
    came: int
    taller: int
    lifted: bool


class Looks:
    """What the squares of a scene may show, the least sure first."""

    def __init__(self, sight: Sight) -> None:
        self.sight: Final = sight
        readings = sight.observation.squares
        seen = [(one.confidence, at, one) for at, one in enumerate(readings) if not one.hidden]
        seen.sort(key=_sureness)
        self._squares: Final = [(at, one, one.best, sure > PLAINLY) for sure, at, one in seen]
        self._choices: Final[dict[tuple[Square, Contents], tuple[Choice, ...]]] = {}

    def ways(self, board: Mapping[Square, Contents], most: int) -> Iterator[Way]:
        """Yield at most so many ways to differ from *board*.

        The surest squares keep their best contents only, so that the ways stay few.
        """
        speaking, known = self.sight.speaking, self._choices
        sure: list[Choice] = []
        open_: list[tuple[Choice, ...]] = []
        tried = 1
        for at, reading, best, plain in self._squares:
            if at not in speaking and at not in board:
                continue
            due = board.get(at, EMPTY)
            if plain and best == due:
                continue
            if (choices := known.get((at, due))) is None:
                choices = known[at, due] = self._choices_of(at, reading, due)
            if len(choices) > 1 and tried * len(choices) <= most:
                tried *= len(choices)
                open_.append(choices)
            elif choices[0].difference is not None:
                sure.append(choices[0])
        yield from _ways(tuple(sure), open_, self.sight.of(board))

    def _choices_of(self, at: Square, reading: SquareReading, due: Contents) -> tuple[Choice, ...]:
        """Return what a square on which *due* is due may show, the likeliest first."""
        least = PLAUSIBLE * reading.confidence
        fits = self.sight.fit
        return tuple(
            Choice(0.0, None)
            if there == due
            else _choice(at, due, there, fits(at, there) - fits(at, due))
            for there, probability in reading.options[:MOST_CONTENTS]
            if probability >= least
        )


def _ways(
    sure: tuple[Choice, ...], open_: list[tuple[Choice, ...]], due_seen: float
) -> Iterator[Way]:
    """Yield each way to choose from what is *open_*, with all that is *sure*."""
    seen = due_seen + sum([one.gain for one in sure])
    gone, came = sum([one.gone for one in sure]), sum([one.came for one in sure])
    taller, lifted = sum([one.taller for one in sure]), all(one.lifted for one in sure)
    for chosen in product(*open_):
        more = tuple([one for one in chosen if one.difference is not None])
        if sure or more:
            yield Way(
                sure + more,
                seen + sum([one.gain for one in more]),
                gone + sum([one.gone for one in more]),
                came + sum([one.came for one in more]),
                taller + sum([one.taller for one in more]),
                lifted and all(one.lifted for one in more),
            )


def differences_of(choices: Iterable[Choice]) -> tuple[Difference, ...]:
    """Return the differences that *choices* make, by the order of the squares."""
    found = [one.difference for one in choices if one.difference is not None]
    found.sort(key=_square)
    return tuple(found)


def exchanged(one: Difference) -> tuple[Sequence[Colour], Sequence[Colour]]:
    """Return which colours are gone from a square, and which came to it."""
    if not (one.seen and one.due):
        return one.due, one.seen
    gone, came = list(one.due), []
    for colour in one.seen:
        if colour in gone:
            gone.remove(colour)
        else:
            came.append(colour)
    return gone, came


def _choice(at: Square, due: Contents, there: Contents, gain: float) -> Choice:
    difference = Difference(at, there, due)
    if not there:
        return Choice(gain, difference, len(due), 0, 0, lifted=True)
    if not due:
        return Choice(gain, difference, 0, len(there), len(there) - len(set(there)))
    gone, came = exchanged(difference)
    taller = 0
    if len(there) > 1:
        taller = sum(max(0, there.count(c) - max(1, due.count(c))) for c in set(there))
    return Choice(gain, difference, len(gone), len(came), taller, len(there) < len(due))


def _sureness(one: tuple[float, Square, SquareReading]) -> tuple[float, Square]:
    return one[:2]


def _square(one: Difference) -> Square:
    return one.square
