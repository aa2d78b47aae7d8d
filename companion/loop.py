"""The loop: newest frame in, a look, a verdict, the log, and then everybody else.

One thread owns the match. What people command comes in through the inbox and is obeyed between two
frames.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Final, Protocol, TypeAlias

from companion.game import Game
from companion.lying import BoardPlace, NameCorner
from companion.seeing import Look
from hardware.ports import DeviceError, FrameSource
from referee.commands import (
    Choose,
    Command,
    CommandError,
    CorrectThrow,
    Leave,
    Restore,
    SayAgain,
    SayThrow,
    SetPosition,
    TakeBack,
)
from referee.events import (
    BoardFound,
    BoardLost,
    By,
    CameraFound,
    CameraLost,
    Event,
    Obscured,
    Visible,
)
from referee.match import Match, Phase
from referee.second_thoughts import SecondThoughts
from referee.verdict import Ruling, Verdict
from tabletop import Observation
from vision.frame import Frame

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 2.0, 5.0)
"""How long to wait before each new try to open a lost camera; the last for all further ones."""

REMIND_S: Final = 45.0
"""After so long without any news people are reminded of what is awaited, once."""
_PASS_OVER_THE_DIE: Final = (SayThrow, CorrectThrow, Choose, TakeBack, Restore, SetPosition)
"""After these the die as it lies is known, or was cast for what is no more."""
_LET_WAIT: Final = (SayThrow, Choose, SayAgain)
"""A game that waits for an answer goes on with what is likeliest when people say anything else."""

_WHY_LOST: Final = {
    BoardPlace.ASTRAY: "moved",
    BoardPlace.LOST: "gone",
    BoardPlace.UNNAMED: "turned",
    BoardPlace.DARK: "dark",
    BoardPlace.BRIGHT: "bright",
}
_BAD_LIGHT: Final = (_WHY_LOST[BoardPlace.DARK], _WHY_LOST[BoardPlace.BRIGHT])

Complaint: TypeAlias = Callable[[str], None]
"""Tells the person who gave a command why it cannot be obeyed."""
Answered: TypeAlias = Callable[[str | None], None]
"""Hears what became of a command: None, or why it could not be obeyed."""
Seen: TypeAlias = Callable[[Look, Verdict, Match], None]
"""Hears of each look, what was made of it, and of the match before, for evidence."""


@dataclass(frozen=True, slots=True)
class Told:
    """A command that waits.

    Attributes:
        command: what is to be done.
        by: where it came from.
        answered: hears what became of it; None where everybody is told of a refusal.
        after: the number of the last event that was known to who gave it: it is refused if there
            were others since, so that two people who mean the same do it once. None never is.
    """

    command: Command | NameCorner
    by: By
    answered: Answered | None = None
    after: int | None = None


class Watch(Protocol):
    """Who looks at the table: `companion.seeing.TableWatch`, or a stand-in in tests."""

    def step(self, frame: Frame) -> Look | BoardPlace | None:
        """Return a look at the table if there may be news, or where the board is not."""
        ...

    def ruled(self, look: Look, verdict: Verdict) -> None:
        """Take note of what was ruled."""
        ...

    def look_again(self) -> None:
        """Look again though nothing moved."""
        ...

    def die_told(self) -> None:
        """Take note that people said what the die shows."""
        ...

    def corner_told(self, *, turned: bool) -> None:
        """Take note that people said which corner is a1."""
        ...


class Reminder:
    """Reminds people who do nothing, once; owned by the thread that owns the match."""

    def __init__(self, after_s: float) -> None:
        self._after_s: Final = after_s
        self._sequence = 0
        self._since_s = 0.0
        self._reminded = False
        self._no_die = False

    def look(self, observation: Observation) -> None:
        """Take note of whether a die is in sight."""
        self._no_die = observation.dice_count == 0 and not observation.obscured

    def step(self, frame: Frame, game: Game) -> None:
        """Take note of the time of *frame*, and remind if nothing was ruled for so long."""
        match = game.match
        if match.sequence != self._sequence:
            self._sequence, self._since_s, self._reminded = match.sequence, frame.at_s, False
        idle = match.paused or match.phase is Phase.OVER or frame.still
        if not idle and not self._reminded and frame.at_s - self._since_s >= self._after_s:
            self._reminded = True
            game.say_again(no_die=self._no_die)


class BoardNews:
    """Tells once that the board is gone, bumped or turned, and once that it is found again."""

    def __init__(self, lost: str | None = None) -> None:
        """Begin where it was told last that the board is *lost*, and why."""
        self._lost = lost
        self._answered = False

    @property
    def asks(self) -> bool:
        """Whether people are asked which corner is a1."""
        return self._lost == _WHY_LOST[BoardPlace.UNNAMED]

    def answer(self, told: NameCorner) -> None:
        """Take note of what people say of the corners: the same twice would turn them back.

        Raises:
            CommandError: nobody asked, or it was said and nobody has looked since.
        """
        if self._answered or not (self.asks or told.unasked):
            raise CommandError("nobody asked which corner is a1")
        self._answered = True

    def step(self, place: BoardPlace) -> tuple[Event, ...]:
        """Return what is to be said of where the board is, if that is news."""
        self._answered = False
        before, self._lost = self._lost, _WHY_LOST.get(place)
        if self._lost is not None:
            return (BoardLost(self._lost),) if before is None or self._is_news(before) else ()
        if before is not None:
            return (BoardFound(),)
        return (BoardLost("moved"), BoardFound()) if place is BoardPlace.MOVED else ()

    def _is_news(self, before: str) -> bool:
        """Tell whether people are to do something else than *before* was told."""
        other = self.asks or self._lost in _BAD_LIGHT or before in _BAD_LIGHT
        return other and before != self._lost


class CoverNews:
    """Tells once that something stays over the board, and once that the board is free again."""

    def __init__(self, covered: bool = False) -> None:
        """Begin where it was told last that something covers the board, or that nothing does."""
        self._covered = covered

    def step(self, look: Look, verdict: Verdict) -> tuple[Event, ...]:
        """Return what is to be said of it, if that is news; a single picture is left at that."""
        hidden = verdict.ruling is Ruling.OBSCURED
        if look.frame.still or hidden == self._covered or (hidden and not look.last):
            return ()
        self._covered = hidden
        return (Obscured(),) if hidden else (Visible(),)


class Inbox:
    """Where commands wait; any thread may put one in."""

    def __init__(self) -> None:
        self._waiting: Final[SimpleQueue[Told]] = SimpleQueue()

    def put(
        self,
        command: Command | NameCorner,
        by: By,
        answered: Answered | None = None,
        after: int | None = None,
    ) -> None:
        """Hand in a command; see `Told`."""
        self._waiting.put(Told(command, by, answered, after))

    def drain(self) -> Iterator[Told]:
        """Yield the commands that wait, oldest first."""
        while True:
            try:
                yield self._waiting.get_nowait()
            except Empty:
                return


def referee_game(
    source: FrameSource,
    watch: Watch,
    game: Game,
    inbox: Inbox,
    *,
    complain: Complaint,
    seen: Seen | None = None,
    remind_s: float = REMIND_S,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Referee *game* until the source ends.

    Args:
        source: where the frames come from.
        watch: how the table is looked at.
        game: the game, which this thread owns from now on.
        inbox: where people's commands come in.
        complain: tells why a command cannot be obeyed.
        seen: hears of each look.
        remind_s: after how long people who do nothing are reminded.
        wait: waits so many seconds before a lost camera is tried again.

    Raises:
        DeviceError: a source failed that has never given a frame, or a recorded one.
        JournalError: the log cannot be written.
        InputError: the frames do not fit the table profile.
    """
    reminder, thoughts = Reminder(remind_s), SecondThoughts()
    told = {type(one): one for one in game.match.hindrances}
    lost = told.get(BoardLost)
    board = BoardNews(lost.reason if isinstance(lost, BoardLost) else None)
    cover = CoverNews(Obscured in told)
    for frame in _frames(source, game, wait):
        thoughts = _obey(inbox, game, watch, board, complain, thoughts)
        if frame is None:
            continue
        reminder.step(frame, game)
        look = watch.step(frame)
        if look is None:
            continue
        if isinstance(look, BoardPlace):
            game.rule(board.step(look))
            continue
        game.rule(board.step(look.place))
        reminder.look(look.observation)
        verdict, further = thoughts.judge(game.match, look.observation, last_look=look.last)
        if look.holds_back(verdict):
            verdict = replace(verdict, events=(), die_counted=False, accepted=False)
        else:
            thoughts = further
        game.rule(cover.step(look, verdict))
        before = game.match
        game.rule(verdict.events, verdict)
        watch.ruled(look, verdict)
        if seen is not None:
            seen(look, verdict, before)


def _obey(
    inbox: Inbox,
    game: Game,
    watch: Watch,
    board: BoardNews,
    complain: Complaint,
    thoughts: SecondThoughts,
) -> SecondThoughts:
    """Obey the commands that wait; return the thoughts that are left after them."""
    for told in inbox.drain():
        awaited = game.match.to_move
        try:
            if told.after not in (None, game.match.sequence):
                raise CommandError("the game has gone on in the meantime: look again")
            if isinstance(told.command, NameCorner):
                board.answer(told.command)
                watch.corner_told(turned=told.command.turned)
            else:
                if thoughts.waiting and not isinstance(told.command, _LET_WAIT):
                    game.rule(thoughts.likeliest(game.match))
                    thoughts = SecondThoughts()
                game.obey(told.command, told.by, thoughts.since)
                if not isinstance(told.command, SayAgain):
                    thoughts = SecondThoughts()
        except CommandError as error:
            (told.answered or complain)(str(error))
            continue
        if isinstance(told.command, _PASS_OVER_THE_DIE) or told.command == Leave(awaited):
            watch.die_told()
        watch.look_again()
        if told.answered is not None:
            told.answered(None)
    return thoughts


def _frames(
    source: FrameSource, game: Game, wait: Callable[[float], None]
) -> Iterator[Frame | None]:
    """Yield the source's frames; the game hears of a camera that is lost, and found again."""

    def tell(there: bool) -> None:
        if not there:
            game.rule((CameraLost(),))
        elif CameraLost() in game.match.hindrances:
            game.rule((CameraFound(),))

    return lasting_frames(source, tell, wait)


def lasting_frames(
    source: FrameSource,
    tell: Callable[[bool], None],
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[Frame | None]:
    """Yield the source's frames; a live camera that is lost is tried again until it is back.

    Each time it is tried in vain None is yielded, so that people can command in the meantime.

    Args:
        source: the camera.
        tell: hears with every frame that it is there, and once that it is lost.
        wait: waits so many seconds before it is tried again.

    Raises:
        DeviceError: the source has never given a frame, or is a recorded one.
    """
    begun, tries = False, 0
    while True:
        try:
            for frame in source.frames():
                tell(True)
                begun, tries = True, 0
                yield frame
            return
        except DeviceError as error:
            if not begun or not source.live:
                raise
            if not tries:
                log.warning("%s", error)
                tell(False)
            wait(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1
            yield None
