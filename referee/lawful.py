"""The lawful tales: what the position and the die allow to have happened.

A tale is told step by step, and what stands on the squares with it. Tales that the scene surely
contradicts are dropped as soon as that is plain: a die that may show six values, before and after
each of a dozen moves, makes hundreds of tales, and all but a few are of no account.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from referee.blame import said_wrong
from referee.complaints import is_cast
from referee.die_faults import log_same_face
from referee.differing import board_showing
from referee.events import About
from referee.hypotheses import (
    AGAIN,
    Moved,
    Passed,
    Step,
    Threw,
    TookBack,
)
from referee.match import Match, Phase
from referee.moves import Move, legal_moves, may_pass, play
from referee.naming import Case
from referee.opening import Opening
from referee.position import Position
from referee.sight import Sight
from referee.tales import Tale, casts_shown
from tabletop import (
    EMPTY,
    Colour,
    Contents,
    Square,
)

Board: TypeAlias = frozenset[tuple[Square, Contents]]
"""What stands on the squares that are not empty."""

# How often people do what, as natural logarithms against doing nothing or moving lawfully. Only
# their order of magnitude matters: a square that surely contradicts weighs about 9.
PRIOR_SECOND_STEP: Final = -0.7
PRIOR_CHOSEN_PASS: Final = -2.0
PRIOR_MIND_CHANGED: Final = -2.5
PRIOR_TAKEN_BACK: Final = -3.0
PRIOR_TAKEN_BACK_TOO: Final = -1.0
PRIOR_PHANTOM_CAST: Final = -7.0
PRIOR_ASKED_CAST_AGAIN: Final = -5.0
PRIOR_WRONG: Final = -4.0
PRIOR_EACH_FURTHER_CHECKER: Final = -1.5

HOPELESS: Final = 10.0
"""A tale less likely by so many nats than another is of no account: nothing is decided by less than
a ten thousandth."""
MOST_EARLIER: Final = 8
"""So many tales of what came before a cast are told on, where an earlier cast was not ruled on."""


class LawfulTales:
    """The lawful tales of a scene.

    Attributes:
        least: tales that score less than this are of no account: the scene may be explained
            otherwise, by a tale told already or by a wrong act.
        ignored: what the die says for that it was not cast, or turned, as a logarithm.
        stand_wrongly: the boards that leave something as it was said to be wrong: all of it, or
            of several wrongs those before, or after, one of them.
    """

    def __init__(self, match: Match, sight: Sight) -> None:
        self._match: Final = match
        self._sight: Final = sight
        self._die: Final = sight.observation.die
        self._casts: Final = (
            casts_shown(self._die.reading) if self._die is not None and is_cast(self._die) else []
        )
        self.ignored: Final = PRIOR_PHANTOM_CAST if self._casts else log_same_face(match, self._die)
        self._now: Final = match.contents()
        self._seen_now: Final = sight.of(self._now)
        self.stand_wrongly: Final = frozenset(self._wrong_boards())
        self._differ: Final = self._squares_that_differ()
        self.least = self._known_score() - HOPELESS

    def tell(self) -> Iterator[Tale]:
        """Yield the tales that are worth weighing."""
        for tale in self._told():
            if self._casts and tale.steps and self._is_owed_a_move(tale.board):
                continue  # no cast makes that right
            self.least = max(self.least, tale.score - HOPELESS)
            yield tale

    def _told(self) -> Iterator[Tale]:
        for tale in self._with_asked_cast():
            if not self._casts:
                yield tale
            for cast, log_prior in self._casts:
                same = isinstance(cast, Threw) and cast.value in self._asked_values()
                again = PRIOR_ASKED_CAST_AGAIN if same else 0.0
                yield from self._with_cast(tale, cast, log_prior + again)
        known = tuple(self._before_a_cast())
        yield from (replace(one, log_prior=one.log_prior + self.ignored) for one in known)
        if self._casts and self._match.phase is not Phase.OVER:
            for before in self._with_earlier_cast(known):
                for cast, log_prior in self._casts:
                    yield from self._with_cast(before, cast, log_prior)

    def _is_owed_a_move(self, board: Mapping[Square, Contents]) -> bool:
        """Tell whether *board* stands as wrongly as was said of the throw that is owed a move."""
        if self._match.phase is not Phase.MOVE or not self.stand_wrongly:
            return False
        return frozenset(board.items()) in self.stand_wrongly

    def _wrong_boards(self) -> Iterator[Board]:
        """Yield the boards on which something stands as wrongly as was said."""
        *before, last = [wrong.differs for _, wrong in said_wrong(self._match)] or [()]
        rests = (tuple(one for one in last if one not in differs) for differs in before)
        for differs in (*before, last, *rests):
            if differs:
                yield frozenset(board_showing(self._now, differs).items())

    def _squares_that_differ(self) -> int:
        observation = self._sight.observation
        return sum(
            observation.squares[at].best != self._now.get(at, EMPTY)
            for at in self._sight.speaking | self._now.keys()
            if not observation.squares[at].hidden
        )

    def _known_score(self) -> float:
        """Return the score of one tale that will surely be told: something wrong, or nothing."""
        differ = self._differ
        # While a move is owed, and after the end, nothing can be cast.
        castable = self._match.phase in (Phase.OPENING, Phase.THROW)
        casts = [log_prior for _, log_prior in self._casts] if castable else []
        prior = max((self.ignored, *casts))
        if differ:
            prior += PRIOR_WRONG + (differ - 1) * PRIOR_EACH_FURTHER_CHECKER
        return prior + self._sight.best

    def _before_a_cast(self) -> Iterator[Tale]:
        """Yield what may have been done with the throw that was known already."""
        match, now, rules = self._match, self._match.position, self._match.rules
        case = Case.of(match)
        if match.phase is Phase.MOVE and match.die is not None:
            nothing = Tale((), now, self._now, 0.0, self._seen_now, case, owed=match.die)
            yield nothing
            for move in legal_moves(now, match.die, rules):
                yield self._moved(nothing, match.die, move, 0.0)
            if match.taken_back and not match.restoring:
                yield from self._taken_back(replace(nothing, log_prior=PRIOR_TAKEN_BACK), 0)
            return
        last = None if match.phase is Phase.OVER else match.last
        opening = match.opening if match.phase is Phase.OPENING else None
        yield Tale((), now, self._now, 0.0, self._seen_now, case, opening=opening)
        if last is not None and last.played.move is not None and not match.restoring:
            before, value = last.played.before, last.played.die
            case = Case(match, before, value, last.seat)
            board = match.contents(before)
            back = Tale((TookBack(),), before, board, PRIOR_TAKEN_BACK, self._sight.of(board), case)
            yield back
            for move in legal_moves(before, value, rules):
                if move != last.played.move:
                    yield self._moved(back, value, move, PRIOR_MIND_CHANGED - PRIOR_TAKEN_BACK)
            yield from self._taken_back(back, 1)

    def _taken_back(self, tale: Tale, already: int) -> Iterator[Tale]:
        """Yield *tale*, in which some moves are *already* taken back, with more of them undone.

        As many as there are squares that differ, and so many again for checkers that moved twice.
        """
        match, fit = self._match, self._sight.fit
        played = [throw for throw in match.throws if throw.played.move is not None]
        steps, prior, seen = tale.steps, tale.log_prior, tale.log_seen
        board = dict(tale.board)
        for throw in played[::-1][already : 2 * self._differ]:
            before, move = throw.played.before, throw.played.move
            assert move is not None
            # With the move goes all it knocked out.
            for at in (move.source, move.target):
                if at is not None:
                    there = match.contents_of(at, before)
                    seen += fit(at, there) - fit(at, board.pop(at, EMPTY))
                    if there:
                        board[at] = there
            steps, prior = (*steps, TookBack()), prior + PRIOR_TAKEN_BACK_TOO
            if prior + seen >= self.least:
                case = Case(match, before, throw.played.die, throw.seat)
                yield Tale(steps, before, dict(board), prior, seen, case)

    def _with_earlier_cast(self, tales: tuple[Tale, ...]) -> Iterable[Tale]:
        """Return *tales* continued by the cast before this one, if there was one nobody ruled on.

        Only the likeliest are told on.
        """
        if self._die is None or self._die.earlier is None:
            return tales
        told: list[tuple[float, Tale, Move | None]] = []
        for tale in tales:
            for cast, log_prior in casts_shown(self._die.earlier):
                for thrown in self._with_cast(tale, cast, log_prior, alone=True):
                    told.append((thrown.score, thrown, None))
                    if thrown.owed is None or thrown.case is None:
                        continue
                    scored = self._scored_moves(thrown, thrown.owed, thrown.case.legal)
                    told += ((score, thrown, move) for score, move in scored)
        told.sort(key=lambda one: -one[0])
        return [
            thrown if move is None else self._played(thrown, move)
            for _, thrown, move in told[:MOST_EARLIER]
        ]

    def _with_asked_cast(self) -> Iterator[Tale]:
        """Yield what may have been played with a throw that was asked about and then picked up."""
        match = self._match
        nothing = Tale((), match.position, self._now, 0.0, self._seen_now)
        for value in self._asked_values():
            threw = replace(nothing, steps=(Threw(value, 1.0),))
            for move in legal_moves(match.position, value, match.rules):
                yield self._moved(threw, value, move, PRIOR_SECOND_STEP)

    def _asked_values(self) -> tuple[int, ...]:
        asked = self._match.question
        if asked is None or asked.about is not About.DIE or self._match.phase is not Phase.THROW:
            return ()
        return tuple(int(choice) for choice in asked.choices if choice != AGAIN)

    def _with_cast(
        self, tale: Tale, cast: Step, log_prior: float, *, alone: bool = False
    ) -> Iterator[Tale]:
        """Yield *tale* continued by a cast, and, unless that *alone* is asked, by its moves.

        Moves that are plainly contradicted are left out.
        """
        start, rules = tale.position, self._match.rules
        if tale.case is not None and any(isinstance(step, TookBack) for step in tale.steps):
            return
        steps, prior = tale.steps, tale.log_prior + log_prior
        if tale.owed is not None:
            if not may_pass(start, tale.owed, rules):
                return
            steps = (*steps, Passed(chosen=True))
            start = play(start, tale.owed, None, rules).after
            prior += PRIOR_CHOSEN_PASS
        if start.winner is not None:
            return
        steps = (*steps, cast)
        board, seen = tale.board, tale.log_seen
        to_throw = start.to_move if tale.opening is None else self._match.to_move
        nobody_moves = Case(self._match, start, None, to_throw)
        if not isinstance(cast, Threw):
            yield Tale(steps, start, board, prior, seen, nobody_moves, opening=tale.opening)
            return
        if tale.opening is not None:
            thrown = Tale(steps, start, board, prior, seen, nobody_moves)
            yield self._with_opening_throw(thrown, tale.opening.after(cast.value))
            return
        case = Case(self._match, start, cast.value, start.to_move)
        legal = legal_moves(start, cast.value, rules)
        if not legal:
            after = play(start, cast.value, None, rules).after
            yield Tale((*steps, Passed(chosen=False)), after, board, prior, seen, case)
            return
        thrown = Tale(steps, start, board, prior, seen, case, owed=cast.value)
        yield thrown
        for score, move in () if alone else self._scored_moves(thrown, cast.value, legal):
            if score >= self.least:
                yield self._played(thrown, move)

    def _with_opening_throw(self, tale: Tale, opening: Opening) -> Tale:
        if opening.first is None:
            return replace(tale, opening=opening)
        return replace(tale, position=Position.start(self._match.seats, opening.first))

    def _scored_moves(
        self, tale: Tale, owed: int, legal: tuple[Move, ...]
    ) -> Iterator[tuple[float, Move]]:
        """Yield the *legal* moves of the throw *owed* in *tale*, each with its score at most."""
        fit = self._sight.fit
        colour = self._match.colour(tale.position.to_move)
        so_far = tale.score + self._log_played(owed)
        for move in legal:
            there = tale.board.get(move.target, EMPTY)
            score = so_far + self._sight.at_most_with(move.target, colour) - fit(move.target, there)
            if move.source is not None:
                before = tale.board[move.source]
                score += fit(move.source, _without(before, colour)) - fit(move.source, before)
            yield score, move

    def _log_played(self, value: int) -> float:
        """Return how usual it is to play a throw before it was ruled on.

        Who was asked what the die shows, and plays on, does nothing unusual.
        """
        return 0.0 if value in self._asked_values() else PRIOR_SECOND_STEP

    def _played(self, tale: Tale, move: Move) -> Tale:
        """Return *tale* continued by *move* with the throw it owes."""
        assert tale.owed is not None
        return self._moved(tale, tale.owed, move, self._log_played(tale.owed))

    def _moved(self, tale: Tale, die: int, move: Move, log_prior: float) -> Tale:
        """Return *tale* continued by a lawful move with all that belongs to it."""
        match, fit = self._match, self._sight.fit
        played = play(tale.position, die, move, match.rules)
        colour = match.colour(played.seat)
        board = dict(tale.board)
        seen = tale.log_seen
        if move.source is not None:
            before = board[move.source]
            left = _without(before, colour)
            seen += fit(move.source, left) - fit(move.source, before)
            if left:
                board[move.source] = left
            else:
                del board[move.source]
        there = board.get(move.target, EMPTY)
        victims = {match.colour(seat) for seat, _ in played.knocked}
        landed = tuple(sorted((*(one for one in there if one not in victims), colour)))
        seen += fit(move.target, landed) - fit(move.target, there)
        board[move.target] = landed
        prior = tale.log_prior + log_prior
        return Tale((*tale.steps, Moved(move)), played.after, board, prior, seen)


@lru_cache(maxsize=1024)
def _without(there: Contents, colour: Colour) -> Contents:
    left = list(there)
    left.remove(colour)
    return tuple(left)
