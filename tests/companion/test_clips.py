"""The last seconds of frames: what is remembered, and when it is put beside the log."""

import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pytest

from companion.game import Game
from companion.log.album import Album, Limits
from companion.log.clips import MOST_CLIPS, RecentFrames
from companion.log.game_folder import CLIPS_NAME
from companion.log.journal import Journal
from hardware.bundled import FRAMES_NAME
from referee.events import Event, GameAbandoned, IllegalMove
from referee.reasons import Reason
from tabletop import Seat
from tests.companion.journals import RED, SETUP, STARTED_AT
from vision.frame import Frame

WRONG = IllegalMove(Seat.D4, RED, Reason.WRONG_DISTANCE)
ABANDONED = GameAbandoned(((Seat.D4, 10), (Seat.D2, 10)))
KEEP_S = 4.0


class Camera:
    """Yields a small grey frame at each of the times it is given."""

    name = "camera"
    live = True

    def __init__(self, *times_s: float) -> None:
        self.times_s = times_s

    def frames(self) -> Iterator[Frame]:
        """Yield the frames."""
        for number, at_s in enumerate(self.times_s):
            yield Frame(np.full((24, 32, 3), 90, np.uint8), at_s, number)

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def clips(folder: Path) -> dict[str, list[tuple[float, int]]]:
    """Return for each clip beside a log the time of each frame and the lines there were then."""
    found = {}
    for path in sorted((folder / CLIPS_NAME).glob("*.zip")):
        with zipfile.ZipFile(path) as clip:
            listed = json.loads(clip.read(FRAMES_NAME))
            assert all(clip.read(one["name"])[:2] == b"\xff\xd8" for one in listed)
        found[path.stem] = [(one["at_s"], one["line"]) for one in listed]
    return found


def watched(tmp_path: Path, times_s: list[float], rulings: dict[float, Event]) -> Path:
    """Watch frames at *times_s*, rule each event at its time, and return the game's folder."""
    with Journal.create(tmp_path, SETUP, STARTED_AT) as journal:
        album = Album(journal.folder, Limits())
        with RecentFrames(Camera(*times_s), album, KEEP_S) as recent:
            game = Game.start(journal, [recent], lambda: datetime.now(UTC))
            for frame in recent.frames():
                if frame.at_s in rulings:
                    game.rule((rulings[frame.at_s],))
        return journal.folder


def test_the_seconds_before_a_quarrel_are_kept(tmp_path: Path) -> None:
    """Expect five frames a second of the last four, then those that came after."""
    times_s = [number / 20 for number in range(241)]
    quarrel, rest = clips(watched(tmp_path, times_s, {8.0: WRONG})).values()
    assert [at_s for at_s, _ in quarrel] == pytest.approx([4 + n / 5 for n in range(21)])
    assert {lines for _, lines in quarrel} == {1}
    assert rest[0] == (8.2, 2)
    assert rest[-1] == (12.0, 2)


def test_no_more_than_the_newest_clips_stay(tmp_path: Path) -> None:
    """Expect one clip for quarrels that follow one another at once, and four in all."""
    times_s = [number / 4 for number in range(160)]
    rulings: dict[float, Event] = dict.fromkeys(times_s[20::20], WRONG)
    found = clips(watched(tmp_path, times_s, rulings))
    assert len(found) == MOST_CLIPS


@pytest.mark.parametrize("over", [True, False])
def test_a_game_that_is_over_needs_no_clip(tmp_path: Path, over: bool) -> None:
    """Expect the last seconds of a game that broke off, and none where all is said."""
    folder = watched(tmp_path, [0.0, 1.0, 2.0], {1.0: ABANDONED} if over else {})
    assert bool(clips(folder)) is not over


def test_a_camera_that_came_back_begins_anew(tmp_path: Path) -> None:
    """Expect frames of before its clock began again to be forgotten."""
    (found,) = clips(watched(tmp_path, [5.0, 6.0, 0.5, 1.5], {})).values()
    assert [at_s for at_s, _ in found] == [0.5, 1.5]
