"""A strip of LEDs in the network, driven by WLED (an ESP32 with its free firmware)."""

import json
import logging
import time
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from itertools import groupby
from typing import Any, Final

from hardware.lamp_board import LampState
from hardware.patterns import Rgb
from hardware.ports import DeviceError
from hardware.strip import StripLayout

_LIMIT_S: Final = 2.0
_AGAIN_S: Final = 30.0  # other lamps wait for as long as a try takes
_COLOURS_A_CALL: Final = 250  # WLED takes some 256 in one
_MOST_BYTES: Final = 65_536  # what WLED says of itself takes some 2000
_UNANSWERED: Final = (OSError, HTTPException, ValueError, OverflowError)

_log = logging.getLogger(__name__)


class WledStrip:
    """A strip behind WLED's JSON interface."""

    def __init__(
        self, host: str, layout: StripLayout, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Reach the strip at *host*, a name or address, with a port where it is not 80.

        Raises:
            DeviceError: nothing answers there, or it is no WLED.
        """
        self._url = f"http://{host}/json/state"
        self._host, self._layout, self._clock = host, layout, clock
        self._quiet_until_s = 0.0
        self._closed = self._away = False
        self._shown: tuple[Rgb, ...] | None = None
        self._post({"on": True, "bri": max(1, round(255 * layout.brightness)), "transition": 0})
        self.paint(LampState())

    def paint(self, state: LampState) -> bool:
        """Show *state*; while the strip is not in the network that is tried now and then only."""
        colours = self._layout.colours(state)
        if self._closed or colours == self._shown:
            return True
        if self._clock() < self._quiet_until_s:
            return False
        try:
            runs = _runs(colours)
            for first in range(0, len(runs), _COLOURS_A_CALL):
                part = [item for run in runs[first : first + _COLOURS_A_CALL] for item in run]
                self._post({"seg": [{"id": 0, "i": part}]})
        except DeviceError as error:
            if not self._away:
                _log.warning("%s; the game goes on without it", error)
            self._away, self._quiet_until_s, self._shown = True, self._clock() + _AGAIN_S, None
            return False
        self._away, self._shown = False, colours
        return True

    def close(self) -> None:
        """Put all out, and leave the strip to its other uses; harmless when repeated."""
        if self._closed:
            return
        self._closed = True
        # Setting single LEDs has frozen the segment.
        self._post({"on": False, "seg": [{"id": 0, "frz": False}]})

    def _post(self, body: dict[str, Any]) -> None:
        request = urllib.request.Request(
            self._url,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
            method="POST",
        )
        _answer(self._host, request)


def ask_wled(host: str) -> None:
    """See that there is a strip at *host*, without changing what it shows.

    Raises:
        DeviceError: nothing answers there, or it is no WLED.
    """
    if "leds" not in _answer(host, f"http://{host}/json/info"):
        raise DeviceError(_no_wled(host))


def _answer(host: str, request: urllib.request.Request | str) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(request, timeout=_LIMIT_S) as answer:
            told = answer.read(_MOST_BYTES)
    except _UNANSWERED as error:
        raise DeviceError(
            f"the WLED strip at {host} does not answer ({error}): is it on, and in the same "
            "network?"
        ) from error
    try:
        said = json.loads(told)
    except (ValueError, RecursionError) as error:
        raise DeviceError(_no_wled(host)) from error
    if not isinstance(said, dict):
        raise DeviceError(_no_wled(host))
    if "error" in said:
        raise DeviceError(f"the WLED strip at {host} refuses, with its error {said['error']!r}")
    return said


def _no_wled(host: str) -> str:
    return f"what answers at {host} is no WLED strip: is the address right?"


def _runs(colours: Sequence[Rgb]) -> list[tuple[int, int, str]]:
    """Return stretches of one colour as WLED wants them: first LED, the one after, RRGGBB."""
    runs, at = [], 0
    for colour, leds in groupby(colours):
        after = at + len(list(leds))
        hexed = "".join(f"{min(255, max(0, round(255 * part))):02X}" for part in colour)
        runs.append((at, after, hexed))
        at = after
    return runs
