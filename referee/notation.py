"""Moves as people write them, read with the position before one's eyes."""

from referee.legal import legal_moves, may_pass, reason_against
from referee.moves import AmbiguousMoveError, IllegalMoveError, move_text, parse_move
from referee.position import Position, position_text
from referee.rules import Rules
from referee.steps import Move
from tabletop import SQUARE_NAMES


def read_move(text: str, position: Position, die: int, rules: Rules) -> Move | None:
    """Return the legal move that *text* means; None is a pass.

    A single square is enough where it fits one legal move, as where it begins or where it ends.

    >>> from tabletop import Seat
    >>> start = Position.start([Seat.D4, Seat.D2])
    >>> move_text(read_move("b1", start, 6, Rules()))
    '@b1'

    Raises:
        InvalidMoveError: the text is no move at all.
        IllegalMoveError: the move is not legal for this throw.
        AmbiguousMoveError: the square fits several legal moves.
    """
    plain = text.strip()
    where = f"for a {die} in {position_text(position, rules)}"
    if plain not in SQUARE_NAMES:
        move = parse_move(plain)
        reason = reason_against(position, die, move, rules)
        if reason is not None:
            raise IllegalMoveError(f"{plain!r} is illegal {where}: {reason}")
        return move
    at = SQUARE_NAMES.index(plain)
    fitting = [move for move in legal_moves(position, die, rules) if at in move]
    if len(fitting) > 1:
        choices = allowed_text(position, die, rules)
        raise AmbiguousMoveError(f"{plain!r} fits several moves {where}: choose from {choices}")
    if not fitting:
        choices = allowed_text(position, die, rules)
        raise IllegalMoveError(f"no move from or to {plain} {where}: choose from {choices}")
    return fitting[0]


def allowed_text(position: Position, die: int, rules: Rules) -> str:
    """Write what a player may do with a throw, with commas.

    >>> from tabletop import Seat
    >>> allowed_text(Position.start([Seat.D4, Seat.D2]), 5, Rules())
    '--'
    """
    moves: list[Move | None] = [*legal_moves(position, die, rules)]
    if may_pass(position, die, rules):
        moves.append(None)
    return ", ".join(move_text(move) for move in moves)
