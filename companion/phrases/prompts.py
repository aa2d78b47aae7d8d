"""What is awaited of whom, in every state of a game."""

from companion.phrases.catalogue import Wording, Words
from companion.phrases.speaker import Speaker
from referee.match import Match, Phase
from referee.moves import legal_moves, may_pass


def prompt_text(speaker: Speaker, match: Match) -> Wording:
    """Return one sentence, without its full stop, that tells a newcomer what to do now."""
    if match.phase is Phase.OVER:
        if match.winner is None:
            return speaker.say("prompt-abandoned")
        return speaker.say("prompt-won", **speaker.player(match.winner))
    who = speaker.player(match.to_move)
    if match.phase is Phase.OPENING:
        again = match.unreadable or match.to_move in match.opening.tied
        return speaker.say("prompt-opening-again" if again else "prompt-opening", **who)
    if match.phase is Phase.THROW:
        again = match.unreadable or _has_another_throw(match)
        return speaker.say("prompt-throw-again" if again else "prompt-throw", **who)
    return _move_prompt(speaker, match, who)


def no_die_text(speaker: Speaker, match: Match) -> Wording:
    """Return one sentence, without its full stop, that asks for a throw that can be seen."""
    return speaker.say("prompt-no-die", **speaker.player(match.to_move))


def _has_another_throw(match: Match) -> bool:
    """Tell whether the player who is to throw is the one who just played."""
    return match.last is not None and match.last.played.again


def _move_prompt(speaker: Speaker, match: Match, who: Words) -> Wording:
    assert match.die is not None
    value = speaker.value(match.die)
    moves = legal_moves(match.position, match.die, match.rules)
    entries = [move for move in moves if move.source is None]
    if may_pass(match.position, match.die, match.rules):
        return speaker.say("prompt-move-or-pass", **who, value=value)
    if not entries:
        return speaker.say("prompt-move", **who, value=value)
    to = speaker.to(match.to_move).square("to", entries[0].target)
    if len(moves) == len(entries):
        return speaker.say("prompt-enter", **who, **to)
    return speaker.say("prompt-enter-or-move", **who, **to, value=value)
