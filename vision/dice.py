"""Every die in a picture: where it is, and how probable each value is.

One small network finds places that may be dice, at several scales; another reads a crop of each.
Only the top face counts. Where the camera's pose is known, the crop is turned so that the table's
normal points up in it, and the reader is told how obliquely it sees the die.

On a calibrated table the picture of the empty one shows what came. Once some throws have told how
large the die is, what has another size is none, and what came and has its size is it, though nobody
could tell what it shows.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Final, TypeAlias

from tabletop import BoardLocation, Box, DieReading, DieState, Point
from vision.die_behind import read_behind_wall
from vision.die_nets import Candidate
from vision.die_places import Demands, read_places
from vision.die_search import SMALLEST_BOX, Part, is_inside, may_be_print, search_dice
from vision.die_shadow import doubt_over_shadow
from vision.die_tray import find_tray
from vision.die_view import TableView, Upright, view_table
from vision.frame import Picture
from vision.furniture import CHECKER_SIZED, is_spotted, may_be_checker, painted_as_checker
from vision.newcomers import AROUND, Changes, see_changes
from vision.table import TableModel

_LEAST_CHANCE: Final = 0.15
_LEAST_PX: Final = 8
_LEAST_SQUARES: Final = 0.15
"""The narrowest thing that may hold a die, in squares; what is narrower is an edge."""
_MOST_CHECKER: Final = 1.4
"""A checker and its shadow are at most so many checkers wide."""
_MOST_CAME: Final = 1.6
"""The same of what is looked at by itself, beyond what is searched for dice: none falls between."""
_MOST_PLACES: Final = 24
_DEMANDS: Final = Demands(value=0.65, one=0.75, misfit=22.0, square=0.81)
"""Of a photograph; a disc's top, as that of a pawn, fills 0.79 of its rectangle."""
_DEMANDS_AT_TABLE: Final = Demands(value=0.85, one=0.85, misfit=12.0, fitting=True, closer=True)
"""Where a game is watched, people can be asked, and a wrong value spoils it."""
_DEMANDS_LIKE_CHECKERS: Final = replace(_DEMANDS_AT_TABLE, value=0.95, one=0.95)
"""What is painted like a checker may be one, with a ring or a crown on it."""
_USUAL_SQUARES: Final = 0.6
"""How wide the box of a die that nobody measured is, in squares."""
_LIKELY: Final = 0.45
_LEAST_CHANGED: Final = 0.4
"""A die fills half of its box at least, turned as it may be."""
_OF_ITS_SIZE: Final = (0.62, 1.6)
"""A die's box in that of other throws of it: by its turn it is 1.0 to 1.5 of its sides wide."""
_WITH_ITS_SHADOW: Final = 2.2
_SURELY_ITS_SIZE: Final = (0.75, 1.4)

_Place: TypeAlias = tuple[Candidate, Upright]


def read_dice(
    pixels: Picture,
    location: BoardLocation | None = None,
    table: TableModel | None = None,
    changes: Changes | None = None,
) -> tuple[DieReading, ...]:
    """Return a reading of every die in the picture, the surest first.

    Args:
        pixels: the picture.
        location: where the board is, by which the camera's pose is known.
        table: what is known of the table; its throwing zone leaves out all that lies elsewhere,
            its picture without a die all that looks the same in it, and the size of its checkers
            those that lie beside the board.
        changes: what came to the table, where that was looked at already.
    """
    height, width = pixels.shape[:2]
    where = location or (table.location if table else None)
    view = view_table(where, (width, height)) if where else None
    if table is not None and view is not None:
        return _read_thrown(pixels, table, view, changes or see_changes(pixels, table))
    places = search_dice(pixels, _LEAST_CHANCE, view, None)
    if view is None and (tray := find_tray(pixels)) is not None:
        places = [(place, tray.upright(place.centre_xy)) for place, _ in places]
    dice = read_places(pixels, places, _DEMANDS)
    return tuple(d for d in dice if not may_be_print(_middle(d.box), max(d.box[2:]), view))


def is_told_by_size(table: TableModel) -> bool:
    """Tell whether the die is known to be so much smaller than checkers that it is none of them."""
    side = table.die_side
    return side is not None and side < CHECKER_SIZED * table.checker_diameter


def _read_thrown(
    pixels: Picture, table: TableModel, view: TableView, changes: Changes
) -> tuple[DieReading, ...]:
    """Read the dice that came to a known table; search for them only where none shows at once."""
    came = changes.small_things(_LEAST_PX, max(pixels.shape[:2]) / 4)
    came = [one for one in came if is_inside(one, table.throwing_zone)]
    places = [place for place in _placed(came, view) if _may_have_come(place, table)]
    dice: tuple[DieReading, ...] = ()
    for some, demands in _groups(pixels, places, table, view):
        dice = _no_checkers(pixels, _read(pixels, some, table, demands), table, view)
        if dice:
            break
    if not dice:
        where = _search_part(changes, table, view)
        if where is not None:
            found = _newly_come(pixels, table, view, changes, where)
            dice = _read(pixels, found, table)
            dice = _no_checkers(pixels, dice, table, view)
    dice = dice or _speckled(pixels, changes, table, view) or _of_its_size(places, table)
    dice = tuple(die for die in dice if not changes.in_a_hand(die.box))
    return tuple(_weighed(pixels, die, changes, view) for die in dice)


def _weighed(pixels: Picture, die: DieReading, changes: Changes, view: TableView) -> DieReading:
    """Return *die* after a look at what is below it: a shadow in its side's place, or a wall.

    A wall may hide the sides of what seems to lean.
    """
    upright = view.upright(_middle(die.box))
    if die.state is DieState.SETTLED:
        return doubt_over_shadow(die, upright, changes, _DEMANDS_AT_TABLE.value)
    if die.state is DieState.COCKED:
        return read_behind_wall(pixels, die, upright, changes, _DEMANDS_AT_TABLE)
    return die


def _groups(
    pixels: Picture, places: list[_Place], table: TableModel, view: TableView
) -> Iterator[tuple[list[_Place], Demands]]:
    """Yield *places* a group at a time, what looks least like checkers first, and what to demand.

    A red die among red checkers is looked at once nothing else turns out to be one, and where
    checkers stand once none lies beside the board.
    """
    painted = [painted_as_checker(pixels, c.centre_xy, c.size_px, table) for c, _ in places]
    yield [p for p, like in zip(places, painted, strict=True) if not like], _DEMANDS_AT_TABLE
    alike = [p for p, like in zip(places, painted, strict=True) if like]
    if is_told_by_size(table):
        alike = [p for p in alike if not _larger_than_die(p, table) or _spotted(pixels, p, table)]
    on_board = view.on_board([candidate.centre_xy for candidate, _ in alike])
    for wanted in (False, True):
        some = [place for place, there in zip(alike, on_board, strict=True) if there is wanted]
        yield some, _DEMANDS_LIKE_CHECKERS


def _larger_than_die(place: _Place, table: TableModel) -> bool:
    candidate, upright = place
    most = AROUND * _SURELY_ITS_SIZE[1] * (table.die_side or inf) * (upright.square_px or inf)
    return candidate.size_px > most


def _spotted(pixels: Picture, place: _Place, table: TableModel) -> bool:
    """Tell whether what came has pips; with its shadow it may be as large as a checker."""
    candidate = place[0]
    itself = replace(candidate, size_px=candidate.size_px / AROUND)
    return is_spotted(pixels, _box(itself), table)


def _read(
    pixels: Picture, places: list[_Place], table: TableModel, demands: Demands = _DEMANDS_AT_TABLE
) -> tuple[DieReading, ...]:
    """Return the dice at *places* that are as large as other throws showed."""
    side = table.die_side
    sides = None if side is None else (_OF_ITS_SIZE[0] * side, _OF_ITS_SIZE[1] * side)
    return read_places(pixels, places[:_MOST_PLACES], replace(demands, sides=sides))


def _speckled(
    pixels: Picture, changes: Changes, table: TableModel, view: TableView
) -> tuple[DieReading, ...]:
    """Return the dice that are as dark, or as light, as what they lie on."""
    middle = (table.size_wh[0] / 2, table.size_wh[1] / 2)
    side_px = (table.die_side or _USUAL_SQUARES) * (view.upright(middle).square_px or 0.0)
    if side_px < _LEAST_PX:
        return ()
    specks = changes.speckled(side_px)
    specks = [one for one in specks if is_inside(one, table.throwing_zone)]
    dice = _read(pixels, _placed(specks, view), table)
    sure = tuple(die for die in dice if sum(die.probabilities) > _LIKELY)
    return _no_checkers(pixels, sure, table, view)


def _of_its_size(places: list[_Place], table: TableModel) -> tuple[DieReading, ...]:
    """Return the one thing that came and is as large as the die, which nobody can read.

    What the picture's edge cuts may be part of anything, as of an arm.
    """
    side = table.die_side
    if side is None or not is_told_by_size(table):
        return ()
    least, most = _SURELY_ITS_SIZE
    found = [
        candidate
        for candidate, upright in places
        if upright.square_px is not None
        and least * side < candidate.size_px / upright.square_px < most * side
        and _is_whole(candidate, table)
    ]
    if len(found) != 1:
        return ()
    return (DieReading(_box(found[0]), (0.0,) * 6, DieState.UNREADABLE),)


def _is_whole(candidate: Candidate, table: TableModel) -> bool:
    """Tell whether the picture shows all of a thing."""
    half = candidate.size_px / 2
    return all(
        half <= at <= size - half
        for at, size in zip(candidate.centre_xy, table.size_wh, strict=True)
    )


def _search_part(changes: Changes, table: TableModel, view: TableView) -> Part | None:
    """Return the part of the picture in which a die may lie that touches something else."""
    width, height = table.size_wh
    square_px = view.upright((width / 2, height / 2)).square_px or 0.0
    least, most = _LEAST_SQUARES * square_px, _MOST_CHECKER * table.checker_diameter * square_px
    return changes.part(max(least, _LEAST_PX), most)


def _no_checkers(
    pixels: Picture, dice: tuple[DieReading, ...], table: TableModel, view: TableView
) -> tuple[DieReading, ...]:
    """Return the dice without those that may be checkers, by their size and their paint."""
    if is_told_by_size(table):
        return dice
    return tuple(die for die in dice if _no_checker(pixels, die, table, view))


def _no_checker(pixels: Picture, die: DieReading, table: TableModel, view: TableView) -> bool:
    """Tell whether *die* is no checker, by its size and its paint."""
    if not may_be_checker(die, table, view):
        return True
    if not painted_as_checker(pixels, _middle(die.box), max(die.box[2:]), table):
        return True
    return is_spotted(pixels, die.box, table)


def _middle(box: Box) -> Point:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _newly_come(
    pixels: Picture, table: TableModel, view: TableView, changes: Changes, part: Part
) -> list[_Place]:
    """Search a part for dice, and return the places where something came."""
    places = search_dice(pixels, _LEAST_CHANCE, view, table.throwing_zone, part)
    return [p for p in places if changes.share(_box(p[0])) >= _LEAST_CHANGED]


def _placed(candidates: list[Candidate], view: TableView) -> list[_Place]:
    uprights = view.uprights([candidate.centre_xy for candidate in candidates])
    return list(zip(candidates, uprights, strict=True))


def _may_have_come(place: tuple[Candidate, Upright], table: TableModel) -> bool:
    candidate, upright = place
    # With its shadow a die may be larger than one; what is read of it is as large as it is.
    if upright.square_px is None or candidate.size_px < SMALLEST_BOX * upright.square_px:
        return False
    most = AROUND * _MOST_CAME * table.checker_diameter
    if table.die_side:
        most = _WITH_ITS_SHADOW * table.die_side
    return candidate.size_px < most * upright.square_px


def _box(candidate: Candidate) -> Box:
    half = candidate.size_px / 2
    x, y = candidate.centre_xy
    return x - half, y - half, candidate.size_px, candidate.size_px
