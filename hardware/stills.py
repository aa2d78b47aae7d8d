"""A folder of pictures, each a settled moment of a table."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.closing import Closing
from hardware.decoding import breaks_off, decode_picture
from hardware.ports import SourceError
from vision.frame import Frame, Picture

SPACING_S: Final = 2.0
"""How long the table stands still round each picture."""

ENDINGS: Final = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
"""How the names of pictures end, in either case."""

_log = logging.getLogger(__name__)


def read_picture(path: Path) -> Picture:
    """Read a picture file, turned upright as its camera noted.

    Raises:
        SourceError: there is no such file, or it is no picture that can be read.
    """
    # Decoded from memory: OpenCV's own reader fails without a word and trips over some names.
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device may never end.
            raise SourceError(f"{path} is no file but a folder, a pipe or a device")
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error
    if not content:
        raise SourceError(f"{path} is empty, not a picture")
    if breaks_off(content):
        raise SourceError(f"{path} breaks off: the rest of the picture is missing")
    picture = decode_picture(content)
    if picture is None:
        raise SourceError(f"{path} is no picture: JPEG, PNG and the like can be read")
    return picture


class Stills(Closing):
    """The pictures of a folder in the order of their names.

    A picture that cannot be read is left out: it is named in a warning and in `unreadable`.
    """

    def __init__(self, folder: Path) -> None:
        """List the pictures.

        Raises:
            SourceError: there is no such folder, or no picture in it.
        """
        if not folder.is_dir():
            raise SourceError(f"there is no folder {folder}")
        self._folder = folder
        self._paths = sorted(
            path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file()
        )
        if not self._paths:
            raise SourceError(f"the folder {folder} holds no picture ({', '.join(ENDINGS)})")
        self._unreadable: tuple[str, ...] = ()
        self._closed = False

    @property
    def name(self) -> str:
        """What the source is called."""
        return f"stills:{self._folder}"

    @property
    def live(self) -> bool:
        """Whether the table goes on without us: in pictures it stands."""
        return False

    @property
    def unreadable(self) -> tuple[str, ...]:
        """What was wrong with each picture that had to be left out."""
        return self._unreadable

    def frames(self) -> Iterator[Frame]:
        """Yield each picture, two seconds after the one before.

        Raises:
            SourceError: not one of them could be read.
        """
        self._unreadable = ()
        number = 0
        for path in self._paths:
            if self._closed:
                return
            try:
                pixels = read_picture(path)
            except SourceError as error:
                self._unreadable = (*self._unreadable, str(error))
                _log.warning("%s", error)
                continue
            yield Frame(pixels, at_s=number * SPACING_S, number=number, still=True, name=str(path))
            number += 1
        if number == 0:
            raise SourceError(f"no picture in the folder {self._folder} can be read")

    def close(self) -> None:
        """Stop reading; harmless when repeated."""
        self._closed = True
