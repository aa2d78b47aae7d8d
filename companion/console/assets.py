"""The page's own files: read once, so that no request ever reaches the disk."""

import gzip
import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
    "txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page.

    Attributes:
        data: what is in it.
        packed: the same, compressed; None where that saves nothing.
        media_type: what it is.
        tag: tells one version of it from another.
    """

    data: bytes
    packed: bytes | None
    media_type: str
    tag: str


def load_assets() -> dict[str, Asset]:
    """Return the page's files by their names."""
    place = files(__package__) / "static"
    return {
        path.name: _asset(path.name, path.read_bytes())
        for path in place.iterdir()
        if path.is_file()
    }


def words(language: str) -> dict[str, str]:
    """Return the page's own words in a language."""
    found: dict[str, str] = json.loads(
        (files(__package__) / "static" / f"{language}.json").read_text(encoding="utf-8")
    )
    return found


def _asset(name: str, data: bytes) -> Asset:
    packed = gzip.compress(data, mtime=0)
    tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    small = packed if len(packed) < 0.9 * len(data) else None
    return Asset(data, small, _TYPES[name.rpartition(".")[2]], tag)
