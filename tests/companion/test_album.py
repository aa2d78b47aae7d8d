"""How many pictures are kept, for how long, and which go first."""

import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.log import album
from companion.log.album import MEGABYTE, Album, Limits, make_room
from companion.log.game_folder import CLIPS_NAME, JOURNAL_NAME, PICTURES_NAME
from tests.companion.journals import knock_out, write

BIG = bytes(MEGABYTE // 10)


@pytest.fixture
def games(tmp_path: Path) -> list[Path]:
    """Return three games of 29 lines, oldest first, each with ten pictures of a tenth of a MB."""
    folders = []
    for number in range(3):
        made = write(tmp_path, knock_out())
        folder = made.rename(tmp_path / f"2026-11-30-18000{number}-abcd")
        for line in (2, 4, 7, 9, 12, 15, 18, 20, 25, 29):
            (folder / PICTURES_NAME / f"{line:05}-board.jpg").write_bytes(BIG)
        folders.append(folder)
    return folders


def kept(game: Path) -> list[int]:
    """Return the numbers of the pictures that are left of a game."""
    return sorted(int(path.name[:5]) for path in (game / PICTURES_NAME).iterdir())


def test_within_the_limit_everything_stays(games: list[Path]) -> None:
    """Expect nothing to go, and the sum of what is there."""
    assert make_room(games[0].parent, Limits(3, 0)) == 30 * len(BIG)
    assert [len(kept(game)) for game in games] == [10, 10, 10]


def test_the_oldest_that_nobody_will_ask_for_go_first(games: list[Path]) -> None:
    """Expect room down to nine tenths of the limit, made by the oldest games.

    The knock-out's picture, of lines 21 to 25, outlives the others of its game, and the game being
    played loses none.
    """
    assert make_room(games[0].parent, Limits(2, 0), playing=games[2]) == 18 * len(BIG)
    assert [kept(game) for game in games] == [[25], [9, 12, 15, 18, 20, 25, 29], kept(games[2])]
    assert len(kept(games[2])) == 10


def test_a_limit_of_nothing_keeps_nothing(games: list[Path]) -> None:
    """Expect even the game being played to have no pictures where none are wanted."""
    make_room(games[0].parent, Limits(0, 0), playing=games[2])
    assert [kept(game) for game in games] == [[], [], []]


def test_pictures_go_after_so_many_days(games: list[Path]) -> None:
    """Expect those of a game long untouched to go, clips too, and its log to stay."""
    (games[0] / CLIPS_NAME).mkdir()
    (games[0] / CLIPS_NAME / "00029.zip").write_bytes(BIG)
    now_s = (games[0] / JOURNAL_NAME).stat().st_mtime
    for number, game in enumerate(games):
        os.utime(game / JOURNAL_NAME, (0, now_s - 86_400 * (40, 20, 40)[number]))
    make_room(games[0].parent, Limits(100, 30), playing=games[2], now_s=now_s)
    assert [len(kept(game)) for game in games] == [0, 10, 10]
    assert not list((games[0] / CLIPS_NAME).iterdir())
    assert (games[0] / JOURNAL_NAME).stat().st_size
    make_room(games[0].parent, Limits(100, 0), now_s=now_s + 1e9)
    assert len(kept(games[1])) == 10


def test_only_what_is_kept_here_goes(games: list[Path], tmp_path: Path) -> None:
    """Expect files that are linked here, or named otherwise, to stay whatever is wanted."""
    elsewhere = tmp_path / "holidays"
    elsewhere.mkdir()
    photo = elsewhere / "00001-board.jpg"
    photo.write_bytes(BIG)
    for name, target in (("00001-board.jpg", photo), ("holidays", elsewhere)):
        (games[0] / PICTURES_NAME / name).symlink_to(target)
    (games[0] / PICTURES_NAME / "notes.txt").write_bytes(BIG)
    assert make_room(games[0].parent, Limits(0, 0)) == 0
    left = sorted(path.name for path in (games[0] / PICTURES_NAME).iterdir())
    assert left == ["00001-board.jpg", "holidays", "notes.txt"]
    assert photo.read_bytes() == BIG


def test_a_clock_that_was_never_set_makes_nothing_old(games: list[Path]) -> None:
    """Expect the pictures of a game to stay whose log was written in 1970 by its file's time."""
    os.utime(games[0] / JOURNAL_NAME, (0, 3600))
    make_room(games[0].parent, Limits(100, 30))
    assert len(kept(games[0])) == 10


def test_a_clock_years_ahead_that_nobody_set_makes_nothing_old(
    games: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect pictures to go by a clock years ahead only once it was told the time."""
    ahead_s = (games[0] / JOURNAL_NAME).stat().st_mtime + 40 * 365 * 86_400
    monkeypatch.setattr("time.time", lambda: ahead_s)
    keeper = tmp_path / "timesync"
    keeper.mkdir()
    monkeypatch.setattr(album, "_TIME_KEEPER", keeper)
    make_room(games[0].parent, Limits(100, 30))
    assert [len(kept(game)) for game in games] == [10, 10, 10]
    (keeper / "synchronized").touch()
    make_room(games[0].parent, Limits(100, 30), playing=games[2])
    assert [len(kept(game)) for game in games] == [0, 0, 10]


def test_keeping_a_picture_makes_room_for_it(games: list[Path]) -> None:
    """Expect the new picture to be there and the oldest of another game to be gone."""
    book = Album(games[2], Limits(3, 0))
    path = book.keep(PICTURES_NAME, "00030-board.jpg", BIG)
    assert path.read_bytes() == BIG
    assert 2 not in kept(games[0])
    assert len(kept(games[2])) == 11


def test_the_last_room_on_the_disk_is_left_to_the_log(
    games: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect pictures to be refused where little room is left, and nothing half written."""
    usage = namedtuple("usage", "total used free")
    book = Album(games[0], Limits())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1, 1, 40 * MEGABYTE))
    with pytest.raises(JournalError, match="left to the log"):
        book.keep(PICTURES_NAME, "00030-board.jpg", BIG)
    assert len(kept(games[0])) == 10


def test_nothing_may_take_the_room_of_all_others(games: list[Path]) -> None:
    """Expect a clip of more than half the limit to be refused, and the pictures to stay."""
    album = Album(games[2], Limits(4, 0))
    with pytest.raises(JournalError, match="pictures_mb"):
        album.keep(CLIPS_NAME, "00029-0000001.zip", bytes(2_000_001))
    assert [len(kept(game)) for game in games] == [10, 10, 10]
