import importlib
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import pytest

from companion.appliance import doctor
from companion.appliance.device_settings import LampSection
from companion.appliance.doctor import examine
from companion.appliance.findings import Finding
from companion.settings import Settings

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


def test_lamps_are_tried_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect no complaint without lamps, and the reason where there are no pins for them."""
    assert findings(tmp_path)["lamps"].good
    load_with(monkeypatch, "gpiozero", ImportError("no pins here"))
    found = findings(tmp_path, Settings(lamps=LampSection(verdict=(17,))))["lamps"]
    assert not found.good
    assert "no pins here" in found.text
