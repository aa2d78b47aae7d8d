"""What to put where: on squares that differ, and after two moves with one throw."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from companion.phrases.catalogue import Wording
from companion.phrases.speaker import Speaker
from referee.events import Difference, IllegalMove
from referee.match import Match
from referee.naming import story
from tabletop import Square

MOST_NAMED: Final = 3
"""How many squares are named in one sentence; nobody remembers more."""


def put_right(speaker: Speaker, differs: Sequence[Difference]) -> Wording:
    """Return what to put on the first squares that differ; the others are told in their turn."""
    cures: list[Wording] = []
    for due, ones in groupby(differs[:MOST_NAMED], lambda one: bool(one.due)):
        if due:
            cures += [_cure_square(speaker, one) for one in ones]
        else:
            empty = speaker.joined((speaker.square("at", one.square)["at"] for one in ones), "and")
            cures.append(speaker.say("cure-clear", squares=empty))
    return speaker.joined(cures, "and")


def put_right_at_once(speaker: Speaker, differs: Sequence[Difference]) -> Wording:
    """Return what every differing square must hold, or the bare request where they are many."""
    if not differs or len(differs) > MOST_NAMED:
        return speaker.say("cure-board")
    return put_right(speaker, differs)


def put_others_right(speaker: Speaker, squares: Sequence[Square], named: int = 1) -> Wording:
    """Return that the *squares* stand wrongly too, the first of them by name.

    So many of those to be put right are *named* already.
    """
    most = MOST_NAMED - named
    if most <= 0:
        return speaker.say("cure-others.all")
    more = len(squares) > most
    first = [speaker.square("at", at)["at"] for at in squares[:most]]
    joined = speaker.joined(first, "comma" if more else "and")
    return speaker.say("cure-others.more" if more else "cure-others", squares=joined)


def take_one_of_two_back(speaker: Speaker, event: IllegalMove, match: Match) -> Wording | None:
    """Return how to undo one of two moves, the other of which was right; None where none was."""
    gone, came = story(event.differs).of(event.colour)
    if len(came) != 2:
        return None
    ways = []
    for move in match.legal:
        sources, targets = list(gone), list(came)
        if move.source is not None and move.source in sources:
            sources.remove(move.source)
        elif move.source is not None or len(gone) == len(came):
            continue
        if move.target in targets:
            targets.remove(move.target)
            ways.append((targets[0], sources[0] if sources else None))
    if len(ways) > 1:
        return speaker.say("cure-put-one-back")
    if not ways:
        return None
    (at, source), *_ = ways
    if source is None:
        return speaker.say("cure-take-off", **speaker.square("at", at))
    ends = speaker.square("at", at) | speaker.square("from", source)
    return speaker.say("cure-put-that-back", **ends)


def put_all_back(speaker: Speaker, event: IllegalMove) -> Wording:
    """Return where the checkers belong that were moved with one throw, two or more of them."""
    gone, came = story(event.differs).of(event.colour)
    if not came:
        return speaker.say("cure-put-both-back")
    both = ".both" if len(came) == 2 else ""
    if not gone:
        return speaker.say(f"cure-take-all-off{both}")
    if len(gone) == len(came):
        named = [speaker.square("at", at)["at"] for at in dict.fromkeys(gone)]
        return speaker.say(f"cure-put-all-back{both}", squares=speaker.joined(named, "and"))
    if both:
        return speaker.say("cure-put-back-and-off", **speaker.square("from", gone[0]))
    return speaker.say("cure-board")


def _cure_square(speaker: Speaker, difference: Difference) -> Wording:
    at, due, seen = speaker.square("at", difference.square), difference.due, difference.seen
    missing = Counter(due) - Counter(seen)
    more = bool(seen) and bool(missing) and not Counter(seen) - Counter(due)
    counts = missing if more else Counter(due)
    checkers = speaker.joined(
        (speaker.checker(one, count)["checker_count"] for one, count in counts.items()), "and"
    )
    if not seen or more:
        return speaker.say("cure-place-more" if more else "cure-place", checkers=checkers, **at)
    return speaker.say("cure-place-only" if missing else "cure-leave", checkers=checkers, **at)
