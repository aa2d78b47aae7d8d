"""Photograph drawn windows as a camera delivers them: light, defocus, noise, sharpening, JPEG."""

from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

Tensor = torch.Tensor

CROP_PX: Final = 48
_SHEET: Final = 32
"""So many windows are of the same size in pixels, and compressed together."""
_SIZES_PX: Final = (14, 17, 20, 24, 28, 33, 39, 47, 56, 56, 56, 56, 56)
_KERNEL: Final = 13
_BLOCK_PX: Final = 16


def photograph(rng: np.random.Generator, windows: Tensor, reach: Tensor) -> NDArray[np.uint8]:
    """Return windows, (n, 3, g, g) from 0 to 1, as 8 bit crops (n, CROP_PX, CROP_PX, 3).

    *reach*, (n,), is how many sides of a die a window is wide.
    """
    sheets = []
    for start in range(0, len(windows), _SHEET):
        part = windows[start : start + _SHEET]
        size = int(rng.choice(_SIZES_PX))
        sheets.append(_sheet(rng, part, reach[start : start + _SHEET], size))
    return np.concatenate(sheets)


def _sheet(
    rng: np.random.Generator, windows: Tensor, reach: Tensor, size_px: int
) -> NDArray[np.uint8]:
    count, grid = len(windows), windows.shape[-1]

    def numbers(values: NDArray[np.floating]) -> Tensor:
        return torch.from_numpy(np.asarray(values, np.float32)).reshape(count, -1, 1, 1)

    def chosen(chance: float) -> Tensor:
        return numbers(rng.random(count) < chance)

    picture = windows * numbers(2 ** np.clip(rng.normal(0.1, 0.55, count), -1.3, 1.1))
    picture = picture * numbers(1 + rng.normal(0, 0.09, (count, 3)))
    picture = picture + chosen(0.3) * numbers(rng.uniform(0, 0.12, count))
    grey = picture.mean(1, keepdim=True)
    dull = 1 - chosen(0.35) * (1 - numbers(rng.uniform(0.3, 1.3, count)))
    picture = grey + (picture - grey) * dull
    out_of_focus = np.abs(rng.normal(0, 0.028, count)) * grid / reach.numpy()
    soft = rng.uniform(0, 0.6, count) * grid / size_px
    sigma = np.where(rng.random(count) < 0.75, out_of_focus + soft, 0.0)
    picture = _blurred(picture, np.clip(sigma, 0.45, _KERNEL / 3.5))
    if size_px < grid:
        picture = functional.interpolate(picture, size_px, mode="bilinear", antialias=True)
    noise = torch.from_numpy(rng.standard_normal(picture.shape, np.float32))
    if rng.random() < 0.4:
        noise = _blurred(noise, np.full(count, 0.8)) * 2
    picture = picture + noise * numbers(np.abs(rng.normal(0, 0.022, count))) * chosen(0.7)
    sharp = picture - _blurred(picture, np.ones(count))
    picture = picture + sharp * chosen(0.3) * numbers(rng.uniform(0.3, 1.5, count))
    picture = picture.clamp(0, 1) ** numbers(rng.uniform(0.6, 1.25, count))
    eight = (picture * 255).round().byte().permute(0, 2, 3, 1).numpy()
    if rng.random() < 0.75:
        eight = _compressed(eight, int(rng.uniform(40, 97)))
    crops = [cv2.resize(one, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR) for one in eight]
    return np.asarray(np.stack(crops), np.uint8)


def _blurred(picture: Tensor, sigma: NDArray[np.floating]) -> Tensor:
    """Return a picture, (n, 3, h, w), blurred by a Gauss of its own each."""
    count = len(picture)
    steps = torch.arange(_KERNEL) - _KERNEL // 2
    width = torch.from_numpy(np.asarray(sigma, np.float32))[:, None]
    kernel = torch.exp(-(steps**2) / (2 * width**2))
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(3, 0)
    flat = picture.reshape(1, count * 3, *picture.shape[2:])
    reach = _KERNEL // 2
    groups = count * 3
    for shape, pad in ((1, (reach, reach, 0, 0)), (0, (0, 0, reach, reach))):
        weights = kernel[:, None, None, :] if shape else kernel[:, None, :, None]
        flat = functional.conv2d(
            functional.pad(flat, pad, mode="replicate"), weights, groups=groups
        )
    return flat.reshape(picture.shape)


def _compressed(pictures: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """Return pictures after JPEG, each padded to whole blocks, side by side."""
    size = pictures.shape[1]
    pad = -size % _BLOCK_PX
    padded = np.pad(pictures, ((0, 0), (0, pad), (0, pad), (0, 0)), mode="edge")
    sheet = padded.reshape(-1, size + pad, 3)
    _, packed = cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, quality])
    again = cv2.imdecode(packed, cv2.IMREAD_COLOR).reshape(padded.shape)
    return np.asarray(again[:, :size, :size], np.uint8)
