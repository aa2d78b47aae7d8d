"""The colours checkers come in."""

from collections.abc import Iterable
from enum import StrEnum

from tabletop.seats import Seat, parse_seat


class Colour(StrEnum):
    """A checker's colour as people call it."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"
    WHITE = "white"
    """White and light wood."""
    BLACK = "black"
    """Black and dark wood."""
    BROWN = "brown"
    """Natural wood, beside white ones."""


def parse_colour(text: str) -> Colour:
    """Return the colour that *text* names, in either case.

    Raises:
        ValueError: *text* is none of the nine.
    """
    try:
        return Colour(text.strip().lower())
    except ValueError:
        known = ", ".join(Colour)
        raise ValueError(f"{text!r} is no colour of checkers: choose from {known}") from None


def parse_colours(text: str) -> tuple[Colour, ...]:
    """Return the colours named in a list with commas, each once.

    Raises:
        ValueError: a name is unknown or stands twice.
    """
    colours = tuple(parse_colour(part) for part in text.split(","))
    for colour in colours:
        if colours.count(colour) > 1:
            raise ValueError(f"{colour.value} is named twice in {text!r}")
    return colours


def parse_seats(text: str) -> dict[Seat, Colour]:
    """Return who plays what from text like ``D4=red,D2=blue``, in the order of play.

    >>> parse_seats("D2=blue,D4=red")
    {<Seat.D4: 'D4'>: <Colour.RED: 'red'>, <Seat.D2: 'D2'>: <Colour.BLUE: 'blue'>}

    Raises:
        ValueError: a part is malformed, a seat or a colour stands twice, or fewer than two play.
    """
    found: dict[Seat, Colour] = {}
    for part in text.split(","):
        name, equals, colour_name = part.partition("=")
        if not equals:
            raise ValueError(f"{part.strip()!r} is not SEAT=COLOUR, as in D4=red")
        seat, colour = parse_seat(name), parse_colour(colour_name)
        if seat in found:
            raise ValueError(f"seat {seat} is named twice in {text!r}")
        if colour in found.values():
            raise ValueError(f"two seats play {colour} in {text!r}")
        found[seat] = colour
    if len(found) < 2:
        raise ValueError(f"{text!r} seats {len(found)} player: two to four play")
    return {seat: found[seat] for seat in Seat if seat in found}


def seats_text(seats: Iterable[tuple[Seat, Colour]]) -> str:
    """Write who plays what; the twin of `parse_seats`."""
    return ",".join(f"{seat}={colour}" for seat, colour in seats)
