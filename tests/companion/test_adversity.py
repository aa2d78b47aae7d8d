"""Whatever is seen and typed, in whatever order: no end of the game, no silence, no broken log.

Boards, dice and lines are drawn from seeds, sensible and absurd ones, and go through the loop as
those of a camera and of people do.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from companion.game import Game, News
from companion.keyboard import parse_command
from companion.log.journal import JOURNAL_NAME, Journal, read_journal
from companion.loop import Inbox, referee_game
from companion.phrases import LANGUAGES, Phrases
from companion.seeing import Look
from referee.events import By, FirstPlayer
from referee.match import Match, Phase, replay
from referee.moves import move_text, play
from tabletop import (
    EMPTY,
    SQUARES,
    Colour,
    Contents,
    DieObservation,
    DieReading,
    DieSign,
    DieState,
    Observation,
    Reading,
    Seat,
    Square,
    SquareReading,
    contents,
)
from tests.builders import game_started
from tests.companion.test_loop import NOWHERE, ScriptedSource, ScriptedWatch
from vision.frame import Frame
from vision.throws import DieWatch

AT = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)
SEATS = ("D4=red,D2=blue", "D4=red,D3=green,D2=blue", "D4=red,D3=green,D2=blue,D1=yellow")
GAMES, PROOF_GAMES = 12, 600
SCENES = 120
PHRASES = [Phrases(language) for language in LANGUAGES]
NUMBERS = ("0", "1", "2", "3", "4", "5", "6", "7", "99")
POSITIONS = (
    "R*4/R*4/R*4/R*4 D4 1",
    "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1",
    "a1,b2,c3,a2/R*4/R*3,b8/R*3,d1 D4 1",
    "a1,b2,c3,d4/R*4/R*4/R*4 D4 1",
    "b1*4/b1*4/R*4/R*4 D9 7",
    "R*2,b1/~/R*4/~ D4 1",
    "b1",
)


class Adversity(ScriptedWatch):
    """A table at which anything is seen; before each look somebody may type anything.

    Attributes:
        game: the game that is played.
        typed: the lines typed, with what they were answered.
    """

    game: Game

    def __init__(self, rng: Random, inbox: Inbox) -> None:
        super().__init__()
        self.typed: list[tuple[str, str]] = []
        self._rng = rng
        self._inbox = inbox
        self._board: dict[Square, Contents] = {}

    def step(self, frame: Frame) -> Look | None:
        """Return a look at something, sensible or not."""
        rng, match = self._rng, self.game.match
        something_is_awaited(match)
        if rng.random() < 0.3:
            self._type(next(self._lines(match)))
        self._act(match)
        squares = tuple(self._seen(self._board.get(at, EMPTY)) for at in SQUARES)
        die = self._die() if rng.random() < 0.6 else None
        scene = Observation(squares, die, 0 if die is None else 1, rng.random() < 0.03)
        watch = DieWatch(die, scene.dice_count)
        still_s, last = rng.choice((1.0, 2.0, 5.0)), rng.random() < 0.3
        reading = Reading(NOWHERE, squares)
        return Look(scene, reading, None, frame, watch, still_s=still_s, last=last)  # type: ignore[arg-type]

    def corner_told(self, *, turned: bool) -> None:
        """Nobody asked."""
        raise AssertionError(turned)

    def _type(self, line: str) -> None:
        """Type a line; what is no command is answered at once, as at the terminal."""
        try:
            command = parse_command(line)
        except ValueError as error:
            self.typed.append((line, str(error)))
            return
        before = self.game.match.sequence
        after = before if self._rng.random() < 0.1 else None

        def answered(refusal: str | None) -> None:
            self.typed.append((line, refusal or "done"))

        self._inbox.put(command, self._rng.choice(list(By)[1:]), answered, after)

    def _lines(self, match: Match) -> Iterator[str]:
        """Yield lines that people may type, rightly or not."""
        rng = self._rng
        seat = rng.choice(("D4", "D3", "D2", "D1", "d2", "D5"))
        choices = match.question.choices if match.question else ("b1-e1",)
        legal = [move_text(move) for move in match.legal] or ["@b1"]
        while True:
            yield rng.choice(
                (
                    *(rng.choice(NUMBERS), "pass", "none", "again", "log", "board", "turn", "--"),
                    *("pause", "resume", "resume", "same", "turned", "name", "set", "was"),
                    *(f"{word} {rng.choice(NUMBERS)}" for word in ("back", "was")),
                    f"was {rng.choice(NUMBERS)} {rng.choice(NUMBERS)}",
                    *(f"{word} {seat}" for word in ("turn", "board")),
                    f"leave {seat}" if rng.random() < 0.1 else "leave",
                    "abandon" if rng.random() < 0.05 else "abandon now",
                    f"name {seat} {rng.choice(('Ann', '[bold]', chr(34), chr(0), 'Ж' * 50))}",
                    f"set {rng.choice(POSITIONS)}",
                    *(rng.choice(choices), rng.choice(legal)),
                )
            )

    def _act(self, match: Match) -> None:
        """Move lawfully, absurdly or not at all, or put all as the log has it."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.35 and match.legal and match.die is not None:
            move = rng.choice(match.legal)
            self._board = match.contents(play(match.position, match.die, move, match.rules).after)
        elif kind < 0.6:
            self._board = match.contents()
        elif kind < 0.75:
            taken = [at for at, there in self._board.items() if there]
            if taken:
                at = rng.choice(taken)
                self._board[at] = self._board[at][1:]
            goal = rng.choice(SQUARES)
            colour = rng.choice(list(Colour)[:5])
            self._board[goal] = contents(*self._board.get(goal, EMPTY), colour)

    def _seen(self, there: Contents) -> SquareReading:
        rng = self._rng
        if rng.random() < 0.97:
            return SquareReading(((there, 0.995),), changed=rng.choice((None, 0.01, 0.99)))
        other = contents(rng.choice(list(Colour)[:5]))
        share = rng.random()
        options = ((there, share), (other, 1 - share)) if there != other else ((there, 0.9),)
        ordered = tuple(sorted(options, key=lambda one: -one[1]))
        return SquareReading(ordered, changed=rng.random(), hidden=rng.random() < 0.1)

    def _die(self) -> DieObservation:
        rng = self._rng
        sign = rng.choice((DieSign.THROWN, DieSign.THROWN, DieSign.SAME, DieSign.TURNED))
        earlier = self._reading() if sign is DieSign.THROWN and rng.random() < 0.1 else None
        return DieObservation(sign, self._reading(), earlier)

    def _reading(self) -> DieReading:
        rng = self._rng
        weights = [rng.random() ** rng.choice((1, 8, 60)) for _ in range(6)]
        one, two, three, four, five, six = (weight / sum(weights) for weight in weights)
        shares = (one, two, three, four, five, six)
        state = rng.choice((DieState.SETTLED, DieState.SETTLED, *DieState))
        leans = 0.0 if rng.random() < 0.7 else rng.random()
        return DieReading((0, 0, 20, 20), shares, state, leans)


class Ears:
    """Hears all that is said, in both languages."""

    def hear(self, news: News) -> None:
        """Hear one ruling."""
        for phrases in PHRASES:
            for one in phrases.rulings(news.events, news.before, news.after):
                assert one.text.endswith((".", "?"))


def something_is_awaited(match: Match) -> None:
    """Check that people are told what to do now."""
    for phrases in PHRASES:
        assert phrases.prompt(match).text.endswith((".", "?"))
    assert match.phase is not Phase.MOVE or match.legal
    assert match.phase is Phase.OVER or match.to_move in match.playing


def adversity(seed: int, folder: Path) -> list[tuple[str, str]]:
    """Let anything happen in a game; return what was typed, and what it was answered."""
    rng, inbox = Random(seed), Inbox()
    journal = Journal.create(folder, game_started(rng.choice(SEATS)), AT)
    watch = Adversity(rng, inbox)
    watch.game = game = Game.start(journal, [Ears()], lambda: AT)
    if rng.random() < 0.7:
        game.rule((FirstPlayer(Seat.D4, Colour.RED),))
    complaints: list[str] = []
    referee_game(ScriptedSource(SCENES), watch, game, inbox, complain=complaints.append)
    assert complaints == []
    # The log on the disk leads to where the game stands.
    assert (
        replay(line.event for line in read_journal(journal.folder / JOURNAL_NAME)[0]) == game.match
    )
    return watch.typed


@pytest.mark.parametrize("seed", range(GAMES))
def test_nothing_that_is_seen_or_typed_breaks_the_game(seed: int, tmp_path: Path) -> None:
    """Each line is done or refused in words; something is awaited at every moment."""
    typed = adversity(seed, tmp_path)
    assert all(answer for _, answer in typed)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(GAMES, PROOF_GAMES))
def test_nothing_breaks_many_games(seed: int, tmp_path: Path) -> None:
    """The same for many games."""
    test_nothing_that_is_seen_or_typed_breaks_the_game(seed, tmp_path)
