"""The rules of the house: every point on which people play the game differently.

A `Rules` value is the default game with the options changed that a table has agreed on. Nothing
else in the referee knows how an option is spelled.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, Self, TypeAlias


class Geometry(StrEnum):
    """How the ring is counted."""

    A = "A"
    """All 28 squares of the rim."""
    B = "B"
    """Foreign corners are skipped: 24 squares and one's own corner."""


class Corner(StrEnum):
    """What a foreign corner is while its owner has a checker on it."""

    BLOCK = "block"
    """Closed to others, who may pass over it."""
    SHARE = "share"
    """One may stop beside the owner's checker; third parties there are knocked out."""
    HIT = "hit"
    """The owner's checker there is knocked out like any other."""
    PASS = "pass"
    """Nobody ever stops on a foreign corner, even an empty one."""


class Overshoot(StrEnum):
    """What becomes of a throw that carries a checker beyond the innermost square."""

    FORBID = "forbid"
    BOUNCE = "bounce"
    """From the ring it goes to the innermost square and back."""


class HomeDirection(StrEnum):
    """Which way a checker moves inside its home."""

    FORWARD = "forward"
    BOTH = "both"


class HomeInternal(StrEnum):
    """Whether a move inside the home is owed where nothing else is legal."""

    OPTIONAL = "optional"
    COMPULSORY = "compulsory"
    FORBIDDEN = "forbidden"
    """There are no moves inside the home."""


class Stack(StrEnum):
    """What two or more checkers of one colour on a ring square mean to the others."""

    ALL = "all"
    """Nothing: landing there knocks out all of them."""
    BLOCK = "block"
    """They can be neither passed nor hit, nor entered upon."""


class EntryRule(StrEnum):
    """What a six obliges to while a checker waits in the reserve."""

    FREE = "free"
    COMPULSORY = "compulsory"


class SixBonus(StrEnum):
    """When a six gives another throw."""

    ALWAYS = "always"
    IF_USED = "if_used"


class Bonus(StrEnum):
    """What a move is worth that is both a six and a knock-out."""

    SINGLE = "single"
    """One extra throw."""
    CUMULATIVE = "cumulative"
    """One for the six and one for the knock-out."""


class ThreeSixes(StrEnum):
    """What the third six in a row does."""

    NONE = "none"
    END_TURN = "end_turn"
    """It is played, its knock-outs count, and all throws still due are lost."""


Value: TypeAlias = StrEnum | bool | int
"""The value of an option."""

_NUMBERS: Final[Mapping[str, tuple[int, ...]]] = {
    "home_capacity": (0, 1),
    "idle_tries": (1, 2, 3),
    "rotation": (0, 1, 2, 3),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table plays by; every field is an option with its usual value as the default.

    Values may be given as their texts (``Rules(corner="share")`` at a border where types end);
    they are checked and stored as what they mean.

    Attributes:
        home_jump: a checker may pass over its own kind inside the home.
        home_capacity: how many checkers a home square takes; 0 is no limit.
        track_stack: own checkers may share a square of the ring.
        must_move: a player who can move must.
        must_hit: where a move knocks out, only such moves are legal.
        idle_tries: with no own checker on the ring, how many throws a turn has.
        rotation: how many quarter turns counter-clockwise the seats are moved round the board: D4's
            home is a1, h1, h8 or a8.

    Raises:
        ValueError: a value is none of its option's.
    """

    geometry: Geometry = Geometry.A
    corner: Corner = Corner.BLOCK
    overshoot: Overshoot = Overshoot.FORBID
    home_dir: HomeDirection = HomeDirection.FORWARD
    home_jump: bool = True
    home_capacity: int = 0
    home_internal: HomeInternal = HomeInternal.OPTIONAL
    track_stack: bool = True
    stack: Stack = Stack.ALL
    entry: EntryRule = EntryRule.FREE
    must_move: bool = True
    must_hit: bool = False
    six_bonus: SixBonus = SixBonus.ALWAYS
    bonus: Bonus = Bonus.SINGLE
    three_sixes: ThreeSixes = ThreeSixes.NONE
    idle_tries: int = 1
    rotation: int = 0
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        places = []
        for name, allowed in ALLOWED.items():
            value = checked_value(name, getattr(self, name))
            object.__setattr__(self, name, value)
            places.append(allowed.index(value))
        # Rules are the key of every table, so their hash is kept; made of numbers, it is the same
        # in every process, unlike that of a text.
        object.__setattr__(self, "_hash", hash(tuple(places)))

    def __hash__(self) -> int:
        return self._hash

    def with_options(self, options: Mapping[str, object]) -> Self:
        """Return these rules with *options* changed; names and values as `checked_value` takes.

        Raises:
            ValueError: an option's name or value is unknown.
        """
        changes = {
            checked_name(name): checked_value(name, value) for name, value in options.items()
        }
        return replace(self, **changes)  # type: ignore[arg-type]


def _allowed() -> dict[str, tuple[Value, ...]]:
    allowed: dict[str, tuple[Value, ...]] = {}
    for option in fields(Rules):
        default = option.default
        if isinstance(default, bool):
            allowed[option.name] = (True, False)
        elif isinstance(default, StrEnum):
            allowed[option.name] = tuple(type(default))
        elif option.init:
            allowed[option.name] = _NUMBERS[option.name]
    return allowed


ALLOWED: Final[Mapping[str, tuple[Value, ...]]] = _allowed()
"""Each option's name with the values it may have, in the order in which options are written."""


def checked_name(name: str) -> str:
    """Return the option that *name* means; a hyphen may stand for an underscore.

    Raises:
        ValueError: there is no such option.
    """
    plain = name.strip().lower().replace("-", "_")
    if plain in ALLOWED:
        return plain
    near = get_close_matches(plain, ALLOWED, n=1)
    advice = f"did you mean {near[0]!r}?" if near else f"options are {', '.join(ALLOWED)}"
    raise ValueError(f"{name.strip()!r} is no option of the rules: {advice}")


def checked_value(name: str, value: object) -> Value:
    """Return what *value*, given as itself or as text, means for the option *name*.

    Raises:
        ValueError: there is no such option, or it has no such value.
    """
    option = checked_name(name)
    given = str(value).strip()
    for allowed in ALLOWED[option]:
        if given.casefold() == value_text(allowed).casefold():
            return allowed
    texts = [value_text(allowed) for allowed in ALLOWED[option]]
    near = get_close_matches(given.casefold(), texts, n=1)
    advice = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{option} cannot be {given!r}: choose from {', '.join(texts)}{advice}")


def value_text(value: Value) -> str:
    """Write the value of an option."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_option(text: str) -> tuple[str, Value]:
    """Return the option and its value from text like ``corner=share``.

    >>> parse_option("home_capacity=1")
    ('home_capacity', 1)

    Raises:
        ValueError: the text is not NAME=VALUE, or the name or the value is unknown.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text.strip()!r} is not NAME=VALUE, as in corner=share")
    return checked_name(name), checked_value(name, value)


def rules_from(options: Mapping[str, object]) -> Rules:
    """Return the default rules with *options* changed.

    Raises:
        ValueError: an option's name or value is unknown.
    """
    return Rules().with_options(options)


def changed_options(rules: Rules) -> dict[str, Value]:
    """Return the options that differ from the defaults, in their usual order."""
    usual = Rules()
    return {
        name: getattr(rules, name)
        for name in ALLOWED
        if getattr(rules, name) != getattr(usual, name)
    }


def options_text(rules: Rules) -> str:
    """Write what differs from the default rules.

    >>> options_text(Rules(home_capacity=1, corner=Corner.SHARE))
    'corner=share; home_capacity=1'
    """
    changed = changed_options(rules)
    return "; ".join(f"{name}={value_text(value)}" for name, value in changed.items())


def parse_options(text: str) -> Rules:
    """Return the rules written by `options_text`; parts may stand in any order.

    Raises:
        ValueError: a part is malformed or unknown, or an option stands twice.
    """
    options: dict[str, object] = {}
    for part in filter(str.strip, text.split(";")):
        name, value = parse_option(part)
        if name in options:
            raise ValueError(f"{name} is given twice in {text!r}")
        options[name] = value
    return rules_from(options)
