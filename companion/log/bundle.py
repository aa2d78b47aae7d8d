"""All that is known of a game in one file: to report a fault with, and to play it again."""

import io
import json
import platform
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.profile import ProfileError, encode_picture, load_profile, profile_text
from companion.appliance.doctor import examine, settings_found
from companion.errors import InputError
from companion.log.blanking import Blank
from companion.log.clips import JPEG_QUALITY, LOOK_QUALITY, left_over
from companion.log.evidence import encoded
from companion.log.game_folder import CLIPS_NAME, TABLES_NAME
from companion.settings import PACKAGE
from hardware.archives import open_archive
from hardware.bundled import FRAMES_NAME

FORMAT: Final = 1
ABOUT_NAME: Final = "about.json"
DOCTOR_NAME: Final = "doctor.json"
GAME_FOLDER: Final = "game/"

_LIBRARIES: Final = ("numpy", "opencv-python", "pydantic", "rich", "click")


def write_bundle(folder: Path, *, whole_picture: bool = False) -> bytes:
    """Return an archive with the game in *folder*, what `pachisi doctor` finds, and versions.

    Args:
        folder: the game's folder.
        whole_picture: leave what is seen beside board and throwing zone.

    Raises:
        InputError: a file of the game cannot be read.
    """
    blank = None if whole_picture else Blank(folder)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT_NAME, _text(_about(folder, whole_picture)))
        archive.writestr(DOCTOR_NAME, _text(_findings(folder.parent)))
        for name, data in _files(folder):
            shown: bytes | None = data
            if blank is not None and name.startswith(f"{CLIPS_NAME}/"):
                shown = _blank_clip(data, blank)
            elif blank is not None and name.startswith(f"{TABLES_NAME}/"):
                shown = _blank_table(folder / name, blank)
            if shown is not None:
                archive.writestr(GAME_FOLDER + name, shown)
    return out.getvalue()


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a game by their names in its folder; none that is only linked there."""
    if (left := left_over(folder / CLIPS_NAME)) is not None:
        name, clip = left
        yield f"{CLIPS_NAME}/{name}", clip
    for path in sorted(folder.rglob("*")):
        if path.name.startswith(".") or path.is_symlink() or not path.is_file():
            continue
        try:
            yield path.relative_to(folder).as_posix(), path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _about(folder: Path, whole_picture: bool) -> dict[str, Any]:
    return {
        "bundle": FORMAT,
        "game": folder.name,
        "program": metadata.version(PACKAGE),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "whole_picture": whole_picture,
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return cv2.__version__ if package.startswith("opencv") else "?"


def _findings(games_dir: Path) -> list[dict[str, Any]]:
    """Return what `pachisi doctor` finds, the name of the person's home left out."""
    home = str(Path.home())
    settings, about_settings = settings_found()
    return [
        {name: value.replace(home, "~") if isinstance(value, str) else value
         for name, value in asdict(finding).items()}
        for finding in (about_settings, *examine(settings, games_dir))
    ]  # fmt: skip


def _blank_clip(data: bytes, blank: Blank) -> bytes | None:
    """Return a clip with its frames blackened; None where it cannot be read."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as blanked:
        try:
            with open_archive(io.BytesIO(data)) as clip:
                listed = json.loads(clip.read(FRAMES_NAME))
                for one in listed:
                    quality = LOOK_QUALITY if "look" in one else JPEG_QUALITY
                    data = _blank_jpeg(clip.read(one["name"]), blank, quality)
                    blanked.writestr(one["name"], data)
                blanked.writestr(FRAMES_NAME, json.dumps(listed))
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError):
            return None
    return out.getvalue()


def _blank_jpeg(data: bytes, blank: Blank, quality: int) -> bytes:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        return b""
    return encoded(blank.apply(np.asarray(pixels, np.uint8)), quality)


def _blank_table(path: Path, blank: Blank) -> bytes | None:
    """Return a table profile whose picture of the empty board is blackened; None if broken."""
    try:
        profile = load_profile(path)
        reference = encode_picture(blank.apply(profile.model().reference))
    except ProfileError:
        return None
    return profile_text(replace(profile, reference_jpeg=reference)).encode()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
