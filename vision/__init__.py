"""Pixels to readings: the board, the squares, the dice, hands, stillness.

What is offered here is imported when it is asked for: whoever needs a frame alone (a camera, say)
does not wait for all of seeing, which takes a Pi seconds.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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

_MODULES: Final = MappingProxyType(
    {
        "DieWatcher": "throws",
        "Frame": "frame",
        "Picture": "frame",
        "Stillness": "stillness",
        "TableModel": "table",
        "find_board": "board",
        "find_obscured": "obscured",
        "read": "reader",
        "read_dice": "dice",
        "read_squares": "squares",
        "read_table": "reader",
    }
)


def __getattr__(name: str) -> Any:
    """Return what is offered as *name*, importing the module that holds it."""
    if name not in _MODULES:
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    return getattr(import_module(f"vision.{_MODULES[name]}"), name)
