"""The engine compared with a slow second program that shares nothing with it."""

import random
from itertools import combinations

import pytest

from referee.moves import Move, legal_moves, play
from referee.paths import RESERVE, path
from referee.position import Position, position_text
from referee.rules import ALLOWED, Rules, changed_options, options_text, value_text
from tabletop import SEATS, square_name
from tests.referee import naive_rules as naive
from tests.referee.random_positions import (
    VARIANTS,
    random_position,
    random_rules,
    variant_name,
)
from tests.referee.tables import choices

POSITIONS = 20_000
NORTH_UP = [rules for rules in VARIANTS if not rules.rotation]


def state_of(position: Position, rules: Rules) -> naive.State:
    """Return a position as the second program writes it."""
    places = {}
    for seat in position.seats:
        way = path(seat, rules)
        places[seat.value] = [
            "R" if index == RESERVE else square_name(way[index]) for index in position.of(seat)
        ]
    return naive.State(
        places,
        position.to_move.value,
        position.throws_due,
        position.sixes_in_row,
        position.tries,
        position.winner.value if position.winner else None,
        {name: value_text(getattr(rules, name)) for name in ALLOWED if name != "rotation"},
    )


def choice_of(move: Move | None) -> naive.Choice:
    """Return a move as the second program writes it."""
    if move is None:
        return None
    source = "R" if move.source is None else square_name(move.source)
    return source, square_name(move.target)


def compare(position: Position, die: int, rules: Rules) -> None:
    """Compare the choices of one throw, and what each of them does."""
    state = state_of(position, rules)
    told = f"{position_text(position, rules)} with {options_text(rules) or 'usual rules'}, {die}"
    moves = choices(position, die, rules)
    assert {choice_of(move) for move in moves} == naive.choices(state, die), told
    assert len({*moves}) == len(moves), told
    for move in moves:
        played = play(position, die, move, rules)
        after = naive.after(state, die, choice_of(move))
        found = state_of(played.after, rules)
        assert {seat: sorted(own) for seat, own in found.places.items()} == {
            seat: sorted(own) for seat, own in after.places.items()
        }, told
        assert found.winner == after.winner, told
        assert (found.mover, found.due) == (after.mover, after.due), told
        if rules.three_sixes != Rules().three_sixes:
            assert found.sixes == after.sixes, told
        if rules.idle_tries > 1:
            assert found.throws == after.throws, told
        target = choice_of(move)
        victims = naive.victims(state, target[1]) if target else {}
        assert {seat.value: count for seat, count in played.knocked} == victims, told


@pytest.mark.parametrize("rules", NORTH_UP, ids=variant_name)
def test_every_option(rules: Rules) -> None:
    """For each option by itself both programs agree on random positions and all six values."""
    rng = random.Random(variant_name(rules))
    for _ in range(POSITIONS // len(NORTH_UP) // 6):
        position = random_position(rng, rules)
        for die in range(1, 7):
            compare(position, die, rules)


def test_options_in_pairs() -> None:
    """Both programs agree under every two options changed at once."""
    rng = random.Random("pairs")
    for one, other in combinations(NORTH_UP[1:], 2):
        rules = one.with_options(changed_options(other))
        for _ in range(25):
            compare(random_position(rng, rules), rng.randint(1, 6), rules)


@pytest.mark.proof
def test_many_positions() -> None:
    """Both programs agree on 100,000 positions under single and joint options."""
    rng = random.Random("proof")
    joint = [random_rules(rng).with_options({"rotation": 0}) for _ in range(300)]
    for number in range(100_000):
        rules = rng.choice(joint if number % 2 else NORTH_UP)
        compare(random_position(rng, rules), rng.randint(1, 6), rules)


@pytest.mark.parametrize("rules", NORTH_UP, ids=variant_name)
def test_whole_games(rules: Rules) -> None:
    """Both programs agree throughout a random game under each option."""
    rng = random.Random(variant_name(rules))
    position = Position.start(SEATS)
    for _ in range(300):
        if position.winner is not None:
            break
        die = rng.randint(1, 6)
        compare(position, die, rules)
        moves = legal_moves(position, die, rules)
        position = play(position, die, rng.choice(moves) if moves else None, rules).after


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turned_seats_play_the_same_game(quarters: int) -> None:
    """Seats turned round the board play as their neighbours do where these stand."""
    rng = random.Random(quarters)
    usual, turned = Rules(), Rules(rotation=quarters)
    for _ in range(500):
        position = random_position(rng, usual)
        checkers = position.checkers[quarters:] + position.checkers[:quarters]
        mover = SEATS[(SEATS.index(position.to_move) - quarters) % 4]
        same = position._replace(checkers=checkers, to_move=mover)
        die = rng.randint(1, 6)
        assert choices(same, die, turned) == choices(position, die, usual)
