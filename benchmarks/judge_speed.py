"""How long the judge takes: the table in docs/judging.md.

Of each scene the quickest of three times counts, of this process alone: others on the same core
make it slower, and none quicker.

python -m benchmarks.judge_speed [SCENES]
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from time import process_time

from companion.measuring.bench import in_doubt
from referee.hypotheses import Moved, Passed, Threw
from referee.judge import judge
from referee.match import Match, Phase
from referee.moves import play
from referee.outcomes import lawful_events
from tabletop import (
    Colour,
    DieObservation,
    DieReading,
    DieSign,
    Observation,
)
from tests.builders import game_started
from tests.referee.noisy_reader import BOX, Board, Cast, Noise, Reader

COLOURS = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
SIXTH = 1 / 6
ANY_VALUE = DieReading(BOX, (SIXTH,) * 6)
NOISE = Noise().times(4)
MOST_THROWS = 400

Scene = tuple[Match, Observation]
Doubt = Callable[[DieObservation], DieObservation]


def main() -> None:
    """Judge so many scenes of each kind and print a line of the table for each."""
    scenes = int(sys.argv[1]) if len(sys.argv) > 1 else 1600
    kinds: dict[str, tuple[Phase, Doubt]] = {
        "a throw, its move and noise on the squares": (Phase.THROW, _as_it_is),
        "a move and the next throw, seen at once": (Phase.MOVE, _as_it_is),
        "a throw and its move, the die equally likely on all six values": (Phase.THROW, _any),
        "a move and the next throw, the die equally likely on all six values": (Phase.MOVE, _any),
        "the same after an earlier cast that may be any value too": (Phase.MOVE, _any_twice),
    }
    for name, (phase, doubt) in kinds.items():
        taken = sorted(_taken_ms(*scene) for scene in drawn_scenes(scenes, phase, doubt))
        middle, most = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
        print(f"| {name} | {middle:.1f} ms | {most:.1f} ms |", flush=True)
    rng, worst = Random("all in doubt"), []
    for match, scene in drawn_scenes(scenes, Phase.THROW, _any_twice):
        restoring = replace(match, restoring=rng.random() < 0.3)
        worst.append(_taken_ms(restoring, in_doubt(scene, rng)))
    worst.sort()
    middle, most = worst[len(worst) // 2], worst[int(len(worst) * 0.99)]
    name = "a throw and its move after such a cast, 40 to 64 squares in doubt"
    print(f"| {name} | {middle:.1f} ms | {most:.1f} ms |")


def drawn_scenes(most: int, phase: Phase, doubt: Doubt) -> Iterator[Scene]:
    """Yield scenes of random games of four, in which what was done since *phase* is seen."""
    rng = Random(f"{phase} {doubt.__name__}")
    found = 0
    while found < most:
        for before, board, value in _deeds(rng, phase):
            reader = Reader(rng, NOISE, COLOURS)
            cast = (Cast(found, value), DieSign.THROWN)
            scene = reader.look(board, before.contents(), cast, {})
            assert scene.die is not None
            yield before, replace(scene, die=doubt(scene.die))
            found += 1
            if found == most:
                return


def _deeds(rng: Random, phase: Phase) -> Iterator[tuple[Match, Board, int]]:
    """Yield, all through a game, a match in *phase*, the board it led to, and the last throw."""
    match = Match.start(game_started())
    before: Match | None = None
    for _ in range(MOST_THROWS):
        value = rng.randint(1, 6)
        if phase is Phase.MOVE and before is not None:
            yield before, match.contents(), value
        if phase is Phase.THROW and match.phase is Phase.THROW:
            before = match
        match = _after(match, Threw(value, 1.0))
        if match.phase is not Phase.MOVE:
            continue
        if not match.legal:
            match = _after(match, Passed(chosen=False))
            continue
        owed = match
        move = rng.choice(match.legal)
        played = play(match.position, value, move, match.rules).after
        if phase is Phase.THROW and before is not None:
            yield before, match.contents(played), value
        before = owed if phase is Phase.MOVE else None
        match = _after(match, Moved(move))
        if match.phase is Phase.OVER:
            return


def _after(match: Match, step: Threw | Moved | Passed) -> Match:
    for event in lawful_events(match, (step,)):
        match = match.after(event)
    return match


def _taken_ms(match: Match, scene: Observation) -> float:
    return 1000 * min(_taken_s(match, scene) for _ in range(3))


def _taken_s(match: Match, scene: Observation) -> float:
    begun = process_time()
    judge(match, scene)
    return process_time() - begun


def _as_it_is(die: DieObservation) -> DieObservation:
    return die


def _any(die: DieObservation) -> DieObservation:
    return replace(die, reading=ANY_VALUE)


def _any_twice(die: DieObservation) -> DieObservation:
    return replace(die, reading=ANY_VALUE, earlier=ANY_VALUE)


if __name__ == "__main__":
    main()
