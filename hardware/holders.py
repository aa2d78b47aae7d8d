"""Who holds a device: the names of the programs that have its files open."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")


def holders(devices: Iterable[str], processes: Path = _PROCESSES) -> tuple[str, ...]:
    """Return the programs that hold a file whose path begins with one of *devices*.

    Each as its name and number, ``rpicam-hello (812)``; this program is left out. Without the
    right to look into a process it is not named.
    """
    wanted = tuple(devices)
    found = []
    for folder in sorted(processes.glob("[0-9]*")):
        if folder.name == str(os.getpid()):
            continue
        try:
            paths = [str(each.readlink()) for each in (folder / "fd").iterdir()]
            name = (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            continue
        if any(path.startswith(wanted) for path in paths):
            found.append(f"{name} ({folder.name})")
    return tuple(found)


def holder_text(devices: Iterable[str], processes: Path = _PROCESSES) -> str:
    """Return in words who holds *devices*, and what to do."""
    named = holders(devices, processes)
    if not named:
        return "another program uses it, such as rpicam-hello or a second companion: end that one"
    return f"{', '.join(named)} uses it: end that first"
