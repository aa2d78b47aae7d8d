"""A game at the simulated table, seen from its pixels, commanded on the page in Chromium."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from hardware.scene import BoardLie, Room
from referee.commands import SetPosition
from tabletop import EMPTY, Colour, contents, parse_square
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults, wait_until
from tests.console.steered import Steered, steered
from tests.console.test_walks import catch_up, press_undo, stand_of, tell, undo

pytestmark = pytest.mark.proof

RED = Colour.RED
GONE = ((contents(RED), 0.5), (EMPTY, 0.5))
UNSURE = {"b1": GONE, "c1": ((EMPTY, 0.5), (contents(RED, RED), 0.5)), "d1": GONE}
LEAST_PX = 100
expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Steered]:
    """Give a table at which red is to throw."""
    with steered(tmp_path) as given:
        yield given


def carry(table: Steered, *moves: str) -> None:
    """Carry red checkers as moves say it, "@b1" from beside the board, and show the table."""
    for move in moves:
        source, _, target = move.partition("-") if "-" in move else ("", "", move[1:])
        table.stage.carry(RED, parse_square(source) if source else None, parse_square(target))
    table.show()


def test_a_game_is_seen_commanded_and_undone(table: Steered, open_page: OpenPage) -> None:
    """What lies on the table is ruled and shown; what people say changes it, and is undone."""
    page = open_page(table.url)
    other = open_page(table.url, viewport={"width": 390, "height": 844}, color_scheme="dark")
    a_throw_and_a_move(table, page, other)
    an_illegal_move_is_mended(table, page)
    a_question_is_answered(table, page)
    a_position_is_set(table, page, other)
    each_command_is_undone(table, page)
    assert accessibility_faults(page) == []
    the_game_is_watched_again(page)


def test_a_bumped_board_is_told_and_found_again(table: Steered, open_page: OpenPage) -> None:
    """Play goes on with the same squares on a board that was shoved and turned a little."""
    page = open_page(table.url)
    a_throw_and_a_move(table, page, page)
    table.stage.room = Room(board=BoardLie(0.4, -0.3, 7.0))
    table.show()
    expect(page.locator(".told")).to_contain_text("The board has moved")
    expect(page.locator(".told")).to_contain_text("I see the board again")
    table.throw(3)
    expect(die(page, 3)).to_be_visible()
    carry(table, "b1-e1")
    holds(page, "e1", "1 red")


def a_throw_and_a_move(table: Steered, page: Page, other: Page) -> None:
    """Both devices show the die that was read, the move, and the picture of it."""
    table.throw(6)
    for each in (page, other):
        expect(die(each, 6)).to_be_visible()
    carry(table, "@b1")
    for each in (page, other):
        holds(each, "b1", "1 red")
        expect(each.locator(".told img").first).to_be_attached()


def an_illegal_move_is_mended(table: Steered, page: Page) -> None:
    """The board or the log is said to be right, both are undone, and the checker put right."""
    table.throw(3)
    expect(die(page, 3)).to_be_visible()
    stands = stand_of(table)
    carry(table, "b1-g1")
    for who in ("board", "log"):
        expect(misfit(page)).to_be_visible()
        page.locator(".asked").get_by_role("button", name=f"The {who} is right").click()
        if who == "board":
            expect(misfit(page)).not_to_be_visible()
            holds(page, "g1", "1 red")
        press_undo(page, table, stands)
    expect(misfit(page)).to_be_visible()
    carry(table, "g1-e1")
    expect(misfit(page)).not_to_be_visible()
    holds(page, "e1", "1 red")


def a_question_is_answered(table: Steered, page: Page) -> None:
    """While the reading cannot tell two moves apart the page asks; undone, it asks anew."""
    tell(table, SetPosition("R*2,b1,c1/~/R*4/~ D4 1"))
    carry(table, "e1-b1", "@c1")
    expect(misfit(page)).not_to_be_visible()
    table.throw(1)
    expect(die(page, 1)).to_be_visible()
    stands = stand_of(table)
    table.watch.doubts = UNSURE
    carry(table, "c1-d1")
    asked = page.get_by_role("region", name="The referee asks")
    for again in (False, True):
        expect(asked.get_by_role("button")).to_have_count(2)
        table.watch.doubts = {}
        asked.get_by_role("button").nth(1).click()
        expect(asked).not_to_be_visible()
        holds(page, "d1", "1 red")
        if not again:
            table.watch.doubts = UNSURE
            undo(page, table, stands, "the answer")


def a_position_is_set(table: Steered, page: Page, other: Page) -> None:
    """A checker is dragged, which is undone, and dragged again; the other device sees it."""
    stands = stand_of(table)
    dialog = page.get_by_role("dialog")
    for again in (False, True):
        looked(table, page)
        page.get_by_role("button", name="Set a position").click()
        dialog.locator("[data-square=f1]").scroll_into_view_if_needed()
        dialog.locator("[data-square=d1]").drag_to(dialog.locator("[data-square=f1]"))
        dialog.get_by_role("button", name="Go on from here").click()
        holds(other, "f1", "1 red")
        if not again:
            undo(page, table, stands, "the position")
            holds(other, "d1", "1 red")
    carry(table, "d1-f1")
    expect(misfit(page)).not_to_be_visible()


def each_command_is_undone(table: Steered, page: Page) -> None:
    """Whatever is commanded, the button that then appears puts the game back."""
    looked(table, page)
    stands = stand_of(table)
    dialog = page.get_by_role("dialog")
    for opener, act in (
        ("4 was thrown", None),
        ("Pause", None),
        ("Take back", "The last: a position was set"),
        ("Correct a throw", "2"),
        ("Names", "Save"),
        ("Resign or abandon", "Red resigns"),
        ("Resign or abandon", "Abandon the game"),
    ):
        page.get_by_role("button", name=opener, exact=True).click()
        if opener == "Names":
            dialog.get_by_role("textbox").first.fill("Vera")
        if act is not None:
            dialog.get_by_role("button", name=act, exact=True).first.click()
        undo(page, table, stands, opener)
        looked(table, page)


def the_game_is_watched_again(page: Page) -> None:
    """It goes step by step, with the picture of the board as it then lay."""
    page.get_by_role("link", name="Games").click()
    page.locator(".games a").click()
    page.get_by_role("button", name="A step on").click()
    page.get_by_role("button", name="To the next refused move").click()
    expect(page.locator(".prompt")).to_contain_text("three")
    picture = page.locator("main img").first
    expect(picture).to_be_visible()
    assert picture.evaluate("async (one) => (await one.decode(), one.naturalWidth)") > LEAST_PX


def looked(table: Steered, page: Page) -> None:
    """Wait until the referee has seen the board stand as he was told, and the page knows it."""
    wait_until(page, lambda: not table.game.match.restoring)
    catch_up(page, table)


def die(page: Page, value: int) -> Locator:
    """Return the die as the page shows it."""
    return page.get_by_role("img", name=f"The die shows {value}", exact=True).first


def misfit(page: Page) -> Locator:
    """Return what is on the page while the board does not stand as it should."""
    return page.get_by_role("heading", name="The board does not fit")


def holds(page: Page, name: str, what: str) -> None:
    """Expect a square to hold *what*, as a screen reader is told."""
    at = page.locator(f"main [data-square={name}]").first
    expect(at).to_have_attribute("aria-label", re.compile(f": {what}"))
