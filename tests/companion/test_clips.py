"""The last seconds of frames: what is remembered, and when it is put beside the log."""

import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import TableProfile, profile_text
from companion.calibrating import calibrate_from
from companion.game import Game
from companion.log.album import Album, Limits
from companion.log.bundle import write_bundle
from companion.log.clips import MOST_CLIPS, RecentFrames, left_over
from companion.log.evidence import Evidence
from companion.log.game_folder import CLIPS_NAME, TABLES_NAME
from companion.log.journal import Journal
from companion.log.playing_again import play_again
from companion.loop import Inbox, referee_game
from companion.scripts.script import write_game
from companion.seeing import Look, TableWatch
from companion.tapping import TappedSource
from hardware.bundled import FRAMES_NAME
from hardware.simulated import SimulatedTable
from referee.events import Event, GameAbandoned, IllegalMove, Paused
from referee.match import Match
from referee.reasons import Reason
from referee.verdict import Verdict
from tabletop import Seat
from tests.companion.journals import RED, SETUP, STARTED_AT
from tests.companion.live import SEATS, table_look
from vision.frame import Frame

WRONG = IllegalMove(Seat.D4, RED, Reason.WRONG_DISTANCE)
ABANDONED = GameAbandoned(((Seat.D4, 10), (Seat.D2, 10)))
KEEP_S = 4.0


def frame(number: int, at_s: float) -> Frame:
    """Return a small grey frame."""
    return Frame(np.full((24, 32, 3), 90, np.uint8), at_s, number)


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
    """See frames at *times_s*, rule each event at its time, and return the game's folder."""
    with Journal.create(tmp_path, SETUP, STARTED_AT) as journal:
        with RecentFrames(Album(journal.folder, Limits()), KEEP_S, live=True) as recent:
            game = Game.start(journal, [recent], lambda: datetime.now(UTC))
            for number, at_s in enumerate(times_s):
                recent.see(frame(number, at_s))
                if at_s in rulings:
                    game.rule((rulings[at_s],))
        return journal.folder


def test_the_seconds_before_a_quarrel_are_kept(tmp_path: Path) -> None:
    """Expect five frames a second of the last four, a second of them after it, then the rest."""
    times_s = [number / 20 for number in range(241)]
    quarrel, rest = clips(watched(tmp_path, times_s, {8.0: WRONG})).values()
    assert [at_s for at_s, _ in quarrel] == pytest.approx([5 + n / 5 for n in range(20)])
    assert [lines for _, lines in quarrel] == [1] * 16 + [2] * 4
    assert rest[0] == (9.0, 2)
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


def test_a_power_cut_leaves_a_frame_of_every_second_but_the_last_few(tmp_path: Path) -> None:
    """Expect a bundle to have them at once, and a clip of them once the game goes on.

    The clip ends with what had been ruled by then; a part that the cut has torn is left out.
    """
    folder = watched(tmp_path, [], {})
    cut = RecentFrames(Album(folder, Limits()), 10.0, live=True)
    with Journal.open(folder) as journal:
        game = Game.resume(journal, [cut], lambda: datetime.now(UTC))
        for number in range(150):
            cut.see(frame(number, number / 5))
            cut._thread.submit(int).result()  # as slowly as frames come
            if number == 100:
                game.rule((Paused(),))
        cut._thread.shutdown()  # nothing more comes of it, as when the power goes
    assert clips(folder) == {}
    name, data = left_over(folder / CLIPS_NAME) or ("", b"")
    (folder / CLIPS_NAME / ".00001-0000000.part").write_bytes(data[:100])
    with zipfile.ZipFile(io.BytesIO(data)) as clip:
        times_s = [one["at_s"] for one in json.loads(clip.read(FRAMES_NAME))]
    assert times_s == [float(number) for number in range(15, 25)]
    with zipfile.ZipFile(io.BytesIO(write_bundle(folder))) as bundle:
        assert f"game/{CLIPS_NAME}/{name}" in bundle.namelist()
    with RecentFrames(Album(folder, Limits()), 10.0, live=True):
        pass
    assert list(clips(folder)) == [Path(name).stem] == ["00002-0000120"]
    assert [path.name for path in (folder / CLIPS_NAME).iterdir()] == [name]


def test_a_live_game_is_ruled_again_from_its_clip(tmp_path: Path) -> None:
    """Expect looks to be in the clip, which has too few frames to see the table come to rest."""
    seats = SEATS[2]
    script, look = write_game(1, seats, short=True), table_look(1)
    empty = SimulatedTable(script.calibration, look, look.seed)
    profile = calibrate_from(empty.frames(), seats, "demo", print)
    assert isinstance(profile, TableProfile)
    table = SimulatedTable(script.scenes[:16], look, look.seed, 0, 12)
    with Journal.create(tmp_path / "games", replace(SETUP, names=()), STARTED_AT) as journal:
        (journal.folder / TABLES_NAME).mkdir()
        (journal.folder / TABLES_NAME / "00001.toml").write_text(profile_text(profile))
        album = Album(journal.folder, Limits())
        with RecentFrames(album, 60.0, live=True) as recent:
            game = Game.start(journal, [recent], lambda: datetime.now(UTC))
            evidence = Evidence(game, album)

            def seen(look: Look, verdict: Verdict, before: Match) -> None:
                evidence.seen(look, verdict, before)
                recent.looked(look, verdict, before)

            source, watch = TappedSource(table, recent.see), TableWatch(profile.model())
            referee_game(source, watch, game, Inbox(), complain=print, seen=seen, remind_s=1e9)
        ruled = len(journal.lines)
        path = tmp_path / "bundle.zip"
        path.write_bytes(write_bundle(journal.folder))
    told: list[str] = []
    assert play_again(path, None, (), told.append, 1.0) == 0
    again = [re.search(r"all (\d+) events are ruled as they were", text) for text in told]
    assert ruled >= 12
    assert sum(int(one[1]) for one in again if one) >= ruled - 4, told
