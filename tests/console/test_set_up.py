"""The steps of the set-up without a browser: what is said of pictures, and what is asked when."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.mistakes import MOVED, OTHER_LIGHT, STOOD_BEFORE, WRONG_ORDER
from companion.console.aiming import aim, fault_of, grid
from companion.console.asking import FormError, filled
from companion.console.set_up import SetUp, Stage
from companion.console.setting import (
    SET_UP_ASKING,
    Begin,
    Corners,
    Language,
    Seats,
    SetUpForm,
    Step,
    Zone,
)
from companion.console.state import Json
from companion.console.terms import keep_terms, kept_terms, terms_path
from companion.options import Outputs, WatchOptions
from hardware.scene import Scene
from hardware.simulated import TableLook, render
from hardware.simulated.camera import hang
from referee.paths import home
from referee.rules import Rules
from tabletop import BoardLocation, Seat, square_name
from tests.calibration.tables import calibrated
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


def test_a_camera_that_looks_too_flat_sees_hands_only() -> None:
    """The board is found, and people are told to mount the camera higher."""
    look = TableLook.from_seed(1)
    flat = replace(look, camera=replace(look.camera, tilt_deg=64.0, from_deg=270.0))
    pixels = render(Scene(), flat, np.random.default_rng(1))
    corners = hang(flat.camera).project(
        np.array([(x, y, 0.0) for x, y in ((0, 0), (8, 0), (8, 8), (0, 8))])
    )
    a1, h1, h8, a8 = ((float(x), float(y)) for x, y in corners)
    found = aim(pixels, BoardLocation((a1, h1, h8, a8)))
    assert "hands" in [fault.name for fault in found.faults]


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
        (WRONG_ORDER, "order"),
        (f"something stood on e5 {STOOD_BEFORE}", "order"),
        (OTHER_LIGHT, "light"),
        (MOVED, "moved"),
        ("b2: what stands there does not look like one checker of D4 (red), as", "stacked"),
        ("two to four homes with four checkers each are needed, and none", "few-homes"),
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


def home_names(seat: Seat) -> list[str]:
    """Return the names of the squares of a home."""
    return [square_name(at) for at in home(seat, Rules())]


def told_language(language: str) -> Language:
    """Return the form that chooses the language of the voice."""
    return Language.model_validate({"do": "language", "language": language})


def test_a_table_that_is_known_needs_one_yes() -> None:
    """Recognised where it lies, it is taken; the terms of the last game are there to be changed."""
    pictures, known = calibrated(2)
    empty = pictures.empty.pixels
    shown: list[Json] = []
    spoken: list[str] = []
    terms = Begin(do="begin", names={"D4": "Anna"}, stake=7, rules={"corner": "share"})
    set_up = SetUp("demo", shown.append, lambda _: None, known, terms=terms, speak=spoken.append)
    set_up.step(Frame(empty, at_s=1.0))
    assert shown[-1]["same"] is True
    assert shown[-1]["terms"]["names"] == {"D4": "Anna"}
    assert asked(set_up, told_language("ru"), empty) is None
    assert asked(set_up, Step(do="same_table"), empty) is None
    zone = ((10.0, 10.0), (90.0, 10.0), (90.0, 90.0))
    assert asked(set_up, Zone(do="zone", corners=zone), empty) is None
    assert shown[-1]["zone"] == [list(corner) for corner in zone]
    for odd in ('"', "\u202e", "a\x00b", "a\nb"):
        assert asked(set_up, Begin(do="begin", names={"D4": odd}), empty) is not None
    assert (
        asked(set_up, Begin(do="begin", stake=3, names={"D4": " ", "D2": " <b> "}), empty) is None
    )
    assert set_up.result is not None
    assert set_up.result.profile.throwing_zone == zone
    assert set_up.result.terms.language == "ru"
    assert spoken == ["ru"]
    options = set_up.result.agreed(WatchOptions("demo", None, Outputs(Path("games"))))
    assert (options.stake, options.outputs.language) == (3, "ru")
    assert options.names == ((Seat.D2, "<b>"),)


@pytest.mark.parametrize(
    "text",
    [
        '{"ask": {"do": "zone", "corners": [[1, 1], [2, 2]]}}',
        '{"ask": {"do": "zone", "corners": [[1e9, 1], [2, 2], [3, 3]]}}',
        '{"ask": {"do": "zone", "corners": [[NaN, 1], [2, 2], [3, 3]]}}',
        '{"ask": {"do": "try", "what": "camera"}}',
        '{"ask": {"do": "language", "language": "../en"}}',
        '{"ask": {"do": "begin", "names": {"D9": "x"}}}',
        '{"ask": {"do": "begin", "language": "xx"}}',
        '{"ask": {"do": "begin", "stake": -1}}',
        '{"ask": {"do": "begin", "unit": " "}}',
        '{"ask": {"do": "begin", "stake": 1e400}}',
        "[" * 9000,
        "",
    ],
)
def test_what_no_page_of_ours_sends_is_refused(text: str) -> None:
    """Numbers out of reach, unknown words and unending nests do not get as far as the set-up."""
    with pytest.raises(FormError):
        filled(SET_UP_ASKING, text)


def test_corners_set_by_hand_stay_in_sight_where_no_board_is_found(empty: Picture) -> None:
    """They can be dragged on, until they are given up or a board is found there."""
    shown: list[Json] = []
    set_up = SetUp("demo", shown.append, lambda _: None)
    nothing = np.full_like(empty, 90)
    corners = ((100.0, 400.0), (500.0, 400.0), (500.0, 100.0), (100.0, 100.0))
    assert asked(set_up, Corners(do="corners", corners=corners), nothing) is None
    assert shown[-1]["corners"] == [list(corner) for corner in corners]
    assert shown[-1]["grid"] is None
    assert asked(set_up, Corners(do="corners", corners=None), nothing) is None
    assert shown[-1]["corners"] is None


def test_terms_are_kept_beside_the_profile(tmp_path: Path) -> None:
    """They are there for the next game; a file that makes no sense is as none."""
    table = tmp_path / "table.toml"
    assert kept_terms(table) is None
    terms = Begin(do="begin", names={"D2": "Борис"}, unit="chips", rules={"must_hit": True})
    keep_terms(terms, table)
    assert kept_terms(table) == terms
    for text in ("", "[]", '{"do": "begin", "rules": {"corner": "no"}}', '{"do": "begin", "x": 1}'):
        terms_path(table).write_text(text)
        assert kept_terms(table) is None
    keep_terms(terms, tmp_path / "nowhere" / "table.toml")


def test_two_who_ask_for_the_next_step_take_one(empty: Picture) -> None:
    """Who saw another step than the one reached is refused; so is all that comes at the end."""
    said: list[str] = []
    set_up = SetUp("demo", lambda _: None, said.append)
    set_up.step(Frame(empty, at_s=0.0))
    answers: list[str | None] = []
    for _ in range(2):
        set_up.ask(Step(do="next", at="aim"), answers.append)
    set_up.step(Frame(empty, at_s=1.0))
    gone_on = "the set-up has gone on in the meantime: look again"
    assert (answers, set_up.stage) == ([None, gone_on], Stage.EMPTY)


def test_a_board_that_is_not_empty_is_asked_about() -> None:
    """Squares are named; it is taken when it was cleared, or when people say that it is printed."""
    pictures, _ = calibrated(2)
    for printed in (False, True):
        states: list[Json] = []
        set_up = SetUp("demo", states.append, lambda _: None)
        frames = [pictures.empty, *([pictures.homes] * 20), *([pictures.empty] * 40)]
        answers: list[str | None] = []
        for number, frame in enumerate(frames):
            if number == 1 or (printed and number == 20):
                set_up.ask(Step(do="next"), answers.append)
            if number == 20:
                (fault,) = states[-1]["faults"]
                assert (set_up.stage, fault["name"]) == (Stage.EMPTY, "not-empty")
                assert set(fault["squares"]) <= {*home_names(Seat.D4), *home_names(Seat.D2)}
            set_up.step(replace(frame, at_s=number / 8))
            if number == 20:
                assert set_up.stage is (Stage.HOMES if printed else Stage.EMPTY)
        assert set(answers) == {None}
        assert set_up.stage is Stage.HOMES


def test_a_corrected_colour_outlives_a_hand_that_passes() -> None:
    """Until the set itself is changed; and who goes back finds what is read now, not what was."""
    pictures, _ = calibrated(2)
    states: list[Json] = []
    set_up = SetUp("demo", states.append, lambda _: None)
    clock = iter(range(10_000))

    def rest(frame: Frame) -> None:
        for _ in range(40):
            set_up.step(replace(frame, at_s=next(clock) / 8))

    def ask(form: SetUpForm, frame: Frame) -> None:
        answers: list[str | None] = []
        set_up.ask(form, answers.append)
        set_up.step(replace(frame, at_s=next(clock) / 8))
        assert answers == [None]

    def colours() -> list[str]:
        return [seat["colour"] for seat in states[-1]["seats"]]

    rest(pictures.empty)
    ask(Step(do="next"), pictures.empty)
    rest(pictures.empty)
    rest(pictures.homes)
    assert colours() == ["blue", "red"]
    said = Seats(do="seats", seats={"D4": "purple", "D2": "red"})
    ask(said, pictures.homes)
    rest(replace(pictures.homes, pixels=np.zeros_like(pictures.homes.pixels)))
    rest(pictures.homes)
    assert colours() == ["purple", "red"]
    ask(Step(do="next"), pictures.homes)
    assert set_up.stage is Stage.DIE
    ask(Step(do="back"), pictures.homes)
    rest(pictures.homes)
    assert colours() == ["blue", "red"]
    assert all(seat["corner"] != [0.0, 0.0] for seat in states[-1]["seats"])


def test_who_asks_without_a_camera_or_too_late_is_answered() -> None:
    """While the camera is lost, and when all is agreed on, nobody waits in vain."""
    pictures, known = calibrated(2)
    set_up = SetUp("demo", lambda _: None, lambda _: None, known=known)
    answers: list[str | None] = []
    set_up.ask(Step(do="next"), answers.append)
    assert set_up.guide([None]) is None
    assert answers == ["the camera gives no picture: see to its cable"]
    frame = replace(pictures.empty, at_s=1.0)

    def asking() -> Iterator[Frame]:
        yield frame
        for form in (Step(do="same_table"), Begin(do="begin"), Begin(do="begin")):
            set_up.ask(form, answers.append)
        yield frame

    assert set_up.guide(asking()) is not None
    set_up.ask(Step(do="back"), answers.append)
    assert answers[1:3] == [None, None]
    assert all("gone on" in str(answer) or "not set up" in str(answer) for answer in answers[3:])
    assert len(answers) == 5
