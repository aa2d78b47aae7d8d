"""Wrongs as they are told of real rulings: how many, whose, what beside them, and what to do."""

from dataclasses import replace

import pytest

from companion.phrases import LANGUAGES, Phrases
from referee.events import (
    BoardDiffers,
    By,
    CheckerMoved,
    Corrected,
    Difference,
    ExtraThrow,
    ExtraThrowReason,
    OpeningThrow,
)
from referee.judge import judge
from referee.match import Match, Phase
from tabletop import Colour, DieObservation, Seat, parse_square
from tests.builders import cocked, game_started, lying, match_at, seen, standing, thrown

PHRASES = {language: Phrases(language) for language in LANGUAGES}
BY_PLACE = {language: Phrases(language, by_place=True) for language in LANGUAGES}
TWO_BLUE = "R*3,b1/R*4/R*2,e1*2/R*4 D4 1"
MIDDLE = "R*2,b1,e1/R*3,h4/R*3,f8/R*4 D4 1"
FULL = "b1,e1,g1,h4/R*3,h5/R*3,f8/R*4 D4 1"


def tells(
    match: Match, board: str, die: DieObservation | None = None, *, phrases: str = "en"
) -> tuple[Match, list[str]]:
    """Return the match after *board* was seen in it, and what is said of that."""
    events = judge(match, seen(standing(board), die), last_look=True).events
    after = match.after_all(events)
    said = PHRASES[phrases].rulings(events, match, after)
    return after, [one.text for one in said]


def table(position: str, die: int | None = None, **rules: str) -> Match:
    """Return a match at *position* of four players who gave no names."""
    match = match_at(position, die, **rules)
    return replace(match, setup=replace(match.setup, names=()))


def opening() -> Match:
    """Return a game of four that begins."""
    return Match.start(replace(game_started(), names=()))


@pytest.mark.parametrize(
    ("board", "english", "russian", "by_place"),
    [
        (
            "e1=red,blue,blue",
            "Two of Blue are knocked out on e1: take them off.",
            "На e1 выбиты 2 синие шашки: снимите их.",
            "На четвёртом поле после вашего угла выбиты 2 синие шашки: снимите их.",
        ),
        (
            "e1=red,blue",
            "Blue is knocked out on e1: take it off.",
            "На e1 выбита синяя шашка: снимите её.",
            "На четвёртом поле после вашего угла выбита синяя шашка: снимите её.",
        ),
    ],
)
def test_all_that_is_knocked_out_is_told_at_once(
    board: str, english: str, russian: str, by_place: str
) -> None:
    """As many as still stand are to be taken off, and both are told in one sentence."""
    match = table(TWO_BLUE, 3)
    after, said = tells(match, board)
    assert said == [english]
    assert tells(match, board, phrases="ru")[1] == [russian]
    assert BY_PLACE["ru"].prompt(after).text == by_place
    assert tells(after, board)[1] == []


def test_the_owner_of_a_corner_is_not_taken_off_it() -> None:
    """Where corners are shared, whoever is at home there stays; the third party is knocked out."""
    match = table("R*3,f1/R*3,h1/R*3,h1/R*4 D4 1", 2, corner="share")
    assert tells(match, "h1=red,green,blue")[1] == ["Blue is knocked out on h1: take it off."]


@pytest.mark.parametrize(
    ("board", "english", "russian"),
    [
        (
            "b1=red f1=red h5=green f8=blue",
            "Red moved a green checker: put it back on h4, and put f1 right too.",
            "Красные передвигают зелёную шашку: верните шашку на h4 и поправьте также f1.",
        ),
        (
            "b1=red e1=red h5=green e8=blue",
            "Red moved a green checker: put it back on h4, and put e8 right too.",
            "Красные передвигают зелёную шашку: верните шашку на h4 и поправьте также e8.",
        ),
        (
            "b1=red h1=red h5=green f8=blue",
            "Red moved a green checker: put it back on h4.",
            "Красные передвигают зелёную шашку: верните шашку на h4.",
        ),
        (
            "b1=red h1=red f8=blue",
            "A green checker is gone from h4: put it back.",
            "С h4 пропала зелёная шашка: верните её.",
        ),
        (
            "b1=red h4=green f8=blue",
            "A red checker is gone from e1: put it back, or play e1 to h1.",
            "С e1 пропала красная шашка: верните её или сыграйте с e1 на h1.",
        ),
        (
            "e1=red h1=red h4=green f8=blue",
            "Red moved six, the die shows three: put it back on b1, or play b1 to e1 or e1 to h1.",
            "Красные идут на шесть, а на кубике три: верните шашку на b1 или сыграйте с b1 на e1 "
            "или с e1 на h1.",
        ),
        (
            "f1=red c2=red h4=green f8=blue",
            "Red moved two checkers with one throw: put both back on b1 and e1.",
            "Красные передвигают две шашки за один бросок: верните обе на b1 и e1.",
        ),
        (
            "c1=red h1=red h4=green f8=blue",
            "Red moved two checkers with one throw: put the one on c1 back on b1.",
            "Красные передвигают две шашки за один бросок: верните шашку с c1 на b1.",
        ),
        (
            "b1=red h1=red c5=red h4=green f8=blue",
            "Red moved two checkers with one throw: take it off c5.",
            "Красные передвигают две шашки за один бросок: снимите шашку с c5.",
        ),
        (
            "b1=red f1=red c5=red h4=green f8=blue",
            "Red moved two checkers with one throw: put one back on e1, take the other off.",
            "Красные передвигают две шашки за один бросок: верните одну на e1, а другую снимите.",
        ),
    ],
)
def test_what_is_wrong_beside_it_is_named_and_what_was_rightly_done_is_not(
    board: str, english: str, russian: str
) -> None:
    """Squares that are wrong too are named; a move that was made is never asked for again."""
    match = table(MIDDLE, 3)
    for language, told in (("en", english), ("ru", russian)):
        _, said = tells(match, board, phrases=language)
        assert said == [told]


def test_one_of_two_wrongs_is_mended() -> None:
    """Whichever is put right first, what is said next is of the other."""
    after, _ = tells(table(MIDDLE, 3), "b1=red f1=red h5=green f8=blue")
    assert tells(after, "b1=red e1=red h5=green f8=blue")[1] == [
        "Red moved a green checker: put it back on h4, and play b1 to e1 or e1 to h1."
    ]
    assert tells(after, "b1=red f1=red h4=green f8=blue")[1] == [
        "Red moved one, the die shows three: put it back on e1, or play b1 to e1 or e1 to h1."
    ]


def test_one_too_many_comes_off_whatever_is_played() -> None:
    """Also one of the mover's own colour; what the throw allows is played besides."""
    match = table(FULL, 3)
    board = "b1=red e1=red g1=red h4=red h5=green f8=blue"
    _, said = tells(match, f"{board} a5=red")
    assert said == ["There is a red checker too many on a5: take it off, and move three."]


def test_a_cast_that_changes_nothing_is_said_to_be_void() -> None:
    """While a move is owed, in the opening and while the board follows the log; once a cast."""
    wrong = "b1=red f1=red h4=green f8=blue"
    owed, _ = tells(table(MIDDLE, 3), wrong)
    cure = "put it back on e1, or play b1 to e1 or e1 to h1."
    for die in (thrown(2), cocked()):
        assert tells(owed, wrong, die)[1] == [f"That throw does not count: {cure}"]
    assert tells(owed, wrong, lying(2))[1] == []
    begun, _ = tells(opening(), "e4=red")
    assert tells(begun, "e4=red", thrown(2), phrases="ru")[1] == [
        "Этот бросок не считается: снимите шашку с e4."
    ]


def test_a_cast_that_counts_is_told_before_what_stands_wrongly() -> None:
    """Where a throw is awaited it counts, and what is wrong is still told as it was."""
    wrong = "b1=red e1=red h5=green f8=blue"
    awaited, _ = tells(table(MIDDLE), wrong)
    assert tells(awaited, wrong, thrown(3))[1] == [
        "Red throws three.",
        "Green moved before throwing: put it back on h4.",
    ]


def test_who_throws_next_in_the_opening_is_told_whatever_stands_wrongly() -> None:
    """A throw may be told by a person while something is to be put right."""
    before, _ = tells(opening(), "e4=red")
    event = OpeningThrow(Seat.D4, Colour.RED, 3)
    said = PHRASES["en"].rulings((event,), before, before.after(event))
    assert [one.text for one in said] == [
        "Red throws three.",
        "Green, throw for the start.",
    ]


def test_who_throws_next_is_told_beside_a_wrong_where_the_throw_is_of_no_use() -> None:
    """Nobody can move, and what stands wrongly is told: the next player is still to throw."""
    wrong = "g8=blue"
    awaited, _ = tells(table("R*4/R*4/R*4/R*4 D4 1"), wrong)
    after, said = tells(awaited, wrong, thrown(3))
    assert said == [
        "Red throws three and cannot move.",
        "Blue moved before throwing: take it off g8.",
        "Green, throw.",
    ]
    assert after.to_move is Seat.D3


def test_towers_that_differ_are_told_by_what_shall_stand_there() -> None:
    """What is too high is left with so many, and what is too low gets the rest."""
    match = table("R*2,e1*2/R*3,h4/R*3,f8/R*4 D4 1")
    red, green, blue = Colour.RED, Colour.GREEN, Colour.BLUE
    differs = (
        Difference(parse_square("e1"), (red,), (red, red)),
        Difference(parse_square("h4"), (green, green), (green,)),
        Difference(parse_square("f8"), (), (blue,)),
    )
    for language, text in (
        (
            "en",
            "To put the board right, put one red checker more on e1, leave just one green checker "
            "on h4 and put one blue checker on f8.",
        ),
        (
            "ru",
            "Чтобы доска стояла верно, поставьте на e1 ещё красную шашку, оставьте на h4 "
            "только зелёную шашку и поставьте синюю шашку на f8.",
        ),
    ):
        event = BoardDiffers(differs)
        said = PHRASES[language].rulings((event,), match, match.after(event))
        assert [one.text for one in said] == [text]


def test_wrongs_by_place_are_short_enough_to_be_listened_to() -> None:
    """Squares by place are long words: only where a checker belongs is said, and how far to go."""
    match = table(MIDDLE, 3)
    for board, english, russian in (
        (
            "b1=red f1=red h4=green f8=blue",
            "Red moved one, the die shows three: put it back on the fourth square after your "
            "corner, or move three.",
            "Красные идут на один, а на кубике три: верните шашку на четвёртое поле после вашего "
            "угла или ходите на три.",
        ),
        (
            "b1=red f1=red h5=green f8=blue",
            "Red moved a green checker: put it back on the third square after Green's corner, "
            "and put the fifth square after your corner right too.",
            "Красные передвигают зелёную шашку: верните шашку на третье поле после угла "
            "зелёных и поправьте также пятое поле после вашего угла.",
        ),
        (
            "b1=red h4=green f8=blue",
            "A red checker is gone from the fourth square after your corner: put it back, or move "
            "three.",
            "С четвёртого поля после вашего угла пропала красная шашка: верните её или ходите на "
            "три.",
        ),
    ):
        after, _ = tells(match, board)
        assert BY_PLACE["en"].prompt(after).text == english
        assert BY_PLACE["ru"].prompt(after).text == russian


def test_no_more_than_three_squares_are_named() -> None:
    """However much was moved at once, nobody is asked to remember more."""
    match = table("R,b1,e1,g1/R*3,h4/R*3,f8/R*4 D4 1", 3)
    board = "c1=red f1=red g1=red h5=green e8=blue"
    assert tells(match, board)[1] == [
        "Red moved two checkers with one throw: put both back on b1 and e1, and put h5 and others "
        "right too."
    ]
    board = "c1=red f1=red h2=red h5=green f8=blue"
    assert tells(match, board)[1] == [
        "Red moved three checkers with one throw: put them back on b1, e1 and g1, and put the "
        "other squares right too."
    ]


def test_a_correction_that_gives_another_throw_says_so_once() -> None:
    """Who throws again is part of what is corrected, and is not asked for besides."""
    match = table("R*3,b1/R*4/R*4/R*4 D4 1", 6)
    moved = CheckerMoved(Seat.D4, Colour.RED, parse_square("b1"), parse_square("h1"), 6)
    events = (Corrected(By.BOARD, 10, "shown"), moved, ExtraThrow(Seat.D4, ExtraThrowReason.SIX))
    said = PHRASES["en"].rulings(events, match, match.after_all(events))
    assert [one.text for one in said] == [
        "Corrected: Red moves b1 to h1 and throws again for the six."
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "To put the board right, clear e1 and h4."),
        ("ru", "Чтобы доска стояла верно, освободите e1 и h4."),
    ],
)
def test_squares_to_be_cleared_are_told_together(language: str, text: str) -> None:
    """What is to be done with several squares is said once."""
    match = table(MIDDLE)
    red = (Colour.RED,)
    differs = tuple(Difference(parse_square(name), red, ()) for name in ("e1", "h4"))
    event = BoardDiffers(differs)
    said = PHRASES[language].rulings((event,), match, match.after(event))
    assert [one.text for one in said] == [text]


@pytest.mark.parametrize(
    ("position", "board", "said"),
    [
        ("R*2,b1,c1/R*3,h4/R*3,e1/R*4 D4 1", "c1=red e1=red d1=blue h4=green",
         "Blue is knocked out on e1: take it off d1"),
        ("R*2,b1,c1/R*3,h4/R*3,e1/R*4 D4 1", "c1=red e1=red g8=blue h4=green",
         "Blue is knocked out on e1: take it off g8"),
        ("R*2,b1,c1/R*3,h4/R*2,e1*2/R*4 D4 1", "c1=red e1=red e2=blue h4=green",
         "Blue is knocked out on e1: take it off e2"),
        ("R*2,b1,c1/R*3,h4/R*3,e1/R*4 D4 1", "c1=red e1=red d1=blue h5=green",
         "Blue is knocked out on e1: take it off d1, and put h5 right too"),
    ],
)  # fmt: skip
def test_a_knocked_out_checker_that_was_set_down_elsewhere_is_to_be_taken_off(
    position: str, board: str, said: str
) -> None:
    """Put back where it stood it would be knocked out all the same."""
    match = table(position, 3)
    after, (told,) = tells(match, board, lying(3))
    assert told == f"{said}."
    _, (russian,) = tells(match, board, lying(3), phrases="ru")
    assert "выбита" in russian
    assert "снимите шашку" in russian
    # The move counts when that is done.
    _, (moved, *_) = tells(
        after,
        board.replace("d1=blue", "")
        .replace("g8=blue", "")
        .replace("e2=blue", "")
        .replace("h5", "h4"),
        lying(3),
    )
    assert moved.startswith("Red moves b1 to e1, knocks out")


def test_a_cast_seen_with_a_checker_on_the_board_in_the_opening_is_said_to_be_void() -> None:
    """Which of both came first cannot be seen; the player throws again once it is off."""
    match, said = tells(opening(), "h2=green", thrown(5))
    assert said == [
        "Green moved before throwing: take it off h2.",
        "That throw does not count: take it off h2.",
    ]
    _, said = tells(match, "", lying(5))
    assert said == ["All is in place again.", "Red, throw for the start."]


def test_a_cast_while_the_board_is_to_be_put_right_is_said_not_to_count() -> None:
    """Also where what is to be put right was not told yet."""
    match = replace(table("R*2,b1,c1/R*4/R*4/R*4 D4 1"), restoring=True)
    match, said = tells(match, "b1=red", thrown(3))
    assert said == [
        "To put the board right, put one red checker on c1.",
        "That throw does not count: put one red checker on c1.",
    ]
    _, said = tells(match, "b1=red", thrown(4))
    assert said == ["That throw does not count: put one red checker on c1."]


def test_a_cast_after_the_end_is_told_and_nothing_of_its_end() -> None:
    """Nothing was out of place, so that nothing is in place again; a checker moved then was."""
    over = "a1=red b2=red c3=red d4=red"
    match, _ = tells(table("a2,b2,c3,d4/R*4/R*4/R*4 D4 1", 1), over)
    assert match.phase is Phase.OVER

    cast, said = tells(match, over, thrown(5))
    assert said == ["The game is over."]
    assert tells(cast, over, lying(5))[1] == []
    moved, said = tells(match, "a1=red b2=red c3=red", lying(5))
    assert said == ["The game is over: put it back on d4."]
    assert tells(moved, over, lying(5))[1] == ["All is in place again."]
