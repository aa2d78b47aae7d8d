import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.measuring.evaluate import (
    Share,
    fault_text,
    figures,
    reliability,
    score_picture,
    worst_pictures,
)
from companion.measuring.labels import DieLabel, Label, load_labels
from companion.measuring.reliability import Said, bins, calibration_error
from tabletop import (
    SQUARES,
    BoardLocation,
    Colour,
    Contents,
    DieReading,
    DieState,
    NoBoard,
    Point,
    Reading,
    SquareReading,
    parse_square,
)

CORNERS: tuple[Point, Point, Point, Point] = ((0, 800), (800, 800), (800, 0), (0, 0))
B1, G8 = parse_square("b1"), parse_square("g8")
STANDS: dict[int, Contents] = {B1: (Colour.RED, Colour.RED), G8: (Colour.BLUE,)}
LABEL = Label(Path("a.jpg"), corners=CORNERS, squares=STANDS)


def board(
    shown: dict[int, Contents], corners: tuple[Point, Point, Point, Point] = CORNERS
) -> Reading:
    """Return a reading of a board on which *shown* stands."""
    squares = tuple(SquareReading(((shown.get(at, ()), 0.99),)) for at in SQUARES)
    return Reading(BoardLocation(corners), squares)


def die(x: float, value: int, sure: float = 0.95, state: DieState = DieState.SETTLED) -> DieReading:
    """Return a die of 20 pixels at *x* that reads *value*."""
    one, two, three, four, five, six = (
        sure if face == value else (1 - sure) / 5 for face in range(1, 7)
    )
    return DieReading((x, 0, 20, 20), (one, two, three, four, five, six), state)


def test_a_right_reading_has_no_fault() -> None:
    """Expect all squares right, and half a turn to make no difference."""
    upright = score_picture(LABEL, board(STANDS))
    turned = {63 - at: there for at, there in STANDS.items()}
    round_about = score_picture(LABEL, board(turned, (*CORNERS[2:], *CORNERS[:2])))
    for score in (upright, round_about):
        assert score.found
        assert (score.judged, score.occupied, score.wrong_count) == (64, 2, ())
        assert fault_text(score) == ""


def test_wrong_colours_and_counts_are_told_apart() -> None:
    """Expect a missing checker of two to be wrong in count alone."""
    score = score_picture(LABEL, board({B1: (Colour.RED,), G8: (Colour.RED,)}))
    assert score.wrong_colour == (G8,)
    assert score.wrong_count == (B1, G8)
    assert score.wrong_occupied == 1


def test_a_board_off_by_more_than_a_sixth_of_a_square_is_not_found() -> None:
    """Expect 0.14 of a square to be near enough and 0.16 not, and no squares compared then."""
    near = score_picture(LABEL, board(STANDS, ((14, 800), *CORNERS[1:])))
    far = score_picture(LABEL, board(STANDS, ((16, 800), *CORNERS[1:])))
    assert near.found
    assert (far.found, far.judged) == (False, 0)
    assert "off by 0.16" in fault_text(far)


def test_a_board_where_none_is_counts_as_a_ghost() -> None:
    """Expect a label without a board to forbid one."""
    label = Label(Path("a.jpg"), corners=())
    assert score_picture(label, board({})).ghost_board
    assert not score_picture(label, Reading(NoBoard("dark"))).ghost_board


def test_dice_are_paired_by_place_and_judged_by_value() -> None:
    """Expect right, unsure, surely wrong, cocked, ambiguous and unlabelled dice to count apart."""
    label = Label(
        Path("a.jpg"),
        dice=tuple(
            DieLabel((100.0 * place, 0, 20, 20), value, cocked, ambiguous)
            for place, (value, cocked, ambiguous) in enumerate(
                [(1, False, False), (2, False, False), (3, False, False), (None, True, False),
                 (None, True, False), (4, False, True)]
            )
        ),
    )  # fmt: skip
    found = (
        die(2, 1),
        die(100, 2, state=DieState.UNREADABLE),
        die(203, 4),
        die(300, 5),
        die(400, 5, state=DieState.COCKED),
        die(500, 6),
        die(900, 6),
    )
    score = score_picture(label, Reading(NoBoard("-"), (), found))
    assert score.dice == Counter(
        {"right": 1, "unsure": 1, "wrong": 1, "surely wrong": 1, "cocked": 2, "cocked settled": 1,
         "ghosts": 1}
    )  # fmt: skip


def test_figures_sum_over_a_set_and_name_its_worst() -> None:
    """Expect shares of what there was to judge and no others, and the bad picture named."""
    good = score_picture(LABEL, board(STANDS))
    lost = score_picture(Label(Path("b.jpg"), corners=CORNERS), Reading(NoBoard("dark")))
    sums = figures((good, lost))
    assert sums["boards found"] == Share(1, 2)
    assert sums["squares right in colour"] == Share(64, 64)
    assert "dice right" not in sums
    assert worst_pictures((good, lost), 5) == (lost,)
    assert fault_text(lost) == "no board found"


def test_labels_are_read_from_a_set(tmp_path: Path) -> None:
    """Expect what is there, and None for what is not said."""
    (tmp_path / "labels.json").write_text(
        json.dumps(
            [
                {"image": "a.jpg", "corners": None},
                {
                    "image": "b.jpg",
                    "colours": ["red"],
                    "corners": {"a1": [0, 9], "h1": [9, 9], "h8": [9, 0], "a8": [0, 0]},
                    "squares": {"b1": ["red"]},
                    "unknown": ["c1"],
                    "dice": [{"box": [1, 2, 3, 4], "value": 5}],
                },
            ]
        )
    )
    bare, full = load_labels(tmp_path)
    assert bare == Label(tmp_path / "a.jpg", corners=())
    assert full == Label(
        tmp_path / "b.jpg",
        colours=(Colour.RED,),
        corners=((0, 9), (9, 9), (9, 0), (0, 0)),
        squares={B1: (Colour.RED,)},
        unknown=frozenset({parse_square("c1")}),
        dice=(DieLabel((1, 2, 3, 4), 5),),
    )


@pytest.mark.parametrize(
    "text", ["{", "{}", "[1]", '[{"squares": {}}]', '[{"image": "a", "colours": [1]}]']
)
def test_a_set_without_sound_labels_is_refused(tmp_path: Path, text: str) -> None:
    """Expect the file to be named where it is missing or no list of labels."""
    with pytest.raises(InputError, match="cannot be read"):
        load_labels(tmp_path)
    (tmp_path / "labels.json").write_text(text)
    with pytest.raises(InputError, match=r"labels\.json is no list"):
        load_labels(tmp_path)


def test_answers_are_sorted_by_how_sure_they_were() -> None:
    """Expect every judged square, the board and each value given to count once, right or wrong."""
    wrong = board({B1: (Colour.GREEN,), G8: (Colour.BLUE,)})
    label = replace(LABEL, dice=(DieLabel((100, 0, 20, 20), 5),))
    reading = Reading(wrong.board, wrong.squares, dice=(die(100, 5, 0.85), die(300, 2, 0.65)))
    answers = reliability((score_picture(label, reading),))
    assert answers["squares"][9].count == 64
    assert answers["squares"][9].right == 63
    assert [(one.count, one.right) for one in answers["dice"]][6:] == [
        (1, 0),
        (0, 0),
        (1, 1),
        (0, 0),
    ]
    assert (answers["board"][9].count, answers["board"][9].right) == (1, 1)


def test_the_calibration_error_is_the_distance_of_said_and_right() -> None:
    """Expect 8 right of 10 said with 0.9, and 3 of 10 said with 0.35, to be off by 0.075."""
    answers = [Said(0.9, number < 8) for number in range(10)]
    answers += [Said(0.35, number < 3) for number in range(10)]
    assert calibration_error(bins(answers)) == pytest.approx(0.075)
    assert calibration_error(bins(())) == 0
