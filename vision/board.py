"""Find the board: 8 x 8 squares somewhere in a picture, whatever stands on them.

Saddle points between squares (`vision.saddles`) are joined to lattices (`vision.lattice`); of each
lattice the window that most looks like a chessboard is weighed (`vision.window`); the best one is
fitted to the edges of its squares in the full picture (`vision.edges`). The search runs over a
small pyramid and two colour channels and ends as soon as it is sure.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, NoBoard, Point
from vision.edges import displacement, refine
from vision.frame import Picture
from vision.grid import Grid, grid_through
from vision.lattice import Lattice, find_lattices
from vision.lens import Points, to_ideal
from vision.rectify import BOARD_CORNERS, board_to_picture
from vision.saddles import find_saddles
from vision.window import Window, choose_window

# The longer sides of the pictures searched, with the channel: red tells the squares of nearly
# every board apart, red and black ones above all; red and white ones differ in green. Last without
# the light lines that some boards have between the squares (-1), and without dark ones (1).
_LEVELS: Final = (
    *((480, 2, 0), (240, 2, 0), (160, 2, 0), (120, 2, 0), (960, 2, 0)),
    *((480, 1, 0), (240, 1, 0), (160, 1, 0), (160, 2, -1), (240, 1, -1), (160, 2, 1)),
)
_LARGEST_PX: Final = 1920
_MOST_LATTICES: Final = 5
# Evidence (natural logarithm) and share of pieces of line seen: below the first numbers there is
# no board; from the second on the search ends.
_LEAST_EVIDENCE: Final = 50.0
_WORTH_A_FIT: Final = 20.0
_MOST_FITS: Final = 3
# Boards are found among the first eight windows fitted; patterns that are none have dozens.
_MOST_FITTED: Final = 12
_LEAST_SEEN: Final = 0.45
_SURE_EVIDENCE: Final = 110.0
_SURE_MARGIN: Final = 8.0
_LEAST_MARGIN: Final = 9.0
_MOST_BEYOND: Final = 5.0
_HOPELESS: Final = 10.0
_LEAST_SQUARE_PX: Final = 8.0
_LEAST_AGREEING: Final = 0.4
_GREY: Final = np.full(3, 1 / 3)
# Logarithmic lightness makes a contrast in shadow as large as in light; the offset in grey levels
# keeps the noise of dark places down.
_LOGARITHM: Final = np.log((np.arange(256) + 12.0) / 12.0).astype(np.float32)
_FIT_SURE: Final = 0.5
# From this fit on a board lies where it lay, and not by whole squares elsewhere, where it has 0.8.
_FIT_PLAIN: Final = 0.9
_LEAST_CONTRAST: Final = 0.03
# A board found again within this, in squares, has not moved: its location stays as it was.
_AT_REST: Final = 0.02
# A fit that moved a window by less need not be made again; windows of several levels closer than
# this are the same, in squares.
_SETTLED: Final = 0.1
_ALIKE: Final = 0.3
LEAST_FIT: Final = 0.4
"""Where less of its pattern is seen the board is not there, or more than a hand covers it."""
_MIDDLE: Final = (4.0, 4.0)
# So many squares apart windows share most of theirs, and by so much more evidence one is better.
_FARTHEST: Final = 4.0
_MORE: Final = 10.0


def find_board(pixels: Picture, hint: BoardLocation | None = None) -> BoardLocation | NoBoard:
    """Find the 8 x 8 squares of a board in a picture.

    Which dark corner is a1 no picture tells: without a hint it is the one at the lower left, with a
    hint the names stay with the corners that they had.

    Args:
        pixels: the picture, shape (h, w, 3), blue, green, red.
        hint: where the board was, or is thought to be. It is tried first; if the board is still
            there to within a fiftieth of a square, the hint itself is returned.
    """
    if hint is not None:
        kept = _verify(pixels, hint)
        if kept is not None:
            return kept
    found = _search(pixels)
    return found if isinstance(found, NoBoard) else _location(found[0], hint)


def find_boards(pixels: Picture) -> tuple[BoardLocation, ...] | NoBoard:
    """Find the board that is meant, and the others that lie beside it, as far as they were met.

    The first is what `find_board` finds; what it does not overlap and is as surely a board follows.
    The search ends with the first that is sure, so that boards far smaller may not be among them.

    Args:
        pixels: the picture, shape (h, w, 3), blue, green, red.
    """
    found = _search(pixels)
    return found if isinstance(found, NoBoard) else tuple(_location(each, None) for each in found)


def _search(pixels: Picture) -> list[Window] | NoBoard:
    """Return the windows that are boards, the one that is meant first, or why there is none."""
    boards: list[Window] = []
    seen: list[Window] = []
    trouble = "no rows of squares in alternating colours"
    reduced = _reduced(pixels)
    for level in _LEVELS:
        for rough in _windows(pixels, reduced, *level):
            if any(_alike(window, rough) or _beside(window, rough) for window in seen):
                continue
            window = rough
            if _is_promising(rough) and len(seen) < _MOST_FITTED:
                window = _settled(pixels, rough)
                seen.append(window)
            unfit = _trouble(window)
            if unfit:
                trouble = unfit
            elif not boards or _beats(window, boards[0]):
                boards.insert(0, window)
            else:
                boards.append(window)
        if boards and _is_sure(boards[0]):
            break
    if not boards:
        return NoBoard(trouble)
    apart = boards[:1]
    for window in boards[1:]:
        if _is_sure(window) and not any(_overlap(window, other) for other in apart):
            apart.append(window)
    return apart


def logarithmic(channel: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logarithmic lightness in which saddle points are sought, of one channel."""
    return np.asarray(cv2.LUT(channel, _LOGARITHM), dtype=np.float32)


def board_fit(pixels: Picture, location: BoardLocation) -> float:
    """Return how much of the pattern of a chessboard is at *location*, from 0 to 1.

    A few hundred samples along the lines between squares: the share of the pieces of line with the
    light square on the right side, and not much paler than most. 1 is an empty board, well lit;
    checkers and hands take away from it; a quarter of a square off it is near 0.
    """
    height, width = pixels.shape[:2]
    points = np.rint(board_to_picture(location, (width, height), _FIT_PLACES)).astype(np.int64)
    x, y = points[:, 0], points[:, 1]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    colours = pixels[np.where(inside, y, 0), np.where(inside, x, 0)].astype(np.float64)
    light, dark = colours.reshape(2, -1, 3)
    known = inside.reshape(2, -1).all(axis=0)
    if known.sum() < len(known) / 4:
        return 0.0
    contrast = (light - dark) / (light + dark + 24.0)
    usual = np.median(contrast[known], axis=0)
    channel = int(np.argmax(usual))
    if usual[channel] < _LEAST_CONTRAST:
        return 0.0
    return float(np.mean(contrast[known, channel] > 0.4 * usual[channel]))


def _fit_places() -> Points:
    """Return where `board_fit` looks: all light sides of the lines, then the dark ones."""
    light, dark = [], []
    for line in range(1, 8):
        for piece in range(8):
            for along in (0.1, 0.9):
                for axis in (0, 1):
                    ahead, behind = [0.0, 0.0], [0.0, 0.0]
                    ahead[axis], behind[axis] = line + 0.1, line - 0.1
                    ahead[1 - axis] = behind[1 - axis] = piece + along
                    # a1 is dark: squares with an odd sum of file and rank are light.
                    light_ahead = (line + piece) % 2 == 1
                    light.append(ahead if light_ahead else behind)
                    dark.append(behind if light_ahead else ahead)
    return np.array(light + dark)


_FIT_PLACES: Final = _fit_places()


def _verify(pixels: Picture, hint: BoardLocation) -> BoardLocation | None:
    """Return where the board near *hint* is, None if it is not there."""
    fit = board_fit(pixels, hint)
    if fit < _FIT_SURE:
        return None
    grid = _grid_at(hint, (pixels.shape[1], pixels.shape[0]))
    moved, agreeing = displacement(pixels, grid, False, _GREY)
    plain = fit > _FIT_PLAIN
    if plain and agreeing > _LEAST_AGREEING and moved < _AT_REST:
        return hint
    refined, agreeing = refine(pixels, grid, False, _GREY)
    if agreeing < _LEAST_AGREEING:
        return None
    at_rest = _moved(grid, refined) < _AT_REST
    if plain and at_rest:
        return hint
    # Moved by whole squares it would look nearly the same: weigh the windows around it.
    window = _window_at(pixels, refined, False)
    if window is None:
        # A hand may cover so much of the pattern that nothing is the board.
        return hint if at_rest else None
    window = replace(window, agreeing=agreeing)
    elsewhere = _moved(refined, window.grid) > 0.5
    if at_rest:
        return None if elsewhere and window.margin > _SURE_MARGIN else hint
    # Where it was tells which squares they are, even if a whole row is covered.
    if elsewhere or _trouble(replace(window, loose=False)):
        return None
    return BoardLocation(_corners(refined), hint.confidence, refined.distortion)


def _moved(before: Grid, after: Grid) -> float:
    """Return how far the farthest corner moved, in squares."""
    was, now = before.project(BOARD_CORNERS), after.project(BOARD_CORNERS)
    side_px = np.linalg.norm(np.roll(was, -1, axis=0) - was, axis=1).mean() / 8
    return float(np.linalg.norm(now - was, axis=1).max() / side_px)


def _is_promising(window: Window) -> bool:
    """Tell whether a window is worth a fit, and not surely a part of a larger pattern."""
    goes_on = window.beyond > _HOPELESS and window.margin < _LEAST_MARGIN
    return window.evidence > _WORTH_A_FIT and not goes_on


def _is_sure(window: Window) -> bool:
    """Tell whether a window is a board so surely that no more need be searched."""
    return window.evidence > _SURE_EVIDENCE and window.margin > _SURE_MARGIN


def _beats(one: Window, other: Window) -> bool:
    """Tell whether a window is rather the board that is meant than another one."""
    if _is_sure(one) and _is_sure(other):
        # Two boards: the nearer one, be it ever so full, and not an empty one further away.
        areas = (
            cv2.contourArea(np.array(_corners(each.grid), np.float32)) for each in (one, other)
        )
        return next(areas) > next(areas)
    return one.evidence > other.evidence


def _overlap(one: Window, other: Window) -> bool:
    """Tell whether the middle of one window lies on the other."""
    outlines = [np.array(_corners(each.grid), np.float32) for each in (one, other)]
    middles = [
        (float(x), float(y)) for x, y in (each.grid.project([_MIDDLE])[0] for each in (one, other))
    ]
    return any(
        cv2.pointPolygonTest(outline, middle, False) >= 0.0
        for outline, middle in zip(outlines, reversed(middles), strict=True)
    )


def _alike(one: Window, other: Window) -> bool:
    """Tell whether two windows are the same squares, whichever corner they begin at."""
    here, there = one.grid.project(BOARD_CORNERS), other.grid.project(BOARD_CORNERS)
    side_px = np.linalg.norm(np.roll(here, -1, axis=0) - here, axis=1).mean() / 8
    gaps = np.linalg.norm(here[:, None] - there[None], axis=2)
    # What could not be fitted from a poor start may be from a better one.
    reach = _ALIKE if one.agreeing else _ALIKE / 3
    return bool(gaps.min(axis=1).max() < reach * side_px)


def _beside(fitted: Window, rough: Window) -> bool:
    """Tell whether *rough* is some squares of the same pattern, with no more to say for a board.

    What is no board of eight by eight is much the same wherever the window is.
    """
    if not fitted.agreeing or rough.evidence > fitted.evidence + _MORE:
        return False
    corners = fitted.grid.located(rough.grid.project(BOARD_CORNERS))
    places = np.rint(corners)
    return bool(
        np.abs(corners - places).max() < _ALIKE
        and np.all(np.ptp(places, axis=0) == 8.0)
        and np.abs(places.mean(axis=0) - _MIDDLE).max() <= _FARTHEST
    )


def _grid_at(location: BoardLocation, size_wh: tuple[int, int]) -> Grid:
    """Return the grid of a location, in board coordinates."""
    ideal = to_ideal(location.corners, size_wh, location.distortion)
    grid = grid_through(BOARD_CORNERS, ideal, size_wh)
    if grid is None:
        raise ValueError(f"the corners {location.corners} are no quadrangle")
    return replace(grid, distortion=location.distortion)


def _reduced(pixels: Picture) -> Picture:
    """Return the picture that the levels of the pyramid are made from: of large ones a smaller."""
    height, width = pixels.shape[:2]
    scale = _LARGEST_PX / max(height, width)
    if scale >= 1.0:
        return pixels
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _windows(
    pixels: Picture, reduced: Picture, side_px: int, channel: int, lines: int
) -> list[Window]:
    """Return the best window of each lattice at one level of the pyramid in one channel.

    Broad lines between the squares part those that should meet at their corners. Where what is
    light, or what is dark, loses a pixel all round they meet again.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, side_px / max(height, width))
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(cv2.extractChannel(reduced, channel), size_wh, interpolation=cv2.INTER_AREA)
    if lines:
        small = (cv2.erode if lines < 0 else cv2.dilate)(small, np.ones((3, 3), dtype=np.uint8))
    saddles = find_saddles(logarithmic(np.asarray(small, dtype=np.uint8)))
    windows = (
        choose_window(pixels, lattice, replace(lattice.grid, size_wh=(width, height)))
        for lattice in find_lattices(saddles, size_wh)[:_MOST_LATTICES]
    )
    return [window for window in windows if window is not None]


def _settled(pixels: Picture, rough: Window) -> Window:
    """Return a window fitted to the edges of its squares, weighed again, until it stays."""
    window = rough
    for _ in range(_MOST_FITS):
        before = window.grid
        grid, agreeing = refine(pixels, before, window.light_first, window.channel)
        if agreeing < _LEAST_AGREEING:
            break
        again = _window_at(pixels, grid, window.light_first)
        if again is None:
            break
        window = replace(again, agreeing=agreeing)
        if _moved(before, window.grid) < _SETTLED or not _is_promising(window):
            break
    return window


def _window_at(pixels: Picture, grid: Grid, light_first: bool) -> Window | None:
    """Return the best window near the one whose squares are those of *grid*."""
    inner = np.stack(np.meshgrid(np.arange(1, 8), np.arange(1, 8)), axis=-1).reshape(-1, 2)
    return choose_window(pixels, Lattice(grid, inner, np.arange(49), light_first), grid)


def _trouble(window: Window) -> str:
    """Return why a window is no board, an empty text if it is one."""
    corners = window.grid.project(BOARD_CORNERS)
    if not np.all(np.isfinite(corners)):
        return "no rows of squares in alternating colours"
    few = "too few squares in alternating colours for a board of 8 by 8"
    if window.evidence < _LEAST_EVIDENCE or window.seen < _LEAST_SEEN:
        return few
    if window.beyond > _MOST_BEYOND:
        return "the squares go on beyond 8 by 8"
    if not window.agreeing:
        return few
    if window.margin < _LEAST_MARGIN or window.loose:
        return "it cannot be told which 8 by 8 of the squares are the board"
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.min() < 8 * _LEAST_SQUARE_PX:
        return "the squares are too small to be read"
    return ""


def _location(window: Window, hint: BoardLocation | None) -> BoardLocation:
    """Return the location with its corners named."""
    corners = np.array(_corners(window.grid))
    along, up = corners[1] - corners[0], corners[3] - corners[0]
    # Seen from above, with y down the picture, ranks lie to the left of files.
    if along[0] * up[1] - along[1] * up[0] > 0:
        corners = corners[[0, 3, 2, 1]]
    if window.light_first:
        corners = np.roll(corners, -1, axis=0)
    turned = np.roll(corners, 2, axis=0)
    if hint is not None:
        was = np.array(hint.corners)
        turn = np.linalg.norm(turned - was) < np.linalg.norm(corners - was)
    else:
        turn = turned[0] @ (-1.0, 1.0) > corners[0] @ (-1.0, 1.0)
    chosen = turned if turn else corners
    confidence = _confidence(window)
    named = tuple((float(x), float(y)) for x, y in chosen)
    return BoardLocation(
        (named[0], named[1], named[2], named[3]), confidence, window.grid.distortion
    )


def _confidence(window: Window) -> float:
    """Return how probable it is that a window is the board, and no other squares or places.

    The weakest of three signs decides: by how much it beats its neighbours, how many of its edges
    agree with the grid, how much evidence there is at all. Their scales were chosen on drawn boards
    and on drawn things that are none.
    """
    signs = (window.margin / 4.0, (window.agreeing - 0.3) * 20.0, window.evidence / 25.0)
    return float(1.0 / (1.0 + np.exp(-min(signs))))


def _corners(grid: Grid) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in grid.project(BOARD_CORNERS))
    return a, b, c, d
