"""A ratchet: what the reader of dice can do with a fixed choice of pictures stays done."""

import json
from collections import Counter
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from tabletop import BoardLocation, Box
from vision.dice import read_dice

FOLDER = Path(__file__).parent.parent / "data" / "pictures" / "dice"
SURE = 0.9


def centre(box: Box) -> tuple[float, float]:
    """Return the middle of a box."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Read every picture once and count what comes of it."""
    counts: Counter[str] = Counter()
    for label in json.loads((FOLDER / "labels.json").read_text()):
        pixels = np.asarray(cv2.imread(str(FOLDER / label["image"])), np.uint8)
        corners = label["corners"]
        location = None
        if corners:
            a1, h1, h8, a8 = (tuple(corners[name]) for name in ("a1", "h1", "h8", "a8"))
            location = BoardLocation((a1, h1, h8, a8))
        found = list(read_dice(pixels, location))
        for die in label["dice"]:
            reach = 0.9 * max(die["box"][2:])
            near = [
                d
                for d in found
                if dist(centre(d.box), centre(die["box"])) < max(reach, 0.6 * max(d.box[2:]))
            ]
            seen = min(near, key=lambda d: dist(centre(d.box), centre(die["box"])), default=None)
            if seen is not None:
                found.remove(seen)
            if die["ambiguous"]:
                continue
            value = seen.value if seen else None
            if die["cocked"]:
                counts["cocked"] += 1
                counts["cocked read as settled"] += value is not None
            else:
                counts["dice"] += 1
                counts["right"] += value == die["value"]
                wrong = value is not None and value != die["value"]
                counts["wrong"] += wrong
                counts["surely wrong"] += wrong and seen is not None and seen.confidence >= SURE
        counts["ghosts"] += sum(d.value is not None for d in found)
    return counts


def test_most_dice_are_read(tally: Counter[str]) -> None:
    """The share of dice read rightly never falls again."""
    assert tally["right"] >= LEAST_RIGHT * tally["dice"]


def test_no_value_is_surely_wrong(tally: Counter[str]) -> None:
    """A wrong value is never given with a confidence of 0.9 or more."""
    assert tally["surely wrong"] == 0


def test_few_values_are_wrong(tally: Counter[str]) -> None:
    """Not knowing is an answer, a wrong value is none."""
    assert tally["wrong"] == 0


def test_no_die_is_seen_where_none_is(tally: Counter[str]) -> None:
    """No value is given for what is not a die."""
    assert tally["ghosts"] == 0


def test_no_die_that_leans_is_settled(tally: Counter[str]) -> None:
    """A die that leans or rolls has no value."""
    assert tally["cocked"] > 0
    assert tally["cocked read as settled"] == 0


LEAST_RIGHT = 0.95
