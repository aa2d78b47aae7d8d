"""The form of a table profile's file: TOML, with units in its names."""

import json
import tomllib
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from tabletop import Colour, Seat

VERSION: Final = 1

Number = Annotated[float, Field(allow_inf_nan=False)]
Pair = tuple[Number, Number]
Triple = tuple[Number, Number, Number]
Spread = Annotated[float, Field(gt=0.0, le=100.0)]


class DocumentError(ValueError):
    """A text is no table profile; the message says where and what was expected."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CornersSection(_Section):
    """The outer corners of the 64 squares."""

    a1: Pair
    h1: Pair
    h8: Pair
    a8: Pair

    @model_validator(mode="after")
    def _round_a_board(self) -> Self:
        """See that a board looked at from above can have its corners there."""
        corners = (self.a1, self.h1, self.h8, self.a8)
        for (x, y), at, after in zip(
            corners, corners[1:] + corners, corners[2:] + corners, strict=False
        ):
            # Y grows downwards, so that every turn to the left is negative.
            if (at[0] - x) * (after[1] - at[1]) >= (at[1] - y) * (after[0] - at[0]):
                raise ValueError("they must follow one another counter-clockwise round a board")
        return self


class BoardSection(_Section):
    """Where the board lies."""

    rotation: Annotated[int, Field(ge=0, le=3)] = 0
    lens_distortion: Annotated[float, Field(gt=-1.0, lt=1.0)] = 0.0
    confidence: Annotated[float, Field(ge=0.0, le=1.0)] = 1.0
    corners_px: CornersSection


class CameraSection(_Section):
    """What took the pictures, and how it was set."""

    source: str = ""
    width_px: Annotated[int, Field(ge=16)]
    height_px: Annotated[int, Field(ge=16)]
    exposure_us: Annotated[int, Field(gt=0)] | None = None
    analogue_gain: Annotated[float, Field(gt=0.0)] | None = None
    colour_gains: Pair | None = None
    colour_temperature_k: Annotated[int, Field(gt=0)] | None = None
    lens_position: Annotated[float, Field(ge=0.0)] | None = None
    crop_xywh: tuple[int, int, int, int] | None = None
    id: str = ""
    model: str = ""


class TintSection(_Section):
    """One of the colours of a checker's pixels."""

    weight: Annotated[float, Field(gt=0.0, le=1.0)]
    lab: Triple
    spread: tuple[Spread, Spread, Spread]


class LookSection(_Section):
    """One player's checkers."""

    colour: Colour
    tints: Annotated[tuple[TintSection, ...], Field(min_length=1)]


class CheckersSection(_Section):
    """The checkers' size and looks."""

    diameter_squares: Annotated[float, Field(ge=0.2, le=1.2)]
    height_squares: Annotated[float, Field(ge=0.0, le=1.0)]
    looks: Annotated[tuple[LookSection, ...], Field(min_length=2, max_length=4)]


class ZoneSection(_Section):
    """The part of the picture in which the die is thrown."""

    corners_px: Annotated[tuple[Pair, ...], Field(min_length=3)]


class ReferenceSection(_Section):
    """The picture of the empty board."""

    jpeg_base64: str


class Document(_Section):
    """A whole table profile."""

    version: Literal[1]
    seats: Annotated[dict[Seat, Colour], Field(max_length=4)] = {}
    board: BoardSection
    camera: CameraSection
    throwing_zone: ZoneSection | None = None
    checkers: CheckersSection
    reference: ReferenceSection

    @field_validator("seats")
    @classmethod
    def _not_alone(cls, seats: dict[Seat, Colour]) -> dict[Seat, Colour]:
        if len(seats) == 1:
            raise ValueError("two to four play")
        return seats

    @model_validator(mode="after")
    def _board_near_the_picture(self) -> Self:
        across, down = 2 * self.camera.width_px, 2 * self.camera.height_px
        for name, (x, y) in self.board.corners_px:
            if abs(x) > across or abs(y) > down:
                raise ValueError(f"board.corners_px.{name} is far outside the picture")
        return self


def parse_document(text: str) -> Document:
    """Return the table profile that *text* holds.

    Raises:
        DocumentError: it is not TOML, of another version, or a key is missing, unknown or of the
            wrong kind; the message names the key.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DocumentError(f"it is not TOML: {error}") from None
    version = data.get("version")
    if version != VERSION:
        written = "has no version" if version is None else f"is of version {version}"
        raise DocumentError(f"it {written}, this program reads version {VERSION}: calibrate again")
    try:
        # Through JSON, as strict validation takes lists for tuples and names for enums only there.
        return Document.model_validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        raise DocumentError("; ".join(_fault(dict(item)) for item in error.errors())) from None


def _fault(error: dict[str, Any]) -> str:
    """Return one fault in plain words, with the key it concerns."""
    key = ".".join(str(part) for part in error["loc"])
    match error["type"]:
        case "missing":
            return f"the key {key} is missing"
        case "extra_forbidden":
            return f"the key {key} is unknown"
        case _:
            said = str(error["msg"]).removeprefix("Value error, ").lower()
            if not key:
                return said
            given = repr(error["input"])
            shown = given if len(given) <= 60 else f"{given[:57]}..."
            return f"the key {key} is {shown}: {said}"
