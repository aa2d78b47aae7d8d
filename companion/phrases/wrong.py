"""What to say of a wrong move: what happened, and what to put where."""

from typing import Final

from companion.phrases.catalogue import Wording
from companion.phrases.prompts import prompt_text
from companion.phrases.speaker import Speaker
from referee.events import Difference, Found, IllegalMove
from referee.match import Match, Phase
from referee.moves import Move, parse_move
from referee.paths import path_indices, start_square
from referee.reasons import Reason
from tabletop import Colour, Square

MOST_NAMED: Final = 3
"""How many moves or squares are named in one sentence; nobody remembers more."""


def wrong_move(speaker: Speaker, event: IllegalMove, match: Match) -> Wording:
    """Return one sentence, without its full stop: what is wrong, and the ways out."""
    speaker = speaker.to(event.seat)
    what = _what(speaker, event, match)
    ways = (_cure(speaker, event), _play(speaker, event, match))
    if event.reason is Reason.OUT_OF_TURN:
        ways = (prompt_text(speaker, match), None)
    cures = [cure for cure in ways if cure is not None]
    if not cures:
        return what
    # Another's checker must be put right whatever is played; one's own may go on to where it may.
    joined = "cure-and" if _is_foreign(event) else "cure-or"
    cure = cures[0] if len(cures) == 1 else speaker.say(joined, cure=cures[0], play=cures[1])
    return speaker.say("wrong", what=what, cure=cure)


def _is_foreign(event: IllegalMove) -> bool:
    return event.found is not None and event.found.colour is not event.colour


def put_right(speaker: Speaker, differs: tuple[Difference, ...]) -> Wording:
    """Return what to put on the first squares that differ; the others are told in their turn."""
    return speaker.joined((_cure_square(speaker, one) for one in differs[:MOST_NAMED]), "and")


def _what(speaker: Speaker, event: IllegalMove, match: Match) -> Wording:
    message = f"wrong-{event.reason.value.replace('_', '-')}"
    words: dict[str, Wording | str | int] = {
        **speaker.player(event.seat),
        **speaker.square("start", start_square(event.seat, match.rules)),
        "value": speaker.value(event.die or 0),
    }
    found = event.found
    if found is None or (at := _place(found)) is None:
        return speaker.say(
            f"{message}.plain" if speaker.has(f"{message}.plain") else message, **words
        )
    words |= speaker.checker(found.colour)
    words |= speaker.square("at", at)
    if event.reason is Reason.UNKNOWN_CHECKER and match.seat(found.colour) is None:
        return speaker.say(f"{message}.nobody", **words)
    if event.reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD:
        victim = _victim(event, at, match)
        seat = match.seat(victim)
        if seat is None:
            return speaker.say(f"{message}.plain", **words)
        words |= speaker.checker(victim)
        words["victim"] = speaker.player(seat)["who"]
    if event.reason is Reason.WRONG_DISTANCE:
        steps = _steps(event, match)
        if steps is None:
            return speaker.say(f"{message}.plain", **words)
        words["steps"] = speaker.value(steps)
    return speaker.say(message, **words)


def _place(found: Found) -> Square | None:
    """Return where the checker is seen; where it was, if it is gone."""
    return found.source if found.target is None else found.target


def _victim(event: IllegalMove, at: Square, match: Match) -> Colour:
    """Return whose checker is knocked out; what was found may be the one that knocks out."""
    assert event.found is not None
    if event.found.colour is not event.colour:
        return event.found.colour
    others = (there for there in match.contents().get(at, ()) if there is not event.colour)
    return next(others, event.colour)


def _steps(event: IllegalMove, match: Match) -> int | None:
    """Return how far a checker went along its path, None where it did not go along it."""
    found = event.found
    seat = match.seat(found.colour) if found else None
    if found is None or seat is None or found.source is None or found.target is None:
        return None
    indices = path_indices(seat, match.rules)
    if found.source not in indices or found.target not in indices:
        return None
    steps = indices[found.target] - indices[found.source]
    return steps if steps > 0 else None


def _cure(speaker: Speaker, event: IllegalMove) -> Wording | None:
    """Return how to put the table right."""
    found = event.found
    match event.reason:
        case Reason.MUST_MOVE:
            return None
        case Reason.GAME_OVER if found is None and not event.differs:  # the die was cast, no more
            return None
        case Reason.DIE_CHANGED if event.die is not None:
            return speaker.say("cure-turn-die", value=speaker.value(event.die))
        case Reason.DIE_CHANGED:
            return speaker.say("cure-throw-anew")
        case Reason.TWO_MOVES:
            return speaker.say("cure-put-both-back")
        case Reason.KNOCKED_OUT_LEFT_ON_BOARD | Reason.UNKNOWN_CHECKER if found is not None:
            return speaker.say("cure-take-it-off")
        case Reason.REMOVED_WITHOUT_KNOCK_OUT if found is not None:
            return speaker.say("cure-return")
    if found is None or found.source == found.target:
        return _cure_squares(speaker, event.differs)
    if found.source is not None:
        return speaker.say("cure-put-back", **speaker.square("from", found.source))
    assert found.target is not None
    return speaker.say("cure-take-off", **speaker.square("at", found.target))


def _cure_squares(speaker: Speaker, differs: tuple[Difference, ...]) -> Wording:
    """Return what every differing square must hold, or the bare request where they are many."""
    if not differs or len(differs) > MOST_NAMED:
        return speaker.say("cure-board")
    return speaker.joined((_cure_square(speaker, one) for one in differs), "and")


def _cure_square(speaker: Speaker, difference: Difference) -> Wording:
    at = speaker.square("at", difference.square)
    if not difference.due:
        return speaker.say("cure-clear", **at)
    colours = dict.fromkeys(difference.due)
    checkers = speaker.joined(
        (speaker.checker(one, difference.due.count(one))["checker_count"] for one in colours), "and"
    )
    return speaker.say("cure-place", checkers=checkers, **at)


def _play(speaker: Speaker, event: IllegalMove, match: Match) -> Wording | None:
    """Return which moves would be right; of too many, those of the same checker."""
    if event.reason is Reason.KNOCKED_OUT_LEFT_ON_BOARD:
        return None
    moves = [parse_move(text) for text in event.allowed]
    if moves == [None] and match.phase is not Phase.MOVE:
        # The throw was passed already, and the wrong move came after.
        return None
    if len(moves) > MOST_NAMED and event.found is not None:
        moves = [move for move in moves if _same_checker(move, event.found)]
    if not event.allowed:
        return None
    if not moves or len(moves) > MOST_NAMED:
        return speaker.say("play-legal")
    return speaker.play(moves)


def _same_checker(move: Move | None, found: Found) -> bool:
    return move is not None and move.source == found.source
