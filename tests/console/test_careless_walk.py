"""What careless people do to the page: tap twice, go back, lose the network, turn the phone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from companion.lying import NameCorner
from referee.commands import Rename, SayThrow, SetPosition
from referee.events import DieThrown
from tabletop import Seat
from tests.builders import FOUR, seen, standing
from tests.companion.journals import knock_out, write
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults, wait_until
from tests.console.puppets import Puppet, puppet
from tests.console.test_walks import tell

LONG: Final = "<b>Ann</b> 🎲❤️ " + "W" * 20
"""Markup, pictures and no place to break a line; as long as a name may be."""
SMALLEST: Final = {"width": 320, "height": 568}
PHONE: Final = {"width": 390, "height": 844}
expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Puppet]:
    """Give a table at which red is to throw."""
    with puppet(tmp_path) as given:
        yield given


def sticks_out(page: Page) -> bool:
    """Tell whether a page must be pushed sideways to see all of it."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_two_taps_at_once_are_one_throw(table: Puppet, open_page: OpenPage) -> None:
    """The second is refused for the game has gone on; what was thrown stands once in the log."""
    page = open_page(table.url, viewport=PHONE)
    six = page.get_by_role("button", name="6 was thrown")
    six.evaluate("one => { one.click(); one.click(); }")
    expect(page.locator(".toast.wrong")).to_contain_text("gone on")
    thrown = [line for line in table.game.journal.lines if isinstance(line.event, DieThrown)]
    assert len(thrown) == 1


def test_a_long_name_with_markup_and_pictures_fits(table: Puppet, open_page: OpenPage) -> None:
    """It is shown as typed, and nothing sticks out of a small phone whose letters are doubled."""
    page = open_page(table.url, viewport=SMALLEST)
    page.get_by_role("button", name="Names").click()
    field = page.get_by_role("textbox").first
    field.fill(LONG)
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("table.players")).to_contain_text(LONG)
    page.get_by_role("button", name="Names").click()
    for save in page.get_by_role("button", name="Save").all():
        expect(save).to_be_in_viewport(ratio=1)
    page.locator("html").evaluate("one => { one.style.fontSize = '200%'; }")
    typed = page.get_by_role("textbox").first.bounding_box()
    assert typed is not None
    assert typed["width"] > SMALLEST["width"] / 2
    page.keyboard.press("Escape")
    assert page.locator("main b", has_text="Ann").count() == 0
    for turned in (False, True):
        wide, high = SMALLEST["width"], SMALLEST["height"]
        page.set_viewport_size(
            {"width": high, "height": wide} if turned else {"width": wide, "height": high}
        )
        for view in ("", "games", "scoreboard"):
            page.goto(f"{table.url}#/{view}")
            expect(page.locator("main")).to_contain_text(re.compile("Ann|Statistics"))
            assert not sticks_out(page), (view, turned)


def test_all_of_the_scoreboard_is_in_sight(open_page: OpenPage, tmp_path: Path) -> None:
    """Four long names and what was wrong fit on any screen, in Russian too."""
    with puppet(tmp_path, seats=FOUR) as table:
        tell(table, *(Rename(seat, LONG) for seat in Seat))
        tell(table, SetPosition("R*3,b1/R*4/R*4/R*4 D4 1"))
        table.show(seen(standing("b1=red")))
        tell(table, SayThrow(4))
        table.show(seen(standing("g1=red")))
        page = open_page(f"{table.url}#/scoreboard", locale="ru")
        expect(page.locator(".prompt")).to_contain_text("верните")
        for wide, high in ((390, 844), (844, 390), (667, 375), (820, 1180), (1280, 800)):
            page.set_viewport_size({"width": wide, "height": high})
            expect(page.get_by_role("link", name="Закрыть табло")).to_be_in_viewport(ratio=1)
            inside = "({scrollWidth: w, scrollHeight: h}) => w <= innerWidth && h <= innerHeight"
            assert page.locator("html").evaluate(inside), (wide, high)


def test_back_and_reload_lead_where_one_was(
    table: Puppet, open_page: OpenPage, tmp_path: Path
) -> None:
    """The browser's back button goes from the replay to the list and the game; a reload stays."""
    folder = write(tmp_path, knock_out())
    page = open_page(table.url, viewport=PHONE)
    page.get_by_role("link", name="Games").click()
    page.locator(f"a[href='#/games/{folder.name}']").click()
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    page.reload(wait_until="domcontentloaded")
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    page.go_back()
    expect(page.locator(".turn .prompt")).to_be_visible()


def test_who_loses_the_network_is_told_and_finds_all_again(
    table: Puppet, open_page: OpenPage
) -> None:
    """Without it another language and another view are asked for in vain; with it they come."""
    page = open_page(table.url)
    expect(page.get_by_text("The camera sees")).to_be_visible()
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(one => one.name.endsWith('games.js'))"
    )
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.get_by_role("link", name="Games").click()
    expect(page.locator("main")).to_contain_text("The connection is lost")
    page.get_by_role("button", name="Preferences").click()
    page.get_by_label("Language").select_option("ru")
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost")).not_to_be_visible()
    expect(page.locator("main ul.games, main .idle").first).to_be_visible()
    expect(page.get_by_role("heading", name="Статистика")).to_be_visible()


def test_who_named_the_wrong_corner_says_it_anew(table: Puppet, open_page: OpenPage) -> None:
    """The menu has the opposite corner at all times; undone, it is turned back."""
    page = open_page(table.url)
    page.get_by_role("button", name="Wrong corner").click()
    assert accessibility_faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="a1 is at the opposite corner").click()
    page.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_have_count(0)
    wait_until(page, lambda: len(table.corners) == 2)
    assert table.corners == [NameCorner(turned=True, unasked=True)] * 2


def test_statistics_are_those_of_the_log(
    table: Puppet, open_page: OpenPage, tmp_path: Path
) -> None:
    """The table of all players counts what the logged games say, and each export is opened."""
    folder = write(tmp_path, knock_out())
    page = open_page(f"{table.url}#/games")
    row = page.get_by_role("row", name=re.compile("^Anna"))
    expect(row).to_be_visible()
    heads = page.locator("table thead th").all_inner_texts()
    cells = dict(zip(heads, row.locator("th, td").all_inner_texts(), strict=True))
    assert cells == {
        "Player": "Anna",
        "Games": "1",
        "Won": "0",
        "Knocked out others": "1",
        "Was knocked out": "0",
        "Illegal moves": "0",
        "Balance": "0",
        **{f"Threw {value}": count for value, count in zip("123456", "210011", strict=True)},
    }
    page.locator(f"a[href='#/games/{folder.name}']").click()
    for number in range(4):
        with page.expect_download() as download:
            page.get_by_role("heading", name="Files").locator("xpath=..").get_by_role("link").nth(
                number
            ).click()
        assert "Anna" in download.value.path().read_text()
