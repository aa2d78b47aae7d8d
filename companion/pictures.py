"""Pictures from files: opened or refused in words."""

from pathlib import Path

from companion.errors import InputError
from hardware.ports import SourceError
from hardware.stills import read_picture
from vision.frame import Frame


def load_frame(path: str) -> Frame:
    """Return the picture in the file at *path* as a frame named as given.

    Raises:
        InputError: there is no such file, it cannot be read, or it holds no picture.
    """
    try:
        return Frame(read_picture(Path(path)), still=True, name=path)
    except SourceError as error:
        raise InputError(str(error)) from error
