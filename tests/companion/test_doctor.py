import errno
import importlib
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from companion.appliance import doctor, programs
from companion.appliance.device_settings import StripSection, VoiceSection
from companion.appliance.doctor import examine, settings_found
from companion.appliance.findings import Finding
from companion.appliance.speech_check import sound, speech
from companion.settings import Settings
from hardware import DeviceError, SpokenVoice

Usage = namedtuple("Usage", "total used free")


def findings(games: Path, settings: Settings | None = None) -> dict[str, Finding]:
    """Return what an examination finds, by name."""
    return {one.name: one for one in examine(settings or Settings(), games)}


def load_with(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception) -> None:
    """Let the module *name* fail to load with *error*."""
    load = importlib.import_module

    def fail(module: str, package: str | None = None) -> ModuleType:
        if module == name:
            raise error
        return load(module, package)

    monkeypatch.setattr(importlib, "import_module", fail)


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (ImportError("libGL.so.1: cannot open shared object file"), "apt-get install libgl1"),
        (ValueError("numpy.dtype size changed, may indicate"), "constraints/bookworm-pi.txt"),
        (ImportError("it was compiled using NumPy 1.x and"), "constraints/bookworm-pi.txt"),
        (ImportError("No module named 'cv2'"), "pip install --force-reinstall opencv-python"),
    ],
)
def test_a_broken_library_has_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, cure: str
) -> None:
    """Expect the known ways in which OpenCV fails to load to be told apart."""
    load_with(monkeypatch, "cv2", error)
    found = findings(tmp_path)["cv2"]
    assert not found.good
    assert str(error) in found.text
    assert cure in found.cure


def test_two_opencvs_are_one_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect both to be named, and how to get back to one."""
    monkeypatch.setattr(doctor, "_installed", lambda name: name.startswith("opencv-python"))
    found = findings(tmp_path)["one opencv"]
    assert not found.good
    assert "pip uninstall opencv-python opencv-python-headless" in found.cure


def test_a_missing_voice_and_loudspeaker_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect what to install where neither program is there."""

    def missing(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", missing)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    found = findings(tmp_path)
    assert "install espeak-ng" in found["speech"].cure
    assert "install alsa-utils" in found["sound"].cure
    through = Settings(voice=VoiceSection(player="pipewire"))
    found = findings(tmp_path, through)
    assert "pw-play is missing" in found["sound"].text
    assert "install pipewire-bin" in found["sound"].cure


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    """Expect the folder and a cure where a file stands in its place."""
    (tmp_path / "games").write_text("")
    found = findings(tmp_path / "games")["games folder"]
    assert not found.good
    assert str(tmp_path / "games") in found.text


def test_a_nearly_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect the free space to be named where it is little."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 5_000_000))
    found = findings(tmp_path)["disk"]
    assert (found.good, "only 5 MB" in found.text) == (False, True)


def test_lamps_that_nobody_asks_for_are_no_fault(tmp_path: Path) -> None:
    """Expect no complaint, and no library of pins to be needed."""
    assert findings(tmp_path)["lamps"].good


class Cameras:
    """Stands in for picamera2: a module that finds these cameras."""

    def __init__(self, *models: str) -> None:
        self.Picamera2 = self
        self._models = models

    def global_camera_info(self) -> list[dict[str, str]]:
        """Return what is connected."""
        return [{"Model": model} for model in self._models]


def answer(monkeypatch: pytest.MonkeyPatch, **said: str) -> None:
    """Let the programs of these names print what is said, `-` in them being `_`."""

    def run(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        name = command[0].replace("-", "_")
        if name not in said:
            raise FileNotFoundError
        return subprocess.CompletedProcess(command, 0, said[name], "")

    monkeypatch.setattr(subprocess, "run", run)


@pytest.mark.parametrize(
    ("picamera2", "good", "told", "cure"),
    [
        (Cameras("imx708"), True, "pi:0 imx708", ""),
        (Cameras(), False, "no camera is connected", "cable"),
        (ImportError("No module named 'libcamera'"), False, "'libcamera'", "python3-picamera2"),
        (ValueError("numpy.dtype size changed"), False, "size changed", "bookworm-pi.txt"),
    ],
)
def test_a_pi_camera_that_cannot_be_used_has_its_cure(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    picamera2: Cameras | Exception,
    good: bool,
    told: str,
    cure: str,
) -> None:
    """Expect picamera2's own trouble and a cable that is loose to be told apart, on a Pi."""
    monkeypatch.setattr(doctor, "_is_pi", lambda: True)
    if isinstance(picamera2, Exception):
        load_with(monkeypatch, "picamera2", picamera2)
    else:
        monkeypatch.setitem(sys.modules, "picamera2", cast(ModuleType, picamera2))
    found = findings(tmp_path)["pi camera"]
    assert found.good == good
    assert told in found.text
    assert cure in found.cure


@pytest.mark.parametrize(
    ("there", "allowed", "told"),
    [([], True, "no video device"), (["/dev/video0"], False, "/dev/video0 may not be opened")],
)
def test_a_usb_camera_that_is_missing_or_closed_is_told(
    monkeypatch: pytest.MonkeyPatch,
    there: list[str],
    allowed: bool,
    told: str,
) -> None:
    """Expect what to do: plug one in, or join the group."""
    monkeypatch.setattr(Path, "glob", lambda *_: iter(map(Path, there)))
    monkeypatch.setattr(os, "access", lambda *_: allowed)
    found = doctor._usb_cameras()
    assert not found.good
    assert told in found.text
    assert found.cure


def test_a_language_that_is_not_spoken_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect the language that espeak-ng has no voice for."""
    answer(monkeypatch, espeak_ng="Pty Language\n 5 en-us\n")
    assert "no voice for ru" in findings(tmp_path)["speech"].text


def test_a_loudspeaker_is_tried_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect the cards that ALSA lists, and the loudspeaker's own complaint where it has one."""
    tried: list[str] = []
    monkeypatch.setattr(SpokenVoice, "try_out", lambda _: tried.append("silence"))
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    answer(monkeypatch, aplay="card 0: Headphones [bcm2835 Headphones], device 0\n")
    found = findings(tmp_path, Settings(voice=VoiceSection(device="hdmi:0")))["sound"]
    assert (found.good, found.text) == (True, "hdmi:0 can be reached; cards: Headphones")
    assert tried == ["silence"]

    def missing(_: SpokenVoice) -> None:
        raise DeviceError("the loudspeaker gives no sound (no soundcards found)")

    monkeypatch.setattr(SpokenVoice, "try_out", missing)
    found = findings(tmp_path)["sound"]
    assert (found.good, "no soundcards found" in found.text) == (False, True)
    assert "--mute" in found.cure
    assert findings(tmp_path, Settings(mute=True))["sound"].good


def test_a_library_that_is_broken_keeps_no_sound_from_being_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect the trouble in one line, and all further lines."""
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setitem(sys.modules, "hardware.voice", None)
    found = findings(tmp_path)
    assert "hardware.voice" in found["sound"].text
    assert "disk" in found


@pytest.mark.parametrize("asks", ["lamps", "buttons"])
def test_pins_are_tried_for_buttons_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    """Expect the reason where there are no pins, whatever hangs on them."""
    settings = Settings.model_validate({asks: {"verdict" if asks == "lamps" else "confirm": 17}})
    load_with(monkeypatch, "gpiozero", ImportError("no pins here"))
    found = findings(tmp_path, settings)["lamps"]
    assert not found.good
    assert "no pins here" in found.text


def test_a_wled_that_does_not_answer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect its address, and nothing of it where there is none."""
    assert "wled" not in findings(tmp_path)
    settings = Settings(strip=StripSection(leds_a_side=8, wled="127.0.0.1:9"))
    found = findings(tmp_path, settings)["wled"]
    assert not found.good
    assert "127.0.0.1:9 does not answer" in found.text
    assert "browser" in found.cure
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: io.BytesIO(b'{"leds": {}}'))
    assert findings(tmp_path, settings)["wled"].good


def test_who_may_see_the_page_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect this computer's addresses where phones are let in, and a fault without a network."""
    assert "localhost:8000" in doctor._page(Settings()).text
    assert "lan = true" in doctor._page(Settings()).text
    monkeypatch.setattr(socket, "gethostname", lambda: "raspberrypi")
    monkeypatch.setattr(doctor, "_network_address", lambda: "192.168.1.7")
    told = doctor._page(Settings(lan=True, port=8080))
    assert told.text == "http://raspberrypi.local:8080 or http://192.168.1.7:8080"
    monkeypatch.setattr(doctor, "_network_address", lambda: None)
    told = doctor._page(Settings(lan=True))
    assert (told.good, "no network" in told.text) == (False, True)
    assert "raspi-config" in told.cure


@pytest.mark.parametrize(
    ("device", "allowed", "spidev", "told"),
    [
        (False, True, True, "SPI is off"),
        (True, False, True, "may not be opened"),
        (True, True, False, "spidev cannot be loaded"),
    ],
)
def test_a_strip_that_cannot_be_reached_is_told(
    monkeypatch: pytest.MonkeyPatch, device: bool, allowed: bool, spidev: bool, told: str
) -> None:
    """Expect SPI switched off, closed to us, or without its library to be told apart."""
    monkeypatch.setattr(Path, "exists", lambda _: device)
    monkeypatch.setattr(os, "access", lambda *_: allowed)
    if spidev:
        monkeypatch.setitem(sys.modules, "spidev", ModuleType("spidev"))
    else:
        load_with(monkeypatch, "spidev", ImportError("no spidev here"))
    found = doctor._spi(Settings(strip=StripSection(leds_a_side=15)))
    assert not found.good
    assert told in found.text
    assert found.cure


def test_broken_settings_are_told_and_those_built_in_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect the examination to go on, and the file to be named."""
    monkeypatch.setattr(doctor, "settings_path", lambda: tmp_path / "settings.toml")
    (tmp_path / "settings.toml").write_text("port = 'often'\n")
    settings, found = settings_found()
    assert settings == Settings()
    assert not found.good
    assert "settings.toml" in found.cure


def test_every_library_that_is_required_is_tried() -> None:
    """Expect those that the package asks for, and no others."""
    project = Path(doctor.__file__).parents[2] / "pyproject.toml"
    required = tomllib.loads(project.read_text())["project"]["dependencies"]
    tried = {package for _, package in doctor._LIBRARIES}
    assert tried == {re.split("[<>=]", each)[0] for each in required}


@pytest.fixture
def espeak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what puts a script in the place of espeak-ng."""

    def put(script: str) -> None:
        program = tmp_path / "espeak-ng"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return put


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exec sleep 60", "does not come to an end within 0.1 s"),
        ("printf 'no data\\377\\n' >&2; exit 1", "espeak-ng is there, and fails: no data\ufffd"),
    ],
    ids=["hangs", "fails"],
)
def test_an_espeak_that_is_there_and_broken_is_not_called_missing(
    espeak: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    """Expect what it does, and to install it anew."""
    monkeypatch.setattr(programs, "_TRY_S", 0.1 if "sleep" in script else 10)
    espeak(script)
    found = speech(Settings())
    assert told in found.text
    assert "--reinstall" in found.cure


def test_a_voice_that_espeak_does_not_have_is_told(espeak: Callable[[str], None]) -> None:
    """Expect the setting that names it; and bytes that are no text to do no harm."""
    espeak(
        "case $* in *nosuch*) exit 1;; esac\nprintf 'Pty Language\\n 5 en-us \\377\\n 5 ru x\\n'"
    )
    assert speech(Settings()).good
    found = speech(Settings(voice=VoiceSection(english="nosuch")))
    assert "english = 'nosuch'" in found.text
    assert "espeak-ng --voices" in found.cure


def test_a_missing_piper_is_not_the_loudspeakers_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect how to install it, and no loudspeaker to be asked for."""
    voice = VoiceSection(engine="piper", piper_english="en.onnx")
    for program in ("aplay", "espeak-ng"):
        (tmp_path / program).touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = sound(Settings(voice=voice))
    assert "pipx install piper-tts" in found.text
    assert "another engine" in found.cure


@pytest.mark.parametrize(
    ("number", "cure"),
    [
        (errno.EROFS, "may only be read"),
        (errno.ENOSPC, "delete what is not needed"),
        (errno.EACCES, "sudo chown"),
    ],
)
def test_why_a_folder_cannot_be_written_to_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, cure: str
) -> None:
    """Expect no change of owners where that would not help."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", fail)
    found = doctor._folder("games", tmp_path)
    assert os.strerror(number) in found.text
    assert cure in found.cure
