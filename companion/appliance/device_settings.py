"""The parts of the settings that are about devices: camera, lamps, strips, buttons and voice."""

import re
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

Whole = Annotated[int, Field(strict=True)]
Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""Numbers and nothing else: what is true, or a text, is none."""

Flag = Annotated[bool, Field(strict=True)]
"""True or false: 1 and "yes" are neither."""

Pin = Annotated[Whole, Field(ge=0, le=27)]
"""A general purpose pin of the Pi's header by its BCM number."""

Corner = Literal["a1", "a8", "h8", "h1"]

STRIP_PINS: Final = (8, 10, 11)
"""What a strip on SPI takes: its data, and what belongs to SPI."""


def _as_lamp(value: Any) -> Any:
    pins = (value,) if isinstance(value, int) else value
    if isinstance(pins, list | tuple) and len(pins) not in (1, 3):
        raise ValueError(f"a lamp has one pin or three, not {len(pins)}")
    return pins


Pins = Annotated[tuple[Pin, ...], BeforeValidator(_as_lamp)]
"""The pins of one lamp; a single number will do for one."""


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("no program can be handed the character of number 0: leave it out")
    return text


Text = Annotated[str, AfterValidator(_without_nul)]
"""A text that can be handed to a program."""

_HOST: Final = re.compile(r"(?:\w[\w.-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?")


def _as_host(text: str) -> str:
    advice = "as wled.local or 192.168.1.20:8080"
    if "/" in text:
        raise ValueError(f"write the host alone, {advice}")
    found = _HOST.fullmatch(text)
    if text and (found is None or not 1 <= int(found[1] or 80) <= 65535):
        raise ValueError(f"write a name or an address, and a port where it is not 80, {advice}")
    return text


class SettingsTable(BaseModel):
    """A table of the file: frozen, and no key passes that means nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CameraSection(SettingsTable):
    """How a camera on the Pi's ribbon, or on USB, is set.

    Attributes:
        mains_hz: of the current that feeds the lamps, 50 or 60; they flicker with it.
        upside_down: the camera hangs the other way up.
        tuning: a tuning file of libcamera, for modules that do not tell what they are, as
            ``imx219_noir.json``.
    """

    mains_hz: Literal[50, 60] = 50
    upside_down: Flag = False
    tuning: Text = ""


class LampSection(SettingsTable):
    """The pins that lamps hang on; a lamp has one, or three for red, green and blue.

    Attributes:
        verdict: of the verdict's lamp.
        seats: of each seat's lamp, as in ``D4 = 5``.
        buzzer: of a buzzer, which sounds where there is no voice.
        signals: what is shown for a kind of event, as in ``checker_knocked_out = "won"``.
    """

    verdict: Pins = ()
    seats: dict[Literal["D4", "D3", "D2", "D1"], Pins] = {}
    buzzer: Pin | None = None
    signals: dict[str, str] = {}

    @property
    def uses(self) -> list[tuple[int, str]]:
        """Each pin that something hangs on, and what that is."""
        used = [(pin, "the verdict's lamp") for pin in self.verdict]
        used += [(pin, f"the lamp of {seat}") for seat, lamp in self.seats.items() for pin in lamp]
        return used if self.buzzer is None else [*used, (self.buzzer, "the buzzer")]

    @field_validator("signals")
    @classmethod
    def _known(cls, signals: dict[str, str]) -> dict[str, str]:
        # Imported only where somebody changes signals: it takes the whole referee with it.
        from companion.appliance.signals import signals_with

        signals_with(signals)
        return signals


class StripSection(SettingsTable):
    """A strip of addressable LEDs round the board.

    Attributes:
        leds_a_side: how many lie along each side.
        first: the corner at which it begins.
        clockwise: which way it runs, seen from above.
        brightness: of 1.
        wled: the host of a WLED strip in the network, with a port where it is not 80; empty for
            one on SPI.
    """

    leds_a_side: Annotated[Whole, Field(ge=1, le=300)]
    first: Corner = "a1"
    clockwise: Flag = True
    brightness: Annotated[Real, Field(gt=0, le=1)] = 0.2
    wled: Annotated[str, AfterValidator(_as_host)] = ""


class ButtonSection(SettingsTable):
    """The pins of buttons."""

    say_again: Pin | None = None
    take_back: Pin | None = None
    confirm: Pin | None = None
    pause: Pin | None = None

    @property
    def pins(self) -> dict[str, int]:
        """The pin of each button that there is."""
        return {name: pin for name, pin in self if pin is not None}


class VoiceSection(SettingsTable):
    """How the voice sounds.

    Attributes:
        engine: what makes the sound: espeak-ng, or Piper with a model of the person's.
        words_a_minute: its speed.
        volume: how loud it is, 100 being usual.
        english: espeak-ng's voice for English; `espeak-ng --voices` lists them.
        russian: the same for Russian.
        piper_english: Piper's model for English, a file ending in .onnx.
        piper_russian: the same for Russian.
        player: what plays it: ALSA's aplay, or PipeWire's pw-play.
        device: the loudspeaker's name for the player; empty for the usual one.
        lead_s: so long it is silent first: HDMI and Bluetooth swallow the first word otherwise.
        says: rulings only, rulings and hints, or everything.
    """

    engine: Literal["espeak", "piper"] = "espeak"
    words_a_minute: Annotated[Whole, Field(ge=80, le=450)] = 140
    volume: Annotated[Whole, Field(ge=0, le=200)] = 100
    english: Text = "en-us+klatt"
    russian: Text = "ru"
    piper_english: Text = ""
    piper_russian: Text = ""
    player: Literal["alsa", "pipewire"] = "alsa"
    device: Text = ""
    lead_s: Annotated[Real, Field(ge=0, le=3)] = 0.2
    says: Literal["rulings", "normal", "everything"] = "everything"

    @model_validator(mode="after")
    def _a_model_to_speak_with(self) -> Self:
        if self.engine == "piper" and not (self.piper_english or self.piper_russian):
            raise ValueError("for Piper a model is needed, piper_english or piper_russian")
        return self
