import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from companion.phrases import LANGUAGES, Importance, Phrases, Sentence, Topic
from companion.phrases.catalogue import Catalogue
from referee.event_json import event_json, parse_event
from referee.events import (
    EVENT_TYPES,
    CheckerKnockedOut,
    Difference,
    Event,
    FinePaid,
    Found,
    GameStarted,
    GameWon,
    IllegalMove,
    Resumed,
)
from referee.match import Match
from referee.paths import RING, home
from referee.reasons import Reason
from tabletop import Colour, Seat, contents, square_name
from tests.companion.phrase_tables import (
    BLUE_ON_C1,
    HAPPENINGS,
    PROMPTS,
    WRONGS,
    at,
    knocked,
    match,
    moved,
    setup,
    wrong,
)

PHRASES = {language: Phrases(language) for language in LANGUAGES}

LONGEST = 150
"""More characters than this in a sentence take over ten seconds to say."""


def told(language: str, events: Sequence[Event], after: Match | None = None) -> list[str]:
    """Return the texts for *events*, the state before being the one after: so without prompts."""
    state = after or match()
    return [said.text for said in PHRASES[language].rulings(events, state, state)]


@pytest.mark.parametrize(("events", "english", "russian"), HAPPENINGS)
def test_what_happened(events: Sequence[Event], english: list[str], russian: list[str]) -> None:
    """A happening is told in one or two short sentences, in both languages."""
    assert told("en", events) == english
    assert told("ru", events) == russian


@pytest.mark.parametrize(("event", "english", "russian"), WRONGS)
def test_wrong_moves(event: IllegalMove, english: str, russian: str) -> None:
    """A wrong move is named with squares and numbers, and every way out is told."""
    state = match(BLUE_ON_C1, 3)
    after = replace(state, wrong=event)
    assert told("en", [event], after) == [english]
    assert told("ru", [event], after) == [russian]


def test_table_of_wrong_moves_is_whole() -> None:
    """The table above has every reason code."""
    assert {event.reason for event, _, _ in WRONGS} == set(Reason)


def test_table_of_happenings_is_whole() -> None:
    """The table above has every kind of event, but for the wrong moves that have their own."""
    kinds = {event.kind for events, _, _ in HAPPENINGS for event in events}
    assert kinds | {IllegalMove.kind} == set(EVENT_TYPES)


@pytest.mark.parametrize(("state", "english", "russian"), PROMPTS)
def test_prompts(state: Match, english: str, russian: str) -> None:
    """Every state says what is awaited of whom."""
    assert PHRASES["en"].prompt(state).text == english
    assert PHRASES["ru"].prompt(state).text == russian


def test_a_throw_that_nobody_sees_is_asked_for() -> None:
    """Who is to throw hears where; a move is awaited as always."""
    assert PHRASES["en"].prompt(match(), no_die=True).text == (
        "I see no die: Red, throw it where the camera sees it."
    )
    assert PHRASES["ru"].prompt(match(), no_die=True).text == (
        "Кубика не видно: красные, бросайте туда, где его видит камера."
    )
    assert PHRASES["en"].prompt(match(BLUE_ON_C1, 3), no_die=True).text == "Blue, move three."


def test_new_turn_is_called_out() -> None:
    """When the turn passes, the next player is called, as chatter."""
    before = match("b1,R*3/R*4/R*4/R*4 D4 1", 3)
    after = before.after(moved("b1", "e1", 3))

    said = PHRASES["en"].rulings([moved("b1", "e1", 3)], before, after)

    assert [one.text for one in said] == ["Red moves b1 to e1.", "Green, throw."]
    assert [one.importance for one in said] == [Importance.NORMAL, Importance.CHATTER]
    assert [one.topic for one in said] == [Topic.MOVE, Topic.TURN]


def test_resumed_game_says_what_is_awaited() -> None:
    """Whoever comes back hears once what is to be done, also a wrong move to be mended."""
    owed = match(BLUE_ON_C1, 3)
    event = wrong(Reason.ENTRY_NEEDS_SIX, (Colour.BLUE, None, "g8"))

    assert PHRASES["en"].rulings([], None, owed) == ()
    assert told("en", [Resumed()], owed) == ["The game goes on.", "Blue, move three."]
    assert told("en", [Resumed()], replace(owed, wrong=event)) == [
        "The game goes on.",
        "Blue needs a six to enter: take it off g8.",
    ]


def test_knocked_out_checker_of_the_victim() -> None:
    """Where the checker that was found is the one that knocks out, the victim is named."""
    state = match("R*4/e1,R*3/R*2,c1,e8/R*4 D2 1", 2)
    event = wrong(Reason.KNOCKED_OUT_LEFT_ON_BOARD, (Colour.BLUE, "c1", "e1"), ("c1-e1",), 2)

    assert told("en", [event], replace(state, wrong=event)) == [
        "Green is knocked out on e1: take it off."
    ]


def test_too_many_moves_are_not_listed() -> None:
    """Of more moves than anybody remembers only how far they go is said, if that is new."""
    allowed = ("@g8", "c1-h2", "e8-a8", "--")
    near = wrong(Reason.WRONG_DISTANCE, (Colour.BLUE, "c1", "h1"), allowed, 6)
    other = wrong(Reason.MUST_MOVE, allowed=allowed, die=6)
    state = match(BLUE_ON_C1, 6)

    assert told("en", [near], replace(state, wrong=near)) == [
        "Blue moved five, the die shows six: put it back on c1, or enter a checker, move six or "
        "pass."
    ]
    assert told("ru", [near], replace(state, wrong=near)) == [
        "Синие идут на пять, а на кубике шесть: верните шашку на c1 или введите шашку, "
        "ходите на шесть или пропустите ход."
    ]
    assert told("en", [other], replace(state, wrong=other)) == ["Blue must move six first."]


def test_passed_throw_is_not_offered_again() -> None:
    """After a throw without a move there is nothing to do but to put things back."""
    event = wrong(Reason.ENTRY_NEEDS_SIX, (Colour.BLUE, None, "g8"), ("--",))

    assert told("en", [event], replace(match("R*4/R*4/R*4/R*4 D1 1"), wrong=event)) == [
        "Blue needs a six to enter: take it off g8."
    ]


def test_differing_squares_are_put_right_one_by_one() -> None:
    """Where no single checker can be named, each square is said that must change."""
    differs = (
        Difference(at("c1"), (), contents(Colour.BLUE, Colour.BLUE)),
        Difference(at("d1"), contents(Colour.BLUE), ()),
    )
    event = wrong(Reason.MOVED_BEFORE_THROW, die=None, differs=differs)
    state = replace(match(BLUE_ON_C1), wrong=event)

    assert told("en", [event], state) == [
        "Blue moved before throwing: put 2 blue checkers on c1 and clear d1."
    ]
    assert told("ru", [event], state) == [
        "Синие ходят без броска: поставьте 2 синие шашки на c1 и освободите d1."
    ]


def test_names_replace_colours() -> None:
    """A player who gave a name is called by it, in Russian in the singular."""
    game = setup(names={Seat.D4: "Анна", Seat.D2: "Mark"})
    state = match(game=game)
    events: list[Event] = [moved("b1", "f1", 4), *knocked(Seat.D2, "f1", 41)]

    assert told("en", events, state) == [
        "Анна moves b1 to f1 and knocks out Mark.",
        "Mark pays 1 point, the bank holds 41.",
    ]
    assert told("ru", events, state) == [
        "Анна идёт с b1 на f1 и выбивает шашку игрока Mark.",
        "Mark платит 1 очко, в банке 41.",
    ]


@pytest.mark.parametrize("name", ["Player 1", "D4", " "])
def test_names_that_nobody_gave(name: str) -> None:
    """Where a player gave no name his colour is said."""
    state = match(game=setup(names={Seat.D4: name}))

    assert told("en", [moved("b1", "f1", 4)], state) == ["Red moves b1 to f1."]


@pytest.mark.parametrize(
    ("unit", "count", "english", "russian", "spoken"),
    [
        ("points", 1, "1 point", "1 очко", "одно очко"),
        ("points", 2, "2 points", "2 очка", "2 очка"),
        ("points", 5, "5 points", "5 очков", "5 очков"),
        ("points", 11, "11 points", "11 очков", "11 очков"),
        ("points", 21, "21 points", "21 очко", "20 одно очко"),
        ("points", 112, "112 points", "112 очков", "112 очков"),
        ("chips", 1, "1 chip", "1 фишку", "одну фишку"),
        ("chips", 22, "22 chips", "22 фишки", "20 две фишки"),
        ("chips", 7, "7 chips", "7 фишек", "7 фишек"),
        ("roubles", 101, "101 roubles", "101 рубль", "101 рубль"),
        ("zorkmids", 3, "3 zorkmids", "3 zorkmids", "3 zorkmids"),
    ],
)
def test_sums(unit: str, count: int, english: str, russian: str, spoken: str) -> None:
    """Sums agree with their numbers, and sound with the right gender."""
    won = GameWon(Seat.D4, Colour.RED, count, ())
    state = match(game=setup(unit=unit))

    assert told("en", [won], state)[-1] == f"The bank pays Red {english}."
    _, paid = PHRASES["ru"].rulings([won], state, state)
    assert paid.text == f"Банк платит красным {russian}."
    assert paid.spoken == f"Банк платит красным {spoken}."


def test_squares_are_spoken_as_letters() -> None:
    """A Russian synthesiser is given the letters' names; an English one knows them."""
    (russian,) = PHRASES["ru"].rulings([moved("b1", "c1", 1)], match(), match())
    (english,) = PHRASES["en"].rulings([moved("b1", "c1", 1)], match(), match())

    assert russian.spoken == "Красные идут с бэ 1 на цэ 1."
    assert english.spoken == "Red moves b1 to c1."


def test_nothing_is_paid_without_a_fine() -> None:
    """A knock-out that costs nothing is told without a sum."""
    hit = CheckerKnockedOut(Seat.D2, Colour.BLUE, at("f1"), Seat.D4)
    events: list[Event] = [moved("b1", "f1", 4), hit, FinePaid(Seat.D2, 0, 40)]

    assert told("en", events) == ["Red moves b1 to f1 and knocks out Blue."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("colour", list(Colour))
def test_every_event_in_every_colour(language: str, colour: Colour) -> None:
    """No event, reason or colour leaves a gap, a bare placeholder or an endless sentence."""
    phrases = PHRASES[language]
    for names in ({}, {Seat.D4: "Александра"}):
        for sentence in _everything(phrases, colour, names):
            for text in (sentence.text, sentence.spoken):
                assert re.fullmatch(r"[^{}$\u2066-\u2069]+[.?]", text), text
                assert "  " not in text
                assert text[0] == text[0].upper() or text[0].isdigit(), text
                assert len(text) <= LONGEST, text
            if language == "ru":
                assert not re.search(r"[a-z]", sentence.spoken), sentence.spoken


def _everything(phrases: Phrases, colour: Colour, names: dict[Seat, str]) -> Iterator[Sentence]:
    """Yield what is said when the player of *colour* does all that there is to do."""
    others = [other for other in Colour if other is not colour]
    colours = dict(zip(Seat, [colour, *others], strict=False))
    state = match("R*2,b1,d4/R*4/R*2,c1,e8/R*4 D4 1", 3, setup(colours, names))
    for events, _, _ in HAPPENINGS:
        yield from phrases.rulings([_recoloured(one, colours) for one in events], None, state)
    founds = (
        None,
        Found(colour, at("b1"), at("f1")),
        Found(colour, None, at("f1")),
        Found(colour, at("b1"), None),
        Found(others[-1], None, at("e4")),
    )
    alloweds = ((), ("@b1", "b1-e1", "--"), ("b1-e1", "d4-c3", "a1-b2", "c3-d4"))
    for reason, found, allowed in product(Reason, founds, alloweds):
        die = 6 if allowed else None
        event = IllegalMove(Seat.D4, colour, reason, found, allowed, die)
        yield from phrases.rulings([event], state, replace(state, wrong=event))
    for prompted, _, _ in PROMPTS:
        yield phrases.prompt(replace(prompted, setup=state.setup))


def _recoloured(event: Event, colours: dict[Seat, Colour]) -> Event:
    """Return *event* with the colour that its seat plays here."""
    if isinstance(event, GameStarted):
        return replace(event, seats=tuple(colours.items()))
    fields = event_json(event)
    if "colour" not in fields:
        return event
    return parse_event(event.kind, {**fields, "colour": colours[Seat(fields["seat"])]})


def test_tables_have_the_same_messages() -> None:
    """Both languages know the same messages, so that no event falls silent in one of them."""
    assert Catalogue("en").messages == Catalogue("ru").messages


def test_unknown_language() -> None:
    """A language without a table is refused, with those there are."""
    with pytest.raises(ValueError, match=r"no phrases in 'de': choose en, ru"):
        Phrases("de")


def test_message_without_its_argument() -> None:
    """A message that lacks an argument is a mistake of the program and said to be one."""
    with pytest.raises(LookupError, match="clause-throws"):
        Catalogue("en").format("clause-throws")


def test_document_quotes_what_is_said() -> None:
    """Every sentence that the document quotes is one that the tables above prove."""
    document = Path(__file__).parents[2] / "docs" / "announcements.md"
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| ([^|]+) \|$", document.read_text("utf-8"), re.M)
    known = {
        (one, other)
        for _, english, russian in HAPPENINGS
        for one, other in zip(english, russian, strict=True)
    }
    known |= {(english, russian) for _, english, russian in (*WRONGS, *PROMPTS)}

    quoted = [row for row in rows if row != ("English", "Russian")]
    assert len(quoted) >= 10
    assert set(quoted) <= known


def test_squares_by_place() -> None:
    """Boards without letters: squares are counted from the corners of those who play."""
    state = match("R*4/R*4/R*2,c1,e8/R*4 D2 1", 3)
    event = wrong(Reason.WRONG_DISTANCE, (Colour.BLUE, "c1", "h1"), ("c1-f1", "e8-b8"))
    after = replace(state, wrong=event)

    def said(language: str) -> str:
        phrases = Phrases(language, by_place=True)
        return phrases.rulings([event], state, after)[0].text

    assert said("en") == (
        "Blue moved five, the die shows three: put it back on the second square after Red's "
        "corner, or move three."
    )
    assert said("ru") == (
        "Синие идут на пять, а на кубике три: верните шашку на второе поле после угла красных или "
        "ходите на три."
    )
    home = [moved("a4", "b2", 4), moved("b2", "a1", 1)]
    english, russian = (Phrases(language, by_place=True) for language in ("en", "ru"))
    assert [one.text for one in english.rulings(home, state, state)] == [
        "Red moves from the fourth square after Black's corner to the second square of Red's home.",
        "Red moves from the second square of Red's home to Red's corner.",
    ]
    assert [one.text for one in russian.rulings(home, state, state)] == [
        "Красные идут с четвёртого поля после угла чёрных на второе поле дома красных.",
        "Красные идут со второго поля дома красных на угол красных.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_square_has_a_place(language: str) -> None:
    """Whoever plays, each square of the ring and the homes is told by place, in every form."""
    phrases = Phrases(language, by_place=True)
    state = match("R*4/R*4/~/~ D4 1", None, setup({Seat.D4: Colour.RED, Seat.D3: Colour.BLUE}, {}))
    for at_square in (*RING, *home(Seat.D3, state.rules)):
        found = (Colour.RED, square_name(at_square), "e4")
        event = wrong(Reason.REMOVED_WITHOUT_KNOCK_OUT, found, (), seat=Seat.D4)
        said = phrases.rulings([event], state, replace(state, wrong=event))[0].text
        assert not re.search(r"[{}$]|\b[a-h][1-8]\b", said), said
