"""A clock that jumps by years while a game is played: a Pi has none that goes on without power."""

from datetime import timedelta
from itertools import cycle
from pathlib import Path

from calibration.profile import load_profile
from companion.game import Game
from companion.log.games import newest_unfinished
from companion.log.journal import JOURNAL_NAME, Journal, read_journal
from companion.log.statistics import statistics
from companion.log.verify import verify
from companion.loop import Inbox, referee_game
from companion.options import Outputs, WatchOptions
from companion.start import start_game
from referee.events import FirstPlayer
from tabletop import Colour, Seat
from tests.builders import TWO, game_started, seen, thrown
from tests.companion.test_loop import AT, Hearer, ScriptedSource, ScriptedWatch

YEARS = (0, -56, 40, -1, 0)


def test_a_game_goes_on_over_years(tmp_path: Path) -> None:
    """Expect the same rulings, one reminder in its time, and a log that is proved and counted."""
    years = cycle(YEARS)
    hearer = Hearer()
    with Journal.create(tmp_path, game_started(TWO), AT) as journal:
        game = Game.start(journal, (hearer,), lambda: AT + timedelta(days=365 * next(years)))
        game.rule((FirstPlayer(Seat.D4, Colour.RED),))
        watch = ScriptedWatch(seen({}, thrown(4)), None, seen({}, thrown(3)))
        source = ScriptedSource(60)
        referee_game(source, watch, game, Inbox(), complain=print, remind_s=20.0)
        folder, lines = journal.folder, journal.lines
    kinds = ["die_thrown", "throw_passed", "die_thrown", "throw_passed"]
    assert hearer.kinds == ["game_started", "first_player", *kinds]
    assert len({line.at.year for line in lines}) > 3
    assert hearer.again == 1
    assert verify(folder).right
    read, *_ = read_journal(folder / JOURNAL_NAME)
    assert [line.event for line in read] == [line.event for line in lines]
    assert all(player.move_s == [] for player in statistics([read]))


def test_a_game_begun_by_a_clock_years_ahead_is_not_gone_on_with_for_ever(
    tmp_path: Path, profile: Path
) -> None:
    """Expect the game that was played last to be gone on with, whatever their dates say."""
    options = WatchOptions("usb", None, Outputs(tmp_path))
    for years in (80, 0):
        at = AT + timedelta(days=365 * years)
        with start_game(load_profile(profile), options, at, print).journal as journal:
            played = journal.folder
    found = newest_unfinished(tmp_path)
    assert found is not None
    assert found.folder == played
