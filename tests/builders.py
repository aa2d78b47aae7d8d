"""Plain builders of matches and observations for tests."""

from collections.abc import Mapping
from dataclasses import replace

from referee.events import Event, GameStarted
from referee.judge import judge
from referee.match import Match, Phase
from referee.position import parse_position
from referee.verdict import Verdict
from tabletop import (
    EMPTY,
    SQUARES,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Observation,
    SquareReading,
    contents,
    parse_seats,
    parse_square,
    square_name,
)

FOUR = "D4=red,D3=green,D2=blue,D1=yellow"
TWO = "D4=red,D2=blue"
SURE = 0.995


def game_started(seats: str = FOUR, **rules: str | int | bool) -> GameStarted:
    """Return the first event of a game with stake 10 and fine 1."""
    playing = tuple(parse_seats(seats).items())
    names = tuple((seat, f"Player {seat}") for seat, _ in playing)
    return GameStarted(playing, names, tuple(rules.items()), 10, 1, "points", "1.0.0", "none")


def match_at(
    position: str, die: int | None = None, seats: str = FOUR, **rules: str | int | bool
) -> Match:
    """Return a match that stands at a position's one-line text, awaiting a throw or a move."""
    start = Match.start(game_started(seats, **rules))
    stands = parse_position(position, start.rules)
    phase = Phase.THROW if die is None else Phase.MOVE
    return replace(start, position=stands, phase=phase, die=die, sequence=10, thrown_at=10)


def standing(text: str) -> dict[str, Contents]:
    """Return contents by square from text like ``b1=red h4=green,green``."""
    found = {}
    for part in text.split():
        at, _, colours = part.partition("=")
        found[at] = contents(*(Colour(name) for name in colours.split(",")))
    return found


def of_match(match: Match) -> dict[str, Contents]:
    """Return what must stand on the board, by the names of squares."""
    return {square_name(at): there for at, there in match.contents().items()}


def seen(
    board: Mapping[str, Contents],
    die: DieObservation | None = None,
    *,
    doubts: Mapping[str, tuple[tuple[Contents, float], ...]] | None = None,
    changed: Mapping[str, float] | None = None,
    obscured: bool = False,
) -> Observation:
    """Return a scene in which *board* is seen surely, but for the *doubts*."""
    squares = [SquareReading(((board.get(square_name(at), EMPTY), SURE),)) for at in SQUARES]
    for name, options in (doubts or {}).items():
        squares[parse_square(name)] = SquareReading(options)
    if changed is not None:
        squares = [
            replace(reading, changed=changed.get(square_name(at), 0.01))
            for at, reading in enumerate(squares)
        ]
    return Observation(tuple(squares), die, 0 if die is None else 1, obscured)


def thrown(value: int, confidence: float = 0.99, other: int | None = None) -> DieObservation:
    """Return a die just thrown; what is left of the confidence is *other*'s, or everybody's."""
    left = (1 - confidence) / (5 if other is None else 1)
    shares = [left if other is None else 0.0] * 6
    if other is not None:
        shares[other - 1] = left
    shares[value - 1] = confidence
    return DieObservation(DieSign.THROWN, _die(shares))


def lying(value: int, sign: DieSign = DieSign.SAME) -> DieObservation:
    """Return a die that lies as it lay, or was turned."""
    shares = [0.002] * 6
    shares[value - 1] = 0.99
    return DieObservation(sign, _die(shares))


def cocked() -> DieObservation:
    """Return a die just thrown that leans."""
    reading = DieReading((0, 0, 20, 20), (1 / 6,) * 6, DieState.COCKED)
    return DieObservation(DieSign.THROWN, reading)


def ruled(match: Match, *scenes: Observation) -> tuple[Match, list[Event], Verdict]:
    """Judge *scenes* one after another; return the match, all events and the last verdict."""
    events: list[Event] = []
    for scene in scenes:
        verdict = judge(match, scene)
        for event in verdict.events:
            match = match.after(event)
            events.append(event)
    return match, events, verdict


def _die(shares: list[float]) -> DieReading:
    one, two, three, four, five, six = shares
    return DieReading((0, 0, 20, 20), (one, two, three, four, five, six))
