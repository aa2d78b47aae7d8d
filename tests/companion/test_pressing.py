"""What buttons command, as the match stands."""

from dataclasses import replace

import pytest

from companion.appliance.pressing import PressDesk, command_of
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
from referee.events import About, By, Question
from referee.match import Match
from referee.reasons import Reason
from tests.companion.phrase_tables import match, wrong

ASKED = replace(match(), question=Question(1, About.DIE, ("5", "6")))
WRONG = replace(match(), wrong=wrong(Reason.OFF_PATH))


@pytest.mark.parametrize(
    ("press", "state", "command"),
    [
        (Press("say_again"), match(), SayAgain()),
        (Press("take_back"), match(), TakeBack()),
        (Press("take_back", long=True), match(), TakeBack(2)),
        (Press("pause"), match(), Pause()),
        (Press("pause", long=True), replace(match(), paused=True), Resume()),
        (Press("confirm"), ASKED, Choose("5")),
        (Press("take_back"), ASKED, Choose("6")),
        (Press("confirm"), WRONG, LogIsRight()),
        (Press("confirm", long=True), WRONG, BoardIsRight()),
        (Press("confirm"), match(), SayAgain()),
    ],
)
def test_a_press_commands(press: Press, state: Match, command: Command) -> None:
    """Confirm and take back answer an open question; else they are what they are called."""
    assert command_of(press, state) == command


def test_presses_wait_in_the_inbox_as_said_by_a_button() -> None:
    """Before any ruling nobody knows what they mean, and they are dropped."""
    inbox = Inbox()
    desk = PressDesk(inbox)
    desk.pressed(Press("pause"))
    assert list(inbox.drain()) == []
    desk.hear(News((), None, ASKED))
    desk.pressed(Press("confirm"))
    (told,) = inbox.drain()
    assert (told.command, told.by) == (Choose("5"), By.BUTTON)
