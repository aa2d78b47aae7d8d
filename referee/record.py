"""The record's text: written strictly, read forgivingly."""

from collections.abc import Iterator

from referee.game_record import (
    FORMAT,
    GAME,
    Action,
    Ending,
    GameRecord,
    Header,
    Result,
    Turn,
    action_text,
    check_result,
    final_position,
    one_line,
    replay,
    turns,
)
from referee.position import position_text
from referee.record_reader import parse_record
from referee.rules import options_text
from referee.scanner import RecordError

__all__ = [
    "Action",
    "Ending",
    "GameRecord",
    "Header",
    "RecordError",
    "Result",
    "Turn",
    "action_text",
    "final_position",
    "parse_record",
    "record_text",
    "replay",
    "turns",
]


def record_text(record: GameRecord) -> str:
    """Write a record; the twin of `parse_record`.

    Raises:
        IllegalMoveError: a move is not legal.
        ValueError: the result is not that of the moves.
    """
    played = replay(record)
    final = played[-1].after if played else record.header.start
    check_result(record.result, final, record.header)
    lines = [f'[{name} "{one_line(text)}"]' for name, text in _tags(record)]
    lines.append("")
    if record.comment:
        lines.append(_comment_text(record.comment))
    comments = iter(action.comment for action in record.actions)
    for turn in turns(played):
        actions = [
            " ".join(filter(None, (action_text(throw), _comment_text(next(comments)))))
            for throw in turn.played
        ]
        lines.append(f"{turn.number}. {turn.seat}: {', '.join(actions)}")
    return "\n".join([*lines, record.result, ""])


def _tags(record: GameRecord) -> Iterator[tuple[str, str]]:
    header = record.header
    yield "Game", GAME
    yield "Rules", FORMAT
    yield "Event", header.event
    yield "Date", header.date
    yield "Seats", " ".join(header.seats)
    yield from zip(header.seats, header.names, strict=True)
    if header.colours:
        pairs = zip(header.seats, header.colours, strict=True)
        yield "Colours", " ".join(f"{seat}={colour}" for seat, colour in pairs)
    yield "First", header.start.to_move
    yield "Stake", str(header.stake)
    yield "Fine", str(header.fine)
    yield "Unit", header.unit
    options = options_text(header.rules)
    if options:
        yield "Options", options
    if header.setup is not None:
        yield "Setup", position_text(header.setup, header.rules)
    if header.left:
        yield "Left", " ".join(header.left)
    yield from header.others
    yield "Result", record.result


def _comment_text(comment: str) -> str:
    """Write a comment, which cannot hold a closing brace; nothing for an empty one."""
    plain = one_line(comment).replace("}", ")")
    return f"{{{plain}}}" if plain else ""
