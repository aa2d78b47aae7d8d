"""A strip of addressable LEDs (WS2812 and its like) round the board, on the Pi's SPI pin.

SPI needs no root and works on the Pi 3, 4 and 5: each bit of the strip is a byte of SPI, long or
short. The strip's data line hangs on GPIO 10, through a level shifter to 5 V; the rest is in
docs/on-a-pi.md.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal

from hardware.lamp_board import LampState
from hardware.patterns import BLACK, Rgb
from hardware.ports import DeviceError

Corner = Literal["a1", "a8", "h8", "h1"]

SPI_HZ: Final = 6_400_000
"""A byte takes 1.25 us, as long as a bit of the strip."""

ONE, ZERO = 0xF8, 0xC0
"""Five eighths of a bit's time high are a one, two eighths a nought."""

RESET: Final = bytes(240)
"""300 us of silence, after which the strip shows what it heard; newer LEDs want 280."""

_BYTES_A_LED: Final = 24
_USUAL_BUFFER: Final = 4096
_BUFFER_FILE: Final = Path("/sys/module/spidev/parameters/bufsiz")
_CORNERS: Final[tuple[Corner, ...]] = ("a1", "a8", "h8", "h1")  # clockwise, seen from above
_RANKS: Final = 8


@dataclass(frozen=True, slots=True)
class StripLayout:
    """How a strip lies round the board.

    Attributes:
        leds_a_side: how many LEDs lie along each side.
        first: the corner at which the strip begins.
        clockwise: which way it runs, seen from above.
        brightness: of 1; bright lights blind the camera.
    """

    leds_a_side: int
    first: Corner = "a1"
    clockwise: bool = True
    brightness: float = 0.2

    def __post_init__(self) -> None:
        if self.leds_a_side < 1:
            raise ValueError(f"a strip has LEDs along each side, not {self.leds_a_side}")
        if not 0 < self.brightness <= 1:
            raise ValueError(f"a strip's brightness is above 0 and at most 1: {self.brightness}")

    @property
    def leds(self) -> int:
        """How many LEDs there are."""
        return 4 * self.leds_a_side

    def beside(self, square: str) -> tuple[int, ...]:
        """Return the LEDs beside *square* on the four sides, by their number from 0."""
        file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
        # The place of the square along each side, going round clockwise from a1.
        along = (rank, file, _RANKS - 1 - rank, _RANKS - 1 - file)
        found = []
        for side, square_on_side in enumerate(along):
            a_square = self.leds_a_side / _RANKS
            low, high = square_on_side * a_square, (square_on_side + 1) * a_square
            leds = [led for led in range(self.leds_a_side) if low <= led + 0.5 < high]
            # Where LEDs are fewer than squares the one there is serves several.
            leds = leds or [int((low + high) / 2)]
            found += [self._number(side * self.leds_a_side + led) for led in leds]
        return tuple(sorted(set(found)))

    def colours(self, state: LampState) -> tuple[Rgb, ...]:
        """Return the colour of each LED."""
        colours = [state.around] * self.leds
        for square, colour in state.marks:
            for led in self.beside(square):
                colours[led] = colour
        return tuple(colours)

    def _number(self, clockwise_from_a1: int) -> int:
        begins = _CORNERS.index(self.first) * self.leds_a_side
        number = (clockwise_from_a1 - begins) % self.leds
        return number if self.clockwise else self.leds - 1 - number


def wave(colours: Sequence[Rgb], brightness: float = 1.0) -> bytes:
    """Return what SPI must send for a strip to show *colours*: green, red, blue, 8 bits each."""
    levels = (
        min(255, max(0, round(255 * brightness * part)))
        for red, green, blue in colours
        for part in (green, red, blue)
    )
    bits = chain.from_iterable(((level >> bit) & 1 for bit in range(7, -1, -1)) for level in levels)
    return RESET[:8] + bytes(ONE if bit else ZERO for bit in bits) + RESET


class SpiStrip:
    """A strip on SPI."""

    def __init__(
        self,
        layout: StripLayout,
        load: Callable[[], Any] = lambda: importlib.import_module("spidev"),
        buffer_file: Path = _BUFFER_FILE,
    ) -> None:
        """Open SPI.

        Raises:
            DeviceError: SPI is off, may not be used, its library is missing, or the strip is too
                long for the kernel's buffer.
        """
        self._layout = layout
        most = (_buffer_bytes(buffer_file) - 8 - len(RESET)) // _BYTES_A_LED
        if layout.leds > most:
            raise DeviceError(
                f"a strip of {layout.leds} LEDs is longer than the {most} that SPI's buffer holds: "
                "add spidev.bufsiz=32768 to /boot/firmware/cmdline.txt"
            )
        try:
            self._spi: Any = load().SpiDev()
            self._spi.open(0, 0)
            self._spi.max_speed_hz = SPI_HZ
            self._spi.mode = 0
        except ImportError as error:
            raise DeviceError(
                "the strip needs spidev: on a Pi type `sudo apt install -y python3-spidev`"
            ) from error
        except FileNotFoundError as error:
            raise DeviceError(
                "the strip needs SPI, which is off: type `sudo raspi-config nonint do_spi 0`"
            ) from error
        except PermissionError as error:
            raise DeviceError(
                "SPI may not be used: type `sudo usermod -aG spi $USER`, then log in again"
            ) from error
        except OSError as error:
            raise DeviceError(f"the strip cannot be used ({error})") from error
        self._shown: tuple[Rgb, ...] | None = None
        self.paint(LampState())

    def paint(self, state: LampState) -> bool:
        """Show *state*.

        Raises:
            DeviceError: SPI failed.
        """
        colours = self._layout.colours(state)
        if self._spi is None or colours == self._shown:
            return True
        try:
            self._spi.writebytes2(wave(colours, self._layout.brightness))
        except OSError as error:
            raise DeviceError(f"the strip cannot be written to ({error})") from error
        self._shown = colours
        return True

    def close(self) -> None:
        """Put all out and leave SPI; harmless when repeated."""
        spi = self._spi
        if spi is None:
            return
        try:
            self.paint(LampState(around=BLACK))
        finally:
            self._spi = None
            spi.close()


def _buffer_bytes(file: Path) -> int:
    """Return how much SPI sends without a pause, in which a strip would end its hearing."""
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return _USUAL_BUFFER
