"""Lamps on pins, round the board and in the network: the thread that has them show what is asked.

A lamp that fails is told of once, in one line, and the others and the game go on.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hardware.closing import Closing
from hardware.lamp_board import LampBoard, LampOutput, LampSettings, LampState
from hardware.patterns import Pattern
from hardware.pins import Bank, PinLamps
from hardware.ports import DeviceError, Lamps, Signal
from hardware.strip import SpiStrip, StripLayout
from hardware.wled import WledStrip

TICK_S: Final = 0.02
"""Lamps change their states in steps of this."""

_LIT_REMEMBERED: Final = 32

_log = logging.getLogger(__name__)


class DrivenLamps(Closing):
    """Lamps whose outputs are painted by a thread, whenever something is to change."""

    def __init__(
        self,
        outputs: Sequence[LampOutput],
        patterns: Mapping[Signal, Pattern | None] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        threaded: bool = True,
    ) -> None:
        """Take over *outputs*; without a thread of its own `step` must be called."""
        self._outputs: Final = list(outputs)
        self._board: Final = LampBoard(patterns)
        self._clock: Final = clock
        self._painted: dict[LampOutput, LampState] = {}
        self._glow: list[tuple[float, float]] = []
        self._glows_since_s: float | None = None
        self._change: Final = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        if threaded:
            self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
            self._thread.start()

    def show(self, signal: Signal, then: Signal = Signal.OFF) -> None:
        """Let the verdict's lamp show *signal*, and once that has come to its end *then*."""
        with self._change:
            self._board.show(signal, then, self._clock())

    def turn(self, seat: str | None) -> None:
        """Light the lamp of the seat "D4" to "D1" whose turn it is; None lights none.

        Raises:
            ValueError: there is no such seat.
        """
        with self._change:
            self._board.turn(seat)

    def mark(self, wrong: tuple[str, ...], right: tuple[str, ...]) -> None:
        """Mark the squares, as "b1", that stand wrongly, and those where things belong."""
        with self._change:
            self._board.mark(wrong, right, self._clock())

    def step(self) -> None:
        """Paint what is to be seen now, where that differs from what is."""
        with self._change:
            if self._closed:
                return
            at_s = self._clock()
            state = self._board.state(at_s)
            if state.glows and self._glows_since_s is None:
                self._glows_since_s = at_s
        for output in tuple(self._outputs):
            if self._painted.get(output, LampState()) != state:
                self._paint(output, state)
        with self._change:
            if not state.glows and self._glows_since_s is not None:
                # Dark from now on, once the outputs were told.
                self._glow.append((self._glows_since_s, self._clock()))
                self._glow, self._glows_since_s = self._glow[-_LIT_REMEMBERED:], None

    def dark_at(self, at_s: float, margin_s: float) -> bool:
        """Tell whether no light fell on the board at a moment, nor *margin_s* around it."""
        with self._change:
            if self._glows_since_s is not None and at_s > self._glows_since_s - margin_s:
                return False
            return not any(
                begun_s - margin_s < at_s < ended_s + margin_s for begun_s, ended_s in self._glow
            )

    def close(self) -> None:
        """Put all lamps out and release what they are made of; harmless when repeated."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join(5)
        for output in self._outputs:
            with suppress(Exception):  # the others are to go out all the same
                output.close()
        self._outputs.clear()

    def _paint(self, output: LampOutput, state: LampState) -> None:
        try:
            shown = output.paint(state)
        except Exception as error:  # each library has errors of its own
            _log.warning("lamps failed, the game goes on without them: %s", error)
            self._outputs.remove(output)
            with suppress(Exception):
                output.close()
        else:
            if shown:
                self._painted[output] = state

    def _run(self) -> None:
        while True:
            self.step()
            with self._change:
                if self._change.wait_for(lambda: self._closed, TICK_S):
                    return


class NullLamps(DrivenLamps):
    """No lamps."""

    def __init__(self) -> None:
        super().__init__((), threaded=False)


@dataclass(frozen=True, slots=True)
class OpenedLamps:
    """The lamps there are.

    Attributes:
        lamps: to show with.
        notes: which of those that were asked for are not there, why, and what to do.
    """

    lamps: Lamps
    notes: tuple[str, ...] = ()


def open_lamps(
    settings: LampSettings,
    pins: Bank = None,
    *,
    strip: StripLayout | None = None,
    wled: tuple[str, StripLayout] | None = None,
) -> OpenedLamps:
    """Return the lamps that are configured and can be used, none where none are.

    Args:
        settings: of those on pins.
        pins: whose pins.
        strip: a strip on SPI.
        wled: a strip in the network, and its host.
    """
    openers: list[Callable[[], LampOutput]] = []
    if settings.any:
        openers.append(lambda: PinLamps(settings, pins))
    if strip is not None:
        openers.append(lambda: SpiStrip(strip))
    if wled is not None:
        openers.append(lambda: WledStrip(*wled))
    outputs, notes = [], []
    for opener in openers:
        try:
            outputs.append(opener())
        except DeviceError as error:
            notes.append(f"{error}; the game goes on without")
    lamps = DrivenLamps(outputs, settings.patterns) if outputs else NullLamps()
    return OpenedLamps(lamps, tuple(notes))
