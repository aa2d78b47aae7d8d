"""A browser for the walks through the page; it is started once."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.test_architecture import ROOT

AXE: Final = (ROOT / "tests" / "data" / "axe.min.js").read_text()
TIMEOUT_MS: Final = 60_000
"""Walks wait for what they expect, and machines may be slow."""

OpenPage = Callable[..., Page]


def chromium() -> str | None:
    """Return where the system's Chromium is; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Let a page go on until something holds; its own waiting takes any promise for a yes."""
    until_s = time.monotonic() + TIMEOUT_MS / 1000
    while not holds():
        assert time.monotonic() < until_s
        page.wait_for_timeout(50)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the walks out, and say so, where no browser can be had to walk with."""
    if chromium():
        return
    walks = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    items[:] = [item for item in items if item not in walks]
    config.hook.pytest_deselected(items=walks)


def pytest_report_header() -> str:
    """Say which browser the walks are done with."""
    return f"console page: {chromium() or 'no Chromium, its walks are left out'}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give a headless Chromium that asks nobody outside for anything."""
    quiet = (
        "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
        "--disable-background-networking --disable-component-update"
    )
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=quiet.split())
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Give what opens an address on a device of its own.

    Faults of its scripts fail the test, and so does all that is fetched from elsewhere.
    """
    faults: list[str] = []
    with ExitStack() as stack:

        def opened(url: str, **device: Any) -> Page:
            given = {"viewport": {"width": 1280, "height": 900}, "locale": "en", **device}
            context = browser.new_context(**given)
            stack.callback(context.close)
            context.set_default_timeout(TIMEOUT_MS)
            page = context.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: _note(faults, said.type, said.text))
            page.on("request", lambda asked: _stay_at_home(faults, asked.url))
            page.goto(url, wait_until="domcontentloaded")
            return page

        yield opened
    assert not faults


def accessibility_faults(page: Page, within: str = "html") -> list[str]:
    """Return what axe finds wrong with a page, or with a part of it."""
    page.evaluate(AXE)
    found = page.evaluate(
        "(within) => axe.run(within, {resultTypes: ['violations']})"
        ".then(({violations}) => violations.map(one => `${one.id}: ${one.nodes[0].html}`))",
        within,
    )
    return [str(one) for one in found]


def screenshot(page: Page, path: Path) -> None:
    """Take a picture of all of a page."""
    page.screenshot(path=path, full_page=True)


def _stay_at_home(faults: list[str], url: str) -> None:
    if urlsplit(url).hostname not in (None, "localhost"):
        faults.append(f"{url} is fetched from outside")


def _note(faults: list[str], kind: str, text: str) -> None:
    # A lost connection, a wrong code, a refusal: they are told on the page too, as they should be.
    told = ("ERR_", "WebSocket", "status of 403", "status of 409")
    if kind == "error" and not any(part in text for part in told):
        faults.append(text)
