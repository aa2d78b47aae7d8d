from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import dist, floor, hypot

import pytest

from companion.scripts.happenings import LOOKED_AT_S, REST_S
from companion.scripts.script import GameScript, write_game
from companion.scripts.stage import DIE_MOVES, FURTHEST_SHOVED
from companion.scripts.style import Style
from hardware.scene import DIE_AREA, IN_VIEW, PlacedDie, Scene
from referee.events import (
    Event,
    GameStarted,
    IllegalMove,
    OpeningThrow,
)
from referee.judge import judge
from referee.match import Match, Phase, replay
from referee.paths import home
from referee.reasons import Reason
from referee.rules import Rules, changed_options, parse_options
from referee.verdict import DOUBT_S, LIFTED_S, Ruling
from tabletop import (
    CHECKERS_EACH,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Observation,
    Seat,
    SquareReading,
    contents,
    square,
)

TWO = {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}
FOUR = {Seat.D4: Colour.RED, Seat.D3: Colour.GREEN, Seat.D2: Colour.BLUE, Seat.D1: Colour.BLACK}
SEED = 7
LIVE_SETTLE_S = 1.0
HAND_LEAVES_S = 0.5


def started(seats: dict[Seat, Colour], rules: Rules) -> GameStarted:
    """Return the start that the scripts' truths follow on."""
    return GameStarted(
        tuple(seats.items()), (), tuple(changed_options(rules).items()), 10, 1, "points", "", ""
    )


def standing(scene: Scene) -> dict[int, Contents]:
    """Return what stands on the squares of a scene, by where the checkers' middles are."""
    found: dict[int, Contents] = {}
    for checker in scene.checkers:
        file, rank = floor(checker.x), floor(checker.y)
        if 0 <= file < 8 and 0 <= rank < 8:
            at = square(file, rank)
            found[at] = contents(*found.get(at, ()), checker.colour)
    return found


def observed(scene: Scene, last: PlacedDie | None) -> Observation:
    """Return what perfect eyes see of a still scene, *last* being the die that counted last."""
    there = standing(scene)
    squares = tuple(SquareReading(((there.get(at, ()), 0.999),)) for at in range(64))
    if scene.die is None:
        return Observation(squares)
    one, two, three, four, five, six = (
        0.999 if value == scene.die.value else 0.0 for value in range(1, 7)
    )
    state = DieState.COCKED if scene.die.cocked else DieState.SETTLED
    reading = DieReading((0.0, 0.0, 1.0, 1.0), (one, two, three, four, five, six), state)
    sign = DieSign.SAME if scene.die == last else DieSign.THROWN
    return Observation(squares, DieObservation(sign, reading), 1)


def refereed(script: GameScript, match: Match) -> Iterator[tuple[Event, Scene, Match]]:
    """Yield every event that the judge rules on the script's still scenes."""
    last: PlacedDie | None = None
    for timed in script.scenes:
        if timed.scene.hand is not None or timed.lasts_s < LIVE_SETTLE_S:
            continue
        verdict = judge(match, observed(timed.scene, last))
        assert verdict.ruling not in (Ruling.ASKED, Ruling.DOUBTFUL), timed.note
        if verdict.die_counted:
            last = timed.scene.die
        for event in verdict.events:
            match = match.after(event)
            yield event, timed.scene, match


def told(event: Event) -> tuple[object, ...]:
    """Return what must agree of two events: all but how sure a throw is."""
    fields = {
        name: value for name in type(event).__slots__ if (value := getattr(event, name)) is not None
    }
    fields.pop("confidence", None)
    return event.kind, fields


@pytest.mark.parametrize(
    ("seats", "options", "seed"),
    [
        (TWO, "", 1),
        (FOUR, "", 2),
        (TWO, "stack=block; entry=compulsory; must_hit=true", 3),
        (FOUR, "corner=share; bonus=cumulative; three_sixes=end_turn; idle_tries=3", 4),
        (TWO, "geometry=B; overshoot=bounce; home_dir=both; home_capacity=1; rotation=1", 5),
    ],
)
def test_judge_rules_as_the_script_says(seats: dict[Seat, Colour], options: str, seed: int) -> None:
    """Whoever sees a script's scenes perfectly rules its truth, event by event, to the end."""
    rules = parse_options(options)
    script = write_game(seed, seats, rules)
    start = Match.start(started(seats, rules))

    ruled = list(refereed(script, start))

    assert [told(event) for event, _, _ in ruled] == [told(event) for event in script.truth]
    assert ruled[-1][2].phase is Phase.OVER


def test_truth_replays() -> None:
    """The engine accepts the truth, and the last scene shows the position it ends in."""
    script = write_game(SEED, FOUR)

    end = replay([started(FOUR, Rules()), *script.truth])

    assert end.winner is not None
    assert standing(script.scenes[-1].scene) == end.contents()
    assert end.bank.total == 40 + sum(e.kind == "checker_knocked_out" for e in script.truth)


def test_same_seed_same_script() -> None:
    """A script follows from its seed alone; another seed gives another game."""
    assert write_game(SEED, TWO) == write_game(SEED, TWO)
    assert write_game(SEED, TWO).truth != write_game(SEED + 1, TWO).truth


def test_people_make_every_mistake() -> None:
    """In a few games all the mistakes turn up, a cocked die, and throws of no use."""
    scripts = [write_game(seed, FOUR, style=Style(mistaken=0.5)) for seed in range(3)]
    truth = [event for script in scripts for event in script.truth]

    assert {event.reason for event in truth if isinstance(event, IllegalMove)} == {
        Reason.ENTRY_NEEDS_SIX,
        Reason.WRONG_DISTANCE,
        Reason.WRONG_DIRECTION,
        Reason.KNOCKED_OUT_LEFT_ON_BOARD,
        Reason.REMOVED_WITHOUT_KNOCK_OUT,
        Reason.NOT_YOUR_CHECKER,
        Reason.TWO_MOVES,
        Reason.OFF_PATH,
        Reason.WRONG_START_SQUARE,
        Reason.LEFT_HOME,
        Reason.HOME_BACKWARDS,
        Reason.FOREIGN_HOME,
        Reason.SECOND_LAP,
        Reason.OVERSHOOT,
    }
    kinds = Counter(event.kind for event in truth)
    assert kinds["illegal_cleared"] == kinds["illegal_move"]
    assert kinds["die_unreadable"] > 0
    assert kinds["throw_passed"] > 0
    assert kinds["checker_knocked_out"] == kinds["fine_paid"] > 0
    notes = {timed.note for script in scripts for timed in script.scenes}
    assert "knocked-out checker taken off" in notes


def test_faultless_game() -> None:
    """Without mistakes nothing wrong happens and every die lies flat."""
    script = write_game(SEED, TWO, with_mistakes=False)

    assert not {"illegal_move", "die_unreadable"} & {event.kind for event in script.truth}
    assert script.truth[-1].kind == "game_won"


@pytest.mark.parametrize("seed", range(3))
def test_short_game(seed: int) -> None:
    """A short game is won and mended and dealt with like any, in half the scenes or less."""
    script = write_game(seed, TWO, short=True)
    start = Match.start(started(TWO, Rules()))

    assert [told(event) for event, _, _ in refereed(script, start)] == [
        told(event) for event in script.truth
    ]
    kinds = {event.kind for event in script.truth}
    assert {"checker_knocked_out", "illegal_move", "die_unreadable", "game_won"} <= kinds
    assert sum(timed.scene.hand is None for timed in script.scenes) <= 90


def test_calibration_scenes() -> None:
    """First an empty board, then four checkers on each home."""
    empty, homes = (timed.scene for timed in write_game(SEED, FOUR).calibration)

    assert empty == Scene()
    rules = Rules()
    assert standing(homes) == {
        at: (colour,) for seat, colour in FOUR.items() for at in home(seat, rules)
    }
    assert homes.hand is None
    assert homes.die is None


def test_things_lie_where_they_can_be_seen() -> None:
    """All checkers are always in view, on their squares, and never in each other."""
    left, bottom, right, top = IN_VIEW
    for timed in write_game(SEED, FOUR).scenes:
        checkers = timed.scene.checkers
        assert len(checkers) == CHECKERS_EACH * len(FOUR)
        for checker in checkers:
            assert left + 0.45 <= checker.x <= right - 0.45
            assert bottom + 0.45 <= checker.y <= top - 0.45
            if 0 <= checker.x < 8:
                assert 0.03 <= checker.x % 1 <= 0.97
                assert 0.03 <= checker.y % 1 <= 0.97
        for number, one in enumerate(checkers):
            for other in checkers[number + 1 :]:
                near = hypot(one.x - other.x, one.y - other.y) < 0.75
                assert not near or one.layer != other.layer


def test_one_checker_lies_near_the_middle() -> None:
    """A checker that has its square for itself lies near its middle, two lie side by side."""
    paired = 0
    for timed in write_game(SEED, TWO).scenes:
        squares = Counter(
            (floor(one.x), floor(one.y)) for one in timed.scene.checkers if 0 <= one.x < 8
        )
        for one in timed.scene.checkers:
            count = squares[floor(one.x), floor(one.y)]
            off = max(abs(one.x % 1 - 0.5), abs(one.y % 1 - 0.5))
            assert count != 1 or off <= FURTHEST_SHOVED + 1e-9
            paired += count == 2 and one.layer == 0 and off > 0.25
    assert paired > 0


def test_die_is_thrown_to_another_place() -> None:
    """Each cast begins with the die in the hand, and ends in the tray, away from where it lay."""
    scenes = [timed.scene for timed in write_game(SEED, TWO).scenes]
    left, bottom, right, top = DIE_AREA
    for before, after in pairwise(scenes):
        if after.die is not None and after.die != before.die:
            assert before.die is None
            assert left <= after.die.x <= right
            assert bottom <= after.die.y <= top
    lain = list(dict.fromkeys(scene.die for scene in scenes if scene.die is not None))
    assert all(dist((a.x, a.y), (b.x, b.y)) >= DIE_MOVES for a, b in pairwise(lain))


def test_pace_suits_a_live_camera() -> None:
    """What is to be judged stays still long enough, and hands pass too quickly to be judged."""
    for timed in write_game(SEED, TWO).scenes:
        if timed.scene.hand is None:
            patient = {
                f"illegal {Reason.REMOVED_WITHOUT_KNOCK_OUT}": LIFTED_S + LOOKED_AT_S,
                "cocked die": REST_S + DOUBT_S,
            }
            assert timed.lasts_s == patient.get(timed.note, REST_S)
            assert timed.lasts_s >= HAND_LEAVES_S + LIVE_SETTLE_S + 0.6
        else:
            assert timed.lasts_s < LIVE_SETTLE_S


def test_opening_throws_in_the_order_of_play() -> None:
    """The seats may be handed over in any order; they play in their own."""
    script = write_game(SEED, {Seat.D2: Colour.BLUE, Seat.D4: Colour.RED})

    first = script.truth[0]
    assert isinstance(first, OpeningThrow)
    assert (first.seat, first.colour) == (Seat.D4, Colour.RED)
