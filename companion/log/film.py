"""A logged game as a film of the board seen from above, to be sent to a friend."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.errors import InputError
from companion.log.game_folder import PICTURES_NAME
from companion.log.moments import Moment
from hardware.capture import hush_opencv
from hardware.decoding import quiet_stderr
from hardware.ports import SourceError
from hardware.stills import read_picture
from referee.events import (
    CheckerEntered,
    CheckerMoved,
    DieThrown,
    GameWon,
    IllegalMove,
    OpeningThrow,
    ThrowPassed,
)
from referee.game_record import action_text
from vision.frame import Picture

CODECS: Final = {".mp4": "mp4v", ".avi": "MJPG", ".webm": "VP80"}
"""By the ending of the film's name; all are written by OpenCV's own packages."""

BOARD_PX: Final = 640
STRIP_PX: Final = 80
"""Below the board: the die as it was seen, and what was done in the record's notation."""
FPS: Final = 5.0
SHOWN_S: Final = 1.2
"""How long each scene stays."""
_MOST_WORDS: Final = 3


def write_film(folder: Path, there: tuple[Moment, ...], out: Path) -> int:
    """Write the kept pictures of a game as a film to *out* and return how many scenes it has.

    Raises:
        InputError: no pictures are kept, the name ends otherwise than a film's, or it cannot be
            written.
    """
    codec = CODECS.get(out.suffix.lower())
    if codec is None:
        raise InputError(f"{out} is no name of a film: let it end with {', '.join(CODECS)}")
    boards = sorted((folder / PICTURES_NAME).glob("*-board.jpg"))
    if not boards:
        raise InputError(f"no pictures of {folder.name} are kept, and of these a film is made")
    hush_opencv()
    size_wh = (BOARD_PX, BOARD_PX + STRIP_PX)
    with quiet_stderr():  # WebM has no tags, says OpenCV
        film = cv2.VideoWriter(str(out), cv2.VideoWriter.fourcc(*codec), FPS, size_wh)
    if not film.isOpened():
        raise InputError(f"{out} cannot be written as a film: try another folder or another ending")
    scenes = 0
    try:
        for picture in _scenes(boards, there):
            for _ in range(round(SHOWN_S * FPS)):
                film.write(picture)
            scenes += 1
    finally:
        film.release()
    return scenes


def caption(moment: Moment) -> str:
    """Return what was done, in the record's notation, which every viewer's font can show."""
    match = moment.after
    words = []
    for line in moment.lines:
        match line.event:
            case OpeningThrow() | DieThrown():
                words.append(f"{line.event.seat}: {line.event.value}")
            case CheckerEntered() | CheckerMoved() | ThrowPassed():
                words.append(action_text(match.throws[-1].played).partition(" ")[2])
            case IllegalMove():
                words.append(f"refused: {line.event.reason.value.replace('_', ' ')}")
            case GameWon():
                words.append(f"{line.event.seat} wins {line.event.bank}")
            case _:
                pass
    return " ".join(words)


def _scenes(boards: list[Path], there: tuple[Moment, ...]) -> Iterator[Picture]:
    numbers = [moment.number for moment in there]
    for before, path in pairwise([None, *boards]):
        assert path is not None
        try:
            board = read_picture(path)
        except SourceError:
            continue
        since = _number(before) if before else 0
        shown = there[bisect_left(numbers, since + 1) : bisect_left(numbers, _number(path) + 1)]
        words = [text for moment in shown if (text := caption(moment))]
        die = path.with_name(path.name.replace("-board", "-die"))
        yield _scene(board, die, "  ".join(words[-_MOST_WORDS:]))


def _scene(board: Picture, die: Path, text: str) -> Picture:
    canvas = np.full((BOARD_PX + STRIP_PX, BOARD_PX, 3), 30, np.uint8)
    size = (BOARD_PX, BOARD_PX)
    canvas[:BOARD_PX] = cv2.resize(board, size, interpolation=cv2.INTER_CUBIC)
    with suppress(SourceError):
        side = STRIP_PX - 8
        canvas[BOARD_PX + 4 : -4, 4 : 4 + side] = cv2.resize(read_picture(die), (side, side))
    place = (STRIP_PX + 8, BOARD_PX + STRIP_PX // 2 + 8)
    cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (240, 240, 240), 2, cv2.LINE_AA)
    return canvas


def _number(path: Path) -> int:
    digits = path.name[:5]
    return int(digits) if digits.isdecimal() else 0
