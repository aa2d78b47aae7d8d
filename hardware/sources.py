"""Every source of frames by the name a person types; nothing is chosen silently."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from hardware.bundled import BundledClip
from hardware.camera_settings import CameraWish
from hardware.network import SCHEMES, open_network, without_password
from hardware.pi import open_pi
from hardware.ports import FrameSource, SourceError
from hardware.scene import TimedScene
from hardware.simulated import SimulatedTable, TableLook
from hardware.stills import Stills
from hardware.usb import open_usb
from hardware.video import VideoFile

SOURCES_TEXT: Final = (
    "pi[:N], usb[:N], http(s)://…, rtsp://…, the path of a video file, stills:DIR, demo[:SEED] "
    "or bundle:FILE"
)


class SourceKind(StrEnum):
    """What kinds of sources there are."""

    PI = "pi"
    USB = "usb"
    NETWORK = "network"
    VIDEO = "video"
    STILLS = "stills"
    DEMO = "demo"
    BUNDLE = "bundle"


@dataclass(frozen=True, slots=True)
class SourceName:
    """What a person asked for.

    Attributes:
        kind: what it is.
        text: as it was typed.
        argument: a path or an address, where the kind has one.
        number: which camera, or the demo's seed.
    """

    kind: SourceKind
    text: str
    argument: str = ""
    number: int = 0


def parse_source(text: str) -> SourceName:
    """Return what *text* asks for, without opening it.

    >>> parse_source("usb:1").number
    1

    Raises:
        SourceError: it is none of the sources there are.
    """
    kind, colon, argument = text.partition(":")
    match kind:
        case "pi" | "usb" | "demo":
            return SourceName(SourceKind(kind), text, number=_number(text, colon, argument))
        case "stills" | "bundle":
            if not argument:
                raise SourceError(f"{text!r} names no path: write {kind}:PATH")
            return SourceName(SourceKind(kind), text, argument)
        case _ if kind.lower() in SCHEMES and argument.startswith("//"):
            return SourceName(SourceKind.NETWORK, text, text)
        case _ if Path(text).is_file():
            return SourceName(SourceKind.VIDEO, text, text)
        case _ if text and Path(text).is_dir():
            raise SourceError(f"{text} is a folder: for its pictures write stills:{text}")
        case _:
            raise SourceError(
                f"{without_password(text)!r} is no source, and no file of that name is there: "
                f"choose from {SOURCES_TEXT}"
            )


def open_source(
    text: str,
    script: Iterable[TimedScene] | None = None,
    *,
    speed: float = 0,
    wish: CameraWish | None = None,
) -> FrameSource:
    """Open the source that *text* names.

    *script* is what a demo shows, and *speed* how fast its table's clock goes: 0 as fast as frames
    are fetched. *wish* says how a camera is to be set, where it can be.

    Raises:
        SourceError: it names no source, or its file or folder is no good.
        DeviceError: its device is missing, busy or broken.
    """
    source = parse_source(text)
    if source.kind is SourceKind.DEMO:
        return _open_demo(source, script, speed)
    return _OPENERS[source.kind](source, wish)


_OPENERS: Final[dict[SourceKind, Callable[[SourceName, CameraWish | None], FrameSource]]] = {
    SourceKind.PI: lambda source, wish: open_pi(source.number, wish),
    SourceKind.USB: lambda source, wish: open_usb(source.number, wish),
    SourceKind.NETWORK: lambda source, _: open_network(source.argument),
    SourceKind.VIDEO: lambda source, _: VideoFile(Path(source.argument)),
    SourceKind.STILLS: lambda source, _: Stills(Path(source.argument)),
    SourceKind.BUNDLE: lambda source, _: BundledClip(Path(source.argument)),
}


def _open_demo(
    source: SourceName, script: Iterable[TimedScene] | None, speed: float
) -> FrameSource:
    if script is None:
        raise SourceError(f"{source.text!r} needs a script of what its table shows")
    look = TableLook.from_seed(source.number)
    return SimulatedTable(script, look, source.number, speed, name=source.text)


def _number(text: str, colon: str, argument: str) -> int:
    if not colon:
        return 0
    if not (argument.isascii() and argument.isdecimal()):
        raise SourceError(f"{text!r} needs a whole number after the colon, as in usb:0")
    return int(argument)
