"""Take the pictures of the console page for the documents, from the running program.

    python tools/screenshots.py docs/pictures

A table is set up and a game is played on the simulated table; meanwhile the page is photographed in
Chromium as a phone, a tablet and a desktop show it, light or dark.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

SIZES_WH: Final = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
QUALITIES: Final = (85, 70, 55, 40)
"""Of JPEG, tried from the first on until a picture is small enough."""
MOST_BYTES: Final = 150_000
ENOUGH_CHECKERS: Final = 3
MOST_WAIT_S: Final = 900.0
SEQUENCE: Final = "import('/static/store.js').then(({store}) => store.state.match.sequence)"
"""Gives the page's number of the last event."""
SETTLE_MS: Final = 2500
"""So long a page may take to draw itself and to get its first picture."""
POLL_MS: Final = 50


@dataclass(frozen=True, slots=True)
class Shot:
    """What is photographed: the picture's name, the view's address, the size, the brightness."""

    name: str
    address: str
    size: str
    scheme: str


SET_UP: Final = (Shot("set-up", "", "phone", "light"),)
GAME: Final = (
    Shot("game", "", "desktop", "light"),
    Shot("game", "", "phone", "dark"),
    Shot("scoreboard", "scoreboard", "tablet", "dark"),
)


def main() -> None:
    """Take all pictures and put them into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        with running("set-up", "demo:1", "--table", "{folder}/table.toml") as url:
            _wait_until(url, lambda state: bool((state.get("set_up") or {}).get("grid")))
            for shot in SET_UP:
                photograph(browser, url, shot, folder)
        # As people play: the table still lies as it was ruled when it is photographed.
        with running("demo", "--speed", "1", "--players", "2") as url:
            _wait_until(url, _has_enough_checkers)
            for shot in GAME:
                photograph(browser, url, shot, folder, just_ruled=True)
        browser.close()


@contextmanager
def running(*command: str) -> Iterator[str]:
    """Give the address of the page that a command serves; {folder} in it is one for its files."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as games:
        wanted = [part.format(folder=games) for part in command]
        outputs = ["--mute", "--port", str(port), "--games", games]
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *wanted, *outputs],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait()


def photograph(
    browser: Browser, url: str, shot: Shot, folder: Path, *, just_ruled: bool = False
) -> None:
    """Take one picture of the page at *url*, small enough for the documents.

    One that was *just ruled* on shows the same on the live picture and on the drawn board.
    """
    width, height = SIZES_WH[shot.size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.scheme == "dark" else "light",
        locale="en",
    )
    page = context.new_page()
    page.goto(f"{url}/#/{shot.address}", wait_until="domcontentloaded")
    page.locator("main section").first.wait_for(timeout=60_000)
    page.wait_for_timeout(SETTLE_MS)
    if just_ruled:
        before = page.evaluate(SEQUENCE)
        while page.evaluate(SEQUENCE) == before:
            page.wait_for_timeout(POLL_MS)
    path = folder / f"{shot.name}-{shot.size}.jpg"
    for quality in QUALITIES:
        if len(page.screenshot(path=path, type="jpeg", quality=quality)) < MOST_BYTES:
            break
    print(path)
    context.close()


def chromium() -> str:
    """Return where the system's Chromium is."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise SystemExit("Chromium is needed: sudo apt-get install chromium")


def _has_enough_checkers(state: dict[str, Any]) -> bool:
    match = state.get("match") or {"board": {}}
    return sum(len(there) for there in match["board"].values()) >= ENOUGH_CHECKERS


def _wait_until(url: str, arrived: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the state of the page at *url* as soon as it has *arrived* where it is wanted."""
    until_s = time.monotonic() + MOST_WAIT_S
    while time.monotonic() < until_s:
        time.sleep(0.3)
        try:
            with urllib.request.urlopen(f"{url}/api/state") as answer:
                state: dict[str, Any] = json.load(answer)
        except OSError:
            continue
        if arrived(state):
            return state
    raise SystemExit("the game did not come so far")


def _free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port: int = made.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
