"""Mending as people know it: what is typed, what is then said, and how the game stands.

Each line typed goes the whole way: through the keyboard's words to a command, its events, the log
on the disk, the match, and the sentences that are said of it.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.game import Game, News
from companion.keyboard import parse_command
from companion.log.journal import JOURNAL_NAME, Journal, read_journal
from companion.lying import NameCorner
from companion.phrases import Phrases
from referee.commands import CommandError
from referee.events import BoardFound, BoardLost, By, FirstPlayer
from referee.judge import judge
from referee.match import Phase, replay
from referee.position import position_text
from tabletop import Colour, Contents, DieObservation, Seat
from tests.builders import FOUR, TWO, game_started, lying, of_match, seen, thrown

AT = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)
MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"
PHRASES = Phrases("en")


class Table:
    """A game whose players type and move checkers; what is said is heard in English."""

    def __init__(self, folder: Path, seats: str = FOUR, *, opened: bool = True) -> None:
        self.heard: list[str] = []
        journal = Journal.create(folder, game_started(seats), AT)
        self.path = journal.folder / JOURNAL_NAME
        self.game = Game.start(journal, [self], lambda: AT)
        if opened:
            self.game.rule((FirstPlayer(Seat.D4, Colour.RED),))
        self.board: dict[str, Contents] = {}
        self.heard.clear()

    def hear(self, news: News) -> None:
        """Take down what is said."""
        if news.again:
            self.heard.append(PHRASES.prompt(news.after).text)
        else:
            said = PHRASES.rulings(news.events, news.before, news.after)
            self.heard += [one.text for one in said]

    def type(self, line: str) -> list[str]:
        """Type a line; return what is said."""
        self.heard.clear()
        command = parse_command(line)
        assert not isinstance(command, NameCorner)
        self.game.obey(command, By.COMMAND)
        # Whatever is typed is in the log before it is heard, and the log leads to this match.
        assert replay(one.event for one in read_journal(self.path)[0]) == self.game.match
        return list(self.heard)

    def put(self, die: DieObservation | None = None, **squares: str) -> list[str]:
        """Let squares hold other checkers, as in ``b1="red"``; return what is said when seen."""
        self.heard.clear()
        for name, colours in squares.items():
            self.board[name] = tuple(Colour(one) for one in colours.split())
        board = {name: there for name, there in self.board.items() if there}
        self.game.rule(judge(self.game.match, seen(board, die)).events)
        return list(self.heard)

    def begin(self, position: str) -> None:
        """Go on from *position*, with the board standing so."""
        self.type(f"set {position}")
        self.board = of_match(self.game.match)
        self.put()

    @property
    def stands(self) -> str:
        """The position, on a line."""
        return position_text(self.game.match.position, self.game.match.rules)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a table of four in the middle of a game."""
    made = Table(tmp_path)
    made.begin(MIDDLE)
    return made


def test_taking_back_is_followed_square_by_square(table: Table) -> None:
    """What must stand where is said until it does, and each time only what is still to do."""
    table.put(thrown(3))
    table.put(lying(3), c1="", f1="red")
    table.put(thrown(2))
    table.put(lying(2), h2="", h4="green")

    assert table.type("back 2") == ["Taken back.", "Player D4, throw."]
    assert table.put(lying(2)) == [
        "To put the board right, put one red checker on c1, clear f1 and put one green checker "
        "on h2."
    ]
    assert table.put(lying(2), h4="", h2="green") == [
        "To put the board right, put one red checker on c1 and clear f1."
    ]
    assert table.put(lying(2), f1="") == ["To put the board right, put one red checker on c1."]
    assert table.type("again") == ["To put the board right, put one red checker on c1."]
    assert table.put(lying(2), c1="red") == ["All is in place again.", "Player D4, throw."]
    assert table.put(lying(2)) == []
    assert table.stands == MIDDLE


def test_who_begins_after_a_correction_is_told_once(tmp_path: Path) -> None:
    """The sentence says whose throw it is; that is not repeated."""
    table = Table(tmp_path, TWO, opened=False)
    table.put(thrown(2))
    table.put(thrown(5))
    assert table.type("was 6 2") == ["Corrected: Player D4 throws six.", "Player D4 begins: throw."]


def test_a_corrected_throw_says_only_what_changed(table: Table) -> None:
    """The throw was another: it is said, what is owed with it, and nothing else anew."""
    table.put(thrown(3))
    table.put(lying(3), c1="", f1="red")

    assert table.type("was 4") == ["Corrected: Player D4 throws four.", "Player D4, move four."]
    assert table.put(lying(3), f1="", g1="red") == [
        "Player D4 moves c1 to g1.",
        "Player D3, throw.",
    ]
    assert table.stands == "R*2,b1,g1/R*2,h2,f8/R*3,c8/R*4 D3 1"


def test_what_a_correction_leaves_as_it_was_is_not_told_again(table: Table) -> None:
    """A throw nobody could use was another: of all that was played since nothing is said."""
    table.begin("R*2,b1,c1/R*4/R*3,c8/R*4 D3 1")
    table.put(thrown(2))
    table.put(thrown(5))
    table.put(lying(5), c8="", a5="blue")
    table.put(thrown(3))
    table.put(thrown(3))
    table.put(lying(3), c1="", f1="red")
    before = table.stands

    said = table.type("was 4 4")
    assert said == ["Corrected: Player D3 throws four and cannot move.", "Player D3, throw."]
    assert table.stands == before
    assert table.put(lying(3)) == []


def test_moves_put_back_on_the_board_are_taken_back(table: Table) -> None:
    """As many as people put back, one after another or at once."""
    table.put(thrown(3))
    table.put(lying(3), c1="", f1="red")
    table.put(thrown(2))
    table.put(lying(2), h2="", h4="green")

    assert table.put(lying(2), h4="", h2="green") == ["Taken back.", "Player D3, move two."]
    assert table.put(lying(2), f1="", c1="red") == ["Taken back.", "Player D4, move three."]
    table.put(lying(2), c1="", f1="red")
    table.put(thrown(2))
    table.put(lying(2), h2="", h4="green")
    assert table.put(lying(2), h4="", h2="green", f1="", c1="red") == [
        "Taken back.",
        "Player D4, move three.",
    ]
    assert table.stands == MIDDLE


def test_what_hinders_is_told_again(table: Table) -> None:
    """Asked again, people hear why nothing can be seen, not whose throw it is."""
    table.game.rule((BoardLost("turned"),))
    told = "The board was turned, and I cannot tell which way: turn it back, or type same or turned"
    assert table.type("again") == [f"{told}."]
    table.game.rule((BoardFound(),))
    assert table.type("again") == ["Player D4, throw."]


def test_who_threw_out_of_turn_hears_whose_turn_it_is(table: Table) -> None:
    """Once, and again when asked."""
    table.put(thrown(3))
    told = ["It is not the turn of Player D1: Player D4, throw."]
    assert table.type("turn D1") == told
    assert table.type("again") == told


def test_an_abandoned_game_goes_on_as_it_was(table: Table) -> None:
    """Taking back the end gives back the throw as it was owed."""
    table.put(thrown(3))
    table.type("abandon")
    assert table.type("back") == ["Taken back.", "Player D4, move three."]


def test_the_board_or_the_log_is_right(table: Table) -> None:
    """A wrong move stands where people want it so; else the log counts and the board follows."""
    table.put(thrown(2))
    wrong = table.put(lying(2), c1="", g1="red")
    assert wrong == [
        "Player D4 moved four, the die shows two: put it back on c1, or play b1 to d1 or c1 to e1."
    ]
    assert table.type("board") == ["The position is set.", "Player D3, throw."]
    assert table.stands == "R*2,b1,g1/R*2,h2,f8/R*3,c8/R*4 D3 1"
    assert table.put(lying(2)) == []

    table.put(thrown(2))
    table.put(lying(2), c8="", d8="blue")
    assert table.type("log") == ["The board is to follow the log.", "Player D3, move two."]
    assert table.put(lying(2)) == [
        "To put the board right, put one blue checker on c8 and clear d8."
    ]
    assert table.put(lying(2), d8="", c8="blue") == [
        "All is in place again.",
        "Player D3, move two.",
    ]


def test_a_pause_a_name_and_a_player_who_leaves(table: Table) -> None:
    """What was lost meanwhile is put back; who leaves, his checkers are taken off by name."""
    assert table.type("name D3 Mark") == ["The name is changed: Mark."]
    assert table.type("pause") == ["The game is paused."]
    assert table.type("again") == ["The game is paused."]
    assert table.put(None, c8="") == []
    assert table.type("resume") == ["The game goes on.", "Player D4, throw."]
    assert table.put() == ["To put the board right, put one blue checker on c8."]
    assert table.put(None, c8="blue") == ["All is in place again.", "Player D4, throw."]

    assert table.type("leave D3") == ["Mark leaves the game.", "Player D4, throw."]
    assert table.put() == ["To put the board right, clear h2 and f8."]
    assert table.put(None, f8="", h2="") == ["All is in place again.", "Player D4, throw."]
    assert table.stands == "R*2,b1,c1/~/R*3,c8/R*4 D4 1"
    assert table.type("abandon")[0].startswith("The game is abandoned: Player D4 gets back 10")
    assert table.game.match.phase is Phase.OVER
    with pytest.raises(CommandError, match="the game is over"):
        table.type("pause")


def test_of_two_players_the_one_who_stays_wins(tmp_path: Path) -> None:
    """Resigning pays the bank to the other."""
    table = Table(tmp_path, TWO)
    assert table.type("leave D4") == [
        "Player D4 leaves the game.",
        "Player D2 wins.",
        "The bank pays Player D2 20 points.",
    ]
