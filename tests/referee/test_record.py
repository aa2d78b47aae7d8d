"""The record: written strictly, read forgivingly, refused where it is wrong."""

from pathlib import Path

import pytest

from referee.moves import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    parse_move,
)
from referee.position import Position, position_text
from referee.record import (
    Action,
    Ending,
    GameRecord,
    Header,
    RecordError,
    final_position,
    parse_record,
    record_text,
    replay,
    turns,
)
from referee.rules import parse_options
from tabletop import Colour, Seat
from tests.referee.tables import RECORDS

TWO = (Seat.D4, Seat.D2)

SHORT = """\
[Game "Pachisi"]
[Rules "pachisi/1"]
[Event "club evening"]
[Date "2026.11.30"]
[Seats "D4 D2"]
[D4 "Anna"]
[D2 "Boris "the lucky""]
[Colours "D4=red D2=blue"]
[First "D2"]
[Stake "10"]
[Fine "2"]
[Unit "chips"]
[Options "corner=share; home_capacity=1"]
[Table "by the window"]
[Result "*"]

{begun late}
1. D2: 5 --
2. D4: 6 @b1+, 6 @b1+ {again!}, 4 b1-f1
3. D2: 6 @g8+, 6 g8-a8+, 2 a8-a6
*
"""


def short(**changes: str) -> str:
    """Return the short record with lines replaced: the key is how a line begins."""
    lines = []
    for line in SHORT.splitlines():
        key = next((key for key in changes if line.strip("[ ").startswith(key)), None)
        lines.append(changes[key] if key else line)
    return "\n".join(lines)


def turn(actions: str, start: str = "1. D4: ") -> GameRecord:
    """Read a record that consists of one line of play."""
    return parse_record(f'[Seats "D4 D2"]\n\n{start}{actions}')


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_whole_games_survive(path: Path) -> None:
    """The sample games are read, replayed to their winner, and written letter by letter."""
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    assert record_text(record) == text
    assert final_position(record).winner == record.result
    assert len(replay(record)) == len(record.actions)


def test_there_are_three_sample_games() -> None:
    """No sample is lost."""
    assert len(RECORDS) == 3


def test_an_interrupted_game_survives() -> None:
    """Comments, options, further tags and a half-played turn are kept."""
    record = parse_record(SHORT)
    assert record_text(record) == SHORT
    header = record.header
    assert header.names == ("Anna", 'Boris "the lucky"')
    assert header.colours == (Colour.RED, Colour.BLUE)
    assert header.rules == parse_options("corner=share; home_capacity=1")
    assert (header.first, header.stake, header.fine, header.unit) == (Seat.D2, 10, 2, "chips")
    assert header.others == (("Table", "by the window"),)
    assert record.comment == "begun late"
    assert record.actions[2] == Action(6, parse_move("@b1"), "again!")
    assert record.result is Ending.UNFINISHED
    assert position_text(final_position(record), header.rules) == ("R*2,b1,f1/~/R*3,a6/~ D4 1")


def test_turns_are_numbered() -> None:
    """A turn is all throws one player makes in a row."""
    played = replay(parse_record(SHORT))
    assert [(t.number, t.seat, len(t.played)) for t in turns(played)] == [
        (1, Seat.D2, 1),
        (2, Seat.D4, 3),
        (3, Seat.D2, 3),
    ]


def test_a_game_before_its_first_throw() -> None:
    """A record without throws is a record, abandoned or not."""
    record = GameRecord(Header(TWO), result=Ending.ABANDONED)
    assert parse_record(record_text(record)) == record
    assert final_position(record) == Position.start(TWO)


def test_usual_names_and_colours_may_be_left_out() -> None:
    """Players without names are called after their seats; unknown colours are not written."""
    text = record_text(GameRecord(Header(TWO)))
    assert '[D2 "Player D2"]' in text
    assert "Colours" not in text
    assert "Options" not in text


@pytest.mark.parametrize(
    "text",
    [
        '[Seats "D4 D2"] \n\n\n 1. D4: 6 @b1, 6 @b1, 4 b1-f1\n2. D2: 1 -- *',
        '[Seats "D4 D2"]\r\n\r\n1. D4: 6 @b1+, 6 @b1+,\r\n   4 b1-f1\r\n2. D2: 1 --\r\n',
        '\ufeff[ Seats  "D2 D4" ]\n[First "D4"]\n1.D4:6 R-b1 +,6 @b1 , 4 b1-f1 2 . D2 : 1 --',
        '[Colours "D4=red D2=blue"]\nD4: 6 @b1\nD4: 6 @b1 4 b1 D2: 1 --',
        '[D2 "B"]\n[D4 "A"]\n1. D4: {one} 6 b1, 6 @b1, {two} 4 f1 2. D2: 1 -- {three}',
    ],
)
def test_layout_is_free(text: str) -> None:
    """Spaces, line ends, commas, marks, numbers and most tags may be as they like."""
    record = parse_record(text)
    moves = [(action.die, action.move) for action in record.actions]
    assert moves == [
        (6, parse_move("@b1")),
        (6, parse_move("@b1")),
        (4, parse_move("b1-f1")),
        (1, None),
    ]
    assert record.header.first is Seat.D4


def test_who_begins_is_seen_from_the_first_turn() -> None:
    """Without a tag the first turn tells who begins."""
    assert turn("3 --", "1. D2: ").header.start.to_move is Seat.D2


def test_comments_are_kept_with_their_throws() -> None:
    """A comment belongs to the throw before it; several become one."""
    record = turn("6 @b1 {a} {b\n c}, 1 b1-c1 * {end}")
    assert [action.comment for action in record.actions] == ["a b c", "end"]


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("6 @b1#", r"the marks are wrong: the throw is written 6 @b1\+"),
        ("6 @b1^", r"the marks are wrong: the throw is written 6 @b1\+"),
        ("6 @b1xD2", r"the marks are wrong: the throw is written 6 @b1\+"),
        ("5 --+", "the marks are wrong: the throw is written 5 --"),
        ("7 @b1", "a die shows 1 to 6, not 7"),
        ("0 --", "a die shows 1 to 6, not 0"),
        ("5 --, 3 --", r"it is the throw of D2 in R\*4/~/R\*4/~ D2 1"),
        ("6 @b1 D2: 3 --", r"it is the throw of D4 in R\*3,b1/~/R\*4/~ D4 1"),
        ("5 -- 3. D2: 1 --", "this is turn 2"),
        ("5 -- * 1 --", "nothing follows the result"),
        ('5 -- [Event "late"]', "tags stand before the first turn"),
        ("5 -- D4", "the result is D4, but nobody has won"),
        ("5 -- ?!", r"'\?!' is no part of a record"),
        ("5 b1xb2", "'5 b1xb2' is no part of a record"),
    ],
)
def test_contradictions_are_refused(actions: str, said: str) -> None:
    """What is written must be right; the message has the place."""
    with pytest.raises(RecordError, match=said) as caught:
        turn(actions)
    assert caught.value.line == 3
    assert str(caught.value).startswith(f"line 3, column {caught.value.column}: ")


def test_a_wrong_knock_out_mark_is_refused() -> None:
    """Two checkers knocked out are neither one nor somebody else's; the mark may be missing."""
    text = """[Seats "D4 D2"]
        1. D4: 6 @b1, 6 @b1, 6 b1-h1, 6 b1-h1, 6 h1-h7, 6 h1-h7, 6 h7-c8, 6 h7-c8, 1 c8-b8
        2. D2: 6 @g8, 1 g8-f8
        3. D4: 1 c8-b8
        4. D2: 4 f8-b8{}
    """
    for mark in ("", "+", "xD4*2", "xD4*2+"):
        assert len(parse_record(text.format(mark)).actions) == 13
    for mark in ("xD4", "xD2*2", "xD4*3", "xD4*2^"):
        with pytest.raises(RecordError, match=r"the throw is written 4 f8-b8xD4\*2\+"):
            parse_record(text.format(mark))


@pytest.mark.parametrize(
    ("error", "actions", "said"),
    [
        (InvalidMoveError, "6 b9-c1", "'b9-c1' is no move: moves look like b1-f1"),
        (IllegalMoveError, "5 @b1", r"'@b1' is illegal for a 5 in R\*4/~/R\*4/~ D4 1: entry_needs"),
        (IllegalMoveError, "5 b1", r"no move from or to b1 for a 5 in R\*4.*: choose from --"),
        (IllegalMoveError, "6 --", "'--' is illegal for a 6 in .*: must_move"),
        (
            AmbiguousMoveError,
            "6 @b1, 6 b1",
            "'b1' fits several moves for a 6 in .*: choose from @b1, b1-h1",
        ),
    ],
)
def test_wrong_moves_are_refused(error: type[ValueError], actions: str, said: str) -> None:
    """No move, an illegal one and an ambiguous one are three errors, each with its place."""
    with pytest.raises(error, match=rf"^line 3, column \d+: .*{said}"):
        turn(actions)


@pytest.mark.parametrize(
    ("changes", "line", "said"),
    [
        ({"Game": '[Game "Chess"]'}, 1, "only 'Pachisi' can be read"),
        ({"Rules": '[Rules "pachisi/2"]'}, 2, "only 'pachisi/1' can be read"),
        ({"Event": '[Seats "D4 D2"]'}, 5, "the tag stands twice"),
        ({"Seats": '[Seats "D4 D7"]'}, 5, "'D7' is no seat"),
        ({"Colours": '[Colours "D4=red D2=pink"]'}, 8, "'pink' is no colour"),
        ({"Stake": '[Stake "1.5"]'}, 10, "'1.5' is no whole number"),
        ({"Fine": '[Fine "-1"]'}, 11, "'-1' is no whole number"),
        ({"Options": '[Options "corner=maybe"]'}, 13, "corner cannot be 'maybe'"),
        ({"Result": '[Result "D3 maybe"]'}, 15, "'D3 MAYBE' is no seat|'D3 maybe' is no seat"),
        ({"Result": '[Result "D2"]'}, 15, "the result is D2, but nobody has won"),
        ({"Result": '[Result "abandoned"]'}, 21, "the tag says the result is abandoned"),
        ({"Seats": '[Seats "D2 D4 D2"]'}, 1, "seats stand in the order of play, each once"),
        ({"Seats": '[Seats "D4"]'}, 1, "two to four play, not 1"),
        ({"First": '[First "D3"]'}, 1, "D3 cannot begin"),
        ({"Colours": '[Colours "D4=red D3=blue"]'}, 1, "2 players cannot have 1 colours"),
    ],
)
def test_wrong_tags_are_refused(changes: dict[str, str], line: int, said: str) -> None:
    """A tag that cannot be meant is refused with its line."""
    with pytest.raises(RecordError, match=said) as caught:
        parse_record(short(**changes))
    assert caught.value.line == line


def test_no_seats_at_all() -> None:
    """Without seats, names or colours nobody knows who plays."""
    with pytest.raises(RecordError, match="two to four play, not 0"):
        parse_record("")


def test_nothing_is_played_after_the_win() -> None:
    """A throw or a turn after the winning move is refused."""
    text = RECORDS[0].read_text(encoding="utf-8")
    won = text.rstrip().removesuffix("D4").rstrip()
    assert parse_record(won).result is Seat.D4
    for more in (", 1 --", "\nD2: 1 --"):
        with pytest.raises(RecordError, match="D4 has won already"):
            parse_record(won + more)
    with pytest.raises(RecordError, match="the result is D2, but D4 has won"):
        parse_record(won + "\nD2")


def test_a_writer_writes_no_nonsense() -> None:
    """An illegal move or a wrong result cannot be written."""
    illegal = GameRecord(Header(TWO), (Action(5, parse_move("@b1")),))
    with pytest.raises(
        IllegalMoveError, match=r"@b1 is illegal at throw 1, a 5 in R.*: entry_needs"
    ):
        record_text(illegal)
    with pytest.raises(ValueError, match="the result is D4, but nobody has won"):
        record_text(GameRecord(Header(TWO), result=Seat.D4))


def test_texts_stay_on_their_line() -> None:
    """Line ends in names and comments become spaces, and a brace cannot end a comment early."""
    header = Header(TWO, names=("A\nB", "C"))
    record = GameRecord(header, (Action(5, None, "so\n} what"),), comment=" a }\nb")
    again = parse_record(record_text(record))
    assert again.header.names == ("A B", "C")
    assert again.actions[0].comment == "so ) what"
    assert again.comment == "a ) b"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"names": ("A",)}, "2 players cannot have 1 names"),
        ({"colours": (Colour.RED,)}, "2 players cannot have 1 colours"),
        ({"seats": (Seat.D2, Seat.D4)}, "seats stand in the order of play"),
        ({"seats": (Seat.D4, Seat.D4, Seat.D2)}, "seats stand in the order of play"),
    ],
)
def test_headers_fit_together(wrong: dict[str, object], said: str) -> None:
    """Names, colours and seats match, and seats stand in the order of play."""
    with pytest.raises(ValueError, match=said):
        Header(**{"seats": TWO, **wrong})  # type: ignore[arg-type]
