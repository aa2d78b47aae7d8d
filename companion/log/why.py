"""Why it was ruled so: the tales that were weighed, and the squares that decided between them.

Kept as one JSON file a ruling, beside the log: the log's own lines promise no more than what was
ruled.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from companion.errors import InputError
from companion.log.game_folder import PICTURES_NAME, WHY_NAME
from referee.differing import board_differences
from referee.hypotheses import CastVoid, Hypothesis, Moved, Passed, Step, Threw, TookBack
from referee.match import Match
from referee.moves import move_text
from referee.verdict import Against, Verdict
from referee.weighing import Weighed
from tabletop import EMPTY, Contents, Observation, square_name

MOST_TALES: Final = 5
"""How many of the likeliest tales are kept."""
LEAST_TALE: Final = 1e-4


def why_json(
    verdict: Verdict, observation: Observation, before: Match, pictures: tuple[str, ...]
) -> dict[str, Any]:
    """Return as JSON values why *verdict* was given on *observation* in the state *before*."""
    tales = [one for one in verdict.weighed[:MOST_TALES] if one.probability >= LEAST_TALE]
    squares: dict[int, None] = {}
    due = before.contents()
    for one in tales:
        squares |= dict.fromkeys(d.square for d in board_differences(one.hypothesis.board, due))
    return {
        "sequence": [before.sequence + 1, before.sequence + len(verdict.events)],
        "ruling": verdict.ruling.value,
        "tales": [_weighed_json(one, list(squares)) for one in tales],
        "against": _against_json(verdict.against, list(squares)),
        "squares": {
            square_name(at): {
                "due": _names(due.get(at, EMPTY)),
                "seen": [
                    [_names(there), round(chance, 4)]
                    for there, chance in observation.square(at).options
                ],
                "changed": observation.square(at).changed,
                "hidden": observation.square(at).hidden,
            }
            for at in squares
        },
        "die": _die_json(observation),
        "pictures": list(pictures),
    }


def load_why(folder: Path, number: int) -> dict[str, Any]:
    """Return why the event numbered *number* of the game in *folder* was ruled so.

    Raises:
        InputError: nothing was kept for it: it was not ruled on a scene.
    """
    for path in sorted((folder / WHY_NAME).glob("[0-9]*.json")):
        if not path.stem.isdecimal() or int(path.stem) < number:
            continue
        try:
            why: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            first, last = why["sequence"]
            if first <= number <= last:
                return why
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} cannot be read: {error}") from error
        break
    raise InputError(f"event {number} was not ruled on a scene: nothing was weighed for it")


def why_text(folder: Path, why: dict[str, Any]) -> str:
    """Return what *why* holds, for a person to read."""
    first, last = why["sequence"]
    lines = [f"events {first} to {last}: {why['ruling']}", ""]
    for one in why["tales"]:
        lines.append(f"{one['probability']:7.2%}  {_told(one, why['squares'])}")
        lines.append(f"         score {one['score']}, of which habit {one['prior']}")
    if against := why.get("against"):
        lines += [
            f"as it had been ruled: {_told(against, why['squares'])}",
            f"         score {against['score']}, of which habit {against['prior']}; all that was "
            f"seen since event {against['since']} is likelier by {against['gain']} otherwise",
        ]
    lines.append("")
    for name, square in why["squares"].items():
        seen = ", ".join(f"{_shown(what)} {chance:.1%}" for what, chance in square["seen"])
        changed = "" if square["changed"] is None else f"; looks changed: {square['changed']:.0%}"
        hidden = "; hidden" if square["hidden"] else ""
        lines.append(f"{name}: {_shown(square['due'])} was due; seen: {seen}{changed}{hidden}")
    if why["die"]:
        values = ", ".join(f"{value} {chance:.1%}" for value, chance in why["die"]["values"])
        leans = f"; leans {why['die']['leans']:.1%}" if why["die"].get("leans") else ""
        lines.append(f"die: {why['die']['sign']}, {why['die']['state']}: {values}{leans}")
    lines += [str(folder / PICTURES_NAME / name) for name in why["pictures"]]
    return "\n".join(lines)


def _told(tale: dict[str, Any], squares: dict[str, Any]) -> str:
    """Return what a tale tells, and of a wrong one on which squares it has something else."""
    steps = ", ".join(tale["steps"]) or "nothing done"
    if not tale["wrong"]:
        return steps
    there = [
        f"{_shown(tale['predicts'][name])} on {name}"
        for name, square in squares.items()
        if tale["predicts"].get(name, square["due"]) != square["due"]
    ]
    return f"{steps}, wrong: {tale['wrong']}" + (f" ({', '.join(there)})" if there else "")


def _weighed_json(one: Weighed, squares: list[int]) -> dict[str, Any]:
    return {
        "probability": round(one.probability, 4),
        "score": round(one.score, 2),
        "prior": round(one.hypothesis.log_prior, 2),
        **_tale_json(one.hypothesis, squares),
    }


def _against_json(against: Against | None, squares: list[int]) -> dict[str, Any] | None:
    if against is None:
        return None
    since = {"since": against.since, "gain": round(against.gain, 2)}
    return since | _weighed_json(against.tale, squares)


def _tale_json(tale: Hypothesis, squares: list[int]) -> dict[str, Any]:
    wrong = tale.wrong
    return {
        "steps": list(_step_texts(tale.steps)),
        "wrong": wrong.reason.value if wrong else None,
        "unfinished": tale.unfinished,
        "predicts": {square_name(at): _names(tale.board.get(at, EMPTY)) for at in squares},
    }


def _step_texts(steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        match step:
            case Moved(move=move):
                yield move_text(move)
            case Threw(value=value):
                yield f"threw {value}"
            case CastVoid(state=state):
                yield f"threw, {state.value}"
            case Passed(chosen=chosen):
                yield "passed" if chosen else "could not move"
            case TookBack():
                yield "took back"


def _die_json(observation: Observation) -> dict[str, Any] | None:
    if observation.die is None:
        return None
    reading = observation.die.reading
    return {
        "sign": observation.die.sign.value,
        "state": reading.state.value,
        "leans": round(reading.cocked, 4),
        "values": [[n, round(chance, 4)] for n, chance in enumerate(reading.probabilities, 1)],
    }


def _names(there: Contents) -> list[str]:
    return [colour.value for colour in there]


def _shown(names: list[str]) -> str:
    return " and ".join(names) or "nothing"
