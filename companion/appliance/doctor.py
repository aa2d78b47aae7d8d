"""Trying every library and device, and saying in plain words what is wrong and what to type.

Each check is a function without arguments, or with the settings; none raises, and one that fails
keeps no other from being made.
"""

import errno
import importlib
import os
import platform
import socket
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from companion.appliance.findings import Finding
from companion.appliance.health import Readings, free_space_mb, troubles
from companion.appliance.programs import printed_if_any, trouble_of
from companion.appliance.speech_check import sound, speech
from companion.errors import ArgumentError
from companion.settings import Settings, load_settings, settings_path, table_path

_LIBRARIES: Final = (
    ("numpy", "numpy"), ("cv2", "opencv-python"), ("gpiozero", "gpiozero"), ("click", "click"),
    ("rich", "rich"), ("pydantic", "pydantic"), ("platformdirs", "platformdirs"),
    ("tomlkit", "tomlkit"), ("fluent.runtime", "fluent.runtime"),
    ("jinja2", "jinja2"), ("matplotlib", "matplotlib"), ("scipy", "scipy"),
    ("starlette", "starlette"), ("uvicorn", "uvicorn"), ("websockets", "websockets"),
)  # fmt: skip
_OPENCVS: Final = tuple(
    f"opencv-{kind}python{head}" for kind in ("", "contrib-") for head in ("", "-headless")
)
_CURES: Final = (
    (".so.", "sudo apt-get install libgl1 libglib2.0-0"),
    ("numpy.dtype size changed", "pip install -c constraints/bookworm-pi.txt -e ."),
    ("compiled using NumPy 1.x", "pip install -c constraints/bookworm-pi.txt -e ."),
)
"""What an error says when a library cannot be loaded, and what helps."""
_FOLDERS: Final = {
    errno.EROFS: "its file system may only be read, as after an error of the card: copy the "
    "games away and try sudo mount -o remount,rw /, or name another folder",
    errno.ENOSPC: "delete what is not needed",
    errno.ENOTDIR: "name another folder",
    errno.EEXIST: "name another folder",
}
"""What helps where a folder cannot be written to; else it is somebody else's."""
_ELSEWHERE: Final = "192.0.2.1"
"""An address that is kept for documents: there is nobody."""


def settings_found() -> tuple[Settings, Finding]:
    """Return the settings, those built in where the file is broken, and what is to say of it."""
    path = settings_path()
    try:
        settings = load_settings(path)
    except ArgumentError as error:
        cure = f"mend it, or move {path} away"
        return Settings(), Finding("settings", False, str(error), cure)
    text = str(path) if path.is_file() else f"built in; a file at {path} would change them"
    return settings, Finding("settings", True, text)


def examine(
    settings: Settings, games_dir: Path, readings: Readings | None = None
) -> Iterator[Finding]:
    """Make all further checks, one after another; *readings* stands in for the kernel's."""
    yield _python()
    for module, package in _LIBRARIES:
        yield _library(module, package)
    yield _one_opencv()
    if _is_pi():
        yield _pi_camera()
    yield _usb_cameras()
    yield speech(settings)
    yield sound(settings)
    yield _lamps(settings)
    yield _spi(settings)
    yield from _wled(settings)
    yield _page(settings)
    yield _folder("games", games_dir)
    yield _folder("profile", table_path().parent)
    yield _profile()
    yield from _computer(readings or Readings(), games_dir)


def _python() -> Finding:
    machine = f"{platform.system()} {platform.machine()}"
    return Finding("python", True, f"{platform.python_version()} on {machine}, {sys.executable}")


def _library(module: str, package: str) -> Finding:
    try:
        loaded = importlib.import_module(module)
    except Exception as error:  # a broken library may raise anything when it is loaded
        return Finding(module, False, f"cannot be loaded: {error}", _cure(str(error), package))
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:  # from another package or the system
        version = getattr(loaded, "__version__", "there")
    return Finding(module, True, version)


def _cure(error: str, package: str) -> str:
    for sign, cure in _CURES:
        if sign in error:
            return cure
    return f"pip install --force-reinstall {package}"


def _one_opencv() -> Finding:
    """Look for OpenCV's packages: two overwrite each other, and break when one is removed."""
    there = [name for name in _OPENCVS if _installed(name)]
    if len(there) > 1:
        cure = f"pip uninstall {' '.join(there)}; pip install 'opencv-python<5'"
        return Finding("one opencv", False, f"{' and '.join(there)} stand in one place", cure)
    return Finding("one opencv", True, there[0] if there else "the system's own")


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _is_pi() -> bool:
    try:
        model = Path("/proc/device-tree/model").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return "Raspberry Pi" in model


def _pi_camera() -> Finding:
    install = "sudo apt-get install -y python3-picamera2 --no-install-recommends; make clean demo"
    try:
        picamera2 = importlib.import_module("picamera2")
        cameras = picamera2.Picamera2.global_camera_info()
    except Exception as error:  # it may raise anything when it is loaded
        cure = next((cure for sign, cure in _CURES if sign in str(error)), install)
        return Finding("pi camera", False, f"picamera2 cannot be loaded: {error}", cure)
    if not cameras:
        cure = "switch the Pi off, seat the camera's cable on both ends, try rpicam-hello"
        return Finding("pi camera", False, "no camera is connected", cure)
    models = ", ".join(
        f"pi:{number} {camera.get('Model', '?')}" for number, camera in enumerate(cameras)
    )
    versions = ", ".join(filter(None, map(_version, ("picamera2", "libcamera"))))
    return Finding("pi camera", True, f"{models} ({versions})")


def _version(module: str) -> str:
    """Return a module's name and version; from the system's packages where pip knows none."""
    try:
        return f"{module} {metadata.version(module)}"
    except metadata.PackageNotFoundError:
        package = {"picamera2": "python3-picamera2", "libcamera": "python3-libcamera"}[module]
        there = printed_if_any("dpkg-query", "-W", "-f", "${Version}", package)
        return f"{module} {there}" if there else ""


def _usb_cameras() -> Finding:
    devices = sorted(Path("/dev").glob("video*"))
    if not devices:
        return Finding("usb camera", False, "there is no video device", "plug a USB camera in")
    closed = [str(device) for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if closed:
        cure = 'sudo usermod -aG video "$USER", then log in again'
        return Finding("usb camera", False, f"{', '.join(closed)} may not be opened", cure)
    return Finding("usb camera", True, ", ".join(str(device) for device in devices))


def _lamps(settings: Settings) -> Finding:
    if settings.lamps is None and not settings.buttons.pins:
        return Finding("lamps", True, "neither they nor buttons are asked for in the settings")
    try:
        importlib.import_module("gpiozero").Device.ensure_pin_factory()
    except Exception as error:  # each of gpiozero's backends fails in its own way
        cure = "sudo apt-get install python3-lgpio, or take [lamps] and [buttons] out"
        return Finding("lamps", False, f"the pins cannot be reached: {error}", cure)
    return Finding("lamps", True, "the pins can be reached")


def _spi(settings: Settings) -> Finding:
    if settings.strip is None or settings.strip.wled:
        return Finding("spi", True, "no strip is asked for on it")
    device = Path("/dev/spidev0.0")
    if not device.exists():
        return Finding("spi", False, "SPI is off", "sudo raspi-config nonint do_spi 0")
    if not os.access(device, os.R_OK | os.W_OK):
        cure = 'sudo usermod -aG spi "$USER", then log in again'
        return Finding("spi", False, f"{device} may not be opened", cure)
    try:
        importlib.import_module("spidev")
    except Exception as error:  # it may raise anything when it is loaded
        cure = "sudo apt-get install python3-spidev"
        return Finding("spi", False, f"spidev cannot be loaded: {error}", cure)
    return Finding("spi", True, str(device))


def _wled(settings: Settings) -> Iterator[Finding]:
    if settings.strip is None or not settings.strip.wled:
        return
    host = settings.strip.wled
    if (trouble := trouble_of(lambda: _ask_wled(host))) is not None:
        yield Finding("wled", False, trouble, f"try http://{host} in a browser")
    else:
        yield Finding("wled", True, f"the strip at {host} answers")


def _ask_wled(host: str) -> None:
    from hardware.wled import ask_wled

    ask_wled(host)


def _page(settings: Settings) -> Finding:
    """Say where the console page is, and who may see it."""
    if not settings.web:
        return Finding("page", True, "switched off in the settings")
    if not settings.lan:
        why = "this computer alone sees it; `lan = true` in the settings lets phones in"
        return Finding("page", True, f"http://localhost:{settings.port}: {why}")
    here = f"http://{socket.gethostname()}.local:{settings.port}"
    address = _network_address()
    if address is None:
        cure = "sudo raspi-config, System Options, Wireless LAN; or plug a network cable in"
        return Finding("page", False, f"no network: phones cannot see {here}", cure)
    return Finding("page", True, f"{here} or http://{address}:{settings.port}")


def _network_address() -> str | None:
    """Return this computer's address in its network; None where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the kernel only says from where it would be.
            probe.connect((_ELSEWHERE, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _folder(name: str, folder: Path) -> Finding:
    """Try to write into a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        whose = f'sudo chown -R "$USER" {folder}, or name another folder'
        cure = _FOLDERS.get(error.errno or 0, whose)
        return Finding(f"{name} folder", False, f"{folder}: {error.strerror}", cure)
    return Finding(f"{name} folder", True, str(folder))


def _profile() -> Finding:
    path = table_path()
    if path.is_file():
        return Finding("table profile", True, str(path))
    cure = "pachisi calibrate usb --seats D4=red,D2=blue (or another source)"
    return Finding("table profile", True, f"there is none yet at {path}", cure)


def _computer(readings: Readings, folder: Path) -> Iterator[Finding]:
    """Look for heat, low voltage, a wrong clock, a failing card and a full disk."""
    found = tuple(troubles(readings, folder))
    for trouble in found:
        yield Finding(trouble.name, False, trouble.text, trouble.cure)
    bad = {trouble.name for trouble in found}
    temperature = readings.temperature_c()
    if temperature is not None and "heat" not in bad:
        yield Finding("heat", True, f"{temperature:.0f} degrees")
    if readings.throttled() is not None and not bad & {"power", "speed"}:
        yield Finding("power", True, "the voltage has been right since the start")
    if "clock" not in bad:
        yield Finding("clock", True, f"{readings.now():%Y-%m-%d %H:%M} UTC")
    if "card" not in bad:
        yield Finding("card", True, "the file systems have noted no errors")
    if "disk" not in bad:
        yield Finding("disk", True, f"{free_space_mb(folder)} MB are free for games")
