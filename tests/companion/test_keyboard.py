"""Commands typed while a game is refereed."""

import pytest

from companion.keyboard import parse_command
from referee.commands import (
    BoardIsRight,
    Choose,
    Command,
    CorrectThrow,
    Leave,
    LeaveThrow,
    LogIsRight,
    OutOfTurn,
    Rename,
    SayAgain,
    SayThrow,
    SetPosition,
    TakeBack,
)
from tabletop import Seat


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("5", SayThrow(5)),
        (" b1-e1 ", Choose("b1-e1")),
        ("@b1", Choose("@b1")),
        ("none", Choose("none")),
        ("PASS", LeaveThrow()),
        ("back", TakeBack()),
        ("back 3", TakeBack(3)),
        ("was 6", CorrectThrow(6)),
        ("was 6 2", CorrectThrow(6, 2)),
        ("turn", OutOfTurn()),
        ("turn d3", OutOfTurn(Seat.D3)),
        ("board", BoardIsRight()),
        ("board D2", BoardIsRight(Seat.D2)),
        ("log", LogIsRight()),
        ("again", SayAgain()),
        ("set R*4/~/R*4/~  D4 1", SetPosition("R*4/~/R*4/~ D4 1")),
        ("name D4 Anna  Maria", Rename(Seat.D4, "Anna Maria")),
        ("leave D1", Leave(Seat.D1)),
        ("resign D1", Leave(Seat.D1)),
    ],
)
def test_what_is_typed_means_a_command(text: str, command: Command) -> None:
    """Each line that the help names is understood, in any case and with any spaces."""
    assert parse_command(text) == command


@pytest.mark.parametrize(
    "text", ["hello", "b1-z9", "back two", "leave D7", "name D4", "set", "1 2"]
)
def test_what_is_no_command_is_answered_with_the_help(text: str) -> None:
    """Whoever mistypes hears what can be typed."""
    with pytest.raises(ValueError, match=r"is no command.*type a number from 1 to 6"):
        parse_command(text)
