"""Which of the pictures beside a log show which of its lines."""

import json
from bisect import bisect_left
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.log.game_folder import PICTURES_NAME, WHY_NAME


class KeptPictures:
    """The pictures of one game that are still kept, found by the lines ruled on their scenes.

    The folder is looked through once, so that a whole game can be gone through.
    """

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._names: Final = _names(folder / PICTURES_NAME)
        numbered = self._names | _names(folder / WHY_NAME)
        self._rulings: Final = sorted({int(n[:5]) for n in numbered if n[:5].isdecimal()})
        self._firsts: Final[dict[int, int]] = {}

    def of(self, first: int, last: int) -> tuple[Path, ...]:
        """Return the pictures that show the lines *first* to *last*: the board, then the die."""
        at = bisect_left(self._rulings, first)
        if at == len(self._rulings) or self._first(self._rulings[at]) > last:
            return ()
        ruling = self._rulings[at]
        there = (f"{ruling:05}-{what}.jpg" for what in ("board", "die"))
        return tuple(self._folder / PICTURES_NAME / name for name in there if name in self._names)

    def _first(self, ruling: int) -> int:
        """Return the first line of a ruling, which is named by its last."""
        if ruling not in self._firsts:
            self._firsts[ruling] = ruling  # before it was told how much was ruled on a scene
            path = self._folder / WHY_NAME / f"{ruling:05}.json"
            with suppress(OSError, ValueError, KeyError, TypeError):
                why: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                self._firsts[ruling] = int(why["sequence"][0])
        return self._firsts[ruling]


def _names(folder: Path) -> set[str]:
    try:
        return {path.name for path in folder.iterdir()}
    except OSError:
        return set()
