import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.appliance.signals import (
    USUAL_SIGNALS,
    lit_seat,
    marked_squares,
    resting_signal,
    signal_of,
    signals_with,
)
from hardware.ports import Signal
from referee.events import (
    About,
    BoardLost,
    CameraLost,
    DieThrown,
    Difference,
    Event,
    ExtraThrow,
    ExtraThrowReason,
    Obscured,
    Question,
)
from referee.judge import judge
from referee.match import Match, Phase
from referee.reasons import Reason
from tabletop import Colour, Seat, parse_square
from tests.builders import lying, match_at, seen, standing
from tests.companion.phrase_tables import BLUE_ON_C1, knocked, match, moved, wrong

THROWN = DieThrown(Seat.D4, Colour.RED, 3)
AGAIN = ExtraThrow(Seat.D4, ExtraThrowReason.KNOCK_OUT)
WON = match("a1,b2,c3,d4/R*4/R*4/R*4 D4 0")


@pytest.mark.parametrize(
    ("events", "signal"),
    [
        ([moved("b1", "e1", 3)], Signal.LEGAL),
        ([moved("b1", "e1", 3), *knocked(Seat.D2, "e1", 41), AGAIN], Signal.KNOCK_OUT),
        ([moved("b1", "e1", 3), AGAIN], Signal.EXTRA_THROW),
        ([wrong(Reason.OFF_PATH)], Signal.ILLEGAL),
        ([Question(1, About.DIE, ("5", "6"))], Signal.QUESTION),
        ([CameraLost()], Signal.CAMERA_LOST),
        ([THROWN], Signal.WAITING_FOR_THROW),
    ],
)
def test_signal_of_events(events: list[Event], signal: Signal) -> None:
    """The strongest thing that happened is shown, and what is awaited where nothing was."""
    assert signal_of(events, match()) is signal


@pytest.mark.parametrize(
    ("state", "signal", "seat"),
    [
        (match(), Signal.WAITING_FOR_THROW, "D4"),
        (match(BLUE_ON_C1, 3), Signal.WAITING_FOR_MOVE, "D2"),
        (replace(match(), wrong=wrong(Reason.OFF_PATH)), Signal.ILLEGAL, "D4"),
        (replace(match(), question=Question(1, About.DIE, ("1",))), Signal.QUESTION, "D4"),
        (replace(match(), hindrances=(BoardLost("moved"),)), Signal.CAMERA_LOST, "D4"),
        (replace(match(), hindrances=(Obscured(),)), Signal.WAITING_FOR_THROW, "D4"),
        (replace(match(), paused=True), Signal.OFF, None),
        (replace(match(), phase=Phase.OVER, abandoned=True), Signal.OFF, None),
        (replace(WON, phase=Phase.OVER), Signal.WON, "D4"),
    ],
)
def test_resting_signal(state: Match, signal: Signal, seat: str | None) -> None:
    """While nothing happens the lamps show what is awaited of whom."""
    assert resting_signal(state) is signal
    assert lit_seat(state) == seat


def test_squares_are_marked_until_the_board_follows_a_correction() -> None:
    """Those that stand wrongly, and those where checkers belong."""
    red, two = (Colour.RED,), (Colour.RED, Colour.RED)
    differs = (
        Difference(parse_square("b1"), red, two),
        Difference(parse_square("f1"), red, ()),
        Difference(parse_square("h2"), (Colour.BLUE,), red),
    )
    marked = marked_squares(replace(match(), differs=differs))
    assert marked == (("f1", "h2"), ("b1", "h2"))
    assert marked_squares(match()) == ((), ())


def test_what_is_wrong_beside_it_is_marked_too() -> None:
    """Red moved five with a three, green was shoved, and blue's checker is gone."""
    before = match_at("R*2,b1,c1/R*3,h2/R*3,e8/R*4 D4 1", 3)
    events = judge(before, seen(standing("b1=red h1=red h3=green"), lying(3))).events
    assert marked_squares(before.after_all(events)) == (("h1", "h3"), ("e8",))


def test_changed_mapping() -> None:
    """A configured mapping replaces the usual signal of its kind only."""
    signals = signals_with({"die_thrown": "legal", "extra_throw": "off"})

    assert signal_of([THROWN], match(), signals) is Signal.LEGAL
    assert signals["illegal_move"] is USUAL_SIGNALS["illegal_move"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"die_lost": "legal"}, "'die_lost' is no kind of event: choose from game_started"),
        ({"die_thrown": "disco"}, "'disco' is no signal for die_thrown: choose from off"),
    ],
)
def test_misspelt_mapping(changes: dict[str, str], complaint: str) -> None:
    """A kind or a signal that is unknown is named, with those there are."""
    with pytest.raises(ValueError, match=complaint):
        signals_with(changes)


def test_document_lists_the_usual_signals() -> None:
    """The document's table of signals is the mapping that is used."""
    document = Path(__file__).parents[2] / "docs" / "announcements.md"
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|$", document.read_text("utf-8"), re.M)

    assert dict(rows) == {kind: signal.value for kind, signal in USUAL_SIGNALS.items()}
