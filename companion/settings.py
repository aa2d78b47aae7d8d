"""What a person may configure for good: a TOML file in the platform's configuration folder.

An option on the command line wins over the file, the file over what is built in.
"""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.errors import ArgumentError

PROGRAM: Final = "pachisi"

Pin = Annotated[int, Field(ge=0, le=27)]
"""A general purpose pin of the Pi's header by its BCM number."""


class _Table(BaseModel):
    """A table of the file: frozen, and no key passes that means nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LampSettings(_Table):
    """The pins that lamps hang on; there are none unless they are named.

    Attributes:
        red: of the verdict's three-coloured lamp.
        green: of the verdict's lamp.
        blue: of the verdict's lamp.
        seats: the pin of each seat's lamp, as in ``D4 = 5``.
    """

    red: Pin
    green: Pin
    blue: Pin
    seats: dict[Literal["D4", "D3", "D2", "D1"], Pin] = {}


class VoiceSettings(_Table):
    """How the voice sounds.

    Attributes:
        words_a_minute: its speed.
        louder: its volume, 100 being espeak-ng's own.
    """

    words_a_minute: Annotated[int, Field(ge=80, le=450)] = 160
    louder: Annotated[int, Field(ge=0, le=200)] = 100


class Settings(_Table):
    """All that can be configured.

    Attributes:
        language: of voice and terminal.
        mute: say nothing aloud.
        web: serve the console page.
        port: the console page's.
        games: the folder of the logged games; None is the platform's data folder.
        lamps: the pins of lamps, if there are lamps.
        voice: how the voice sounds.
    """

    language: Literal["en", "ru"] = "en"
    mute: bool = False
    web: bool = True
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    games: Path | None = None
    lamps: LampSettings | None = None
    voice: VoiceSettings = VoiceSettings()

    @property
    def games_dir(self) -> Path:
        """The folder of the logged games."""
        return self.games.expanduser() if self.games else data_dir() / "games"


def data_dir() -> Path:
    """Return the folder in which games and the table profile live."""
    return platformdirs.user_data_path(PROGRAM)


def table_path() -> Path:
    """Return where the table profile lives unless another is named."""
    return data_dir() / "table.toml"


def settings_path() -> Path:
    """Return where the settings file is looked for."""
    return platformdirs.user_config_path(PROGRAM) / "settings.toml"


def load_settings(path: Path) -> Settings:
    """Return the settings in the file at *path*, or those built in where there is none.

    Raises:
        ArgumentError: the file cannot be read, is no TOML, or says something that cannot be.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"the settings file {path} cannot be read: {error}") from error
    try:
        return Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ArgumentError(f"the settings file {path} is no TOML: {error}") from error
    except ValidationError as error:
        raise ArgumentError(f"the settings file {path}: {_first_fault(error)}") from error


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] != "extra_forbidden":
        return f"{name} = {fault['input']!r} cannot be ({fault['msg'].lower()})"
    known = [*Settings.model_fields, *LampSettings.model_fields, *VoiceSettings.model_fields]
    near = get_close_matches(str(fault["loc"][-1]), known, n=1)
    return f"there is no setting {name!r}" + (f": did you mean {near[0]!r}?" if near else "")
