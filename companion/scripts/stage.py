"""The table of a scripted game: where every checker and the die lie, to the tenth of a square.

People put nothing exactly in the middle, and their places beside the board are their own.
"""

from dataclasses import dataclass, replace
from itertools import count
from math import dist
from random import Random
from typing import Final

from companion.scripts.side_by_side import ROOM, centre, side_by_side
from hardware.scene import DIE_AREA, Cup, Hand, PlacedChecker, PlacedDie, Room, Scene
from referee.events import Place
from referee.paths import corner, home
from referee.rules import Rules
from tabletop import (
    CHECKERS_EACH,
    Colour,
    Contents,
    Seat,
    Square,
    contents,
    parse_square,
)

MOST_OFF_CENTRE: Final = 0.11
"""How far off its square's centre a checker is put down, in squares each way."""
STACKED_OFF_CENTRE: Final = 0.03
"""How far a checker is put off the middle of the one below it."""
FURTHEST_SHOVED: Final = 0.17
"""How far off centre a checker may be shoved in all."""
DIE_MOVES: Final = 0.75
"""A thrown die comes to lie at least this far from where it lay, in squares."""

SLIPPED: Final = 0.06
"""How far a checker slips in a jolt, in squares each way."""

_ON_BOARD: Final = (0.6, 0.6, 7.4, 7.4)
_DIE_ROOM: Final = 0.85
_THROWS_TRIED: Final = 50
_NEIGHBOUR: Final = 1.5
_ASIDE: Final = ((0.55, 0.1), (-0.55, 0.1), (0.1, 0.55), (0.1, -0.55))
_RESERVES: Final = {
    "a1": [(-1.4, 0.2 + 0.95 * step) for step in range(CHECKERS_EACH)],
    "h1": [(9.4 + 0.95 * column, 0.2 + 0.95 * row) for row in (0, 1) for column in (0, 1)],
    "h8": [(9.4 + 0.95 * column, 7.8 - 0.95 * row) for row in (0, 1) for column in (0, 1)],
    "a8": [(-1.4, 7.8 - 0.95 * step) for step in range(CHECKERS_EACH)],
}
"""Where the checkers of the player at each corner wait."""

_ARMS_DEG: Final = {"a1": 235, "h1": 305, "h8": 55, "a8": 125}
"""Which side the arm of the player at each corner comes from."""


@dataclass(slots=True)
class _Checker:
    """A checker, its place, and how far off the place's middle it lies."""

    colour: Colour
    spare: tuple[float, float]
    place: Place = None
    off_x: float = 0.0
    off_y: float = 0.0
    layer: int = 0
    held: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """Where it lies, in board coordinates."""
        x, y = self.spare if self.place is None else centre(self.place)
        return x + self.off_x, y + self.off_y


class Stage:
    """Where things lie; scripts move them and take pictures of it as scenes.

    Attributes:
        room: how the board lies, how the camera hangs and what lamps are lit.
        brightness: the light, as a factor of the usual.
        cup: a cup that stands somewhere.
    """

    def __init__(self, rng: Random, seats: dict[Seat, Colour], rules: Rules) -> None:
        self._rng = rng
        self._corners = {
            seat: next(name for name in _RESERVES if parse_square(name) == corner(seat, rules))
            for seat in seats
        }
        # The order of the list is the order in which they were put down: the last lie on top.
        self._checkers = [
            _Checker(colour, spare)
            for seat, colour in seats.items()
            for spare in _RESERVES[self._corners[seat]]
        ]
        for checker in self._checkers:
            self._put(checker)
        self.room = Room()
        self.brightness = 1.0
        self.cup: Cup | None = None
        self._die: PlacedDie | None = None
        self._die_lay: tuple[float, float] | None = None

    def carry(self, colour: Colour, source: Place, target: Place) -> None:
        """Carry the uppermost checker of *colour* from one place to another."""
        checker = [one for one in self._checkers if (one.colour, one.place) == (colour, source)][-1]
        self._checkers.remove(checker)
        self._checkers.append(checker)
        checker.place = target
        self._put(checker)
        for place in dict.fromkeys((source, target)):
            self._arrange(place)
        for place in dict.fromkeys(one.place for one in self._checkers):
            if self._touched(place):
                self._arrange(place)

    def shove(self) -> None:
        """Shove one checker that lies alone on its square a little."""
        alone = [one for one in self._checkers if len(self._on(one.place)) == 1]
        if alone:
            checker = self._rng.choice(alone)
            checker.off_x, checker.off_y = self._near((checker.off_x, checker.off_y), 0.08)

    def slip(self) -> None:
        """Let every checker that lies alone on its square slip a little, as in a jolt."""
        for checker in self._checkers:
            if checker.place is not None and len(self._on(checker.place)) == 1:
                checker.off_x, checker.off_y = self._near((checker.off_x, checker.off_y), SLIPPED)

    def take_up(self, place: Square) -> None:
        """Hold the uppermost checker of a square in the hand, out of sight."""
        self._on(place)[-1].held = True

    def put_down(self, place: Square) -> None:
        """Put the checker that is held back to where it lay."""
        checker = self._on(place)[-1]
        checker.held = False
        if len(self._on(place)) == 1:
            self._put(checker)

    def push_aside(self, place: Square) -> None:
        """Push the one checker of a square across the square's border."""
        (checker,) = self._on(place)
        checker.off_x, checker.off_y = self._rng.choice(_ASIDE)

    def lift_die(self) -> None:
        """Take the die into the hand, out of sight."""
        self._die = None

    def throw(self, value: int, cocked: bool = False, on_board: bool = False) -> None:
        """Let the die come to lie with *value* up, in another place than before.

        On the board it lies where it touches no checker; where there is no such place, beside it.
        """
        spots = (self._rolled(on_board and tries < _THROWS_TRIED) for tries in count())
        at = next(spot for spot in spots if self._may_lie(spot))
        self._die_lay = at
        self._die = PlacedDie(value, *at, turn_deg=self._rng.uniform(0, 360), cocked=cocked)

    def turn_die(self, value: int) -> None:
        """Turn the die with a finger, where it lies."""
        assert self._die is not None
        self._die = replace(self._die, value=value)

    @property
    def die_on_board(self) -> bool:
        """Whether the die lies on the board."""
        return self._die is not None and self._die.x < DIE_AREA[0]

    def contents(self) -> dict[Square, Contents]:
        """Return what stands on each occupied square."""
        found: dict[Square, Contents] = {}
        for checker in self._checkers:
            if checker.place is not None:
                found[checker.place] = contents(*found.get(checker.place, ()), checker.colour)
        return found

    def scene(self, hand: Hand | None = None) -> Scene:
        """Return what is to be seen now."""
        placed = tuple(
            PlacedChecker(one.colour, *one.middle, one.layer)
            for one in self._checkers
            if not one.held
        )
        return Scene(placed, self._die, hand, self.brightness, self.room, self.cup)

    def hand_at(self, seat: Seat, place: Place) -> Hand:
        """Return the hand of *seat* over a square, or over his reserve."""
        x, y = _RESERVES[self._corners[seat]][0] if place is None else self._over(place)
        off_x, off_y = self._near((0.0, 0.0), 0.2)
        arm_deg = _ARMS_DEG[self._corners[seat]]
        return Hand(x + off_x, y + off_y, arm_deg + self._rng.uniform(-12, 12))

    def hand_at_die(self, seat: Seat) -> Hand:
        """Return the hand of *seat* over the place where the die lay, or is about to."""
        left, bottom, right, top = DIE_AREA
        x, y = self._die_lay or ((left + right) / 2, (bottom + top) / 2)
        from_deg = 320 if self._corners[seat].endswith("1") else 40
        return Hand(x, y, from_deg + self._rng.uniform(-15, 15))

    def alone(self) -> list[Square]:
        """Return the squares on which one checker lies by itself, none beside it."""
        there = self.contents()
        return [
            at
            for at, standing in there.items()
            if len(standing) == 1
            and all(dist(centre(at), centre(other)) > _NEIGHBOUR for other in there if other != at)
        ]

    def clear(self, apart: float) -> list[tuple[float, float]]:
        """Return places on the board that far from every checker and the die, in squares."""
        things = [one.middle for one in self._checkers]
        if self._die is not None:
            things.append((self._die.x, self._die.y))
        half = [number / 2 for number in range(3, 14)]
        places = [(x, y) for x in half for y in half]
        return [at for at in places if all(dist(at, thing) >= apart for thing in things)]

    def _over(self, place: Square) -> tuple[float, float]:
        """Return where on the table the middle of a square is."""
        return self.room.board.carried(*centre(place))

    def _rolled(self, on_board: bool) -> tuple[float, float]:
        left, bottom, right, top = _ON_BOARD if on_board else DIE_AREA
        return self._rng.uniform(left, right), self._rng.uniform(bottom, top)

    def _may_lie(self, at: tuple[float, float]) -> bool:
        moved = self._die_lay is None or dist(at, self._die_lay) >= DIE_MOVES
        return moved and all(dist(at, one.middle) >= _DIE_ROOM for one in self._checkers)

    def _on(self, place: Place) -> list[_Checker]:
        """Return the checkers on a square; none for the reserve, where each has its own place."""
        return [one for one in self._checkers if one.place == place and place is not None]

    def _put(self, checker: _Checker) -> None:
        """Put a checker down alone."""
        checker.layer = 0
        checker.off_x, checker.off_y = self._near((0.0, 0.0), MOST_OFF_CENTRE)

    def _arrange(self, place: Place) -> None:
        """Put the checkers of a square side by side where there is room, further ones on top."""
        there = self._on(place)
        if len(there) == 1:
            self._put(there[0])
        if len(there) < 2 or place is None:
            return
        spots = side_by_side(place, self._others(place))
        for number, checker in enumerate(there):
            checker.layer, spot = divmod(number, len(spots))
            shaken = STACKED_OFF_CENTRE if checker.layer else 0.0
            checker.off_x, checker.off_y = (
                off + self._rng.uniform(-shaken, shaken) for off in spots[spot]
            )

    def _others(self, place: Square) -> list[tuple[float, float]]:
        """Return the middles of the checkers on other squares."""
        return [one.middle for one in self._checkers if one.place not in (None, place)]

    def _touched(self, place: Place) -> bool:
        """Tell whether checkers that lie side by side on a square touch those of another."""
        there = self._on(place)
        if place is None or len(there) < 2:
            return False
        return any(dist(one.middle, other) < ROOM for one in there for other in self._others(place))

    def _near(self, middle: tuple[float, float], most: float) -> tuple[float, float]:
        x, y = (
            max(-FURTHEST_SHOVED, min(FURTHEST_SHOVED, one + self._rng.uniform(-most, most)))
            for one in middle
        )
        return x, y


def calibration_scenes(rng: Random, seats: dict[Seat, Colour], rules: Rules) -> tuple[Scene, Scene]:
    """Return the empty board, and the board with everybody's checkers on his home."""
    stage = Stage(rng, seats, rules)
    for seat, colour in seats.items():
        for at in home(seat, rules):
            stage.carry(colour, None, at)
    return Scene(), stage.scene()
