"""A match as the page shows it: JSON values, sentences in every language."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.phrases import LANGUAGES, Phrases
from companion.phrases.catalogue import Catalogue
from companion.phrases.speaker import Speaker
from companion.seeing import Look
from referee.game_record import action_text, turns
from referee.match import Match, Phase
from referee.moves import may_pass, move_text
from referee.paths import corner, home, start_square
from referee.position import home_count, position_text, reserve_count
from referee.rules import changed_options
from tabletop import EMPTY, Contents, Seat, square_name

Json = Any
"""A value as the json module takes it."""

SURE: Final = 0.995
"""Squares seen empty more surely than this are not told of."""
ACTS_TOLD: Final = 6
"""So many of the last throws are told of as what may be taken back."""


class Tongues:
    """The sentences of every language the page speaks."""

    def __init__(self, *, by_place: bool = False) -> None:
        self._phrases: Final = {
            language: Phrases(language, by_place=by_place) for language in LANGUAGES
        }
        self._catalogues: Final = {language: Catalogue(language) for language in LANGUAGES}
        self._by_place: Final = by_place

    def prompt(self, match: Match, *, no_die: bool = False) -> Json:
        """Return what is awaited, by language; *no_die* is in sight to be thrown."""
        return {
            language: _texts([phrases.prompt(match, no_die=no_die)])
            for language, phrases in self._each()
        }

    def rulings(self, events: Sequence[Any], before: Match | None, after: Match) -> Json:
        """Return what is to be said of *events*, by language; None where that is nothing."""
        said = {
            language: phrases.rulings(events, before, after) for language, phrases in self._each()
        }
        if not any(said.values()):
            return None
        weight = max(one.importance for sentences in said.values() for one in sentences)
        return {"weight": int(weight)} | {
            language: _texts(sentences) for language, sentences in said.items()
        }

    def choices(self, match: Match) -> Json:
        """Return the choices of the open question, each in words."""
        assert match.question is not None
        speakers = {
            language: Speaker(catalogue, match.setup, by_place=self._by_place)
            for language, catalogue in self._catalogues.items()
        }
        return [
            {"choice": choice}
            | {language: speaker.choice(choice).shown for language, speaker in speakers.items()}
            for choice in match.question.choices
        ]

    def player(self, match: Match, seat: Seat) -> Json:
        """Return what the player on *seat* is called, by language."""
        return {language: phrases.player(match, seat) for language, phrases in self._each()}

    def amount(self, match: Match, count: int) -> Json:
        """Return a sum in the unit of the game, by language."""
        return {language: phrases.amount(match, count) for language, phrases in self._each()}

    def _each(self) -> Sequence[tuple[str, Phrases]]:
        return tuple(self._phrases.items())


def match_json(match: Match, tongues: Tongues) -> Json:
    """Return all of *match* that people see."""
    die = match.die
    return {
        "sequence": match.sequence,
        "phase": match.phase.value,
        "paused": match.paused,
        "to_move": match.to_move.value,
        "throws_due": match.position.throws_due,
        "die": die,
        "winner": match.winner.value if match.winner else None,
        "abandoned": match.abandoned,
        "prompt": tongues.prompt(match),
        "players": [_player_json(match, seat, tongues) for seat in match.seats],
        "board": board_json(match),
        "position": position_text(match.position, match.rules),
        "legal": [
            {
                "move": move_text(move),
                "from": None if move.source is None else square_name(move.source),
                "to": square_name(move.target),
            }
            for move in match.legal
        ],
        "may_pass": die is not None and may_pass(match.position, die, match.rules),
        "wrong": _wrong_json(match),
        "differs": [square_name(one.square) for one in match.differs],
        "unclear": [square_name(at) for at in match.unclear or ()],
        "question": _question_json(match, tongues),
        "acts": [act.value for act in match.acts[-ACTS_TOLD:]][::-1],
        "acts_count": len(match.acts),
        "bank": tongues.amount(match, match.bank.total),
        "record": [
            {
                "number": turn.number,
                "seat": turn.seat.value,
                "text": ", ".join(action_text(played) for played in turn.played),
            }
            for turn in turns(throw.played for throw in match.throws)
        ],
        "terms": {
            "stake": match.setup.stake,
            "fine": match.setup.fine,
            "unit": match.setup.unit,
            "rules": changed_options(match.rules),
        },
    }


def board_json(match: Match) -> Json:
    """Return what must stand on each occupied square."""
    return {square_name(at): names(there) for at, there in match.contents().items()}


def seen_json(look: Look) -> Json:
    """Return what a look saw, and how surely; squares that are surely empty are left out."""
    squares: dict[str, Json] = {}
    for at, reading in enumerate(look.observation.squares):
        if reading.hidden:
            squares[square_name(at)] = {"hidden": True}
        elif reading.best != EMPTY or reading.confidence < SURE:
            squares[square_name(at)] = {
                "seen": names(reading.best),
                "confidence": round(reading.confidence, 3),
            }
    dice = [
        {"value": die.value, "confidence": round(die.confidence, 3), "state": die.state.value}
        for die in look.reading.dice
    ]
    return {"squares": squares, "dice": dice, "obscured": look.reading.obscured}


def names(there: Contents) -> list[str]:
    """Return the names of the colours on a square."""
    return [colour.value for colour in there]


def _player_json(match: Match, seat: Seat, tongues: Tongues) -> Json:
    lost = sum(
        count for throw in match.throws for victim, count in throw.played.knocked if victim is seat
    )
    if match.winner is not None:
        balance = match.bank.net(match.winner)[seat]
    else:
        balance = 0 if match.abandoned else -dict(match.bank.paid)[seat]
    return {
        "seat": seat.value,
        "colour": match.colour(seat).value,
        "name": match.name(seat),
        "called": tongues.player(match, seat),
        "left": seat in match.left,
        "corner": square_name(corner(seat, match.rules)),
        "home": [square_name(at) for at in home(seat, match.rules)],
        "start": square_name(start_square(seat, match.rules)),
        "reserve": reserve_count(match.position, seat),
        "at_home": home_count(match.position, seat, match.rules),
        "knocked_out": lost,
        "balance": balance,
        "throws": _opening_json(match, seat),
    }


def _opening_json(match: Match, seat: Seat) -> Json:
    """Return what a player threw for who begins, as long as that is not settled."""
    if match.phase is not Phase.OPENING:
        return None
    return dict(_thrown(match)).get(seat)


def _thrown(match: Match) -> Mapping[Seat, int]:
    thrown = {}
    for act in match.acts:
        if act.value is not None:
            thrown[match.at(act.after).to_move] = act.value
    return thrown


def _wrong_json(match: Match) -> Json:
    wrong = match.wrong
    if wrong is None:
        return None
    found = wrong.found
    return {
        "reason": wrong.reason.value,
        "seat": wrong.seat.value,
        "from": None if found is None or found.source is None else square_name(found.source),
        "to": None if found is None or found.target is None else square_name(found.target),
        "allowed": list(wrong.allowed),
        "squares": [square_name(one.square) for one in wrong.differs],
    }


def _question_json(match: Match, tongues: Tongues) -> Json:
    if match.question is None:
        return None
    return {
        "id": match.question.id,
        "about": match.question.about.value,
        "choices": tongues.choices(match),
    }


def _texts(sentences: Sequence[Any]) -> Json:
    return {
        "text": " ".join(one.text for one in sentences),
        "spoken": " ".join(one.spoken for one in sentences),
    }
