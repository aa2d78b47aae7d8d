"""The verdict where something is wrong: told as news, beside a doubt, or while mending."""

from referee.cast_in_doubt import wrong_whatever_was_cast
from referee.complaints import is_about_the_die, is_cast, is_cast_in_vain, is_news
from referee.differing import board_differences
from referee.doubts import before_the_doubt, doubt_events, unclear_events
from referee.events import About, BoardDiffers, Event, IllegalMove
from referee.hypotheses import Hypothesis, before_last_cast, casts_of
from referee.match import Match, Phase
from referee.naming import only_lifted
from referee.outcomes import lawful_events
from referee.settled import settled
from referee.vague import vague_beside, vague_squares
from referee.verdict import DOUBT_S, LIFTED_S, SURE, Ruling, Verdict
from referee.weighing import Weighed
from tabletop import DieSign, Observation


def wrong_verdict(
    match: Match,
    observation: Observation,
    wrong: IllegalMove,
    weighed: tuple[Weighed, ...],
    last_look: bool,
) -> Verdict:
    """Tell what is *wrong*, where that is news; if it is none, look on for what may be besides."""
    steps, die = weighed[0].hypothesis.steps, observation.die
    void = _is_void(match, wrong, observation, weighed)
    if void:
        # What was cast before, and asked about, is settled: nothing will tell more of it.
        steps = before_last_cast(steps) if match.question is not None else ()
    events = (*settled(match, steps), *lawful_events(match, steps))
    after = match.after_all(events)
    about_die = is_about_the_die(wrong) and die is not None and die.sign is not DieSign.SAME
    cast = void or bool(casts_of(steps))  # what is ignored is told again with each cast
    news = cast or is_news(after.wrong, wrong, die)
    if not news and not events:
        vague = vague_beside(match, weighed[0].hypothesis.board, observation)
        if vague:
            unclear = unclear_events(match, vague) if last_look else ()
            return Verdict(Ruling.DOUBTFUL, unclear, weighed)
    told: tuple[Event, ...] = (wrong,) if news else ()
    if void and match.phase is Phase.OPENING and is_news(after.wrong, wrong, None):
        told = (wrong, wrong)  # and again, for the cast that was seen with it
    return Verdict(
        Ruling.WRONG,
        (*events, *told),
        weighed,
        die_counted=about_die or cast,
        patience_s=LIFTED_S if only_lifted(wrong) else 0.0,
    )


def beside_a_cast_in_doubt(
    match: Match, observation: Observation, weighed: tuple[Weighed, ...], last_look: bool
) -> Verdict | None:
    """Tell what is wrong beside a cast that is in doubt, and then ask about that; it is not ruled.

    None, where it is not as sure as that.
    """
    played = before_the_doubt(weighed, SURE)
    vague = vague_squares(match, weighed[0].hypothesis, observation) if played else ()
    ruled = () if vague else lawful_events(match, played)
    after = match.after_all(ruled)
    wrong = wrong_whatever_was_cast(after, weighed, SURE)
    if wrong is None:
        return None
    die = observation.die
    void = _is_void(match, wrong, observation, weighed)
    if void or is_news(after.wrong, wrong, die):
        events: tuple[Event, ...] = (wrong,)
    else:
        events = doubt_events(after, weighed, SURE, last_look=last_look, cast=False)
    patience_s = DOUBT_S if events else 0.0
    return Verdict(
        Ruling.WRONG, (*ruled, *events), weighed, die_counted=void, patience_s=patience_s
    )


def beside_the_doubt(
    match: Match, observation: Observation, wrong: IllegalMove, weighed: tuple[Weighed, ...]
) -> Verdict:
    """Tell what is *wrong* while something else is in doubt, of which nothing is ruled."""
    die = observation.die
    void = _is_void(match, wrong, observation, weighed)
    news = (wrong,) if void or is_news(match.wrong, wrong, die) else ()
    return Verdict(Ruling.WRONG, news, weighed, die_counted=void, patience_s=DOUBT_S)


def restoring_verdict(
    match: Match, observation: Observation, tale: Hypothesis, weighed: tuple[Weighed, ...]
) -> Verdict:
    """Return what does not yet stand as it must, if that has changed, or the die was cast.

    Such a cast is void: nobody is to throw yet.
    """
    differs = board_differences(tale.board, match.contents())
    cast = is_cast(observation.die)
    fresh = differs != match.differs
    # Told anew just as it is, it is told for a cast.
    news = (BoardDiffers(differs),) * (fresh + cast)
    return Verdict(Ruling.RESTORING, news, weighed, die_counted=cast)


def _is_void(
    match: Match, wrong: IllegalMove, observation: Observation, weighed: tuple[Weighed, ...]
) -> bool:
    """Tell whether a cast that is seen beside what is *wrong* does not count.

    In the opening one does that people were asked about before anything was wrong.
    """
    die, asked = observation.die, match.question
    if not is_cast_in_vain(match, wrong, die):
        return False
    if match.phase is not Phase.OPENING:
        return not casts_of(weighed[0].hypothesis.steps)
    known = asked is not None and asked.about is About.DIE
    return not known or (die is not None and die.earlier is not None)
