"""Pictures from bytes, decoded without a word of the libraries that do it."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import cv2
import numpy as np

from hardware.capture import hush_opencv
from vision.frame import Picture

_STDERR: Final = 2
_ALONE: Final = threading.Lock()
# How a file begins, and what it holds where it is whole. Libraries fill a broken one up with grey.
_ENDS: Final = ((b"\xff\xd8", b"\xff\xd9"), (b"\x89PNG", b"IEND"))


def decode_picture(content: bytes) -> Picture | None:
    """Return the picture that *content* holds, turned upright as its camera noted.

    None if it holds none that can be read, or one that breaks off.
    """
    if not content or breaks_off(content):
        return None
    hush_opencv()
    try:
        with quiet_stderr():
            picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def breaks_off(content: bytes) -> bool:
    """Tell whether *content* is the beginning of a JPEG or PNG file without its end."""
    # A small picture inside, of a camera's, has an end of its own, but in the first half.
    rest = content[len(content) // 2 :]
    return any(content.startswith(begin) and end not in rest for begin, end in _ENDS)


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Keep off standard error what libraries write there whatever they are told, for a moment."""
    with _ALONE:
        try:
            kept = os.dup(_STDERR)
        except OSError:  # it is closed: nothing can be written there
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDERR)
        try:
            yield
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
            os.close(nowhere)
