"""The last frames of a game out of the bundle in which somebody reported a fault."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hardware.archives import open_archive
from hardware.closing import Closing
from hardware.decoding import decode_picture
from hardware.ports import SourceError
from vision.frame import Frame

CLIPS_FOLDER: Final = "game/clips/"
"""Where a bundle has its clips, archives themselves; their names sort by time."""
FRAMES_NAME: Final = "frames.json"
"""What a clip says of its frames."""


class BundledClip(Closing):
    """The frames of one clip of a bundle, with the times at which they were seen.

    Attributes:
        lines: for each frame, how many lines the game's log had when it was seen.
        told: for each frame, all that the clip tells of it.
    """

    def __init__(self, path: Path, clip: str | None = None) -> None:
        """Open the *clip* called so, of those that `clip_names` names; the last by default.

        Raises:
            SourceError: the file is no bundle, or there is no such clip in it.
        """
        self._path: Final = path
        names = clip_names(path)
        if not names:
            raise SourceError(f"{path} holds no frames: none were kept of this game")
        self._clip: Final = clip or names[-1]
        try:
            with open_archive(path) as bundle:
                self._data: Final = bundle.read(self._clip)
            with open_archive(io.BytesIO(self._data)) as archive:
                self._listed = list(json.loads(archive.read(FRAMES_NAME)))
            self.told: Final[tuple[Any, ...]] = tuple(self._listed)
            self.lines: Final = tuple(int(one["line"]) for one in self._listed)
        except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError) as error:
            raise SourceError(f"{path}: its clip {self._clip} cannot be read: {error}") from error
        self._closed = False

    @property
    def name(self) -> str:
        """What the source is called."""
        return f"bundle:{self._path}"

    @property
    def live(self) -> bool:
        """Whether the table goes on without us: in a bundle it waits."""
        return False

    def frames(self) -> Iterator[Frame]:
        """Yield the frames.

        Raises:
            SourceError: one of them cannot be read.
        """
        for number, told in enumerate(self._listed):
            if self._closed:
                return
            try:
                with open_archive(io.BytesIO(self._data)) as archive:
                    pixels = decode_picture(archive.read(told["name"]))
                at_s, still = float(told["at_s"]), bool(told["still"])
            except (KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
                raise SourceError(f"{self.name}: frame {number} cannot be read: {error}") from error
            if pixels is None:
                raise SourceError(f"{self.name}: frame {number} is no picture")
            yield Frame(pixels, at_s, number, still, f"{self.name} {number}")

    def close(self) -> None:
        """Stop reading; harmless when repeated."""
        self._closed = True


def clip_names(path: Path) -> tuple[str, ...]:
    """Return the names of the clips in the bundle at *path*, oldest first.

    Raises:
        SourceError: there is no such file, or it is no bundle.
    """
    try:
        with open_archive(path) as bundle:
            names = bundle.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise SourceError(f"{path} is no bundle of a game that can be read: {error}") from error
    return tuple(
        sorted(name for name in names if name.startswith(CLIPS_FOLDER) and name[-1] != "/")
    )
