"""Scripts for the simulated table: a game as people play it, and what the referee must say of it.

A script follows from its seed alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random
from typing import Final

from companion.script_writer import REST_S, ScriptWriter, Style
from companion.stage import Stage, calibration_scenes
from hardware.scene import TimedScene
from referee.events import Event, GameStarted
from referee.match import Match
from referee.rules import Rules, changed_options
from tabletop import Colour, Seat

_SHORT: Final = Style(die=(1, 1, 2, 3, 5, 7), hurried=0.85, slow_hands=False)
"""A generous die and hurried players."""
_SHORT_GAMES_TRIED: Final = 20
_OF_EVERYTHING: Final = frozenset({"checker_knocked_out", "illegal_move", "die_unreadable"})


@dataclass(frozen=True, slots=True)
class GameScript:
    """A game for the simulated table.

    Attributes:
        calibration: the empty board, and everybody's checkers on his home.
        scenes: the game from before the first opening throw.
        truth: what must be ruled, in order; the start of the game is left out.
    """

    calibration: tuple[TimedScene, TimedScene]
    scenes: tuple[TimedScene, ...]
    truth: tuple[Event, ...]


def write_game(
    seed: int,
    seats: Mapping[Seat, Colour],
    rules: Rules | None = None,
    *,
    stake: int = 10,
    fine: int = 1,
    short: bool = False,
    with_mistakes: bool = True,
) -> GameScript:
    """Return the script of a game that is played to its end.

    Args:
        seed: what everything follows from.
        seats: who plays what.
        rules: what they play by; the default rules by default.
        stake: what each pays in; stake and fine show in what is ruled.
        fine: what a knocked-out checker costs.
        short: let a die that likes high numbers be thrown by players in a hurry, and of several
            such games take the shortest that has something of everything.
        with_mistakes: let people play wrongly, cock the die and shove checkers.
    """
    rules = rules or Rules()
    playing = {seat: seats[seat] for seat in Seat if seat in seats}
    setup = GameStarted(
        tuple(playing.items()), (), tuple(changed_options(rules).items()), stake, fine, "", "", ""
    )
    style = replace(_SHORT if short else Style(), with_mistakes=with_mistakes)
    games = (_game(Random(f"{seed}/{number}"), setup, style) for number in count())
    return min(islice(games, _SHORT_GAMES_TRIED if short else 1), key=_shortness)


def _game(rng: Random, setup: GameStarted, style: Style) -> GameScript:
    match = Match.start(setup)
    seats = dict(setup.seats)
    empty, homes = calibration_scenes(rng, seats, match.rules)
    writer = ScriptWriter(rng, match, Stage(rng, seats, match.rules), style)
    writer.play()
    return GameScript(
        (TimedScene(empty, REST_S, "empty board"), TimedScene(homes, REST_S, "homes")),
        tuple(writer.scenes),
        tuple(writer.truth),
    )


def _shortness(game: GameScript) -> tuple[int, float]:
    """Return by what games are preferred: how much they lack, then how long they last."""
    lacks = _OF_EVERYTHING - {event.kind for event in game.truth}
    return len(lacks), sum(timed.lasts_s for timed in game.scenes)
