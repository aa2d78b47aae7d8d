"""One frame to one reading: every stage of seeing, in order.

With a table profile the board's place, its empty look and the checkers' colours are known, and the
stages compare with them. Without one each stage finds out from the picture itself.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from tabletop import BoardLocation, Colour, DieReading, DieState, NoBoard, Reading, SquareReading
from vision.board import find_boards
from vision.dice import is_told_by_size, read_dice
from vision.die_view import view_table
from vision.frame import Frame, Picture
from vision.furniture import is_faint_one, is_tower_top, like_checker
from vision.known import AcceptedScene, square_readings
from vision.newcomers import see_changes
from vision.obscured import is_obscured, is_reached_over
from vision.rectify import square_side_px
from vision.scene import TableScene, see_table
from vision.squares import read_squares
from vision.table import TableModel

_SURE_DIE: Final = 0.9
"""From this probability of its value on a thing of a checker's size is a die, and no checker."""

_SMALL_PX: Final = 10.0
"""Where squares are narrower, a checker of half a square is five pixels wide. On labelled pictures
made smaller, surely wrong readings are no more from here on than on large ones; under 8 pixels,
where no board is found, they are ten times as many."""
_SURE_OF_SMALL: Final = 0.88

Clock = Callable[[], float]
"""Seconds that only ever rise, as `time.perf_counter` gives them."""


@dataclass(slots=True)
class StageTimer:
    """Notes how long each stage takes, on a clock that is handed in; without one, nothing."""

    clock: Clock | None = None
    elapsed_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Note the time that the body takes under *name*."""
        if self.clock is None:
            yield
            return
        begin = self.clock()
        yield
        self.elapsed_ms[name] = 1000.0 * (self.clock() - begin)


def read(
    frame: Frame, colours: tuple[Colour, ...] | None = None, clock: Clock | None = None
) -> Reading:
    """Return what *frame* shows of a table nothing is known of.

    Of several boards the one that is meant (`vision.board.find_boards`) is read.

    Args:
        frame: the picture.
        colours: the colours of the checkers that may be there; None where any may.
        clock: for `Reading.elapsed_ms`.
    """
    timer = StageTimer(clock)
    pixels = frame.pixels
    with timer.stage("total"):
        with timer.stage("board"):
            boards = find_boards(pixels)
        board, others = (boards, ()) if isinstance(boards, NoBoard) else (boards[0], boards[1:])
        with timer.stage("dice"):
            dice = read_dice(pixels, board if isinstance(board, BoardLocation) else None)
        squares: tuple[SquareReading, ...] = ()
        obscured = False
        if isinstance(board, BoardLocation):
            with timer.stage("squares"):
                squares = read_squares(pixels, board, colours, dice)
                if square_side_px(board) < _SMALL_PX:
                    squares = tuple(_hardly_seen(square) for square in squares)
                obscured = any(square.hidden for square in squares)
    return Reading(board, squares, dice, obscured, timer.elapsed_ms, others)


def read_table(
    frame: Frame,
    table: TableModel,
    location: BoardLocation | None = None,
    accepted: AcceptedScene | None = None,
    clock: Clock | None = None,
) -> tuple[Reading, AcceptedScene]:
    """Return what *frame* shows of a known table, and the scene to compare later ones with.

    Args:
        frame: the picture.
        table: what is known of the table.
        location: where the board lies now; None where it lies as at calibration.
        accepted: the scene last accepted, to tell which squares look changed.
        clock: for `Reading.elapsed_ms`.

    Raises:
        ValueError: the frame has another size than the camera had at calibration.
    """
    table.check_frame(frame)
    timer = StageTimer(clock)
    pixels, board = frame.pixels, location or table.location
    with timer.stage("total"):
        with timer.stage("dice"):
            changes = see_changes(pixels, table)
            dice = read_dice(pixels, board, table, changes)
        with timer.stage("squares"):
            scene, dice = _see_beside_dice(pixels, table, board, dice)
            squares = square_readings(scene, accepted)
        with timer.stage("obscured"):
            # Once the board was moved, all that it left and came to has changed.
            reached = board == table.location and is_reached_over(changes, scene, board)
            obscured = reached or is_obscured(scene)
    return Reading(board, squares, dice, obscured, timer.elapsed_ms), scene


def _hardly_seen(square: SquareReading) -> SquareReading:
    """Return the reading of a square that is too small in the picture to be sure of it."""
    left = tuple((stack, _SURE_OF_SMALL * chance) for stack, chance in square.options)
    return replace(square, options=left)


def _see_beside_dice(
    pixels: Picture, table: TableModel, board: BoardLocation, dice: tuple[DieReading, ...]
) -> tuple[TableScene, tuple[DieReading, ...]]:
    """Return what is seen of the table where no dice lie, and the dice that are no checkers.

    What has one faint pip may be a checker with a knob or a gleam, however sure: if one is seen
    there it is that, else it is a die.
    """
    sure = _surely_dice(pixels, dice, table, board)
    told = is_told_by_size(table)
    faint = [die for die in sure if not told and is_faint_one(pixels, die)]
    scene = see_table(pixels, table, board, [die for die in sure if die not in faint])
    dice = _no_towers(dice, scene, table)
    if any(die in dice for die in faint):
        scene = see_table(pixels, table, board, [die for die in sure if die in dice])
        dice = _no_towers(dice, scene, table)
    return scene, dice


def _no_towers(
    dice: tuple[DieReading, ...], scene: TableScene, table: TableModel
) -> tuple[DieReading, ...]:
    pose = scene.view.pose
    return tuple(die for die in dice if not is_tower_top(die, scene.towers, table, pose))


def _surely_dice(
    pixels: Picture, dice: Iterable[DieReading], table: TableModel, board: BoardLocation
) -> list[DieReading]:
    """Return the dice that are neither checkers nor parts of a hand.

    Where the die's size is known all of another size were left out already.
    """
    if is_told_by_size(table):
        return list(dice)
    view = view_table(board, table.size_wh)
    return [
        die
        for die in dice
        if die.confidence >= _SURE_DIE
        or (die.state is DieState.SETTLED and not like_checker(pixels, die, table, view))
    ]
