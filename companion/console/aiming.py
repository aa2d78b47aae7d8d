"""How well the camera is aimed: what is wrong with a picture, each fault by a name of its own."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.quality import picture_faults, why_no_board
from tabletop import SQUARES, BoardLocation, NoBoard, is_dark, square_file, square_name, square_rank
from vision.board import find_board
from vision.die_view import view_table
from vision.frame import Picture
from vision.rectify import board_to_picture, rectify

_THIS: Final = "the picture"
_SIGNS: Final = (
    ("too dark", "dark"),
    ("overexposed", "bright"),
    ("blurred", "blurred"),
    ("outside", "cut-off"),
    ("too small", "small"),
    ("look too much alike", "alike"),
    ("something stands on", "stray"),
    ("wrong order", "order"),
    ("was to be empty", "order"),
    ("the light on the board is not the same", "light"),
    ("does not look like one checker", "stacked"),
    ("no checker was found on", "missing"),
    ("homes with four checkers", "few-homes"),
    ("colours do not tell", "colours"),
    ("moved between", "moved"),
    ("no board", "no-board"),
)
"""By which words a sentence of calibration is known, and the name of the fault it tells of."""
_SQUARE_PX: Final = 16
_GLARE: Final = 246
_MOST_GLARE: Final = 0.12
"""Of a dark square so much may shine; more hides a checker's colour."""
_MOST_NAMED: Final = 4
_MOST_OBLIQUE_DEG: Final = 58.0
"""A camera that looks flatter sees the hands over the board, and one checker hides the next."""
_ALONG: Final = np.linspace(0.0, 8.0, 9)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a picture.

    Attributes:
        name: what it is, for the page's own words.
        text: the same as a sentence.
        squares: on which squares, where it is about some.
    """

    name: str
    text: str
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aim:
    """What a picture is good for.

    Attributes:
        board: where the board is; None where there is none.
        faults: what is wrong.
    """

    board: BoardLocation | None
    faults: tuple[Fault, ...]

    @property
    def fitness(self) -> float:
        """How fit the picture is, from 0 to 1."""
        if self.board is None:
            return 0.1 if self.faults and self.faults[0].name == "no-board" else 0.0
        return max(0.2, 1.0 - 0.25 * len(self.faults))


def aim(pixels: Picture, hint: BoardLocation | None) -> Aim:
    """Judge a picture of an empty board, which may be where the *hint* says."""
    found = find_board(pixels, hint)
    if isinstance(found, NoBoard):
        return Aim(None, (fault_of(why_no_board(pixels, _THIS, found.reason)),))
    faults = [fault_of(text) for text in picture_faults(pixels, found, _THIS)]
    shining = _shining(pixels, found)
    if shining and all(fault.name != "bright" for fault in faults):
        named = ", ".join(shining)
        faults.append(Fault("glare", f"glare on {named}: move the lamp or the camera", shining))
    if _oblique_deg(found, (pixels.shape[1], pixels.shape[0])) > _MOST_OBLIQUE_DEG:
        faults.append(Fault("hands", "the camera looks so flat that it will see hands only"))
    return Aim(found, tuple(faults))


def fault_of(text: str) -> Fault:
    """Return the fault that a sentence of calibration tells of."""
    return Fault(next((name for words, name in _SIGNS if words in text), "other"), text)


def not_empty(squares: tuple[str, ...]) -> Fault:
    """Return the fault of a board on whose *squares* something seems to stand."""
    named = squares[:_MOST_NAMED]
    return Fault("not-empty", f"something seems to stand on {', '.join(named)}", named)


def _oblique_deg(board: BoardLocation, size_wh: tuple[int, int]) -> float:
    """Return the angle between the upright on the middle of the board and the line of sight."""
    middle = board_to_picture(board, size_wh, [(4.0, 4.0)])[0]
    upright = view_table(board, size_wh).upright((float(middle[0]), float(middle[1])))
    return upright.oblique_deg or 0.0


def grid(board: BoardLocation, size_wh: tuple[int, int]) -> list[list[list[float]]]:
    """Return the lines between squares as they lie in the picture, nine points each."""
    lines = []
    for level in _ALONG:
        across = np.full_like(_ALONG, level)
        for points in (np.column_stack((_ALONG, across)), np.column_stack((across, _ALONG))):
            lines.append(np.round(board_to_picture(board, size_wh, points), 1).tolist())
    return lines


def _shining(pixels: Picture, board: BoardLocation) -> tuple[str, ...]:
    """Return the dark squares on which a light is mirrored, as far as they are worth naming."""
    field = rectify(pixels, board, _SQUARE_PX, margin=0.0).pixels
    grey = np.asarray(cv2.cvtColor(field, cv2.COLOR_BGR2GRAY))
    found = []
    for at in SQUARES:
        if not is_dark(at):
            continue
        top = (7 - square_rank(at)) * _SQUARE_PX
        left = square_file(at) * _SQUARE_PX
        part = grey[top : top + _SQUARE_PX, left : left + _SQUARE_PX]
        if np.mean(part >= _GLARE) > _MOST_GLARE:
            found.append(square_name(at))
    return tuple(found[:_MOST_NAMED])
