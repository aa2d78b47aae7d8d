"""Doubts: what is asked of people where the picture cannot tell, and what is said to be unclear."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.blame import blamed
from referee.differing import board_differences
from referee.events import About, Event, IllegalMove, Question, Unclear
from referee.hypotheses import (
    AGAIN,
    NOTHING,
    CastVoid,
    Hypothesis,
    Moved,
    Passed,
    Step,
    Threw,
    casts_of,
)
from referee.match import Match, Phase
from referee.moves import move_text
from referee.naming import Case
from referee.weighing import Weighed
from tabletop import Square

MOST_CHOICES: Final = 4
"""Of more choices nobody is asked."""
MOST_NAMED: Final = 24
"""So many of the likeliest tales are asked for what is wrong in them."""
MOST_NOTHING: Final = 0.6
"""Where it is more probable than this that nothing was done, nobody is asked what was."""


def same_for_the_game(match: Match, weighed: tuple[Weighed, ...], sure: float) -> bool:
    """Tell whether all rivals lead to the same position, and the likeliest is likely enough.

    A throw without a move may be a two or a three: the game goes on alike. And nobody can tell, nor
    need to, in which order two sixes were played that are seen at once.
    """
    first = weighed[0].hypothesis
    if match.phase is Phase.OPENING or first.fault is not None:
        return False
    alike = [one for one in weighed if _leads_alike(one.hypothesis, first)]
    if sum(one.probability for one in alike) < sure:
        return False
    casts = casts_of(first.steps)
    same_casts = sum(one.probability for one in alike if casts_of(one.hypothesis.steps) == casts)
    return same_casts >= 1 - sure * 0.5


def doubt_events(
    match: Match, weighed: tuple[Weighed, ...], sure: float, *, last_look: bool, cast: bool = False
) -> tuple[Event, ...]:
    """Return what to ask, or to call unclear, of tales none of which is *sure*.

    A question that is open already is asked again but at the *last look*, where the die was *cast*
    on and what it shows counts for nobody yet. While nothing may have happened at all,
    people are asked only at the *last_look*, and where the move owed was rather made than not:
    what happens next will show the rest.
    """
    likeliest = list(rivals(weighed, sure))
    tales = [one.hypothesis for one in likeliest]
    lawful = all(tale.fault is None and not tale.unfinished for tale in tales)
    if (lawful or differ_in_a_cast(tales)) and len(tales) <= MOST_CHOICES:
        if any(not tale.steps for tale in tales):
            return _perhaps_moved(match, likeliest) if last_look else ()
        about, choices = _choices(tales)
        if len(choices) > 1:
            return _question(match, about, choices, again=last_look and cast)
    return unclear_events(match, _squares_in_doubt(tales)) if last_look else ()


def differ_in_a_cast(tales: list[Hypothesis]) -> bool:
    """Tell whether all that *tales* differ in is what was cast."""
    casts = {casts_of(tale.steps) for tale in tales}
    return len(casts) > 1 and () not in casts and all(t.board == tales[0].board for t in tales)


def wrong_beside_the_doubt(
    match: Match, weighed: tuple[Weighed, ...], sure: float
) -> IllegalMove | None:
    """Return what is wrong for sure, where nothing but what else was done is in doubt.

    One checker stands wrongly in all tales that matter, and is the one found in those that make it
    *sure*: whatever people were asked about, it has to be put right. Where a cast alone is in doubt
    see `referee.cast_in_doubt`.
    """
    tales = [one.hypothesis for one in rivals(weighed, sure)]
    if any(tale.fault is None for tale in tales) or differ_in_a_cast(tales):
        return None
    now = match.contents()
    common = board_differences(tales[0].board, now)
    for tale in tales[1:]:
        there = set(board_differences(tale.board, now))
        common = tuple(one for one in common if one in there)
    named = blamed(Case.of(match), common) if common else None
    if named is None or named.found is None:
        return None
    found = 0.0
    for one in weighed[:MOST_NAMED]:
        wrong = one.hypothesis.wrong
        if wrong is not None and wrong.found == named.found:
            found += one.probability
            if found >= sure:
                return named
    return None


def before_the_doubt(weighed: tuple[Weighed, ...], sure: float) -> tuple[Step, ...]:
    """Return the steps that all rivals begin with, where they differ in the last cast alone."""
    first, *others = (one.hypothesis for one in rivals(weighed, sure))
    if not first.steps or not isinstance(first.steps[-1], Threw | CastVoid | Passed):
        return ()
    common = list(first.steps[:-1])
    for tale in others:
        if any(isinstance(step, Moved) for step in tale.steps[len(common) :]):
            return ()
        while tuple(common) != tale.steps[: len(common)]:
            common.pop()
    while common and not isinstance(common[-1], Moved | Passed):
        common.pop()
    moves = [step for step in first.steps if isinstance(step, Moved)]
    return tuple(common) if moves == [step for step in common if isinstance(step, Moved)] else ()


def _perhaps_moved(match: Match, likeliest: list[Weighed]) -> tuple[Event, ...]:
    """Return the question whether a move was made that may be none: between two own towers."""
    nothing = sum(one.probability for one in likeliest if not one.hypothesis.steps)
    moved = [one.hypothesis for one in likeliest if one.hypothesis.steps]
    one_move = all(len(tale.steps) == 1 and isinstance(tale.steps[0], Moved) for tale in moved)
    if match.phase is not Phase.MOVE or not one_move or nothing > MOST_NOTHING:
        return ()
    _, choices = _choices(moved)
    return _question(match, About.MOVE, (*choices, NOTHING))


def _question(
    match: Match, about: About, choices: tuple[str, ...], *, again: bool = False
) -> tuple[Event, ...]:
    asked = match.question
    if asked is not None and asked.about is about and set(choices) <= set(asked.choices):
        # A cast in doubt has its own way to be asked about again (`referee.cast_over`).
        moves = again and about is About.MOVE
        return (replace(asked, id=match.sequence + 1),) if moves else ()
    if set(choices) <= set(match.denied):
        return ()
    return (Question(match.sequence + 1, about, choices),)


def unclear_events(match: Match, squares: tuple[Square, ...]) -> tuple[Event, ...]:
    """Return that *squares* cannot be made out, where that was not said already."""
    return () if squares == match.unclear else (Unclear(squares),)


def rivals(weighed: tuple[Weighed, ...], sure: float) -> Iterator[Weighed]:
    """Yield the likeliest tales, until what they leave over does not matter."""
    covered = 0.0
    for one in weighed:
        yield one
        covered += one.probability
        if covered >= sure:
            return


def _leads_alike(tale: Hypothesis, other: Hypothesis) -> bool:
    return (
        tale.fault is None
        and not tale.unfinished
        and tale.position == other.position
        and len(tale.steps) == len(other.steps)
    )


def _choices(tales: list[Hypothesis]) -> tuple[About, tuple[str, ...]]:
    """Return what the rival tales differ in: the cast, or else the move."""
    casts = dict.fromkeys(
        str(step.value) if isinstance(step, Threw) else AGAIN
        for tale in tales
        for step in tale.steps[-2:]
        if isinstance(step, Threw | CastVoid)
    )
    if len(casts) > 1:
        return About.DIE, tuple(casts)
    moves = dict.fromkeys(
        move_text(step.move) for tale in tales for step in tale.steps if isinstance(step, Moved)
    )
    return About.MOVE, tuple(moves)


def _squares_in_doubt(tales: list[Hypothesis]) -> tuple[Square, ...]:
    """Return the squares on which the likeliest tale and its rivals differ."""
    first, *others = tales
    squares = {
        one.square for other in others for one in board_differences(other.board, first.board)
    }
    return tuple(sorted(squares))
