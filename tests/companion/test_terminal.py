import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rich.console import Console
from rich.text import Text

from companion.board_view import CHECKER_RGB, board_text
from companion.game import News
from companion.log.journal import Line
from companion.phrases import Phrases
from companion.terminal import ROOM_WH, TerminalView, game_view
from referee.events import Difference, Event
from referee.match import Match, Phase
from referee.reasons import Reason
from tabletop import Colour, Seat, contents, parse_square, square_file, square_rank
from tests.companion.phrase_tables import knocked, match, moved, setup, wrong

SPREAD = "R*2,b1,d4/R*4/R*2,c1*2/h1,R*3 D4 1"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def news(events: list[Event], before: Match) -> News:
    """Return what a game tells its listeners of *events*."""
    after = before
    lines = []
    for event in events:
        after = after.after(event)
        lines.append(Line(after.sequence, NOON, event))
    return News(tuple(lines), before, after)


def console(width: int = ROOM_WH[0], height: int = ROOM_WH[1], terminal: bool = True) -> Console:
    """Return a console that writes to a string."""
    return Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=terminal,
        color_system="truecolor" if terminal else None,
        legacy_windows=False,
    )


def written(to: Console) -> str:
    """Return what was written to a console."""
    assert isinstance(to.file, io.StringIO)
    return to.file.getvalue()


def plain(state: Match, language: str = "en", told: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of the picture of *state*, without colours."""
    to = console(terminal=False)
    to.print(game_view(state, Phrases(language), told))
    return written(to).splitlines()


def square_of(board: Text, name: str) -> tuple[str, set[str]]:
    """Return what a square of the board shows, and the colours of its ground."""
    at = parse_square(name)
    row, column = 1 + 2 * (7 - square_rank(at)), 2 + 4 * square_file(at)
    shown, grounds = "", set()
    for line in board.split("\n")[row : row + 2]:
        for place in range(column, column + 4):
            shown += line.plain[place]
            colour = line.get_style_at_offset(Console(), place).bgcolor
            grounds.add(colour.name if colour else "none")
    return shown, grounds


def test_checkers_stand_on_their_squares() -> None:
    """One checker is a disc in its colour, several bear their number, two colours share."""
    board = board_text(match(SPREAD, 3))

    assert square_of(board, "b1")[0] == "▗██▖▝██▘"
    assert square_of(board, "c1")[0] == "▗██▖▝█2▘"
    assert square_of(board, "e1")[0].strip() == ""
    red = "#{:02x}{:02x}{:02x}".format(*CHECKER_RGB[Colour.RED])
    line = board.split("\n")[16]
    colour = line.get_style_at_offset(Console(), 7).color
    assert colour is not None
    assert colour.name == red


def test_two_colours_on_a_square() -> None:
    """Where the rules let two colours share a square both are seen."""
    shared = replace(setup(), rules=(("corner", "share"),))
    state = match("R*3,h1/R*3,h1/R*4/R*4 D4 1", game=shared)

    assert square_of(board_text(state), "h1")[0] == "▟▙▟▙▜▛▜▛"


def test_homes_and_start_squares_are_marked() -> None:
    """Home squares are tinted in their owner's colour; a start square bears a mark."""
    board = board_text(match())

    ordinary = square_of(board, "c5")[1]
    homes = [square_of(board, name)[1] for name in ("a1", "h1", "h8", "a8")]
    assert all(len(ground) == 1 for ground in homes)
    assert len({*ordinary, *(colour for ground in homes for colour in ground)}) == 5
    assert square_of(board, "b1")[0].strip() == "◆"
    assert square_of(board, "d1")[0].strip() == ""


def test_wrong_squares_are_lit() -> None:
    """The squares on which something is wrong have a ground of their own."""
    differs = (Difference(parse_square("e5"), contents(Colour.RED), ()),)
    state = replace(match(), wrong=wrong(Reason.OFF_PATH, differs=differs))

    assert square_of(board_text(state), "e5")[1] != square_of(board_text(match()), "e5")[1]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "Red, move three.",
                "Throw ⚂ 3",
                "Moves b1-e1",
                "Red",
                "waiting",
                "lost",
                "Bank: 40 points",
            ],
        ),
        (
            "ru",
            [
                "Красные, ходите на три.",
                "Бросок ⚂ 3",
                "Ходы   b1-e1",
                "Красные",
                "ждут",
                "выбито",
                "Банк: 40 очков",
            ],
        ),
    ],
)
def test_picture_of_a_game(language: str, expected: list[str]) -> None:
    """Whose turn, the throw, its moves, the players and the bank fit in 80 columns and 24 lines."""
    told = ("   1  One.", "   2  Two.", "   3  Three.", "   4  " + "Four. " * 30)

    lines = plain(match(SPREAD, 3), language, told)

    assert len(lines) < ROOM_WH[1]
    assert max(map(len, lines)) <= ROOM_WH[0]
    for text in expected:
        assert any(text in line for line in lines), text
    assert any(line.startswith("   4  Four.") for line in lines)
    assert sum(line.count("Four.") for line in lines) == 30


def test_balances() -> None:
    """What each paid shows as a debt, and at the end what each won or lost."""
    before = match("b1,R*3/R*4/f1,R*3/R*4 D4 1", 4)
    after = news([moved("b1", "f1", 4), *knocked(Seat.D2, "f1", 41)], before).after

    (blue,) = [line for line in plain(after) if "Blue" in line]
    assert blue.split()[-4:] == ["4", "0", "1", "-11"]

    won = match("a1,b2,c3,d4/R*4/R*4/R*4 D4 0")
    (red,) = [line for line in plain(replace(won, phase=Phase.OVER)) if "●  Red " in line]
    assert red.split()[-4:] == ["0", "4", "0", "+30"]


def test_long_names_and_many_moves_fit() -> None:
    """Neither a long name nor many legal moves break the picture."""
    game = setup(names=dict.fromkeys(Seat, "Bartholomew the Second"))
    state = match("b1,c1,d1,e1/R*4/R*4/R*4 D4 1", 2, game)

    lines = plain(state)

    assert max(map(len, lines)) <= ROOM_WH[0]
    assert len(lines) < ROOM_WH[1]


def test_terminal_shows_the_picture() -> None:
    """In a terminal with room enough the picture and the ruling are drawn anew."""
    to = console()
    view = TerminalView(to, Phrases("en"))

    view.hear(news([moved("b1", "e1", 3)], match(SPREAD, 3)))

    assert "▗██▖" in written(to)
    assert "   2  Red moves b1 to e1." in written(to)


@pytest.mark.parametrize("to", [console(terminal=False), console(width=60), console(height=20)])
def test_plain_lines(to: Console) -> None:
    """Without a terminal, or in a small one, each ruling is a line with its number, unbroken.

    What is awaited stands at its end, for it stands nowhere else.
    """
    view = TerminalView(to, Phrases("en"))
    before = match("b1,R*3/R*4/f1,R*3/R*4 D4 1", 4)

    view.hear(news([moved("b1", "f1", 4), *knocked(Seat.D2, "f1", 41)], before))
    view.hear(news([], before))

    assert written(to) == (
        "   4  Red moves b1 to f1 and knocks out Blue. Blue pays 1 point, the bank holds 41."
        " Red, throw again.\n"
    )


def test_the_newest_ruling_is_told_whole() -> None:
    """Expect it to go on in the next line where it is long, and older ones to be cut."""
    long = " ".join(["word"] * 40)
    lines = plain(Match.start(setup()), told=(long, f"{long} end"))
    assert lines[-1].rstrip().endswith("end")
    assert sum(line.rstrip().endswith("…") for line in lines) == 1


def test_a_name_in_brackets_is_a_name() -> None:
    """Expect it to be shown as it is."""
    state = Match.start(setup(names=dict.fromkeys(Seat, "[/x]")))
    assert any("[/x]" in line for line in plain(state))
