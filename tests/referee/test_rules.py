"""Options: their names, their values, their texts."""

import random
from dataclasses import FrozenInstanceError

import pytest

from referee.rules import (
    ALLOWED,
    Corner,
    EntryRule,
    Rules,
    changed_options,
    checked_value,
    options_text,
    parse_option,
    parse_options,
    rules_from,
    value_text,
)
from tests.referee.random_positions import VARIANTS, random_rules


def test_the_usual_rules_have_nothing_to_write() -> None:
    """The default rules are an empty text, both ways."""
    assert options_text(Rules()) == ""
    assert parse_options("") == Rules()
    assert changed_options(Rules()) == {}


@pytest.mark.parametrize("rules", VARIANTS, ids=options_text)
def test_each_option_survives_its_text(rules: Rules) -> None:
    """Every value of every option is written and read back."""
    assert parse_options(options_text(rules)) == rules


def test_joint_options_survive_their_text() -> None:
    """Rules with many changes are written and read back, in any order of the parts."""
    rng = random.Random(1)
    for _ in range(200):
        rules = random_rules(rng)
        parts = options_text(rules).split("; ")
        rng.shuffle(parts)
        assert parse_options(" ;".join(parts)) == rules


def test_only_differences_are_written() -> None:
    """Options stand in their usual order with the changed ones only."""
    rules = Rules(home_capacity=1, corner=Corner.SHARE, must_move=False)
    assert options_text(rules) == "corner=share; home_capacity=1; must_move=false"


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("corner=share", ("corner", Corner.SHARE)),
        (" Home-Capacity = 1 ", ("home_capacity", 1)),
        ("geometry=b", ("geometry", "B")),
        ("must_hit=TRUE", ("must_hit", True)),
        ("idle_tries=3", ("idle_tries", 3)),
    ],
)
def test_option_is_read(text: str, option: tuple[str, object]) -> None:
    """An option is read in either case, with hyphens and spaces."""
    assert parse_option(text) == option


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("corner", "'corner' is not NAME=VALUE, as in corner=share"),
        ("cornr=share", "'cornr' is no option of the rules: did you mean 'corner'?"),
        ("sheep=1", "'sheep' is no option of the rules: options are geometry, corner"),
        ("corner=shar", "corner cannot be 'shar': choose from block, share, hit, pass; did you"),
        ("home_capacity=2", "home_capacity cannot be '2': choose from 0, 1"),
        ("must_hit=1", "must_hit cannot be '1': choose from true, false"),
        ("idle_tries=0", "idle_tries cannot be '0': choose from 1, 2, 3"),
    ],
)
def test_wrong_option_is_refused(text: str, said: str) -> None:
    """The message gives the text and what is allowed, and a near word where there is one."""
    with pytest.raises(ValueError, match=said.replace("?", r"\?")):
        parse_option(text)


def test_an_option_given_twice_is_refused() -> None:
    """Two values for one option contradict each other."""
    with pytest.raises(ValueError, match="corner is given twice in 'corner=hit; corner=share'"):
        parse_options("corner=hit; corner=share")


def test_values_may_come_as_texts_or_themselves() -> None:
    """Values from a file become what they mean, and wrong ones are refused at once."""
    assert rules_from({"corner": "share", "must_hit": True, "idle_tries": "2"}) == Rules(
        corner=Corner.SHARE, must_hit=True, idle_tries=2
    )
    assert Rules(entry="compulsory").entry is EntryRule.COMPULSORY  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="stack cannot be 'wall'"):
        Rules(stack="wall")  # type: ignore[arg-type]


def test_options_are_changed_in_a_copy() -> None:
    """Changing options leaves the rules as they were and keeps what was changed before."""
    rules = Rules(corner=Corner.HIT)
    changed = rules.with_options({"must-hit": "true"})
    assert rules == Rules(corner=Corner.HIT)
    assert changed == Rules(corner=Corner.HIT, must_hit=True)
    with pytest.raises(FrozenInstanceError):
        changed.must_hit = False  # type: ignore[misc]


def test_equal_rules_are_one_key() -> None:
    """Rules made in different ways are equal and have the same hash."""
    assert len({Rules(), rules_from({"corner": "block"}), parse_options("corner=block")}) == 1


def test_every_value_has_a_text() -> None:
    """Each allowed value is found again by its text."""
    for name, values in ALLOWED.items():
        for value in values:
            assert checked_value(name, value_text(value)) == value
