"""What must hold whatever happens."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.moves import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    legal_moves,
    may_pass,
    move_text,
    parse_move,
    play,
    reason_against,
)
from referee.paths import corner, home, path
from referee.position import Position, home_count, parse_position, position_text, standing
from referee.record import (
    Action,
    Ending,
    GameRecord,
    Header,
    RecordError,
    parse_record,
    record_text,
)
from referee.rules import Corner, Rules
from tabletop import SEATS, SQUARES, Colour, Seat
from tests.referee.random_positions import VARIANTS, random_position
from tests.referee.tables import RECORDS, choices

rules_used = st.sampled_from(VARIANTS)
dice = st.integers(1, 6)
seeds = st.randoms(use_true_random=False)
lines = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)


@settings(deadline=None)
@given(seeds, rules_used, dice)
def test_reasons_are_against_illegal_moves_only(rng: random.Random, rules: Rules, die: int) -> None:
    """A move of any checker to any square has a reason against it exactly if it is not legal."""
    position = random_position(rng, rules)
    legal = {*legal_moves(position, die, rules)}
    own = {path(position.to_move, rules)[at] for at in position.of(position.to_move) if at >= 0}
    for source in (None, *standing(position, rules)):
        for target in SQUARES:
            move = Move(source, target)
            is_legal = move in legal and (source is None or source in own)
            assert (reason_against(position, die, move, rules) is None) == is_legal
    passing = reason_against(position, die, None, rules) is None
    assert passing == may_pass(position, die, rules)


@settings(deadline=None)
@given(seeds, rules_used, dice)
def test_there_is_always_something_to_do(rng: random.Random, rules: Rules, die: int) -> None:
    """Every throw can be played or passed, and every choice is read back from its text."""
    position = random_position(rng, rules)
    moves = choices(position, die, rules)
    assert moves
    assert [parse_move(move_text(move)) for move in moves] == moves


@settings(max_examples=40, deadline=None)
@given(seeds, rules_used, st.lists(st.sampled_from(SEATS), min_size=2, unique=True))
def test_games_keep_the_checkers(rng: random.Random, rules: Rules, seats: list[Seat]) -> None:
    """Throughout a game checkers are conserved, colours keep apart, and turns go round."""
    position = Position.start(seats, rng.choice(seats))
    for _ in range(250):
        if position.winner is not None:
            break
        die = rng.randint(1, 6)
        played = play(position, die, rng.choice(choices(position, die, rules)), rules)
        check_step(played.before, played.after, rules)
        assert sum(n for _, n in played.knocked) == sum(
            max(0, played.after.of(seat).count(-1) - position.of(seat).count(-1))
            for seat in position.seats
        )
        position = played.after


def check_step(before: Position, after: Position, rules: Rules) -> None:
    """Assert what holds after every throw."""
    assert after.seats == before.seats
    assert all(len(after.of(seat)) == 4 for seat in after.seats)
    for at, here in standing(after, rules).items():
        if len(here) > 1:
            owners = [seat for seat, _ in here if at == corner(seat, rules)]
            assert rules.corner is Corner.SHARE
            assert len(owners) == 1
            assert len(here) == 2
    won = [seat for seat in after.seats if home_count(after, seat, rules) == 4]
    assert won == ([after.winner] if after.winner else [])
    assert (after.throws_due == 0) == (after.winner is not None)
    assert parse_position(position_text(after, rules), rules) == after._replace(
        sixes_in_row=0, tries=0
    )


@settings(max_examples=40, deadline=None)
@given(
    seeds,
    rules_used,
    st.lists(st.sampled_from(SEATS), min_size=2, unique=True),
    st.integers(0, 120),
    lines,
)
def test_records_survive_their_text(
    rng: random.Random, rules: Rules, seats: list[Seat], throws: int, text: str
) -> None:
    """A game of any length under any rules is read back as it was written."""
    seats = [seat for seat in SEATS if seat in seats]
    header = Header(
        tuple(seats),
        rng.choice(seats),
        tuple(f"{text}{seat}" for seat in seats),
        tuple(rng.sample(tuple(Colour), len(seats))),
        rules,
        stake=rng.randrange(100),
        fine=rng.randrange(9),
        unit=text,
        event=f'"{text}"',
    )
    position = header.start
    actions: list[Action] = []
    while position.winner is None and len(actions) < throws:
        die = rng.randint(1, 6)
        move = rng.choice(choices(position, die, rules))
        comment = text.replace("}", "") if rng.random() < 0.1 else ""
        actions.append(Action(die, move, comment))
        position = play(position, die, move, rules).after
    record = GameRecord(header, tuple(actions), position.winner or rng.choice([*Ending]))
    assert parse_record(record_text(record)) == record


@settings(deadline=None)
@given(seeds, dice)
def test_homes_are_left_by_nobody(rng: random.Random, die: int) -> None:
    """No legal move leaves a home."""
    rules = Rules()
    position = random_position(rng, rules)
    inside = home(position.to_move, rules)
    for move in legal_moves(position, die, rules):
        assert move.source not in inside or move.target in inside


@settings(deadline=None, max_examples=100)
@given(st.data(), st.text(max_size=3))
def test_a_damaged_record_is_read_or_refused(data: st.DataObject, put: str) -> None:
    """Whatever happens to a text, it is a record still or an error that says why it is not."""
    text = RECORDS[0].read_text(encoding="utf-8")
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(begin + 30, len(text))))
    damaged = text[:begin] + put + text[end:]
    try:
        record = parse_record(damaged)
    except (RecordError, InvalidMoveError, IllegalMoveError, AmbiguousMoveError):
        return
    assert parse_record(record_text(record)) == record
