"""The answer to an open question that the board itself gives."""

from referee.events import Answer, By, Event
from referee.hypotheses import AGAIN, CastVoid, Moved, Step, Threw
from referee.match import Match, Phase
from referee.moves import move_text


def settled(match: Match, steps: tuple[Step, ...]) -> tuple[Event, ...]:
    """Return the answer that the board itself gave to an open question."""
    if match.question is None:
        return ()
    choices = (_choice(match, step) for step in steps)
    choice = next((one for one in choices if one in match.question.choices), None)
    return (Answer(match.question.id, choice, By.BOARD),) if choice else ()


def _choice(match: Match, step: Step) -> str | None:
    """Return how a step is written as a choice of the open question."""
    match step:
        case Moved(move=move) if match.phase is Phase.MOVE:
            return move_text(move)
        case Threw(value=value):
            return str(value)
        case CastVoid():
            return AGAIN
        case _:
            return None
