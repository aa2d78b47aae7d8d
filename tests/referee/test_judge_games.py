"""Whole games: from what stands in each settled picture to the rulings, all of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.event_json import event_json, parse_event
from referee.events import Event
from referee.judge import judge
from referee.match import Match, replay
from tabletop import Colour, DieObservation, contents
from tests.builders import cocked, game_started, seen, thrown

GAMES = Path(__file__).parents[1] / "data" / "games"
COMPARED = {
    "opening_throw": ("seat", "colour", "value"),
    "die_thrown": ("seat", "colour", "value"),
    "checker_entered": ("seat", "colour", "to"),
    "checker_moved": ("seat", "colour", "from", "to"),
    "checker_knocked_out": ("seat", "colour", "square"),
    "throw_passed": ("seat", "colour"),
    "illegal_move": ("seat", "reason"),
    "game_won": ("seat", "colour", "bank"),
}


def compared(kind: str, event: dict[str, Any]) -> tuple[Any, ...] | None:
    """Return what must be equal of an event, or None for a kind that is not compared."""
    return (kind, *(event.get(key) for key in COMPARED[kind])) if kind in COMPARED else None


def die_of(frame: dict[str, Any]) -> DieObservation | None:
    """Return what the die of a labelled picture did: it is thrown in pictures taken for that."""
    if frame["why"] == "cocked die":
        return cocked()
    return thrown(frame["die"]) if frame["why"] == "throw" else None


def watched(name: str) -> tuple[Match, list[Event]]:
    """Return the match and the events after all pictures of a game."""
    settings = json.loads((GAMES / name / "game.json").read_text())
    events: list[Event] = [game_started(settings["seats"])]
    match = replay(events)
    for frame in json.loads((GAMES / name / "states.json").read_text())["frames"]:
        board = {at: contents(*map(Colour, there)) for at, there in frame["squares"].items()}
        verdict = judge(match, seen(board, die_of(frame), obscured=frame["hand"]))
        for event in verdict.events:
            match = match.after(event)
            events.append(event)
    return match, events


@pytest.mark.parametrize("name", ["two-players", "four-players"])
def test_every_ruling_of_a_game_is_right_and_in_order(name: str) -> None:
    """The judge rules on a game seen surely exactly as its truth says."""
    truth = [json.loads(line) for line in (GAMES / name / "truth.jsonl").read_text().splitlines()]
    _, events = watched(name)

    wanted = [compared(line["kind"], line["event"]) for line in truth]
    given = [compared(event.kind, event_json(event)) for event in events]
    assert [one for one in given if one] == [one for one in wanted if one]


@pytest.mark.parametrize("name", ["two-players", "four-players"])
def test_a_match_is_the_fold_of_its_events(name: str) -> None:
    """Replaying the events, written as JSON and read again, leads to the same state."""
    match, events = watched(name)

    read_again = [
        parse_event(event.kind, json.loads(json.dumps(event_json(event)))) for event in events
    ]
    assert read_again == events
    assert replay(read_again) == match
