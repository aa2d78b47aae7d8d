"""What will probably be said next, so that it can be made into sound before it is due."""

from collections.abc import Iterator

from companion.phrases import Phrases, Sentence
from referee.events import Event, Source
from referee.hypotheses import Moved, Passed, Step
from referee.match import Match, Phase
from referee.moves import may_pass
from referee.outcomes import following_at_once, lawful_events, thrown_events

_FACES = range(1, 7)


def expected_sentences(phrases: Phrases, match: Match) -> Iterator[Sentence]:
    """Yield what is said if the game goes on lawfully from *match*: of each throw, or each move."""
    for events in _lawful_news(match):
        yield from phrases.rulings(events, match, match.after_all(events))


def _lawful_news(match: Match) -> Iterator[tuple[Event, ...]]:
    if match.paused or match.phase is Phase.OVER:
        return
    if match.phase is Phase.MOVE:
        assert match.die is not None
        steps: list[Step] = [Moved(move) for move in match.legal if move is not None]
        if may_pass(match.position, match.die, match.rules):
            steps.append(Passed(chosen=True))
        for step in steps:
            yield lawful_events(match, (step,))
        return
    for value in _FACES:
        thrown = thrown_events(match, value, 1.0, Source.CAMERA)
        yield (*thrown, *following_at_once(match.after_all(thrown)))
