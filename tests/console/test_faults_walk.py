"""What is wrong with a picture, or with the checkers in it, is said in words on the page."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.console import Place, open_console
from companion.console.set_up import SetUp
from hardware.scene import Scene
from hardware.simulated.camera import hang
from tabletop import BoardLocation, Colour, Seat
from tests.calibration.tables import SimulatedPair, look_of, pair, picture
from tests.console.conftest import TIMEOUT_MS, OpenPage, accessibility_faults
from vision.board import find_board
from vision.frame import Frame, Picture
from vision.rectify import board_to_picture

pytestmark = pytest.mark.proof

SEED: Final = 2
BLUES: Final = {Seat.D4: Colour.BLUE, Seat.D3: Colour.BLUE}
FPS: Final = 10
FLAT_DEG: Final = 64.0
expect.set_options(timeout=TIMEOUT_MS)


@dataclass
class Camera:
    """A camera that goes on showing the picture it was given last."""

    shows: Picture
    stop: threading.Event = field(default_factory=threading.Event)

    def frames(self) -> Iterator[Frame]:
        """Yield frame after frame, one a tenth of a second by their own clock."""
        number = 0
        while not self.stop.wait(0.02):
            yield Frame(self.shows.copy(), at_s=number / FPS, number=number)
            number += 1


@contextmanager
def set_up(camera: Camera, folder: Path) -> Iterator[str]:
    """Give the address of the page that sets a table up before *camera*."""
    with open_console(Place(0), folder, "en") as page:
        guided = SetUp("demo", page.show_set_up, lambda _: None)
        page.begin_set_up(guided, {})

        def guide() -> None:
            for frame in camera.frames():
                page.showing.frame(frame)
                guided.step(frame)

        thread = threading.Thread(target=guide, daemon=True)
        thread.start()
        try:
            yield page.url
        finally:
            camera.stop.set()
            thread.join(30)


@pytest.fixture(scope="module")
def table() -> SimulatedPair:
    """Give a table at which both sets of checkers are of the same blue."""
    return pair(SEED, BLUES)


def shining(empty: Picture, name_xy: tuple[float, float]) -> Picture:
    """Return *empty* with a lamp mirrored at a place of the board."""
    board = find_board(empty)
    assert isinstance(board, BoardLocation)
    x, y = name_xy
    size_wh = (empty.shape[1], empty.shape[0])
    (at, edge) = board_to_picture(board, size_wh, [(x, y), (x + 0.4, y)])
    radius = round(float(np.hypot(*(edge - at))))
    out = empty.copy()
    cv2.circle(out, (round(at[0]), round(at[1])), radius, (255, 255, 255), -1)
    return out


def flat() -> tuple[Picture, list[list[float]]]:
    """Return a picture by a camera that stands too low, and where the corners are in it."""
    look = look_of(SEED)
    low = replace(look, camera=replace(look.camera, tilt_deg=FLAT_DEG, from_deg=270.0))
    places = np.array([(x, y, 0.0) for x, y in ((0, 0), (8, 0), (8, 8), (0, 8))])
    return picture(Scene(), low, 1), np.asarray(hang(low.camera).project(places)).tolist()


def says(page: Page, text: str) -> None:
    """Expect a fault to be told in words."""
    expect(page.locator(".faults")).to_contain_text(text)


def test_what_is_wrong_with_the_picture_is_said(
    open_page: OpenPage, tmp_path: Path, table: SimulatedPair
) -> None:
    """Dark, blurred, cut off, glare on d4 and too flat, each in words and with its fitness."""
    empty = table.empty.pixels
    camera = Camera(np.asarray(empty * 0.05, dtype=np.uint8))
    with set_up(camera, tmp_path) as url:
        page = open_page(url, viewport={"width": 390, "height": 844}, color_scheme="dark")
        says(page, "too dark")
        camera.shows = empty
        expect(page.locator(".faults")).to_have_count(0)
        expect(page.locator("main")).to_contain_text("100")
        camera.shows = np.asarray(cv2.GaussianBlur(empty, (0, 0), 6.0), dtype=np.uint8)
        says(page, "out of focus")
        camera.shows = shining(empty, (3.5, 3.5))
        says(page, "Glare on d4")
        assert accessibility_faults(page) == []
        board = find_board(empty)
        assert isinstance(board, BoardLocation)
        off = round(max(y for _, y in board.corners) - 10)
        camera.shows = np.roll(empty, empty.shape[0] - off, axis=0)
        camera.shows[: empty.shape[0] - off] = 90
        says(page, "cut off")
        camera.shows, corners = flat()
        asked = page.request.post(
            f"{url}/api/set-up", data={"ask": {"do": "corners", "corners": corners}}
        )
        assert asked.ok
        says(page, "hands only")


def test_two_sets_too_much_alike_are_named(
    open_page: OpenPage, tmp_path: Path, table: SimulatedPair
) -> None:
    """Of two blues one is taken for purple; that the two are too alike is told in words."""
    camera = Camera(table.empty.pixels)
    with set_up(camera, tmp_path) as url:
        page = open_page(url, color_scheme="dark")
        expect(page.locator(".over-picture .line").first).to_be_attached()
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_role("heading", name="Checkers at home")).to_be_visible()
        camera.shows = table.homes.pixels
        expect(page.get_by_label("Seat D4")).to_have_value("blue")
        expect(page.get_by_label("Seat D3")).to_have_value("purple")
        page.get_by_role("button", name="Next").click()
        says(page, "blue and purple look too much alike in this light")
        assert accessibility_faults(page) == []
        expect(page.get_by_role("button", name="Next")).to_be_enabled()
