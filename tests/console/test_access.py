"""Devices that were let in: known for an evening, also by a program that was started anew."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from companion.console.access import Access
from companion.console.devices import MOST_TOKENS, TOKEN_S, Devices, Right
from tests.console.desks import CODES

NOON_S = 1_800_000_000.0


def access(kept: Path, now_s: float = NOON_S) -> Access:
    """Return who knows the devices that are kept, at that time."""
    return Access(CODES, lambda: 0.0, kept, lambda: now_s)


def paired(at: Access, code: str) -> str:
    """Return the token of a device that is let in."""
    found = at.pair(code, "192.168.1.7")
    assert found is not None
    return found[0]


def test_a_device_is_still_known_after_a_restart(tmp_path: Path) -> None:
    """Each keeps its right; a token that was never given has none."""
    kept = tmp_path / "state" / "devices.json"
    at = access(kept)
    changes, looks = paired(at, CODES.change), paired(at, CODES.look)
    again = access(kept, NOON_S + 3600)
    assert again.right(changes) is Right.CHANGE
    assert again.right(looks) is Right.LOOK
    assert again.right("another") is Right.NOTHING


def test_what_is_kept_helps_nobody_who_reads_it(tmp_path: Path) -> None:
    """The file is for this user alone, and holds hashes, by which nobody is let in."""
    kept = tmp_path / "devices.json"
    token = paired(access(kept), CODES.change)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert token not in kept.read_text()
    (name,) = json.loads(kept.read_text())
    assert access(kept).right(name) is Right.NOTHING
    assert [path.name for path in tmp_path.iterdir()] == ["devices.json"]


def test_a_device_is_forgotten_after_an_evening(tmp_path: Path) -> None:
    """In a program that runs on, and in one that is started anew."""
    kept, later_s = tmp_path / "devices.json", NOON_S + TOKEN_S + 1
    now = [NOON_S]
    at = Access(CODES, lambda: 0.0, kept, lambda: now[0])
    token = paired(at, CODES.change)
    assert at.right(token) is Right.CHANGE
    now[0] = later_s
    assert at.right(token) is Right.NOTHING
    assert access(kept, later_s).right(token) is Right.NOTHING


def test_a_clock_that_was_set_back_prolongs_nothing(tmp_path: Path) -> None:
    """Who would be known for longer than an evening is not known at all."""
    kept = tmp_path / "devices.json"
    token = paired(access(kept), CODES.change)
    assert access(kept, NOON_S - 3600).right(token) is Right.NOTHING


def test_a_broken_file_lets_nobody_in_and_does_no_harm(tmp_path: Path) -> None:
    """Whatever stands in it, devices are let in by the code."""
    kept = tmp_path / "devices.json"
    for text in ("", "[]", "{", '{"a": 1}', '{"a": [9, 1]}', '{"a": [2, "x"]}', "\x00"):
        kept.write_text(text)
        at = access(kept)
        assert at.right(paired(at, CODES.look)) is Right.LOOK


def test_two_programs_keep_their_devices_in_one_file(tmp_path: Path) -> None:
    """Neither forgets whom the other let in, nor lets it be forgotten."""
    kept = tmp_path / "devices.json"
    one, other = access(kept), access(kept)
    first, second = paired(one, CODES.change), paired(other, CODES.look)
    third = paired(one, CODES.look)
    for at in (one, other, access(kept)):
        assert [at.right(token) for token in (first, second, third)] == [
            Right.CHANGE,
            Right.LOOK,
            Right.LOOK,
        ]


def test_programs_that_write_at_the_same_moment_lose_nobody(tmp_path: Path) -> None:
    """Of all that several let in at once each is known afterwards."""
    kept = tmp_path / "devices.json"

    def let_in(program: int) -> None:
        devices = Devices(kept, lambda: NOON_S)
        for number in range(MOST_TOKENS // 4):
            devices.let_in(f"{program} {number}", Right.LOOK)

    with ThreadPoolExecutor(4) as programs:
        list(programs.map(let_in, range(4)))
    assert len(json.loads(kept.read_text())) == MOST_TOKENS


def test_who_deletes_the_file_sends_all_away(tmp_path: Path) -> None:
    """A program that runs on knows nobody from then on but whom it lets in anew."""
    kept = tmp_path / "devices.json"
    at = access(kept)
    token = paired(at, CODES.change)
    kept.unlink()
    assert at.right(token) is Right.NOTHING
    assert at.right(paired(at, CODES.change)) is Right.CHANGE


def test_a_folder_that_takes_nothing_does_no_harm(tmp_path: Path) -> None:
    """Devices are let in all the same, for as long as the program runs."""
    (tmp_path / "file").write_text("")
    at = access(tmp_path / "file" / "devices.json")
    assert at.right(paired(at, CODES.change)) is Right.CHANGE
