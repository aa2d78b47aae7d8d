"""Evenings at the simulated table, from pixels and typed lines to what is said aloud."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.events import Answer, By
from tabletop import Colour, DieReading, Reading, SquareReading, parse_square
from tests.companion.evening import Evening
from vision.reader import read_table

MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"


@pytest.fixture(autouse=True)
def _unhurried(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the die hardly be glanced at while hands are busy, where nobody plays in haste."""
    if "hasty" not in request.node.name:
        monkeypatch.setattr("companion.glances.GLANCE_S", 30.0)


def test_moves_as_people_make_them() -> None:
    """A wrong one is named with its ways out; a die may be picked up, or cast too early."""
    table = Evening(MIDDLE)
    table.cast(3)
    table.carry("red c1-h1")
    table.carry("red h1-c1")
    table.carry("red c1-h1")
    table.carry("red h1-f1")
    table.cast(2, "D3")
    table.stage.lift_die()
    table.rest()
    table.carry("green h2-h4", seat="D3")
    table.cast(4, "D2")
    table.cast(5, "D2")
    table.carry("blue c8-a6", seat="D2")

    wrong = "Red moved five, the die shows three: put it back on c1, or play b1 to e1 or c1 to f1."
    assert table.heard() == [
        "Red throws three.",
        wrong,
        "All is in place again. Red, move three.",
        wrong,
        "Red moves c1 to f1. Green, throw.",
        "Green throws two.",
        "Green moves h2 to h4. Blue, throw.",
        "Blue throws four.",
        "Blue must move four first: play c8 to a6.",
        "Blue moves c8 to a6. Yellow, throw.",
    ]
    kinds = [event.kind for event in table.events]
    assert kinds[-3:] == ["illegal_move", "illegal_cleared", "checker_moved"]


def test_hasty_people_are_followed() -> None:
    """Six, move, throw again before anything was said; a checker shoved aside and put right."""
    table = Evening("R*4/R*3,h4/R*3,c8/R*4 D4 1")
    table.cast(6, rest_s=0.9)
    table.carry("red -b1", rest_s=0.2)
    table.cast(4, rest_s=0.9)
    table.carry("red b1-f1")
    table.cast(3, "D3")
    table.carry("green h4-h7", seat="D3", rest_s=0.2)
    table.cast(2, "D2")
    table.carry("blue c8-a8", seat="D2")
    table.cast(1, "D1")
    table.cast(5)
    table.carry("red f1-h4", "green h7-g7")
    table.carry("green g7-h7", seat="D3")

    assert table.heard() == [
        "Red throws six. Red enters on b1 and throws again for the six. Red throws four. "
        "Red moves b1 to f1.",
        "Green throws three.",
        "Green moves h4 to h7. Blue throws two.",
        "Blue moves c8 to a8. Yellow, throw.",
        "Yellow throws one and cannot move. Red, throw.",
        "Red throws five.",
        "Red moved a green checker: put it back on h7.",
        "Red moves f1 to h4. Green, throw.",
    ]


def test_what_nobody_may_do_is_named_by_place() -> None:
    """Before the throw, another's checker, one off, one on, one left; without letters."""
    table = Evening("R*2,b1,c1/R*3,e1/R*3,c8/R,a7,a6,a5 D4 1", by_place=True)
    table.carry("red b1-d1")
    table.carry("red d1-b1")
    table.cast(3)
    table.carry("blue c8-b8")
    table.carry("blue b8-c8")
    table.carry("yellow a6-", rest_s=6.5)
    table.carry("yellow -a6")
    table.carry("red b1-e1")
    table.carry("green e1-")

    assert table.heard() == [
        "Red moved before throwing: put it back on the first square after your corner.",
        "All is in place again. Red, throw.",
        "Red throws three.",
        "Red moved a blue checker: put it back on the fifth square after Blue's corner, and move "
        "three.",
        "All is in place again. Red, move three.",
        "A yellow checker is gone from the second square after Yellow's corner: put it back, and "
        "move three.",
        "All is in place again. Red, move three.",
        "Green is knocked out on the fourth square after your corner: take it off.",
        "Red moves from the first square after Red's corner to the fourth square after Red's "
        "corner, knocks out Green and throws again for it. Green pays 1 point, the bank holds 41.",
    ]


def test_many_moves_are_taken_back_by_a_word_or_by_hand() -> None:
    """What must stand where is said until it does; put back by hand, they are taken back too."""
    table = Evening(MIDDLE)
    table.cast(3)
    table.carry("red c1-f1")
    table.cast(2, "D3")
    table.carry("green h2-h4", seat="D3")
    table.type("back 2")
    table.carry("green h4-h2", seat="D3")
    table.type("again")
    table.carry("red f1-c1")
    table.cast(4)
    table.carry("red c1-g1")
    table.cast(3, "D3")
    table.carry("green h2-h5", seat="D3")
    table.carry("green h5-h2", "red g1-c1")
    table.carry("red b1-f1")

    restore = "To put the board right, put one red checker on c1 and clear f1."
    assert table.heard()[4:] == [
        "Taken back. Red, throw.",
        "To put the board right, put one red checker on c1, clear f1 and put one green checker on "
        "h2.",
        restore,
        f"(again) {restore}",
        "All is in place again. Red, throw.",
        "Red throws four.",
        "Red moves c1 to g1. Green, throw.",
        "Green throws three.",
        "Green moves h2 to h5. Blue, throw.",
        "Taken back. Red, move four.",
        "Red moves b1 to f1. Green, throw.",
    ]


def test_a_position_is_set_names_change_and_a_player_leaves() -> None:
    """In the middle of the game; the board follows square by square."""
    table = Evening(MIDDLE)
    table.cast(3)
    table.type("set R,b1,d1,e1/R*2,h2,f8/R*3,c8/R*4 D3 1")
    table.carry("red c1-d1")
    table.carry("red -e1")
    table.type("name D3 Ann")
    table.cast(4, "D3")
    table.type("was 5")
    table.carry("green h2-h7", seat="D3")
    table.type("was 2")
    table.carry("green h7-h4", seat="D3")
    table.type("pause")
    table.type("resume")
    table.type("leave D3")
    table.carry("green h4-", "green f8-")
    table.type("leave D3")

    assert table.heard()[1:] == [
        "The position is set. Green, throw.",
        "To put the board right, clear c1, put one red checker on d1 and put one red checker on "
        "e1.",
        "To put the board right, put one red checker on e1.",
        "All is in place again. Green, throw.",
        "The name is changed: Ann.",
        "Ann throws four.",
        "Corrected: Ann throws five. Ann, move five.",
        "Ann moves h2 to h7. Blue, throw.",
        "Corrected: Ann throws two. Ann, move two.",
        "To put the board right, put one green checker on h2 and clear h7.",
        "Ann moves h2 to h4. Blue, throw.",
        "The game is paused.",
        "The game goes on. Blue, throw.",
        "Ann leaves the game. Blue, throw.",
        "To put the board right, clear h4 and f8.",
        "All is in place again. Blue, throw.",
    ]
    assert table.refused == ["nobody plays on D3: seats are D4, D2, D1"]


def test_the_board_or_the_log_is_declared_right() -> None:
    """A wrong move stands where people want it so; else the board follows the log."""
    table = Evening(MIDDLE)
    table.type("board")
    table.cast(2)
    table.carry("red c1-g1")
    table.type("board")
    table.cast(2, "D3")
    table.carry("green h2-h6", seat="D3")
    table.type("log")
    table.carry("green h6-h2", seat="D3")
    table.carry("green h2-h4", seat="D3")
    table.carry("blue c8-a6", seat="D2")
    table.type("board D1")

    assert table.heard()[1:] == [
        "Red moved four, the die shows two: put it back on c1, or play b1 to d1 or c1 to e1.",
        "The position is set. Green, throw.",
        "Green throws two.",
        "Green moved four, the die shows two: put it back on h2, or play h2 to h4 or f8 to d8.",
        "The board is to follow the log. Green, move two.",
        "To put the board right, put one green checker on h2 and clear h6.",
        "All is in place again. Green, move two.",
        "Green moves h2 to h4. Blue, throw.",
        "Blue moved before throwing: put it back on c8.",
        "The position is set. Yellow, throw.",
    ]
    assert table.refused == ["the board and the log do not differ, as far as was said"]


def test_a_die_turned_a_throw_out_of_turn_and_a_chosen_pass() -> None:
    """Each is told to whom it concerns, with what is awaited."""
    table = Evening("R,a1,b2,c3/R*2,h2,f8/R*3,c8/R*4 D4 1")
    table.cast(1)
    table.cast(2, "D3")
    table.turn_die(6, "D3")
    table.turn_die(2, "D3")
    table.carry("green h2-h4", seat="D3")
    table.cast(3, "D1")
    table.type("turn D1")
    table.type("again")
    table.cast(4, "D2")
    table.type("pass")
    table.carry("blue c8-a6", seat="D2")

    assert table.heard() == [
        "Red throws one.",
        "Red passes. Green throws two.",
        "The die was turned: turn it back to two.",
        "All is in place again. Green, move two.",
        "Green moves h2 to h4. Blue, throw.",
        "Blue throws three.",
        "It is not the turn of Yellow: Blue, throw.",
        "(again) It is not the turn of Yellow: Blue, throw.",
        "Blue throws four.",
        "Blue must move four first: play c8 to a6.",
        "Blue moves c8 to a6. Yellow, throw.",
    ]


def test_who_does_nothing_is_reminded_once() -> None:
    """In every state of what is awaited of him, a wrong move among them."""
    table = Evening(MIDDLE)
    table.rest(16)
    table.cast(3, rest_s=16)
    table.carry("red c1-h1", rest_s=16)

    wrong = "Red moved five, the die shows three: put it back on c1, or play b1 to e1 or c1 to f1."
    assert table.heard(remind_s=5) == [
        "(again) I see no die: Red, throw it where the camera sees it.",
        "Red throws three.",
        "(again) Red, move three.",
        wrong,
        f"(again) {wrong}",
    ]


def test_a_longer_still_time_can_be_set() -> None:
    """A move is made when all has been still for so long, and not while people still think."""
    table = Evening(MIDDLE)
    table.rest(4.6)
    table.cast(3, rest_s=4.6)
    table.carry("red c1-h1")
    table.carry("red h1-f1", rest_s=4.6)

    assert table.heard(settle_s=3) == [
        "Red throws three.",
        "Red moves c1 to f1. Green, throw.",
    ]


def as_it_is(reading: Reading) -> Reading:
    """Return a reading as it is."""
    return reading


def five_or_six(reading: Reading) -> Reading:
    """Return a reading in which a five may be a six, and a six a five."""

    def doubted(die: DieReading) -> DieReading:
        if die.value not in (5, 6):
            return die
        five, six = (0.52, 0.44) if die.value == 5 else (0.44, 0.52)
        return replace(die, probabilities=(0.01, 0.01, 0.01, 0.01, five, six))

    return replace(reading, dice=tuple(doubted(die) for die in reading.dice))


def perhaps_leaning(reading: Reading) -> Reading:
    """Return a reading in which a five perhaps leans."""

    def doubted(die: DieReading) -> DieReading:
        if die.value != 5:
            return die
        return replace(die, probabilities=(0.0, 0.0, 0.0, 0.0, 0.6, 0.0), cocked=0.4)

    return replace(reading, dice=tuple(doubted(die) for die in reading.dice))


def towers_alike(reading: Reading) -> Reading:
    """Return a reading in which nobody can tell how many red checkers stand on a square."""
    one, two = (Colour.RED,), (Colour.RED, Colour.RED)
    either = SquareReading(((one, 0.5), (two, 0.5)), changed=0.5)
    red = tuple(either if seen.best in (one, two) else seen for seen in reading.squares)
    return replace(reading, squares=red)


@pytest.fixture
def seen_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Reading], Reading]], None]:
    """Return what lets all be read less surely than it is."""

    def change(how: Callable[[Reading], Reading]) -> None:
        def less_surely(*given: Any, **named: Any) -> tuple[Reading, Any]:
            reading, scene = read_table(*given, **named)
            return how(reading), scene

        monkeypatch.setattr("companion.seeing.read_table", less_surely)

    return change


def test_a_doubtful_die_is_answered_by_page_line_button_or_play(seen_as: Any) -> None:
    """Each answer settles it; and whoever answers too late hears so."""
    seen_as(five_or_six)
    table = Evening(MIDDLE)
    table.cast(5, rest_s=4)
    table.tap("5")
    table.carry("red b1-g1")
    table.cast(5, "D3", rest_s=4)
    table.type("5")
    table.carry("green h2-h7", seat="D3")
    table.cast(5, "D2", rest_s=4)
    table.press("confirm")
    table.carry("blue c8-a5", seat="D2")
    table.cast(6, "D1", rest_s=4)
    table.type("again")
    table.carry("yellow -a7", seat="D1")
    table.tap("6")
    table.cast(1, "D1")

    asked, other = (f"What does the die show: {one}?" for one in ("five or six", "six or five"))
    assert table.heard() == [
        *(asked, "Red throws five.", "Red moves b1 to g1. Green, throw."),
        *(asked, "Green throws five.", "Green moves h2 to h7. Blue, throw."),
        *(asked, "Blue throws five.", "Blue moves c8 to a5. Yellow, throw."),
        *(other, f"(again) {other}"),
        "Yellow throws six. Yellow enters on a7 and throws again for the six.",
        "Yellow throws one.",
    ]
    assert table.refused == ["no question is open"]
    answers = [event.by for event in table.events if isinstance(event, Answer)]
    assert answers == [By.CONSOLE, By.COMMAND, By.BUTTON, By.BOARD]


def test_a_doubtful_die_that_is_cast_over_waits_for_a_word_or_a_move(seen_as: Any) -> None:
    """Nobody is told whose throw it was before that is known."""
    seen_as(perhaps_leaning)
    choices = "five or nothing that counts"
    asked = (f"What does the die show: {choices}?", f"What did the die show: {choices}?")
    table = Evening("R*4/R*4/R*4/R*4 D4 1")
    table.cast(5, rest_s=4)
    table.cast(2)
    table.tap("again")
    table.cast(5, "D3", rest_s=4)
    table.cast(6, "D2")
    table.carry("blue -g8", seat="D2")

    assert table.heard() == [
        *asked,
        "Red throws two and cannot move. Green, throw.",
        *asked,
        "Green throws five and cannot move. Blue throws six. Blue enters on g8 and throws again "
        "for the six.",
    ]


def test_a_checker_from_one_own_tower_to_another_is_asked_about(seen_as: Any) -> None:
    """When nothing more will be seen; a no is not asked again, and the next cast tells."""
    table = Evening("R,b1*2,e1/R*3,h4/R*4/R*4 D4 1")
    table.cast(3)
    table.then(lambda: seen_as(towers_alike))
    table.carry("red b1-e1", rest_s=8)
    table.then(lambda: seen_as(as_it_is))
    table.press("confirm")
    table.cast(1, "D3")
    table.carry("green h4-h5", seat="D3")

    asked = "Which move was it: b1 to e1 or none yet?"
    assert table.heard() == [
        "Red throws three.",
        asked,
        "Red moves b1 to e1. Green, throw.",
        "Green throws one.",
        "Green moves h4 to h5. Blue, throw.",
    ]

    seen_as(as_it_is)
    table = Evening("R,b1*2,e1/R*3,h4/R*4/R*4 D4 1")
    table.cast(3)
    table.then(lambda: seen_as(towers_alike))
    table.carry("red b1-e1", rest_s=8)
    table.type("none", rest_s=8)
    table.cast(1, "D3")
    heard = table.heard()
    assert heard[1:3] == [asked, "Understood: none yet. Red, move three."]
    assert heard[3:] == ["Red moves b1 to e1. Green throws one."]


def under_glare(reading: Reading) -> Reading:
    """Return a reading in which a glare hides how many red checkers b1, c1 and d1 hold."""
    one, two = (Colour.RED,), (Colour.RED, Colour.RED)
    hidden = {"b1": (one, ()), "c1": ((), two), "d1": (one, ())}
    squares = list(reading.squares)
    for name, (this, other) in hidden.items():
        squares[parse_square(name)] = SquareReading(((this, 0.5), (other, 0.5)))
    return replace(reading, squares=tuple(squares))


def test_two_checkers_of_which_either_could_have_come_are_asked_about(seen_as: Any) -> None:
    """With both moves; a word settles it, and so does the table as soon as it shows more."""
    asked = "Which move was it: b1 to c1 or c1 to d1?"
    said = ["Red throws one.", asked, "Red moves c1 to d1. Green, throw.", "Green throws four."]
    shown = [*said[:2], "Red moves c1 to d1. Green throws four."]
    for told in (True, False):
        seen_as(as_it_is)
        table = Evening(MIDDLE)
        table.cast(1)
        table.then(lambda: seen_as(under_glare))
        table.carry("red c1-d1", rest_s=4)
        if told:
            table.type("c1-d1")
        table.then(lambda: seen_as(as_it_is))
        table.cast(4, "D3")
        assert table.heard() == (said if told else shown)
        answers = [event.by for event in table.events if isinstance(event, Answer)]
        assert answers == [By.COMMAND if told else By.BOARD]


def test_a_checker_too_many_is_named() -> None:
    """One of another set beside four of its own colour, before and after the throw."""
    table = Evening("R*2,b1,c1/R*3,e1/R*3,c8/b8,a7,a6,a5 D4 1")
    table.put_too_many("yellow", "g7", "D4")
    table.take_too_many()
    table.cast(3)
    table.put_too_many("yellow", "d8", "D4")
    table.take_too_many()
    table.carry("red c1-f1")

    too_many = "There is a yellow checker too many on {}: take it off"
    assert table.heard() == [
        f"{too_many.format('g7')}.",
        "All is in place again. Red, throw.",
        "Red throws three.",
        f"{too_many.format('d8')}, and play b1 to e1 or c1 to f1.",
        "All is in place again. Red, move three.",
        "Red moves c1 to f1. Green, throw.",
    ]


def test_a_board_turned_unknowably_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither what stands nor the picture tells which corner is a1, a word does."""
    monkeypatch.setattr("companion.lying._PICTURE", 0.0)
    table = Evening("R*4/R*4/R*4/R*4 D4 1", seed=1)
    table.turn_board(91)
    table.type("again", rest_s=2.4)
    table.type("same", rest_s=4)
    table.type("turned", rest_s=2.4)
    table.cast(6, rest_s=2.4)
    table.carry("red -b1", rest_s=2.4)

    asked = (
        "The board was turned, and I cannot tell which way: turn it back, or type same or turned"
    )
    assert table.heard(settle_s=1.0) == [
        "The board has moved or is covered: let it lie still and free.",
        f"{asked}.",
        f"(again) {asked}.",
        "I see the board again. Red, throw.",
        "Red throws six.",
        "Red enters on b1 and throws again for the six.",
    ]
    assert table.refused == ["nobody asked which corner is a1"]
