"""The making of a table profile from a source of pictures."""

from dataclasses import replace

from calibration import TableProfile
from calibration.mistakes import STOOD_BEFORE, WRONG_ORDER
from companion.calibrating import SHOW_EMPTY, calibrate_from
from tests.calibration.tables import TWO, at_home, pair
from vision.frame import Frame


def test_after_the_wrong_order_the_empty_board_need_not_be_shown_again() -> None:
    """It is said what was wrong; with the checkers put back on their homes it is done."""
    pictures = pair(2, TWO)
    shown = (pictures.homes, pictures.empty, pictures.homes)
    frames: list[Frame] = [replace(one, still=True) for one in shown]
    told: list[str] = []
    profile = calibrate_from(frames, TWO, "stills:there", told.append)
    assert WRONG_ORDER in told
    assert isinstance(profile, TableProfile)


def test_after_a_board_that_was_not_empty_the_empty_board_is_asked_for_again() -> None:
    """What was taken for it showed a checker; nothing else would ever fit."""
    pictures = pair(2, TWO)
    left = pictures.frame(at_home(TWO)[0])
    frames = [replace(one, still=True) for one in (left, pictures.homes)]
    frames += [replace(one, still=True) for one in (pictures.empty, pictures.homes)]
    told: list[str] = []
    profile = calibrate_from(frames, TWO, "stills:there", told.append)
    assert f"{STOOD_BEFORE}; {SHOW_EMPTY}" in told[2]
    assert isinstance(profile, TableProfile)
