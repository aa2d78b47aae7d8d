"""What shows why it was ruled so: pictures of every scene with a ruling, and what was weighed."""

import logging
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import JournalError
from companion.game import Game
from companion.seeing import Look
from companion.why import why_json
from referee.judge import Verdict
from referee.match import Match
from tabletop import BoardLocation, Box
from vision.frame import Picture
from vision.rectify import Rectifier, rectifier

log = logging.getLogger(__name__)

SQUARE_PX: Final = 32
MARGIN: Final = 0.5
DIE_PX: Final = 96
JPEG_QUALITY: Final = 85


class Evidence:
    """Keeps small pictures beside a game's log, named by the number of the ruling.

    A picture that cannot be kept is no reason to stop: the log itself is safe.
    """

    def __init__(self, game: Game) -> None:
        self._game: Final = game
        self._rectifier: tuple[BoardLocation, Rectifier] | None = None
        self._failed = False

    def seen(self, look: Look, verdict: Verdict, before: Match) -> None:
        """Keep the pictures of a look that led to events, and what was weighed."""
        if not verdict.events or self._failed:
            return
        number = self._game.match.sequence
        pictures = {f"{number:05}-board.jpg": self._board(look)}
        if look.observation.die is not None:
            die = cut_out(look.frame.pixels, look.observation.die.reading.box)
            pictures[f"{number:05}-die.jpg"] = die
        why = why_json(verdict, look.observation, before, tuple(pictures))
        try:
            for name, picture in pictures.items():
                self._game.journal.keep_picture(name, _encoded(picture))
            self._game.journal.keep_why(number, why)
        except JournalError as error:
            self._failed = True
            log.warning("no more pictures are kept: %s", error)

    def _board(self, look: Look) -> Picture:
        board = look.reading.board
        assert isinstance(board, BoardLocation)
        if self._rectifier is None or self._rectifier[0] != board:
            made = rectifier(board, look.frame.size_wh, SQUARE_PX, MARGIN)
            self._rectifier = (board, made)
        return self._rectifier[1].apply(look.frame.pixels).pixels


def cut_out(pixels: Picture, box: Box) -> Picture:
    """Return the square around *box*, half as wide again, at the size die pictures are kept in."""
    x, y, wide, high = box
    half = 0.75 * max(wide, high, 2.0)
    left, top = x + wide / 2 - half, y + high / 2 - half
    scale = DIE_PX / (2 * half)
    matrix: NDArray[np.float64] = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])
    patch = cv2.warpAffine(pixels, matrix, (DIE_PX, DIE_PX), flags=cv2.INTER_LINEAR)
    return np.asarray(patch, dtype=np.uint8)


def _encoded(picture: Picture) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()
