"""What is read in tables, on plots and in reports, in both languages."""

import re
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest
from fluent.syntax import ast, parse

from companion import phrases
from companion.cli import run
from companion.phrases.written import Written
from tests.companion.journals import knock_out, write


def messages(language: str) -> dict[str, set[str]]:
    """Return for each message of a language what stands in it."""
    text = (files(phrases) / f"written.{language}.ftl").read_text(encoding="utf-8")
    body = parse(text).body
    assert not [entry for entry in body if isinstance(entry, ast.Junk)]
    found = [entry for entry in body if isinstance(entry, ast.Message)]
    return {entry.id.name: set(re.findall(r"\$(\w+)", _source(text, entry))) for entry in found}


def _source(text: str, entry: ast.Message) -> str:
    assert entry.span is not None
    return text[entry.span.start : entry.span.end]


def test_both_languages_have_the_same_words() -> None:
    """Expect every message in both, with the same places to fill."""
    assert messages("en") == messages("ru")


def test_what_is_not_there_is_an_error() -> None:
    """Expect a message, a place or a language that is missing to be named."""
    words = Written("ru")
    assert words("squares", count=31) == "31 поле"
    assert words("squares", count=12) == "12 полей"
    with pytest.raises(LookupError, match="nonsense"):
        words("nonsense")
    with pytest.raises(LookupError, match="owes"):
        words("owes", payer="Anna")
    with pytest.raises(ValueError, match="'de'"):
        Written("de")


@pytest.mark.parametrize(
    ("command", "english", "russian"),
    [
        ("list", "unfinished", "не окончена"),
        ("show {}", "21 points in the bank", "в банке 21"),
        ("verify {}", "right (29 events", "верно (29 событий"),
        ("stats", "the die: 11 throws", "кубик: бросков 11"),
        ("list --player Nobody", "no game is so", "таких партий нет"),
        ("stats --evening 2020-01-01", "no game is counted", "считать нечего"),
    ],
)
def test_games_are_told_in_either_language(
    tmp_path: Path,
    command: str,
    english: str,
    russian: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expect tables and reports in the language that is asked for."""
    folder = write(tmp_path, knock_out())
    for language, expected, not_expected in (("en", english, russian), ("ru", russian, english)):
        words = command.format(folder.name).split()
        assert run(["games", *words, "--games", str(tmp_path), "--language", language]) == 0
        out = capsys.readouterr().out
        assert expected in out
        assert not_expected not in out


def test_a_picture_is_read_in_either_language(
    table: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Expect the board's corners and what stands there, or that there is no board."""
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((240, 320, 3), 120, np.uint8))
    pictures = [str(table / "frames" / "007.png"), str(grey)]
    assert run(["read", *pictures, "--language", "ru"]) == 0
    out = capsys.readouterr().out
    assert "доска (" in out
    assert "доски нет: " in out
    assert "кубик в " in out
