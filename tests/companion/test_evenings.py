"""Evenings at the simulated table, from pixels and typed lines to what is said aloud."""

from tests.companion.evening import Evening

MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"


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
        "Red, throw.",
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

    assert table.heard()[1:] == [
        "Red moved before throwing: put it back on the first square after your corner.",
        "All is in place again. Red, throw.",
        "Red throws three.",
        "Red moved a blue checker: put it back on the fifth square after Blue's corner, or play "
        "from the first square after your corner to the fourth square after your corner or from "
        "the second square after your corner to the fifth square after your corner.",
        "All is in place again. Red, move three.",
        "The yellow checker is gone from the second square after Yellow's corner: put it back, or "
        "play from the first square after your corner to the fourth square after your corner or "
        "from the second square after your corner to the fifth square after your corner.",
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
    assert table.heard()[5:] == [
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

    assert table.heard()[2:] == [
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
        "To put the board right, clear h4 and clear f8.",
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

    assert table.heard()[2:] == [
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

    assert table.heard()[1:] == [
        "Red throws one.",
        "Red passes. Green throws two.",
        "The die was turned: turn it back to two, or play h2 to h4 or f8 to d8.",
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
        "Red, throw.",
        "(again) Red, throw.",
        "Red throws three.",
        "(again) Red, move three.",
        wrong,
        f"(again) {wrong}",
    ]


def test_a_longer_still_time_can_be_set() -> None:
    """A move is made when all has been still for so long, and not while people still think."""
    table = Evening(MIDDLE)
    table.rest(4)
    table.cast(3, rest_s=4)
    table.carry("red c1-h1")
    table.carry("red h1-f1", rest_s=4)

    assert table.heard(settle_s=3) == [
        "Red, throw.",
        "Red throws three.",
        "Red moves c1 to f1. Green, throw.",
    ]
