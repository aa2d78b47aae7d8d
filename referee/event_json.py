"""Events to JSON and back: the log's own language.

Field names follow the events, but for a checker's way: `source` and `target` are "from" and "to"
there. Seats and colours are their names, squares "a1" to "h8", the reserve "reserve".
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from referee.events import (
    EVENT_TYPES,
    RESERVE_NAME,
    About,
    By,
    Difference,
    Event,
    ExtraThrowReason,
    Found,
    PassReason,
    Place,
    Source,
)
from referee.reasons import Reason
from tabletop import Colour, Contents, Seat, contents, parse_square, square_name

Json = Any
"""A value as the json module makes it; turned into a real type at once."""

_RENAMED: Final = {"source": "from", "target": "to"}
_CHECKER_KINDS: Final = frozenset({"checker_entered", "checker_moved"})


def event_json(event: Event) -> dict[str, Json]:
    """Return the fields of *event* as JSON values; the twin of `parse_event`.

    Fields that say nothing (no position, no die, nothing found) are left out; what is allowed is
    always told, be it nothing.
    """
    out: dict[str, Json] = {}
    for part in fields(event):
        value = getattr(event, part.name)
        if value == part.default and part.default in (None, ()) and part.name != "allowed":
            continue
        out[_key(event.kind, part.name)] = _WRITERS[_codec(event.kind, part.name)](value)
    return out


def parse_event(kind: str, data: Mapping[str, Json]) -> Event:
    """Return the event of the *kind* with the fields in *data*; unknown keys are passed over.

    Raises:
        ValueError: the kind is unknown, a field is missing, or its value cannot be.
    """
    if kind not in EVENT_TYPES:
        raise ValueError(f"{kind!r} is no kind of event")
    if not isinstance(data, Mapping):
        raise ValueError(f"the fields of {kind} must be an object, not {type(data).__name__}")
    made = EVENT_TYPES[kind]
    values: dict[str, Any] = {}
    for part in fields(made):
        key = _key(kind, part.name)
        if key not in data:
            if part.default is MISSING:
                raise ValueError(f"{kind} lacks {key!r}")
            continue
        try:
            values[part.name] = _READERS[_codec(kind, part.name)](data[key])
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ValueError(f"{kind}: {key!r} cannot be {data[key]!r} ({error})") from error
    return made(**values)


def _key(kind: str, name: str) -> str:
    return _RENAMED.get(name, name) if kind in _CHECKER_KINDS else name


def _codec(kind: str, name: str) -> str:
    """Name the codec of a field: its own name, but where one name means two things."""
    if name == "source":
        return "square" if kind in _CHECKER_KINDS else "throw_source"
    if name == "seats":
        return "seat_colours"
    if name == "reason":
        return f"{kind}.reason"
    if name == "by" and kind == "checker_knocked_out":
        return "seat"
    return name


def _place_name(place: Place) -> str:
    return RESERVE_NAME if place is None else square_name(place)


def _parse_place(text: str) -> Place:
    return None if text == RESERVE_NAME else parse_square(text)


def _found_json(found: Found) -> Json:
    return {
        "colour": found.colour.value,
        "from": _place_name(found.source),
        "to": _place_name(found.target),
    }


def _parse_found(data: Json) -> Found:
    return Found(Colour(data["colour"]), _parse_place(data["from"]), _parse_place(data["to"]))


def _difference_json(difference: Difference) -> Json:
    return {
        "square": square_name(difference.square),
        "seen": [colour.value for colour in difference.seen],
        "due": [colour.value for colour in difference.due],
    }


def _parse_contents(data: Json) -> Contents:
    return contents(*(Colour(name) for name in data))


def _parse_difference(data: Json) -> Difference:
    return Difference(
        parse_square(data["square"]), _parse_contents(data["seen"]), _parse_contents(data["due"])
    )


def _whole(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("a whole number is needed")
    return value


def _die(value: Json) -> int:
    number = _whole(value)
    if not 1 <= number <= 6:
        raise ValueError("a die shows 1 to 6")
    return number


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is needed")
    return value


def _amounts_json(amounts: tuple[tuple[Seat, int], ...]) -> Json:
    return {seat.value: amount for seat, amount in amounts}


def _parse_amounts(data: Json) -> tuple[tuple[Seat, int], ...]:
    return tuple((Seat(seat), _whole(amount)) for seat, amount in data.items())


def _parse_rule(value: Json) -> str | int | bool:
    if not isinstance(value, str | int):
        raise ValueError("a rule's value is a text, a whole number, true or false")
    return value


_WRITERS: Final[Mapping[str, Callable[[Any], Json]]] = {
    "seat": lambda seat: seat.value,
    "by": lambda by: by.value,
    "colour": lambda colour: colour.value,
    "square": square_name,
    "target": square_name,
    "throw_source": lambda source: source.value,
    "seat_colours": lambda seats: {seat.value: colour.value for seat, colour in seats},
    "names": lambda names: {seat.value: name for seat, name in names},
    "rules": dict,
    "found": _found_json,
    "allowed": list,
    "choices": list,
    "differs": lambda differs: [_difference_json(one) for one in differs],
    "about": lambda about: about.value,
    "extra_throw.reason": lambda reason: reason.value,
    "throw_passed.reason": lambda reason: reason.value,
    "illegal_move.reason": lambda reason: reason.value,
    "board_lost.reason": lambda reason: reason,
    "squares": lambda squares: [square_name(at) for at in squares],
    "net": _amounts_json,
    "paid_back": _amounts_json,
    "confidence": lambda confidence: round(confidence, 4),
    **{
        name: (lambda value: value)
        for name in (
            "stake", "fine", "unit", "program", "table", "value", "state", "steps", "amount",
            "bank", "at_home", "die", "id", "throw", "choice", "undo_to", "why", "position", "name",
        )
    },
}  # fmt: skip

_READERS: Final[Mapping[str, Callable[[Json], Any]]] = {
    "seat": Seat,
    "by": By,
    "colour": Colour,
    "square": parse_square,
    "target": parse_square,
    "throw_source": Source,
    "seat_colours": lambda data: tuple((Seat(s), Colour(c)) for s, c in data.items()),
    "names": lambda data: tuple((Seat(seat), _text(name)) for seat, name in data.items()),
    "rules": lambda data: tuple((_text(name), _parse_rule(value)) for name, value in data.items()),
    "found": _parse_found,
    "allowed": lambda data: tuple(_text(move) for move in data),
    "choices": lambda data: tuple(_text(choice) for choice in data),
    "differs": lambda data: tuple(_parse_difference(one) for one in data),
    "about": About,
    "extra_throw.reason": ExtraThrowReason,
    "throw_passed.reason": PassReason,
    "illegal_move.reason": Reason,
    "board_lost.reason": _text,
    "squares": lambda data: tuple(parse_square(one) for one in data),
    "net": _parse_amounts,
    "paid_back": _parse_amounts,
    "confidence": float,
    "value": _die,
    "die": _die,
    **dict.fromkeys(
        ("unit", "program", "table", "state", "choice", "why", "position", "name"), _text
    ),
    **dict.fromkeys(
        ("stake", "fine", "steps", "amount", "bank", "at_home", "id", "throw", "undo_to"),
        _whole,
    ),
}
