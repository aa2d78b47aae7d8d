"""Mending: what is taken back, corrected or set by people, as the events that do it.

Nothing is rewritten: a correction goes back to the state after an earlier event, and what still
holds of what came later is laid anew.
"""

from collections.abc import Iterator, Mapping

from referee.differing import board_showing
from referee.events import By, Corrected, Event, PositionSet, Source
from referee.hypotheses import Moved, Passed, Step
from referee.match import Act, Match, Phase
from referee.moves import may_pass, play
from referee.naming import story
from referee.outcomes import following_at_once, lawful_events, thrown_events
from referee.paths import path_indices
from referee.position import ALL_WAITING, Position, parse_position, position_text
from tabletop import CHECKERS_EACH, SEATS, Contents, Seat, Square, square_name


class CommandError(ValueError):
    """A command cannot be obeyed as the game stands; the text says why and what could be said."""


def taken_back(match: Match, acts: int, by: By) -> Corrected:
    """Go back to before the last *acts* throws and settings.

    Raises:
        CommandError: there are not so many.
    """
    if not match.acts:
        raise CommandError("nothing was thrown yet that could be taken back")
    if not 1 <= acts <= len(match.acts):
        raise CommandError(f"at most {len(match.acts)} can be taken back, not {acts}")
    return Corrected(by, match.acts[-acts].after, f"{acts} taken back")


def corrected_throw(match: Match, value: int, back: int, by: By) -> tuple[Event, ...]:
    """Let the throw that was made *back* throws ago (1 is the last) have shown *value*.

    What was done with it and after it is laid anew, as far as it is still legal.

    Raises:
        CommandError: there was no such throw.
    """
    acts = match.acts[-back:] if 1 <= back <= len(match.acts) else ()
    if not acts or acts[0].value is None:
        raise CommandError(f"there is no throw to correct {back} back")
    if acts[0].value == value:
        raise CommandError(f"that throw was taken for a {value} already")
    why = f"the die showed {value}, not {acts[0].value}"
    events: list[Event] = [Corrected(by, acts[0].after, why)]
    now = match.after(events[0])
    for act in (Act(acts[0].after, value), *acts[1:]):
        if act.value is None or now.phase not in (Phase.OPENING, Phase.THROW):
            break
        if now.to_move is not match.at(act.after).to_move:
            break
        for event in _laid_anew(match, act, now):
            events.append(event)
            now = now.after(event)
    return tuple(events)


def said_throw(match: Match, value: int) -> tuple[Event, ...]:
    """Return the events of a throw that a person tells, and the pass that may follow at once."""
    thrown = thrown_events(match, value, 1.0, Source.PERSON)
    return (*thrown, *following_at_once(match.after_all(thrown)))


def set_position(match: Match, text: str, by: By) -> tuple[Event, ...]:
    """Set the position that *text* writes, in the middle of the game.

    Raises:
        CommandError: it cannot be a position of this game.
    """
    try:
        position = parse_position(text, match.rules)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return (_setting(match, position, by, "set by hand"),)


def board_is_right(match: Match, to_throw: Seat | None, by: By) -> tuple[Event, ...]:
    """Let the log stand as the board was seen to stand, where it was said that they differ.

    Where the player who was to move moved a checker of his own, his throw counts as played; else
    it is still owed. *to_throw*, where given, throws next instead.

    Raises:
        CommandError: they do not differ, or the board shows what no game can.
    """
    said = match.wrong.differs if match.wrong is not None else ()
    differs = match.differs or said
    if not differs:
        raise CommandError("the board and the log do not differ, as far as was said")
    board = board_showing(match.contents(), differs)
    position = match.position._replace(checkers=_checkers(match, board))
    why = "the board was declared right"
    if to_throw is not None:
        return (_setting(match, position._replace(to_move=to_throw, throws_due=1), by, why),)
    if match.die is None:
        return (_setting(match, position, by, why),)
    _, came = story(differs).of(match.colour(match.to_move))
    if came:
        after = play(position, match.die, None, match.rules).after
        return (_setting(match, after, by, why),)
    setting = _setting(match, position, by, why)
    return (setting, *said_throw(match.after(setting), match.die))


def _laid_anew(match: Match, act: Act, now: Match) -> Iterator[Event]:
    """Yield a throw of *match* again, with what was done with it if that is legal *now*."""
    assert act.value is not None
    for event in thrown_events(now, act.value, 1.0, Source.PERSON):
        yield event
        now = now.after(event)
    if now.phase is not Phase.MOVE:
        return
    done = next((one for one in match.throws if one.thrown_at == act.after + 1), None)
    step: Step | None = None
    if not now.legal:
        step = Passed(chosen=False)
    elif done is not None and done.played.move in now.legal:
        step = Moved(done.played.move)
    elif done is not None and done.played.move is None and _passes(now):
        step = Passed(chosen=True)
    if step is not None:
        yield from lawful_events(now, (step,))


def _passes(match: Match) -> bool:
    return match.die is not None and may_pass(match.position, match.die, match.rules)


def _setting(match: Match, position: Position, by: By, why: str) -> PositionSet:
    text = position_text(position, match.rules)
    setting = PositionSet(by, text, why)
    try:
        match.after(setting)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return setting


def _checkers(match: Match, board: Mapping[Square, Contents]) -> tuple[tuple[int, ...], ...]:
    """Return where everybody's checkers are by the *board*, the others waiting in the reserve.

    Raises:
        CommandError: a checker stands where none of its colour can, or there are too many.
    """
    found: dict[Seat, list[int]] = {seat: [] for seat in match.playing}
    for at, there in board.items():
        for colour in there:
            seat = match.seat(colour)
            index = path_indices(seat, match.rules).get(at) if seat in found else None
            if seat is None or index is None:
                name = square_name(at)
                raise CommandError(f"the {colour} checker cannot be on {name}: take it off")
            found[seat].append(index)
    for seat, own in found.items():
        if len(own) > CHECKERS_EACH:
            raise CommandError(f"{seat} has {len(own)} checkers on the board: take one off")
    return tuple(
        tuple(sorted((*ALL_WAITING[len(found[seat]) :], *found[seat]))) if seat in found else ()
        for seat in SEATS
    )
