"""What a person may configure for good: a TOML file in the platform's configuration folder.

An option on the command line wins over the file, the file over what is built in.
"""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, Final, Literal, Self

import platformdirs
from pydantic import BeforeValidator, Field, ValidationError, model_validator

from companion.appliance.device_settings import (
    STRIP_PINS,
    ButtonSection,
    CameraSection,
    Flag,
    LampSection,
    Real,
    SettingsTable,
    StripSection,
    VoiceSection,
    Whole,
)
from companion.errors import ArgumentError

PROGRAM: Final = "pachisi"
PACKAGE: Final = "pachisi-companion"
"""What the program is called, and the package that holds it."""

_WAYS_OUT: Final = {
    "literal_error": "choose from {expected}",
    "int_type": "write a whole number",
    "float_type": "write a number",
    "finite_number": "write a number",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "string_type": "write a text, in quotes",
    "tuple_type": "write the number of a pin, or those of three in brackets",
    "dict_type": "write a table, below a line [{name}]",
    "model_type": "write a table, below a line [{name}]",
    "greater_than": "write more than {gt:g}",
    "greater_than_equal": "write {ge:g} or more",
    "less_than_equal": "write {le:g} or less",
}
"""What to do about each kind of fault that pydantic finds."""


def _as_folder(value: Any) -> Any:
    if isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise ValueError("name a folder, or leave the line out for the usual one")
    try:
        return str(Path(value).expanduser())
    except RuntimeError as error:
        whose = Path(value).parts[0]
        raise ValueError(f"no home is known for {whose}: write the folder out") from error


Folder = Annotated[Path, BeforeValidator(_as_folder)]
"""A folder; ``~`` and ``~name`` before it are people's home folders."""


class TimingSection(SettingsTable):
    """How long the referee waits for people.

    Attributes:
        still_s: so long a live table must lie still before a move counts as made.
        remind_s: after so long without any news people are reminded of what is awaited, once.
    """

    still_s: Annotated[Real, Field(ge=0.3, le=30)] = 1.0
    remind_s: Annotated[Real, Field(ge=5)] = 45.0


class LogSection(SettingsTable):
    """What is kept beside the logs of games.

    Attributes:
        pictures_mb: so many megabytes of pictures of all games together; then the oldest go.
        pictures_days: so long after a game its pictures are kept; 0 is for ever.
        clip_s: so many of the last seconds are kept as frames where people may quarrel; 0 none.
    """

    pictures_mb: Annotated[Whole, Field(ge=0)] = 500
    pictures_days: Annotated[Whole, Field(ge=0)] = 365
    clip_s: Annotated[Whole, Field(ge=0, le=120)] = 20


class Settings(SettingsTable):
    """All that can be configured.

    Attributes:
        language: of voice and terminal.
        squares: how squares are called: by name, or by place ("Red 3" is the third after Red's
            corner), for boards without letters.
        mute: say nothing aloud.
        web: serve the console page.
        port: the console page's.
        lan: everybody in the local network may reach the page, with a code; else only this
            computer.
        games: the folder of the logged games; None is the platform's data folder.
        lamps: the pins of lamps, if there are lamps.
        strip: a strip of LEDs round the board, if there is one.
        buttons: the pins of buttons.
        voice: how the voice sounds.
        camera: how the camera is set.
        timing: how long the referee waits for people.
        log: what is kept beside the logs of games.
    """

    language: Literal["en", "ru"] = "en"
    squares: Literal["names", "places"] = "names"
    mute: Flag = False
    web: Flag = True
    port: Annotated[Whole, Field(ge=1, le=65535)] = 8000
    lan: Flag = False
    games: Folder | None = None
    lamps: LampSection | None = None
    strip: StripSection | None = None
    buttons: ButtonSection = ButtonSection()
    voice: VoiceSection = VoiceSection()
    camera: CameraSection = CameraSection()
    timing: TimingSection = TimingSection()
    log: LogSection = LogSection()

    @model_validator(mode="after")
    def _one_thing_a_pin(self) -> Self:
        used = [] if self.lamps is None else self.lamps.uses
        used += [(pin, f"the button {name}") for name, pin in self.buttons.pins.items()]
        if self.strip is not None and not self.strip.wled:
            used += [(pin, "the strip") for pin in STRIP_PINS]
        taken: dict[int, str] = {}
        for pin, what in used:
            if taken.get(pin) == what:
                raise ValueError(f"pin {pin} is used twice by {what}: name another")
            if pin in taken:
                raise ValueError(f"pin {pin} is used by {taken[pin]} and by {what}: name another")
            taken[pin] = what
        return self

    @property
    def games_dir(self) -> Path:
        """The folder of the logged games."""
        return self.games or data_dir() / "games"


def data_dir() -> Path:
    """Return the folder in which games and the table profile live."""
    return platformdirs.user_data_path(PROGRAM)


def table_path() -> Path:
    """Return where the table profile lives unless another is named."""
    return data_dir() / "table.toml"


def devices_path() -> Path:
    """Return where the devices that the console page has let in are kept."""
    return platformdirs.user_state_path(PROGRAM) / "devices.json"


def settings_path() -> Path:
    """Return where the settings file is looked for."""
    return platformdirs.user_config_path(PROGRAM) / "settings.toml"


def load_settings(path: Path) -> Settings:
    """Return the settings in the file at *path*, or those built in where there is none.

    Raises:
        ArgumentError: the file cannot be read, is no TOML, or says something that cannot be.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"the settings file {path} cannot be read: {error}") from error
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ArgumentError(f"the settings file {path} is no TOML: {error}") from error
    except RecursionError as error:
        raise ArgumentError(f"the settings file {path} has too many brackets in one") from error
    except ValueError as error:  # Python reads no number of so many digits
        raise ArgumentError(f"the settings file {path} has a number that is too long") from error
    try:
        return Settings.model_validate(written)
    except ValidationError as error:
        raise ArgumentError(f"the settings file {path}: {_first_fault(error)}") from error


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "missing":
        return f"{name} is missing: add it"
    if fault["type"] == "literal_error" and name.endswith(".[key]"):
        return f"there is no {name.removesuffix('.[key]')}: choose from {fault['ctx']['expected']}"
    if fault["type"] != "extra_forbidden":
        told = _WAYS_OUT.get(fault["type"], fault["msg"].removeprefix("Value error, "))
        if fault["type"] in _WAYS_OUT:
            told = told.format(name=name, **fault.get("ctx", {}))
        if not name:  # of two tables together
            return told
        return f"{name} = {_in_short(fault['input'])} cannot be: {told}"
    known = [*Settings.model_fields, *LampSection.model_fields, *VoiceSection.model_fields]
    known += [*TimingSection.model_fields, *LogSection.model_fields]
    known += [*CameraSection.model_fields, *StripSection.model_fields]
    known += ButtonSection.model_fields
    near = get_close_matches(str(fault["loc"][-1]), known, n=1)
    return f"there is no setting {name!r}" + (f": did you mean {near[0]!r}?" if near else "")


def _in_short(value: Any) -> str:
    """Return *value* as people may have written it, in a line that can be read."""
    short = Repr()
    short.maxstring = short.maxother = short.maxlong = 80
    try:
        return short.repr(value)
    except ValueError:  # Python writes no number of so many digits
        return "the number"
