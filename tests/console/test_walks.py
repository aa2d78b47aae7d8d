"""What people do on the page, clicked through in Chromium at a table whose hands are the test's."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.log.game_folder import PICTURES_NAME
from referee.commands import Command, Pause, SayThrow, SetPosition
from referee.events import By, IllegalMove
from referee.position import position_text
from referee.reasons import Reason
from tabletop import EMPTY, Colour, Seat, contents
from tests.builders import seen, standing
from tests.companion.journals import knock_out, write
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults, wait_until
from tests.console.puppets import Puppet, puppet
from tests.console.steered import Steered

RED = Colour.RED
LEAST_BIG_PX = 48
"""A centimetre on a tablet: letters so high are read from three metres."""
expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Puppet]:
    """Give a table at which red is to throw."""
    with puppet(tmp_path) as given:
        yield given


def tell(table: Puppet | Steered, *commands: Command) -> None:
    """Have the referee told by somebody at the terminal."""
    for command in commands:
        done = threading.Event()
        answers: list[str | None] = []

        def answered(
            refusal: str | None,
            answers: list[str | None] = answers,
            done: threading.Event = done,
        ) -> None:
            answers.append(refusal)
            done.set()

        assert table.page.desk.inbox is not None
        table.page.desk.inbox.put(command, By.CONSOLE, answered)
        assert done.wait(30)
        assert answers == [None]


def square(page: Page, name: str, where: str = "main") -> str:
    """Return what a screen reader says of a square."""
    return page.locator(f"{where} [data-square={name}]").get_attribute("aria-label") or ""


def prompt(page: Page) -> str:
    """Return what the page says is awaited."""
    return page.locator(".turn .prompt").inner_text()


def test_two_devices_see_the_same_and_can_undo(table: Puppet, open_page: OpenPage) -> None:
    """A throw said on one is seen on the other, a slow phone, and undone everywhere."""
    one, other = open_page(table.url), open_page(table.url, viewport={"width": 390, "height": 844})
    slowed = other.context.new_cdp_session(other)
    slowed.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    one.get_by_role("button", name="6 was thrown").click()
    expect(other.get_by_role("img", name="The die shows 6")).to_be_visible()
    other.get_by_role("button", name="Show the moves").click()
    expect(other.get_by_role("list", name="Legal moves")).to_contain_text("@b1")
    one.get_by_role("button", name="Undo").click()
    expect(other.get_by_role("img", name="The die shows 6")).not_to_be_visible()
    assert table.game.match.die is None
    slowed.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    assert accessibility_faults(other) == []


def test_a_question_is_answered(table: Puppet, open_page: OpenPage) -> None:
    """Of two moves that fit what is seen the one chosen on the page is played, till undone."""
    tell(table, SetPosition("R*2,b1,c1/~/R*4/~ D4 1"))
    table.show(seen(standing("b1=red c1=red")))
    tell(table, SayThrow(1))
    gone = ((contents(RED), 0.5), (EMPTY, 0.5))
    doubts = {"b1": gone, "c1": ((EMPTY, 0.5), (contents(RED, RED), 0.5)), "d1": gone}
    page = open_page(table.url)
    table.show(seen({}, doubts=doubts))
    asked = page.get_by_role("region", name="The referee asks")
    expect(asked.get_by_role("button")).to_have_count(2)
    assert accessibility_faults(page) == []
    stands = stand_of(table)
    asked.get_by_role("button").nth(1).click()
    expect(asked).not_to_be_visible()
    assert "1 red" in square(page, "d1")
    assert "1 red" in square(page, "b1")
    undo(page, table, stands, "the answer")
    table.show(seen({}, doubts=doubts))
    expect(asked.get_by_role("button")).to_have_count(2)


def test_an_illegal_move_is_told_and_mended(table: Puppet, open_page: OpenPage) -> None:
    """The reason and the squares are shown until all is right; who says what is right may err."""
    tell(table, SetPosition("R*3,b1/~/R*4/~ D4 1"))
    table.show(seen(standing("b1=red")))
    tell(table, SayThrow(4))
    page = open_page(table.url, color_scheme="dark")
    table.show(seen(standing("g1=red")))
    asked = page.get_by_role("heading", name="The board does not fit")
    expect(asked).to_be_visible()
    expect(page.locator("[data-square=g1]")).to_have_class(re.compile(r"\bwrong\b"))
    assert "four" in prompt(page)
    assert accessibility_faults(page) == []
    stands = stand_of(table)
    for who in ("board", "log"):
        page.locator(".asked").get_by_role("button", name=f"The {who} is right").click()
        expect(asked).not_to_be_visible()
        assert (stand_of(table) == stands) is (who == "log")
        press_undo(page, table, stands)
        table.show(seen(standing("g1=red")))
        catch_up(page, table)
        expect(asked).to_be_visible()
    table.show(seen(standing("f1=red")))
    expect(asked).not_to_be_visible()
    assert "1 red" in square(page, "f1")


def test_a_position_is_set_by_keyboard_and_by_dragging(table: Puppet, open_page: OpenPage) -> None:
    """A checker is put down with the keys, carried on with the mouse; it can be undone."""
    page = open_page(table.url)
    stands = stand_of(table)
    page.get_by_role("button", name="Set a position").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="4 waiting").first.click()
    dialog.locator("[data-square=a1]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "1 red" in square(page, "b1", "dialog")
    dialog.locator("[data-square=f1]").scroll_into_view_if_needed()
    dialog.locator("[data-square=b1]").drag_to(dialog.locator("[data-square=f1]"))
    assert "1 red" in square(page, "f1", "dialog")
    assert accessibility_faults(page) == []
    dialog.get_by_role("button", name="Go on from here").click()
    expect(dialog).not_to_be_visible()
    match = table.game.match
    assert position_text(match.position, match.rules) == "R*3,f1/~/R*4/~ D4 1"
    undo(page, table, stands, "Set a position")


def test_names_are_text(table: Puppet, open_page: OpenPage) -> None:
    """A name that looks like markup is shown as it was typed, and does nothing."""
    page = open_page(table.url)
    page.get_by_role("button", name="Names").click()
    page.get_by_role("textbox").first.fill("<img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("table.players")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("table.players img").count() == 0


def test_a_game_is_watched_again(table: Puppet, open_page: OpenPage, tmp_path: Path) -> None:
    """The logged game is listed, goes step by step and from quarrel to quarrel, and is counted."""
    wrong = IllegalMove(Seat.D4, RED, Reason.MOVED_BEFORE_THROW)
    folder = write(tmp_path, [*knock_out(), wrong])
    board = cv2.imencode(".jpg", np.full((320, 320, 3), 90, np.uint8))[1].tobytes()
    for name in ("00025-board.jpg", "00025-die.jpg"):
        (folder / PICTURES_NAME / name).write_bytes(board)
    page = open_page(f"{table.url}#/games")
    expect(page.get_by_role("table")).to_contain_text("Anna")
    assert accessibility_faults(page) == []
    page.locator(f"a[href='#/games/{folder.name}']").click()
    page.get_by_role("button", name="To the last step").click()
    assert "1 red" in square(page, "f1")
    page.get_by_role("button", name="To the first step").click()
    assert "empty" in square(page, "f1")
    page.get_by_role("button", name="A step on").click()
    expect(page.locator(".prompt")).to_contain_text("five")
    assert accessibility_faults(page) == []
    expect(page.get_by_role("button", name="To the refused move before")).to_be_disabled()
    page.get_by_role("button", name="To the next knock-out").click()
    expect(page.locator(".prompt")).to_contain_text("knocks out")
    expect(page.locator(".sums")).to_contain_text("21 points")
    expect(page.get_by_role("img", name="The die, event 25")).to_be_visible()
    page.get_by_role("button", name="To the next refused move").click()
    expect(page.locator(".prompt")).to_contain_text("before")
    assert page.request.get(f"{table.url}/api/games/{folder.name}/export/record").text()
    with page.expect_download() as download:
        page.get_by_role("link", name="All of it as one page").click()
    assert download.value.suggested_filename == f"{folder.name}.html"
    assert "game" in download.value.path().read_text()


def test_a_lost_connection_is_told_and_found_again(tmp_path: Path, open_page: OpenPage) -> None:
    """The page says so, tries again by itself, and shows how the game stands then."""
    with puppet(tmp_path / "one") as table:
        port = int(table.url.rpartition(":")[2])
        page = open_page(table.url)
        expect(page.get_by_text("The camera sees")).to_be_visible()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    with puppet(tmp_path / "two", port) as table:
        tell(table, SayThrow(6))
        expect(page.get_by_text("Connection lost")).not_to_be_visible()
        expect(page.get_by_role("img", name="The die shows 6")).to_be_visible()


def test_a_phone_in_the_network_is_let_in_by_the_code(tmp_path: Path, open_page: OpenPage) -> None:
    """A wrong code is refused in words; the right one, in groups as people note it, is taken."""
    with puppet(tmp_path, lan=True) as table:
        assert table.page.codes is not None
        url = f"http://localhost:{table.url.rpartition(':')[2]}"
        page = open_page(url, viewport={"width": 390, "height": 844})
        code = page.get_by_role("textbox")
        expect(code).to_be_in_viewport(ratio=1)
        code.fill("000000" if table.page.codes.change != "000000" else "111111")
        page.get_by_role("button", name="Let me in").click()
        expect(page.get_by_role("alert")).to_have_text("this is not the code")
        assert accessibility_faults(page) == []
        right = table.page.codes.change
        code.fill(f" {right[:3]} {right[3:]} ")
        page.get_by_role("button", name="Let me in").click()
        expect(page.locator(".turn .prompt")).to_be_visible()


def test_a_throw_is_said_by_keys_and_heard(table: Puppet, open_page: OpenPage) -> None:
    """Tab leads to it and Enter says it; a screen reader is told, and reads the board by arrows."""
    page = open_page(table.url)
    six = page.get_by_role("button", name="6 was thrown")
    expect(six).to_be_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        if six.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("main [aria-live=assertive]")).to_contain_text("throws six")
    page.locator("main [data-square=a1]").focus()
    for key, name in (("ArrowRight", "b1"), ("ArrowUp", "b2"), ("ArrowLeft", "a2")):
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.ariaLabel")
        assert focused.startswith(name)
        assert focused.endswith("empty")


def test_the_scoreboard_and_the_preferences(table: Puppet, open_page: OpenPage) -> None:
    """Whose turn it is is read from afar, and the language is changed at once."""
    page = open_page(table.url, viewport={"width": 820, "height": 1180})
    page.get_by_role("button", name="Preferences").click()
    page.get_by_label("Language").select_option("ru")
    expect(page.get_by_role("heading", name="Настройки")).to_be_visible()
    assert accessibility_faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Табло").click()
    expect(page.locator(".scoreboard .turn .prompt")).to_be_visible()
    assert accessibility_faults(page) == []
    who = page.locator(".scoreboard .turn .who")
    assert who.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") > LEAST_BIG_PX


def test_each_command_can_be_undone(table: Puppet, open_page: OpenPage) -> None:
    """After each the button that appears takes the game back to how it stood before."""
    tell(table, SetPosition("R*3,b1/~/R*4/~ D4 1"), SayThrow(4))
    page = open_page(table.url)
    one = (
        ("Names", "textbox", "Save"),
        ("Resign or abandon", None, "Player D2 resigns"),
        ("Resign or abandon", None, "Abandon the game"),
        ("Correct a throw", None, "2"),
        ("Take back", None, "The last: 4 was thrown"),
        ("Thrown out of turn", None, "Player D2"),
    )
    stands = stand_of(table)
    for opener, typed, act in one:
        page.get_by_role("button", name=opener, exact=True).click()
        dialog = page.get_by_role("dialog")
        if typed is not None:
            dialog.get_by_role("textbox").first.fill("Vera")
        dialog.get_by_role("button", name=act, exact=True).first.click()
        undo(page, table, stands, opener)
    tell(table, SetPosition("R*3,b2/~/R*4/~ D4 1"), SayThrow(1))
    stands = stand_of(table)
    for act in ("Leave the throw unused", "Pause"):
        page.get_by_role("button", name=act, exact=True).click()
        undo(page, table, stands, act)
    tell(table, Pause())
    stands = stand_of(table)
    page.get_by_role("button", name="Go on", exact=True).click()
    undo(page, table, stands, "Go on")


def stand_of(table: Puppet | Steered) -> tuple[object, ...]:
    """Return how a game stands, as far as people care."""
    match = table.game.match
    names = [match.name(seat) for seat in match.seats]
    return match.position, match.die, match.phase, match.paused, match.playing, names


def undo(page: Page, table: Puppet | Steered, stands: tuple[object, ...], what: str) -> None:
    """Press the button that undoes *what* was done, and see the game stand as before."""
    expect(page.locator(".toast").last.get_by_role("button", name="Undo")).to_be_visible()
    assert stand_of(table) != stands, what
    press_undo(page, table, stands)
    expect(page.get_by_role("dialog")).not_to_be_visible()


def press_undo(page: Page, table: Puppet | Steered, stands: tuple[object, ...]) -> None:
    """Press the button that undoes, and wait until the page knows that the game *stands* so."""
    undone = table.game.match.sequence
    page.locator(".toast").last.get_by_role("button", name="Undo").click()
    wait_until(page, lambda: table.game.match.sequence > undone and stand_of(table) == stands)
    catch_up(page, table)


def catch_up(page: Page, table: Puppet | Steered) -> None:
    """Wait until a page knows how the game stands: what it asks for before that is refused."""
    known = "import('/static/store.js').then(one => one.store.state.match.sequence)"
    wait_until(page, lambda: page.evaluate(known) == table.game.match.sequence)


def test_a_refusal_is_said_in_russian(table: Puppet, open_page: OpenPage) -> None:
    """What the referee refuses is told in the language of the page, with what it is about."""
    tell(table, SayThrow(4))
    page = open_page(table.url, locale="ru")
    page.get_by_role("button", name="Исправить бросок").click()
    page.get_by_role("dialog").get_by_role("button", name="4", exact=True).click()
    expect(page.locator(".toast.wrong")).to_contain_text("этот бросок и так принят за 4")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Расставить позицию").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="ждут: 4").first.click()
    dialog.locator("[data-square=d5]").click()
    dialog.get_by_role("button", name="Играть отсюда").click()
    expect(page.locator(".toast.wrong").last).to_contain_text(
        "это не позиция: шашка места D4 не может стоять на d5"
    )


def test_what_is_being_typed_outlasts_a_ruling(table: Puppet, open_page: OpenPage) -> None:
    """A throw that is ruled in the meantime does not take a half-written name away."""
    page = open_page(table.url)
    page.get_by_role("button", name="Names").click()
    field = page.get_by_role("textbox").first
    field.fill("Vera")
    tell(table, SayThrow(6))
    expect(page.locator(".turn .die")).to_be_attached()
    expect(field).to_have_value("Vera")


def test_the_dark_is_as_the_device_or_as_chosen(table: Puppet, open_page: OpenPage) -> None:
    """A dark device shows it at once; who chooses light has it light, also the next time."""
    page = open_page(table.url, color_scheme="dark")
    ground, body = "getComputedStyle(document.body).backgroundColor", page.locator("body")
    expect(page.locator(".turn .prompt")).to_be_visible()
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Preferences").click()
    page.get_by_label("Brightness").select_option("light")
    expect(body).not_to_have_css("background-color", dark)
    light = page.evaluate(ground)
    page.reload(wait_until="domcontentloaded")
    expect(page.locator(".turn .prompt")).to_be_visible()
    expect(body).to_have_css("background-color", light)
    page.get_by_role("button", name="Preferences").click()
    page.get_by_label("Brightness").select_option("dark")
    expect(body).to_have_css("background-color", dark)
