"""The making of a table profile from a source of frames: a folder, a video or a live camera.

The first good settled picture is taken for the empty board; then each settled picture that differs
is tried as the one with everybody's checkers at home, until one fits.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from calibration.fit import Refusal, average_frames, fit_table
from calibration.mistakes import STOOD_BEFORE, WRONG_ORDER
from calibration.profile import TableProfile
from calibration.quality import picture_faults
from companion.seeing import AVERAGED_FRAMES
from tabletop import BoardLocation, Colour, NoBoard, Seat
from vision.board import find_board
from vision.frame import Frame
from vision.stillness import Stillness

Tell = Callable[[str], None]

SHOW_EMPTY = "show the empty board"
SHOW_HOMES = "now put each player's four checkers on the four squares of his home"
TOO_FEW = (
    "the source ended too soon: it must show the empty board, then the same board with each "
    "player's four checkers on the squares of his own home"
)


def calibrate_from(
    frames: Iterable[Frame], seats: Mapping[Seat, Colour], source: str, tell: Tell
) -> TableProfile | Refusal:
    """Return a table profile fitted to what *frames* show, or why none could be.

    Args:
        frames: of the table, first empty, then with all checkers at home.
        seats: who plays which colour.
        source: the camera's name, to be noted.
        tell: hears, in words, what is to be done and what is wrong, as it changes.
    """
    tell(SHOW_EMPTY)
    empty: Frame | None = None
    refusal = Refusal((TOO_FEW,))
    for picture in settled_pictures(frames):
        if empty is None:
            found = find_board(picture.pixels)
            faults = _faults(picture, found)
            if not faults:
                empty = picture
                tell(SHOW_HOMES)
                continue
            refusal = Refusal(faults)
        else:
            fitted = fit_table(empty, picture, seats, source)
            if isinstance(fitted, TableProfile):
                return fitted
            refusal = fitted
            if WRONG_ORDER in fitted.reasons:
                # This one is the empty board; whatever comes next may show the checkers.
                empty = picture
            elif any(STOOD_BEFORE in reason for reason in fitted.reasons):
                empty = None
                tell("; ".join((*refusal.reasons, SHOW_EMPTY)))
                continue
        tell("; ".join(refusal.reasons))
    return refusal


def settled_pictures(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield one picture of each time the table is still, averaged over a few frames."""
    stillness = Stillness()
    kept: deque[Frame] = deque(maxlen=AVERAGED_FRAMES)
    yielded = False
    for frame in frames:
        if frame.still:
            yield frame
            continue
        stillness = stillness.step(frame)
        if not stillness.settled:
            kept.clear()
            yielded = False
            continue
        kept.append(frame)
        if len(kept) == AVERAGED_FRAMES and not yielded:
            yielded = True
            yield average_frames(tuple(kept))


def _faults(picture: Frame, found: BoardLocation | NoBoard) -> tuple[str, ...]:
    if isinstance(found, NoBoard):
        return (f"the board is not found: {found.reason}",)
    return tuple(picture_faults(picture.pixels, found, "the picture of the empty board"))
