"""The loop: newest frame in, a look, a verdict, the log, and then everybody else.

One thread owns the match. What people command comes in through the inbox and is obeyed between two
frames.
"""

import logging
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Final, Protocol, TypeAlias

from companion.game import Game
from companion.seeing import Look
from hardware.ports import DeviceError, FrameSource
from referee.commands import Command, CommandError
from referee.events import By, CameraFound, CameraLost
from referee.judge import Verdict, judge
from vision.frame import Frame

log = logging.getLogger(__name__)

RETRY_S: Final = (1.0, 2.0, 5.0)
"""How long to wait before each new try to open a lost camera; the last for all further ones."""

Told: TypeAlias = tuple[Command, By]
Complaint: TypeAlias = Callable[[str], None]
"""Tells the person who gave a command why it cannot be obeyed."""
Seen: TypeAlias = Callable[[Look, Verdict], None]
"""Hears of each look and what was made of it, for evidence and for the terminal."""


class Watch(Protocol):
    """Who looks at the table: `companion.seeing.TableWatch`, or a stand-in in tests."""

    def step(self, frame: Frame) -> Look | None:
        """Return a look at the table if there may be news."""
        ...

    def ruled(self, look: Look, verdict: Verdict) -> None:
        """Take note of what was ruled."""
        ...

    def look_again(self) -> None:
        """Look again though nothing moved."""
        ...


class Inbox:
    """Where commands wait; any thread may put one in."""

    def __init__(self) -> None:
        self._waiting: Final[SimpleQueue[Told]] = SimpleQueue()

    def put(self, command: Command, by: By) -> None:
        """Hand in a command."""
        self._waiting.put((command, by))

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
        wait: waits so many seconds before a lost camera is tried again.

    Raises:
        DeviceError: a source failed that has never given a frame, or a recorded one.
        JournalError: the log cannot be written.
        InputError: the frames do not fit the table profile.
    """
    for frame in _frames(source, game, wait):
        for command, by in inbox.drain():
            try:
                game.obey(command, by)
                watch.look_again()
            except CommandError as error:
                complain(str(error))
        look = watch.step(frame)
        if look is None:
            continue
        verdict = judge(game.match, look.observation)
        game.rule(verdict.events, verdict)
        watch.ruled(look, verdict)
        if seen is not None:
            seen(look, verdict)


def _frames(source: FrameSource, game: Game, wait: Callable[[float], None]) -> Iterator[Frame]:
    """Yield the source's frames; a live camera that is lost is tried again until it is back."""
    begun, tries = False, 0
    while True:
        try:
            for frame in source.frames():
                if tries:
                    game.rule((CameraFound(),))
                begun, tries = True, 0
                yield frame
            return
        except DeviceError as error:
            if not begun or not source.live:
                raise
            if not tries:
                log.warning("%s", error)
                game.rule((CameraLost(),))
            wait(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1
