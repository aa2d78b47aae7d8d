"""The set-up of a table, clicked through on the simulated one from nothing to the first ruling."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.console.rehearsal import CASTS
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults
from tests.test_architecture import ROOT

expect.set_options(timeout=TIMEOUT_MS)


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port: int = made.getsockname()[1]
        return port


@pytest.fixture
def running(tmp_path: Path) -> Iterator[str]:
    """Give the address of a program that sets the simulated table up."""
    port = free_port()
    where = ["--table", str(tmp_path / "table.toml"), "--games", str(tmp_path / "games")]
    command = [sys.executable, "-m", "companion", "set-up", "demo:1", *where, "--speed", "1"]
    homeless = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*command, "--mute", "--port", str(port)],
        cwd=tmp_path,
        env=homeless,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "the console page is at" in process.stderr.readline()
        yield f"http://localhost:{port}"
        process.terminate()


def test_from_nothing_to_the_first_ruling(
    running: str, open_page: OpenPage, tmp_path: Path
) -> None:
    """Aim, empty board, homes, die and terms lead to a game whose first throw is ruled."""
    page = open_page(running)
    expect(page.get_by_role("heading", name="Aim")).to_be_visible()
    go_on = page.get_by_role("button", name="Next")
    expect(page.locator(".over-picture .line").first).to_be_attached()
    assert accessibility_faults(page) == []
    go_on.click()
    expect(page.get_by_role("heading", name="Checkers at home")).to_be_visible()
    expect(page.get_by_label("Seat D4")).to_have_value("red")
    assert accessibility_faults(page) == []
    go_on.click()
    terms = page.get_by_role("heading", name="Names and rules")
    seen = page.get_by_role("img", name="The die shows")
    expect(seen.or_(terms).first).to_be_visible(timeout=3 * TIMEOUT_MS)
    throws = page.request.get(f"{running}/api/state").json()["set_up"]["throws"]
    assert throws
    assert set(throws) <= {cast.value for cast in CASTS}
    if not terms.is_visible():
        page.get_by_role("button", name="Skip").click()
    expect(terms).to_be_visible()
    page.get_by_label("Name (red)").fill("Anna")
    page.get_by_label("Stake").fill("5")
    page.get_by_text("Rules of the house").click()
    assert accessibility_faults(page) == []
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".told")).to_contain_text("Anna throws", timeout=3 * TIMEOUT_MS)
    expect(page.locator(".bank")).to_contain_text("10 points")
    assert (tmp_path / "table.toml").is_file()
