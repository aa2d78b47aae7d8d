"""What the buttons at the table mean: say again, take back, confirm, pause.

While a question is open, confirm takes the first answer and take back the second; else they are
what they are called. Held for long: confirm says that the board stands rightly and the log is to
follow it, take back gives the last throw back too, pause and say again are the same as when pressed
briefly.
"""

import threading
from typing import Final

from companion.game import News
from companion.loop import Inbox
from hardware.buttons import Press
from referee.commands import (
    BoardIsRight,
    Choose,
    Command,
    LogIsRight,
    Pause,
    Resume,
    SayAgain,
    TakeBack,
)
from referee.events import By
from referee.match import Match

BUTTONS: Final = ("say_again", "take_back", "confirm", "pause")


class PressDesk:
    """Turns presses into commands; it hears of rulings to know what is open."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox: Final = inbox
        self._lock: Final = threading.Lock()
        self._match: Match | None = None

    def hear(self, news: News) -> None:
        """Take note of how the match stands."""
        with self._lock:
            self._match = news.after

    def pressed(self, press: Press) -> None:
        """Hand in what a press commands; may be called from any thread."""
        with self._lock:
            match = self._match
        command = None if match is None else command_of(press, match)
        if command is not None:
            self._inbox.put(command, By.BUTTON)


def command_of(press: Press, match: Match) -> Command | None:
    """Return what *press* commands as the match stands; None where it means nothing."""
    choices = () if match.question is None else match.question.choices
    match press.button:
        case "pause":
            return Resume() if match.paused else Pause()
        case "confirm" if press.long:
            return BoardIsRight()
        case "confirm" if choices:
            return Choose(choices[0])
        case "take_back" if press.long:
            return TakeBack(2)
        case "take_back" if len(choices) > 1:
            return Choose(choices[1])
        case "take_back":
            return TakeBack()
        case "confirm" if match.wrong is not None:
            return LogIsRight()
        case _:
            # Nothing is to be confirmed: it is told what is awaited.
            return SayAgain()
