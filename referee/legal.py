"""Which moves are legal, and the first reason against one that is not."""

from referee.paths import HOME_SQUARES, RESERVE, RING, home, used_squares
from referee.position import Checkers, Position
from referee.reasons import Reason
from referee.rules import EntryRule, HomeDirection, HomeInternal, Overshoot, Rules
from referee.steps import Move, SeatSteps, all_steps, jumps_at_home
from tabletop import Seat, Square


def legal_moves(position: Position, die: int, rules: Rules) -> tuple[Move, ...]:
    """Return the distinct legal moves, an entry first, then by the place on the path.

    Raises:
        ValueError: *die* is not 1 to 6.
    """
    if position.winner is not None:
        return ()
    steps = all_steps(rules)[position.to_move]
    checkers = position.checkers
    row = steps.rows[die]
    moves = []
    before = None
    for index in checkers[steps.number]:
        if index != before:
            before = index
            for move, guards in row[index]:
                for guard in guards:
                    if guard.closes(checkers):
                        break
                else:
                    moves.append(move)
    if steps.demanding and len(moves) > 1:
        moves = _demanded(moves, checkers, steps, rules)
    return tuple(moves)


def may_pass(position: Position, die: int, rules: Rules) -> bool:
    """Tell whether the player may leave the throw unused.

    He may where nothing is legal, and where every legal move is inside his home, unless the
    options say otherwise.
    """
    if position.winner is not None:
        return False
    moves = legal_moves(position, die, rules)
    if not moves or not rules.must_move:
        return True
    inside = home(position.to_move, rules)
    return rules.home_internal is HomeInternal.OPTIONAL and all(
        move.source in inside for move in moves
    )


def reason_against(
    position: Position,
    die: int | None,
    move: Move | None,
    rules: Rules,
    mover: Seat | None = None,
) -> Reason | None:
    """Return the first reason against moving one checker, or passing; None where it is legal.

    What takes more than one checker and one throw to see (two moves, a victim left standing, a
    die turned over) is not for this function.

    Args:
        position: where the checkers stood.
        die: what was thrown; None where no throw is due to be played.
        move: where one checker went; None is a pass.
        rules: what the table plays by.
        mover: whose checker moved. By default the player's whose throw it is, or, where none of
            his stood on the square, whoever's did.
    """
    if position.winner is not None:
        return Reason.GAME_OVER
    if move is None:
        owed = die is not None and not may_pass(position, die, rules)
        return Reason.MUST_MOVE if owed else None
    owner = mover or _owner(position, move.source, rules)
    if not _stands(owner, position, move.source, rules):
        return Reason.UNKNOWN_CHECKER
    if die is None:
        return Reason.MOVED_BEFORE_THROW
    if owner is not position.to_move:
        return Reason.NOT_YOUR_CHECKER
    steps = all_steps(rules)[owner]
    for right, guards in steps.rows[die][steps.indices[move.source]]:
        if right == move:
            closed = next((guard for guard in guards if guard.closes(position.checkers)), None)
            return closed.reason if closed else _demand_against(position, die, move, rules)
    return _misplaced(position, die, move, rules)


def _demanded(moves: list[Move], checkers: Checkers, steps: SeatSteps, rules: Rules) -> list[Move]:
    """Return the moves to which the options narrow the choice: entries first, then knock-outs."""
    if rules.entry is EntryRule.COMPULSORY:
        moves = [move for move in moves if move.source is None] or moves
    if rules.must_hit:
        moves = [move for move in moves if _knocks_out(move, checkers, steps)] or moves
    return moves


def _knocks_out(move: Move, checkers: Checkers, steps: SeatSteps) -> bool:
    victims = steps.victims[steps.indices[move.target]]
    return any(index in checkers[number] for number, index in victims)


def _owner(position: Position, source: Square | None, rules: Rules) -> Seat:
    """Return whose checker stands on *source*; the mover where it is the reserve, or empty."""
    seats = (position.to_move, *position.seats) if source is not None else ()
    return next(
        (seat for seat in seats if _stands(seat, position, source, rules)), position.to_move
    )


def _stands(seat: Seat, position: Position, source: Square | None, rules: Rules) -> bool:
    return all_steps(rules)[seat].indices.get(source) in position.of(seat)


def _demand_against(position: Position, die: int, move: Move, rules: Rules) -> Reason | None:
    """Return what the options demand instead of a move of the right distance."""
    moves = legal_moves(position, die, rules)
    if move in moves:
        return None
    must_enter = rules.entry is EntryRule.COMPULSORY and moves[0].source is None
    return Reason.MUST_ENTER if must_enter else Reason.MUST_HIT


def _misplaced(position: Position, die: int, move: Move, rules: Rules) -> Reason:
    """Return what is wrong with the square to which the mover's checker went."""
    steps = all_steps(rules)[position.to_move]
    index = steps.indices[move.source]
    inside = home(position.to_move, rules)
    there = steps.indices.get(move.target)
    if move.target not in used_squares(rules):
        return Reason.OFF_PATH
    if index == RESERVE:
        return Reason.WRONG_START_SQUARE if die == 6 else Reason.ENTRY_NEEDS_SIX
    if index >= steps.home and move.target in RING and move.target not in inside:
        return Reason.LEFT_HOME
    if there is None:
        return Reason.CORNER_RESERVED if move.target in RING else Reason.FOREIGN_HOME
    return _wrong_way(position, die, (index, there), rules)


def _wrong_way(position: Position, die: int, indices: tuple[int, int], rules: Rules) -> Reason:
    """Return what is wrong with going between two squares of the mover's own path."""
    index, there = indices
    steps = all_steps(rules)[position.to_move]
    last = steps.home + HOME_SQUARES - 1
    at_home = index >= steps.home
    if at_home and there < index and rules.home_dir is HomeDirection.FORWARD:
        return Reason.HOME_BACKWARDS
    over = tuple(range(min(index, there) + 1, max(index, there)))
    if not rules.home_jump and jumps_at_home(steps.number, over, steps.home).closes(
        position.checkers
    ):
        return Reason.HOME_JUMP
    if not at_home and there < index:
        # Where the throw would have led on the ring, had the checker passed its own corner.
        second_lap = index + die - (steps.home + 1)
        return Reason.SECOND_LAP if there == second_lap else Reason.WRONG_DIRECTION
    bounces = not at_home and rules.overshoot is Overshoot.BOUNCE
    if index < there >= steps.home and index + die > last and not bounces:
        return Reason.OVERSHOOT
    return Reason.WRONG_DISTANCE
