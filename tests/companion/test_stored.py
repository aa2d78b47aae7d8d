"""What older versions wrote must stay readable: a stored log and table profile of each."""

import shutil
from pathlib import Path

import pytest

from calibration.profile import load_profile
from companion.cli import run
from companion.log.games import State, summary
from companion.log.journal import JOURNAL_NAME, Journal
from companion.log.lines import FORMAT
from companion.log.verify import verify
from referee.events import Paused
from referee.match import replay
from tabletop import Colour, Seat
from tests.companion.journals import STARTED_AT
from tests.test_architecture import ROOT

JOURNALS = ROOT / "tests" / "data" / "journals"
TABLES = sorted((ROOT / "tests" / "data" / "tables").glob("*.toml"))
FORMATS = [str(number) for number in range(1, FORMAT + 1)]


@pytest.fixture(params=FORMATS)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of the stored game of each format of logs there ever was."""
    return Path(shutil.copytree(JOURNALS / request.param, tmp_path / "games" / "old"))


def test_a_stored_log_is_right(stored: Path) -> None:
    """Expect every line to be proved, and the record beside it to agree."""
    result = verify(stored)
    assert result.faults == ()
    assert result.events == len((stored / JOURNAL_NAME).read_text().splitlines())
    assert bool(result.seal) == ("hash" in _text(stored))


@pytest.mark.parametrize(
    "command",
    ["list", "show {}", "show {} --knock-outs", "verify {}", "stats", "export {} --format jsonl",
     "export {} --format csv", "export {} --format record", "export {} --format html"],
)  # fmt: skip
def test_every_command_takes_stored_logs(stored: Path, command: str) -> None:
    """Expect each command about games to work on a game of any version."""
    arguments = ["games", *command.format(stored).split(), "--games", str(stored.parent)]
    assert run(arguments) == 0


def test_a_stored_game_goes_on(stored: Path) -> None:
    """Expect new lines to follow on the old ones, and from then on no line to be alterable."""
    old = _text(stored)
    assert summary(stored).state is State.UNFINISHED
    with Journal.open(stored) as journal:
        assert journal.altered is None
        journal.append(Paused(), STARTED_AT)
        journal.write_record(replay(line.event for line in journal.lines))
    assert _text(stored).startswith(old)
    assert verify(stored).right
    spoilt = _text(stored).replace('"stake": 10', '"stake": 11', 1)
    (stored / JOURNAL_NAME).write_text(spoilt)
    assert verify(stored).faults


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_stored_table_profile_is_read(path: Path) -> None:
    """Expect the seats, the place of the board and the checkers' looks of each version's file."""
    profile = load_profile(path)
    assert profile.seats == ((Seat.D4, Colour.RED), (Seat.D2, Colour.BLUE))
    assert {look.colour for look in profile.looks} == {Colour.RED, Colour.BLUE}
    assert profile.model().size_wh == (422, 317)


def _text(game: Path) -> str:
    return (game / JOURNAL_NAME).read_text()
