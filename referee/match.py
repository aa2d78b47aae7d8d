"""A match: the fold of its events.

`Match.after` is the only way forward; it checks that an event can follow, so replaying a log proves
it. Corrections are events too: the state they go back to is found through the chain of states.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self, cast

from referee.bank import Bank
from referee.events import (
    About,
    Answer,
    BoardAgrees,
    BoardDiffers,
    By,
    CheckerEntered,
    CheckerMoved,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    FirstPlayer,
    GameAbandoned,
    GameStarted,
    IllegalCleared,
    IllegalMove,
    OpeningThrow,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Question,
    Resumed,
    ThrowPassed,
    Unclear,
)
from referee.hindrances import hindrances_after
from referee.hypotheses import NOTHING
from referee.moves import (
    Move,
    Played,
    may_pass,
    move_text,
    play,
    reason_against,
)
from referee.opening import Opening
from referee.position import Position, parse_position, without_seat
from referee.rules import rules_from
from referee.state import Act, EventError, MatchState, Phase, PlayedThrow
from tabletop import Seat

__all__ = ["Act", "EventError", "Match", "Phase", "PlayedThrow", "replay"]


@dataclass(frozen=True, slots=True)
class Match(MatchState):
    """The state of a game after so many events, and the way to the next."""

    @classmethod
    def start(cls, setup: GameStarted) -> Self:
        """Return the state after *setup*, the first event of every game.

        Raises:
            ValueError: the setup's rules, seats or sums cannot be.
        """
        rules = rules_from(dict(setup.rules))
        seats = tuple(seat for seat, _ in setup.seats)
        return cls(
            setup=setup,
            rules=rules,
            sequence=1,
            phase=Phase.OPENING,
            opening=Opening.start(seats),
            position=Position.start(seats),
            bank=Bank.open(seats, setup.stake, setup.fine),
        )

    def after_all(self, events: Iterable[Event]) -> Self:
        """Return the state after *events*, one after another.

        Raises:
            EventError: one of them cannot follow.
        """
        state = self
        for event in events:
            state = state.after(event)
        return state

    def after(self, event: Event) -> Self:
        """Return the state after *event*.

        Raises:
            EventError: the event cannot follow here.
        """
        match event:
            case GameStarted():
                raise EventError("a game starts once")
            case OpeningThrow():
                new = self._after_opening_throw(event)
            case FirstPlayer():
                new = self._after_first_player(event)
            case DieThrown():
                new = self._after_throw(event)
            case CheckerEntered():
                new = self._after_move(event.seat, Move(None, event.target))
            case CheckerMoved():
                new = self._after_move(event.seat, Move(event.source, event.target))
            case ThrowPassed():
                new = self._after_pass(event)
            case Corrected():
                new = self._after_correction(event)
            case PositionSet():
                new = self._after_setting(event)
            case PlayerLeft():
                new = self._after_leaving(event)
            case PlayerRenamed():
                new = self._after_renaming(event)
            case GameAbandoned():
                new = self._after_abandoning()
            case DieUnreadable():
                new = replace(self, unreadable=True)
            case BoardDiffers():
                new = replace(self, restoring=True, differs=event.differs, wrong=None)
            case BoardAgrees():
                new = replace(self, restoring=False, differs=(), unclear=None)
            case Unclear():
                new = replace(self, unclear=event.squares)
            case IllegalMove():
                new = replace(self, wrong=event, unclear=None)
            case IllegalCleared():
                new = replace(self, wrong=None)
            case Question():
                new = replace(self, question=event)
            case Answer():
                new = self._after_answer(event)
            case Paused():
                new = replace(self, paused=True)
            case Resumed():
                # Who knows what was done in the meantime: the board is compared with the log.
                new = replace(self, paused=False, restoring=True, wrong=None, differs=())
            case _:
                new = replace(self, hindrances=hindrances_after(self.hindrances, event))
        return replace(new, sequence=self.sequence + 1, previous=self)

    def at(self, sequence: int) -> Self:
        """Return the state right after the event numbered *sequence*.

        Raises:
            EventError: there is no such state to go back to.
        """
        state: Self | None = self
        while state is not None and state.sequence > sequence:
            state = cast("Self | None", state.previous)
        if state is None or state.sequence != sequence:
            raise EventError(f"there is no state after event {sequence} to go back to")
        return state

    def _after_opening_throw(self, event: OpeningThrow) -> Self:
        self._expect(Phase.OPENING, event)
        if event.seat is not self.opening.next:
            raise EventError(f"{event.seat} throws, and {self.opening.next} is to throw")
        return replace(
            self,
            opening=self.opening.after(event.value),
            acts=(*self.acts, Act(self.sequence, event.value)),
            question=None,
            denied=(),
            unreadable=False,
            unclear=None,
        )

    def _after_first_player(self, event: FirstPlayer) -> Self:
        self._expect(Phase.OPENING, event)
        if event.seat not in self.playing:
            raise EventError(f"{event.seat} does not play")
        if self.opening.first not in (None, event.seat):
            raise EventError(f"{event.seat} is said to begin, and {self.opening.first} threw best")
        start = Position.start(self.playing, event.seat)
        return replace(self, phase=Phase.THROW, position=start)

    def _after_throw(self, event: DieThrown) -> Self:
        self._expect(Phase.THROW, event)
        if event.seat is not self.position.to_move:
            raise EventError(f"{event.seat} throws, and {self.position.to_move} is to throw")
        return replace(
            self,
            phase=Phase.MOVE,
            die=event.value,
            thrown_at=self.sequence + 1,
            acts=(*self.acts, Act(self.sequence, event.value)),
            question=None,
            denied=(),
            unreadable=False,
            unclear=None,
        )

    def _after_move(self, seat: Seat, move: Move) -> Self:
        if self.phase is not Phase.MOVE or self.die is None:
            raise EventError(f"{seat} moves {move_text(move)}, and no throw is owed a move")
        reason = reason_against(self.position, self.die, move, self.rules)
        if reason is not None or seat is not self.position.to_move:
            why = reason.value if reason else f"{self.position.to_move} is to move"
            raise EventError(f"{seat} cannot move {move_text(move)} with a {self.die}: {why}")
        return self._played(PlayedThrow(seat, self._play(self.die, move), self.thrown_at))

    def _after_pass(self, event: ThrowPassed) -> Self:
        if self.phase is not Phase.MOVE or self.die is None:
            raise EventError(f"{event.seat} passes, and no throw is owed a move")
        if event.seat is not self.position.to_move:
            raise EventError(f"{event.seat} passes, and {self.position.to_move} is to move")
        if not may_pass(self.position, self.die, self.rules):
            raise EventError(f"{event.seat} passes a {self.die}, and a move is owed")
        played = self._play(self.die, None)
        passed = self._played(PlayedThrow(event.seat, played, self.thrown_at))
        # What stands wrongly stands so still.
        stands = self.wrong is not None and bool(self.wrong.differs)
        return replace(passed, wrong=self.wrong) if stands else passed

    def _play(self, die: int, move: Move | None) -> Played:
        return play(self.position, die, move, self.rules)

    def _played(self, throw: PlayedThrow) -> Self:
        bank = self.bank
        for seat, count in throw.played.knocked:
            bank = bank.after_knock_out(seat, count)
        over = throw.played.after.winner is not None
        return replace(
            self,
            phase=Phase.OVER if over else Phase.THROW,
            position=throw.played.after,
            bank=bank,
            die=None,
            throws=(*self.throws, throw),
            wrong=None,
            question=None,
            unclear=None,
        )

    def _after_correction(self, event: Corrected) -> Self:
        back = self.at(event.undo_to)
        moved = event.undo_to == self.sequence or back.position != self.position
        # Of an abandoned game nothing was looked at any more.
        moved = moved or self.abandoned
        # Later corrections may go back beyond this one, through the state it restored.
        return replace(
            back,
            setup=self.setup,
            wrong=None,
            question=None,
            unreadable=False,
            unclear=None,
            restoring=self.restoring or (moved and event.by is not By.BOARD),
            differs=(),
            hindrances=self.hindrances,
            paused=self.paused,
        )

    def _after_answer(self, event: Answer) -> Self:
        asked = self.question
        if asked is None or event.choice == NOTHING:
            return replace(self, question=None, denied=asked.choices if asked is not None else ())
        # A move that people tell the board has yet to show.
        told = asked.about is About.MOVE and event.by is not By.BOARD
        return replace(self, question=None, restoring=self.restoring or told)

    def _after_abandoning(self) -> Self:
        # An act of its own: who takes it back does not lose the last throw as well.
        acts = (*self.acts, Act(self.sequence, None))
        return replace(
            self,
            phase=Phase.OVER,
            abandoned=True,
            acts=acts,
            question=None,
            die=None,
            wrong=None,
            unclear=None,
            restoring=False,
            differs=(),
        )

    def _after_setting(self, event: PositionSet) -> Self:
        position = parse_position(event.position, self.rules)
        if position.seats != self.playing or position.winner is not None:
            raise EventError(f"{event.position!r} is no position in which this game can go on")
        return self._going_on_from(position, (*self.acts, Act(self.sequence, None)))

    def _after_leaving(self, event: PlayerLeft) -> Self:
        if event.seat not in self.playing or self.phase is Phase.OVER:
            raise EventError(f"{event.seat} leaves, and does not play")
        left = replace(
            self,
            left=(*self.left, event.seat),
            acts=(*self.acts, Act(self.sequence, None)),
            wrong=None,
            question=None,
        )
        if len(left.playing) == 1:
            winner = left.playing[0]
            won = self.position._replace(to_move=winner, throws_due=0, winner=winner)
            return replace(left, position=won, phase=Phase.OVER, die=None)
        if self.phase is Phase.OPENING:
            start = Position.start(left.playing)
            return replace(left, opening=self.opening.anew(left.playing), position=start)
        rest = without_seat(self.position, event.seat)
        if self.to_move is event.seat:
            return left._going_on_from(rest, left.acts)
        return replace(left, position=rest, base=rest, throws=(), restoring=True, differs=())

    def _going_on_from(self, position: Position, acts: tuple[Act, ...]) -> Self:
        """Return the state in which *position* was set and awaits its throw."""
        return replace(
            self,
            phase=Phase.THROW,
            position=position,
            base=position,
            throws=(),
            acts=acts,
            die=None,
            wrong=None,
            question=None,
            unreadable=False,
            unclear=None,
            restoring=True,
            differs=(),
        )

    def _after_renaming(self, event: PlayerRenamed) -> Self:
        if event.seat not in self.seats:
            raise EventError(f"{event.seat} gets a name, and does not play")
        names = dict(self.setup.names) | {event.seat: event.name}
        return replace(self, setup=replace(self.setup, names=tuple(names.items())))

    def _expect(self, phase: Phase, event: Event) -> None:
        if self.phase is not phase:
            raise EventError(f"{event.kind} cannot follow here: the game awaits {self.phase.value}")


def replay(events: Iterable[Event]) -> Match:
    """Return the state after all *events*, of which the first starts the game.

    Raises:
        EventError: an event cannot follow; its number is named.
    """
    state: Match | None = None
    for number, event in enumerate(events, 1):
        try:
            if state is None:
                if not isinstance(event, GameStarted):
                    raise EventError(f"a game begins with game_started, not {event.kind}")
                state = Match.start(event)
            else:
                state = state.after(event)
        except ValueError as error:
            raise EventError(f"event {number}: {error}") from error
    if state is None:
        raise EventError("no event: a game begins with game_started")
    return state
