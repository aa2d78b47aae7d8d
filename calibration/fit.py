"""From two pictures to a table profile: the empty board, then every player's checkers at home."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from calibration.measure import (
    Comparison,
    Spot,
    compare,
    find_checkers,
    look_again,
    measure_checkers,
)
from calibration.mistakes import (
    MOVED,
    OTHER_LIGHT,
    STOOD_BEFORE,
    in_other_light,
    mistakes,
    odd_one,
)
from calibration.naming import distance_to_name, nearest_name
from calibration.orientation import (
    HOMES,
    CornerHome,
    Way,
    is_decided,
    likely_ways,
    name_corners,
    turned,
)
from calibration.profile import Camera, TableProfile, encode_picture
from calibration.quality import board_moved, picture_faults, why_no_board
from tabletop import (
    EMPTY,
    BoardLocation,
    Colour,
    NoBoard,
    Point,
    Seat,
    Square,
    square,
    square_file,
    square_name,
    square_rank,
)
from vision.board import find_board
from vision.frame import Frame, Picture
from vision.known import read_known_squares
from vision.squares import read_squares

_EMPTY: Final = "the picture of the empty board"
_HOMES: Final = "the picture of the checkers on their homes"
_ON_HOMES: Final = tuple(dict.fromkeys(at for home in HOMES for at in home))
_ELSEWHERE: Final = tuple(
    (file, rank) for rank in range(8) for file in range(8) if (file, rank) not in _ON_HOMES
)
# The share of a disc that is foreign to the board, from -1 to 1. An empty square has -0.9, a black
# checker on a black square -0.6. On a home, where one is to be, little is needed; elsewhere much.
_STANDS: Final = -0.7
_SURE: Final = 0.2
# Nats a pixel by which checkers must look like themselves rather than like another player's.
_LEAST_APART: Final = 1.0
# Checkers of one colour may look so far apart in L*, a*, b*: gloss and shadow make them differ.
_ONE_COLOUR: Final = (45.0, 22.0, 22.0)
# Two colours may be confused by their names if another name fits better by this much.
_MISNAMED: Final = 25.0
# A picture of the empty board is doubted where something stands with this probability, told without
# a profile: of 40 drawn boards none has such a square.
_SEEMS_TO_STAND: Final = 0.9

# More squares on which something stood too early are not named one by one.
_MOST_NAMED: Final = 4

Place: TypeAlias = tuple[int, int]
Spots: TypeAlias = dict[Place, Spot]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why pictures cannot be calibrated by, in plain words, and what to do."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """Whose checkers stand on a home.

    Attributes:
        corner: which of the board's corners it begins at, counter-clockwise from 0.
        corner_xy: that corner, in pixels of the picture of the empty board.
        colour: what most people would call the colour of the checkers.
    """

    corner: int
    corner_xy: Point
    colour: Colour


def find_players(
    empty: Frame, homes: Frame, hint: BoardLocation | None = None
) -> tuple[FoundPlayer, ...] | Refusal:
    """Return who sits where, counter-clockwise, by the homes on which all four checkers stand.

    Args:
        empty: the empty board.
        homes: the same board with each player's four checkers on the squares of his own home.
        hint: where people say that the board is.
    """
    located = _locate(empty, homes, hint)
    if isinstance(located, Refusal):
        return located
    comparison = compare(empty.pixels, homes.pixels, *located)
    radius, spots = _find_spots(comparison)
    found: list[FoundPlayer] = []
    for corner, home in enumerate(HOMES):
        corner_home = _corner_home(comparison, radius, home, spots)
        if corner_home.lab is None or not all(corner_home.standing):
            continue
        lab, taken = corner_home.lab, {one.colour for one in found}
        free = [colour for colour in Colour if colour not in taken]
        colour = min(free, key=lambda one: distance_to_name(lab, one))
        found.append(FoundPlayer(corner, located[0].corners[corner], colour))
    if len(found) < 2:
        there = f"{len(found) or 'none'} was found"
        return Refusal((f"two to four homes with four checkers each are needed, and {there}",))
    return tuple(found)


def fit_table(
    empty: Frame,
    homes: Frame,
    seats: Mapping[Seat, Colour],
    source: str = "",
    hint: BoardLocation | None = None,
) -> TableProfile | Refusal:
    """Fit a table profile.

    Args:
        empty: the empty board.
        homes: the same board with each player's four checkers on the squares of his own home.
        seats: who plays which colour, two to four of them.
        source: the camera, to be noted in the profile.
        hint: where people say that the board is.
    """
    if len(seats) < 2:
        return Refusal(("two to four players are needed to calibrate",))
    located = _locate(empty, homes, hint)
    if isinstance(located, Refusal):
        return located
    before, after = located
    comparison = compare(empty.pixels, homes.pixels, before, after)
    radius, spots = _find_spots(comparison)
    corner_homes = tuple(_corner_home(comparison, radius, home, spots) for home in HOMES)
    ways = likely_ways(corner_homes, seats)
    missing, stray = _missing(ways[0], seats, spots), _strays(ways[0], seats, spots)
    if missing or stray:
        stood = _standing(empty.pixels, before) & (missing | stray)
        told = (*_stood_before(ways[0], stood),)
        if 2 * len(stood) < len(missing | stray):  # else the rest follows from that
            other_light = in_other_light(empty.pixels, homes.pixels, before, after)
            left = () if other_light else stray - stood
            told += (*_why_wrong(ways[0], seats, missing - stood, left),)
            told += (OTHER_LIGHT,) * other_light
        return Refusal(told)
    places = {
        colour: [spots[at].seen_xy for at in HOMES[ways[0].corner_of(seat)]]
        for seat, colour in seats.items()
    }
    measured = measure_checkers(comparison, radius, places)
    reasons = _mixed(comparison, radius, ways[0], seats, spots) or _alike(measured.apart)
    if not reasons and not is_decided(ways):
        colours = ", ".join(seats.values())
        reasons = (f"the colours do not tell which checkers are whose: they should be {colours}",)
    if reasons:
        return Refusal(reasons)
    location, rotation = name_corners(before, ways[0])
    profile = TableProfile(
        seats=tuple((seat, colour) for seat, colour in seats.items()),
        rotation=rotation,
        location=_rounded(location),
        looks=measured.looks,
        checker_diameter=round(2.0 * measured.view.radius, 3),
        checker_height=round(measured.view.height, 3),
        camera=Camera(source, *empty.size_wh),
        reference_jpeg=encode_picture(empty.pixels),
    )
    reasons = _stacked(profile, homes.pixels, after, ways[0])
    return Refusal(reasons) if reasons else profile


def average_frames(frames: Sequence[Frame]) -> Frame:
    """Return the mean of several frames of a still table: less noise, the same scene.

    Raises:
        ValueError: there is no frame, or their sizes differ.
    """
    if not frames or len({frame.size_wh for frame in frames}) > 1:
        raise ValueError("frames to be averaged must be there, and of one size")
    mean = np.mean([frame.pixels for frame in frames], axis=0, dtype=np.float32)
    last = frames[-1]
    pixels = np.rint(mean).astype(np.uint8)
    return Frame(pixels, last.at_s, last.number, last.still, last.name)


@lru_cache(maxsize=2)
def doubts(profile: TableProfile) -> tuple[str, ...]:
    """Return what people should look at again: a sentence for each thing that seems wrong.

    Checkers that look like another colour than was said, and what seems to stand on a board that
    should be empty; a board may have it printed on.
    """
    return (*_colour_doubts(profile), *_empty_doubts(profile))


def strays(pixels: Picture, location: BoardLocation) -> tuple[str, ...]:
    """Return the squares of a board that should be empty on which something seems to stand.

    Args:
        pixels: the picture.
        location: where the board is in it.
    """
    return tuple(
        square_name(at) for at in sorted(square(*at) for at in _standing(pixels, location))
    )


def _standing(pixels: Picture, location: BoardLocation) -> set[Place]:
    """Return on which squares, (file, rank), something stands, told without a profile."""
    return {
        (square_file(at), square_rank(at))
        for at, reading in enumerate(read_squares(pixels, location))
        if not reading.hidden and 1.0 - reading.probability(EMPTY) > _SEEMS_TO_STAND
    }


def _empty_doubts(profile: TableProfile) -> tuple[str, ...]:
    table = profile.model()
    there = strays(table.reference, table.location)
    if not there:
        return ()
    return (
        f"something seems to stand on {', '.join(there)} in the picture of the empty board: if it "
        "is not printed on the board, take it off and take both pictures again",
    )


def _colour_doubts(profile: TableProfile) -> tuple[str, ...]:
    looks = {look.colour: look.lab for look in profile.looks}
    sentences = []
    for seat, colour in profile.seats:
        nearest = nearest_name(looks[colour])
        farther = distance_to_name(looks[colour], colour) - distance_to_name(looks[colour], nearest)
        if farther > _MISNAMED:
            sentences.append(f"the checkers of {seat} look {nearest} rather than {colour}")
    return tuple(sentences)


def _locate(
    empty: Frame, homes: Frame, hint: BoardLocation | None
) -> tuple[BoardLocation, BoardLocation] | Refusal:
    """Return where the board is in both pictures, if both are good enough."""
    if empty.size_wh != homes.size_wh:
        (width, height), (other_width, other_height) = empty.size_wh, homes.size_wh
        return Refusal(
            (
                f"the two pictures differ in size: {width}x{height} and "
                f"{other_width}x{other_height} pixels; take both with the same setting",
            )
        )
    before = find_board(empty.pixels, hint)
    if isinstance(before, NoBoard):
        return Refusal((why_no_board(empty.pixels, _EMPTY, before.reason),))
    after = find_board(homes.pixels, before)
    if isinstance(after, NoBoard):
        return Refusal((why_no_board(homes.pixels, _HOMES, after.reason),))
    reasons = [
        *picture_faults(empty.pixels, before, _EMPTY),
        *picture_faults(homes.pixels, after, _HOMES),
    ]
    if board_moved(before, after, empty.size_wh):
        reasons.append(MOVED)
    reasons = reasons or [*mistakes(empty.pixels, homes.pixels, before, after)]
    return Refusal(tuple(reasons)) if reasons else (before, after)


def _find_spots(comparison: Comparison) -> tuple[float, Spots]:
    """Return the radius of the checkers and, for every square, whether one stands there."""
    radius, spots = find_checkers(comparison, _ON_HOMES)
    sure = {at: spot for at, spot in spots.items() if spot.share > _SURE}
    doubtful = [at for at in (*_ON_HOMES, *_ELSEWHERE) if at not in sure]
    return radius, sure | look_again(comparison, radius, list(sure.values()), doubtful)


def _corner_home(
    comparison: Comparison, radius: float, home: Sequence[tuple[int, int]], spots: Spots
) -> CornerHome:
    there = [spots[at] for at in home if spots[at].share > _STANDS]
    first, second, third, fourth = (spots[at].share > _STANDS for at in home)
    lab = comparison.mean_lab(radius, [spot.seen_xy for spot in there]) if there else None
    return CornerHome((first, second, third, fourth), lab)


def _missing(way: Way, seats: Mapping[Seat, Colour], spots: Spots) -> set[Place]:
    """Return on which squares of their homes players miss checkers."""
    owned = (HOMES[way.corner_of(seat)] for seat in seats)
    return {at for home in owned for at in home if spots[at].share <= _STANDS}


def _strays(way: Way, seats: Mapping[Seat, Colour], spots: Spots) -> set[Place]:
    """Return where something stands that should not."""
    owned = {at for seat in seats for at in HOMES[way.corner_of(seat)]}
    return {at for at, spot in spots.items() if at not in owned and spot.share > _SURE}


def _why_wrong(
    way: Way,
    seats: Mapping[Seat, Colour],
    missing: Collection[Place],
    stray: Collection[Place],
) -> Iterator[str]:
    """Yield who misses checkers where, and where something stands that should not."""
    for seat, colour in seats.items():
        there = [_name(at, way) for at in HOMES[way.corner_of(seat)] if at in missing]
        if there:
            yield (
                f"{seat} ({colour}): no checker was found on {', '.join(there)}; each player's "
                "four must stand on the squares of his own home"
            )
    if stray:
        there = sorted(_name(at, way) for at in stray)
        yield f"something stands on {', '.join(there)}: take it off the board"


def _stood_before(way: Way, stood: Collection[Place]) -> Iterator[str]:
    """Yield that something stood on the board in the first picture already."""
    if len(stood) > _MOST_NAMED:
        yield f"checkers stood on the board {STOOD_BEFORE}"
    elif stood:
        there = sorted(_name(at, way) for at in stood)
        yield f"something stood on {', '.join(there)} {STOOD_BEFORE}"


def _mixed(
    comparison: Comparison, radius: float, way: Way, seats: Mapping[Seat, Colour], spots: Spots
) -> tuple[str, ...]:
    """Return which checkers have another colour than the others on their home."""
    reasons = []
    for seat, colour in seats.items():
        home = HOMES[way.corner_of(seat)]
        labs = np.array([comparison.mean_lab(radius, [spots[at].seen_xy]) for at in home])
        off = np.square((labs - np.median(labs, axis=0)) / _ONE_COLOUR).sum(axis=1)
        odd = [_name(at, way) for at, far in zip(home, off, strict=True) if far > 1.0]
        if odd:
            reasons.append(
                f"{', '.join(odd)}: the checker has another colour than the others of {seat} "
                f"({colour}); put four of one colour on each home"
            )
    return tuple(reasons)


def _stacked(
    profile: TableProfile, homes: Picture, after: BoardLocation, way: Way
) -> tuple[str, ...]:
    """Return on which homes a square does not look as if one checker stood there."""
    readings = read_known_squares(homes, profile.model(), name_corners(after, way)[0])
    reasons = []
    for seat, colour in profile.seats:
        home = [_square(at, way) for at in HOMES[way.corner_of(seat)]]
        odd = odd_one([readings[at].probability((colour,)) for at in home])
        if odd is not None:
            reasons.append(
                f"{square_name(home[odd])}: what stands there does not look like one checker of "
                f"{seat} ({colour}), as on the other squares of the home; put one on each"
            )
    return tuple(reasons)


def _name(at: tuple[int, int], way: Way) -> str:
    return square_name(_square(at, way))


def _square(at: tuple[int, int], way: Way) -> Square:
    x, y = turned((at[0] + 0.5, at[1] + 0.5), way)
    return square(int(x), int(y))


def _alike(apart: Mapping[tuple[Colour, Colour], float]) -> tuple[str, ...]:
    """Return which colours cannot be told apart."""
    return tuple(
        f"{one} and {other} look too much alike in this light: change the light or the checkers"
        for (one, other), nats in apart.items()
        if nats < _LEAST_APART
    )


def _rounded(location: BoardLocation) -> BoardLocation:
    """Return the location to thousandths of a pixel, as a person can read it in a file."""
    a1, h1, h8, a8 = (_rounded_point(corner) for corner in location.corners)
    return BoardLocation(
        (a1, h1, h8, a8), round(location.confidence, 4), round(location.distortion, 6)
    )


def _rounded_point(point: Point) -> Point:
    return round(point[0], 3), round(point[1], 3)
