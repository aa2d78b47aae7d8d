"""Commands typed at the terminal while a game is refereed, one a line."""

import threading
from collections.abc import Callable
from typing import Final, TextIO

from companion.loop import Inbox
from referee.commands import (
    Abandon,
    Choose,
    Command,
    LeaveThrow,
    Pause,
    Resume,
    SayThrow,
    TakeBack,
)
from referee.events import By
from referee.moves import parse_move

HELP: Final = (
    "type a number from 1 to 6 (what the die shows), a move such as b1-e1 (the answer to a "
    "question), pass, back [N], pause, resume, abandon"
)

_WORDS: Final[dict[str, Command]] = {
    "pass": LeaveThrow(),
    "back": TakeBack(),
    "pause": Pause(),
    "resume": Resume(),
    "abandon": Abandon(),
}


def parse_command(text: str) -> Command:
    """Return the command that a typed line means.

    >>> parse_command("back 2")
    TakeBack(throws=2)

    Raises:
        ValueError: it means none; the text says what can be typed.
    """
    words = text.lower().split()
    match words:
        case [number] if number.isdecimal():
            return SayThrow(int(number))
        case ["back", number] if number.isdecimal():
            return TakeBack(int(number))
        case [word] if word in _WORDS:
            return _WORDS[word]
        case [move]:
            try:
                parse_move(move)
            except ValueError:
                raise ValueError(f"{text.strip()!r} is no command: {HELP}") from None
            return Choose(move)
        case _:
            raise ValueError(f"{text.strip()!r} is no command: {HELP}")


def listen(stream: TextIO, inbox: Inbox, complain: Callable[[str], None]) -> None:
    """Put what is typed on *stream* into the inbox, from a thread that ends with the program."""

    def run() -> None:
        for line in stream:
            if not line.strip():
                continue
            try:
                inbox.put(parse_command(line), By.COMMAND)
            except ValueError as error:
                complain(str(error))

    threading.Thread(target=run, name="keyboard", daemon=True).start()
