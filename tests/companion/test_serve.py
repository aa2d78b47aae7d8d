"""What the service begins with, as the table stands."""

from pathlib import Path

import pytest

from companion import compose
from companion.cli import run
from companion.log.journal import Journal
from companion.options import WatchOptions
from companion.settings import table_path
from tests.builders import game_started
from tests.companion.journals import STARTED_AT


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, WatchOptions]]:
    """Note what is run instead of running it."""
    calls: list[tuple[str, WatchOptions]] = []
    for name in ("run_watch", "run_set_up"):

        def note(options: WatchOptions, _: object, name: str = name) -> int:
            calls.append((name, options))
            return 0

        monkeypatch.setattr(compose, name, note, raising=False)
    return calls


def test_a_table_without_a_profile_is_set_up(
    called: list[tuple[str, WatchOptions]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page guides through the rest."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(["serve", "pi", "--games", str(tmp_path)]) == 0
    ((name, options),) = called
    assert (name, options.source) == ("run_set_up", "pi")


def test_an_unfinished_game_is_gone_on_with_and_else_one_begins(
    called: list[tuple[str, WatchOptions]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut the players find their game as it stood."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    table_path().parent.mkdir(parents=True)
    table_path().touch()
    games = tmp_path / "games"
    assert run(["serve", "pi", "--games", str(games)]) == 0
    Journal.create(games, game_started(), STARTED_AT).close()
    assert run(["serve", "pi", "--games", str(games)]) == 0
    assert [(name, options.resume) for name, options in called] == [
        ("run_watch", False),
        ("run_watch", True),
    ]
