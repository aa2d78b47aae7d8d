"""How the page tells more than the board: the phone's own voice, camera and board, home screen."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from companion.lying import NameCorner
from referee.commands import SetPosition
from referee.events import BoardFound, BoardLost, CameraFound, CameraLost
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults
from tests.console.puppets import Puppet, puppet
from tests.console.test_walks import tell

EAR: Final = """
window.heard = [];
const voices = [
  { name: "Ann", lang: "en-GB" }, { name: "Bob", lang: "en-US" }, { name: "Vera", lang: "ru-RU" },
];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices, cancel() {},
  speak: ({ text, lang, voice }) => heard.push([text, lang, voice?.name ?? ""]),
} });
Object.defineProperty(navigator, "vibrate", { value: () => heard.push(["it vibrates"]) });
"""
"""Notes what a phone would say, and when it would vibrate."""

expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Puppet]:
    """Give a table at which red is to throw."""
    with puppet(tmp_path) as given:
        yield given


def test_a_phone_speaks_with_the_voice_that_was_chosen(table: Puppet, open_page: OpenPage) -> None:
    """It says and vibrates what is ruled, in the language of the page, by a voice of that."""
    page = open_page("about:blank", locale="ru")
    page.add_init_script(EAR)
    page.goto(table.url, wait_until="domcontentloaded")
    expect(page.locator(".told")).to_contain_text("Начинает Player D4")
    page.get_by_role("button", name="Настройки").click()
    page.get_by_label("Язык").select_option("en")
    page.get_by_label("Speak").check()
    assert page.get_by_label("Voice").locator("option").all_inner_texts() == [
        "the usual one",
        "Ann",
        "Bob",
    ]
    page.get_by_label("Voice").select_option("Bob")
    page.keyboard.press("Escape")
    tell(table, SetPosition("R*3,b1/~/R*4/~ D4 1"))
    page.wait_for_function("() => heard.length === 2")
    vibrated, (text, *spoken) = page.evaluate("heard")
    assert vibrated == ["it vibrates"]
    assert "position" in text
    assert spoken == ["en", "Bob"]


def test_camera_and_board_are_told_of(table: Puppet, open_page: OpenPage) -> None:
    """A camera that is lost, a board that is not seen, and a board that was turned: it asks."""
    page = open_page(table.url)
    expect(page.get_by_text("The camera sees")).to_be_visible()
    table.game.rule((CameraLost(),))
    expect(page.get_by_text("No camera")).to_be_visible()
    table.game.rule((CameraFound(), BoardLost("lost")))
    expect(page.get_by_text("The board is not seen")).to_be_visible()
    table.game.rule((BoardLost("turned"),))
    asked = page.get_by_role("region", name="The referee asks")
    expect(asked).to_contain_text("The board was turned")
    assert accessibility_faults(page) == []
    asked.get_by_role("button", name="No, at the opposite corner").click()
    expect(page.locator(".toast")).to_contain_text("Done")
    assert table.corners == [NameCorner(turned=True)]
    table.game.rule((BoardFound(),))
    expect(asked).not_to_be_visible()


def test_the_page_can_be_put_on_the_home_screen(table: Puppet, open_page: OpenPage) -> None:
    """The browser finds nothing wrong with its manifest, which has an icon of its own."""
    page = open_page(table.url)
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = page.request.get(f"{table.url}/{icon['src'].removeprefix('/')}")
        assert answer.headers["content-type"] == icon["type"]
