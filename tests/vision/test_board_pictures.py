"""A ratchet: boards in photographs and path-traced scenes, and pictures without one."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tabletop import BoardLocation, NoBoard
from tests.vision.drawn_boards import corner_error
from vision.board import find_board
from vision.frame import Picture

PICTURES = Path(__file__).parent.parent / "data" / "pictures" / "boards"
LABELS = json.loads((PICTURES / "labels.json").read_text())
WITH = [label for label in LABELS if label["corners"]]
WITHOUT = [label for label in LABELS if not label["corners"]]
# The labels of the photographs were set by hand and are good to some hundredths of a square.
WORST_DRAWN = 0.08
WORST_PHOTOGRAPH = 0.14


def load(name: str) -> Picture:
    """Return a picture of the set."""
    picture = cv2.imread(str(PICTURES / name))
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


@pytest.mark.parametrize("label", WITH, ids=[label["image"] for label in WITH])
def test_the_board_is_found(label: dict[str, dict[str, list[float]]]) -> None:
    """Each board is found, all corners right to a fraction of a square; at rest it stays there."""
    name = str(label["image"])
    picture = load(name)
    location = find_board(picture)
    assert isinstance(location, BoardLocation), location
    true = np.array([label["corners"][corner] for corner in ("a1", "h1", "h8", "a8")])
    worst = WORST_DRAWN if name.startswith("table-") else WORST_PHOTOGRAPH
    assert corner_error(true, location.corners) < worst
    assert find_board(picture, location) is location


@pytest.mark.parametrize("label", WITHOUT, ids=[label["image"] for label in WITHOUT])
def test_no_board_is_seen(label: dict[str, str]) -> None:
    """Carpets, trays and checked cloths are no boards."""
    assert isinstance(find_board(load(label["image"])), NoBoard)
