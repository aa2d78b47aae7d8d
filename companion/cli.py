"""The command line: names the commands, and turns every trouble into a line and an exit status."""

import errno
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final, NoReturn

import click

from companion.errors import CompanionError, ExitStatus
from companion.settings import PACKAGE, PROGRAM, data_dir

_COMMANDS: Final = MappingProxyType(
    {
        "demo": "companion.commands.play",
        "calibrate": "companion.commands.play",
        "set-up": "companion.commands.set_up",
        "watch": "companion.commands.play",
        "serve": "companion.commands.serve",
        "read": "companion.commands.play",
        "games": "companion.commands.games",
        "doctor": "companion.commands.tools",
        "evaluate": "companion.commands.tools",
        "bench": "companion.commands.tools",
    }
)
"""Each command's module; it is imported when the command is called, for a Pi is slow at it."""


_OUTPUT: Final = "standard output cannot be written: "
_UNWRITTEN: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a write may fail with; whoever writes to a file of his own says which it is."""


class _Commands(click.Group):
    """A group whose commands are imported when they are needed, in a fixed order."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            raise click.NoSuchCommand(name, possibilities=_COMMANDS, ctx=ctx)
        command: click.Command = getattr(import_module(_COMMANDS[name]), name.replace("-", "_"))
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=PACKAGE, prog_name=PROGRAM)
def cli() -> None:
    """Referee a game of Pachisi with a camera over an ordinary chessboard."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and end with its exit status; no traceback is ever shown."""
    _prepare_streams()
    # A service is told to end by the one, and whoever closes his terminal sends the other: what is
    # open is closed, as when interrupted. With nohup the second is ignored, and stays so.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    status = run(arguments)
    sys.exit(_flushed(status))


def _flushed(status: int) -> int:
    """Write out what waits, and return *status*, or that not everything could be written."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has heard enough
        _close_broken_output()
    except OSError as error:
        _close_broken_output()
        return status or _complain(f"{_OUTPUT}{error.strerror}", ExitStatus.UNREADABLE)
    return status


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command that *arguments* name and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Not click's own `main`, which ends the process itself where the output is closed.
        with cli.make_context(PROGRAM, given) as context:
            status = cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        _close_broken_output()
        return ExitStatus.DONE
    except CompanionError as error:
        return _complain(str(error), error.status)
    except Exception as error:
        return _report(error)
    return int(status or ExitStatus.DONE)


def _complain(text: str, status: ExitStatus) -> int:
    click.echo(f"{PROGRAM}: {text}", err=True)
    return status


def _report(error: Exception) -> int:
    """Say a device's or an input's trouble; of anything else, keep the trace in a file."""
    if isinstance(error, ImportError):
        text = f"a library cannot be loaded ({error}): `pachisi doctor` says what to type"
        return _complain(text, ExitStatus.NO_DEVICE)
    # Imported here: they bring OpenCV with them, which most commands do without.
    from calibration.profile import ProfileError
    from hardware.ports import DeviceError, SourceError

    if isinstance(error, DeviceError):
        return _complain(str(error), ExitStatus.NO_DEVICE)
    if isinstance(error, SourceError | ProfileError):
        return _complain(str(error), ExitStatus.UNREADABLE)
    if isinstance(error, OSError):
        unwritten = error.errno in _UNWRITTEN and not error.filename
        where = f"{error.filename}: " if error.filename else _OUTPUT if unwritten else ""
        return _complain(f"{where}{error.strerror or error}", ExitStatus.UNREADABLE)
    first_line = next(iter(str(error).splitlines()), "")
    told = f"something went wrong that should not ({type(error).__name__}: {first_line})"
    kept = _keep_trace(error)
    if kept:
        told += f"; what is needed to mend it is in {kept}"
    return _complain(told, ExitStatus.UNREADABLE)


def _keep_trace(error: Exception) -> Path | None:
    path = data_dir() / "crashes" / f"{datetime.now():%Y-%m-%d-%H%M%S}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(" ".join(sys.argv) + "\n" + "".join(traceback.format_exception(error)))
    except OSError:
        return None
    return path


def _prepare_streams() -> None:
    """Have both outputs there, and able to take any text, whatever the shell made of them."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed with >&-
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - stays open
            setattr(sys, name, nowhere)
        getattr(sys, name).reconfigure(errors="backslashreplace")


def _close_broken_output() -> None:
    """Let nothing more be written to a pipe that nobody reads; Python would at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
