"""Pixels to readings: the board, the squares, the dice, hands, stillness."""

from vision.board import find_board
from vision.dice import read_dice
from vision.frame import Frame, Picture
from vision.obscured import find_obscured
from vision.reader import read, read_table
from vision.squares import read_squares
from vision.stillness import Stillness
from vision.table import TableModel
from vision.throws import DieWatcher

__all__ = [
    "DieWatcher",
    "Frame",
    "Picture",
    "Stillness",
    "TableModel",
    "find_board",
    "find_obscured",
    "read",
    "read_dice",
    "read_squares",
    "read_table",
]
