"""What people do wrongly, each act with the name that the rules give it."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from referee.match import Match, Phase
from referee.moves import Move, legal_moves, play, reason_against
from referee.paths import RESERVE, path
from referee.position import Position, reserve_count
from referee.reasons import Reason
from tabletop import EMPTY, SQUARES, Colour, Seat, Square, contents
from tests.referee.noisy_reader import Board

_PART_OF_A_MOVE = (Reason.KNOCKED_OUT_LEFT_ON_BOARD, Reason.MUST_ENTER, Reason.MUST_HIT)


@dataclass(frozen=True, slots=True)
class WrongAct:
    """A board that breaks a rule, and which."""

    reason: Reason
    board: Board


def without(board: Board, at: Square, colour: Colour) -> Board:
    """Return *board* with one checker less."""
    there = list(board[at])
    there.remove(colour)
    changed = board | {at: tuple(there)}
    return {square: what for square, what in changed.items() if what}


def with_one(board: Board, at: Square, colour: Colour) -> Board:
    """Return *board* with one checker more."""
    return board | {at: contents(*board.get(at, EMPTY), colour)}


def carried(board: Board, colour: Colour, move: Move) -> Board:
    """Return *board* after a checker was carried, whoever stood where it landed."""
    taken = board if move.source is None else without(board, move.source, colour)
    return with_one(taken, move.target, colour)


def moved_rightly(match: Match, position: Position, die: int, move: Move) -> Board:
    """Return the board after a lawful move with all that belongs to it."""
    return match.contents(play(position, die, move, match.rules).after)


def wrong_acts(match: Match, rng: Random) -> list[WrongAct]:
    """Return wrong acts that can be committed now, several of each kind."""
    if match.phase is Phase.OVER:
        acts = list(_moved(match, Reason.GAME_OVER, match.playing, rng))
    elif match.phase is Phase.MOVE:
        acts = [*_by_one_checker(match, rng), *_by_several(match, rng), *_removed(match)]
        others = tuple(seat for seat in match.playing if seat is not match.to_move)
        acts += _moved(match, Reason.NOT_YOUR_CHECKER, others, rng)
    else:
        acts = list(_before_the_throw(match, rng))
    if match.phase is Phase.THROW or match.taken_back:
        # Moves put back by hand are taken back, however many.
        before = [match.contents(throw.played.before) for throw in match.throws]
        acts = [act for act in acts if act.board not in before]
    return [*acts, *_one_too_many(match, rng)]


def boards_after(match: Match, die: int) -> list[Board]:
    """Return the boards that a throw of *die* may lead to."""
    legal = legal_moves(match.position, die, match.rules)
    return [moved_rightly(match, match.position, die, move) for move in legal]


def lies_beside(board: Board, other: Board) -> bool:
    """Tell whether two boards differ on one square at most."""
    return len(_differing(board, other)) < 2


def beside(first: WrongAct, acts: list[WrongAct], before: Board, rng: Random) -> WrongAct | None:
    """Return another act of *acts* that can be done beside the *first*, with checkers of others.

    Each moves, adds or takes off checkers of one colour, and neither is half of a right move.
    """
    touched, colours = _differing(first.board, before), _colours_touched(first.board, before)
    found = [
        act
        for act in acts
        if not touched & _differing(act.board, before)
        and not colours & _colours_touched(act.board, before)
        and len(_colours_touched(act.board, before)) == 1
        and act.reason not in _PART_OF_A_MOVE
    ]
    alone = len(colours) == 1 and first.reason not in _PART_OF_A_MOVE
    return rng.choice(found) if found and alone else None


def both(first: WrongAct, second: WrongAct, before: Board) -> Board:
    """Return the board after two acts that touch nothing in common."""
    done = {at: second.board.get(at, EMPTY) for at in _differing(second.board, before)}
    return {at: there for at, there in (first.board | done).items() if there}


def _differing(board: Board, other: Board) -> set[Square]:
    return {at for at in board.keys() | other.keys() if board.get(at) != other.get(at)}


def _colours_touched(board: Board, before: Board) -> set[Colour]:
    return {
        colour
        for at in _differing(board, before)
        for colour in {*board.get(at, EMPTY), *before.get(at, EMPTY)}
        if board.get(at, EMPTY).count(colour) != before.get(at, EMPTY).count(colour)
    }


def shoved_aside(match: Match, after: Board, move: Move, rng: Random) -> WrongAct | None:
    """Return *after*, the board that *move* leads to, with a checker in passing shoved aside."""
    own = match.colour(match.to_move)
    shoves = []
    for at, there in after.items():
        # A checker that stands alone and had no part in the move; and an empty square beside it.
        if at == move.target or there != match.contents().get(at) or len(there) > 1:
            continue
        beside = [at - 1] * (at % 8 > 0) + [at + 1] * (at % 8 < 7) + [at - 8, at + 8]
        shoves += [
            (at, away)
            for away in beside
            if away in SQUARES and away not in after | match.contents()
        ]
    if not shoves:
        return None
    at, away = rng.choice(shoves)
    colour = after[at][0]
    reason = Reason.TWO_MOVES if colour is own else Reason.NOT_YOUR_CHECKER
    return WrongAct(reason, carried(after, colour, Move(at, away)))


def _by_one_checker(match: Match, rng: Random) -> Iterator[WrongAct]:
    """Yield what the mover can do wrongly with one checker, a few acts for each reason."""
    assert match.die is not None
    board, colour = match.contents(), match.colour(match.to_move)
    way = path(match.to_move, match.rules)
    by_reason: dict[Reason, list[Move]] = {}
    for index in sorted(set(match.position.of(match.to_move))):
        source = None if index == RESERVE else way[index]
        for target in SQUARES:
            move = Move(source, target)
            if target == source:
                continue
            reason = reason_against(match.position, match.die, move, match.rules)
            if reason is None and play(match.position, match.die, move, match.rules).knocked:
                reason = Reason.KNOCKED_OUT_LEFT_ON_BOARD
            if reason is not None:
                by_reason.setdefault(reason, []).append(move)
    for reason, moves in by_reason.items():
        for move in rng.sample(moves, min(2, len(moves))):
            yield WrongAct(reason, carried(board, colour, move))


def _by_several(match: Match, rng: Random) -> Iterator[WrongAct]:
    """Yield two moves at once, and lawful moves with something else beside them."""
    assert match.die is not None
    legal = legal_moves(match.position, match.die, match.rules)
    colour = match.colour(match.to_move)
    for move in rng.sample(legal, min(2, len(legal))):
        board = moved_rightly(match, match.position, match.die, move)
        after = play(match.position, match.die, move, match.rules).after
        own = [i for i in after.of(match.to_move) if i != RESERVE]
        way = path(match.to_move, match.rules)
        others = [at for at in (way[i] for i in own) if at != move.target]
        free = [at for at in way if at not in board and at not in match.contents()]
        if others and free:
            second = carried(board, colour, Move(rng.choice(others), rng.choice(free)))
            yield WrongAct(Reason.TWO_MOVES, second)
        standing = [(at, c) for at, there in board.items() for c in there if c is not colour]
        if standing:
            at, foreign = rng.choice(standing)
            yield WrongAct(Reason.REMOVED_WITHOUT_KNOCK_OUT, without(board, at, foreign))
            if free:
                swapped = carried(board, foreign, Move(at, rng.choice(free)))
                yield WrongAct(Reason.NOT_YOUR_CHECKER, swapped)


def _removed(match: Match) -> Iterator[WrongAct]:
    """Yield checkers taken off that no legal move knocks out."""
    assert match.die is not None
    board, own = match.contents(), match.colour(match.to_move)
    hit = {move.target for move in legal_moves(match.position, match.die, match.rules)}
    for at, there in board.items():
        if there[0] is own or at not in hit:
            taken = WrongAct(Reason.REMOVED_WITHOUT_KNOCK_OUT, without(board, at, there[0]))
            yield taken


def _before_the_throw(match: Match, rng: Random) -> Iterator[WrongAct]:
    """Yield moves without a throw, by players of whom none can be changing his mind."""
    last = match.last
    seats = tuple(seat for seat in match.playing if last is None or seat is not last.seat)
    yield from _moved(match, Reason.MOVED_BEFORE_THROW, seats, rng)
    for seat in seats:
        at = path(seat, match.rules)[0]
        if reserve_count(match.position, seat) and at not in match.contents():
            entered = carried(match.contents(), match.colour(seat), Move(None, at))
            yield WrongAct(Reason.MOVED_BEFORE_THROW, entered)


def _moved(
    match: Match, reason: Reason, seats: tuple[Seat, ...], rng: Random
) -> Iterator[WrongAct]:
    """Yield a checker of each of *seats* moved to a free square of its path."""
    board = match.contents()
    for seat in seats:
        way, colour = path(seat, match.rules), match.colour(seat)
        sources = [way[index] for index in match.position.of(seat) if index != RESERVE]
        free = [at for at in way if at not in board]
        if sources and free:
            move = Move(rng.choice(sources), rng.choice(free))
            yield WrongAct(reason, carried(board, colour, move))


def _one_too_many(match: Match, rng: Random) -> Iterator[WrongAct]:
    if match.phase is Phase.OVER:
        return
    board = match.contents()
    for seat in match.playing:
        if not reserve_count(match.position, seat):
            free = [at for at in path(seat, match.rules) if at not in board]
            if free:
                extra = with_one(board, rng.choice(free), match.colour(seat))
                yield WrongAct(Reason.UNKNOWN_CHECKER, extra)
