"""The 64 squares of the board: numbers inside, names outside."""

from typing import Final, TypeAlias

Square: TypeAlias = int
"""A square as 0 to 63: a1 is 0, b1 is 1, a2 is 8, h8 is 63."""

FILES: Final = "abcdefgh"
RANKS: Final = "12345678"
SQUARES: Final[tuple[Square, ...]] = tuple(range(64))
SQUARE_NAMES: Final[tuple[str, ...]] = tuple(file + rank for rank in RANKS for file in FILES)

_NUMBERS: Final = {name: number for number, name in enumerate(SQUARE_NAMES)}


def square(file: int, rank: int) -> Square:
    """Return the square in column *file* and row *rank*, both counted from 0.

    >>> square_name(square(1, 0))
    'b1'
    """
    if not (0 <= file < 8 and 0 <= rank < 8):
        raise ValueError(f"no square in file {file}, rank {rank}: both run from 0 to 7")
    return 8 * rank + file


def square_file(of: Square) -> int:
    """Return the column of a square, 0 for a."""
    return of & 7


def square_rank(of: Square) -> int:
    """Return the row of a square, 0 for the first."""
    return of >> 3


def square_name(of: Square) -> str:
    """Return the name of a square.

    >>> square_name(63)
    'h8'
    """
    return SQUARE_NAMES[of]


def parse_square(text: str) -> Square:
    """Return the square that *text* names; the twin of `square_name`.

    >>> parse_square("b1")
    1

    Raises:
        ValueError: *text* is no square's name.
    """
    try:
        return _NUMBERS[text]
    except KeyError:
        raise ValueError(f"{text!r} is no square: squares are a1 to h8") from None


def is_dark(of: Square) -> bool:
    """Tell whether a square has the dark colour, as a1 has."""
    return (square_file(of) + square_rank(of)) % 2 == 0
