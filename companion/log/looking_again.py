"""Looking at the frames of a clip as they were looked at when they were seen."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final

from companion.errors import InputError
from companion.lying import BoardPlace
from companion.seeing import Look, TableWatch
from hardware.bundled import BundledClip
from tabletop import BoardLocation, DieReading, DieSign, DieState
from vision.die_size import DieSizes
from vision.die_view import view_table
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Looked:
    """How a look was made: of so many frames, so long after all was still, and whether the last."""

    frames: int
    still_s: float
    last: bool


class LooksAgain:
    """Looks at the table when it was looked at, and at other times only glances."""

    def __init__(self, watch: TableWatch, looks: Mapping[int, Looked]) -> None:
        self._watch: Final = watch
        self._looks: Final = looks
        self._begun = False
        self.ruled: Final = watch.ruled
        self.look_again: Final = watch.look_again
        self.die_told: Final = watch.die_told
        self.corner_told: Final = watch.corner_told

    def step(self, frame: Frame) -> Look | BoardPlace | None:
        """Return the look at the table for which *frame* was kept, if it was for one."""
        told = self._looks.get(frame.number)
        if told is None or not self._begun:
            self._begun = True  # as a live one, which knows that a die may lie there already
            seen = self._watch.step(frame)
            if told is None:
                return seen
        look = self._watch.step(replace(frame, still=True))
        if not isinstance(look, Look):
            return look
        observation = replace(look.observation, frames=told.frames)
        return replace(
            look, observation=observation, frame=frame, still_s=told.still_s, last=told.last
        )


def clip_looks(clip: BundledClip) -> dict[int, Looked]:
    """Return what a clip tells of the looks among its frames, by their numbers in it.

    Raises:
        InputError: it tells what cannot be.
    """
    try:
        return {
            number: Looked(
                int(one["look"]["frames"]),
                inf if one["look"]["still_s"] is None else float(one["look"]["still_s"]),
                bool(one["look"]["last"]),
            )
            for number, one in enumerate(clip.told)
            if "look" in one
        }
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{clip.name}: what it tells of a look cannot be read: {error}") from error


def die_sizes(whys: Iterable[Mapping[str, Any]], size_wh: tuple[int, int]) -> DieSizes:
    """Return what the throws of earlier rulings told of how large the die is.

    *whys* is what was kept of the rulings, oldest first; what tells of no throw is passed over.
    """
    sizes = DieSizes()
    for why in whys:
        with suppress(KeyError, TypeError, ValueError):
            scene, die = why["scene"], why["die"]
            if die["sign"] != DieSign.THROWN or die["state"] != DieState.SETTLED:
                continue
            a1, h1, h8, a8 = ((float(x), float(y)) for x, y in scene["corners"])
            location = BoardLocation((a1, h1, h8, a8), distortion=float(scene["distortion"]))
            one, two, three, four, five, six = (float(chance) for _, chance in die["values"])
            x, y, wide, high = (float(side) for side in scene["die"]["box"])
            thrown = DieReading((x, y, wide, high), (one, two, three, four, five, six))
            sizes = sizes.thrown(thrown, view_table(location, size_wh))
    return sizes
