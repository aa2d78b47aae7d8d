"""What shows why it was ruled so: pictures of every scene with a ruling, and what was weighed."""

import json
import logging
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import JournalError
from companion.game import Game
from companion.log.album import Album
from companion.log.game_folder import PICTURES_NAME, WHY_NAME
from companion.log.why import why_json
from companion.seeing import Look
from referee.match import Match
from referee.verdict import Verdict
from tabletop import BoardLocation, Box
from vision.frame import Picture
from vision.rectify import Rectifier, rectifier

log = logging.getLogger(__name__)

SQUARE_PX: Final = 32
MARGIN: Final = 1.0
"""How much is kept around the field, in squares: as much as reading a table needs."""
DIE_PX: Final = 96
DIE_ROOM: Final = 0.75
"""Half the side of a die's picture, in sides of the die's box."""
JPEG_QUALITY: Final = 85


class Evidence:
    """Keeps small pictures beside a game's log, named by the number of the ruling.

    A picture that cannot be kept is no reason to stop: the log itself is safe.
    """

    def __init__(self, game: Game, album: Album) -> None:
        self._game: Final = game
        self._album: Final = album
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
        text = json.dumps(why | {"scene": scene_json(look)}, ensure_ascii=False) + "\n"
        try:
            self._album.keep(WHY_NAME, f"{number:05}.json", text.encode())
            for name, picture in pictures.items():
                self._album.keep(PICTURES_NAME, name, encoded(picture, JPEG_QUALITY))
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


def scene_json(look: Look) -> dict[str, Any]:
    """Return as JSON values where board and die were in the frame, to put the pictures back."""
    board, die = look.reading.board, look.observation.die
    assert isinstance(board, BoardLocation)
    out: dict[str, Any] = {
        "corners": [[round(x, 2), round(y, 2)] for x, y in board.corners],
        "distortion": board.distortion,
        "dice": look.observation.dice_count,
        "last": look.last,
    }
    if die is not None:
        out["die"] = {"sign": die.sign.value, "box": [round(one, 2) for one in die.reading.box]}
    return out


def cut_out(pixels: Picture, box: Box) -> Picture:
    """Return the square around *box*, half as wide again, at the size die pictures are kept in."""
    matrix = die_matrix(box)
    patch = cv2.warpAffine(pixels, matrix, (DIE_PX, DIE_PX), flags=cv2.INTER_LINEAR)
    return np.asarray(patch, dtype=np.uint8)


def die_matrix(box: Box) -> NDArray[np.float64]:
    """Return the map from the frame to a die's picture, shape (2, 3)."""
    x, y, wide, high = box
    half = DIE_ROOM * max(wide, high, 2.0)
    left, top = x + wide / 2 - half, y + high / 2 - half
    scale = DIE_PX / (2 * half)
    return np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])


def encoded(picture: Picture, quality: int) -> bytes:
    """Return *picture* as a JPEG of *quality*, of 100, its colours at full resolution.

    A die is small, and is read by the edges of its colour.
    """
    settings = [
        cv2.IMWRITE_JPEG_QUALITY,
        quality,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]
    _, data = cv2.imencode(".jpg", picture, settings)
    return data.tobytes()
