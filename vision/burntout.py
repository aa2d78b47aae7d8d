"""Squares that the light burnt out: white checkers on them may not show at all."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Colour, Contents
from vision.frame import Picture
from vision.rectify import board_to_picture

BRIGHT: Final = frozenset({Colour.WHITE, Colour.YELLOW})
"""The colours of checkers that burn out like the squares below them."""

_BURNT: Final = 250
_CHANNELS: Final = 2
"""Where so many channels are burnt out nothing tells bright paints apart."""
_SHOWS, _BLANK = 0.6, 0.95
"""Burnt out up to the one part a checker would show beside it, from the other part on not."""
_UNSEEN: Final = 0.12
"""So probable is a checker where nothing can be told: about what it is anywhere."""
_ALONG: Final = np.linspace(0.25, 0.75, 7)


def doubted(
    options: tuple[tuple[Contents, float], ...], blank: float
) -> tuple[tuple[Contents, float], ...]:
    """Return what may stand on a square that looks empty, of which a part is burnt out.

    Args:
        options: contents with their probabilities.
        blank: the part that is, from 0 to 1.
    """
    left = 1.0 - _UNSEEN * min(max((blank - _SHOWS) / (_BLANK - _SHOWS), 0.0), 1.0)
    return tuple((what, chance * left) for what, chance in options)


def burnt_shares(pixels: Picture, location: BoardLocation) -> NDArray[np.float64]:
    """Return what part of the middle of each square of a picture is burnt out, (64,), a1 first."""
    height, width = pixels.shape[:2]
    x, y = np.meshgrid(_ALONG, _ALONG)
    inner = np.column_stack((x.ravel(), y.ravel()))
    corners = np.array([(file, rank) for rank in range(8) for file in range(8)], np.float64)
    places = (corners[:, None] + inner).reshape(-1, 2)
    at = np.rint(board_to_picture(location, (width, height), places)).astype(np.int64)
    seen = pixels[np.clip(at[:, 1], 0, height - 1), np.clip(at[:, 0], 0, width - 1)]
    burnt = (seen >= _BURNT).sum(axis=1) >= _CHANNELS
    return np.asarray(burnt.reshape(64, -1).mean(axis=1), np.float64)
