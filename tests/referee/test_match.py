"""A match: what can follow, what is undone, and what is recorded."""

import random
from dataclasses import replace

import pytest

from referee.commands import (
    Abandon,
    Choose,
    Command,
    CommandError,
    LeaveThrow,
    Pause,
    Rename,
    Resume,
    SayThrow,
    TakeBack,
    obey,
)
from referee.events import (
    By,
    CheckerEntered,
    CheckerMoved,
    Corrected,
    DieThrown,
    Event,
    FirstPlayer,
    GameAbandoned,
    IllegalMove,
    OpeningThrow,
    PassReason,
    Source,
    ThrowPassed,
)
from referee.hypotheses import Moved, Passed, Step, Threw
from referee.match import EventError, Match, Phase, replay
from referee.outcomes import lawful_events, unsaid
from referee.reasons import Reason
from referee.record import parse_record, record_text
from tabletop import Colour, Seat, parse_square
from tests.builders import TWO, game_started, match_at, ruled, seen, thrown

D4, D2 = Seat.D4, Seat.D2
RED, BLUE = Colour.RED, Colour.BLUE
B1 = parse_square("b1")


def after(match: Match, events: tuple[Event, ...]) -> Match:
    """Return the match after several events."""
    for event in events:
        match = match.after(event)
    return match


def random_game(seed: int, seats: str = TWO, throws: int = 400) -> list[Event]:
    """Return the events of a game that lawful play with a *seed* makes."""
    chance = random.Random(seed)
    setup = game_started(seats)
    events: list[Event] = [setup]
    match = Match.start(setup)
    for _ in range(throws):
        if match.phase is Phase.OVER:
            break
        steps: tuple[Step, ...]
        if match.phase is Phase.MOVE:
            steps = (Moved(chance.choice(match.legal)),) if match.legal else (Passed(False),)
        else:
            steps = (Threw(chance.randint(1, 6), 1.0),)
        for event in lawful_events(match, steps):
            events.append(event)
            match = match.after(event)
    return events


@pytest.mark.parametrize(
    "events",
    [
        [DieThrown(D4, RED, 3)],
        [CheckerEntered(D4, RED, B1)],
        [OpeningThrow(D2, BLUE, 3)],
        [FirstPlayer(Seat.D3, Colour.GREEN)],
        [FirstPlayer(D4, RED), DieThrown(D2, BLUE, 3)],
        [FirstPlayer(D4, RED), DieThrown(D4, RED, 3), DieThrown(D4, RED, 3)],
        [FirstPlayer(D4, RED), DieThrown(D4, RED, 3), CheckerEntered(D4, RED, B1)],
        [FirstPlayer(D4, RED), DieThrown(D4, RED, 6), CheckerEntered(D2, BLUE, B1)],
        [FirstPlayer(D4, RED), DieThrown(D4, RED, 6), ThrowPassed(D4, RED, PassReason.CHOSEN)],
        [FirstPlayer(D4, RED), DieThrown(D4, RED, 6), CheckerMoved(D4, RED, B1, B1 + 6, 6)],
        [FirstPlayer(D4, RED), Corrected(By.CONSOLE, 9, "why")],
        [game_started(TWO)],
    ],
)
def test_an_event_that_cannot_follow_is_refused(events: list[Event]) -> None:
    """Replaying names the number of the event that the rules do not allow there."""
    with pytest.raises(EventError, match=f"event {len(events) + 1}: "):
        replay([game_started(TWO), *events])


def test_a_log_that_does_not_begin_with_the_start_is_refused() -> None:
    """The first event says how the game is played; without it nothing can be judged."""
    with pytest.raises(EventError, match="begins with game_started"):
        replay([FirstPlayer(D4, RED)])
    with pytest.raises(EventError, match="no event"):
        replay([])


@pytest.mark.parametrize("seed", range(6))
def test_replaying_events_leads_to_the_same_state_and_record(seed: int) -> None:
    """A whole random game, replayed, ends as it ended, and so does its record."""
    events = random_game(seed)
    match = replay(events)

    text = record_text(match.record(date="2026.11.30"))
    assert match.winner is not None
    assert parse_record(text).result is match.winner
    assert len(parse_record(text).actions) == len(match.throws)
    assert match.bank.total == 20 + sum(event.kind == "fine_paid" for event in events)


@pytest.mark.parametrize("seed", range(3))
def test_any_earlier_state_can_be_gone_back_to(seed: int) -> None:
    """After a correction the state is what it was right after the event named, wherever that is."""
    events = random_game(seed, throws=80)
    match = replay(events)
    for number in range(1, len(events) + 1, 7):
        back = match.after(Corrected(By.COMMAND, number, "why"))
        then = replay(events[:number])
        assert (back.position, back.phase, back.die, back.bank, back.throws) == (
            then.position,
            then.phase,
            then.die,
            then.bank,
            then.throws,
        )


def test_corrections_can_be_corrected_themselves() -> None:
    """Going back twice, the second time beyond the first, works like once."""
    events = random_game(1, throws=40)
    match = replay(events)

    once = match.after(Corrected(By.COMMAND, 20, "why"))
    twice = once.after(Corrected(By.COMMAND, 9, "why"))
    assert twice.position == replay(events[:9]).position
    assert twice.sequence == len(events) + 2


@pytest.mark.parametrize("seed", range(4))
def test_what_the_power_cut_off_is_written_at_resuming(seed: int) -> None:
    """Cut anywhere, a log plus what is unsaid continues exactly as it would have."""
    events = random_game(seed, seats="D4=red,D3=green,D2=blue,D1=yellow", throws=200)
    follow = {"checker_knocked_out", "fine_paid", "checker_came_home", "extra_throw", "game_won"}
    follow |= {"first_player", "throw_passed"}
    for cut in range(1, len(events)):
        rest = []
        for event in events[cut:]:
            if event.kind not in follow:
                break
            rest.append(event)
        assert list(unsaid(events[:cut])) == rest


def test_a_person_says_the_throw() -> None:
    """A said throw counts like a seen one and is logged as a person's."""
    match = Match.start(game_started(TWO)).after(FirstPlayer(D4, RED))

    events = obey(match, SayThrow(3), By.COMMAND)
    assert events == (
        DieThrown(D4, RED, 3, 1.0, Source.PERSON),
        ThrowPassed(D4, RED, PassReason.NO_MOVE),
    )


def test_a_person_corrects_the_throw_before_its_move() -> None:
    """The wrongly read throw is undone, and the right one is owed a move."""
    match = match_at("R*2,b1,c1/R*4/R*4/R*4 D4 1").after(DieThrown(D4, RED, 3))

    events = obey(match, SayThrow(4), By.CONSOLE)
    assert [event.kind for event in events] == ["corrected", "die_thrown"]
    assert after(match, events).die == 4
    with pytest.raises(CommandError, match="taken for a 3 already"):
        obey(match, SayThrow(3), By.CONSOLE)


def test_a_person_answers_a_question() -> None:
    """The choice settles it: the throw counts as said by a person."""
    match = match_at("R*2,b1,c1/R*4/R*4/R*4 D4 1")
    board = {"b1": (RED,), "c1": (RED,)}
    asked, _, _ = ruled(match, seen(board, thrown(5, 0.55, other=6)))

    events = obey(asked, Choose("6"), By.CONSOLE)
    assert [event.kind for event in events] == ["answer", "die_thrown"]
    assert after(asked, events).die == 6
    with pytest.raises(CommandError, match="none of the choices"):
        obey(asked, Choose("2"), By.CONSOLE)


def test_taking_back_throws() -> None:
    """One throw taken back is awaited again from the same player, the bank as it was."""
    match = Match.start(game_started(TWO)).after(FirstPlayer(D4, RED))
    for value in (3, 4):
        match = after(match, obey(match, SayThrow(value), By.COMMAND))

    back = after(match, obey(match, TakeBack(2), By.COMMAND))
    assert (back.to_move, back.phase, back.throws) == (D4, Phase.THROW, ())
    with pytest.raises(CommandError, match="at most 2 can be taken back, not 3"):
        obey(match, TakeBack(3), By.COMMAND)


def test_a_chosen_pass_by_command_where_it_is_free() -> None:
    """Where every move is inside the home a person may pass at once; else he hears what he owes."""
    free = match_at("R*3,b2/R*3,h2/R*4/R*4 D4 1", 1)
    owed = match_at("R*3,b1/R*3,h2/R*4/R*4 D4 1", 1)

    assert [event.kind for event in obey(free, LeaveThrow(), By.BUTTON)] == ["throw_passed"]
    (wrong,) = obey(owed, LeaveThrow(), By.BUTTON)
    assert isinstance(wrong, IllegalMove)
    assert (wrong.reason, wrong.allowed) == (Reason.MUST_MOVE, ("b1-c1",))


def test_pausing_and_going_on() -> None:
    """A paused game judges nothing and takes no throw; pausing twice is refused."""
    match = match_at("R*2,b1,c1/R*4/R*4/R*4 D4 1", 3)

    paused = after(match, obey(match, Pause(), By.COMMAND))
    for command, why in ((Pause(), "paused already"), (SayThrow(4), "is paused: resume it first")):
        with pytest.raises(CommandError, match=why):
            obey(paused, command, By.COMMAND)
    _, events, _ = ruled(paused, seen({"b1": (RED,)}))
    assert events == []
    assert [event.kind for event in obey(paused, Resume(), By.COMMAND)] == ["resumed"]
    with pytest.raises(CommandError, match="the game is not paused"):
        obey(match, Resume(), By.COMMAND)


def test_an_abandoned_game_asks_for_no_mending() -> None:
    """What was wrong, or differed, is nobody's concern any more."""
    match = match_at("R*3,b1/R*3,f1/R*4/R*4 D4 1", 4)
    match, _, _ = ruled(match, seen({"c1": (RED,), "f1": (Colour.GREEN,)}))
    assert match.wrong is not None
    (event,) = obey(match, Abandon(), By.COMMAND)
    over = match.after(event)
    assert (over.phase, over.wrong, over.differs) == (Phase.OVER, None, ())


def test_abandoning_pays_back_what_each_paid() -> None:
    """Nobody wins, fines included everybody gets his own back, and the game is over."""
    match = match_at("R*3,b1/R*3,f1/R*4/R*4 D4 1", 4)
    match, _, _ = ruled(match, seen({"f1": (RED,)}))

    (event,) = obey(match, Abandon(), By.COMMAND)
    assert isinstance(event, GameAbandoned)
    assert dict(event.paid_back)[Seat.D3] == 11
    over = match.after(event)
    assert over.phase is Phase.OVER
    commands: list[Command] = [SayThrow(3), Pause(), Abandon(), LeaveThrow()]
    for command in commands:
        with pytest.raises(CommandError, match="the game is over"):
            obey(over, command, By.COMMAND)


def test_a_throw_that_no_die_shows_is_refused() -> None:
    """A person's seven is no throw."""
    with pytest.raises(CommandError, match="1 to 6, not 7"):
        obey(match_at("R*4/R*4/R*4/R*4 D4 1"), SayThrow(7), By.COMMAND)


@pytest.mark.parametrize("seats", [(), ((D4, RED),)])
def test_a_game_that_nobody_can_play_is_refused(seats: tuple[tuple[Seat, Colour], ...]) -> None:
    """A start without two players at least is no start, whatever the log says."""
    with pytest.raises(EventError, match="event 1: two to four play"):
        replay([replace(game_started(TWO), seats=seats, names=())])


@pytest.mark.parametrize("name", ["", "  ", "\x1b[31mRed", 'a"b'])
def test_a_name_that_would_spoil_screen_or_record_is_refused(name: str) -> None:
    """Names are plain words: no control characters, no quotes."""
    with pytest.raises(CommandError, match="cannot be called"):
        obey(match_at("R*4/R*4/R*4/R*4 D4 1"), Rename(D4, name), By.CONSOLE)
