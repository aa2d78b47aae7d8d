"""What to say of a wrong move: what happened, and what to put where."""

from collections import Counter
from typing import Final

from companion.phrases.beside import beside, is_captive
from companion.phrases.catalogue import Wording
from companion.phrases.cures import (
    put_all_back,
    put_others_right,
    put_right_at_once,
    take_one_of_two_back,
)
from companion.phrases.prompts import prompt_text
from companion.phrases.speaker import Speaker
from referee.events import Found, IllegalMove
from referee.match import Match, Phase
from referee.moves import Move, parse_move
from referee.naming import Case, knocked_counts, story
from referee.paths import path_indices, start_square
from referee.reasons import Reason
from tabletop import Colour, Square

MOST_MOVES: Final = 2
"""How many moves are named beside what is to be put right, by place none; alone one more is."""

_CURE_ALONE: Final = (
    Reason.TWO_MOVES,
    Reason.WRONG_START_SQUARE,
    Reason.KNOCKED_OUT_LEFT_ON_BOARD,
    Reason.DIE_CHANGED,
)
"""What is to be played, if anything is, was said already or is told once this is put right."""
_SAYS_WHAT_TO_PLAY: Final = (Reason.MUST_ENTER, Reason.MUST_HIT, Reason.MUST_MOVE)


def wrong_move(
    speaker: Speaker, event: IllegalMove, match: Match, *, void: bool = False
) -> Wording:
    """Return one sentence, without its full stop: what is wrong, and the ways out.

    Args:
        speaker: the words of the game.
        event: what is wrong.
        match: the state after it.
        void: it was told already, and is told again for a cast that does not count.
    """
    speaker = speaker.to(event.seat)
    other = beside(event, match)
    captive = is_captive(event, other.move, match)
    if void:
        what = speaker.say("void-cast")
    else:
        what = _captive(speaker, event, match) if captive else _what(speaker, event, match)
    if event.reason is Reason.OUT_OF_TURN or (
        event.reason is Reason.DIE_CHANGED and event.die is None
    ):
        return speaker.say("wrong", what=what, cure=prompt_text(speaker, match))
    cure = _take_off(speaker, event) if captive else _cure(speaker, event, match)
    others = other.squares if event.found is not None else ()
    if others:
        then: Wording | None = put_others_right(speaker, others, _named_in(event))
    else:
        done = other.move is not None or event.reason in _CURE_ALONE
        then = None if done else _play(speaker, event, match, beside_a_cure=cure is not None)
    ways = [way for way in (cure, then) if way is not None]
    if not ways:
        return what
    # A checker that may be played may go on to where it may; all else is put right first.
    joined = "cure-or" if _may_go_on(event) and not others else "cure-and"
    both = ways[0] if len(ways) == 1 else speaker.say(joined, cure=ways[0], then=ways[1])
    return speaker.say("wrong", what=what, cure=both)


def _named_in(event: IllegalMove) -> int:
    """Return how many squares a cure names, or what is wrong."""
    if event.reason is not Reason.TWO_MOVES:
        return 1
    return len(set(story(event.differs).of(event.colour)[0]))


def _may_go_on(event: IllegalMove) -> bool:
    """Tell whether the checker that was wrongly moved, or lifted, may be played from its square."""
    found = event.found
    if found is None or found.source is None or found.colour is not event.colour:
        return False
    moves = (parse_move(text) for text in event.allowed)
    return any(move is not None and move.source == found.source for move in moves)


def _is_own_lifted(event: IllegalMove) -> bool:
    found = event.found
    lifted = event.reason is Reason.REMOVED_WITHOUT_KNOCK_OUT
    return lifted and found is not None and found.colour is event.colour


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
    match event.reason:
        case Reason.UNKNOWN_CHECKER if match.seat(found.colour) is None:
            return speaker.say(f"{message}.nobody", **words)
        case Reason.TWO_MOVES if (count := len(story(event.differs).of(event.colour)[1])) > 2:
            return speaker.say(f"{message}.more", **words, count=speaker.value(count))
        case Reason.KNOCKED_OUT_LEFT_ON_BOARD:
            return _left_on_board(speaker, message, words, _victims(event, at, match), match)
        case Reason.WRONG_DISTANCE:
            steps = _steps(event, match)
            if steps is None:
                return speaker.say(f"{message}.plain", **words)
            words["steps"] = speaker.value(steps)
    return speaker.say(message, **words)


def _captive(speaker: Speaker, event: IllegalMove, match: Match) -> Wording:
    """Return that a checker is knocked out, which was set down elsewhere on the board."""
    found = event.found
    assert found is not None
    assert found.source is not None
    message = f"wrong-{Reason.KNOCKED_OUT_LEFT_ON_BOARD.value.replace('_', '-')}"
    words: dict[str, Wording | str | int] = {**speaker.square("at", found.source)}
    return _left_on_board(speaker, message, words, Counter([found.colour]), match)


def _place(found: Found) -> Square | None:
    """Return where the checker is seen; where it was, if it is gone."""
    return found.source if found.target is None else found.target


def _left_on_board(
    speaker: Speaker,
    message: str,
    words: dict[str, Wording | str | int],
    victims: Counter[Colour],
    match: Match,
) -> Wording:
    """Return whose knocked-out checkers, and how many, still stand on a square."""
    named = [
        speaker.say("victim", **speaker.player(seat), count=count)
        for colour, count in victims.items()
        if (seat := match.seat(colour)) is not None
    ]
    if not named:
        return speaker.say(f"{message}.plain", **words)
    words["victims"] = speaker.joined(named, "and")
    forms = {colour: speaker.checker(colour, count) for colour, count in victims.items()}
    # Here they are what stands, not what is put somewhere.
    words["checkers"] = speaker.joined(
        (form["checker" if victims[one] == 1 else "checker_count"] for one, form in forms.items()),
        "and",
    )
    return speaker.say(f"{message}.more" if victims.total() > 1 else message, **words)


def _victims(event: IllegalMove, at: Square, match: Match) -> Counter[Colour]:
    """Return how many checkers of each colour are knocked out on *at* and still stand there."""
    now = match.contents()
    seen = next((one.seen for one in event.differs if one.square == at), now.get(at, ()))
    others = Counter(colour for colour in seen if colour is not event.colour)
    source = event.found.source if event.found is not None else None
    if match.die is None or Move(source, at) not in match.legal:
        return others
    # The owner of a corner may stand there too, and stays.
    return others & knocked_counts(Case.of(match), Move(source, at))


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


def _cure(speaker: Speaker, event: IllegalMove, match: Match) -> Wording | None:
    """Return how to put the table right."""
    found = event.found
    match event.reason:
        case Reason.MUST_MOVE:
            return None
        case Reason.GAME_OVER if found is None and not event.differs:  # the die was cast, no more
            return None
        case Reason.DIE_CHANGED:
            return speaker.say("cure-turn-die", value=speaker.value(event.die or 0))
        case Reason.TWO_MOVES:
            return take_one_of_two_back(speaker, event, match) or put_all_back(speaker, event)
        case Reason.KNOCKED_OUT_LEFT_ON_BOARD if found is not None:
            at = _place(found)
            several = at is not None and _victims(event, at, match).total() > 1
            return speaker.say("cure-take-them-off" if several else "cure-take-it-off")
        case Reason.UNKNOWN_CHECKER | Reason.OFF_PATH if found is not None and found.source is None:
            return speaker.say("cure-take-it-off")  # the square is named already
        case Reason.REMOVED_WITHOUT_KNOCK_OUT if found is not None:
            return speaker.say("cure-return")
    if found is None or found.source == found.target:
        return put_right_at_once(speaker, event.differs)
    if found.source is not None:
        return speaker.say("cure-put-back", **speaker.square("from", found.source))
    return _take_off(speaker, event)


def _take_off(speaker: Speaker, event: IllegalMove) -> Wording:
    """Return that the checker which is wrong is to be taken off its square."""
    assert event.found is not None
    assert event.found.target is not None
    return speaker.say("cure-take-off", **speaker.square("at", event.found.target))


def _play(
    speaker: Speaker, event: IllegalMove, match: Match, *, beside_a_cure: bool
) -> Wording | None:
    """Return which moves would be right; where they are many, how far, or nothing new."""
    moves = [parse_move(text) for text in event.allowed]
    if moves == [None] and match.phase is not Phase.MOVE:
        # The throw was passed already, and the wrong move came after.
        return None
    if event.found is not None and _is_own_lifted(event):
        moves = [move for move in moves if move is not None and move.source == event.found.source]
    if not moves:
        return None
    most = (0 if speaker.by_place else MOST_MOVES) + (not beside_a_cure)
    if len(moves) <= most:
        return speaker.play(moves)
    if event.reason in _SAYS_WHAT_TO_PLAY or event.die is None:
        return None
    return speaker.play_value(moves, event.die)
