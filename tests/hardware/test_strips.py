"""Strips of LEDs: the wave on SPI read back as a strip reads it, and WLED on a small server."""

import io
import json
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hardware import DeviceError, LampSettings, NullLamps, open_lamps
from hardware.lamp_board import LampState
from hardware.lamps import DrivenLamps
from hardware.patterns import BLACK, Rgb
from hardware.strip import SPI_HZ, SpiStrip, StripLayout, wave
from hardware.wled import WledStrip, ask_wled

RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
MARKED = LampState(marks=(("c1", GREEN), ("b1", RED)))


def heard(sent: bytes, hertz: int) -> list[tuple[int, int, int]]:
    """Return the colours that a WS2812 hears in what SPI sends, red, green, blue.

    By the data sheet a pulse of 0.2 to 0.5 us is a nought, one of 0.58 to 1 us is a one, and
    50 us of silence end a message; newer chips want 280 us.
    """
    levels = "".join(f"{byte:08b}" for byte in sent)
    pulses: list[int] = []
    for high in filter(None, levels.replace("01", "0 1").split()):
        long_us = high.count("1") / hertz * 1e6
        if high.count("1"):
            assert 0.2 <= long_us <= 0.5 or 0.58 <= long_us <= 1.0, long_us
            pulses.append(int(long_us > 0.54))
    silence_us = (len(levels) - len(levels.rstrip("0"))) / hertz * 1e6
    assert silence_us >= 280
    assert len(pulses) % 24 == 0
    numbers = [int("".join(map(str, pulses[at : at + 8])), 2) for at in range(0, len(pulses), 8)]
    return [
        (red, green, blue)
        for green, red, blue in zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
    ]


class FakeSpi:
    """Follows `spidev.SpiDev`: keeps what is sent."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.sent: list[bytes] = []
        self.max_speed_hz = self.mode = -1
        self.closed = False

    def open(self, bus: int, device: int) -> None:
        """Open a bus, or fail."""
        assert (bus, device) == (0, 0)
        if self.error is not None:
            raise self.error

    def writebytes2(self, data: bytes) -> None:
        """Send bytes."""
        assert not self.closed
        self.sent.append(bytes(data))

    def close(self) -> None:
        """Leave the bus."""
        self.closed = True


def strip_on(spi: FakeSpi, layout: StripLayout) -> SpiStrip:
    """Open a strip on a pretended bus."""
    return SpiStrip(layout, lambda: SimpleNamespace(SpiDev=lambda: spi), Path("/nowhere"))


def test_the_wave_is_what_a_strip_understands() -> None:
    """Five colours come back as they were, to the last bit, and in the time they must take."""
    colours: list[Rgb] = [RED, GREEN, BLUE, BLACK, (1.0, 0.5, 0.25)]
    assert heard(wave(colours), SPI_HZ) == [
        (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0), (255, 128, 64),
    ]  # fmt: skip
    assert heard(wave([RED], 0.2), SPI_HZ) == [(51, 0, 0)]


def test_the_squares_of_a_wrong_move_are_lit_and_dark_in_the_end() -> None:
    """Red by b1, green by c1, on all four sides; all are out once the strip is closed."""
    spi = FakeSpi()
    strip = strip_on(spi, StripLayout(8, brightness=1))
    assert (spi.max_speed_hz, spi.mode) == (SPI_HZ, 0)
    strip.paint(MARKED)
    strip.paint(MARKED)
    strip.close()
    strip.close()
    nothing, shown, dark = (heard(each, SPI_HZ) for each in spi.sent)
    assert len(shown) == 32
    # Clockwise from a1: the a-file, the eighth rank, the h-file, the first rank.
    lit = {led: colour for led, colour in enumerate(shown) if colour != (0, 0, 0)}
    both = {0: (255, 0, 0), 23: (255, 0, 0)}
    assert lit == {
        **both,
        9: (255, 0, 0), 10: (0, 255, 0),
        30: (255, 0, 0), 29: (0, 255, 0),
    }  # fmt: skip
    assert set(nothing) == set(dark) == {(0, 0, 0)}
    assert spi.closed


def test_a_strip_may_begin_at_any_corner_and_run_either_way() -> None:
    """The LED nearest to a1 on the first rank is found in every way of laying the strip."""
    assert 31 in StripLayout(8).beside("a1")
    assert 7 in StripLayout(8, first="h1").beside("a1")
    assert 0 in StripLayout(8, clockwise=False).beside("a1")
    assert StripLayout(8, first="h8").beside("h8") == (0, 8, 23, 31)


@pytest.mark.parametrize("leds", [1, 3, 8, 15, 40])
def test_every_square_has_its_lights_on_all_sides(leds: int) -> None:
    """However many LEDs there are, each square lights some on each side, and all are used."""
    layout = StripLayout(leds)
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    for square in squares:
        assert {led // leds for led in layout.beside(square)} == {0, 1, 2, 3}
    assert {led for square in squares for led in layout.beside(square)} == set(range(4 * leds))


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError(2, "no"), "sudo raspi-config nonint do_spi 0"),
        (PermissionError(13, "no"), "usermod -aG spi"),
        (OSError(5, "input/output error"), "input/output error"),
        (ImportError("no spidev"), "apt install -y python3-spidev"),
    ],
    ids=["off", "no rights", "broken", "no library"],
)
def test_spi_that_cannot_be_used_says_what_to_type(error: Exception, line: str) -> None:
    """Each trouble has its line."""
    with pytest.raises(DeviceError, match=line):
        strip_on(FakeSpi(error), StripLayout(8))


def test_a_strip_longer_than_the_kernels_buffer_is_refused(tmp_path: Path) -> None:
    """A pause in the middle would end the message; a larger buffer is believed."""
    spi = FakeSpi()
    with pytest.raises(DeviceError, match=r"240 LEDs is longer than the 160.*spidev\.bufsiz"):
        strip_on(spi, StripLayout(60))
    (tmp_path / "bufsiz").write_text("32768\n")
    SpiStrip(StripLayout(60), lambda: SimpleNamespace(SpiDev=lambda: spi), tmp_path / "bufsiz")
    assert len(heard(spi.sent[0], SPI_HZ)) == 240


class Wled:
    """A small server that behaves as WLED does to those who set its colours."""

    def __init__(self) -> None:
        self.colours = ["000000"] * 32
        self.state: dict[str, Any] = {}
        self.calls: list[dict[str, Any]] = []
        self.out = threading.Event()

    def take(self, body: dict[str, Any]) -> None:
        """Take a state, as the JSON interface does."""
        self.calls.append(body)
        self.state |= {key: value for key, value in body.items() if key != "seg"}
        if not self.state.get("on", True):
            self.out.set()
        for segment in body.get("seg", ()):
            self.state |= {"frz": segment.get("frz", True)}
            items = iter(segment.get("i", ()))
            for first in items:
                after = next(items)
                self.colours[first:after] = [next(items)] * (after - first)


@pytest.fixture
def wled(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Wled, str]]:
    """Serve a pretended WLED on loopback; yields it and its host."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    pretended = Wled()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/json/state"
            pretended.take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"success":true}')

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield pretended, f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_wled_lights_the_squares_and_is_left_to_its_other_uses(wled: tuple[Wled, str]) -> None:
    """The colours arrive, nothing is sent twice, and in the end the strip is off and unfrozen."""
    pretended, host = wled
    strip = WledStrip(host, StripLayout(8, brightness=0.5))
    assert pretended.state["on"]
    assert pretended.state["bri"] == 128
    strip.paint(MARKED)
    calls = len(pretended.calls)
    strip.paint(MARKED)
    assert len(pretended.calls) == calls
    assert [led for led, colour in enumerate(pretended.colours) if colour == "FF0000"] == [
        0, 9, 23, 30,
    ]  # fmt: skip
    assert [led for led, colour in enumerate(pretended.colours) if colour == "00FF00"] == [10, 29]
    strip.close()
    strip.close()
    assert not pretended.state["on"]
    assert not pretended.state["frz"]


def test_a_wled_that_goes_away_is_tried_again_now_and_then(
    wled: tuple[Wled, str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One warning, no call for half a minute, then it shows what it missed, though nothing new."""
    pretended, host = wled
    now = [0.0]
    strip = WledStrip(host, StripLayout(8), lambda: now[0])
    lamps = DrivenLamps([strip], clock=lambda: now[0], threaded=False)
    tried = []

    def away(*_: object, **__: object) -> None:
        tried.append(now[0])
        raise OSError("no route to host")

    lamps.mark((), ("c1",))
    with monkeypatch.context() as patch:
        patch.setattr("urllib.request.urlopen", away)
        for now[0] in (0.1, 0.2, 0.3, 35.1):
            lamps.step()
    assert tried == [0.1, 35.1]
    assert "00FF00" not in pretended.colours
    assert caplog.text.count("does not answer") == 1
    for now[0] in (35.2, 70.1):
        lamps.step()
    assert pretended.colours.count("00FF00") == 4


def test_strips_that_are_not_there_are_told_of_and_the_game_goes_on() -> None:
    """Neither SPI nor WLED is here: two lines, and no lamps."""
    layout = StripLayout(8)
    opened = open_lamps(LampSettings(), strip=layout, wled=("127.0.0.1:9", layout))
    assert isinstance(opened.lamps, NullLamps)
    assert len(opened.notes) == 2
    assert all(note.endswith("the game goes on without") for note in opened.notes)


@pytest.mark.parametrize("host", ["127.0.0.1:abc", "127.0.0.1:99999", "a b", "."])
def test_a_host_that_cannot_be_is_a_strip_that_does_not_answer(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the network's library makes of it, it is trouble with a device."""
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(DeviceError, match="does not answer"):
        ask_wled(host)
    with pytest.raises(DeviceError, match="does not answer"):
        WledStrip(host, StripLayout(8))


def test_what_speaks_no_http_is_a_strip_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Something else may listen at the address, and it is no reason to end a game."""
    monkeypatch.setenv("no_proxy", "*")

    class Other(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(b"220 mail at your service\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        host = f"127.0.0.1:{server.server_address[1]}"
        with pytest.raises(DeviceError, match="does not answer"):
            ask_wled(host)
        with pytest.raises(DeviceError, match="does not answer"):
            WledStrip(host, StripLayout(8))
        server.shutdown()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"<html>a printer</html>", "is no WLED strip: is the address right"),
        (b"[1]", "is no WLED strip"),
        (b"\xff\xfe\xfd", "is no WLED strip"),
        (b'{"error": 3}', "refuses, with its error 3"),
    ],
)
def test_what_answers_otherwise_than_wled_is_told_in_one_line(
    said: bytes, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By doctor as by the game, which goes on without the strip."""
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: io.BytesIO(said))
    with pytest.raises(DeviceError, match=told):
        ask_wled("printer.local")
    opened = open_lamps(LampSettings(), wled=("printer.local", StripLayout(8)))
    assert isinstance(opened.lamps, NullLamps)
    (note,) = opened.notes
    assert told in note
    assert "\n" not in note


def test_layouts_that_cannot_be_are_refused() -> None:
    """No LEDs, and a brightness that is none."""
    with pytest.raises(ValueError, match="not 0"):
        StripLayout(0)
    with pytest.raises(ValueError, match="brightness"):
        StripLayout(8, brightness=0)
