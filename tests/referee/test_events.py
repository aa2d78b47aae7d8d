"""Events as JSON: the form people script against, there and back."""

import re
from dataclasses import fields, is_dataclass
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.event_json import event_json, parse_event
from referee.events import (
    EVENT_TYPES,
    Answer,
    BoardDiffers,
    BoardLost,
    By,
    CheckerEntered,
    CheckerMoved,
    Corrected,
    DieThrown,
    Difference,
    Event,
    Found,
    GameAbandoned,
    GameStarted,
    GameWon,
    IllegalMove,
    OpeningThrow,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Source,
    Unclear,
)
from referee.reasons import Reason
from tabletop import Colour, Seat, parse_square

D4, D2 = Seat.D4, Seat.D2
RED, BLUE = Colour.RED, Colour.BLUE

PROMISED: list[tuple[Event, dict[str, Any]]] = [
    (
        GameStarted(
            ((D4, RED), (D2, BLUE)),
            ((D4, "Player 1"), (D2, "Player 2")),
            (("corner", "block"),),
            10,
            1,
            "points",
            "1.0.0",
            "sha256:00",
        ),
        {
            "seats": {"D4": "red", "D2": "blue"},
            "names": {"D4": "Player 1", "D2": "Player 2"},
            "rules": {"corner": "block"},
            "stake": 10,
            "fine": 1,
            "unit": "points",
            "program": "1.0.0",
            "table": "sha256:00",
        },
    ),
    (
        OpeningThrow(D4, RED, 5, 0.99),
        {"seat": "D4", "colour": "red", "value": 5, "confidence": 0.99, "source": "camera"},
    ),
    (
        DieThrown(D4, RED, 6, 1.0, Source.PERSON),
        {"seat": "D4", "colour": "red", "value": 6, "confidence": 1.0, "source": "person"},
    ),
    (
        CheckerEntered(D4, RED, parse_square("b1")),
        {"seat": "D4", "colour": "red", "to": "b1"},
    ),
    (
        CheckerMoved(D4, RED, parse_square("b1"), parse_square("f1"), 4),
        {"seat": "D4", "colour": "red", "from": "b1", "to": "f1", "steps": 4},
    ),
    (
        IllegalMove(
            D4,
            RED,
            Reason.WRONG_DISTANCE,
            Found(RED, parse_square("b1"), parse_square("g1")),
            ("b1-f1", "c1-g1"),
        ),
        {
            "seat": "D4",
            "colour": "red",
            "reason": "wrong_distance",
            "found": {"colour": "red", "from": "b1", "to": "g1"},
            "allowed": ["b1-f1", "c1-g1"],
        },
    ),
    (
        IllegalMove(
            D4,
            RED,
            Reason.ENTRY_NEEDS_SIX,
            Found(RED, None, parse_square("b1")),
            ("--",),
            5,
            (Difference(parse_square("b1"), (RED,), ()),),
        ),
        {
            "seat": "D4",
            "colour": "red",
            "reason": "entry_needs_six",
            "found": {"colour": "red", "from": "reserve", "to": "b1"},
            "allowed": ["--"],
            "die": 5,
            "differs": [{"square": "b1", "seen": ["red"], "due": []}],
        },
    ),
    (
        IllegalMove(D4, RED, Reason.GAME_OVER),
        {"seat": "D4", "colour": "red", "reason": "game_over", "allowed": []},
    ),
    (Answer(3, "b1-e1", By.CONSOLE), {"id": 3, "choice": "b1-e1", "by": "console"}),
    (Corrected(By.BOARD, 41, "why"), {"by": "board", "undo_to": 41, "why": "why"}),
    (
        PositionSet(By.COMMAND, "R*4/~/R*4/~ D4 1", "why"),
        {"by": "command", "position": "R*4/~/R*4/~ D4 1", "why": "why"},
    ),
    (PlayerRenamed(D4, "Anna"), {"seat": "D4", "name": "Anna"}),
    (PlayerLeft(D2, BLUE), {"seat": "D2", "colour": "blue"}),
    (
        BoardDiffers((Difference(parse_square("b1"), (RED,), ()),)),
        {"differs": [{"square": "b1", "seen": ["red"], "due": []}]},
    ),
    (Unclear((parse_square("b1"),)), {"squares": ["b1"]}),
    (BoardLost("moved"), {"reason": "moved"}),
    (
        GameWon(D4, RED, 24, ((D4, 12), (D2, -12))),
        {"seat": "D4", "colour": "red", "bank": 24, "net": {"D4": 12, "D2": -12}},
    ),
    (GameAbandoned(((D4, 10), (D2, 12))), {"paid_back": {"D4": 10, "D2": 12}}),
]


@pytest.mark.parametrize(("event", "data"), PROMISED, ids=[event.kind for event, _ in PROMISED])
def test_events_are_written_as_promised_and_read_again(event: Event, data: dict[str, Any]) -> None:
    """Keys and values are those of the command line's promise; reading gives the event back."""
    assert event_json(event) == data
    assert parse_event(event.kind, data) == event


def test_every_event_is_a_frozen_value_with_a_kind_of_its_own() -> None:
    """The table of kinds holds each event once."""
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES) == 33
    for kind, made in EVENT_TYPES.items():
        assert made.kind == kind
        assert is_dataclass(made)


@settings(deadline=None)
@given(st.data())
def test_any_event_survives_json(data: st.DataObject) -> None:
    """Whatever event can be made is read back as it was written, confidences to four places."""
    made = data.draw(st.sampled_from(list(EVENT_TYPES.values())))
    event = cast(Event, data.draw(st.builds(made, **_strategies(made))))

    assert parse_event(event.kind, event_json(event)) == event


def _strategies(made: type[Event]) -> dict[str, st.SearchStrategy[Any]]:
    """Return what the fields that need more care than their types may hold."""
    seats = st.lists(st.sampled_from(list(Seat)), unique=True, min_size=1, max_size=4)
    squares = st.integers(0, 63)
    places = st.none() | squares
    colours = st.sampled_from(list(Colour))
    contents = st.lists(colours, max_size=4).map(lambda found: tuple(sorted(found)))
    differences = st.builds(Difference, square=squares, seen=contents, due=contents)
    pairs = {
        "squares": st.lists(squares, max_size=3).map(tuple),
        "seats": seats.flatmap(lambda s: st.tuples(*(st.tuples(st.just(x), colours) for x in s))),
        "names": seats.flatmap(lambda s: st.tuples(*(st.tuples(st.just(x), st.text()) for x in s))),
        "net": seats.flatmap(
            lambda s: st.tuples(*(st.tuples(st.just(x), st.integers()) for x in s))
        ),
        "rules": st.just((("corner", "share"), ("idle_tries", 3), ("must_hit", True))),
        "value": st.integers(1, 6),
        "die": st.none() | st.integers(1, 6),
        "confidence": st.integers(0, 10000).map(lambda share: share / 10000),
        "square": squares,
        "target": squares,
        "differs": st.lists(differences, max_size=3).map(tuple),
        "found": st.none() | st.builds(Found, colour=colours, source=places, target=places),
    }
    pairs["paid_back"] = pairs["net"]
    if made is CheckerMoved:
        pairs["source"] = squares
    return {part.name: pairs[part.name] for part in fields(made) if part.name in pairs}


@pytest.mark.parametrize(
    ("kind", "data", "told"),
    [
        ("dice_thrown", {}, "'dice_thrown' is no kind of event"),
        ("die_thrown", {"seat": "D4", "colour": "red"}, "die_thrown lacks 'value'"),
        ("die_thrown", {"seat": "D5", "colour": "red", "value": 3}, "'seat' cannot be 'D5'"),
        ("die_thrown", {"seat": "D4", "colour": "red", "value": 7}, "'value' cannot be 7"),
        ("die_thrown", {"seat": "D4", "colour": "red", "value": True}, "'value' cannot be True"),
        ("checker_entered", {"seat": "D4", "colour": "red", "to": "i9"}, "'to' cannot be 'i9'"),
        ("corrected", {"by": "board", "undo_to": "x", "why": ""}, "'undo_to' cannot be 'x'"),
        ("board_lost", {"reason": 3}, "'reason' cannot be 3"),
        ("game_won", [], "the fields of game_won must be an object, not list"),
    ],
)
def test_what_is_no_event_is_refused_in_words(kind: str, data: Any, told: str) -> None:
    """The text names the kind, the key and the value that cannot be."""
    with pytest.raises(ValueError, match=re.escape(told)):
        parse_event(kind, data)


def test_keys_of_later_versions_are_passed_over() -> None:
    """A log written by a newer program is still read."""
    event = parse_event("checker_entered", {"seat": "D4", "colour": "red", "to": "b1", "new": 1})
    assert event == CheckerEntered(D4, RED, parse_square("b1"))
