"""Pictures from files: opened or refused in words."""

from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from vision.frame import Frame


def load_frame(path: str) -> Frame:
    """Return the picture in the file at *path* as a frame named as given.

    Raises:
        InputError: there is no such file, it cannot be read, or it holds no picture.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    # Decoded from memory: OpenCV's own reader fails without a word and trips over some names.
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if pixels is None:
        raise InputError(f"{path} is no picture: JPEG, PNG and the like can be read")
    return Frame(np.asarray(pixels, dtype=np.uint8), still=True, name=path)
