"""The doors to the world: cameras, voices and lamps, each with a twin that needs no device."""

from hardware.lamp_board import LampSettings
from hardware.lamps import NullLamps, OpenedLamps, open_lamps
from hardware.patterns import Pattern
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
from hardware.voice import OpenedVoice, SpokenVoice, TextVoice, VoiceSettings, open_voice

__all__ = [
    "DeviceError",
    "FrameSource",
    "Hand",
    "HardwareError",
    "LampSettings",
    "Lamps",
    "NullLamps",
    "OpenedLamps",
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
    "SpokenVoice",
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
