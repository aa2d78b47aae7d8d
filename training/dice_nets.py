"""The two small networks that know dice: one finds them, one reads them."""

from typing import Final

import torch
from torch import nn

READER_CHANNELS: Final = 5
"""Blue, green, red; how obliquely the die is seen, of 60 degrees; whether that is known."""
CROP_PX: Final = 48
READER_OUTPUTS: Final = 12
"""Log-odds of no die, 1 to 6, cocked; then the box: centre x, y, width, height in crop sides."""


def _convolution(inward: int, outward: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU()
    )


class _Look(nn.Module):
    """Look around within a channel, then across channels, and add what was seen."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.around = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, dilation, dilation, groups=width, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )
        self.across = nn.Sequential(nn.Conv2d(width, width, 1, bias=False), nn.BatchNorm2d(width))
        self.bend = nn.ReLU()

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return self.bend(seen + self.across(self.around(seen)))


def finder() -> nn.Module:
    """Return the network that gives, for each 4x4 pixels, log-odds of a die's centre and its place.

    Four channels come out: log-odds, the centre's offset x, y in cells, the logarithm of the larger
    side of the die's box in units of 14 pixels.
    """
    told = nn.Conv2d(28, 4, 1)
    nn.init.constant_(told.bias, -3.0)  # dice are rare: begin there, or the first steps blow up
    return nn.Sequential(
        _convolution(3, 12, 2),
        _convolution(12, 28, 2),
        _Look(28),
        _Look(28),
        _Look(28, 2),
        _Look(28),
        told,
    )


class Reader(nn.Module):
    """Reads a crop of 48x48 pixels.

    It first paints the top face and its pips at half the size, through an hourglass, so that what
    is counted is what lies on top; then it reads the painting together with what it saw.
    """

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.fine = nn.Sequential(
            nn.Conv2d(READER_CHANNELS, 16, 5, 2, 2, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            _convolution(16, 16),
        )
        self.middle = nn.Sequential(_convolution(16, 32, 2), _convolution(32, 32))
        self.coarse = nn.Sequential(_convolution(32, 48, 2), _convolution(48, 48))
        self.deep = nn.Sequential(_convolution(48, 64, 2), _convolution(64, 64))
        self.to_coarse = nn.ConvTranspose2d(64, 48, 2, 2)
        self.join_coarse = _convolution(96, 48)
        self.to_middle = nn.ConvTranspose2d(48, 32, 2, 2)
        self.join_middle = _convolution(64, 32)
        self.to_fine = nn.ConvTranspose2d(32, 16, 2, 2)
        self.join_fine = _convolution(32, 16)
        self.paint = nn.Conv2d(16, 2, 1)
        self.judge = nn.Sequential(
            _convolution(18, 32, 2), _convolution(32, 48, 2), _convolution(48, 64, 2)
        )
        self.tell = nn.Linear(64 * 9 * 2, READER_OUTPUTS)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what is told, (n, READER_OUTPUTS), and the painting's log-odds, (n, 2, 24, 24)."""
        fine = self.fine(seen)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        deep = self.deep(coarse)
        coarse = self.join_coarse(torch.cat([coarse, self.to_coarse(deep)], 1))
        middle = self.join_middle(torch.cat([middle, self.to_middle(coarse)], 1))
        fine = self.join_fine(torch.cat([fine, self.to_fine(middle)], 1))
        painting = self.paint(fine)
        judged = self.judge(torch.cat([fine, painting], 1))
        together = torch.cat([judged.flatten(1), deep.flatten(1)], 1)
        return self.tell(together), painting
