"""Reading the kept pictures of a game again: do they lead to the same events?

The small pictures are put back into the frame they were cut out of, on the picture of the empty
table, and read and judged as frames are. Where a newer version sees a scene otherwise, or rules
otherwise on what it sees, that is told, with what it is that it sees.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import ProfileError, load_profile
from companion.log.evidence import MARGIN, SQUARE_PX, die_matrix
from companion.log.game_folder import JOURNAL_NAME, PICTURES_NAME, TABLES_NAME, WHY_NAME
from companion.log.reader import read_journal
from companion.log.verify import Verification, as_if_sure
from hardware.ports import SourceError
from hardware.stills import read_picture
from referee.events import About, Event, Question
from referee.second_thoughts import SecondThoughts
from tabletop import (
    BoardLocation,
    Box,
    DieObservation,
    DieReading,
    DieSign,
    Observation,
    Reading,
    parse_square,
)
from vision.frame import Frame, Picture
from vision.reader import read_table
from vision.rectify import picture_to_board
from vision.table import TableModel

MOST_NAMED: Final = 3
"""So many squares are named on which a scene is seen otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptScene:
    """A scene that was ruled on, put back together.

    Attributes:
        first, last: the numbers of the lines that were ruled on it.
        frame: what the camera may have seen.
        table: the table it was seen on.
        location: where the board lay.
        why: what was kept of the ruling.
    """

    first: int
    last: int
    frame: Frame
    table: TableModel
    location: BoardLocation
    why: dict[str, Any]


def reread(folder: Path, found: Verification) -> Verification:
    """Return *found*, to which a right game came, and how the kept pictures are seen now."""
    assert found.match is not None
    logged = [line.event for line in read_journal(folder / JOURNAL_NAME)[0]]
    thoughts, accepted, place = SecondThoughts(), None, None
    unruled: DieReading | None = None
    scenes, notes = 0, []
    for kept in kept_scenes(folder):
        scenes += 1
        if kept.location != place:
            accepted, place = None, kept.location
        reading, scene = read_table(kept.frame, kept.table, kept.location, accepted)
        before = found.match.at(kept.first - 1)
        observation = _after_a_cast(_observation(reading, kept), unruled)
        last_look = bool(kept.why["scene"].get("last", True))
        verdict, thoughts = thoughts.judge(before, observation, last_look=last_look)
        if verdict.accepted:
            accepted = scene
        if observation.die is not None and observation.die.sign is DieSign.THROWN:
            unruled = None if verdict.die_counted else observation.die.reading
        then = logged[kept.first - 1 : kept.last]
        if [_told(event) for event in verdict.events] != [_told(event) for event in then]:
            thoughts = SecondThoughts()
            notes.append(_difference(kept, observation, verdict.events))
    alike = scenes - len(notes)
    return replace(found, notes=(*found.notes, *notes), scenes=scenes, alike=alike)


def kept_scenes(folder: Path) -> Iterator[KeptScene]:
    """Yield the scenes of the game in *folder* whose pictures and table are still there."""
    tables = {int(path.stem): path for path in sorted((folder / TABLES_NAME).glob("[0-9]*.toml"))}
    for path in sorted((folder / WHY_NAME).glob("[0-9]*.json")):
        try:
            why = json.loads(path.read_text(encoding="utf-8"))
            first, last = why["sequence"]
            table = _table(tables[max(number for number in tables if number <= first)])
            scene = why["scene"]
            (a1, h1, h8, a8) = ((float(x), float(y)) for x, y in scene["corners"])
            location = BoardLocation((a1, h1, h8, a8), distortion=float(scene["distortion"]))
            picture = folder / PICTURES_NAME / f"{last:05}"
            board = read_picture(picture.with_name(f"{picture.name}-board.jpg"))
            pixels = _put_back(table.reference, board, location)
            if "die" in scene:
                die = read_picture(picture.with_name(f"{picture.name}-die.jpg"))
                pixels = _put_die_back(pixels, die, tuple(scene["die"]["box"]))
        except (OSError, ValueError, KeyError, TypeError, ProfileError, SourceError):
            continue  # of an older version, or gone to make room
        yield KeptScene(first, last, Frame(pixels), table, location, why)


@lru_cache(maxsize=2)
def _table(path: Path) -> TableModel:
    return load_profile(path).model()


def _put_back(empty: Picture, board: Picture, location: BoardLocation) -> Picture:
    """Return the picture of the empty table with what was cut out round its board."""
    map_x, map_y, inside = _way_back(location, (empty.shape[1], empty.shape[0]))
    shown = cv2.remap(board, map_x, map_y, cv2.INTER_LINEAR)
    return np.where(inside[..., None], shown, empty).astype(np.uint8)


@lru_cache(maxsize=2)
def _way_back(
    location: BoardLocation, size_wh: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """Return for each pixel of the frame where it is in the board's picture, and whether it is."""
    x, y = np.meshgrid(np.arange(size_wh[0]), np.arange(size_wh[1]))
    places = picture_to_board(location, size_wh, np.column_stack((x.ravel(), y.ravel())))
    along = places.reshape(size_wh[1], size_wh[0], 2)
    map_x = ((along[..., 0] + MARGIN) * SQUARE_PX - 0.5).astype(np.float32)
    map_y = ((8.0 - along[..., 1] + MARGIN) * SQUARE_PX - 0.5).astype(np.float32)
    side = (8 + 2 * MARGIN) * SQUARE_PX - 1
    inside = (map_x >= 0) & (map_x <= side) & (map_y >= 0) & (map_y <= side)
    return map_x, map_y, inside


def _put_die_back(pixels: Picture, die: Picture, box: Box) -> Picture:
    matrix = die_matrix(box)
    size_wh = (pixels.shape[1], pixels.shape[0])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    shown = cv2.warpAffine(die, matrix, size_wh, flags=flags)
    whole = np.full(die.shape[:2], 255, np.uint8)
    inside = cv2.warpAffine(whole, matrix, size_wh, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    return np.where(inside[..., None] > 0, shown, pixels).astype(np.uint8)


def _observation(reading: Reading, kept: KeptScene) -> Observation:
    scene = kept.why["scene"]
    die = None
    if "die" in scene:
        seen = _nearest(reading.dice, scene["die"]["box"])
        die = DieObservation(DieSign(scene["die"]["sign"]), seen) if seen is not None else None
    return Observation(
        squares=reading.squares,
        die=die,
        dice_count=int(scene.get("dice", 0)),
        obscured=reading.obscured,
    )


def _after_a_cast(observation: Observation, unruled: DieReading | None) -> Observation:
    """Return *observation* after a cast nobody ruled on, if another is seen now."""
    die = observation.die
    if unruled is None or die is None or die.sign is not DieSign.THROWN:
        return observation
    if _nearest((unruled,), die.reading.box) is not None:  # it still lies there
        return observation
    return replace(observation, die=replace(die, earlier=unruled))


def _nearest(dice: tuple[DieReading, ...], box: Box) -> DieReading | None:
    """Return the die that is seen where one was, if there is one."""
    x, y, wide, high = box

    def off(die: DieReading) -> float:
        left, top, width, height = die.box
        return max(abs(left + width / 2 - x - wide / 2), abs(top + height / 2 - y - high / 2))

    nearest = min(dice, key=off, default=None)
    return nearest if nearest is not None and off(nearest) <= max(wide, high) / 2 else None


def _told(event: Event) -> Event:
    """Return *event* as it is compared: how likely the choices of a question are does not count."""
    if isinstance(event, Question) and event.about is About.DIE:
        return replace(event, choices=())
    return as_if_sure(event)


def _difference(kept: KeptScene, observation: Observation, events: tuple[Event, ...]) -> str:
    """Say what would be ruled on a scene now, and what is seen otherwise."""
    now = ", ".join(event.kind for event in events) or "nothing"
    seen = "; ".join([*_squares_otherwise(kept, observation), *_die_otherwise(kept, observation)])
    why = seen or "the same is seen, and ruled otherwise"
    which = f"event {kept.first}" if kept.first == kept.last else f"events {kept.first}-{kept.last}"
    return f"{which}: read again from its pictures, {now} would be ruled: {why}"


def _squares_otherwise(kept: KeptScene, observation: Observation) -> Iterator[str]:
    named = 0
    for name, then in kept.why.get("squares", {}).items():
        now = observation.square(parse_square(name))
        best = then["seen"][0] if then["seen"] else [[], 0.0]
        if [colour.value for colour in now.best] != best[0] and named < MOST_NAMED:
            named += 1
            yield (
                f"{name} is seen as {_contents(now.best)} ({now.confidence:.0%}), "
                f"was {_contents(best[0])} ({best[1]:.0%})"
            )


def _die_otherwise(kept: KeptScene, observation: Observation) -> Iterator[str]:
    then = kept.why.get("die")
    if then is None:
        return
    value = max(then["values"], key=lambda pair: pair[1])[0] if then["state"] == "settled" else None
    was = f"{value}" if value else then["state"]
    if observation.die is None:
        yield f"no die is seen, was {was}"
        return
    reading = observation.die.reading
    now = f"{reading.value}" if reading.value else reading.state.value
    if now != was:
        yield f"the die is seen as {now} ({reading.confidence:.0%}), was {was}"


def _contents(there: Any) -> str:
    return " and ".join(str(colour) for colour in there) or "nothing"
