"""Outcomes: the events that tell what people did lawfully, and all that follows from it."""

from collections.abc import Sequence

from referee.events import (
    By,
    CheckerCameHome,
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    Corrected,
    DieThrown,
    DieUnreadable,
    Event,
    ExtraThrow,
    ExtraThrowReason,
    FinePaid,
    FirstPlayer,
    GameWon,
    OpeningThrow,
    PassReason,
    PlayerLeft,
    Source,
    ThrowPassed,
)
from referee.hypotheses import CastVoid, Moved, Passed, Step, Threw, TookBack
from referee.match import Match, Phase, replay
from referee.moves import Played
from referee.position import home_count
from tabletop import Seat


def lawful_events(match: Match, steps: tuple[Step, ...]) -> tuple[Event, ...]:
    """Return the events of lawful *steps* taken one after another from *match*."""
    events: list[Event] = []
    for step in steps:
        for event in _events_of(match, step):
            events.append(event)
            match = match.after(event)
    return tuple(events)


def consequences(match: Match, played: Played) -> tuple[Event, ...]:
    """Return what follows from a move just played, in the order in which it is written.

    Args:
        match: the state after the move's own event.
        played: the move.
    """
    events: list[Event] = []
    seat = played.seat
    bank = match.bank.total - match.bank.fine * sum(count for _, count in played.knocked)
    for owner, count in played.knocked:
        for _ in range(count):
            assert played.knocked_square is not None
            bank += match.bank.fine
            colour = match.colour(owner)
            events.append(CheckerKnockedOut(owner, colour, played.knocked_square, seat))
            events.append(FinePaid(owner, match.bank.fine, bank))
    if played.came_home:
        assert played.move is not None
        at_home = home_count(played.after, seat, match.rules)
        events.append(CheckerCameHome(seat, played.move.target, at_home))
    events += [ExtraThrow(seat, ExtraThrowReason(why.value)) for why in played.extra_throws]
    if played.winner is not None:
        events.append(_won(match, seat))
    return tuple(events)


def thrown_events(match: Match, value: int, confidence: float, source: Source) -> tuple[Event, ...]:
    """Return the events of a throw that counts, in the opening or in a turn."""
    seat = match.to_move
    colour = match.colour(seat)
    if match.phase is not Phase.OPENING:
        return (DieThrown(seat, colour, value, confidence, source),)
    thrown = OpeningThrow(seat, colour, value, confidence, source)
    first = match.opening.after(value).first
    if first is None:
        return (thrown,)
    return (thrown, FirstPlayer(first, match.colour(first)))


def follow_ups(match: Match, event: Event) -> tuple[Event, ...]:
    """Return what follows from *event*, after which the match stands as *match*."""
    match event:
        case CheckerEntered() | CheckerMoved() | ThrowPassed():
            return consequences(match, match.throws[-1].played)
        case PlayerLeft() if match.winner is not None:
            return (_won(match, match.winner),)
        case _:
            return ()


def following_at_once(match: Match) -> tuple[Event, ...]:
    """Return what follows where nobody has anything to do: who begins, or a throw of no use."""
    if match.phase is Phase.OPENING and match.opening.first is not None:
        first = match.opening.first
        return (FirstPlayer(first, match.colour(first)),)
    if match.phase is Phase.MOVE and not match.legal:
        return lawful_events(match, (Passed(chosen=False),))
    return ()


def unsaid(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return what follows from the last deed of *events* and was not written any more.

    A move alone settles the state; its consequences are told after it, and the power may go in
    between. So it may between a throw and the pass, or the first player, that follows from it.
    """
    deeds = (CheckerEntered, CheckerMoved, ThrowPassed, PlayerLeft)
    last = max((n for n, event in enumerate(events) if isinstance(event, deeds)), default=None)
    match = replay(events)
    if at_once := following_at_once(match):
        return at_once
    if last is None:
        return ()
    due = follow_ups(replay(events[: last + 1]), events[last])
    written = tuple(events[last + 1 :])
    if due[: len(written)] != written:
        return ()
    return due[len(written) :]


def _events_of(match: Match, step: Step) -> tuple[Event, ...]:
    """Return the events of one step, the first of which is the step's own."""
    seat = match.to_move
    colour = match.colour(seat)
    match step:
        case TookBack():
            throw = next(one for one in reversed(match.throws) if one.played.move is not None)
            why = "another move was shown before the next throw"
            return (Corrected(By.BOARD, throw.thrown_at, why),)
        case CastVoid(state=state):
            return (DieUnreadable(seat, state.value),)
        case Threw(value=value, confidence=confidence):
            return thrown_events(match, value, confidence, Source.CAMERA)
        case Moved(move=move):
            if move.source is None:
                own: Event = CheckerEntered(seat, colour, move.target)
            else:
                assert match.die is not None
                own = CheckerMoved(seat, colour, move.source, move.target, match.die)
        case Passed(chosen=chosen):
            own = ThrowPassed(seat, colour, PassReason.CHOSEN if chosen else PassReason.NO_MOVE)
    after = match.after(own)
    return (own, *consequences(after, after.throws[-1].played))


def _won(match: Match, seat: Seat) -> GameWon:
    net = tuple(match.bank.net(seat).items())
    return GameWon(seat, match.colour(seat), match.bank.total, net)
