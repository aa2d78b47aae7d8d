"""Teach the two networks with drawn samples and write them as ONNX.

Run as `python -m training.learn_dice reader|finder SAMPLES OUT.onnx --steps 20000`, SAMPLES being a
folder written by `python -m training.draw_dice`. The same samples, seed and steps give the same
weights, but for how a processor rounds.
"""

import argparse
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training import dice_nets

BATCH_CROPS = 128
BATCH_PATCHES = 24
BORDERLINE_PX = 36
MEMORY = 0.9993
"""Of the mean of the weights, a step."""


def augment(pixels: torch.Tensor) -> torch.Tensor:
    """Return a batch (n, 3, h, w) from 0 to 255 in other light and other colours."""
    count = len(pixels)
    if torch.rand(()) < 0.35:
        pixels = pixels[:, torch.randperm(3)]
    gain = torch.exp(torch.randn(count, 1, 1, 1) * 0.25 + torch.randn(count, 3, 1, 1) * 0.08)
    shift = torch.randn(count, 1, 1, 1) * 10
    noise = torch.randn_like(pixels) * torch.rand(count, 1, 1, 1) ** 3 * 14
    return (pixels * gain + shift + noise).clamp(0, 255)


def normalised(pixels: torch.Tensor) -> torch.Tensor:
    """Return crops with mean 0 and deviation 1 each, as `vision.dice` feeds them."""
    mean = pixels.mean(dim=(1, 2, 3), keepdim=True)
    deviation = pixels.std(dim=(1, 2, 3), keepdim=True).clamp_min(8.0)
    return (pixels - mean) / deviation


def crop_inputs(pixels: torch.Tensor, oblique: torch.Tensor) -> torch.Tensor:
    """Return the reader's five channels from crops and angles in degrees (-1: not known)."""
    known = (oblique >= 0).float()
    planes = torch.stack([oblique.clamp_min(0) / 60 * known, known], 1)[..., None, None]
    return torch.cat([normalised(pixels), planes.expand(-1, -1, *pixels.shape[2:])], 1)


def reader_loss(
    told: torch.Tensor, painting: torch.Tensor, batch: dict[str, torch.Tensor]
) -> torch.Tensor:
    """Return the errors of the label, of the painting, and of the box where there is a die."""
    named = functional.cross_entropy(told[:, :8], batch["y"].long())
    die = (batch["y"] > 0).float()
    off = functional.smooth_l1_loss(told[:, 8:], batch["box"], beta=0.05, reduction="none").sum(1)
    placed = (off * die).sum() / die.sum().clamp_min(1)
    true = batch["masks"].permute(0, 3, 1, 2).float() / 255
    # Pips are a hundredth of the painting, and all that counts.
    pips = functional.binary_cross_entropy_with_logits(painting[:, 0], true[:, 0], reduction="none")
    pips = (pips * (1 + 9 * true[:, 0])).mean()
    face = functional.binary_cross_entropy_with_logits(painting[:, 1], true[:, 1])
    return named + 0.5 * placed + 4 * pips + face


def finder_loss(out: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Return a focal loss of the centres (Zhou 2019, CenterNet) and the errors of places, sizes."""
    count, _, high, wide = out.shape
    y, x = torch.meshgrid(torch.arange(high), torch.arange(wide), indexing="ij")
    heat = torch.zeros(count, high, wide)
    weight = torch.ones(count, high, wide)
    place = torch.zeros(count, 3, high, wide)
    near = torch.zeros(count, high, wide, dtype=torch.bool)
    for n in range(count):
        for cx, cy, box, kept in rows[n].tolist():
            if box == 0:
                continue
            dx, dy = (cx - 1.5) / 4 - x, (cy - 1.5) / 4 - y
            apart = dx**2 + dy**2
            if kept < 0:
                # Nearly of the right size: found or not, either is well. Larger: its pips are none.
                if box < BORDERLINE_PX:
                    weight[n][apart < (box / 4 * 0.8) ** 2] = 0
                continue
            spread = max(0.6, box / 4 / 7)
            peak = torch.exp(-apart / (2 * spread**2))
            peak.view(-1)[apart.argmin()] = 1
            heat[n] = torch.maximum(heat[n], peak)
            here = apart < max(1.2, (box / 4 / 4) ** 2)
            near[n] |= here
            size = torch.full_like(dx, float(np.log(box / 14)))
            place[n][:, here] = torch.stack([dx, dy, size])[:, here]
    odds = out[:, 0]
    chance = odds.sigmoid()
    positive = (heat == 1) & (weight > 0)
    hit = -(functional.logsigmoid(odds) * (1 - chance) ** 2)[positive].sum()
    miss = -(functional.logsigmoid(-odds) * chance**2 * (1 - heat) ** 4 * weight)[~positive].sum()
    off = functional.smooth_l1_loss(out[:, 1:], place, beta=0.1, reduction="none").sum(1)
    placed = off[near].sum() / near.sum().clamp_min(1)
    return (hit + miss) / positive.sum().clamp_min(1) + 0.5 * placed


class Samples:
    """The sample files of a folder, read one at a time, again when new ones are there."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._folder, self._kind = folder, kind
        self._waiting: list[Path] = []

    def next_file(self) -> dict[str, torch.Tensor]:
        """Return the arrays of a random file; each is given once before any again."""
        if not self._waiting:
            paths = sorted(self._folder.glob(f"{self._kind}_*.npz"))
            self._waiting = [paths[i] for i in torch.randperm(len(paths)).tolist()]
        with np.load(self._waiting.pop()) as arrays:
            return {name: torch.from_numpy(arrays[name]) for name in arrays.files}


def learn(kind: str, folder: Path, net: nn.Module, steps: int, top_rate: float, save: Path) -> None:
    """Teach *net* by *steps* batches, the rate falling to nothing, and store its weights in *save*.

    What is stored is the running mean of the weights (Polyak 1992), which errs less than any of
    them.
    """
    samples = Samples(folder, "crops" if kind == "reader" else "patches")
    size = BATCH_CROPS if kind == "reader" else BATCH_PATCHES
    if kind == "reader":
        net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net).eval()
    fast = torch.compile(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=top_rate, weight_decay=0.02)
    step, running = 0, []
    while step < steps:
        arrays = samples.next_file()
        order = torch.randperm(len(arrays["x"]))
        for start in range(0, len(order) - size + 1, size):
            rate = top_rate * min(1, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * step / steps))
            for group in optimiser.param_groups:
                group["lr"] = max(rate, 1e-6)
            chosen = order[start : start + size]
            loss = _step(kind, fast, {name: a[chosen] for name, a in arrays.items()})
            optimiser.zero_grad()
            loss.backward()
            length = nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            if torch.isfinite(length):
                optimiser.step()
            step += 1
            _follow(mean, net, min(MEMORY, (step + 1) / (step + 20)))
            running.append(loss.item())
            if step == steps:
                break
        print(f"{step} of {steps} steps, loss {np.mean(running[-100:]):.4f}", flush=True)
        torch.save(mean.state_dict(), save)
    net.load_state_dict(mean.state_dict())


@torch.no_grad()
def _follow(mean: nn.Module, net: nn.Module, memory: float) -> None:
    for old, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
        if old.dtype.is_floating_point:
            old.lerp_(new, 1 - memory)
        else:
            old.copy_(new)


def _step(kind: str, net: nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    pixels = batch["x"].permute(0, 3, 1, 2).float()
    mirrored = bool(torch.rand(()) < 0.5)
    pixels = augment(pixels.flip(3) if mirrored else pixels)
    if kind == "finder":
        rows = batch["y"].clone()
        if mirrored:
            rows[:, :, 0] = pixels.shape[3] - 1 - rows[:, :, 0]
        if torch.rand(()) < 0.5:
            pixels, rows = pixels.transpose(2, 3).contiguous(), rows[:, :, [1, 0, 2, 3]]
        return finder_loss(net((pixels - 128) / 64), rows)
    if mirrored:
        box = batch["box"].clone()
        box[:, 0] = 1 - box[:, 0]
        batch = batch | {"box": box, "masks": batch["masks"].flip(2)}
    inputs = crop_inputs(pixels, batch["ob"].float()).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        told, painting = net(inputs)
    return reader_loss(told.float(), painting.float(), batch)


def export(kind: str, net: nn.Module, out: Path) -> None:
    """Write *net* as ONNX, its normalisations folded into its convolutions."""
    shape = (
        (1, 3, 160, 160)
        if kind == "finder"
        else (1, dice_nets.READER_CHANNELS, dice_nets.CROP_PX, dice_nets.CROP_PX)
    )
    torch.onnx.export(
        net.eval().to(memory_format=torch.contiguous_format),
        (torch.zeros(shape),),
        str(out),
        input_names=["pixels"],
        output_names=["told"] if kind == "finder" else ["told", "painting"],
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    """Read the command line, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("reader", "finder"))
    parser.add_argument("samples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=20000, help="0: only write what --from gives")
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--from", dest="start", type=Path, help="weights to begin with")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    net = dice_nets.Reader() if args.kind == "reader" else dice_nets.finder()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    if args.steps > 0:
        learn(
            args.kind,
            args.samples,
            net.train(),
            args.steps,
            args.rate,
            args.out.with_suffix(".pt"),
        )
    export(args.kind, net, args.out)


if __name__ == "__main__":
    main()
