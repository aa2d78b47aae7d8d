"""The simulated table: a board, checkers, a die and a hand before a camera that does not exist.

It draws the scenes that are handed to it; who plays, and how, is the script's business.
"""

from hardware.simulated.look import TableLook
from hardware.simulated.picture import render
from hardware.simulated.table import DEFAULT_FPS, SimulatedTable
from hardware.simulated.truth import DieTruth, SceneTruth, scene_truth, squares_of

__all__ = [
    "DEFAULT_FPS",
    "DieTruth",
    "SceneTruth",
    "SimulatedTable",
    "TableLook",
    "render",
    "scene_truth",
    "squares_of",
]
