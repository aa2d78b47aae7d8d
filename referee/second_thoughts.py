"""Second thoughts: other readings of past casts, kept until the board tells which was right.

A die that leaned, or was read as leaning, decides whose turn it is; a mistake about it makes every
later move look like somebody else's. So beside the match as ruled the few matches are kept that
other readings of the last casts would have led to, and what is seen is weighed in each. When one
of them explains the table far better, the match goes back to where they part and follows it.

A cast about which people were asked, and that was cast over, is not guessed at: the match waits at
the question, all that may have been done since is kept as branches, and one of them is ruled when
the table, or a word, tells which.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from referee.branches import MOST_BRANCHES, Branch, other_readings
from referee.cast_over import asked_again, cast_over, value_of, written
from referee.events import (
    About,
    By,
    CheckerEntered,
    CheckerMoved,
    Corrected,
    DieThrown,
    Event,
    IllegalCleared,
    Question,
)
from referee.judge import judge
from referee.match import Match
from referee.reasons import Reason
from referee.verdict import Against, Ruling, Verdict
from tabletop import Observation

MOST_LOOKS: Final = 24
"""So many scenes another reading is kept; by then the board has told, or never will."""
HOPELESS: Final = -12.0
FAR_BETTER: Final = 2.5
"""By so many nats a match must explain all that was seen since better than any other, to be the one
that is ruled in its stead."""

WHY: Final = "the moves show that an earlier cast was read wrongly"
_CALM: Final = (Ruling.LAWFUL, Ruling.NOTHING)
_MAY_CLEAR: Final = (Ruling.ASKED, Ruling.DOUBTFUL, Ruling.UNFINISHED)


@dataclass(frozen=True, slots=True)
class SecondThoughts:
    """The branches that are kept; begin with `SecondThoughts()`.

    Attributes:
        branches: the likeliest first.
        waiting: the match waits at a question about a cast, and one of the branches is to be ruled.
    """

    branches: tuple[Branch, ...] = ()
    waiting: bool = False

    def judge(
        self, match: Match, observation: Observation, *, last_look: bool = False
    ) -> tuple[Verdict, Self]:
        """Judge a scene as `referee.judge.judge` does, but with a mind that can be changed.

        Where a branch explains the table far better than *match*, the verdict's events go back to
        where they part, and on from there as the branch has it.
        """
        if self.waiting and match.question is None:  # somebody settled it
            return type(self)().judge(match, observation, last_look=last_look)
        verdict = judge(match, observation, last_look=last_look)
        if not verdict.weighed:
            return verdict, self
        if self.waiting:
            return self._wait(match, observation, last_look)
        if branches := cast_over(match, observation, verdict):
            waits = Verdict(
                Ruling.ASKED, (asked_again(match, branches),), verdict.weighed, die_counted=True
            )
            return waits, type(self)(branches, waiting=True)
        weighed = [
            (branch.weighed(verdict, seen), seen)
            for branch in self.branches
            if (seen := judge(branch.match, observation, last_look=last_look)).weighed
        ]
        kept = [branch for branch, _ in weighed]
        for branch, seen in () if _is_die_turned(verdict) else weighed:
            if branch.gain > FAR_BETTER and _goes_on(branch, seen):
                if _is_to_be_asked(match, branch, verdict):
                    return self._asking(match, branch, verdict)
                back = Corrected(By.BOARD, branch.since, WHY)
                events = (back, *branch.events)
                against = Against(verdict.weighed[0], branch.since, branch.gain)
                return replace(seen, events=events, against=against), type(self)()
        kept = [b for b in kept if b.gain > HOPELESS and b.looks < MOST_LOOKS]
        kept += other_readings(match, verdict)
        kept.sort(key=lambda branch: -branch.gain)
        return verdict, type(self)(tuple(kept[:MOST_BRANCHES]))

    def since(self, said: tuple[Event, ...]) -> tuple[Event, ...]:
        """Return what was done since the cast at which the match waits, if it does.

        Args:
            said: what people now said of that cast: an answer, and what follows from it.
        """
        if not self.waiting or len(said) < 2:
            return ()
        showed = value_of(said[1])
        found = (one.events for one in self.branches if value_of(one.events[0]) == showed)
        return next(found, ())[len(said) - 1 :]

    def likeliest(self, match: Match) -> tuple[Event, ...]:
        """Return what is ruled on where *match* waits and no more is to be awaited."""
        return written(match, self.branches[0]) if self.waiting else ()

    def _wait(
        self, match: Match, observation: Observation, last_look: bool
    ) -> tuple[Verdict, Self]:
        """Weigh a scene in all branches, and rule one of them if it tells which."""
        seen = [judge(one.match, observation, last_look=last_look) for one in self.branches]
        if not last_look and any(one.ruling in _MAY_CLEAR for one in seen):
            return Verdict(Ruling.DOUBTFUL, (), seen[0].weighed), self
        found = [
            (branch.weighed(seen[0], one), branch, one)
            for branch, one in zip(self.branches, seen, strict=True)
        ]
        found.sort(key=lambda one: -one[0].gain)
        kept = tuple(replace(one, gain=one.gain - found[0][0].gain) for one, _, _ in found)
        _, before, likeliest = found[0]
        patience_s = max(one.patience_s for one in seen)
        cast = any(one.die_counted for one in seen)
        if _is_decided(kept) or not _are_alike(seen):
            since = (replace(one, since=match.sequence) for one in kept[1:] if one.gain > HOPELESS)
            told = written(match, before)
            # Judged anew: the log counts its events otherwise than the branch did.
            ruled = judge(match.after_all(told), observation, last_look=last_look)
            ruled = replace(ruled, events=(*told, *ruled.events), patience_s=patience_s)
            return ruled, type(self)(tuple(since))
        waits = Verdict(
            Ruling.ASKED if cast else Ruling.NOTHING,
            (asked_again(match, kept),) if cast else (),
            likeliest.weighed,
            die_counted=cast,
            accepted=all(one.accepted for one in seen),
            patience_s=patience_s,
        )
        return waits, type(self)(kept, waiting=True)

    def _asking(self, match: Match, branch: Branch, verdict: Verdict) -> tuple[Verdict, Self]:
        """Ask which reading is right, if that is not asked already, and keep the branches."""
        question = _question(match, branch)
        asked = match.question is not None and match.question.throw == question.throw
        kept = tuple(
            replace(one, asked=len(branch.events)) if one.since == branch.since else one
            for one in self.branches
        )
        # What was wrong besides is put right: what is wrong still is that which is asked about.
        wrong = match.wrong if verdict.events else None
        mended = () if wrong is None else (IllegalCleared(wrong.seat),)
        events = mended if asked else (*mended, question)
        return Verdict(Ruling.ASKED, events, verdict.weighed), type(self)(kept)


def _goes_on(branch: Branch, seen: Verdict) -> bool:
    """Tell whether in a branch all is right; that something was taken back tells of no cast."""
    back = any(isinstance(event, Corrected) for event in (*branch.events, *seen.events))
    return seen.ruling in _CALM and not back


def _is_decided(branches: tuple[Branch, ...]) -> bool:
    """Tell whether it is known, or will never be, which of *branches* it was."""
    others = branches[1:]
    return (
        not others
        or branches[0].gain - others[0].gain >= FAR_BETTER
        or branches[0].looks >= MOST_LOOKS
    )


def _are_alike(seen: list[Verdict]) -> bool:
    """Tell whether what is *seen* is right in all branches, and no more than casts in any."""
    moved = any(
        isinstance(event, CheckerMoved | CheckerEntered) for one in seen for event in one.events
    )
    calm = all(one.ruling in _CALM for one in seen)
    return calm and not moved and len({one.die_counted for one in seen}) == 1


def _is_to_be_asked(match: Match, branch: Branch, verdict: Verdict) -> bool:
    """Tell whether people are to say which reading of the last throw is right.

    That is so where a move is wrong by the value that was ruled, and right by another that the die
    may have shown; until they say it, or do something more that is right by the branch alone. A
    die that may have leaned and is cast again did lean; nobody is asked.
    """
    last = match.acts[-1] if match.acts else None
    parts = last is not None and last.value is not None and last.after == branch.since
    more_done = 0 < branch.asked < len(branch.events)
    other_value = isinstance(branch.events[0], DieThrown)
    return verdict.ruling is Ruling.WRONG and parts and other_value and not more_done


def _is_die_turned(verdict: Verdict) -> bool:
    """Tell whether all that is wrong is a turned die, which says nothing of earlier casts."""
    wrong = verdict.weighed[0].hypothesis.wrong if verdict.ruling is Ruling.WRONG else None
    return wrong is not None and wrong.reason is Reason.DIE_CHANGED and not wrong.differs


def _question(match: Match, branch: Branch) -> Question:
    """Return the question what the last throw showed."""
    cast = branch.events[0]
    assert isinstance(cast, DieThrown)
    choices = (str(match.acts[-1].value), str(cast.value))
    return Question(match.sequence + 1, About.DIE, choices, branch.since + 1)
