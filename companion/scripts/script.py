"""Scripts for the simulated table: a game as people play it, and what the referee must say of it.

A script follows from its seed alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random
from typing import Final

from companion.scripts.happenings import REST_S
from companion.scripts.late import late_setting
from companion.scripts.script_writer import ScriptWriter
from companion.scripts.stage import Stage, calibration_scenes
from companion.scripts.style import SHORT, Style
from hardware.scene import TimedScene
from referee.commands import Command
from referee.events import Event, GameStarted
from referee.match import Match
from referee.rules import Rules, changed_options
from tabletop import Colour, Seat

_SHORT_GAMES_TRIED: Final = 20
_LATE_GAMES_TRIED: Final = 6
_LATE_GAME_S: Final = 60.0
_OF_EVERYTHING: Final = frozenset({"checker_knocked_out", "illegal_move", "die_unreadable"})


@dataclass(frozen=True, slots=True)
class GameScript:
    """A game for the simulated table.

    Attributes:
        calibration: the empty board, and everybody's checkers on his home.
        scenes: the game from before the first opening throw.
        truth: what must be ruled, in order; the start of the game is left out.
        commands: what people say, each with the number of the scene at whose beginning.
        setting: the events before the first scene: none, or a position to play on from.
    """

    calibration: tuple[TimedScene, TimedScene]
    scenes: tuple[TimedScene, ...]
    truth: tuple[Event, ...]
    commands: tuple[tuple[int, Command], ...] = ()
    setting: tuple[Event, ...] = ()


def write_game(
    seed: int,
    seats: Mapping[Seat, Colour],
    rules: Rules | None = None,
    *,
    stake: int = 10,
    fine: int = 1,
    short: bool = False,
    with_mistakes: bool = True,
    style: Style | None = None,
    late: bool = False,
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
        style: how people play otherwise.
        late: begin in the middle of a game, with somebody near its end, and of a few such games
            take the one that lasts most nearly a minute.
    """
    rules = rules or Rules()
    playing = {seat: seats[seat] for seat in Seat if seat in seats}
    setup = GameStarted(
        tuple(playing.items()), (), tuple(changed_options(rules).items()), stake, fine, "", "", ""
    )
    style = replace(style or (SHORT if short else Style()), with_mistakes=with_mistakes)
    games = (_game(Random(f"{seed}/{number}"), setup, style, late) for number in count())
    tried = _SHORT_GAMES_TRIED if short else _LATE_GAMES_TRIED if late else 1
    return min(islice(games, tried), key=_shortness if short else _oddness)


def _game(rng: Random, setup: GameStarted, style: Style, late: bool) -> GameScript:
    match = Match.start(setup)
    seats = dict(setup.seats)
    empty, homes = calibration_scenes(rng, seats, match.rules)
    stage = Stage(rng, seats, match.rules)
    setting = late_setting(rng, match) if late else ()
    match = match.after_all(setting)
    for at, there in match.contents().items():
        for colour in there:
            stage.carry(colour, None, at)
    writer = ScriptWriter(rng, match, stage, style)
    writer.play()
    pen = writer.pen
    return GameScript(
        (TimedScene(empty, REST_S, "empty board"), TimedScene(homes, REST_S, "homes")),
        tuple(pen.scenes),
        tuple(pen.truth),
        tuple(pen.commands),
        setting,
    )


def _shortness(game: GameScript) -> tuple[int, float]:
    """Return by what games are preferred: how much they lack, then how long they last."""
    lacks = _OF_EVERYTHING - {event.kind for event in game.truth}
    return len(lacks), _length_s(game)


def _oddness(game: GameScript) -> float:
    """Return how far a late game is from lasting as long as one should."""
    return abs(_length_s(game) - _LATE_GAME_S)


def _length_s(game: GameScript) -> float:
    return sum(timed.lasts_s for timed in game.scenes)
