"""What people may ask for while a table is set up: forms, checked before anybody hears of them."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from companion.console.asking import MOST_NAME, SeatName

Coordinate = Annotated[float, Field(ge=-10_000, le=20_000, allow_inf_nan=False)]
Corner = tuple[Coordinate, Coordinate]
Amount = Annotated[int, Field(ge=0, le=1_000_000)]
ColourName = Literal[
    "red", "orange", "yellow", "green", "blue", "purple", "white", "black", "brown"
]
LanguageName = Literal["en", "ru"]
UnitName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=20, pattern=r'^[^"\x00-\x1f]+$'
    ),
]
StageName = Literal["aim", "empty", "homes", "die", "terms"]


class _Form(BaseModel):
    """A form: frozen, and no field passes that means nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(_Form):
    """On to the next step, back to the one before, or past all as at the table that is known.

    Attributes:
        at: the step that is shown to who asks: two who ask for the same have it done once.
    """

    do: Literal["next", "back", "same_table"]
    at: StageName | None = None


class Corners(_Form):
    """The board's corners a1, h1, h8, a8 are here in the picture; none: find them yourself."""

    do: Literal["corners"]
    corners: tuple[Corner, Corner, Corner, Corner] | None


class Zone(_Form):
    """The die is thrown inside these corners; none: anywhere."""

    do: Literal["zone"]
    corners: Annotated[tuple[Corner, ...], Field(min_length=3, max_length=12)] | None


class Seats(_Form):
    """Who plays which colour, in the order of the homes round the board."""

    do: Literal["seats"]
    seats: Annotated[dict[SeatName, ColourName], Field(min_length=2, max_length=4)]


class Language(_Form):
    """What is said aloud is said in this language from now on."""

    do: Literal["language"]
    language: LanguageName


class Try(_Form):
    """Let people hear the voice, or see the lamps."""

    do: Literal["try"]
    what: Literal["voice", "lamps"]


class Begin(_Form):
    """The terms of the game that begins now."""

    do: Literal["begin"]
    names: dict[SeatName, Annotated[str, Field(max_length=MOST_NAME)]] = {}
    stake: Amount = 10
    fine: Amount = 1
    unit: UnitName = "points"
    rules: dict[Annotated[str, Field(max_length=20)], str | int | bool] = {}
    first: SeatName | None = None
    language: LanguageName | None = None


SetUpForm: TypeAlias = Step | Corners | Zone | Seats | Language | Begin


class SetUpAsking(_Form):
    """One of the forms of the set-up."""

    ask: Annotated[SetUpForm | Try, Field(discriminator="do")]


SET_UP_ASKING: Final = TypeAdapter(SetUpAsking)
