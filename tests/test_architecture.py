"""The laws of the house, read off the source."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("tabletop", "referee", "vision", "calibration", "hardware", "companion")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "tabletop": (),
    "referee": ("tabletop",),
    "vision": ("tabletop",),
    "calibration": ("tabletop", "vision"),
    "hardware": ("tabletop", "vision.frame"),
    "companion": ("tabletop", "referee", "vision", "calibration", "hardware"),
}
"""Which of our modules each package may import besides its own; arrows point inward."""

LIBRARIES: dict[str, tuple[str, ...]] = {
    "tabletop": (),
    "referee": (),
    "vision": ("numpy", "cv2"),
    "calibration": ("numpy", "cv2", "tomlkit", "pydantic"),
    "hardware": ("numpy", "cv2", "gpiozero", "picamera2", "libcamera"),
    "companion": (
        "numpy", "cv2", "click", "rich", "pydantic", "platformdirs", "tomlkit", "fluent", "jinja2",
        "matplotlib", "scipy", "starlette", "uvicorn", "anyio",
    ),
}  # fmt: skip
"""Which libraries each package may use beside the standard one."""

DEVICE_LIBRARIES = ("gpiozero", "picamera2", "libcamera", "lgpio", "spidev")

CLOCKS_AND_CHANCE = {
    "time": {"time", "monotonic", "perf_counter", "sleep", "time_ns", "monotonic_ns"},
    "datetime": {"now", "today", "utcnow"},
    "random": {"random", "randint", "choice", "shuffle", "randrange", "uniform", "seed"},
}


def modules(package: str) -> list[Path]:
    """Return the source files of a package."""
    return sorted((ROOT / package).rglob("*.py"))


def module_name(path: Path) -> str:
    """Return the dotted name of the module in the file at *path*."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, tree: ast.AST | None = None) -> Iterator[str]:
    """Yield the dotted names that a file imports, wherever in it they stand."""
    here = module_name(path).split(".")
    package = here if path.name == "__init__.py" else here[:-1]
    for node in ast.walk(tree or ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            # `from vision import frame` imports vision.frame, if there is such a module.
            for alias in node.names:
                inner = ROOT.joinpath(*f"{source}.{alias.name}".split("."))
                there = inner.with_suffix(".py").exists() or inner.is_dir()
                yield f"{source}.{alias.name}" if there else source


def top_level_imports(path: Path) -> Iterator[str]:
    """Yield what is imported as soon as the module is."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    yield from imports(path, tree)


def within(name: str, allowed: tuple[str, ...]) -> bool:
    """Tell whether a dotted name is one of *allowed* or inside one of them."""
    return any(name == one or name.startswith(f"{one}.") for one in allowed)


@pytest.mark.parametrize("package", PACKAGES)
def test_arrows_point_inward(package: str) -> None:
    """Expect each package to import of ours only what lies further in."""
    allowed = (package, *MAY_IMPORT[package])
    wrong = {
        f"{module_name(path)} imports {name}"
        for path in modules(package)
        for name in imports(path)
        if name.split(".")[0] in PACKAGES and not within(name, allowed)
    }
    assert not wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_keeps_to_its_libraries(package: str) -> None:
    """Expect nothing beyond the standard library but what the package is allowed."""
    wrong = {
        f"{module_name(path)} imports {name}"
        for path in modules(package)
        for name in imports(path)
        if (top := name.split(".")[0]) not in (*PACKAGES, *LIBRARIES[package])
        and top not in sys.stdlib_module_names
    }
    assert not wrong


def test_device_libraries_are_imported_by_those_who_open_the_device() -> None:
    """Expect no device's library to be needed before a backend of it is made."""
    wrong = {
        f"{module_name(path)} imports {name}"
        for package in PACKAGES
        for path in modules(package)
        for name in top_level_imports(path)
        if name.split(".")[0] in DEVICE_LIBRARIES
    }
    assert not wrong


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in ("companion",)])
def test_time_and_chance_come_in_through_the_door(package: str) -> None:
    """Expect no clock to be read and nothing drawn by chance below the application."""
    wrong = {
        f"{path.relative_to(ROOT)}:{node.lineno} calls {'.'.join(names)}"
        for path in modules(package)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and not _is_device(path)
        if (names := _called(node))[-1] in CLOCKS_AND_CHANCE.get(names[0], ())
    }
    assert not wrong


@pytest.mark.parametrize("package", ["tabletop", "referee", "vision"])
def test_the_inner_rooms_open_no_files(package: str) -> None:
    """Expect neither files nor environment to be touched where only values belong."""
    wrong = {
        f"{path.relative_to(ROOT)}:{node.lineno} calls {name}"
        for path in modules(package)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and (name := ".".join(_called(node))) in {"open", "print", "input"}
    }
    assert not wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_is_named_after_nothing(package: str) -> None:
    """Expect no module whose name says that it holds what found no other place."""
    vague = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
    assert not {path for path in modules(package) if path.stem in vague}


def _is_device(path: Path) -> bool:
    """A backend of a device has its own clock, as the device has."""
    return path.relative_to(ROOT).parts[0] == "hardware" and "simulated" not in path.parts


def _called(node: ast.Call) -> tuple[str, ...]:
    """Return the last two names by which something is called: ("time", "sleep"), ("open",)."""
    called = node.func
    if isinstance(called, ast.Name):
        return (called.id,)
    if not isinstance(called, ast.Attribute):
        return ("",)
    owner = called.value
    name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
    return (name, called.attr)
