"""The steps of the set-up without a browser: what is said of pictures, and what is asked when."""

import cv2
import numpy as np
import pytest

from companion.console.aiming import aim, fault_of, grid
from companion.console.set_up import SetUp, Stage
from companion.console.setting import Begin, Corners, Seats, SetUpForm, Step
from hardware.scene import Scene
from hardware.simulated import TableLook, render
from vision.frame import Frame, Picture
from vision.rectify import board_to_picture


@pytest.fixture(scope="module")
def empty() -> Picture:
    """Return a picture of an empty board."""
    return render(Scene(), TableLook.from_seed(1), np.random.default_rng(1))


def changed(picture: Picture, brightness: float = 1.0, blur: float = 0.0) -> Picture:
    """Return *picture* as it would be with less light, or out of focus."""
    out = picture.astype(np.float32) * brightness
    if blur:
        out = cv2.GaussianBlur(out, (0, 0), blur).astype(np.float32)
    return np.asarray(np.clip(out, 0, 255), dtype=np.uint8)


def asked(set_up: SetUp, form: SetUpForm, picture: Picture) -> str | None:
    """Return the answer to a form, which is heard with the next frame."""
    answers: list[str | None] = []
    set_up.ask(form, answers.append)
    set_up.step(Frame(picture, at_s=100.0))
    (answer,) = answers
    return answer


def test_a_good_picture_shows_the_board_and_no_fault(empty: Picture) -> None:
    """The board's lines are found, nine each way of nine points, inside the picture."""
    found = aim(empty, None)
    assert found.board is not None
    assert found.faults == ()
    assert found.fitness == 1.0
    lines = np.array(grid(found.board, (empty.shape[1], empty.shape[0])))
    assert lines.shape == (18, 9, 2)
    assert (lines >= 0).all()


@pytest.mark.parametrize(
    ("worse", "name"),
    [({"brightness": 0.05}, "dark"), ({"blur": 9.0}, "blurred")],
    ids=["dark", "blurred"],
)
def test_what_is_wrong_is_named(empty: Picture, worse: dict[str, float], name: str) -> None:
    """Each fault has a name for the page's words, and makes the picture less fit."""
    found = aim(changed(empty, **worse), None)
    assert name in [fault.name for fault in found.faults]
    assert found.fitness < 1.0


def test_a_mirrored_lamp_is_named_with_its_square(empty: Picture) -> None:
    """Glare on a dark square is told by the square's name."""
    found = aim(empty, None)
    assert found.board is not None
    size_wh = (empty.shape[1], empty.shape[0])
    (x, y), (edge_x, edge_y) = board_to_picture(found.board, size_wh, [(1.5, 1.5), (1.9, 1.5)])
    radius = round(float(np.hypot(edge_x - x, edge_y - y)))
    shining = empty.copy()
    cv2.circle(shining, (round(x), round(y)), radius, (255, 255, 255), -1)
    faults = aim(shining, found.board).faults
    assert [(fault.name, fault.squares) for fault in faults] == [("glare", ("b2",))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("red and orange look too much alike in this light: change the light", "alike"),
        ("something stands on e5: take it off the board", "stray"),
        ("D4 (red): no checker was found on b2; each player's", "missing"),
        ("1 homes with four checkers were found", "few-homes"),
        ("part of the board is outside the picture: move the camera back", "cut-off"),
        ("anything else", "other"),
    ],
)
def test_sentences_of_calibration_are_known(text: str, name: str) -> None:
    """What calibration refuses for is told in the page's own language."""
    assert fault_of(text).name == name


def test_steps_come_in_their_order(empty: Picture) -> None:
    """What belongs to another step is refused in words, and nothing moves on."""
    said: list[str] = []
    set_up = SetUp("demo", lambda _: None, said.append)
    refused = (
        Step(do="next"),
        Step(do="same_table"),
        Seats(do="seats", seats={"D4": "red", "D2": "blue"}),
        Begin(do="begin"),
    )
    for form in refused:
        assert asked(set_up, form, np.zeros_like(empty)) is not None
    assert set_up.stage is Stage.AIM
    assert set_up.result is None
    set_up.step(Frame(empty, at_s=200.0))
    assert asked(set_up, Step(do="next"), empty) is None
    assert asked(set_up, Corners(do="corners", corners=None), empty) is not None
    assert said == ["aim", "empty"]
