"""The judge: from a match and a settled scene to a verdict.

Pure: the same match and the same scene give the same verdict. What the verdict rules are events;
whoever keeps the match applies them. Doubt is a verdict too: a question where a person can settle
it, and silence where the next look may.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.events import (
    About,
    Answer,
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
    IllegalCleared,
    IllegalMove,
    OpeningThrow,
    PassReason,
    Question,
    Source,
    ThrowPassed,
)
from referee.hypotheses import (
    CastVoid,
    Hypothesis,
    Moved,
    Passed,
    Step,
    Threw,
    TookBack,
    hypotheses,
)
from referee.match import Match, Phase, replay
from referee.moves import Played, move_text
from referee.position import home_count
from referee.reasons import Reason
from referee.weighing import Weighed, weigh
from tabletop import DieSign, Observation

SURE: Final = 0.9
"""A tale this probable is ruled on."""
POSSIBLE: Final = 0.05
"""A tale less probable than this is not worth asking about."""
MOST_CHOICES: Final = 4
ABOUT_THE_DIE: Final = frozenset({Reason.MUST_MOVE, Reason.DIE_CHANGED, Reason.GAME_OVER})
"""Wrongs that the squares do not show, so that a rightly standing board does not clear them."""


class Ruling(StrEnum):
    """What a verdict says of a scene."""

    OBSCURED = "obscured"
    """Something covers the board: nothing is judged."""
    NOTHING = "nothing"
    """All stands as the match says."""
    LAWFUL = "lawful"
    """Something was done, and rightly."""
    UNFINISHED = "unfinished"
    """Somebody is in the middle of a move."""
    WRONG = "wrong"
    """Something stands that the rules forbid."""
    ASKED = "asked"
    """The picture cannot tell; a person can."""
    DOUBTFUL = "doubtful"
    """The picture cannot tell; a further look may."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of a scene.

    Attributes:
        ruling: in one word.
        events: what is to be written, in order; none where nothing new is to be said.
        weighed: the tales that were weighed, the most probable first.
        die_counted: the die as it lies is accounted for: only another cast is news.
        accepted: the scene is as the match then says; later scenes may be compared with it.
    """

    ruling: Ruling
    events: tuple[Event, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    die_counted: bool = False
    accepted: bool = False


def judge(match: Match, observation: Observation) -> Verdict:
    """Return what *observation* means in the state *match*."""
    if observation.obscured:
        return Verdict(Ruling.OBSCURED)
    if match.paused or match.abandoned:
        return Verdict(Ruling.NOTHING)
    weighed = weigh(hypotheses(match, observation), observation, match.contents())
    first = weighed[0]
    tale = first.hypothesis
    if first.probability < SURE and not _same_for_the_game(match, weighed):
        return _doubt(match, weighed)
    if tale.wrong is not None:
        return _wrong(match, observation, tale, weighed)
    if tale.unfinished and not tale.steps:
        return Verdict(Ruling.UNFINISHED, (), weighed)
    events = lawful_events(match, tale.steps)
    if not tale.steps:
        return Verdict(Ruling.NOTHING, _cleared(match), weighed, accepted=True)
    cast = any(isinstance(step, Threw | CastVoid) for step in tale.steps)
    return Verdict(
        Ruling.LAWFUL,
        (*_settled(match, tale.steps), *_mended(match), *events),
        weighed,
        die_counted=cast,
        accepted=not tale.unfinished,
    )


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
        net = tuple(match.bank.net(seat).items())
        events.append(GameWon(seat, match.colour(seat), match.bank.total, net))
    return tuple(events)


def _events_of(match: Match, step: Step) -> tuple[Event, ...]:
    """Return the events of one step, the first of which is the step's own."""
    seat = match.to_move
    colour = match.colour(seat)
    match step:
        case TookBack():
            throw = match.throws[-1]
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


def _wrong(
    match: Match, observation: Observation, tale: Hypothesis, weighed: tuple[Weighed, ...]
) -> Verdict:
    wrong = tale.wrong
    assert wrong is not None
    events = lawful_events(match, tale.steps)
    after = match
    for event in events:
        after = after.after(event)
    die = observation.die
    about_die = wrong.reason in ABOUT_THE_DIE and die is not None and die.sign is not DieSign.SAME
    counted = about_die or any(isinstance(step, Threw | CastVoid) for step in tale.steps)
    news = () if _same_wrong(after.wrong, wrong) else (wrong,)
    return Verdict(Ruling.WRONG, (*events, *news), weighed, die_counted=counted)


def _same_wrong(said: IllegalMove | None, wrong: IllegalMove) -> bool:
    """Tell whether *wrong* is what was *said* already, though it be seen a little otherwise."""
    if said is None:
        return False
    return (said.reason, said.seat, said.found) == (wrong.reason, wrong.seat, wrong.found)


def _cleared(match: Match) -> tuple[Event, ...]:
    if match.wrong is None or match.wrong.reason in ABOUT_THE_DIE:
        return ()
    return (IllegalCleared(match.wrong.seat),)


def _mended(match: Match) -> tuple[Event, ...]:
    return (IllegalCleared(match.wrong.seat),) if match.wrong is not None else ()


def _settled(match: Match, steps: tuple[Step, ...]) -> tuple[Event, ...]:
    """Return the answer that the board itself gave to an open question."""
    if match.question is None:
        return ()
    choices = (_choice(step) for step in steps)
    choice = next((one for one in choices if one in match.question.choices), None)
    return (Answer(match.question.id, choice, By.BOARD),) if choice else ()


def _choice(step: Step) -> str | None:
    """Return how a step is written as a choice of a question."""
    match step:
        case Moved(move=move):
            return move_text(move)
        case Threw(value=value):
            return str(value)
        case _:
            return None


def _doubt(match: Match, weighed: tuple[Weighed, ...]) -> Verdict:
    """Return a question where lawful tales rival, else a verdict that waits."""
    rivals = [one for one in weighed if one.probability >= POSSIBLE][:MOST_CHOICES]
    tales = [one.hypothesis for one in rivals]
    lawful = len(rivals) > 1 and all(t.wrong is None and not t.unfinished for t in tales)
    if not lawful or any(not tale.steps for tale in tales):
        return Verdict(Ruling.DOUBTFUL, (), weighed)
    about, choices = _choices(tales)
    if len(choices) < 2:
        return Verdict(Ruling.DOUBTFUL, (), weighed)
    asked = match.question
    if asked is not None and (asked.about, asked.choices) == (about, choices):
        return Verdict(Ruling.ASKED, (), weighed)
    return Verdict(Ruling.ASKED, (Question(match.sequence + 1, about, choices),), weighed)


def _choices(tales: list[Hypothesis]) -> tuple[About, tuple[str, ...]]:
    """Return what the rival tales differ in: the cast, or else the move."""
    casts = dict.fromkeys(
        str(step.value) for tale in tales for step in tale.steps if isinstance(step, Threw)
    )
    if len(casts) > 1:
        return About.DIE, tuple(sorted(casts))
    moves = dict.fromkeys(
        move_text(step.move) for tale in tales for step in tale.steps if isinstance(step, Moved)
    )
    return About.MOVE, tuple(moves)


def _same_for_the_game(match: Match, weighed: tuple[Weighed, ...]) -> bool:
    """Tell whether all rivals lead to the same position, and the likeliest is likely enough.

    A throw without a move may be a two or a three: the game goes on alike.
    """
    if match.phase is Phase.OPENING or weighed[0].probability < 1 - SURE * 0.5:
        return False
    first = weighed[0].hypothesis
    alike = sum(one.probability for one in weighed if _leads_alike(one.hypothesis, first))
    return first.wrong is None and alike >= SURE


def _leads_alike(tale: Hypothesis, other: Hypothesis) -> bool:
    return (
        tale.wrong is None
        and not tale.unfinished
        and tale.position == other.position
        and len(tale.steps) == len(other.steps)
    )


def unsaid(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return what follows from the last move of *events* and was not written any more.

    A move alone settles the state; its consequences are told after it, and the power may go in
    between.
    """
    moves = (CheckerEntered, CheckerMoved, ThrowPassed)
    last = max((n for n, event in enumerate(events) if isinstance(event, moves)), default=None)
    if last is None:
        return ()
    match = replay(events[: last + 1])
    due = consequences(match, match.throws[-1].played)
    written = tuple(events[last + 1 :])
    if due[: len(written)] != written:
        return ()
    return due[len(written) :]
