"""Writing so that a power cut leaves what was there, or what was to be there, and nothing else."""

import os
from contextlib import suppress
from pathlib import Path

from companion.errors import JournalError


def replace_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Put *data* in the place of the file at *path* so that no power cut leaves half of it.

    *mode* says who may read and write it, where the umask lets them.

    Raises:
        JournalError: it could not be written; what was there still is.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise unwritable(path, error) from error
    sync_folder(path.parent)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of *data*, however little is taken at a time.

    Raises:
        OSError: it could not be written, or not all of it.
    """
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def sync_folder(folder: Path) -> None:
    """Have the disk know the names in *folder*.

    Raises:
        JournalError: it cannot be reached.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(path: Path, error: OSError) -> JournalError:
    """Return the error to raise where *path* cannot be written because of *error*."""
    return JournalError(
        f"{path} cannot be written: {error.strerror}. What was logged before is safe; free some "
        "space or name another folder with --games"
    )
