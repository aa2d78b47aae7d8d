"""What people may ask for on the page: forms that are checked before the referee hears of them."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from companion import lying
from referee import commands
from tabletop import Seat

MOST_NAME: Final = 40

Face = Annotated[int, Field(ge=1, le=6)]
Count = Annotated[int, Field(ge=1, le=1000)]
SeatName = Literal["D4", "D3", "D2", "D1"]


class _Form(BaseModel):
    """A form: frozen, and no field passes that means nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SayThrow(_Form):
    """The die shows *value*."""

    do: Literal["say_throw"]
    value: Face

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.SayThrow(self.value)


class CorrectThrow(_Form):
    """The throw made *back* throws ago really showed *value*."""

    do: Literal["correct_throw"]
    value: Face
    back: Count = 1

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.CorrectThrow(self.value, self.back)


class Choose(_Form):
    """The answer to the open question."""

    do: Literal["choose"]
    choice: Annotated[str, Field(max_length=20)]

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.Choose(self.choice)


class NameCorner(_Form):
    """Which corner is a1: the one where it seems to be, or the opposite one, perhaps *unasked*."""

    do: Literal["name_corner"]
    turned: bool
    unasked: bool = False

    def command(self) -> lying.NameCorner:
        """Return what is told to who follows the board."""
        return lying.NameCorner(self.turned, self.unasked)


class OutOfTurn(_Form):
    """The last throw was made by *seat*, whose turn it was not."""

    do: Literal["out_of_turn"]
    seat: SeatName | None = None

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.OutOfTurn(None if self.seat is None else Seat(self.seat))


class TakeBack(_Form):
    """The last throws are undone."""

    do: Literal["take_back"]
    throws: Count = 1

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.TakeBack(self.throws)


class Restore(_Form):
    """The game goes back to how it stood after the event numbered *sequence*."""

    do: Literal["restore"]
    sequence: Annotated[int, Field(ge=1)]

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.Restore(self.sequence)


class BoardIsRight(_Form):
    """The log is to follow the board; *to_throw* throws next, where given."""

    do: Literal["board_is_right"]
    to_throw: SeatName | None = None

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.BoardIsRight(None if self.to_throw is None else Seat(self.to_throw))


class SetPosition(_Form):
    """The game goes on from the position on this line."""

    do: Literal["set_position"]
    position: Annotated[str, Field(max_length=120)]

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.SetPosition(self.position)


class Rename(_Form):
    """A player is called *name* from now on."""

    do: Literal["rename"]
    seat: SeatName
    name: Annotated[str, Field(min_length=1, max_length=MOST_NAME)]

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.Rename(Seat(self.seat), self.name)


class Leave(_Form):
    """A player gives up."""

    do: Literal["leave"]
    seat: SeatName

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return commands.Leave(Seat(self.seat))


class Plain(_Form):
    """What needs no more than its name."""

    do: Literal["leave_throw", "log_is_right", "pause", "resume", "abandon", "say_again"]

    def command(self) -> commands.Command:
        """Return what the referee is told."""
        return _PLAIN[self.do]


_PLAIN: Final[dict[str, commands.Command]] = {
    "leave_throw": commands.LeaveThrow(),
    "log_is_right": commands.LogIsRight(),
    "pause": commands.Pause(),
    "resume": commands.Resume(),
    "abandon": commands.Abandon(),
    "say_again": commands.SayAgain(),
}

Form: TypeAlias = Annotated[
    SayThrow
    | CorrectThrow
    | Choose
    | NameCorner
    | OutOfTurn
    | TakeBack
    | Restore
    | BoardIsRight
    | SetPosition
    | Rename
    | Leave
    | Plain,
    Field(discriminator="do"),
]


class Asking(_Form):
    """A command, and the number of the last event its giver knew of, if it matters."""

    command: Form
    after: Annotated[int, Field(ge=0)] | None = None


class Message(_Form):
    """What a page sends over its socket: that it has got the state *got*, or a command.

    Attributes:
        got: the number of the state that arrived; the next follows only then.
        ticket: comes back with the answer to *ask*.
        ask: a command.
    """

    got: Annotated[int, Field(ge=0)] | None = None
    ticket: Annotated[int, Field(ge=0)] | None = None
    ask: Asking | None = None


class Pairing(_Form):
    """The code that lets a device in."""

    code: Annotated[str, Field(min_length=1, max_length=20)]


ASKING: Final = TypeAdapter(Asking)
MESSAGE: Final = TypeAdapter(Message)
PAIRING: Final = TypeAdapter(Pairing)


class FormError(ValueError):
    """A form is not filled in as it must be; the text says where."""


def filled(form: TypeAdapter[Any], text: str | bytes) -> Any:
    """Return the form that *text* fills in.

    Raises:
        FormError: it is no JSON, or a field is missing, unknown or cannot be.
    """
    try:
        return form.validate_json(text)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise FormError(f"{where}: {fault['msg']}" if where else str(fault["msg"])) from None
