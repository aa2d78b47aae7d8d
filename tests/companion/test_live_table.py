"""What happens to a table while it is watched: none of it is a move, and all of it is noticed."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.lying import Standing
from companion.scripts.happenings import Happening, Happenings, told_of
from companion.scripts.late import late_setting
from companion.scripts.pen import Pen
from companion.scripts.script import GameScript
from companion.scripts.stage import Stage, calibration_scenes
from companion.scripts.style import Style
from hardware.scene import BoardLie, Hand, Lamp, Room, Scene, TimedScene
from referee.events import BoardFound, BoardLost
from referee.hypotheses import Moved, Threw
from referee.match import Match
from referee.moves import legal_moves
from referee.rules import Rules
from tabletop import Colour, Observation, SquareReading
from tests.companion.live import SEATS, play, started, table_look, told

IN_OTHER_LIGHT = (Happening.CLOUD, Happening.LAMP, Happening.OWN_LAMPS, Happening.HAND)
LOOK = table_look(3)
SEATED = SEATS[4]
RED, BLUE = (Colour.RED,), (Colour.BLUE,)


def a_pen(seed: int = 1) -> tuple[Pen, GameScript]:
    """Return a pen with the stage set late in a game, and the script to be filled."""
    rng = Random(seed)
    match = Match.start(started(SEATED))
    stage = Stage(rng, SEATED, Rules())
    empty, homes = calibration_scenes(Random(0), SEATED, Rules())
    setting = late_setting(rng, match)
    for event in setting:
        match = match.after(event)
    for at, there in match.contents().items():
        for colour in there:
            stage.carry(colour, None, at)
    pen = Pen(rng, match, stage, Style())
    pen.compare()
    pen.rest("before")
    calibration = (TimedScene(empty, 2.4), TimedScene(homes, 2.4))
    return pen, GameScript(calibration, (), (), setting=setting)


def filled(script: GameScript, pen: Pen) -> GameScript:
    """Return *script* with what *pen* wrote."""
    return replace(script, scenes=tuple(pen.scenes), truth=tuple(pen.truth))


def throw(pen: Pen, value: int) -> None:
    """Cast the die, and let the throw be called."""
    pen.cast(value)
    pen.rule(Threw(value, 1.0))
    pen.rest(f"throw {value}")


@pytest.mark.parametrize(
    ("what", "adapts_s"),
    [
        *((what, 0.0) for what in Happening),
        # A camera that follows the light has to where the light is another; and all the rest.
        *((what, 0.8) for what in IN_OTHER_LIGHT),
        *(
            pytest.param(what, 0.8, marks=pytest.mark.proof)
            for what in Happening
            if what not in IN_OTHER_LIGHT
        ),
    ],
)
def test_a_happening_is_no_move(what: Happening, adapts_s: float) -> None:
    """After it the throw and the squares are what they were; a bump or a cup is told of once."""
    pen, script = a_pen()
    throw(pen, 6)
    pen.write(*told_of(what))
    pen.show_all(Happenings(pen.rng, pen.stage).scenes(what, pen.match.to_move))
    move = legal_moves(pen.match.position, 6, pen.match.rules)[0]
    pen.carry((pen.match.colour(pen.match.to_move), move.source, move.target))
    pen.rule(Moved(move))
    pen.rest("move")

    ruled = play(
        filled(script, pen), replace(LOOK, camera=replace(LOOK.camera, adapts_s=adapts_s)), SEATED
    )
    assert [told(one.event) for one in ruled] == [told(event) for event in pen.truth]


def test_what_is_played_after_a_bump_is_compared_with_the_scene_before() -> None:
    """Else the first move after it from one own tower to another would not be seen."""
    pen, script = a_pen()
    throw(pen, 6)
    pen.show_all(Happenings(pen.rng, pen.stage).scenes(Happening.BUMP, pen.match.to_move))
    move = legal_moves(pen.match.position, 6, pen.match.rules)[0]
    pen.carry((pen.match.colour(pen.match.to_move), move.source, move.target))
    pen.rest("move")

    looks: list[Observation] = []
    play(filled(script, pen), LOOK, SEATED, seen=lambda look, *_: looks.append(look.observation))
    assert all(square.changed is not None for square in looks[-1].squares)


@pytest.mark.parametrize("what", [Happening.BUMP, Happening.KNOCK])
def test_a_moved_board_is_noticed_within_a_second(what: Happening) -> None:
    """Within a second after all is at rest it is told of, and a second later it is found again."""
    pen, script = a_pen()
    happening = list(Happenings(pen.rng, pen.stage).scenes(what, pen.match.to_move))
    pen.show_all(happening)
    before_s = sum(timed.lasts_s for timed in pen.scenes) - pen.scenes[-1].lasts_s
    at_rest_s = before_s + pen.scenes[-1].moving_s

    _, lost, found = play(filled(script, pen), LOOK, SEATED)
    assert (lost.event.kind, found.event.kind) == ("board_lost", "board_found")
    assert lost.at_s - at_rest_s < 1.0
    assert found.at_s - lost.at_s < 1.5


@pytest.mark.parametrize(
    "lie", [BoardLie(turn_deg=180.0), BoardLie(1.0, 1.0), BoardLie(0.0, -2.0), BoardLie(1.0, 0.0)]
)
def test_a_board_whose_pattern_shows_where_it_was_is_noticed_within_a_second(
    lie: BoardLie,
) -> None:
    """Turned by half, or shoved by whole squares, it is told of as soon; at 4 frames a second."""
    pen, script = a_pen()
    pen.show_all([TimedScene(pen.stage.scene(Hand(4.0, -0.4, 270.0)), 1.0, "grasped")])
    pen.stage.room = Room(board=lie)
    pen.show_all([TimedScene(pen.stage.scene(), 4.0, "elsewhere", moving_s=0.25)])
    at_rest_s = sum(timed.lasts_s for timed in pen.scenes) - 4.0 + 0.25

    _, lost, found = play(filled(script, pen), LOOK, SEATED, fps=4)
    assert (lost.event.kind, found.event.kind) == ("board_lost", "board_found")
    assert lost.at_s - at_rest_s < 1.0
    assert found.at_s - lost.at_s < 1.5


def test_a_turned_board_over_which_a_hand_comes_to_rest_is_told_of_once() -> None:
    """What a hand leaves of it does not find it; once it is free it is found, and named."""
    pen, script = a_pen()
    pen.stage.room = Room(board=BoardLie(turn_deg=180.0))
    hand = Hand(4.0, 2.5, 270.0)
    pen.show_all([TimedScene(pen.stage.scene(), 0.8, "turned", moving_s=0.2)])
    pen.show_all([TimedScene(pen.stage.scene(hand), 3.5, "steadied", moving_s=0.2)])
    pen.show_all([TimedScene(pen.stage.scene(), 3.0, "free", moving_s=0.2)])

    ruled = play(filled(script, pen), LOOK, SEATED)
    assert [one.event.kind for one in ruled] == ["board_agrees", "board_lost", "board_found"]


BLINDING = Room(lamps=(Lamp((2.0, 6.0, 6.0), 20.0),))
"""A strong lamp close to the board."""


@pytest.mark.parametrize(
    ("change", "adapts_s", "reason"),
    [
        ({"room": BLINDING}, 0.0, "bright"),
        ({"brightness": 0.003}, 0.0, "dark"),
        # A camera that follows the light sees again soon: nobody need be told.
        ({"brightness": 0.02}, 0.6, None),
    ],
)
def test_light_that_blinds_is_told_of_once(
    change: dict[str, Any], adapts_s: float, reason: str | None
) -> None:
    """No picture in such light is ruled on, none is taken for a bump, and its end is told."""
    pen, script = a_pen()
    throw(pen, 6)
    usual = pen.scenes[-1].scene
    blinding = replace(usual, **change)
    pen.scenes.append(TimedScene(blinding, 8.0, "blinding", moving_s=0.2))
    pen.scenes.append(TimedScene(usual, 6.0, "as before", moving_s=0.2))
    if reason is not None:
        pen.write(BoardLost(reason), BoardFound())

    look = replace(LOOK, camera=replace(LOOK.camera, adapts_s=adapts_s))
    ruled = play(filled(script, pen), look, SEATED)
    assert [told(one.event) for one in ruled] == [told(event) for event in pen.truth]


def test_a_slid_checker_is_not_read_on_the_way() -> None:
    """Pushed along slowly, and left standing under the hand halfway, it has moved once."""
    pen, script = a_pen()
    throw(pen, 6)
    colour = pen.match.colour(pen.match.to_move)
    moves = legal_moves(pen.match.position, 6, pen.match.rules)
    there = pen.match.contents()
    move = next(one for one in moves if one.source and one.target not in there)
    assert move.source is not None
    pen.show(pen.stage.hand_at(pen.match.to_move, move.source))
    before = pen.stage.scene(pen.stage.hand_at(pen.match.to_move, move.source))
    pen.stage.carry(colour, move.source, move.target)
    after = pen.stage.scene(pen.stage.hand_at(pen.match.to_move, move.target))
    halfway = pushed_halfway(before, after)
    pen.show_all(
        [
            TimedScene(halfway, 5.0, "halfway", moving_s=2.0, slid=True),
            TimedScene(after, 4.0, "arrived", moving_s=2.0, slid=True),
        ]
    )
    pen.rule(Moved(move))
    pen.rest("move")

    ruled = play(filled(script, pen), LOOK, SEATED)
    assert [told(one.event) for one in ruled] == [told(event) for event in pen.truth]


def pushed_halfway(before: Scene, after: Scene) -> Scene:
    """Return the scene in which the checker that moves is halfway, under the hand."""
    (source,) = set(before.checkers) - set(after.checkers)
    (target,) = set(after.checkers) - set(before.checkers)
    assert after.hand is not None
    middle = replace(source, x=(source.x + target.x) / 2, y=(source.y + target.y) / 2)
    hand = replace(after.hand, x=middle.x, y=middle.y)
    others = tuple(one for one in before.checkers if one != source)
    return replace(before, checkers=(*others, middle), hand=hand)


def readings(standing: Mapping[int, tuple[Colour, ...]]) -> tuple[SquareReading, ...]:
    """Return what is read of all squares."""
    return tuple(SquareReading(((standing.get(at, ()), 0.99),)) for at in range(64))


def test_what_stands_tells_which_corner_is_a1() -> None:
    """One checker is told from its opposite; an empty board and a symmetric one say nothing."""
    one = Standing.of(readings({1: RED}))
    assert one.against_turned(readings({1: RED})) > 8
    assert one.against_turned(readings({62: RED})) < -8
    assert Standing.of(readings({})).against_turned(readings({})) == 0
    pair = {1: RED, 62: RED}
    assert Standing.of(readings(pair)).against_turned(readings(pair)) == 0
    assert (
        Standing.of(readings({1: RED, 62: BLUE})).against_turned(readings({1: BLUE, 62: RED})) < -8
    )
