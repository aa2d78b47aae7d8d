"""The doors to the world: cameras, voices and lamps, each with a twin that needs no device."""

from hardware.lamps import GpioLamps, LampSettings, NullLamps, Pattern, open_lamps
from hardware.ports import (
    DeviceError,
    FrameSource,
    HardwareError,
    Lamps,
    Signal,
    SourceError,
    Voice,
)
from hardware.scene import Hand, PlacedChecker, PlacedDie, Scene, TimedScene
from hardware.simulated import SimulatedTable, TableLook
from hardware.sources import SourceKind, SourceName, open_source, parse_source
from hardware.stills import Stills, read_picture
from hardware.voice import EspeakVoice, OpenedVoice, TextVoice, VoiceSettings, open_voice

__all__ = [
    "DeviceError",
    "EspeakVoice",
    "FrameSource",
    "GpioLamps",
    "Hand",
    "HardwareError",
    "LampSettings",
    "Lamps",
    "NullLamps",
    "OpenedVoice",
    "Pattern",
    "PlacedChecker",
    "PlacedDie",
    "Scene",
    "Signal",
    "SimulatedTable",
    "SourceError",
    "SourceKind",
    "SourceName",
    "Stills",
    "TableLook",
    "TextVoice",
    "TimedScene",
    "Voice",
    "VoiceSettings",
    "open_lamps",
    "open_source",
    "open_voice",
    "parse_source",
    "read_picture",
]
