"""Puts the lamps out once the program is gone, however it went.

A pin, a strip and a WLED go on showing what they were told last, also after a program was killed.
So a small process waits for the program's end; and the service runs the same after each end of its
own that was not a clean one, for systemd kills whatever belongs to a service that hangs.
"""

import logging
import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from hardware.closing import Closing

if TYPE_CHECKING:
    from companion.settings import Settings

_ALL_OUT: Final = "all lamps are out"
_ENDING_S: Final = 5.0

_log = logging.getLogger(__name__)


class LampWard(Closing):
    """A process that waits: where this program ends before `close`, it puts the lamps out."""

    def __init__(self, settings: "Settings") -> None:
        """Have the lamps looked after that *settings* name; without the process nobody does."""
        self._process: subprocess.Popen[str] | None = None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is for the game
            )
            self._tell(settings.model_dump_json())
        except OSError as error:
            _log.info("nobody looks after the lamps: %s", error)

    def close(self) -> None:
        """Let the process end: the lamps were put out; harmless when repeated."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        with suppress(OSError, subprocess.TimeoutExpired):
            process.communicate(_ALL_OUT, _ENDING_S)
        process.kill()
        process.wait(_ENDING_S)

    def _tell(self, text: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()


def put_out(told: str) -> None:
    """Put the lamps out that *told* names, as a ward is told; those of the settings file by itself.

    Nothing is done where all is said to be out, or the service ended cleanly.
    """
    named, _, last = told.partition("\n")
    if last == _ALL_OUT or os.environ.get("SERVICE_RESULT") == "success":
        return
    # Imported here: a process that waits for hours is to be small.
    from companion.appliance.devices import opened_lamps
    from companion.settings import Settings, load_settings, settings_path

    settings = Settings.model_validate_json(named) if named else load_settings(settings_path())
    opened_lamps(settings, spoken=False).lamps.close()


if __name__ == "__main__":
    put_out(sys.stdin.read())
