"""How the board may differ from what it should show, by what is seen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

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
        square: where.
        seen, due: what it shows, and what it should; the same where it differs not.
        gone, came: how many checkers went from there, and came to it.
        taller: by how many checkers of a colour a tower is seen higher than it is due.
        lifted: checkers were taken off, and none was put down.
    """

    gain: float
    square: Square
    seen: Contents
    due: Contents
    gone: int
    came: int
    taller: int
    lifted: bool


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


class _Choices(dict[Contents, tuple[Choice, ...]]):
    """What a square may show, the likeliest first, for what is due on it."""

    __slots__ = ("_at", "_contents", "_firsts", "_fits")

    def __init__(self, sight: Sight, at: Square, reading: SquareReading) -> None:
        self._fits = sight.fits(at)
        self._at = at
        least = PLAUSIBLE * reading.confidence
        self._contents = [
            there for there, chance in reading.options[:MOST_CONTENTS] if chance >= least
        ]
        self._firsts: dict[Contents, Choice] = {}

    def __missing__(self, due: Contents) -> tuple[Choice, ...]:
        choices = self[due] = tuple([self._choice(there, due) for there in self._contents])
        return choices

    def first(self, due: Contents) -> Choice:
        """Return the likeliest of the choices alone: of most squares no other is tried."""
        if (first := self._firsts.get(due)) is None:
            first = self._firsts[due] = self._choice(self._contents[0], due)
        return first

    def _choice(self, there: Contents, due: Contents) -> Choice:
        gain = self._fits[there] - self._fits[due]
        return Choice(gain, self._at, there, due, *_exchange(due, there))


_Known: TypeAlias = tuple[Square, Contents | None, _Choices]
"""A square, what it plainly holds if it does, and what it may show."""


class Looks:
    """What the squares of a scene may show, the least sure first."""

    def __init__(self, sight: Sight) -> None:
        self.sight: Final = sight
        readings = sight.observation.squares
        seen = [(one.confidence, at, one) for at, one in enumerate(readings) if not one.hidden]
        seen.sort(key=_sureness)
        self._squares: Final[list[_Known]] = [
            (at, one.best if sure > PLAINLY else None, _Choices(sight, at, one))
            for sure, at, one in seen
        ]

    def ways(self, board: Mapping[Square, Contents], most: int) -> Iterator[Way]:
        """Yield at most so many ways to differ from *board*.

        The surest squares keep their best contents only, so that the ways stay few.
        """
        speaking = self.sight.speaking
        sure: list[Choice] = []
        open_: list[tuple[Choice, ...]] = []
        tried = 1
        for number, (at, plain, known) in enumerate(self._squares):
            if 2 * tried > most:
                sure += _first_choices(self._squares[number:], board)
                break
            due = board.get(at, EMPTY)
            if plain == due or (at not in speaking and at not in board):
                continue
            choices = known[due]
            if len(choices) > 1 and tried * len(choices) <= most:
                tried *= len(choices)
                open_.append(choices)
            elif (first := choices[0]).seen != due:
                sure.append(first)
        yield from _ways(tuple(sure), open_, self.sight.of(board))


def _first_choices(squares: list[_Known], board: Mapping[Square, Contents]) -> list[Choice]:
    """Return what *squares* most probably show where that is not what *board* has there."""
    return [
        first
        for at, plain, known in squares
        if plain != (due := board.get(at, EMPTY)) and (first := known.first(due)).seen != due
    ]


def _ways(
    sure: tuple[Choice, ...], open_: list[tuple[Choice, ...]], due_seen: float
) -> Iterator[Way]:
    """Yield each way to choose from what is *open_*, with all that is *sure*."""
    common = _together(sure, Way((), due_seen, 0, 0, 0, lifted=True))
    for chosen in product(*open_):
        more = tuple([one for one in chosen if one.seen != one.due])
        if sure or more:
            yield _together(more, common)


def _together(choices: tuple[Choice, ...], way: Way) -> Way:
    """Return *way* with other *choices* besides its own."""
    if not choices:
        return way
    gains, _, _, _, gone, came, taller, lifted = zip(*choices, strict=True)
    return Way(
        way.choices + choices,
        way.seen + sum(gains),
        way.gone + sum(gone),
        way.came + sum(came),
        way.taller + sum(taller),
        way.lifted and all(lifted),
    )


def board_showing(
    due: Mapping[Square, Contents], differs: Iterable[Difference | Choice]
) -> dict[Square, Contents]:
    """Return what is on the board where it *differs* so from what is due; no empty squares."""
    shown = {**due, **{one.square: one.seen for one in differs}}
    return {at: there for at, there in shown.items() if there}


def differences_of(choices: Iterable[Choice]) -> tuple[Difference, ...]:
    """Return the differences that *choices* are, by the order of the squares."""
    found = sorted(choices, key=_square)
    return tuple([Difference(one.square, one.seen, one.due) for one in found])


def exchanged(due: Contents, seen: Contents) -> tuple[Sequence[Colour], Sequence[Colour]]:
    """Return which colours are gone from a square, and which came to it."""
    if not (seen and due):
        return due, seen
    gone, came = list(due), []
    for colour in seen:
        if colour in gone:
            gone.remove(colour)
        else:
            came.append(colour)
    return gone, came


@lru_cache(maxsize=4096)
def _exchange(due: Contents, seen: Contents) -> tuple[int, int, int, bool]:
    """Return what it means that a square shows something: the last fields of a `Choice`."""
    gone, came = exchanged(due, seen)
    taller = sum(max(0, seen.count(c) - max(1, due.count(c))) for c in set(seen))
    return len(gone), len(came), taller, len(seen) < len(due)


def _sureness(one: tuple[float, Square, SquareReading]) -> tuple[float, Square]:
    return one[:2]


def _square(one: Choice) -> Square:
    return one.square
