"""An evening at the simulated table: people throw, carry, type and press; what is said is heard."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from companion.appliance.pressing import PressDesk
from companion.game import News
from companion.keyboard import parse_command
from companion.loop import REMIND_S, Inbox
from companion.phrases import Phrases
from companion.scripts.script import GameScript
from companion.scripts.side_by_side import centre
from companion.scripts.stage import Stage, calibration_scenes
from hardware.buttons import Press
from hardware.scene import BoardLie, Hand, PlacedChecker, Scene, TimedScene
from referee.commands import Choose
from referee.events import By, Event, FirstPlayer, PositionSet
from referee.match import Match
from referee.rules import Rules
from tabletop import Colour, Seat, parse_square
from tests.companion.live import SEATS, play, started, table_look

MOVING_S = 0.2
STILL_S = 0.6
"""People move quickly, and after so long a rest the table is looked at: an evening is short."""
REST_S = 2.0
HAND_S = 0.4
TURN_S = 1.2
CALIBRATION = calibration_scenes(Random(0), SEATS[4], Rules())


class Evening:
    """Four people at a table, in the middle of a game.

    Attributes:
        stage: what lies where; change it, then let it rest.
        events: what was written, after `heard`.
        refused: why what was typed could not be obeyed.
    """

    def __init__(self, position: str, seed: int = 3, *, by_place: bool = False) -> None:
        self._look = table_look(seed)
        self._match = Match.start(started(SEATS[4]))
        self.stage = Stage(Random(seed), SEATS[4], Rules())
        first = FirstPlayer(Seat.D4, Colour.RED)
        setting = PositionSet(By.COMMAND, position, "set by hand")
        self._setting: tuple[Event, ...] = (first, setting)
        for event in self._setting:
            self._match = self._match.after(event)
        for at, there in self._match.contents().items():
            for colour in there:
                self.stage.carry(colour, None, at)
        self._phrases = Phrases("en", by_place=by_place)
        self._inbox = Inbox()
        self._desk = PressDesk(self._inbox)
        self._scenes: list[TimedScene | Callable[[], None]] = []
        self._said: list[str] = []
        self._foreign: tuple[PlacedChecker, ...] = ()
        self.events: list[Event] = []
        self.refused: list[str] = []
        self.rest()

    def rest(self, lasts_s: float = REST_S) -> None:
        """Let the table lie still."""
        self.show(self._scene(), lasts_s)

    def show(self, scene: Scene, lasts_s: float = REST_S) -> None:
        """Show a scene as it is."""
        self._scenes.append(TimedScene(scene, lasts_s, moving_s=MOVING_S))

    def cast(self, value: int, seat: str = "D4", rest_s: float = REST_S) -> None:
        """Cast the die."""
        self.stage.lift_die()
        self._hand_at_die(seat)
        self.stage.throw(value)
        self.rest(rest_s)

    def turn_die(self, value: int, seat: str) -> None:
        """Turn the die over with a finger."""
        self._hand_at_die(seat)
        self.stage.turn_die(value)
        self._hand_at_die(seat)
        self.rest()

    def turn_board(self, turn_deg: float, seat: str = "D4") -> None:
        """Turn the board with both hands."""
        hand = self.stage.hand_at(Seat(seat), parse_square("a1"))
        self.show(self.stage.scene(hand), HAND_S)
        self.stage.room = replace(self.stage.room, board=BoardLie(turn_deg=turn_deg))
        turned = self.stage.scene(hand)
        self._scenes.append(TimedScene(turned, 2 * TURN_S, moving_s=TURN_S))
        self.rest(4.0)

    def carry(self, *carries: str, seat: str = "D4", rest_s: float = REST_S) -> None:
        """Carry checkers, as in ``red c1-f1``, ``green f8-`` or ``red -b1``, then rest."""
        for one in carries:
            colour, way = one.split()
            source, target = (parse_square(at) if at else None for at in way.split("-"))
            self.stage.carry(Colour(colour), source, target)
            self.show(self._scene(self.stage.hand_at(Seat(seat), target)), HAND_S)
        self.rest(rest_s)

    def put_too_many(self, colour: str, at: str, seat: str) -> None:
        """Put a checker on that belongs to another set."""
        square = parse_square(at)
        hand = self.stage.hand_at(Seat(seat), square)
        self._foreign = (PlacedChecker(Colour(colour), *centre(square)),)
        self.show(self._scene(hand), HAND_S)
        self.rest()

    def take_too_many(self) -> None:
        """Take it off again."""
        (checker,) = self._foreign
        self._foreign = ()
        self.show(self._scene(Hand(checker.x, checker.y, 235)), HAND_S)
        self.rest()

    def type(self, line: str, rest_s: float = REST_S) -> None:
        """Type a line at the terminal."""
        self._scenes.append(lambda: self._inbox.put(parse_command(line), By.COMMAND))
        self.rest(rest_s)

    def tap(self, choice: str, rest_s: float = REST_S) -> None:
        """Answer on the page."""
        self._scenes.append(lambda: self._inbox.put(Choose(choice), By.CONSOLE))
        self.rest(rest_s)

    def press(self, button: str, rest_s: float = REST_S) -> None:
        """Press a button."""
        self._scenes.append(lambda: self._desk.pressed(Press(button)))
        self.rest(rest_s)

    def then(self, act: Callable[[], None]) -> None:
        """Let something else happen before the next scene."""
        self._scenes.append(act)

    def hear(self, news: News) -> None:
        """Take down what is said."""
        if news.again:
            prompt = self._phrases.prompt(news.after, no_die=news.no_die)
            self._said.append(f"(again) {prompt.text}")
        said = self._phrases.rulings(news.events, news.before, news.after)
        if said and not news.again:
            self._said.append(" ".join(one.text for one in said))

    def heard(self, *, settle_s: float = STILL_S, remind_s: float = REMIND_S) -> list[str]:
        """Play all of it, and return what was said, each ruling a line."""
        empty, homes = CALIBRATION
        script = GameScript(
            (TimedScene(empty, REST_S), TimedScene(homes, REST_S)),
            (),
            (),
            setting=self._setting,
        )
        ruled = play(
            script,
            self._look,
            SEATS[4],
            scenes=self._acted(),
            inbox=self._inbox,
            listeners=(self, self._desk),
            complain=self.refused.append,
            settle_s=settle_s,
            remind_s=remind_s,
        )
        self.events = [one.event for one in ruled]
        return self._said

    def _acted(self) -> Iterator[TimedScene]:
        """Yield the scenes; what is typed and pressed between them is in the inbox by then."""
        for one in self._scenes:
            if isinstance(one, TimedScene):
                yield one
            else:
                one()

    def _hand_at_die(self, seat: str) -> None:
        self.show(self._scene(self.stage.hand_at_die(Seat(seat))), HAND_S)

    def _scene(self, hand: Hand | None = None) -> Scene:
        scene = self.stage.scene(hand)
        return replace(scene, checkers=scene.checkers + self._foreign)
