"""What happens to a scripted table while a game is played: jolts, lamps, clouds, cups, hands.

None of it is a move. What a happening changes for good it leaves on the stage.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from random import Random
from typing import Final

from companion.scripts.stage import Stage
from hardware.scene import BoardLie, CameraKnock, Cup, Hand, Lamp, TimedScene
from referee.events import BoardFound, BoardLost, Event, Obscured, Visible
from tabletop import Seat

REST_S: Final = 2.4
"""How long the table lies still after something was done: the half second in which a hand draws
back, and 1.6 s and more of stillness, which a live camera needs to be sure."""
LOOKED_AT_S: Final = 2.0
"""After this long more a live camera has looked again at what it was patient with."""
HAND_S: Final = 0.5
"""How long a hand is over the table; too short for anything to be taken for settled."""
LINGERS_S: Final = 3.0
"""How long a hand rests over the board; it is not told of."""
COVERED_S: Final = 7.5
"""How long a cup stays on the board; it is told of."""
CLOUD_S: Final = 4.0
"""How long the light takes to change as a cloud passes."""
JOLT_S: Final = 0.2
TURN_S: Final = 1.2

_CUP_ROOM: Final = 1.1
_LAMP_PLACES: Final = ((-5.0, 13.0, 9.0), (12.0, 12.0, 8.0), (4.0, -6.0, 12.0))
_LAMP_CASTS: Final = ((0.62, 0.86, 1.12), (1.1, 1.0, 0.9), (0.75, 0.95, 1.05))
_OWN_LAMP_PLACE: Final = (4.0, 9.6, 2.6)
_OWN_LAMP_CASTS: Final = ((0.08, 0.1, 1.0), (0.1, 1.0, 0.15), (1.0, 0.25, 0.1))
_OWN_LAMP_STRENGTH: Final = 0.04


class Happening(StrEnum):
    """What may happen to the table."""

    BUMP = "the board is bumped"
    SHOVE = "the board is shoved a little"
    TURN = "the board is turned"
    KNOCK = "the camera is knocked"
    CLOUD = "the light changes"
    LAMP = "a lamp is switched"
    OWN_LAMPS = "the companion's lamp flashes"
    HAND = "a hand rests over the board"
    CUP = "a cup is put on the board"
    TAKEN_UP = "a checker is taken up and put back"
    ASIDE = "a checker is shoved aside and put right"


class Happenings:
    """Lets things happen on a stage."""

    def __init__(self, rng: Random, stage: Stage) -> None:
        self._rng: Final = rng
        self._stage: Final = stage
        self._ways: Final[dict[Happening, Callable[[Seat], Iterator[TimedScene]]]] = {
            Happening.BUMP: self._bump,
            Happening.SHOVE: self._shove,
            Happening.TURN: self._turn,
            Happening.KNOCK: self._knock,
            Happening.CLOUD: self._cloud,
            Happening.LAMP: self._lamp,
            Happening.OWN_LAMPS: self._own_lamps,
            Happening.HAND: self._hand,
            Happening.CUP: self._cup,
            Happening.TAKEN_UP: self._taken_up,
            Happening.ASIDE: self._aside,
        }

    def may(self, what: Happening) -> bool:
        """Tell whether something can happen as things stand."""
        match what:
            case Happening.BUMP | Happening.SHOVE | Happening.TURN:
                # A die on the board would roll over.
                return not self._stage.die_on_board
            case Happening.TAKEN_UP | Happening.ASIDE:
                return bool(self._stage.alone())
            case Happening.CUP:
                return bool(self._stage.clear(_CUP_ROOM))
            case _:
                return True

    def scenes(self, what: Happening, seat: Seat) -> Iterator[TimedScene]:
        """Yield what is seen of something that happens while it is the turn of *seat*."""
        for timed in self._ways[what](seat):
            yield replace(timed, note=what.value)

    def _bump(self, seat: Seat) -> Iterator[TimedScene]:
        """Shove the board by a third to half a square, and turn it a little."""
        yield self._under(self._edge_hand(seat), HAND_S)
        old = self._stage.room.board
        y = self._rng.uniform(0.34, 0.5) * (-1 if old.y > 0 else 1)
        self._lie(BoardLie(self._rng.uniform(-0.2, 0.2), y, self._about(old, 2.5)))
        self._stage.slip()
        if self._rng.random() < 0.5:
            yield self._under(self._edge_hand(seat), HAND_S)
        yield self._rest(moving_s=JOLT_S)

    def _shove(self, seat: Seat) -> Iterator[TimedScene]:
        """Shove the board by less than anybody would notice."""
        yield self._under(self._edge_hand(seat), HAND_S)
        old = self._stage.room.board
        x, y = (one + self._rng.uniform(-0.06, 0.06) for one in (old.x, old.y))
        self._lie(BoardLie(x, y, old.turn_deg + self._rng.uniform(-0.3, 0.3)))
        yield self._rest()

    def _turn(self, seat: Seat) -> Iterator[TimedScene]:
        """Turn the board by a quarter or by half, with both its ends in somebody's hands."""
        hand = self._edge_hand(seat)
        yield self._under(hand, HAND_S)
        turn_deg = self._stage.room.board.turn_deg + self._rng.choice((90, 180, 270))
        nearest = round(turn_deg / 90) * 90
        self._lie(
            BoardLie(
                self._rng.uniform(-0.15, 0.15),
                self._rng.uniform(-0.15, 0.15),
                (nearest + self._rng.uniform(-2, 2)) % 360,
            )
        )
        self._stage.slip()
        yield replace(self._under(hand, 2 * TURN_S), moving_s=TURN_S)
        yield self._rest()

    def _knock(self, _: Seat) -> Iterator[TimedScene]:
        old = self._stage.room.camera
        tilt = self._rng.uniform(1.5, 2.0) * (-1 if old.tilt_deg > 0 else 1)
        knock = CameraKnock(self._rng.uniform(-0.7, 0.7), tilt, self._rng.uniform(-1.5, 1.5))
        self._stage.room = replace(self._stage.room, camera=knock)
        yield self._rest(moving_s=JOLT_S)

    def _cloud(self, _: Seat) -> Iterator[TimedScene]:
        darker = self._stage.brightness >= 1
        self._stage.brightness = self._rng.uniform(0.62, 0.85) if darker else 1.0
        yield self._rest(2 * CLOUD_S, moving_s=CLOUD_S)

    def _lamp(self, _: Seat) -> Iterator[TimedScene]:
        lit = Lamp(
            self._rng.choice(_LAMP_PLACES),
            self._rng.uniform(0.15, 0.4),
            self._rng.choice(_LAMP_CASTS),
        )
        lamps = () if self._stage.room.lamps else (lit,)
        self._stage.room = replace(self._stage.room, lamps=lamps)
        yield self._rest()

    def _own_lamps(self, _: Seat) -> Iterator[TimedScene]:
        """Let the companion's lamp flash slowly, and stay dark in the end."""
        room = self._stage.room
        flash = Lamp(_OWN_LAMP_PLACE, _OWN_LAMP_STRENGTH, self._rng.choice(_OWN_LAMP_CASTS))
        for lit in (True, False, True, False):
            lamps = (*room.lamps, flash) if lit else room.lamps
            self._stage.room = replace(room, lamps=lamps)
            yield self._rest(1.0 if lit else REST_S / 2)
        yield self._rest()

    def _hand(self, seat: Seat) -> Iterator[TimedScene]:
        yield self._under(self._stage.hand_at(seat, self._rng.choice(_INNER)), LINGERS_S)
        yield self._rest()

    def _cup(self, seat: Seat) -> Iterator[TimedScene]:
        x, y = self._rng.choice(self._stage.clear(_CUP_ROOM))
        over_x, over_y = self._stage.room.board.carried(x, y)
        hand = replace(self._stage.hand_at(seat, None), x=over_x, y=over_y)
        yield self._under(hand, HAND_S)
        self._stage.cup = Cup(x, y)
        yield self._rest(COVERED_S)
        yield self._under(hand, HAND_S)
        self._stage.cup = None
        yield self._rest()

    def _taken_up(self, seat: Seat) -> Iterator[TimedScene]:
        at = self._rng.choice(self._stage.alone())
        hand = self._stage.hand_at(seat, at)
        yield self._under(hand, HAND_S)
        self._stage.take_up(at)
        yield self._under(replace(hand, y=hand.y + 1), 2 * HAND_S)
        self._stage.put_down(at)
        yield self._under(hand, HAND_S)
        yield self._rest()

    def _aside(self, seat: Seat) -> Iterator[TimedScene]:
        """Push a checker over the border of its square, see it, and put it right."""
        at = self._rng.choice(self._stage.alone())
        hand = self._stage.hand_at(seat, at)
        yield self._under(hand, HAND_S)
        self._stage.push_aside(at)
        yield self._under(hand, HAND_S)
        yield self._rest(2 * HAND_S)
        yield self._under(hand, HAND_S)
        self._stage.put_down(at)
        yield self._rest()

    def _lie(self, board: BoardLie) -> None:
        self._stage.room = replace(self._stage.room, board=board)

    def _about(self, old: BoardLie, most_deg: float) -> float:
        """Return an angle near the quarter turn at which the board lies."""
        return round(old.turn_deg / 90) * 90 + self._rng.uniform(-most_deg, most_deg)

    def _edge_hand(self, seat: Seat) -> Hand:
        """Return the hand of *seat* at an edge of the board."""
        hand = self._stage.hand_at(seat, 0)
        x, y = self._rng.choice(((4.0, -0.4), (8.4, 4.0), (4.0, 8.4), (-0.4, 4.0)))
        return replace(hand, x=x, y=y)

    def _under(self, hand: Hand, lasts_s: float) -> TimedScene:
        return TimedScene(self._stage.scene(hand), lasts_s)

    def _rest(self, lasts_s: float = REST_S, moving_s: float | None = None) -> TimedScene:
        rest = TimedScene(self._stage.scene(), lasts_s)
        return rest if moving_s is None else replace(rest, moving_s=moving_s)


def told_of(what: Happening) -> tuple[Event, ...]:
    """Return what must be said of a happening."""
    match what:
        case Happening.BUMP | Happening.TURN | Happening.KNOCK:
            return (BoardLost("moved"), BoardFound())
        case Happening.CUP:
            return (Obscured(), Visible())
        case _:
            return ()


_INNER: Final = tuple(8 * rank + file for rank in range(2, 6) for file in range(2, 6))
"""Squares so far inside that a hand on one covers part of the board, whichever side it is from."""
