"""Mending: taking back, correcting, setting, leaving, and the way back to a board that agrees."""

import pytest

from referee.commands import (
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
    By,
    DieThrown,
    Event,
    FirstPlayer,
    GameWon,
    IllegalMove,
    Paused,
    PlayerLeft,
    PlayerRenamed,
    PositionSet,
    Unclear,
)
from referee.hypotheses import Moved, Step, Threw
from referee.judge import LIFTED_S, Ruling, judge
from referee.match import EventError, Match, Phase, replay
from referee.moves import Move, parse_move
from referee.outcomes import follow_ups, lawful_events, unsaid
from referee.position import position_text
from referee.reasons import Reason
from referee.record import final_position, parse_record, record_text
from tabletop import Colour, Seat, contents, parse_square
from tests.builders import FOUR, TWO, game_started, lying, of_match, ruled, seen, standing, thrown

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


def test_the_throw_of_a_board_not_yet_restored_does_not_count() -> None:
    """A die cast meanwhile waits until the board stands; then it counts."""
    match, _ = told(entered(), TakeBack(2))

    match, events, verdict = ruled(match, seen(standing("f1=red"), thrown(3)))
    assert [event.kind for event in events] == ["board_differs"]
    assert not verdict.die_counted
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
    with pytest.raises(CommandError, match="3 throws can be taken back, not 4"):
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
