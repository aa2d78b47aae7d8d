"""The four seats round the board, in the order of play."""

from enum import StrEnum
from typing import Final


class Seat(StrEnum):
    """A home and the player who owns it; the order of members is the order of play."""

    D4 = "D4"
    D3 = "D3"
    D2 = "D2"
    D1 = "D1"


SEATS: Final[tuple[Seat, ...]] = tuple(Seat)
CHECKERS_EACH: Final = 4


def parse_seat(text: str) -> Seat:
    """Return the seat that *text* names, in either case.

    Raises:
        ValueError: *text* is no seat's name.
    """
    try:
        return Seat(text.strip().upper())
    except ValueError:
        raise ValueError(f"{text!r} is no seat: seats are D4, D3, D2 and D1") from None
