"""The referee: rules, positions, moves, the bank, the record, the judging of what is seen."""

from referee.bank import Bank
from referee.event_json import event_json, parse_event
from referee.events import EVENT_TYPES, Event
from referee.game_record import Action, Ending, GameRecord, Header, action_text
from referee.judge import judge
from referee.match import EventError, Match, Phase, replay
from referee.moves import (
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Played,
    legal_moves,
    may_pass,
    move_text,
    parse_move,
    play,
    reason_against,
)
from referee.opening import Opening
from referee.position import Position, parse_position, position_text
from referee.reasons import Reason
from referee.record import parse_record, record_text
from referee.rules import Rules, options_text, parse_option, parse_options
from referee.verdict import Ruling, Verdict

__all__ = [
    "EVENT_TYPES",
    "Action",
    "Bank",
    "Ending",
    "Event",
    "EventError",
    "GameRecord",
    "Header",
    "IllegalMoveError",
    "InvalidMoveError",
    "Match",
    "Move",
    "Opening",
    "Phase",
    "Played",
    "Position",
    "Reason",
    "Rules",
    "Ruling",
    "Verdict",
    "action_text",
    "event_json",
    "judge",
    "legal_moves",
    "may_pass",
    "move_text",
    "options_text",
    "parse_event",
    "parse_move",
    "parse_option",
    "parse_options",
    "parse_position",
    "parse_record",
    "play",
    "position_text",
    "reason_against",
    "record_text",
    "replay",
]
