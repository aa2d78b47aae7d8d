"""Lamps go out whatever becomes of the program: a strip behind WLED tells what it was told last."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.appliance.lamp_ward import LampWard, put_out
from companion.settings import Settings
from hardware.strip import StripLayout
from hardware.wled import WledStrip
from tests.hardware.test_strips import MARKED, Wled, wled
from tests.test_architecture import ROOT

__all__ = ["wled"]

PATIENCE_S = 60
LIT = """
import os, signal, sys
from contextlib import ExitStack
from companion.appliance.devices import open_table_devices
from companion.loop import Inbox
from companion.settings import Settings

settings = Settings.model_validate({{"strip": {{"leds_a_side": 8, "wled": "{host}"}}}})
signal.signal(signal.SIGTERM, signal.default_int_handler)
with ExitStack() as stack:
    open_table_devices(stack, settings, None, Inbox(), spoken=False, complain=sys.exit)
    print("lit", flush=True)
    {then}
"""
"""A program that lights a strip, and then meets its end."""


def lit_strip(host: str) -> Settings:
    """Return settings with a strip at *host*."""
    return Settings.model_validate({"strip": {"leds_a_side": 8, "wled": host}})


@pytest.mark.parametrize(
    ("then", "status"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("os.kill(os.getpid(), signal.SIGTERM); signal.pause()", 1),
        pytest.param("raise ZeroDivisionError", 1, marks=pytest.mark.proof),
        pytest.param("os._exit(7)", 7, marks=pytest.mark.proof),
    ],
    ids=["killed", "told to end", "broken", "left in haste"],
)
def test_the_lamps_go_out_however_the_program_ends(
    wled: tuple[Wled, str], then: str, status: int
) -> None:
    """The strip is off and left to its other uses, though the program could not do it any more."""
    pretended, host = wled
    program = subprocess.run(
        [sys.executable, "-c", LIT.format(host=host, then=then)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, timeout=PATIENCE_S,
    )  # fmt: skip
    assert program.stdout == "lit\n"
    assert program.returncode in (status, -signal.SIGINT)
    assert pretended.out.wait(PATIENCE_S)
    assert not pretended.state["on"]


def test_lamps_that_are_out_are_left_alone(wled: tuple[Wled, str]) -> None:
    """After a clean end the strip may be put to other uses: nobody touches it any more."""
    pretended, host = wled
    ward = LampWard(lit_strip(host))
    ward.close()
    ward.close()
    assert pretended.calls == []


def test_the_service_puts_out_what_its_settings_name(
    wled: tuple[Wled, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody tells it anything: it looks into the settings, but after a clean end it does not."""
    pretended, host = wled
    WledStrip(host, StripLayout(8)).paint(MARKED)
    (tmp_path / "pachisi").mkdir()
    text = f'[strip]\nleds_a_side = 8\nwled = "{host}"\n'
    (tmp_path / "pachisi" / "settings.toml").write_text(text)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("SERVICE_RESULT", "success")
    put_out("")
    assert pretended.state["on"]
    monkeypatch.setenv("SERVICE_RESULT", "watchdog")
    put_out("")
    assert not pretended.state["on"]
