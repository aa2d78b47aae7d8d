"""The measuring of labelled sets: what counts as right, and the page that is written."""

from pathlib import Path
from typing import Any

from tools.figures import Measured, about_pictures, compare, page, rulings, wrong_squares

TRUTH = [
    ("die_thrown", "red", 4),
    ("checker_moved", "red", "b1", "f1"),
    ("throw_passed", "blue"),
]


def test_only_rulings_count_and_only_by_their_fields() -> None:
    """Expect confidences and what follows from a move to be left out."""
    lines = [
        {"kind": "die_thrown", "event": {"colour": "red", "value": 4, "confidence": 0.7}},
        {"kind": "extra_throw", "event": {"seat": "D4", "reason": "six"}},
        {"kind": "illegal_move", "event": {"seat": "D4", "reason": "blocked"}},
    ]
    assert rulings(lines) == [("die_thrown", "red", 4), ("illegal_move", "blocked")]


def test_rulings_are_compared_in_order() -> None:
    """Expect the same game to agree wholly, and a move never made to be counted as invented."""
    assert compare(TRUTH, TRUTH) == (3, 0, ())
    other = [TRUTH[0], ("checker_moved", "red", "b1", "e1"), TRUTH[2]]
    same, invented, differences = compare(TRUTH, other)
    assert (same, invented) == (2, 1)
    assert differences == ("wanted checker_moved red b1 f1; got checker_moved red b1 e1",)
    assert compare(TRUTH, TRUTH[:1])[:2] == (1, 0)


def test_squares_are_compared_by_colour_and_by_count() -> None:
    """Expect a missing checker of two to be wrong in count alone, a stray one in both."""
    read = {"b1": [{"colour": "red"}], "c1": [{"colour": "blue"}]}
    assert wrong_squares({"b1": ["red", "red"]}, read) == {"colour": 1, "count": 2}
    assert wrong_squares({"b1": ["red"]}, {"b1": [{"colour": "red"}]}).total() == 0


def test_the_page_names_sets_machine_and_speeds() -> None:
    """Expect a table for each set, its worst pictures, and the speed of each stage."""
    one = Measured("boards", "2 pictures with 2 boards", (("boards found", "1 of 2 = 50.0 %"),),
                   ("b.jpg: no board found",), {})  # fmt: skip
    fast = [{"name": "a frame at rest", "median_ms": 1.5, "slow_ms": 2.0, "each_second": 666.7}]
    text = page([one], [Path("docs/pictures/sure-board.png")], fast)
    assert "## boards\n\n2 pictures with 2 boards.\n" in text
    assert "| boards found | 1 of 2 = 50.0 % |" in text
    assert "- b.jpg: no board found" in text
    assert "| a frame at rest | 1.500 | 2.000 | 667 |" in text
    assert "![sure-board](pictures/sure-board.png)" in text
    assert "Python 3." in text


def test_a_set_is_described_by_what_is_in_it() -> None:
    """Expect kinds of pictures, boards and dice to be counted."""
    labels: list[dict[str, Any]] = [
        {"kind": "real", "corners": {"a1": [0, 0]}, "dice": [{}, {}]},
        {"kind": "real"},
    ]
    assert about_pictures(labels) == "2 photographs with 1 boards and 2 labelled dice"
