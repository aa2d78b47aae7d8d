"""What is told of a picture that was read."""

from dataclasses import replace

import pytest

from companion.phrases.written import Written
from companion.reading import reading_json, reading_text
from tabletop import BoardLocation, Reading, SquareReading

BOARD = BoardLocation(((10.0, 90.0), (90.0, 90.0), (90.0, 10.0), (10.0, 10.0)), 0.98)
OTHER = BoardLocation(((110.0, 90.0), (190.0, 90.0), (190.0, 10.0), (110.0, 10.0)), 0.97)
READING = Reading(BOARD, (SquareReading((((), 1.0),)),) * 64)


def test_boards_that_are_not_read_are_told() -> None:
    """Programs are given their corners and how sure they are; of one board nothing more is said."""
    told = reading_json("a.jpg", replace(READING, others=(OTHER,)))["board"]
    assert told["corners"]["a1"] == [10.0, 90.0]
    assert [other["corners"]["a1"] for other in told["others"]] == [[110.0, 90.0]]
    assert [other["confidence"] for other in told["others"]] == [0.97]
    assert list(reading_json("a.jpg", READING)["board"]) == ["found", "corners", "confidence"]


@pytest.mark.parametrize(("language", "word"), [("en", "not read"), ("ru", "не прочитан")])
def test_people_are_told_of_boards_that_are_not_read(language: str, word: str) -> None:
    """In either language, and only where there are such."""
    words = Written(language)
    assert word not in reading_text("a.jpg", READING, words).plain
    for count in (1, 2, 5):
        several = replace(READING, others=(OTHER,) * count)
        assert word in reading_text("a.jpg", several, words).plain
