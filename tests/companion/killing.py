"""A companion that is watching a table, to be killed: each in a process of its own.

The processes are forked off one that has loaded everything, so that starting one takes no time.
"""

import ctypes
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from multiprocessing.forkserver import set_forkserver_preload
from pathlib import Path

from companion.cli import run

SERVER = multiprocessing.get_context("forkserver")
set_forkserver_preload(["companion.compose", "companion.commands.play", "tests.companion.killing"])

_CAPABILITY_VERSION_3 = 0x20080522
_CAP_DAC_OVERRIDE = 1


def start(
    arguments: list[str], out: Path, *, hinder: Callable[[], None] | None = None
) -> ForkServerProcess:
    """Start the program with *arguments*; what it says goes to *out* and, with ``.err``, beside it.

    *hinder* is called in the new process first.
    """
    process = SERVER.Process(target=_run, args=(arguments, str(out), dict(os.environ), hinder))
    process.start()
    return process


def small_files() -> None:
    """Let no file grow beyond a few lines of a log, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))


def no_superuser() -> None:
    """Go on without the right to write where the permissions forbid it, which root has.

    The capabilities are set as capset(2) describes.
    """
    if os.geteuid() != 0:
        return
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, low and high
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.capget(header, data) == 0
    data[0] &= ~(1 << _CAP_DAC_OVERRIDE)
    assert libc.capset(header, data) == 0


def _run(
    arguments: list[str], out: str, environment: dict[str, str], hinder: Callable[[], None] | None
) -> None:
    os.environ.update(environment)  # the server's is that of the first test
    for name, stream in ((out, sys.stdout), (f"{out}.err", sys.stderr)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), stream.fileno())
    if hinder is not None:
        hinder()
    status = run(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
