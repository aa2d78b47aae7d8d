"""What is refused is refused in the language of the page: every reason has its Russian words."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.console.assets import load_assets
from tests.test_architecture import ROOT

RUSSIAN: dict[str, str] = json.loads(load_assets()["ru-refused.json"].data)
SOURCES = (
    *(ROOT / "referee").glob("*.py"),
    ROOT / "companion" / "loop.py",
    *(ROOT / "companion" / "console").glob("*.py"),
)
REFUSE = {"CommandError", "SetUpError", "HTTPException", "TooManyError"}


def text_of(node: ast.expr) -> str | None:
    """Return a text written in the program, what is put into it standing as X; None for others."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "X" for one in node.values]
        return "".join(str(part) for part in parts)
    return None


def refusals() -> Iterator[tuple[Path, str]]:
    """Yield every text with which the program refuses what people ask for on the page."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id not in REFUSE:
                    continue
                said = node.args[1:] if node.func.id == "HTTPException" else node.args[:1]
                yield from ((path, text) for one in said if (text := text_of(one)) is not None)


def matches(text: str) -> list[str]:
    """Return the reasons among those translated that *text* can be."""
    found = []
    for said in RUSSIAN:
        plain = [re.escape(part) for part in re.split(r"\{\w+\}", said)]
        if re.fullmatch("(.+)".join(plain), text):
            found.append(said)
    return found


# A page of ours never sends such requests: who gets these reads the description of the requests.
NOT_FROM_A_PAGE = {
    "send application/json",
    "the request did not end",
    "the request is too large",
    "view: board or camera",
}


@pytest.mark.parametrize(("path", "text"), sorted(set(refusals())), ids=lambda one: str(one)[-40:])
def test_every_refusal_is_known(path: Path, text: str) -> None:
    """One reason fits what the program says, so that nobody reads English by surprise."""
    if text not in NOT_FROM_A_PAGE:
        assert len(matches(text)) == 1, path


def test_what_is_put_in_is_there_in_both() -> None:
    """A Russian reason takes nothing that the English one does not give."""
    for said, instead in RUSSIAN.items():
        assert set(re.findall(r"\{\w+\}", instead)) <= set(re.findall(r"\{\w+\}", said)), said
