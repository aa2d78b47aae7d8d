"""Mending: taking back, correcting, setting, leaving, and the way back to a board that agrees."""

import pytest

from referee.commands import (
    Abandon,
    BoardIsRight,
    Command,
    CommandError,
    CorrectThrow,
    Leave,
    LogIsRight,
    OutOfTurn,
    Rename,
    Restore,
    Resume,
    SayAgain,
    SayThrow,
    SetPosition,
    TakeBack,
    obey,
)
from referee.events import (
    BoardDiffers,
    BoardFound,
    BoardLost,
    By,
    CameraFound,
    CameraLost,
    DieThrown,
    Event,
    FirstPlayer,
    GameWon,
    IllegalMove,
    Obscured,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Unclear,
    Visible,
)
from referee.hypotheses import Moved, Passed, Step, Threw
from referee.judge import judge
from referee.match import EventError, Match, Phase, replay
from referee.moves import Move, parse_move
from referee.outcomes import follow_ups, lawful_events, unsaid
from referee.position import Position, position_text
from referee.reasons import Reason
from referee.record import final_position, parse_record, record_text
from referee.verdict import LIFTED_S, Ruling
from tabletop import Colour, Observation, Seat, contents, parse_square, square_name
from tests.builders import (
    FOUR,
    TWO,
    cocked,
    game_started,
    lying,
    match_at,
    of_match,
    ruled,
    seen,
    standing,
    thrown,
)

NO_MOVE = Passed(chosen=False)
D4, D3, D2 = Seat.D4, Seat.D3, Seat.D2
RED, BLUE = Colour.RED, Colour.BLUE


def begun(seats: str = TWO) -> Match:
    """Return a match that awaits red's first throw."""
    return Match.start(game_started(seats)).after(FirstPlayer(D4, RED))


def told(match: Match, command: Command) -> tuple[Match, list[str]]:
    """Return the match after a command, and the kinds of its events."""
    events = obey(match, command, By.COMMAND)
    for event in events:
        match = match.after(event)
    return match, [event.kind for event in events]


def did(match: Match, *steps: Step) -> Match:
    """Return the match after lawful steps."""
    for event in lawful_events(match, steps):
        match = match.after(event)
    return match


def move(text: str) -> Moved:
    """Return the step of a move."""
    made = parse_move(text)
    assert made is not None
    return Moved(made)


def entered() -> Match:
    """Return a match in which red entered with a six, moved four, and blue cannot move a five."""
    match = did(begun(), Threw(6, 1.0), move("@b1"), Threw(4, 1.0), move("b1-f1"))
    return told(match, SayThrow(5))[0]


def test_taking_back_asks_for_the_board_square_by_square_until_it_stands() -> None:
    """After a command the board is to follow: what differs is told as it changes, and no more."""
    match, _ = told(entered(), TakeBack(2))
    assert (match.restoring, match.to_move, position_text(match.position, match.rules)) == (
        True,
        D4,
        "R*3,b1/~/R*4/~ D4 1",
    )

    moved = seen(standing("f1=red"))
    match, events, verdict = ruled(match, moved, moved)
    assert [event.kind for event in events] == ["board_differs"]
    assert verdict.ruling is Ruling.RESTORING
    _, events, _ = ruled(match, seen({}), seen({}), seen(standing("b1=red")))
    assert [event.kind for event in events] == ["board_differs", "board_agrees"]
    assert isinstance(events[0], BoardDiffers)
    assert [one.square for one in events[0].differs] == [parse_square("b1")]


def after_three_moves() -> Match:
    """Return a match in which red moved, green knocked red out, and then moved another checker."""
    match = match_at("R*3,c1/R*2,e1,a8/R*3,c8/R*4 D4 1")
    return did(
        match,
        *(Threw(4, 1.0), move("c1-g1")),
        *(Threw(2, 1.0), move("e1-g1")),
        *(Threw(4, 1.0), move("a8-a4")),
    )


def boards_before(match: Match) -> list[Observation]:
    """Return the boards before each move of *match*, the last move's first."""
    return [seen_before(match, throw.played.before) for throw in reversed(match.throws)]


def seen_before(match: Match, position: Position) -> Observation:
    """Return a scene in which the board stands at *position*."""
    there = match.contents(position)
    return seen({square_name(at): colours for at, colours in there.items()})


def test_any_number_of_moves_is_taken_back_on_the_board_one_after_another() -> None:
    """Each move put back is undone, and the throw it was made with is owed again."""
    match = after_three_moves()

    stages = []
    for scene in boards_before(match):
        match, events, _ = ruled(match, scene)
        stages.append(([event.kind for event in events], match.to_move, match.die))
    assert stages == [
        (["corrected"], D3, 4),
        (["corrected"], D3, 2),
        (["corrected"], D4, 4),
    ]
    assert position_text(match.position, match.rules) == "R*3,c1/R*2,a8,e1/R*3,c8/R*4 D4 1"


@pytest.mark.parametrize("moves", [2, 3])
def test_several_moves_are_taken_back_on_the_board_at_once(moves: int) -> None:
    """A board that stands as it stood some moves ago was put back to there."""
    match = after_three_moves()
    scene = boards_before(match)[moves - 1]

    match, events, _ = ruled(match, scene)
    assert [event.kind for event in events] == ["corrected"] * moves
    assert match.phase is Phase.MOVE
    assert seen(of_match(match)) == scene


def test_moves_are_taken_back_over_a_throw_that_could_not_be_used() -> None:
    """A throw without a move stands in nobody's way."""
    match = match_at("R*3,b1/R*4/~/~ D4 1", seats="D4=red,D3=green")
    match = did(match, Threw(3, 1.0), move("b1-e1"), Threw(2, 1.0), NO_MOVE, Threw(4, 1.0))
    match = did(match, move("e1-h2"))
    for die, board in ((4, "e1=red"), (3, "b1=red")):
        match, events, _ = ruled(match, seen(standing(board)))
        assert [event.kind for event in events] == ["corrected"]
        assert match.die == die


def test_an_earlier_move_is_not_taken_back_when_the_die_was_cast_since() -> None:
    """Who moves the checker of the player before him back, his throw being owed, moves wrongly."""
    match = did(after_three_moves(), Threw(3, 1.0))
    assert match.to_move is D2

    _, events, _ = ruled(match, boards_before(match)[0])
    assert [event.reason for event in events if isinstance(event, IllegalMove)] == [
        Reason.NOT_YOUR_CHECKER
    ]


def test_an_abandoned_game_is_taken_up_again_as_it_stood() -> None:
    """Taking the end back takes no throw with it."""
    before = did(entered(), Threw(2, 1.0))
    match, _ = told(before, Abandon())
    match, _ = told(match, TakeBack())
    assert (match.phase, match.die, match.position) == (Phase.MOVE, 2, before.position)
    assert match.restoring  # nobody looked at the board meanwhile


@pytest.mark.parametrize("checkers", ["b1*4/R*4", "h8*2,e1*2/h2*4", "R,b1*3/R*4"])
def test_towers_that_are_yet_to_be_put_up_are_told(checkers: str) -> None:
    """A board on which everything is yet to be put is not called unclear, however much that is."""
    start, _ = told(Match.start(game_started()), SetPosition(f"{checkers}/R*4/R*4 D4 1"))
    verdict = judge(start, seen({}), last_look=True)
    (event,) = verdict.events
    assert isinstance(event, BoardDiffers)
    due = {square_name(one.square): one.due for one in event.differs}
    assert due == of_match(start)
    assert verdict.ruling is Ruling.RESTORING


def test_what_hinders_seeing_is_known_until_it_ends() -> None:
    """The newest counts, and no correction ends it."""
    match = entered()
    for event, left in (
        (Obscured(), (Obscured(),)),
        (BoardLost("moved"), (Obscured(), BoardLost("moved"))),
        (BoardLost("turned"), (Obscured(), BoardLost("turned"))),
        (CameraLost(), (Obscured(), BoardLost("turned"), CameraLost())),
        (Visible(), (BoardLost("turned"), CameraLost())),
        (CameraFound(), (BoardLost("turned"),)),
    ):
        match = match.after(event)
        assert match.hindrances == left
    match, _ = told(match, TakeBack())
    assert match.hindrances == (BoardLost("turned"),)
    assert match.after(BoardFound()).hindrances == ()


def test_a_board_put_right_by_and_by_is_followed_though_towers_are_doubtful() -> None:
    """Many small doubts about how many checkers stand together do not add up to silence."""
    setting = SetPosition("R,b1,d1,e1/R*3,h3/~/~ D4 1")
    match, _ = told(match_at("R,b1,d1,f1/R*3,h2/~/~ D4 1", seats="D4=red,D3=green"), setting)
    tower = (("red",), 0.91), (("red", "red"), 0.08), (("red", "red", "red"), 0.01)
    doubts = tuple((contents(*map(Colour, names)), chance) for names, chance in tower)
    changed = {"f1": 1.0, "e1": 1.0}
    scene = seen(
        standing("h2=green"), doubts=dict.fromkeys(("b1", "d1", "e1"), doubts), changed=changed
    )

    match, events, verdict = ruled(match, scene)
    assert verdict.ruling is Ruling.RESTORING
    assert [event.kind for event in events] == ["board_differs"]
    assert [square_name(one.square) for one in match.differs] == ["h2", "h3"]


def test_taking_back_can_itself_be_undone() -> None:
    """Any earlier state can be gone back to, the one before a correction among them."""
    before = entered()
    back, _ = told(before, TakeBack(2))

    again, kinds = told(back, Restore(before.sequence))
    assert kinds == ["corrected"]
    assert (again.position, again.throws, again.die) == (before.position, before.throws, before.die)
    for wrong in (0, again.sequence + 1):
        with pytest.raises(CommandError, match=f"no event {wrong} "):
            told(again, Restore(wrong))


def test_a_game_restored_between_a_throw_and_its_pass_goes_on() -> None:
    """Nobody could do anything with that throw: what follows at once is written too."""
    match = entered()
    back, events = told(match, Restore(match.sequence - 1))
    assert list(events) == ["corrected", "throw_passed"]
    assert (back.phase, back.to_move) == (match.phase, match.to_move)


def test_the_throw_of_a_board_not_yet_restored_does_not_count() -> None:
    """Whatever the die does meanwhile, what is to be put right is told again with each cast.

    What was not told yet is told, and again.
    """
    match, _ = told(entered(), TakeBack(2))

    for times, die in ((2, thrown(3)), (1, thrown(5, 0.5, 6)), (1, cocked()), (1, thrown(3))):
        match, events, verdict = ruled(match, seen(standing("f1=red"), die))
        assert [event.kind for event in events] == ["board_differs"] * times
        assert verdict.die_counted
    match, events, _ = ruled(match, seen(standing("b1=red"), lying(3)))
    assert [event.kind for event in events] == ["board_agrees"]
    _, events, _ = ruled(match, seen(standing("b1=red"), thrown(3)))
    assert [event.kind for event in events] == ["die_thrown"]


def test_a_throw_that_is_seen_with_the_board_put_right_counts() -> None:
    """Who puts it right in silence, and casts, need not cast again."""
    match, _ = told(entered(), TakeBack(2))
    _, events, _ = ruled(match, seen(standing("b1=red"), thrown(3)))
    assert [event.kind for event in events] == ["board_agrees", "die_thrown"]


def test_any_number_of_throws_can_be_taken_back_to_the_very_first() -> None:
    """Opening throws are among them."""
    match = Match.start(game_started(TWO))
    for value in (4, 2, 6):
        match, _ = told(match, SayThrow(value))
    assert (match.phase, match.to_move) == (Phase.MOVE, D4)

    back, _ = told(match, TakeBack(2))
    assert (back.phase, back.to_move, back.opening.values) == (Phase.OPENING, D2, (4,))
    with pytest.raises(CommandError, match="at most 3 can be taken back, not 4"):
        obey(match, TakeBack(4), By.COMMAND)


def test_correcting_the_last_throw_that_could_not_be_used() -> None:
    """A six read as a five passed at once; corrected, its move is owed."""
    match, _ = told(begun(), SayThrow(5))
    assert match.to_move is D2

    match, kinds = told(match, CorrectThrow(6))
    assert kinds == ["corrected", "die_thrown"]
    assert (match.phase, match.die, match.to_move) == (Phase.MOVE, 6, D4)


def test_correcting_an_earlier_throw_keeps_what_still_holds() -> None:
    """Passes on either value stay passes, and the throws after them stay as they were."""
    match = begun()
    for value in (2, 3, 4):
        match, _ = told(match, SayThrow(value))

    match, kinds = told(match, CorrectThrow(5, back=2))
    assert kinds == ["corrected", *["die_thrown", "throw_passed"] * 2]
    assert [throw.played.die for throw in match.throws] == [2, 5, 4]
    assert not match.restoring


def test_correcting_a_played_throw_asks_for_another_move() -> None:
    """A four that was a five is owed the five; the board is put right, or shows it already."""
    match, _ = told(entered(), CorrectThrow(5, back=2))
    assert (match.die, match.to_move, match.restoring) == (5, D4, True)

    _, events, _ = ruled(match, seen(standing("g1=red")))
    assert [event.kind for event in events] == ["board_agrees", "checker_moved"]


def test_there_is_no_throw_to_correct() -> None:
    """Too far back is answered, and what a die cannot show."""
    with pytest.raises(CommandError, match="no throw to correct 9 back"):
        obey(entered(), CorrectThrow(5, back=9), By.COMMAND)
    with pytest.raises(CommandError, match="1 to 6, not 0"):
        obey(entered(), CorrectThrow(0), By.COMMAND)


def test_the_board_is_right_and_the_move_counts() -> None:
    """Declared right, a move of another number stands, and the turn passes."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1")), SayThrow(4))
    match, _, _ = ruled(match, seen(standing("g1=red")))
    assert match.wrong is not None

    match, kinds = told(match, BoardIsRight())
    assert kinds == ["position_set"]
    assert position_text(match.position, match.rules) == "R*3,g1/~/R*4/~ D2 1"
    _, events, _ = ruled(match, seen(standing("g1=red")))
    assert [event.kind for event in events] == ["board_agrees"]


def test_the_board_is_right_and_the_throw_is_still_owed() -> None:
    """Where another's checker was put elsewhere, the mover plays the same throw from there."""
    match = did(begun(), Threw(6, 1.0), move("@b1"), Threw(4, 1.0))
    match, _, _ = ruled(match, seen(standing("b1=red d8=blue")))

    match, kinds = told(match, BoardIsRight())
    assert kinds == ["position_set", "die_thrown"]
    assert (match.die, match.legal) == (4, (Move(parse_square("b1"), parse_square("f1")),))
    other, _ = told(ruled(match, seen(standing("b1=red c8=blue")))[0], BoardIsRight(D2))
    assert (other.phase, other.to_move) == (Phase.THROW, D2)


def test_the_board_cannot_be_right_where_no_game_puts_a_checker() -> None:
    """A checker off every path is named; and without a difference there is nothing to declare."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1")), SayThrow(4))
    with pytest.raises(CommandError, match="do not differ"):
        obey(match, BoardIsRight(), By.COMMAND)
    match, _, _ = ruled(match, seen(standing("d3=red")))
    with pytest.raises(CommandError, match="red checker cannot be on d3"):
        obey(match, BoardIsRight(), By.COMMAND)


def test_the_log_is_right() -> None:
    """The board is then to follow the log, as after any correction."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1")), SayThrow(4))
    match, _, _ = ruled(match, seen(standing("g1=red")))

    match, kinds = told(match, LogIsRight())
    assert (kinds, match.wrong, match.restoring, match.die) == (["corrected"], None, True, 4)
    _, events, _ = ruled(match, seen(standing("g1=red")), seen(standing("b1=red")))
    assert [event.kind for event in events] == ["board_differs", "board_agrees"]


def test_a_position_set_in_the_middle_begins_the_record_anew() -> None:
    """The record from there on holds the position as a tag, and is read back with it."""
    match, kinds = told(entered(), SetPosition("R*2,b1,c3/~/R*3,h8/~ D2 1"))
    assert kinds == ["position_set"]
    match, _ = told(match, SayThrow(6))
    match = did(match, move("@g8"))

    text = record_text(match.record())
    assert '[Setup "R*2,b1,c3/~/R*3,h8/~ D2 1"]' in text
    assert "1. D2: 6 @g8+" in text
    assert final_position(parse_record(text)) == match.position
    assert record_text(parse_record(text)) == text
    assert match.bank.total == 20


def test_a_position_set_can_be_taken_back() -> None:
    """It is one act among the throws."""
    match = entered()
    later, _ = told(match, SetPosition("R*4/~/R*4/~ D2 1"))
    back, _ = told(later, TakeBack())

    assert (back.position, back.throws) == (match.position, match.throws)


@pytest.mark.parametrize(
    "text",
    ["nonsense", "R*4/R*4/R*4/~ D4 1", "a1,b2,c3,d4/~/R*4/~ D4 0", "R*4/~/R*4/~ D3 1"],
)
def test_what_is_no_position_of_this_game_is_refused(text: str) -> None:
    """Malformed, of other seats, or already won: the person hears why."""
    with pytest.raises(CommandError):
        obey(entered(), SetPosition(text), By.COMMAND)
    with pytest.raises(EventError):
        replay([game_started(TWO), PositionSet(By.COMMAND, text, "why")])


def test_one_of_four_leaves() -> None:
    """His checkers are taken off, the others play on, and what he paid stays in the bank."""
    match = did(begun(FOUR), Threw(6, 1.0), move("@b1"))
    match, kinds = told(match, Leave(D4))

    assert kinds == ["player_left"]
    assert position_text(match.position, match.rules) == "~/R*4/R*4/R*4 D3 1"
    assert (match.playing, match.bank.total, match.restoring) == ((D3, D2, Seat.D1), 40, True)
    _, events, _ = ruled(match, seen(standing("b1=red")), seen({}, thrown(3)))
    kinds = [event.kind for event in events]
    assert kinds == ["board_differs", "board_agrees", "die_thrown", "throw_passed"]
    text = record_text(match.record())
    assert '[Setup "~/R*4/R*4/R*4 D3 1"]' in text
    assert parse_record(text).header.seats == (D3, D2, Seat.D1)


def test_leaving_does_not_take_another_players_throw() -> None:
    """Whoever is to move still owes the move."""
    match = did(begun(FOUR), Threw(6, 1.0))
    match, _ = told(match, Leave(D2))

    assert (match.phase, match.die, match.to_move) == (Phase.MOVE, 6, D4)
    match = did(match, move("@b1"))
    assert parse_record(record_text(match.record())).header.setup is not None


def test_leaving_during_the_opening_begins_it_anew() -> None:
    """Those who stay throw again for the start."""
    match = did(Match.start(game_started(FOUR)), Threw(3, 1.0))
    match, _ = told(match, Leave(D3))

    assert (match.phase, match.opening.contenders) == (Phase.OPENING, (D4, D2, Seat.D1))


def test_who_is_left_alone_wins() -> None:
    """Of two players the one who stays takes the bank, and the record says why."""
    events: list[Event] = [game_started(TWO), FirstPlayer(D4, RED), DieThrown(D4, RED, 6)]
    left = PlayerLeft(D4, RED)
    match = replay([*events, left])
    won = follow_ups(match, left)

    assert won == (GameWon(D2, BLUE, 20, ((D4, -10), (D2, 10))),)
    assert unsaid([*events, left]) == won
    assert (match.phase, match.winner) == (Phase.OVER, D2)
    assert told(replay(events), Leave(D4))[1] == ["player_left", "game_won"]
    text = record_text(match.record())
    assert '[Left "D4"]' in text
    assert parse_record(text).result is D2
    with pytest.raises(ValueError, match="all others left D2"):
        parse_record(text.replace("\nD2\n", "\nD4\n").replace('[Result "D2"]\n', ""))


def test_names_change_and_stay_changed_when_throws_are_taken_back() -> None:
    """A name is no part of the play."""
    match, kinds = told(entered(), Rename(D4, " Anna  Maria "))
    assert kinds == ["player_renamed"]
    match, _ = told(match, TakeBack())

    assert match.name(D4) == "Anna Maria"
    assert match.after(PlayerRenamed(D2, "Boris")).record().header.names == ("Anna Maria", "Boris")
    with pytest.raises(CommandError, match="cannot be called"):
        obey(match, Rename(D3, "Nobody"), By.COMMAND)


def test_a_throw_out_of_turn_is_void_by_a_persons_word() -> None:
    """The camera cannot see who throws; told, the throw is undone and its owner throws."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1"), Threw(2, 1.0)), OutOfTurn())
    assert match.wrong is not None
    assert (match.wrong.reason, match.wrong.seat) == (Reason.OUT_OF_TURN, D2)
    assert (match.phase, match.to_move) == (Phase.THROW, D4)

    after, events, _ = ruled(match, seen(standing("b1=red"), lying(2)))
    assert events == []
    _, events, _ = ruled(after, seen(standing("b1=red"), thrown(3)))
    assert [event.kind for event in events] == ["illegal_cleared", "die_thrown"]


def test_who_threw_out_of_turn_must_be_said_where_it_is_not_plain() -> None:
    """With more than two players, and not of the one whose turn it is."""
    match = did(begun(FOUR), Threw(6, 1.0))
    with pytest.raises(CommandError, match="say which of D3, D2, D1 threw"):
        obey(match, OutOfTurn(), By.COMMAND)
    with pytest.raises(CommandError, match="it is the turn of D4"):
        obey(match, OutOfTurn(D4), By.COMMAND)


def test_after_a_pause_the_board_is_compared_first() -> None:
    """What was moved meanwhile is told as a difference, and not as anybody's wrong move."""
    match = entered().after(Paused())
    match, _ = told(match, Resume())

    _, events, _ = ruled(match, seen(standing("f1=red g8=blue")), seen(standing("f1=red")))
    assert [event.kind for event in events] == ["board_differs", "board_agrees"]


def test_what_was_wrong_before_a_pause_is_looked_at_anew() -> None:
    """It may have been put right meanwhile, and something else shoved: nobody hears of what was."""
    match, events, _ = ruled(entered().after(DieThrown(D4, RED, 3)), seen(standing("g1=red")))
    assert [event.kind for event in events] == ["illegal_move"]
    match = match.after(Paused())
    match, _ = told(match, Resume())
    assert match.wrong is None

    _, events, _ = ruled(match, seen(standing("f1=red g8=blue")))
    assert [event.kind for event in events] == ["board_differs"]


def test_saying_again_is_no_event() -> None:
    """It changes nothing, and is possible even after the end."""
    over = replay([game_started(TWO), FirstPlayer(D4, RED), PlayerLeft(D4, RED)])

    assert obey(entered(), SayAgain(), By.BUTTON) == ()
    assert obey(over, SayAgain(), By.BUTTON) == ()
    with pytest.raises(CommandError, match="the game is over"):
        obey(over, SayThrow(3), By.COMMAND)


def test_a_checker_held_in_the_air_is_given_time() -> None:
    """A live camera waits some seconds before it misses a checker; a picture is ruled at once."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1")), SayThrow(4))

    verdict = judge(match, seen({}))
    assert (verdict.ruling, verdict.patience_s) == (Ruling.WRONG, LIFTED_S)
    wrong = judge(match, seen(standing("g1=red")))
    assert (wrong.ruling, wrong.patience_s) == (Ruling.WRONG, 0.0)


def test_what_stays_unclear_is_said_once() -> None:
    """A checker on a border is said at the last look, and not again before something is played."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1")), SayThrow(4))
    red = contents(RED)
    doubts = {"f1": ((red, 0.5), ((), 0.5)), "g1": ((red, 0.5), ((), 0.5))}
    scene = seen({}, doubts=doubts)

    assert judge(match, scene).ruling is Ruling.DOUBTFUL
    assert judge(match, scene).events == ()
    (unclear,) = judge(match, scene, last_look=True).events
    assert unclear == Unclear((parse_square("f1"),))
    assert judge(match.after(unclear), scene, last_look=True).events == ()
    put_right, events, _ = ruled(match.after(unclear), seen(of_match(match)))
    assert [event.kind for event in events] == ["board_agrees"]
    assert put_right.unclear is None


def test_only_the_throwers_own_checkers_are_judged_by_a_throw_that_passed() -> None:
    """Anybody else's checker moved before the next throw was moved before a throw."""
    match, _ = told(did(begun(), Threw(6, 1.0), move("@b1"), Threw(4, 1.0), move("b1-f1")),
                    SayThrow(5))  # fmt: skip

    for board, seat, reason in (
        ("f1=red g8=blue", D2, Reason.ENTRY_NEEDS_SIX),
        ("g1=red", D4, Reason.MOVED_BEFORE_THROW),
    ):
        (event,) = judge(match, seen(standing(board))).events
        assert isinstance(event, IllegalMove)
        assert (event.seat, event.reason) == (seat, reason)


def test_a_victim_that_the_move_made_does_not_knock_out_was_taken_off_for_nothing() -> None:
    """Another move would have knocked it out, but that one was not made."""
    match, _ = told(entered(), SetPosition("R*2,b1,c1/~/R*3,g1/~ D4 1"))
    match, _, _ = ruled(match, seen(of_match(match)), seen(of_match(match), thrown(4)))

    (event,) = judge(match, seen(standing("c1=red f1=red"))).events
    assert isinstance(event, IllegalMove)
    assert event.reason is Reason.REMOVED_WITHOUT_KNOCK_OUT


def test_a_doubtful_throw_that_was_picked_up_is_told_by_its_move() -> None:
    """Five or six was asked and the die taken up again: the move, and the next throw, tell."""
    match, _ = told(entered(), SetPosition("R*2,b1,c1/~/R*4/~ D4 1"))
    asked, _, _ = ruled(match, seen(of_match(match)), seen(of_match(match), thrown(5, 0.55, 6)))
    assert asked.question is not None

    for die in (None, thrown(2)):
        _, events, _ = ruled(asked, seen(standing("b1=red h1=red"), die))
        kinds = [event.kind for event in events][:3]
        assert kinds == ["answer", "die_thrown", "checker_moved"]
