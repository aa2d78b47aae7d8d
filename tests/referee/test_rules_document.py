"""The page about the rules is true: what it lists exists, and what it shows is so."""

import re
from pathlib import Path

import pytest

from referee.moves import parse_move, reason_against
from referee.position import parse_position, position_text
from referee.reasons import Reason
from referee.record import parse_record, record_text
from referee.rules import ALLOWED, Rules, value_text

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return what stands under a heading."""
    return PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def cells(text: str) -> list[list[str]]:
    """Return the rows of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


EXAMPLES = [
    (row[0].strip("`"), int(row[1]), row[2].strip("`"), row[3].strip("`"))
    for row in cells(section("Worked examples"))
]


def test_every_option_is_listed_with_its_values() -> None:
    """Options and values stand in the page in their order, the usual value first."""
    listed = {
        row[0].strip("`"): re.findall(r"`([^`]+)`", row[1]) for row in cells(section("Options"))
    }
    assert [*listed] == [*ALLOWED]
    for name, values in ALLOWED.items():
        usual = value_text(getattr(Rules(), name))
        assert listed[name][0] == usual
        assert sorted(listed[name]) == sorted(map(value_text, values))


def test_every_reason_is_listed_in_order() -> None:
    """The reasons stand in the order in which they are tried."""
    listed = [row[0].strip("`") for row in cells(section("Why a move is illegal"))]
    assert listed == [*Reason]


@pytest.mark.parametrize(("before", "die", "act", "ruling"), EXAMPLES)
def test_examples_are_ruled_as_written(before: str, die: int, act: str, ruling: str) -> None:
    """Each worked example is ruled so by the engine."""
    reason = reason_against(parse_position(before, Rules()), die, parse_move(act), Rules())
    assert (reason or "legal") == ruling


def test_there_are_examples() -> None:
    """The table of examples was found."""
    assert len(EXAMPLES) > 15


def test_the_sample_record_is_exact() -> None:
    """The sample record is written letter by letter as the writer writes it."""
    text = PAGE.split("```record\n", 1)[1].split("```", 1)[0]
    assert record_text(parse_record(text)) == text


def test_the_sample_position_is_exact() -> None:
    """The sample position is a position."""
    text = PAGE.split("```position\n", 1)[1].split("\n```", 1)[0]
    assert position_text(parse_position(text, Rules()), Rules()) == text
