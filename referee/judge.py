"""The judge: from a match and a settled scene to a verdict.

Pure: the same match and the same scene give the same verdict. What the verdict rules are events;
whoever keeps the match applies them. Doubt is a verdict too: a question where a person can settle
it, and silence where the next look may.
"""

from itertools import takewhile
from typing import Final

from referee.complaints import (
    cleared_events,
    is_about_the_die,
    is_cast,
)
from referee.die_faults import DIE_FAULTS, is_turned_in_doubt, wrong_about_the_die
from referee.differing import board_differences
from referee.doubts import (
    before_the_doubt,
    doubt_events,
    same_for_the_game,
    unclear_events,
    wrong_beside_the_doubt,
)
from referee.events import (
    About,
    BoardAgrees,
    Event,
    IllegalCleared,
    Question,
)
from referee.hypotheses import (
    AGAIN,
    CastVoid,
    Hypothesis,
    Step,
    TookBack,
    before_last_cast,
    casts_of,
)
from referee.match import Match, Phase
from referee.outcomes import lawful_events
from referee.reasons import Reason
from referee.settled import settled
from referee.vague import vague_squares
from referee.verdict import DOUBT_S, LIFTED_S, SURE, Ruling, Verdict
from referee.weighing import Weighed, weigh
from referee.wrong_verdicts import (
    beside_a_cast_in_doubt,
    beside_the_doubt,
    restoring_verdict,
    wrong_verdict,
)
from tabletop import EMPTY, DieObservation, DieSign, DieState, Observation, Square

LEAST_LEANING: Final = 0.22
"""From this probability on that it leans, a die may be cocked."""
LIKELIER: Final = 0.45
"""Of a cast that nothing will tell more about any more, the likelier tale is enough."""
OF_ACCOUNT: Final = 1e-3
"""Less probable tales are not added up."""
LIKELIER_WRONG: Final = 4.0
"""Where all tales tell of a wrong, one so many times likelier than any other is told."""


def judge(match: Match, observation: Observation, *, last_look: bool = False) -> Verdict:
    """Return what *observation* means in the state *match*.

    Args:
        match: the state.
        observation: the scene.
        last_look: the scene will not be looked at again before something moves, so that what is
            still in doubt has to be said.
    """
    if observation.obscured:
        return Verdict(Ruling.OBSCURED)
    if match.paused or match.abandoned:
        return Verdict(Ruling.NOTHING)
    weighed = weigh(match, observation)
    first = weighed[0]
    tale = first.hypothesis
    past = observation.die is not None and observation.die.earlier is not None
    needed = LIKELIER if past else _needed(observation)
    surely_wrong = _surely_wrong(
        weighed, needed, by_far=not match.restoring, any_cast=past or match.restoring
    )
    clear = first.probability >= needed or surely_wrong
    if not clear and not same_for_the_game(match, weighed, SURE):
        if not match.restoring and not past:
            beside = beside_a_cast_in_doubt(match, observation, weighed, last_look)
            if beside is not None:
                return beside
        if not match.restoring and (sure := wrong_beside_the_doubt(match, weighed, SURE)):
            return beside_the_doubt(match, observation, sure, weighed)
        if past:
            return _settle_the_past(match, weighed)
        return _doubt(match, observation, weighed, last_look)
    wrong = tale.wrong
    missing = wrong is not None or (tale.unfinished and not tale.steps)
    if match.restoring and missing and not is_about_the_die(wrong):
        return restoring_verdict(match, observation, tale, weighed)
    if wrong is not None:
        return wrong_verdict(match, observation, wrong, weighed, last_look)
    if tale.unfinished and not tale.steps:
        # Who has only taken a checker off has not moved, and nobody may cast yet.
        early = wrong_about_the_die(match, observation.die)
        if early is not None and early.reason is Reason.MUST_MOVE:
            return Verdict(Ruling.WRONG, (early,), weighed, die_counted=True)
        return Verdict(Ruling.UNFINISHED, (), weighed)
    vague = vague_squares(match, tale, observation)
    if vague and past:
        # To wait on would lose the cast before: the next player's throw makes its move final.
        return _settle_the_past(match, weighed)
    if vague or (not tale.steps and is_turned_in_doubt(match, observation.die)):
        events = unclear_events(match, vague) if last_look else ()
        return Verdict(Ruling.DOUBTFUL, (*_mended(match, weighed, vague), *events), weighed)
    return _lawful(match, observation, tale, weighed)


def _surely_wrong(
    weighed: tuple[Weighed, ...], needed: float, *, by_far: bool, any_cast: bool
) -> bool:
    """Tell whether something wrong was done for sure, and, if need be *by_far*, what it was.

    Where the squares would show the same, the likelier tale is told: nobody can tell them apart.
    But what was cast is not decided by a wrong, unless *any cast* will do.
    """
    first, *others = weighed
    if first.hypothesis.fault is None:
        return False
    tale = first.hypothesis
    alike = rival = 0.0
    for one in takewhile(lambda one: one.probability >= OF_ACCOUNT, others):
        other = one.hypothesis
        wrong = other.fault is not None
        same = wrong and other.board == tale.board
        same = same and (any_cast or not _differ_in_casts(other.steps, tale.steps))
        alike += one.probability if same or (wrong and other.steps == tale.steps) else 0.0
        rival = max(rival, 0.0 if same else one.probability)
    if by_far and first.probability < LIKELIER_WRONG * rival:
        return False
    return first.probability + alike >= needed


def _differ_in_casts(steps: tuple[Step, ...], others: tuple[Step, ...]) -> bool:
    """Tell whether a cast that counts in both shows something else."""
    casts, other_casts = casts_of(steps), casts_of(others)
    return bool(casts and other_casts) and casts != other_casts


def _needed(observation: Observation) -> float:
    """Return how probable a tale must be: that a settled die leans a little is no doubt."""
    die = observation.die
    if die is None or die.sign is not DieSign.THROWN or die.reading.cocked >= LEAST_LEANING:
        return SURE
    return SURE * (1.0 - die.reading.cocked)


def _settle_the_past(match: Match, weighed: tuple[Weighed, ...]) -> Verdict:
    """Rule on what came before the cast that is seen, which is still in doubt."""
    chances: dict[tuple[Step, ...], float] = {}
    for one in takewhile(lambda one: one.probability >= OF_ACCOUNT, weighed):
        before = before_last_cast(one.hypothesis.steps)
        chances[before] = chances.get(before, 0.0) + one.probability
    steps = max(chances, key=lambda before: chances[before])
    events = (*settled(match, steps), *lawful_events(match, steps))
    return Verdict(Ruling.ASKED, events, weighed)


def _doubt(
    match: Match, observation: Observation, weighed: tuple[Weighed, ...], last_look: bool
) -> Verdict:
    """Return a question where lawful tales rival, else a verdict that waits.

    What was surely played before the cast that is in doubt is ruled on with the question.
    """
    played = before_the_doubt(weighed, SURE)
    vague = vague_squares(match, weighed[0].hypothesis, observation)
    if vague:
        played = ()
    ruled = lawful_events(match, played)
    after = match.after_all(ruled)
    cast = is_cast(observation.die)
    events = doubt_events(after, weighed, SURE, last_look=last_look, cast=cast)
    mended = _mended(match, weighed, vague)
    if not any(isinstance(event, Question) for event in events):
        told = (*mended, *events) if after is match else ()
        return Verdict(Ruling.DOUBTFUL, told, weighed)
    accepted = after is not match
    told = (*mended, *ruled, *events)
    return Verdict(Ruling.ASKED, told, weighed, accepted=accepted, patience_s=DOUBT_S)


def _mended(
    match: Match, weighed: tuple[Weighed, ...], vague: tuple[Square, ...]
) -> tuple[Event, ...]:
    """Return that what was wrong on the squares is put right, whatever else is in doubt.

    It is, if no square on which it was told is *vague*, but for what is right of that.
    """
    if match.wrong is None or not match.wrong.differs:
        return ()
    board = weighed[0].hypothesis.board
    differs = match.wrong.differs
    wrong = {one.square for one in differs if board.get(one.square, EMPTY) != one.seen}
    if wrong & set(vague):
        return ()
    right = sum(one.probability for one in weighed if one.hypothesis.fault is None)
    return (IllegalCleared(match.wrong.seat),) if right >= SURE else ()


def _lawful(
    match: Match, observation: Observation, tale: Hypothesis, weighed: tuple[Weighed, ...]
) -> Verdict:
    unclear = bool(match.unclear) and not tale.steps
    agrees = (BoardAgrees(),) if (match.restoring or unclear) and not tale.unfinished else ()
    if not tale.steps and (asked := _asked_about_a_cast_over(match, observation.die)):
        return Verdict(Ruling.ASKED, (asked,), weighed, die_counted=True)
    if not tale.steps:
        cleared = cleared_events(match, observation.die)
        turned_back = bool(cleared) and match.wrong is not None and match.wrong.reason in DIE_FAULTS
        return Verdict(
            Ruling.NOTHING, (*agrees, *cleared), weighed, die_counted=turned_back, accepted=True
        )
    mended = (IllegalCleared(match.wrong.seat),) if match.wrong is not None else ()
    return Verdict(
        Ruling.LAWFUL,
        (*settled(match, tale.steps), *agrees, *mended, *lawful_events(match, tale.steps)),
        weighed,
        die_counted=bool(casts_of(tale.steps)),
        accepted=not tale.unfinished,
        patience_s=_patience_s(match, tale),
    )


def _asked_about_a_cast_over(match: Match, die: DieObservation | None) -> Question | None:
    """Return the question that is asked again where a cast in doubt owes a move, and is cast over.

    The later cast is void, whatever the one before showed; people may say that was none either.
    """
    asked = match.question
    if asked is None or asked.about is not About.DIE or match.phase is not Phase.THROW:
        return None
    if die is None or die.sign is not DieSign.THROWN or die.earlier is None:
        return None
    choices = tuple(dict.fromkeys((*asked.choices, AGAIN)))
    return Question(match.sequence + 1, About.DIE, choices, asked.first_asked)


def _patience_s(match: Match, tale: Hypothesis) -> float:
    """Return how long a live table must lie still before a lawful *tale* with steps is believed."""
    if TookBack() in tale.steps:
        # An entry taken back looks like a checker that is held in the air.
        differs = board_differences(tale.board, match.contents())
        return LIFTED_S if all(len(one.seen) < len(one.due) for one in differs) else 0.0
    vague = (CastVoid(DieState.UNREADABLE), CastVoid(DieState.SEVERAL))
    return DOUBT_S if any(cast in tale.steps for cast in vague) else 0.0
