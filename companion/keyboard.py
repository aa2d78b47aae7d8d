"""Commands typed at the terminal while a game is refereed, one a line."""

import threading
from collections.abc import Callable
from typing import Final, TextIO

from companion.loop import Inbox
from companion.lying import NameCorner
from referee.commands import (
    Abandon,
    BoardIsRight,
    Choose,
    Command,
    CorrectThrow,
    Leave,
    LeaveThrow,
    LogIsRight,
    OutOfTurn,
    Pause,
    Rename,
    Resume,
    SayAgain,
    SayThrow,
    SetPosition,
    TakeBack,
)
from referee.events import By
from referee.hypotheses import NOTHING
from referee.moves import parse_move
from tabletop import parse_seat

HELP: Final = (
    "type a number from 1 to 6 (what the die shows), a move such as b1-e1 or none (the answer to a "
    "question), pass, back [N], was VALUE [N] (what the last throw, or that N throws ago, really "
    "showed), turn [SEAT] (who threw out of turn), board [SEAT] (the board is right, SEAT throws "
    "next), log (the log is right), set POSITION, name SEAT NAME, leave SEAT or resign SEAT, same "
    "or turned (how a board lies that was turned), again, pause, resume, abandon"
)

_WORDS: Final[dict[str, Command | NameCorner]] = {
    "pass": LeaveThrow(),
    "back": TakeBack(),
    "turn": OutOfTurn(),
    "board": BoardIsRight(),
    "log": LogIsRight(),
    "again": SayAgain(),
    "none": Choose(NOTHING),
    "pause": Pause(),
    "resume": Resume(),
    "abandon": Abandon(),
    "same": NameCorner(turned=False),
    "turned": NameCorner(turned=True),
}


def parse_command(text: str) -> Command | NameCorner:
    """Return the command that a typed line means.

    >>> parse_command("back 2")
    TakeBack(throws=2)

    Raises:
        ValueError: it means none; the text says what can be typed.
    """
    word, _, rest = text.strip().partition(" ")
    try:
        command = _command(word.lower(), rest.split())
    except ValueError as error:
        raise ValueError(f"{text.strip()!r} is no command ({error}): {HELP}") from None
    if command is None:
        raise ValueError(f"{text.strip()!r} is no command: {HELP}")
    return command


def _command(word: str, rest: list[str]) -> Command | NameCorner | None:
    """Return the command of a first word and the rest; None where there is none.

    Raises:
        ValueError: a seat or a move is none.
    """
    match (word, rest):
        case (number, []) if number.isdecimal():
            return SayThrow(int(number))
        case ("back", [number]) if number.isdecimal():
            return TakeBack(int(number))
        case ("was", [value]) if value.isdecimal():
            return CorrectThrow(int(value))
        case ("was", [value, number]) if value.isdecimal() and number.isdecimal():
            return CorrectThrow(int(value), int(number))
        case ("turn", [seat]):
            return OutOfTurn(parse_seat(seat))
        case ("board", [seat]):
            return BoardIsRight(parse_seat(seat))
        case ("set", [_, *_]):
            return SetPosition(" ".join(rest))
        case ("name", [seat, _, *_]):
            return Rename(parse_seat(seat), " ".join(rest[1:]))
        case ("leave" | "resign", [seat]):
            return Leave(parse_seat(seat))
        case (one, []) if one in _WORDS:
            return _WORDS[one]
        case (move, []):
            parse_move(move)
            return Choose(move)
        case _:
            return None


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
