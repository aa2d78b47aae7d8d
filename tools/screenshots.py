"""Take the pictures of the console page for the documents, from the running program.

    python tools/screenshots.py docs/pictures

A game is played on the simulated table until checkers stand on the board; then the page is
photographed in Chromium as a phone, a tablet and a desktop show it, light or dark.
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

SIZES_WH: Final = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
SHOTS: Final = (
    ("game", "", "desktop", "light"),
    ("game", "", "phone", "dark"),
    ("scoreboard", "scoreboard", "tablet", "dark"),
)
"""What is photographed: the picture's name, the view's address, the size, the brightness."""
ENOUGH_CHECKERS: Final = 4
MOST_WAIT_S: Final = 600.0
SETTLE_MS: Final = 2500
"""So long a page may take to draw itself and to get its first picture."""


def main() -> None:
    """Take all pictures and put them into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with running_game() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, address, size, scheme in SHOTS:
            path = folder / f"{name}-{size}.png"
            photograph(browser, f"{url}/#/{address}", size, scheme, path)
            print(path)
        browser.close()


@contextmanager
def running_game() -> Iterator[str]:
    """Give the page's address of a game with some checkers on the board."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as games:
        command = [sys.executable, "-m", "companion", "demo", "--speed", "3", "--players", "4"]
        process = subprocess.Popen(
            [*command, "--mute", "--port", str(port), "--games", games],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            url = f"http://localhost:{port}"
            _wait_for_checkers(url, process)
            yield url
        finally:
            process.terminate()
            process.wait()


def photograph(browser: Browser, url: str, size: str, scheme: str, path: Path) -> None:
    """Take one picture of the page at *url*."""
    width, height = SIZES_WH[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        locale="en",
    )
    page = context.new_page()
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=path)
    context.close()


def chromium() -> str:
    """Return where the system's Chromium is."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise SystemExit("Chromium is needed: sudo apt-get install chromium")


def _wait_for_checkers(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the game is under way."""
    until_s = time.monotonic() + MOST_WAIT_S
    while time.monotonic() < until_s and process.poll() is None:
        time.sleep(1.0)
        try:
            with urllib.request.urlopen(f"{url}/api/state") as answer:
                match = json.load(answer).get("match")
        except OSError:
            continue
        if match and sum(len(there) for there in match["board"].values()) >= ENOUGH_CHECKERS:
            return
    raise SystemExit("the game did not come so far")


def _free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port: int = made.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
