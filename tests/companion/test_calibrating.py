"""The making of a table profile from a source of pictures."""

from dataclasses import replace

from calibration import TableProfile
from calibration.mistakes import WRONG_ORDER
from companion.calibrating import calibrate_from
from tests.calibration.tables import TWO, pair
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
