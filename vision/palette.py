"""What people call a checker's colour, told from all checkers on the board together.

Each name stands for a wide range of colours, wider between two boards and lamps than on one of
them. So the checkers of a board are sorted together: each colour that may be there begins with its
usual look, moves towards those that are most likely its own, and they are judged again (an
expectation-maximisation with a prior, Gauvain and Lee 1994). Colours are compared by lightness and
by chroma in proportion to lightness, which a shadow changes little.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop import Colour
from vision.emptyboard import Floats

Lab: TypeAlias = tuple[float, float, float]

USUAL_LAB: Final[dict[Colour, Lab]] = {
    Colour.RED: (40.0, 52.0, 32.0),
    Colour.ORANGE: (62.0, 38.0, 58.0),
    Colour.YELLOW: (74.0, 8.0, 68.0),
    Colour.GREEN: (40.0, -34.0, 20.0),
    Colour.BLUE: (30.0, 18.0, -50.0),
    Colour.PURPLE: (34.0, 34.0, -32.0),
    Colour.WHITE: (82.0, 2.0, 10.0),
    Colour.BLACK: (18.0, 1.0, 1.0),
    Colour.BROWN: (55.0, 14.0, 28.0),
}
"""Lightness, a* and b* of each colour as checkers of it usually look in pictures of boards: paints,
plastics and woods by daylight; cheap cameras and warm lamps move them by ten or twenty."""

# Standard deviations of lightness, and of a* and b* in proportion to lightness, as `_signature`
# has them: of a colour's look between boards, and of its checkers on one board.
_BETWEEN_BOARDS: Final = np.array([16.0, 14.0, 14.0])
_ON_A_BOARD: Final = np.array([9.0, 9.0, 9.0])
_STRANGER_DENSITY: Final = 1e-7
"""How dense colours are that are no checker's: about even over the signatures there are."""
_ROUNDS: Final = 6
_DARK, _STRONGEST = 15.0, 70.0


def name_colours(
    lab: Floats, weights: NDArray[np.float64], colours: tuple[Colour, ...] | None
) -> NDArray[np.float64]:
    """Return how probable each colour is for each of the things seen on a board.

    Args:
        lab: their colours, CIE L*a*b* brought to the light of the board's brightest part, (n, 3),
            or where it is not sure how much light fell on them, (n, lights, 3).
        weights: how sure it is that each is a checker at all, (n,).
        colours: what may be there, or None for all nine.

    Returns:
        Shape (n, colours + 1), in the order of *colours* or of `Colour`; rows sum to 1, the last
        column being the chance that it is none of them.
    """
    named = colours or tuple(Colour)
    usual = _signature(np.array([USUAL_LAB[colour] for colour in named]))
    seen = _signature(lab.astype(np.float64) if lab.ndim == 3 else lab.astype(np.float64)[:, None])
    between, within = _BETWEEN_BOARDS**2, _ON_A_BOARD**2
    chances = _chances(seen, usual, np.broadcast_to(between + within, usual.shape))
    for _ in range(_ROUNDS):
        votes = chances[..., :-1] * weights[:, None, None]
        count = votes.sum(axis=(0, 1))[:, None]
        # The mean's posterior under the prior of the colour's usual look.
        precision = 1.0 / between + count / within
        means = (usual / between + np.einsum("nlc,nld->cd", votes, seen) / within) / precision
        chances = _chances(seen, means, within + 1.0 / precision)
    named_so: NDArray[np.float64] = chances.sum(axis=1)
    return named_so


def _signature(lab: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return lightness, and chroma in proportion to it as it would be at a middle lightness.

    Of a dark thing the proportion is uncertain and may come out as any strength of colour, so no
    colour counts as stronger than paints are.
    """
    lightness = lab[..., :1]
    chroma = lab[..., 1:] * 60.0 / (np.maximum(lightness, _DARK) + 16.0)
    strength = np.linalg.norm(chroma, axis=-1, keepdims=True)
    chroma = chroma * np.minimum(1.0, _STRONGEST / np.maximum(strength, 1e-9))
    signature: NDArray[np.float64] = np.concatenate((lightness, chroma), axis=-1)
    return signature


def _chances(
    seen: NDArray[np.float64], means: NDArray[np.float64], variances: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the share of each light and colour, or none, for signatures (n, lights, 3).

    Shape (n, lights, colours + 1); each thing's shares sum to 1, all lights being as likely.
    """
    squared = np.sum((seen[:, :, None] - means) ** 2 / variances, axis=-1)
    scale = np.sqrt(np.prod(2.0 * np.pi * variances, axis=-1))
    densities = np.exp(-0.5 * squared) / scale / len(means)
    strange = np.full((*seen.shape[:2], 1), _STRANGER_DENSITY)
    joint = np.concatenate((densities, strange), axis=-1)
    chances: NDArray[np.float64] = joint / joint.sum(axis=(1, 2), keepdims=True)
    return chances
