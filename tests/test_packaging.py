"""What is built and installed."""

import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import vision
from tests.test_architecture import PACKAGES, ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_module_and_all_data(wheel: Path) -> None:
    """Expect all that stands in the packages, and nothing of tests or tools."""
    names = set(zipfile.ZipFile(wheel).namelist())
    packed = {name for name in names if ".dist-info/" not in name}
    there = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == there
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {f"{package}/py.typed" for package in PACKAGES} <= packed


def test_an_installed_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    """Expect the program out of the wheel alone to name its version and its commands."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", "from companion.cli import main; main(['--help'])"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "calibrate" in done.stdout


def test_vision_is_ours() -> None:
    """Expect the general names of our packages not to be somebody else's."""
    assert vision.__file__
    assert Path(vision.__file__).parent == ROOT / "vision"


def test_there_is_one_opencv() -> None:
    """Expect just one of the packages that all install a module named cv2."""
    names = {dist.metadata["Name"].lower() for dist in metadata.distributions()}
    assert len({name for name in names if name.startswith("opencv")}) == 1
