"""The rules a second time: slowly, square by square, from the words of the rule book alone.

Nothing of the referee is used here. A position is a dictionary of places by name, options are
texts, and a throw is walked one square at a time. Where two programs that share nothing agree on
thousands of positions, a slip in one of them would have to be a slip in both.
"""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

PATHS = {
    "D4": "b1 c1 d1 e1 f1 g1 h1 h2 h3 h4 h5 h6 h7 h8 g8 f8 e8 d8 c8 b8 a8 a7 a6 a5 a4 a3 a2",
    "D3": "h2 h3 h4 h5 h6 h7 h8 g8 f8 e8 d8 c8 b8 a8 a7 a6 a5 a4 a3 a2 a1 b1 c1 d1 e1 f1 g1",
    "D2": "g8 f8 e8 d8 c8 b8 a8 a7 a6 a5 a4 a3 a2 a1 b1 c1 d1 e1 f1 g1 h1 h2 h3 h4 h5 h6 h7",
    "D1": "a7 a6 a5 a4 a3 a2 a1 b1 c1 d1 e1 f1 g1 h1 h2 h3 h4 h5 h6 h7 h8 g8 f8 e8 d8 c8 b8",
}
HOMES = {"D4": "a1 b2 c3 d4", "D3": "h1 g2 f3 e4", "D2": "h8 g7 f6 e5", "D1": "a8 b7 c6 d5"}
CORNERS = {seat: squares.split()[0] for seat, squares in HOMES.items()}
ORDER = ["D4", "D3", "D2", "D1"]

USUAL = {
    "geometry": "A",
    "corner": "block",
    "overshoot": "forbid",
    "home_dir": "forward",
    "home_jump": "true",
    "home_capacity": "0",
    "home_internal": "optional",
    "track_stack": "true",
    "stack": "all",
    "entry": "free",
    "must_move": "true",
    "must_hit": "false",
    "six_bonus": "always",
    "bonus": "single",
    "three_sixes": "none",
    "idle_tries": "1",
}

Choice: TypeAlias = tuple[str, str] | None
"""From where ("R" is the reserve) to where one checker goes; None is a pass."""


@dataclass(frozen=True)
class State:
    """A position: the places of each player's checkers, and whose throw it is."""

    places: dict[str, list[str]]
    mover: str
    due: int = 1
    sixes: int = 0
    throws: int = 0
    winner: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def says(self, option: str) -> str:
        """Return what an option is set to."""
        return self.options.get(option, USUAL[option])


def choices(state: State, die: int) -> set[Choice]:
    """Return everything the player may do with a throw."""
    if state.winner:
        return set()
    possible: dict[tuple[str, str], list[str]] = {}
    for place in set(state.places[state.mover]):
        for squares in walks(state, place, die):
            if not closed(state, squares):
                possible[place, squares[-1]] = squares
    allowed = set(possible)
    if state.says("entry") == "compulsory" and any(place == "R" for place, _ in allowed):
        allowed = {(place, target) for place, target in allowed if place == "R"}
    if state.says("must_hit") == "true":
        hitting = {move for move in allowed if victims(state, move[1])}
        allowed = hitting or allowed
    inside = HOMES[state.mover].split()
    only_inside = all(place in inside for place, _ in allowed)
    optional = state.says("home_internal") == "optional"
    if not allowed or state.says("must_move") == "false" or (only_inside and optional):
        return {*allowed, None}
    return {*allowed}


def walks(state: State, place: str, die: int) -> list[list[str]]:
    """Return the ways a throw can carry a checker, each as the squares it sets foot on."""
    seat = state.mover
    inside = HOMES[seat].split()
    way = PATHS[seat].split()
    if state.says("geometry") == "B":
        way = [square for square in way if square not in CORNERS.values()]
    way += inside
    if place == "R":
        return [[way[0]]] if die == 6 else []
    if place in inside and state.says("home_internal") == "forbidden":
        return []
    found = []
    bounces = state.says("overshoot") == "bounce" and place not in inside
    at, step, squares = way.index(place), 1, []
    for _ in range(die):
        if at == len(way) - 1:
            step = -1
        at += step
        squares.append(way[at])
    if step == 1 or bounces:
        found.append(squares)
    if place in inside and state.says("home_dir") == "both":
        depth = inside.index(place)
        if depth - die >= 0:
            found.append([inside[depth - back] for back in range(1, die + 1)])
    return found


def closed(state: State, squares: list[str]) -> bool:
    """Tell whether the way or the landing is closed by an option, or by a corner's owner."""
    seat, target, over = state.mover, squares[-1], squares[:-1]
    inside = HOMES[seat].split()
    own = state.places[seat]
    if state.says("stack") == "block":
        for other in state.places:
            for square in squares:
                on_ring = square != CORNERS[other]
                if other != seat and on_ring and state.places[other].count(square) >= 2:
                    return True
    if state.says("track_stack") == "false" and target not in inside and target in own:
        return True
    if state.says("home_jump") == "false" and any(at in inside and at in own for at in over):
        return True
    if state.says("home_capacity") == "1" and target in inside and target in own:
        return True
    for owner, corner in CORNERS.items():
        if owner != seat and target == corner:
            if state.says("corner") == "pass":
                return True
            if state.says("corner") == "block" and corner in state.places.get(owner, []):
                return True
    return False


def victims(state: State, target: str) -> dict[str, int]:
    """Return whose checkers a landing knocks out, and how many."""
    found = {}
    for other, places in state.places.items():
        count = places.count(target)
        at_home = target in HOMES[other].split()
        if other != state.mover and count and (not at_home or state.says("corner") == "hit"):
            found[other] = count
    return found


def after(state: State, die: int, choice: Choice) -> State:
    """Return the state after a throw was played."""
    seat = state.mover
    places = {other: list(own) for other, own in state.places.items()}
    hit = False
    if choice is not None:
        place, target = choice
        for other in victims(state, target):
            places[other] = ["R" if at == target else at for at in places[other]]
            hit = True
        places[seat].remove(place)
        places[seat].append(target)
    state = replace(state, places=places)
    if all(place in HOMES[seat].split() for place in places[seat]):
        return replace(state, due=0, winner=seat, sixes=0, throws=0)

    six = die == 6 and (choice is not None or state.says("six_bonus") == "always")
    extra = int(six) + int(hit)
    if state.says("bonus") == "single":
        extra = min(extra, 1)
    due = state.due - 1 + extra
    sixes = state.sixes + 1 if die == 6 else 0
    throws = state.throws + 1
    on_ring = [place for place in places[seat] if place not in ("R", *HOMES[seat].split())]
    tries = int(state.says("idle_tries"))
    if due == 0 and choice is None and not on_ring and throws < tries:
        due = 1
    if state.says("three_sixes") == "end_turn" and sixes == 3:
        due = 0
    if due:
        return replace(state, due=due, sixes=sixes, throws=throws)
    playing = [other for other in ORDER if other in places]
    following = playing[(playing.index(seat) + 1) % len(playing)]
    return replace(state, mover=following, due=1, sixes=0, throws=0)
