"""What scripts are written with: a stage, a match, and the pages on which all is put down."""

from collections.abc import Iterable
from random import Random
from typing import Final

from companion.scripts.happenings import HAND_S
from companion.scripts.mistakes import Carry
from companion.scripts.stage import Stage
from companion.scripts.style import Style
from hardware.scene import Hand, TimedScene
from referee.commands import Command, obey
from referee.events import BoardAgrees, BoardDiffers, By, Difference, Event, IllegalCleared
from referee.hypotheses import Step
from referee.match import Match
from referee.outcomes import lawful_events
from tabletop import EMPTY, Seat, Square

SLIDE_S: Final = 2.2
"""How long a checker takes that is pushed along slowly."""


class Pen:
    """Writes down what is seen and what must be ruled.

    Attributes:
        match: as it stands after what was written.
        scenes: what is seen.
        truth: what must be ruled.
        commands: what people say, each with the number of the scene at whose beginning.
    """

    def __init__(self, rng: Random, match: Match, stage: Stage, style: Style) -> None:
        self.rng: Final = rng
        self.match = match
        self.stage: Final = stage
        self.style: Final = style
        self.scenes: list[TimedScene] = []
        self.truth: list[Event] = []
        self.commands: list[tuple[int, Command]] = []

    def chance(self, probability: float) -> bool:
        """Tell whether something happens this time."""
        return self.rng.random() < probability

    def happens(self, probability: float) -> bool:
        """Tell whether something happens that happens to imperfect people."""
        return self.chance(probability) and self.style.with_mistakes

    def write(self, *events: Event) -> None:
        """Write what must be ruled."""
        for event in events:
            self.match = self.match.after(event)
            self.truth.append(event)

    def rule(self, *steps: Step) -> None:
        """Write what must be ruled of lawful steps, which put right what was wrong."""
        self.clear()
        self.write(*lawful_events(self.match, steps))

    def clear(self) -> None:
        """Write that what was wrong, if anything, is put right."""
        if self.match.wrong is not None:
            self.write(IllegalCleared(self.match.wrong.seat))

    def say(self, command: Command) -> None:
        """Let a person command something as the next scene begins, and write what follows.

        Raises:
            CommandError: it cannot be obeyed; then nothing is written.
        """
        events = obey(self.match, command, By.COMMAND)
        self.commands.append((len(self.scenes), command))
        self.write(*events)

    def compare(self) -> None:
        """Write how the board stands against the match, where it was to be put right."""
        if not self.match.restoring:
            return
        differs = self.differences()
        self.write(BoardDiffers(differs) if differs else BoardAgrees())

    def show(self, hand: Hand, lasts_s: float = HAND_S) -> None:
        """Show a hand over the table."""
        self.scenes.append(TimedScene(self.stage.scene(hand), lasts_s, "hand"))

    def show_all(self, scenes: Iterable[TimedScene]) -> None:
        """Show scenes as they are."""
        self.scenes.extend(scenes)

    def rest(self, note: str, rest_s: float | None = None) -> None:
        """Let the table lie still, as long as the style asks where *rest_s* is not given."""
        lasts_s = self.style.rest_s if rest_s is None else rest_s
        self.scenes.append(TimedScene(self.stage.scene(), lasts_s, note))

    def cast(self, value: int, cocked: bool = False, seat: Seat | None = None) -> None:
        """Take the die up and let it fall elsewhere."""
        seat = seat or self.match.to_move
        self.stage.lift_die()
        self.show(self.stage.hand_at_die(seat))
        self.stage.throw(value, cocked, self.chance(self.style.on_board))

    def carry(self, *carries: Carry) -> None:
        """Carry checkers by hand, one after another."""
        seat = self.match.to_move
        for colour, source, target in carries:
            if self.style.slow_hands:
                self.show(self.stage.hand_at(seat, source))
            self.stage.carry(colour, source, target)
            if source is not None and target is not None and self.chance(self.style.sliding):
                self._slide(seat, target)
            else:
                self.show(self.stage.hand_at(seat, target))

    def differences(self) -> tuple[Difference, ...]:
        """Return where the stage differs from the match."""
        seen, due = self.stage.contents(), self.match.contents()
        return tuple(
            Difference(at, seen.get(at, EMPTY), due.get(at, EMPTY))
            for at in sorted({*seen, *due})
            if seen.get(at, EMPTY) != due.get(at, EMPTY)
        )

    def _slide(self, seat: Seat, target: Square) -> None:
        """Show a checker that is pushed along slowly, and rests under the hand for a while."""
        scene = self.stage.scene(self.stage.hand_at(seat, target))
        self.scenes.append(TimedScene(scene, 2 * SLIDE_S, "slid", moving_s=SLIDE_S, slid=True))
