"""Labelled pictures: what is known to be in them, read from a set's `labels.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import InputError
from tabletop import Box, Colour, Contents, Point, Square, contents, parse_square


@dataclass(frozen=True, slots=True)
class DieLabel:
    """A die that lies in a picture.

    Attributes:
        box: where it is.
        value: its top face; None where it has none.
        cocked: it leans or rolls, and must not be read as settled.
        ambiguous: people may differ about it; it is not judged.
    """

    box: Box
    value: int | None
    cocked: bool = False
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one picture; None where nothing is.

    Attributes:
        image: its path.
        colours: the colours that may be on the board.
        corners: of the board in the order a1, h1, h8, a8; empty where the picture has no board.
        squares: what stands on the occupied squares.
        unknown: squares that are not judged.
        count_known: how many checkers stand on a square is known, not only their colours.
        dice: all dice.
    """

    image: Path
    colours: tuple[Colour, ...] = ()
    corners: tuple[Point, ...] | None = None
    squares: Mapping[Square, Contents] | None = None
    unknown: frozenset[Square] = frozenset()
    count_known: bool = True
    dice: tuple[DieLabel, ...] | None = None


def load_labels(folder: Path) -> tuple[Label, ...]:
    """Return the labels of the set in *folder*.

    Raises:
        InputError: there is no labels.json, or it holds what cannot be.
    """
    path = folder / "labels.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(entries, list):
            raise TypeError(f"{type(entries).__name__}, not list")
        return tuple(_label(folder, entry) for entry in entries)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise InputError(f"{path} is no list of labels: {error!r}") from error


def _label(folder: Path, data: Mapping[str, Any]) -> Label:
    return Label(
        image=folder / data["image"],
        colours=tuple(Colour(name) for name in data.get("colours", ())),
        corners=_corners(data["corners"]) if "corners" in data else None,
        squares=None if data.get("squares") is None else _squares(data["squares"]),
        unknown=frozenset(parse_square(name) for name in data.get("unknown", ())),
        count_known=data.get("count_known", True),
        dice=tuple(_die(die) for die in data["dice"]) if "dice" in data else None,
    )


def _corners(data: Mapping[str, Any] | None) -> tuple[Point, ...]:
    if data is None:
        return ()
    found = tuple((float(data[at][0]), float(data[at][1])) for at in ("a1", "h1", "h8", "a8"))
    if len(set(found)) < 4:
        raise ValueError(f"two corners of a board cannot be in one place: {found}")
    return found


def _squares(data: Mapping[str, Any]) -> dict[Square, Contents]:
    return {
        parse_square(name): contents(*(Colour(colour) for colour in colours))
        for name, colours in data.items()
        if colours
    }


def _die(data: Mapping[str, Any]) -> DieLabel:
    x, y, width, height = (float(part) for part in data["box"])
    value = data.get("value")
    return DieLabel(
        box=(x, y, width, height),
        value=None if value is None else int(value),
        cocked=bool(data.get("cocked")),
        ambiguous=bool(data.get("ambiguous")),
    )
