"""A ratchet: pictures of two played games, calibrated on their own first two pictures."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import TableProfile, fit_table
from tabletop import SQUARE_NAMES, Colour, contents, parse_seats
from vision.frame import Frame, Picture
from vision.known import square_readings
from vision.obscured import is_obscured
from vision.scene import see_table
from vision.table import TableModel

PICTURES = Path(__file__).parents[1] / "data" / "pictures" / "known"
LABELS = json.loads((PICTURES / "labels.json").read_text(encoding="utf-8"))
CASES = [
    pytest.param(game, label, id=label["image"])
    for game, labels in LABELS.items()
    for label in labels["pictures"]
]


def load(name: str) -> Picture:
    """Return a picture of the ratchet."""
    return np.asarray(cv2.imread(str(PICTURES / name)), dtype=np.uint8)


@lru_cache(maxsize=2)
def profile_of(game: str) -> TableProfile:
    """Return the profile of a game's table."""
    empty, homes = (Frame(load(f"{game}-{which}.jpg")) for which in ("empty", "homes"))
    profile = fit_table(empty, homes, parse_seats(LABELS[game]["seats"]))
    assert isinstance(profile, TableProfile), profile
    return profile


@lru_cache(maxsize=2)
def model_of(game: str) -> TableModel:
    """Return what vision knows of a game's table."""
    return profile_of(game).model()


@pytest.mark.parametrize("game", list(LABELS))
def test_the_board_lies_as_labelled(game: str) -> None:
    """All four corners are within three hundredths of a square, a1 being the right one."""
    truth = np.array([LABELS[game]["corners"][name] for name in ("a1", "h1", "h8", "a8")])
    square_px = float(np.linalg.norm(truth[1] - truth[0])) / 8
    found = np.array(profile_of(game).location.corners)
    np.testing.assert_allclose(found, truth, atol=0.03 * square_px)


@pytest.mark.parametrize(("game", "label"), CASES)
def test_a_picture_is_read(game: str, label: dict[str, Any]) -> None:
    """Hands are told; without one every square is right in colour and count."""
    scene = see_table(load(label["image"]), model_of(game))
    assert is_obscured(scene) == label["hand"]
    if label["hand"]:
        return
    read = {
        SQUARE_NAMES[at]: reading.best
        for at, reading in enumerate(square_readings(scene))
        if reading.best
    }
    truth = {name: contents(*map(Colour, held)) for name, held in label["squares"].items()}
    assert read == truth
