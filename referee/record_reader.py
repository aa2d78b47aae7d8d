"""Reading a record: layout is free and marks may be missing, for they follow from the moves.

What is written must be right, though: a wrong mark is refused like an illegal move.
"""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from referee.game_record import (
    FORMAT,
    GAME,
    Action,
    Ending,
    GameRecord,
    Header,
    Result,
    action_text,
    check_result,
    one_line,
)
from referee.moves import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Played,
    play,
)
from referee.notation import read_move
from referee.position import Position, parse_position, position_text
from referee.rules import Rules, parse_options
from referee.scanner import RecordError, Token, scan
from tabletop import SEATS, Colour, Seat, parse_seat, parse_seats

T = TypeVar("T")

_KNOCK: Final = re.compile(r"xD\d(?:\*\d)?")


def parse_record(text: str) -> GameRecord:
    """Return the game that *text* records; the twin of `referee.record.record_text`.

    Layout is free, marks, turn numbers and most tags may be missing, and a move may be written by
    one square where that is enough. What is written must be right: a wrong mark, number, seat or
    result is refused like an illegal move.

    Raises:
        RecordError: the text is no record, or contradicts the moves in it.
        InvalidMoveError: a move is none.
        IllegalMoveError: a move is not legal; the text quotes the place and the position.
        AmbiguousMoveError: a move fits several legal ones.
    """
    tokens = tuple(scan(text))
    reader = _Reader(_parse_header(tokens))
    for token in tokens:
        reader.take(token)
    return reader.record()


class _Reader:
    """A record on its way from tokens to moves."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.position = header.start
        self.number = 0
        self.seat: Seat | None = None
        self.actions: list[Action] = []
        self.comment = ""
        self.claims: list[tuple[Token, Result]] = []
        self.ended = False

    def take(self, token: Token) -> None:
        """Read the next token."""
        if self.ended and token.kind != "comment":
            raise token.error("nothing follows the result")
        match token.kind:
            case "tag":
                self._take_tag(token)
            case "comment":
                self._take_comment(one_line(token.parts[0]))
            case "turn":
                self._take_turn(token)
            case "action":
                self._take_action(token)
            case _:
                self.ended = True
                self.claims.append((token, _parse_result(token.parts[0])))

    def record(self) -> GameRecord:
        """Return what was read, its results compared with the moves."""
        for token, claimed in self.claims:
            try:
                check_result(claimed, self.position, self.header)
            except ValueError as error:
                raise token.error(str(error)) from None
        results = [result for _, result in self.claims]
        if len(set(results)) > 1:
            raise self.claims[-1][0].error(f"the tag says the result is {results[0]}")
        result = self.position.winner or self.header.last_seat or Ending.UNFINISHED
        return GameRecord(
            self.header,
            tuple(self.actions),
            results[0] if results else result,
            self.comment,
        )

    def _take_tag(self, token: Token) -> None:
        if self.number:
            raise token.error("tags stand before the first turn")
        name, text = token.parts
        if name == "Result":
            try:
                self.claims.append((token, _parse_result(text)))
            except ValueError as error:
                raise token.error(str(error)) from None

    def _take_comment(self, text: str) -> None:
        if not self.actions:
            self.comment = f"{self.comment} {text}".strip()
        else:
            last = self.actions[-1]
            self.actions[-1] = last._replace(comment=f"{last.comment} {text}".strip())

    def _take_turn(self, token: Token) -> None:
        number, seat = token.parts
        if seat != self.position.to_move or self.position.winner is not None:
            raise token.error(self._whose_throw())
        if seat != self.seat:
            self.number += 1
        if number and int(number) != self.number:
            raise token.error(f"this is turn {self.number}")
        self.seat = self.position.to_move

    def _take_action(self, token: Token) -> None:
        if self.seat is not self.position.to_move or self.position.winner is not None:
            raise token.error(self._whose_throw())
        die, move_text, marks = int(token.parts[0]), token.parts[1], token.parts[2]
        if not 1 <= die <= 6:
            raise token.error(f"a die shows 1 to 6, not {die}")
        try:
            move = read_move(move_text, self.position, die, self.header.rules)
        except (InvalidMoveError, IllegalMoveError, AmbiguousMoveError) as error:
            where = f"line {token.line}, column {token.column}"
            raise type(error)(f"{where}: {error}") from None
        played = play(self.position, die, move, self.header.rules)
        _check_marks(token, "".join(marks.split()), played)
        self.actions.append(Action(die, move))
        self.position = played.after

    def _whose_throw(self) -> str:
        if self.position.winner is not None:
            return f"{self.position.winner} has won already"
        text = position_text(self.position, self.header.rules)
        return f"it is the throw of {self.position.to_move} in {text}"


def _check_marks(token: Token, marks: str, played: Played) -> None:
    """Compare the marks that were written with what the move does; missing ones are right."""
    right = action_text(played)
    knocks = "".join(_KNOCK.findall(marks))
    signs = _KNOCK.sub("", marks)
    wrong = knocks not in ("", "".join(_KNOCK.findall(right)))
    if wrong or any(sign not in _KNOCK.sub("", right) for sign in signs):
        raise token.error(f"the marks are wrong: the throw is written {right}")


def _parse_header(tokens: tuple[Token, ...]) -> Header:
    """Return what the tags agree on; most may be missing."""
    tags: dict[str, Token] = {}
    for token in tokens:
        if token.kind == "tag":
            if token.parts[0] in tags:
                raise token.error("the tag stands twice")
            tags[token.parts[0]] = token
    _read(tags, "Game", _only(GAME), GAME)
    _read(tags, "Rules", _only(FORMAT), FORMAT)
    colours: dict[Seat, Colour] = _read(tags, "Colours", _parse_colour_list, {})
    named = tuple(seat for seat in Seat if seat in colours or seat in tags)
    seats = _read(tags, "Seats", _parse_seat_list, named)
    turns = (parse_seat(token.parts[1]) for token in tokens if token.kind == "turn")
    known = {"Game", "Rules", "Event", "Date", "Seats", *Seat, "Colours", "First"}
    known |= {"Stake", "Fine", "Unit", "Options", "Setup", "Left", "Result"}
    rules: Rules = _read(tags, "Options", parse_options, Rules())
    setup: Position | None = _read(tags, "Setup", lambda text: parse_position(text, rules), None)
    try:
        return Header(
            seats=seats,
            first=_read(tags, "First", parse_seat, next(turns, None)),
            names=tuple(_read(tags, seat, str, f"Player {seat}") for seat in seats),
            colours=tuple(colours[seat] for seat in seats if seat in colours),
            rules=rules,
            stake=_read(tags, "Stake", _parse_amount, 10),
            fine=_read(tags, "Fine", _parse_amount, 1),
            unit=_read(tags, "Unit", str, "points"),
            event=_read(tags, "Event", str, "?"),
            date=_read(tags, "Date", str, "????.??.??"),
            setup=setup,
            left=_read(tags, "Left", _parse_seat_list, ()),
            others=tuple(
                (name, one_line(token.parts[1]))
                for name, token in tags.items()
                if name not in known
            ),
        )
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(f"the tags do not fit together: {error}", 1) from None


def _read(tags: dict[str, Token], name: str, parse: Callable[[str], T], default: T) -> T:
    """Return what a tag says, or *default* where it is missing."""
    token = tags.get(name)
    if token is None:
        return default
    try:
        return parse(one_line(token.parts[1]))
    except ValueError as error:
        raise token.error(str(error)) from None


def _only(right: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text != right:
            raise ValueError(f"only {right!r} can be read")
        return right

    return parse


def _parse_colour_list(text: str) -> dict[Seat, Colour]:
    return parse_seats(",".join(text.split()))


def _parse_seat_list(text: str) -> tuple[Seat, ...]:
    return tuple(sorted((parse_seat(name) for name in text.split()), key=SEATS.index))


def _parse_amount(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def _parse_result(text: str) -> Result:
    return Ending(text) if text in tuple(Ending) else parse_seat(text)
