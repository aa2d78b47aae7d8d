"""From what people configured, and what a table profile holds, to how devices are set."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import platformdirs

from calibration.profile import Camera, TableProfile
from companion.appliance.health import HealthWatch, Readings
from companion.appliance.lamp_ward import LampWard
from companion.appliance.pressing import PressDesk
from companion.appliance.signals import signals_with
from companion.game import Listener
from companion.listeners import Background, LampShow
from companion.loop import Inbox
from companion.phrases import Importance
from companion.settings import PROGRAM, Settings
from hardware.buttons import Buttons
from hardware.camera_settings import DEFAULT_SIZE_WH, CameraSettings, CameraWish
from hardware.lamp_board import LampSettings
from hardware.lamps import DrivenLamps, NullLamps, OpenedLamps, open_lamps
from hardware.live import LiveSource
from hardware.ports import DeviceError, FrameSource
from hardware.strip import StripLayout
from hardware.voice import VoiceSettings

_LEAST: Final[Mapping[str, Importance]] = {
    "rulings": Importance.RULING,
    "normal": Importance.NORMAL,
    "everything": Importance.CHATTER,
}
# How long before and after a lamp's change its light may still be in a picture.
_MARGIN_S: Final = 0.12
_NETWORK_MARGIN_S: Final = 0.25


def camera_wish(settings: Settings, profile: TableProfile | None = None) -> CameraWish:
    """Return how a camera is wanted: for calibration, or as *profile* was made."""
    asked = settings.camera
    size_wh, wanted = DEFAULT_SIZE_WH, None
    if profile is not None:
        camera = profile.camera
        size_wh = (camera.width_px, camera.height_px)
        wanted = CameraSettings(
            camera_id=camera.id,
            model=camera.model,
            exposure_us=camera.exposure_us,
            analogue_gain=camera.analogue_gain,
            colour_gains=camera.colour_gains,
            colour_temperature_k=camera.colour_temperature_k,
            lens_position=camera.lens_position,
            crop_xywh=camera.crop_xywh,
        )
        if wanted == CameraSettings():
            # It was made from pictures, or from a camera that cannot be set.
            wanted = None
    return CameraWish(wanted, size_wh, asked.mains_hz, asked.tuning, asked.upside_down)


def with_camera(profile: TableProfile, source: FrameSource) -> TableProfile:
    """Return *profile* with how the camera of *source* was set while it was made."""
    settings = source.settings if isinstance(source, LiveSource) else None
    if settings is None:
        return profile
    camera = Camera(
        profile.camera.source,
        profile.camera.width_px,
        profile.camera.height_px,
        settings.exposure_us,
        settings.analogue_gain,
        settings.colour_gains,
        settings.colour_temperature_k,
        settings.lens_position,
        settings.crop_xywh,
        settings.camera_id,
        settings.model,
    )
    return replace(profile, camera=camera)


def voice_settings(settings: Settings) -> VoiceSettings:
    """Return how the voice is set; its sounds are kept in the user's cache folder."""
    voice = settings.voice
    models = {"en": voice.piper_english, "ru": voice.piper_russian}
    piper = {language: model for language, model in models.items() if model}
    return VoiceSettings(
        words_a_minute=voice.words_a_minute,
        volume=voice.volume,
        voices={"en": voice.english, "ru": voice.russian},
        piper=piper if voice.engine == "piper" else {},
        player=voice.player,
        device=voice.device,
        lead_s=voice.lead_s,
        cache=platformdirs.user_cache_path(PROGRAM) / "sounds",
    )


def least_said(settings: Settings) -> Importance:
    """Return how much a sentence must matter to be said aloud."""
    return _LEAST[settings.voice.says]


def open_table_devices(
    stack: ExitStack,
    settings: Settings,
    camera: FrameSource,
    inbox: Inbox,
    *,
    spoken: bool,
    complain: Callable[[str], None],
) -> list[Listener]:
    """Open the lamps and buttons at the table; return those who hear of rulings for them.

    What cannot be opened is told to *complain* in one line, and the game goes on without. A buzzer
    sounds only where nothing is *spoken*. Of *camera* no picture is used that lamps fall into.
    """
    listeners: list[Listener] = []
    opened = opened_lamps(settings, spoken=spoken)
    for note in opened.notes:
        complain(note)
    if not isinstance(opened.lamps, NullLamps):
        stack.enter_context(LampWard(settings))
        stack.callback(opened.lamps.close)
        changes = {} if settings.lamps is None else settings.lamps.signals
        listeners.append(LampShow(opened.lamps, signals_with(changes)))
        if isinstance(opened.lamps, DrivenLamps) and isinstance(camera, LiveSource):
            margin_s = _NETWORK_MARGIN_S if settings.strip and settings.strip.wled else _MARGIN_S
            camera.wanted = partial(opened.lamps.dark_at, margin_s=margin_s)
    if settings.buttons.pins:
        desk = PressDesk(inbox)
        try:
            stack.callback(Buttons(settings.buttons.pins, desk.pressed).close)
            listeners.append(desk)
        except DeviceError as error:
            complain(f"{error}; the game goes on without")
    return [stack.enter_context(Background(listener)) for listener in listeners]


def opened_lamps(settings: Settings, *, spoken: bool) -> OpenedLamps:
    """Return the lamps of this table as people configured them; a buzzer where none is *spoken*."""
    pins = LampSettings()
    if settings.lamps is not None:
        pins = LampSettings(
            verdict=settings.lamps.verdict,
            seats={str(seat): lamp for seat, lamp in settings.lamps.seats.items()},
            buzzer=None if spoken else settings.lamps.buzzer,
        )
    if settings.strip is None:
        return open_lamps(pins)
    strip = settings.strip
    layout = StripLayout(strip.leds_a_side, strip.first, strip.clockwise, strip.brightness)
    if strip.wled:
        return open_lamps(pins, wled=(strip.wled, layout))
    return open_lamps(pins, strip=layout)


def watch_health(
    stack: ExitStack, camera: FrameSource, games_dir: Path, complain: Callable[[str], None]
) -> None:
    """Look after heat, power, clock and card while a camera is watched."""
    if isinstance(camera, LiveSource):
        stack.enter_context(HealthWatch(Readings(), games_dir, complain))
