"""Measuring the speed of each stage of seeing, of the rules and of the judge.

Everything is measured on what is made here from a seed: a simulated table, and random games. Times
are the processor's, of one core, so that what else the machine does is left out; OpenCV's own
threads are switched off.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np

from calibration.fit import Refusal, fit_table
from calibration.profile import TableProfile
from companion.errors import CompanionError
from companion.seeing import TableWatch
from hardware.scene import PlacedChecker, PlacedDie, Scene
from hardware.simulated import TableLook, render
from referee.events import FirstPlayer, GameStarted
from referee.hypotheses import Moved, Passed, Threw
from referee.judge import judge
from referee.match import Match
from referee.moves import legal_moves, play
from referee.outcomes import lawful_events
from referee.position import Position
from referee.rules import Rules
from tabletop import (
    EMPTY,
    SEATS,
    SQUARES,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    Observation,
    Seat,
    Square,
    SquareReading,
    contents,
    parse_square,
    square_file,
    square_rank,
)
from vision.frame import Frame
from vision.reader import read, read_table

_SEATS: Final = {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE}
_HOMES: Final = {
    Colour.RED: ("a1", "b2", "c3", "d4"),
    Colour.BLUE: ("h8", "g7", "f6", "e5"),
}
_GAME: Final = {
    Colour.RED: ("b1", "f1", "f1", "h4"),
    Colour.BLUE: ("g8", "c8", "a6", "h8"),
}
_COLOURS: Final = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
_SURE: Final = 0.995
_ANY_VALUE: Final = DieReading((0, 0, 10, 10), (1 / 6,) * 6)
_RULES_S: Final = 0.5
_JUDGED_THROWS: Final = 200


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast something is.

    Attributes:
        name: what was measured.
        median_ms: the median time of one.
        slow_ms: the time that one in twenty exceeds.
        each_second: how many fit into a second.
    """

    name: str
    median_ms: float
    slow_ms: float
    each_second: float


def bench(rounds: int, seed: int) -> Iterator[Speed]:
    """Measure everything, each stage of seeing *rounds* times.

    Raises:
        CompanionError: the simulated table of this *seed* cannot be calibrated.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield from _seeing(rounds, seed)
    finally:
        cv2.setNumThreads(threads)
    yield _random_throws(seed)
    yield from _judging(seed)


def _seeing(rounds: int, seed: int) -> Iterator[Speed]:
    look = TableLook.from_seed(seed)
    rng = np.random.default_rng(seed)
    die = PlacedDie(4, 9.6, 4.0)
    empty, homes, game = (
        Frame(render(Scene(checkers, shown), look, rng), number=number)
        for number, (checkers, shown) in enumerate(
            (((), None), (_placed(_HOMES), None), (_placed(_GAME), die))
        )
    )
    yield from _stages("photograph", rounds, lambda: read(game, clock=time.thread_time))
    profile = fit_table(empty, homes, _SEATS)
    if isinstance(profile, Refusal):
        raise CompanionError(f"seed {seed} makes a table that cannot be calibrated by")
    model = profile.model()
    yield from _stages(
        "known table", rounds, lambda: read_table(game, model, clock=time.thread_time)[0]
    )
    yield _at_rest(profile, game, rounds)


def _placed(checkers: Mapping[Colour, tuple[str, ...]]) -> tuple[PlacedChecker, ...]:
    """Return checkers in the middle of their squares, the later ones on top of the earlier."""
    out: list[PlacedChecker] = []
    for colour, names in checkers.items():
        for number, name in enumerate(names):
            at = parse_square(name)
            layer = names[:number].count(name)
            out.append(PlacedChecker(colour, square_file(at) + 0.5, square_rank(at) + 0.5, layer))
    return tuple(out)


def _stages(name: str, rounds: int, once: Callable[[], Any]) -> Iterator[Speed]:
    once()  # what is made once and kept is not what a frame costs
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        for stage, took_ms in once().elapsed_ms.items():
            times.setdefault(stage, []).append(took_ms)
    for stage, taken in times.items():
        yield _speed(f"{name}: {stage}", taken)


def _at_rest(profile: TableProfile, frame: Frame, rounds: int) -> Speed:
    """Measure a frame of a table that lies still and has been looked at: the live loop's lot."""
    watch = TableWatch(profile.model())
    rng = np.random.default_rng(0)
    noisy = [
        np.clip(frame.pixels + rng.normal(0, 2, frame.pixels.shape), 0, 255).astype(np.uint8)
        for _ in range(4)
    ]
    frames = [
        Frame(noisy[number % 4].copy(), at_s=number / 15, number=number)
        for number in range(60 + rounds)
    ]
    taken = []
    for one in frames:
        begin = time.thread_time()
        watch.step(one)
        taken.append(1000 * (time.thread_time() - begin))
    return _speed("a frame at rest", taken[60:])


def _random_throws(seed: int) -> Speed:
    """Measure random play by four, everything that a throw leads to included."""
    rng, rules = random.Random(seed), Rules()
    start = position = Position.start(SEATS, Seat.D4)
    taken, until = [], time.thread_time() + _RULES_S
    while (begin := time.thread_time()) < until:
        for _ in range(1000):
            die = int(rng.random() * 6) + 1
            moves = legal_moves(position, die, rules)
            move = moves[int(rng.random() * len(moves))] if moves else None
            position = play(position, die, move, rules).after
            if position.winner is not None:
                position = start
        taken.append(time.thread_time() - begin)
    return _speed("a random throw by the rules", taken)


def _judging(seed: int) -> Iterator[Speed]:
    """Measure the judging of scenes in which a throw and its move are clearly to be seen.

    And of the same with most squares in doubt, the die and a cast before it not read at all.
    """
    rng = random.Random(seed)
    seats = tuple(zip(SEATS, _COLOURS, strict=True))
    names = tuple((seat, seat.value) for seat in SEATS)
    match = Match.start(GameStarted(seats, names, (), 10, 1, "points", "", ""))
    match = match.after(FirstPlayer(Seat.D4, Colour.RED))
    doubts = random.Random(f"{seed} in doubt")
    clear, doubtful = [], []
    for _ in range(_JUDGED_THROWS):
        if match.winner is not None:
            break
        die = rng.randint(1, 6)
        moves = legal_moves(match.position, die, match.rules)
        step = Moved(rng.choice(moves)) if moves else Passed(chosen=False)
        after = match.after_all(lawful_events(match, (Threw(die, _SURE), step)))
        scene = _scene(after.contents(), die)
        clear.append(_judged_ms(match, scene))
        unread = replace(scene, die=DieObservation(DieSign.THROWN, _ANY_VALUE, earlier=_ANY_VALUE))
        doubtful.append(_judged_ms(match, in_doubt(unread, doubts)))
        match = after
    yield _speed("a scene judged", clear)
    yield _speed("a scene judged, all in doubt", doubtful)


def _judged_ms(match: Match, scene: Observation) -> float:
    begin = time.thread_time()
    judge(match, scene)
    return 1000 * (time.thread_time() - begin)


def in_doubt(scene: Observation, rng: random.Random) -> Observation:
    """Return *scene* with 40 to 64 squares that may hold up to four different things each."""
    squares = list(scene.squares)
    for at in rng.sample(SQUARES, rng.randint(40, 64)):
        towers = (rng.choices(_COLOURS, k=rng.choice((0, 1, 1, 2, 3))) for _ in range(3))
        found = dict.fromkeys((squares[at].best, *(contents(*tower) for tower in towers)))
        weights = [rng.uniform(0.02, 1.0) for _ in found]
        options = zip(found, (one / sum(weights) for one in weights), strict=True)
        ordered = tuple(sorted(options, key=lambda option: -option[1]))
        squares[at] = SquareReading(ordered, changed=rng.random())
    return replace(scene, squares=tuple(squares))


def _scene(standing: dict[Square, Contents], die: int) -> Observation:
    squares = tuple(SquareReading(((standing.get(at, EMPTY), _SURE),)) for at in SQUARES)
    chances = [0.001] * 6
    chances[die - 1] = _SURE
    one, two, three, four, five, six = chances
    reading = DieReading((0, 0, 10, 10), (one, two, three, four, five, six))
    return Observation(squares, DieObservation(DieSign.THROWN, reading), 1)


def _speed(name: str, taken_ms: list[float]) -> Speed:
    middle = statistics.median(taken_ms)
    slow = statistics.quantiles(taken_ms, n=20)[-1] if len(taken_ms) > 1 else middle
    return Speed(name, round(middle, 4), round(slow, 4), round(1000 / middle, 1) if middle else 0.0)
