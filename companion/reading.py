"""Readings of single pictures, as JSON for programs and as words for people."""

from typing import Any, Final

from rich.text import Text

from companion.phrases.written import Written
from tabletop import (
    SQUARES,
    BoardLocation,
    Colour,
    Contents,
    DieReading,
    NoBoard,
    Point,
    Reading,
    SquareReading,
    square_name,
)

CORNER_NAMES = ("a1", "h1", "h8", "a8")

_NO_TIME: Final = {"board": 0.0, "squares": 0.0, "dice": 0.0}
"""Of the stages that are always told, also where a board needs no finding or has no squares."""


def reading_json(image: str, reading: Reading) -> dict[str, Any]:
    """Return *reading* of the picture *image* as the command line promises it."""
    elapsed_ms = dict(reading.elapsed_ms)
    return {
        "image": image,
        "board": _board_json(reading.board, reading.others),
        "squares": {
            square_name(at): [
                {"colour": colour.value, "confidence": confidence}
                for colour, confidence in _checkers(reading.squares[at])
            ]
            for at in SQUARES
            if reading.squares and _shown(reading, at)
        },
        "dice": [_die_json(die) for die in reading.dice],
        "obscured": reading.obscured,
        "elapsed_ms": {name: round(took, 2) for name, took in (_NO_TIME | elapsed_ms).items()},
    }


def reading_text(image: str, reading: Reading, words: Written) -> Text:
    """Return *reading* of the picture *image* in *words*, a few lines long."""
    text = Text(f"{image}\n", style="bold")
    if isinstance(reading.board, NoBoard):
        lines = [words("no-board", reason=reading.board.reason)]
    else:
        corners = ", ".join(
            words("corner-at", corner=name, place=f"{x:.0f},{y:.0f}")
            for name, (x, y) in zip(CORNER_NAMES, reading.board.corners, strict=True)
        )
        standing = [
            " ".join(
                (square_name(at), *(words(f"colour-{one}") for one in reading.squares[at].best))
            )
            for at in SQUARES
            if _shown(reading, at)
        ]
        listed = ", ".join(standing) or words("none")
        lines = [
            words("board", sure=f"{reading.board.confidence:.0%}", corners=corners),
            words("checkers", list=listed),
        ]
    text.append("".join(f"  {line}\n" for line in lines), style="default")
    if reading.others:
        text.append(f"  {words('other-boards', count=len(reading.others))}\n", style="yellow")
    if reading.squares and reading.obscured:
        text.append(f"  {words('covered')}\n", style="yellow")
    for die in reading.dice:
        text.append(f"  {_die_text(die, words)}\n", style="default")
    return text


def _die_text(die: DieReading, words: Written) -> str:
    x, y, wide, high = die.box
    place = f"{x + wide / 2:.0f},{y + high / 2:.0f}"
    if die.value is None:
        return words(f"die-{die.state}", place=place)
    return words("die-shows", place=place, value=die.value, sure=f"{die.confidence:.0%}")


def _shown(reading: Reading, at: int) -> bool:
    """Tell whether a square has checkers to be listed; a hidden one is not vouched for."""
    square = reading.squares[at]
    return bool(square.best) and not square.hidden


def _checkers(square: SquareReading) -> list[tuple[Colour, float]]:
    """Return each checker of the best contents with the probability that at least it stands there.

    The first of three is surer than the third: whatever holds three holds one.
    """
    best = square.best
    found = []
    for number, colour in enumerate(best):
        nth = best[: number + 1].count(colour)
        sure = sum(p for there, p in square.options if _holds(there, colour, nth))
        found.append((colour, round(min(sure, 1.0), 4)))
    return found


def _holds(there: Contents, colour: Colour, count: int) -> bool:
    return there.count(colour) >= count


def _board_json(
    board: BoardLocation | NoBoard, others: tuple[BoardLocation, ...]
) -> dict[str, Any]:
    if isinstance(board, NoBoard):
        return {"found": False, "reason": board.reason}
    found = {"found": True, **_location_json(board)}
    return found | {"others": [_location_json(other) for other in others]} if others else found


def _location_json(board: BoardLocation) -> dict[str, Any]:
    return {
        "corners": {
            name: _point_json(corner)
            for name, corner in zip(CORNER_NAMES, board.corners, strict=True)
        },
        "confidence": round(board.confidence, 4),
    }


def _point_json(point: Point) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]


def _die_json(die: DieReading) -> dict[str, Any]:
    return {
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "box": [round(side, 1) for side in die.box],
        "state": die.state.value,
    }
