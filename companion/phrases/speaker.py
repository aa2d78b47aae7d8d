"""Words for the things of a game: players, checkers, squares, moves, sums."""

import re
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Final

from companion.phrases.catalogue import Catalogue, Wording, Words
from companion.phrases.places import place_of
from referee.events import GameStarted
from referee.hypotheses import AGAIN, NOTHING
from referee.moves import Move, parse_move
from referee.rules import rules_from
from tabletop import FILES, RANKS, Colour, Seat, Square, square_file, square_rank

_NAMELESS: Final = re.compile(r"Player \d|D[1-4]")
"""What stands for a name where nobody gave one; a colour says more."""


class Speaker:
    """The words of one language for the players, checkers and sums of one game."""

    def __init__(self, catalogue: Catalogue, setup: GameStarted, *, by_place: bool = False) -> None:
        self._catalogue = catalogue
        self._rules = rules_from(dict(setup.rules)) if by_place else None
        self._colours = dict(setup.seats)
        self._names = dict(setup.names)
        self._unit = setup.unit
        self._addressed: Seat | None = None
        self.by_place = by_place

    def say(self, message: str, **arguments: Wording | str | int) -> Wording:
        """Return a message of the phrase table; see `Catalogue.format`."""
        return self._catalogue.format(message, **arguments)

    def has(self, message: str) -> bool:
        """Tell whether the phrase table has a message."""
        return self._catalogue.has(message)

    def player(self, seat: Seat) -> Words:
        """Return the player on *seat* as ``who``: by his name where he gave one, else by colour."""
        name = self._names.get(seat, "").strip()
        if name and not _NAMELESS.fullmatch(name):
            return self._catalogue.words("who", "player-named", name=name)
        colour = self._colours.get(seat)
        if colour is None:
            return self._catalogue.words("who", "player-named", name=seat.value)
        return self._catalogue.words("who", f"player-{colour}")

    def checker(self, colour: Colour, count: int = 1) -> Words:
        """Return a checker as ``checker``, several of them as ``checker_count``."""
        return self._catalogue.words("checker", f"checker-{colour}", count=count)

    def to(self, seat: Seat) -> "Speaker":
        """Return the words in which the player on *seat* is spoken to: his corner is "yours"."""
        addressed = copy(self)
        addressed._addressed = seat
        return addressed

    def square(self, role: str, at: Square) -> Words:
        """Return a square as *role*, with its forms: by name, or by place where that is asked."""
        place = place_of(at, self._colours, self._rules) if self._rules else None
        if place is None:
            return self._catalogue.words(role, "square-named", square=self._name_of(at))
        own = "-own" if place.seat is self._addressed else ""
        words = self.player(place.seat) | self._catalogue.words("nth", "nth", number=place.number)
        return self._catalogue.words(role, f"place-{place.kind}{own}", **words)

    def _name_of(self, at: Square) -> Wording:
        forms = self._catalogue.words(
            "square", "square", file=FILES[square_file(at)], rank=RANKS[square_rank(at)]
        )
        return Wording(forms["square"].shown, forms.get("square_spoken", forms["square"]).spoken)

    def value(self, number: int) -> Wording:
        """Return the value of a die, or a number of steps."""
        return self.say("value", value=number)

    def amount(self, count: int) -> Words:
        """Return a sum of the game's unit as ``amount``."""
        named = f"amount-{self._unit.strip().casefold()}"
        known = named if named.isascii() and self.has(named) else "amount-other"
        return self._catalogue.words("amount", known, count=count, unit=self._unit)

    def joined(self, parts: Iterable[Wording], how: str) -> Wording:
        """Return a list of at least one part, its last link being *how*: "and" or "or"."""
        return self._catalogue.joined(list(parts), how)

    def move(self, move: Move | None) -> Wording:
        """Return a move, an entry or a pass as one of several choices."""
        if move is None:
            return self.say("pass")
        to = self.square("to", move.target)
        if move.source is None:
            return self.say("enter", **to)
        return self.say("move", **self.square("from", move.source), **to)

    def choice(self, text: str) -> Wording:
        """Return what *text*, a choice of a question, means: a value of the die or a move."""
        if text.isdecimal():
            return self.value(int(text))
        if text == AGAIN:
            return self.say("choice-again")
        if text == NOTHING:
            return self.say("choice-none")
        try:
            move = parse_move(text)
        except ValueError:
            return Wording(text, text)
        if move is None:
            return self.say("choice-pass")
        if move.source is None:
            return self.say("choice-enter", **self.square("to", move.target))
        return self.move(move)

    def play(self, moves: Sequence[Move | None]) -> Wording:
        """Return the invitation to make one of *moves*: "enter on b1, or play c1 to f1"."""
        ways = [self.move(move) for move in moves if move is not None and move.source is None]
        walks = [self.move(move) for move in moves if move is not None and move.source is not None]
        if walks:
            ways.append(self.say("play", moves=self.joined(walks, "or")))
        if None in moves:
            ways.append(self.say("pass"))
        return self.joined(ways, "or")

    def play_value(self, moves: Sequence[Move | None], die: int) -> Wording:
        """Return the invitation to make one of *moves*, without their squares: "move six"."""
        ways = []
        if any(move is not None and move.source is None for move in moves):
            ways.append(self.say("enter-one"))
        if any(move is not None and move.source is not None for move in moves):
            ways.append(self.say("play-value", value=self.value(die)))
        if None in moves:
            ways.append(self.say("pass"))
        return self.joined(ways, "or")
