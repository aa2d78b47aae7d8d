"""The page's own files: small, whole, and nothing in them that a name could turn into markup."""

import gzip
import json
import re

import pytest

from companion.console.assets import load_assets
from companion.phrases.catalogue import Catalogue

ASSETS = load_assets()
SCRIPTS = {name: asset.data.decode() for name, asset in ASSETS.items() if name.endswith(".js")}
OWN = {name: text for name, text in SCRIPTS.items() if name != "preact.js"}


def words(language: str) -> dict[str, str]:
    """Return the page's words in a language."""
    found: dict[str, str] = json.loads(ASSETS[f"{language}.json"].data)
    return found


def test_everything_weighs_little() -> None:
    """All that the page is made of comes to less than 200 kB, and packed to a third of that."""
    loaded = [asset for name, asset in ASSETS.items() if name not in ("licences.txt",)]
    assert sum(len(asset.data) for asset in loaded) < 200_000
    assert sum(len(asset.packed or asset.data) for asset in loaded) < 70_000


def test_packed_files_are_the_same() -> None:
    """What is sent compressed is what stands in the file."""
    for asset in ASSETS.values():
        assert asset.packed is None or gzip.decompress(asset.packed) == asset.data


def test_nothing_is_fetched_from_outside() -> None:
    """No file names an address elsewhere, but for the names of languages and licences."""
    for name, asset in ASSETS.items():
        if name in ("licences.txt", "icon-192.png"):
            continue
        found = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}", asset.data.decode()))
        assert found <= {"http://www.w3.org"}, name


@pytest.mark.parametrize("name", OWN)
def test_names_are_text_and_never_markup(name: str) -> None:
    """No script of ours makes markup or code out of text."""
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    assert not re.search(forbidden + "|dangerouslySetInnerHTML|javascript:", OWN[name])


def test_nothing_stands_inline() -> None:
    """Scripts and styles are files of their own, as the content policy demands."""
    page = ASSETS["index.html"].data.decode()
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)


def test_both_languages_say_the_same_things() -> None:
    """Every phrase is there in both, with the same places to fill."""
    english, russian = words("en"), words("ru")
    assert english.keys() == russian.keys()
    for key, phrase in english.items():
        places = [sorted(re.findall(r"\{\w+\}", text)) for text in (phrase, russian[key])]
        assert places[0] == places[1], key


def test_every_phrase_is_there_and_used() -> None:
    """What the scripts say is in the table, and the table holds nothing else."""
    said = "\n".join(OWN.values())
    fixed = set(re.findall(r"""\bt\(\s*"([^"]+)\"""", said))
    begun = tuple(re.findall(r"`([a-z]+-)\$\{", said))
    quoted = set(re.findall(r"""["']([a-z0-9-]+)["']""", said))
    table = words("en")
    assert fixed <= table.keys()
    assert not {key for key in table if key not in quoted and not key.startswith(begun)}


def test_every_unit_that_is_said_rightly_is_offered() -> None:
    """Those of whose sums the referee knows the plurals have a name on the page, and only they."""
    known = {name for name in Catalogue("en").messages if name.startswith("amount-")}
    offered = {f"amount-{key[5:]}" for key in words("ru") if key.startswith("unit-")}
    assert offered == known - {"amount-other"}
