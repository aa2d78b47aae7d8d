"""Opening archives that others made: cut short, damaged, locked, or meant to fill the memory."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

MOST_BYTES: Final = 1_000_000_000
"""Of all files of an archive unpacked: twice what pictures of all games take unless it is set."""


@contextmanager
def open_archive(file: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Open the archive in *file* for reading, and close it at the end.

    Whatever is wrong with what is read while it is open is told as one kind of error.

    Raises:
        OSError: the file cannot be read.
        zipfile.BadZipFile: it is no archive, is damaged or locked, or would unpack to too much.
    """
    if isinstance(file, Path) and file.exists() and not file.is_file():
        # A pipe or a device may never end.
        raise zipfile.BadZipFile("it is no file but a folder, a pipe or a device")
    try:
        with zipfile.ZipFile(file) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > MOST_BYTES:
                raise zipfile.BadZipFile(f"unpacked it would take {size // 1_000_000} MB")
            yield archive
    except (EOFError, RuntimeError, zlib.error, lzma.LZMAError) as error:
        raise zipfile.BadZipFile(str(error) or "it is cut short") from error
