"""The set-up of a table, clicked through on the simulated one from nothing to the first ruling."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.console.assets import words
from companion.console.rehearsal import CASTS
from companion.console.set_up import THROWS
from companion.console.state import Json
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults, wait_until
from tests.test_architecture import ROOT

expect.set_options(timeout=TIMEOUT_MS)

WITH_AN_EAR = """
from companion.cli import main
from companion.console import guide
from hardware.voice import OpenedVoice

class Ear:
    def say(self, text, language):
        with open("said", "a") as said:
            print(text, file=said)

    def close(self):
        pass

guide.open_voice = lambda *_: OpenedVoice(Ear())
main()
"""
"""A program whose voice is given what it says, and writes it down."""
SAME_PX = 6
"""A board that is found again lies there to within this, in both directions together."""


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port: int = made.getsockname()[1]
        return port


@dataclass(frozen=True, slots=True)
class Running:
    """A program that sets the simulated table up.

    Attributes:
        url: where its page is.
        said: what it says of that on the terminal.
    """

    url: str
    said: str


@contextmanager
def program(
    tmp_path: Path,
    *options: str,
    port: int | None = None,
    start: Sequence[str] = ("-m", "companion"),
) -> Iterator[Running]:
    """Give a program that sets the simulated table up, with a home of its own."""
    port = free_port() if port is None else port
    where = ["--table", str(tmp_path / "table.toml"), "--games", str(tmp_path / "games")]
    command = [sys.executable, *start, "set-up", "demo:1", *where, "--speed", "1"]
    homes = ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    homeless = {**os.environ, **dict.fromkeys(homes, str(tmp_path)), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*command, *options, "--port", str(port)],
        cwd=tmp_path,
        env=homeless,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert "the console page is at" in said
        try:
            yield Running(f"http://localhost:{port}", said)
        finally:
            process.terminate()


def test_a_table_is_set_up_and_known_again(open_page: OpenPage, tmp_path: Path) -> None:
    """From nothing to the first ruling; the next time a yes is enough, and the terms are there."""
    with program(tmp_path, start=("-c", WITH_AN_EAR)) as running:
        throws = from_nothing_to_the_first_ruling(open_page(running.url), running.url)
    said = (tmp_path / "said").read_text().splitlines()
    aim, empty, homes, die, trial = (
        words("en")[f"say-{what}"] for what in ("aim", "empty", "homes", "die", "trial")
    )
    assert said[:4] == [aim, empty, homes, die]
    assert said[4 : 4 + THROWS] == [str(value) for value in throws]
    assert trial in said
    assert (tmp_path / "table.toml").is_file()
    (log,) = (tmp_path / "games").glob("*/*.jsonl")
    agreed = json.loads(log.read_text().splitlines()[0])["event"]
    assert (agreed["stake"], agreed["fine"], agreed["rules"]) == (5, 3, {"corner": "share"})
    with program(tmp_path, "--mute") as running:
        page = open_page(running.url, locale="ru")
        page.get_by_role("button", name="Да, тот же стол").click()
        expect(page.get_by_label("Имя (красные)")).to_have_value("Anna")
        expect(page.get_by_label("Ставка")).to_have_value("5")
        expect(page.get_by_label("Штраф")).to_have_value("3")
        expect(page.get_by_label("Что считает банк")).to_have_value("очки")
        page.get_by_label("Имя (синие)").fill("Борис")
        page.reload(wait_until="domcontentloaded")
        expect(page.get_by_label("Имя (синие)")).to_have_value("Борис")
        page.get_by_role("button", name="Проверить голос").click()
        expect(page.locator(".toast.wrong").last).to_contain_text("так запущена программа")
        page.get_by_role("button", name="Играть").dblclick()
        expect(page.locator(".turn .prompt")).to_be_visible()
        expect(page.locator(".bank")).to_contain_text("10 очков")


def from_nothing_to_the_first_ruling(page: Page, running: str) -> list[int]:
    """Go through aim, empty board, homes, die and terms until a throw is ruled.

    Return what was thrown with the die that was tried.
    """
    expect(page.get_by_role("heading", name="Aim")).to_be_visible()
    go_on = page.get_by_role("button", name="Next")
    expect(page.locator(".over-picture .line").first).to_be_attached()
    assert accessibility_faults(page) == []
    drag_a_corner(page, running)
    go_on.click()
    expect(page.get_by_role("heading", name="Checkers at home")).to_be_visible()
    correct_a_colour(page)
    assert accessibility_faults(page) == []
    go_on.click()
    draw_a_zone(page, running)
    terms = page.get_by_role("heading", name="Names and rules")
    expect(terms).to_be_visible(timeout=3 * TIMEOUT_MS)
    throws: list[int] = set_up_state(page, running)["throws"]
    assert len(throws) == THROWS
    assert set(throws) <= {cast.value for cast in CASTS}
    page.get_by_label("Name (red)").fill("Anna")
    page.get_by_label("Stake").fill("5")
    page.get_by_label("Fine").fill("3")
    page.get_by_role("button", name="Try the voice").click()
    expect(page.locator(".toast").last).to_contain_text("It was tried")
    page.get_by_role("button", name="Try the lamps").click()
    expect(page.locator(".toast.wrong").last).to_contain_text("no lamps are set up")
    page.get_by_text("Rules of the house").click()
    page.get_by_label("Foreign corners", exact=True).select_option(label="is shared")
    assert accessibility_faults(page) == []
    page.get_by_label("Language", exact=True).select_option("ru")
    page.get_by_role("button", name="Проверить лампы").click()
    expect(page.locator(".toast.wrong").last).to_contain_text("ламп нет")
    expect(page.get_by_label("Ставка")).to_have_value("5")
    page.get_by_role("button", name="Играть").click()
    expect(page.locator(".told")).to_contain_text("Anna бросает", timeout=3 * TIMEOUT_MS)
    expect(page.locator(".bank")).to_contain_text("10 очков")
    return throws


def drag_a_corner(page: Page, running: str) -> None:
    """Pull a corner off its place: under the pointer is a magnifier, and the board is found."""
    before = set_up_state(page, running)["corners"]
    middle_x, middle_y = middle(page, "Corner a1; the arrow keys move it")
    page.mouse.move(middle_x, middle_y)
    page.mouse.down()
    page.mouse.move(middle_x + 12, middle_y + 12, steps=3)
    expect(page.locator(".lens")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".lens")).not_to_be_visible()
    expect(page.locator(".over-picture polyline").first).to_be_attached()
    after = set_up_state(page, running)["corners"]
    assert all(
        abs(x - u) + abs(y - v) < SAME_PX
        for (x, y), (u, v) in zip(before, after, strict=True)
    )  # fmt: skip


def correct_a_colour(page: Page) -> None:
    """Tap a colour in the picture: where it is corrected has the focus, and two change places."""
    one, other = page.get_by_label("Seat D4"), page.get_by_label("Seat D2")
    expect(one).to_have_value("red")
    page.locator(".found").first.click()
    expect(one).to_be_focused()
    for first, second in (("blue", "red"), ("red", "blue")):
        one.select_option(first)
        expect(other).to_have_value(second)


def draw_a_zone(page: Page, running: str) -> None:
    """Draw where the die is thrown across the picture, clear it, and draw it anew by the keys."""
    draw, clear = (
        page.get_by_role("button", name=f"{do} throwing zone") for do in ("Draw a", "Clear the")
    )
    draw.click()
    corner = page.get_by_role("button", name="Corner 1 of the throwing zone")
    expect(corner).to_be_visible()
    box = page.locator(".over-picture").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.04 * box["width"], box["y"] + 0.75 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.98 * box["height"], steps=4)
    page.mouse.up()
    expect(page.locator(".handle")).to_have_count(4)

    def left() -> float:
        return float(set_up_state(page, running)["zone"][0][0])

    wide = set_up_state(page, running)["size"][0]
    wait_until(page, lambda: left() < wide / 10)
    assert accessibility_faults(page) == []
    was = left()
    corner.focus()
    page.keyboard.press("Shift+ArrowRight")
    wait_until(page, lambda: left() == pytest.approx(was + 10))
    clear.click()
    expect(draw).to_be_visible()
    assert set_up_state(page, running)["zone"] is None


def middle(page: Page, name: str) -> tuple[float, float]:
    """Return the middle of what can be dragged."""
    box = page.get_by_role("button", name=name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def set_up_state(page: Page, running: str) -> Json:
    """Return how far the set-up has come."""
    return page.request.get(f"{running}/api/state").json()["set_up"]
