"""Random rules and positions for comparing and for properties."""

import random

from referee.paths import RESERVE, corner, home_index, path
from referee.position import Position
from referee.rules import ALLOWED, Corner, Rules, changed_options, rules_from, value_text
from tabletop import CHECKERS_EACH, SEATS, Seat

VARIANTS: tuple[Rules, ...] = (
    Rules(),
    *(
        rules_from({name: value_text(value)})
        for name, values in ALLOWED.items()
        for value in values
        if value != getattr(Rules(), name)
    ),
)
"""The usual rules, and each option by itself at each unusual value."""


def random_rules(rng: random.Random) -> Rules:
    """Return rules with every option drawn at random, the usual ones more often."""
    drawn = {name: rng.choice(values) for name, values in ALLOWED.items() if rng.random() < 0.4}
    return rules_from(drawn)


def random_position(rng: random.Random, rules: Rules) -> Position:
    """Return a position that can stand on a table, crowded so that checkers meet."""
    seats = rng.sample(SEATS, rng.randint(2, 4))
    places: dict[Seat, list[int]] = {}
    taken: dict[int, Seat] = {}
    centre = rng.randrange(28)
    for seat in seats:
        places[seat] = [RESERVE] * CHECKERS_EACH
        for checker in range(CHECKERS_EACH):
            index = _random_index(rng, seat, centre, rules)
            if index == RESERVE:
                continue
            at = path(seat, rules)[index]
            at_home = index >= home_index(rules)
            shared = rules.corner is Corner.SHARE and (
                at_home or at == corner(taken.get(at, seat), rules)
            )
            if taken.get(at, seat) is seat or (shared and rng.random() < 0.8):
                places[seat][checker] = index
                taken[at] = seat
        if min(places[seat]) >= home_index(rules):
            places[seat][0] = RESERVE
    checkers = tuple(tuple(sorted(places.get(seat, ()))) for seat in SEATS)
    counted = rules.three_sixes != Rules().three_sixes
    return Position(
        checkers,
        rng.choice(seats),
        throws_due=rng.choice((1, 1, 1, 2)),
        sixes_in_row=rng.randrange(3) if counted else 0,
        tries=rng.randrange(rules.idle_tries) if rules.idle_tries > 1 else 0,
    )


def _random_index(rng: random.Random, seat: Seat, centre: int, rules: Rules) -> int:
    """Return a place on a seat's path, often near one corner of the board or at home."""
    draw = rng.random()
    length = len(path(seat, rules))
    if draw < 0.2:
        return RESERVE
    if draw < 0.5:
        return rng.randrange(home_index(rules) - 4, length)
    if draw < 0.8:
        near = (centre - 7 * SEATS.index(seat) + rng.randint(0, 6)) % 28
        return min(near, home_index(rules) - 1)
    return rng.randrange(length)


def variant_name(rules: Rules) -> str:
    """Return a short name for messages."""
    changed = changed_options(rules)
    return "-".join(f"{name}={value_text(value)}" for name, value in changed.items()) or "usual"
