"""Asking programs and libraries that may be missing or broken."""

import subprocess
from collections.abc import Callable
from typing import Final

_TRY_S: Final = 10


def printed(*command: str) -> str:
    """Return what a command prints; bytes that are no text here do no harm.

    Raises:
        OSError: it is missing, or cannot be started.
        subprocess.SubprocessError: it fails or hangs.
    """
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_TRY_S,
        check=True,
        stdin=subprocess.DEVNULL,
    ).stdout


def printed_if_any(*command: str) -> str | None:
    """Return what a command prints, or None where it is missing, fails or hangs."""
    try:
        return printed(*command)
    except (OSError, subprocess.SubprocessError):
        return None


def trouble_of(attempt: Callable[[], object]) -> str | None:
    """Return what keeps *attempt* from being made: a device, or a library that it needs."""
    try:
        attempt()
    except Exception as error:  # a broken library may raise anything when it is loaded
        return str(error)
    return None
