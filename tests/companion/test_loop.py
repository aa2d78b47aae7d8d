"""The loop: frames, commands, a lost camera, listeners that fail, and a log that must not."""

import logging
import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from companion.errors import JournalError
from companion.game import Game, News
from companion.listeners import Background
from companion.log.journal import Journal
from companion.loop import RETRY_S, BoardNews, Inbox, referee_game
from companion.lying import BoardPlace, NameCorner
from companion.seeing import Look
from hardware.closing import Closing
from hardware.ports import DeviceError
from referee.commands import (
    Command,
    CommandError,
    Leave,
    Pause,
    Restore,
    SayAgain,
    SayThrow,
    SetPosition,
    TakeBack,
)
from referee.events import BoardLost, By, CameraLost, FirstPlayer, Obscured
from referee.hypotheses import Moved, Passed, Threw
from referee.match import Phase, replay
from referee.moves import Move
from referee.outcomes import lawful_events
from referee.verdict import Verdict
from tabletop import Colour, NoBoard, Observation, Reading, Seat, square_name
from tests.builders import TWO, game_started, seen, thrown
from vision.frame import Frame
from vision.throws import DieWatch

AT = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)
PIXELS = np.zeros((4, 4, 3), np.uint8)
NOWHERE = NoBoard("this table is made of words")


class ScriptedSource(Closing):
    """Yields so many frames in each run; after a run marked so, the device is lost."""

    def __init__(self, *runs: int, live: bool = True) -> None:
        self.runs = list(runs)
        self.live = live
        self.name = "scripted"

    def frames(self) -> Iterator[Frame]:
        """Yield the frames of the next run."""
        for number in range(self.runs.pop(0)):
            yield Frame(PIXELS, at_s=float(number))
        if self.runs:
            raise DeviceError("the camera is gone: look at its cable")

    def close(self) -> None:
        """Nothing is open."""


class ScriptedWatch:
    """Sees one scripted observation a frame, then nothing."""

    def __init__(
        self, *scenes: Observation | None, still_s: tuple[float, ...] = (math.inf,)
    ) -> None:
        self.scenes = list(scenes)
        self.still_s = list(still_s)
        self.last: list[bool] = []
        self.verdicts: list[Verdict] = []
        self.asked_again = self.told = 0

    def step(self, frame: Frame) -> Look | None:
        """Return the next look."""
        scene = self.scenes.pop(0) if self.scenes else None
        if scene is None:
            return None
        reading = Reading(NOWHERE, scene.squares)
        still_s = self.still_s.pop(0) if len(self.still_s) > 1 else self.still_s[0]
        watch = DieWatch(scene.die, scene.dice_count)
        last = self.last.pop(0) if self.last else False
        return Look(scene, reading, None, frame, watch, still_s=still_s, last=last)  # type: ignore[arg-type]

    def ruled(self, _: Look, verdict: Verdict) -> None:
        """Keep the verdict."""
        self.verdicts.append(verdict)

    def die_told(self) -> None:
        """Count how often people said what the die shows."""
        self.told += 1

    def corner_told(self, *, turned: bool) -> None:
        """Nobody asked."""
        raise AssertionError(turned)

    def look_again(self) -> None:
        """Count how often the match changed otherwise."""
        self.asked_again += 1


class Hearer:
    """Remembers the kinds of events it heard of."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.again = 0
        self.no_die: list[bool] = []

    def hear(self, news: News) -> None:
        """Remember."""
        self.kinds += [event.kind for event in news.events]
        self.again += news.again
        self.no_die += [news.no_die] if news.again else []


class Deaf:
    """Fails at everything."""

    def hear(self, news: News) -> None:
        """Fail."""
        raise RuntimeError(f"no ears for {len(news.lines)}")


def a_game(folder: Path, *listeners: Hearer | Deaf | Background) -> Game:
    """Return a new two-player game in *folder*, in which red begins."""
    journal = Journal.create(folder, game_started(TWO), AT)
    game = Game.start(journal, listeners, lambda: AT)
    game.rule((FirstPlayer(Seat.D4, Colour.RED),))
    return game


def run(source: ScriptedSource, watch: ScriptedWatch, game: Game, inbox: Inbox) -> list[str]:
    """Referee to the source's end and return what was complained of."""
    complaints: list[str] = []
    referee_game(source, watch, game, inbox, complain=complaints.append, wait=lambda _: None)
    return complaints


def test_each_look_is_ruled_on_logged_and_heard(tmp_path: Path) -> None:
    """What the judge rules is in the log, in the match, and with the listeners, in one order."""
    hearer = Hearer()
    game = a_game(tmp_path, hearer)
    watch = ScriptedWatch(seen({}, thrown(4)), None, seen({}, thrown(3)))

    run(ScriptedSource(5), watch, game, Inbox())
    kinds = ["die_thrown", "throw_passed", "die_thrown", "throw_passed"]
    assert hearer.kinds == ["game_started", "first_player", *kinds]
    assert [line.event.kind for line in game.journal.lines] == hearer.kinds
    assert replay(line.event for line in game.journal.lines) == game.match
    assert len(watch.verdicts) == 2


def test_a_command_is_obeyed_between_two_frames(tmp_path: Path) -> None:
    """What a person says goes the way of every event, and the table is looked at again."""
    game, inbox, watch = a_game(tmp_path), Inbox(), ScriptedWatch()
    inbox.put(SayThrow(6), By.CONSOLE)

    assert run(ScriptedSource(1), watch, game, inbox) == []
    assert (game.match.phase, game.match.die) == (Phase.MOVE, 6)
    assert (watch.asked_again, watch.told) == (1, 1)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (SayThrow(2), 1),
        (TakeBack(), 1),
        (Restore(2), 1),
        (SetPosition("R*4/~/R*4/~ D2 1"), 1),
        (Leave(Seat.D2), 1),
        (Leave(Seat.D4), 0),
        (Pause(), 0),
    ],
)
def test_a_die_is_not_taken_for_a_throw_of_another_turn(
    tmp_path: Path, command: Command, told: int
) -> None:
    """What lies there was cast for what is no more, where the game stands elsewhere by command."""
    game, inbox, watch = a_game(tmp_path), Inbox(), ScriptedWatch()
    game.rule(lawful_events(game.match, (Threw(3, 1.0), Passed(chosen=False))))
    inbox.put(command, By.COMMAND)

    assert run(ScriptedSource(1), watch, game, inbox) == []
    assert watch.told == told


def test_a_command_that_cannot_be_obeyed_is_answered(tmp_path: Path) -> None:
    """The person hears why; the game goes on as it was."""
    game, inbox = a_game(tmp_path), Inbox()
    inbox.put(SayThrow(9), By.CONSOLE)
    inbox.put(Pause(), By.CONSOLE)

    complaints = run(ScriptedSource(1), ScriptedWatch(), game, inbox)
    assert complaints == ["a die shows 1 to 6, not 9"]
    assert game.match.paused


def test_who_asked_for_an_answer_gets_it(tmp_path: Path) -> None:
    """He alone hears what became of his command."""
    game, inbox, answers = a_game(tmp_path), Inbox(), list[str | None]()
    inbox.put(SayThrow(9), By.CONSOLE, answers.append)
    inbox.put(Pause(), By.CONSOLE, answers.append)

    assert run(ScriptedSource(1), ScriptedWatch(), game, inbox) == []
    assert answers == ["a die shows 1 to 6, not 9", None]


def test_two_who_mean_the_same_do_it_once(tmp_path: Path) -> None:
    """Of two commands given in sight of the same state the second is refused."""
    game, inbox, answers = a_game(tmp_path), Inbox(), list[str | None]()
    for _ in range(2):
        inbox.put(SayThrow(4), By.CONSOLE, answers.append, game.match.sequence)

    run(ScriptedSource(1), ScriptedWatch(), game, inbox)
    assert answers == [None, "the game has gone on in the meantime: look again"]


def test_commands_are_obeyed_while_the_camera_is_lost(tmp_path: Path) -> None:
    """People need not wait for the camera to be back."""
    game, inbox = a_game(tmp_path), Inbox()
    referee_game(
        ScriptedSource(1, 0, 1),
        ScriptedWatch(),
        game,
        inbox,
        complain=lambda _: None,
        wait=lambda _: inbox.put(Pause(), By.CONSOLE),
    )
    kinds = [line.event.kind for line in game.journal.lines]
    assert kinds.index("paused") < kinds.index("camera_found")


def test_a_lost_camera_is_said_once_and_found_again(tmp_path: Path) -> None:
    """A live camera is tried again, at growing intervals, until it is back."""
    game, waits = a_game(tmp_path), list[float]()

    referee_game(
        ScriptedSource(2, 0, 0, 0, 3),
        ScriptedWatch(),
        game,
        Inbox(),
        complain=lambda _: None,
        wait=waits.append,
    )
    kinds = [line.event.kind for line in game.journal.lines]
    assert kinds == ["game_started", "first_player", "camera_lost", "camera_found"]
    assert waits == [*RETRY_S, RETRY_S[-1]]


def test_a_camera_that_was_never_there_is_an_error(tmp_path: Path) -> None:
    """Nobody waits for a camera that has not given a single frame."""
    with pytest.raises(DeviceError, match="the camera is gone"):
        run(ScriptedSource(0, 1), ScriptedWatch(), a_game(tmp_path), Inbox())


def test_a_recording_that_breaks_is_an_error(tmp_path: Path) -> None:
    """A recorded source does not come back by itself."""
    with pytest.raises(DeviceError, match="the camera is gone"):
        run(ScriptedSource(2, 1, live=False), ScriptedWatch(), a_game(tmp_path), Inbox())


def test_a_failing_listener_is_logged_once_and_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The game and the other listeners go on."""
    hearer = Hearer()
    game = a_game(tmp_path, Deaf(), hearer)
    with caplog.at_level(logging.ERROR):
        run(ScriptedSource(2), ScriptedWatch(seen({}, thrown(4))), game, Inbox())

    assert hearer.kinds[-2:] == ["die_thrown", "throw_passed"]
    (record,) = caplog.records
    assert record.getMessage() == "Deaf failed (no ears for 1); the game goes on"
    assert record.exc_info is None


def test_a_listener_behind_a_queue_hears_everything_in_order(tmp_path: Path) -> None:
    """Stopping the queue lets what waits be heard first; a failure there is logged once too."""
    hearer = Hearer()
    with Background(hearer) as queue:
        game = a_game(tmp_path, queue)
        run(ScriptedSource(2), ScriptedWatch(seen({}, thrown(4))), game, Inbox())

    assert hearer.kinds == ["game_started", "first_player", "die_thrown", "throw_passed"]
    queue.stop()


def test_a_log_that_cannot_be_written_stops_the_game(tmp_path: Path) -> None:
    """Nobody hears of an event that is not on the disk, and the match stays where it was."""
    hearer = Hearer()
    game = a_game(tmp_path, hearer)
    game.journal.close()

    before = game.match
    with pytest.raises(JournalError, match="is closed"):
        run(ScriptedSource(2), ScriptedWatch(seen({}, thrown(4))), game, Inbox())
    assert hearer.kinds == ["game_started", "first_player"]
    assert game.match == before


def test_a_game_is_resumed_where_its_log_ends(tmp_path: Path) -> None:
    """The match is the replay of the log; what a power cut left unsaid is said first."""
    game = a_game(tmp_path)
    for _ in range(2):
        run(ScriptedSource(1), ScriptedWatch(seen({}, thrown(4))), game, Inbox())
    game.journal.close()

    hearer = Hearer()
    with Journal.open(game.journal.folder) as journal:
        again = Game.resume(journal, [hearer], lambda: AT)
        assert again.match == game.match
        assert hearer.kinds == []


def test_people_who_do_nothing_are_reminded_once(tmp_path: Path) -> None:
    """After so long without news what is awaited is told again, and then not again."""
    hearer = Hearer()
    game = a_game(tmp_path, hearer)

    referee_game(
        ScriptedSource(60),
        ScriptedWatch(),
        game,
        Inbox(),
        complain=print,
        remind_s=20.0,
        wait=lambda _: None,
    )
    assert hearer.again == 1


@pytest.mark.parametrize("dice", [0, 1])
def test_a_reminder_tells_that_no_die_is_in_sight(tmp_path: Path, dice: int) -> None:
    """As the last look at the table showed it."""
    hearer = Hearer()
    game = a_game(tmp_path, hearer)
    board = {square_name(at): held for at, held in game.match.contents().items()}
    watch = ScriptedWatch(replace(seen(board), dice_count=dice))
    referee_game(
        ScriptedSource(60),
        watch,
        game,
        Inbox(),
        complain=print,
        remind_s=20.0,
        wait=lambda _: None,
    )
    assert hearer.no_die == [dice == 0]


def test_say_again_repeats_without_an_event(tmp_path: Path) -> None:
    """Everybody hears, and the log stays as it was."""
    hearer = Hearer()
    game, inbox = a_game(tmp_path, hearer), Inbox()
    inbox.put(SayAgain(), By.BUTTON)

    run(ScriptedSource(1), ScriptedWatch(), game, inbox)
    assert (hearer.again, hearer.kinds) == (1, ["game_started", "first_player"])


def test_a_checker_in_the_air_is_waited_for_and_then_missed(tmp_path: Path) -> None:
    """What needs patience is held back while the table has lain still for less."""
    game = a_game(tmp_path)
    for event in lawful_events(game.match, (Threw(6, 1.0), Moved(Move(None, 1)), Threw(4, 1.0))):
        game.rule((event,))
    watch = ScriptedWatch(seen({}), seen({}), still_s=(1.0, 5.0))

    run(ScriptedSource(2), watch, game, Inbox())
    assert [verdict.events == () for verdict in watch.verdicts] == [True, False]
    assert game.match.wrong is not None


def test_a_bumped_and_a_lost_board_are_told_once() -> None:
    """A bump is told when it is noticed; a board that is gone once, and once when it is back."""
    news = BoardNews()
    places = [
        BoardPlace.SAME,
        BoardPlace.MOVED,
        BoardPlace.SAME,
        BoardPlace.LOST,
        BoardPlace.LOST,
        BoardPlace.MOVED,
        BoardPlace.ASTRAY,
        BoardPlace.MOVED,
        BoardPlace.ASTRAY,
        BoardPlace.UNNAMED,
        BoardPlace.UNNAMED,
        BoardPlace.SAME,
    ]

    told = [[(event.kind, getattr(event, "reason", "")) for event in news.step(p)] for p in places]
    assert told == [
        [],
        [("board_lost", "moved"), ("board_found", "")],
        [],
        [("board_lost", "gone")],
        [],
        [("board_found", "")],
        [("board_lost", "moved")],
        [("board_found", "")],
        [("board_lost", "moved")],
        [("board_lost", "turned")],
        [],
        [("board_found", "")],
    ]


def test_bad_light_is_told_once_whatever_was_told_before() -> None:
    """A lamp that blinds the camera is named, also where the board was lost already."""
    news = BoardNews()
    places = [
        BoardPlace.BRIGHT,
        BoardPlace.BRIGHT,
        BoardPlace.SAME,
        BoardPlace.LOST,
        BoardPlace.DARK,
        BoardPlace.LOST,
        BoardPlace.SAME,
    ]

    told = [[(event.kind, getattr(event, "reason", "")) for event in news.step(p)] for p in places]
    assert told == [
        [("board_lost", "bright")],
        [],
        [("board_found", "")],
        [("board_lost", "gone")],
        [("board_lost", "dark")],
        [("board_lost", "gone")],
        [("board_found", "")],
    ]


def test_what_hindered_before_a_power_cut_is_told_to_have_ended(tmp_path: Path) -> None:
    """The log said that nothing could be seen; what is seen now ends that."""
    game = a_game(tmp_path)
    hindrances = (CameraLost(), BoardLost("moved"), Obscured())
    game.rule(hindrances)
    assert game.match.hindrances == hindrances

    run(ScriptedSource(2), ScriptedWatch(seen({})), game, Inbox())
    kinds = [line.event.kind for line in game.journal.lines]
    assert kinds[-3:] == ["camera_found", "board_found", "visible"]
    assert replay(line.event for line in game.journal.lines).hindrances == ()


def test_only_who_is_asked_tells_which_corner_is_a1(tmp_path: Path) -> None:
    """While the board lies as it lay nobody needs to be told."""
    inbox = Inbox()
    inbox.put(NameCorner(turned=True), By.CONSOLE)

    complaints = run(ScriptedSource(1), ScriptedWatch(), a_game(tmp_path), inbox)
    assert complaints == ["nobody asked which corner is a1"]


def test_which_corner_is_a1_is_told_once_until_somebody_looked() -> None:
    """Two who say that it is the other one do not turn it back; who was wrong may say it anew."""
    board, other = BoardNews("turned"), NameCorner(turned=True)
    board.answer(other)
    for again in (other, NameCorner(turned=True, unasked=True)):
        with pytest.raises(CommandError, match="nobody asked"):
            board.answer(again)
    board.step(BoardPlace.MOVED)
    with pytest.raises(CommandError, match="nobody asked"):
        board.answer(other)
    board.answer(NameCorner(turned=True, unasked=True))


def test_what_stays_over_the_board_is_told_once(tmp_path: Path) -> None:
    """A hand that passes is not told of; a cup is, and that it is gone."""
    covered = replace(seen({}), obscured=True)
    hearer = Hearer()
    game = a_game(tmp_path, hearer)
    watch = ScriptedWatch(covered, seen({}), covered, covered, covered, seen({}))
    watch.last = [False, False, False, True, True, False]

    run(ScriptedSource(6), watch, game, Inbox())
    assert hearer.kinds[2:] == ["obscured", "visible"]
